//! Macros for enums whose variants have names in JSON, so that each name is written only once.

/// Defines an enum with the JSON name of each variant, in order.
macro_rules! named {
    ($(#[$about:meta])* $vis:vis enum $name:ident { $($(#[$doc:meta])* $key:ident = $text:expr,)* }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        #[repr(u8)]
        $vis enum $name { $($(#[$doc])* $key,)* }

        impl $name {
            /// All variants.
            #[allow(dead_code, reason = "not every enum is listed")]
            $vis const ALL: &[$name] = &[$($name::$key,)*];

            /// The name in JSON.
            #[allow(dead_code, reason = "not every enum is written")]
            $vis fn name(self) -> &'static str {
                match self { $($name::$key => $text,)* }
            }
        }
    };
}
pub(crate) use named;

/// Like [`named`], for the keys that are looked up in an object. Keys under `inner` belong to nested objects.
macro_rules! keys {
    (
        $(#[$about:meta])* $vis:vis enum $name:ident { $($key:ident = $text:expr,)* }
        $(inner { $($inner:ident = $within:expr,)* })?
    ) => {
        $crate::ndjson::named! {
            $(#[$about])* $vis enum $name { $($key = $text,)* $($($inner = $within,)*)? }
        }

        impl $name {
            #[allow(non_upper_case_globals, reason = "patterns need constants, named as the variants are")]
            fn of(key: &[u8]) -> Option<$name> {
                $(const $key: &[u8] = $text.as_bytes();)*
                match key { $($key => Some($name::$key),)* _ => None }
            }
        }
    };
    // The variants are spelt as in JSON.
    ($(#[$about:meta])* $vis:vis enum $name:ident { $($key:ident)* }) => {
        $crate::ndjson::keys! {
            $(#[$about])* #[allow(non_camel_case_types)] $vis enum $name { $($key = stringify!($key),)* }
        }
    };
}
pub(crate) use keys;
