//! Enums whose variants have a name in JSON, which is written once.

/// An enum of names, in the order of their variants.
macro_rules! named {
    ($(#[$about:meta])* $vis:vis enum $name:ident { $($(#[$doc:meta])* $key:ident = $text:expr,)* }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        #[repr(u8)]
        $vis enum $name { $($(#[$doc])* $key,)* }

        impl $name {
            /// All of them.
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

/// As [`named`], of the keys that are looked for in an object. Those under `inner` are keys of the objects in it.
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
    // Named as in JSON.
    ($(#[$about:meta])* $vis:vis enum $name:ident { $($key:ident)* }) => {
        $crate::ndjson::keys! {
            $(#[$about])* #[allow(non_camel_case_types)] $vis enum $name { $($key = stringify!($key),)* }
        }
    };
}
pub(crate) use keys;
