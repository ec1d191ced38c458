//! Reads the fields of a record that matter to the registry: those with its URLs and its translations. A registry file is a
//! list of these.

use crate::ndjson::Str;
use crate::record::{Mapped, shaped};

shaped! {
    /// A line of a registry file: the fields that identify a record and its translations, named as in the record.
    pub(crate) Facts {
        /// As in every record.
        site: Option<Str<'a>>,
        /// As in every record.
        kind: Option<Str<'a>>,
        /// As in every record.
        r#type: Option<Str<'a>>,
        /// As in every record.
        id: Option<i64>,
        /// As in every record.
        link: Option<Str<'a>>,
        /// Last part of the permalink.
        slug: Option<Str<'a>>,
        /// BCP 47 tag.
        language: Option<Str<'a>>,
        /// Its evidence.
        language_source: Option<Str<'a>>,
        /// What its page names as x-default.
        x_default: Option<Str<'a>>,
        /// Why it is no translation: a notice is read, words are found anew.
        copy_source: Option<Str<'a>>,
        /// For media: the guid, if it names a file.
        guid: Option<Str<'a>>,
        /// For media: its file.
        source_url: Option<Str<'a>>,
        /// For media: its files.
        sizes: Vec<SizeFacts<'a>>,
        /// For media: its file before it was scaled.
        media_details: MediaFacts<'a>,
        /// For html: the record whose id the page has.
        same: SameFacts<'a>,
        /// Other URLs of it.
        aliases: Vec<Str<'a>>,
        /// Where it is from.
        source: SourceFacts<'a>,
        /// For posts: ids of categories.
        categories: Vec<i64>,
        /// For posts: ids of tags.
        tags: Vec<i64>,
        /// For posts: terms of all taxonomies.
        terms: Vec<TermFacts<'a>>,
        /// Its page.
        scrape: ScrapeFacts<'a>,
        /// Its words, in a registry file.
        sketch: Option<Str<'a>>,
        /// Its translations, as given by the evidence.
        translations: Vec<TranslationFacts<'a>>,
    }

    /// Part of [`crate::record::TermRef`].
    pub(crate) TermFacts {
        /// The taxonomy.
        taxonomy: Option<Str<'a>>,
        /// Id of the term.
        id: Option<i64>,
    }

    /// Part of [`crate::record::Size`].
    pub(crate) SizeFacts {
        /// URL of the file.
        url: Option<Str<'a>>,
    }

    /// Part of [`crate::record::MediaDetails`].
    pub(crate) MediaFacts {
        /// Name of the file before WordPress scaled it.
        original_image: Option<Str<'a>>,
        /// Pixels.
        width: Option<i64>,
        /// Pixels.
        height: Option<i64>,
    }

    /// Part of [`crate::record::Same`].
    pub(crate) SameFacts {
        /// Type of the record.
        r#type: Option<Str<'a>>,
        /// Its id.
        id: Option<i64>,
    }

    /// Part of [`crate::record::Scrape`].
    pub(crate) ScrapeFacts {
        /// Present if the record has a page.
        file: Option<Str<'a>>,
        /// Where the scrape was made instead of the site.
        mapped: Vec<Mapped<'a>>,
    }

    /// Part of [`crate::record::Source`].
    pub(crate) SourceFacts {
        /// Root of the REST API.
        rest: Option<Str<'a>>,
    }

    /// Part of [`crate::record::Translation`].
    pub(crate) TranslationFacts {
        /// BCP 47 tag.
        language: Option<Str<'a>>,
        /// The original spelling.
        language_raw: Option<Str<'a>>,
        /// Its URL.
        href: Option<Str<'a>>,
        /// Its id, if the source gives one.
        id: Option<i64>,
        /// Its type, if the source gives one.
        r#type: Option<Str<'a>>,
        /// Its evidence.
        source: Option<Str<'a>>,
    }
}
