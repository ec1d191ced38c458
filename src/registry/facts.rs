//! Parses the fields of a record that the registry needs: its URLs and its translations. A registry file is a list of these.

use crate::ndjson::Str;
use crate::record::{Mapped, fields};

fields! {
    /// A line of a registry file: the fields that identify a record and its translations, named as in the record.
    pub(crate) record Facts {
        site: Option<Str<'a>>,
        kind: Option<Str<'a>>,
        r#type: Option<Str<'a>>,
        id: Option<i64>,
        link: Option<Str<'a>>,
        slug: Option<Str<'a>>,
        /// For terms.
        name: Option<Str<'a>>,
        language: Option<Str<'a>>,
        language_source: Option<Str<'a>>,
        /// The URL that its page names as x-default.
        x_default: Option<Str<'a>>,
        /// Why it is not a translation. `notice` is read; `words` is determined anew.
        copy_source: Option<Str<'a>>,
        /// For media: the guid, if it names a file.
        guid: Option<Str<'a>>,
        /// For media: its file.
        source_url: Option<Str<'a>>,
        /// For media: its files.
        sizes: Vec<SizeFacts<'a>>,
        /// For media: its file before it was scaled.
        media_details: MediaFacts<'a>,
        /// For pages: the record whose id the page has.
        same: SameFacts<'a>,
        aliases: Vec<Str<'a>>,
        source: SourceFacts<'a>,
        categories: Vec<i64>,
        tags: Vec<i64>,
        /// For posts: the terms of all taxonomies.
        terms: Vec<TermFacts<'a>>,
        scrape: ScrapeFacts<'a>,
        /// Its words, in a registry file.
        sketch: Option<Str<'a>>,
        translations: Vec<TranslationFacts<'a>>,
    }

    /// Part of [`crate::record::TermRef`].
    pub(crate) record TermFacts {
        taxonomy: Option<Str<'a>>,
        id: Option<i64>,
    }

    /// Part of [`crate::record::Size`].
    pub(crate) record SizeFacts {
        url: Option<Str<'a>>,
    }

    /// Part of [`crate::record::MediaDetails`].
    pub(crate) record MediaFacts {
        /// Name of the file before WordPress scaled it.
        original_image: Option<Str<'a>>,
        width: Option<i64>,
        height: Option<i64>,
    }

    /// Part of [`crate::record::Same`].
    pub(crate) record SameFacts {
        r#type: Option<Str<'a>>,
        id: Option<i64>,
    }

    /// Part of [`crate::record::Scrape`].
    pub(crate) record ScrapeFacts {
        /// Present if the record has a page.
        file: Option<Str<'a>>,
        /// The places of a scrape that was not made on the site itself.
        mapped: Vec<Mapped<'a>>,
    }

    /// Part of [`crate::record::Source`].
    pub(crate) record SourceFacts {
        /// The door of its first values.
        via: Option<Str<'a>>,
        /// Root of the REST API.
        rest: Option<Str<'a>>,
    }

    /// Part of [`crate::record::Translation`].
    pub(crate) record TranslationFacts {
        language: Option<Str<'a>>,
        /// The original spelling.
        language_raw: Option<Str<'a>>,
        href: Option<Str<'a>>,
        id: Option<i64>,
        r#type: Option<Str<'a>>,
        source: Option<Str<'a>>,
    }
}
