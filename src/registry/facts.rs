//! What the registry needs to know of a record: read from its line, or from a registry file, which is a list of these.

use crate::ndjson::Str;
use crate::record::shaped;

shaped! {
    /// One line of a registry file: the fields of a record, under their names in the record, by which it can be meant
    /// and by which its translations are known.
    Facts {
        /// As of every record.
        site: Option<Str<'a>>,
        /// As of every record.
        kind: Option<Str<'a>>,
        /// As of every record.
        r#type: Option<Str<'a>>,
        /// As of every record.
        id: Option<i64>,
        /// As of every record.
        link: Option<Str<'a>>,
        /// Last part of the permalink.
        slug: Option<Str<'a>>,
        /// BCP 47 tag.
        language: Option<Str<'a>>,
        /// Where it is from.
        language_source: Option<Str<'a>>,
        /// Of media: where it names a file.
        guid: Option<Str<'a>>,
        /// Of media: its file.
        source_url: Option<Str<'a>>,
        /// Of media: its files.
        sizes: Vec<SizeFacts<'a>>,
        /// Of media: its file before it was scaled.
        media_details: MediaFacts<'a>,
        /// Of html: the record whose id the page carries.
        same: SameFacts<'a>,
        /// Other URLs of it.
        aliases: Vec<Str<'a>>,
        /// Its page.
        scrape: ScrapeFacts<'a>,
        /// Its words.
        content: ContentFacts<'a>,
        /// Its translations, as the evidence has them.
        translations: Vec<TranslationFacts<'a>>,
    }

    /// Of [`crate::record::Size`].
    SizeFacts {
        /// URL of the file.
        url: Option<Str<'a>>,
    }

    /// Of [`crate::record::MediaDetails`].
    MediaFacts {
        /// Name of the file before WordPress scaled it.
        original_image: Option<Str<'a>>,
    }

    /// Of [`crate::record::Same`].
    SameFacts {
        /// Type of the record.
        r#type: Option<Str<'a>>,
        /// Its id.
        id: Option<i64>,
    }

    /// Of [`crate::record::Scrape`].
    ScrapeFacts {
        /// Present when the record is joined to a page.
        file: Option<Str<'a>>,
    }

    /// Of [`crate::record::Content`].
    ContentFacts {
        /// Equal texts, equal hashes.
        hash: Option<Str<'a>>,
    }

    /// Of [`crate::record::Translation`].
    TranslationFacts {
        /// BCP 47 tag.
        language: Option<Str<'a>>,
        /// As the source wrote it.
        language_raw: Option<Str<'a>>,
        /// Where it is.
        href: Option<Str<'a>>,
        /// Its id, where the source gave one.
        id: Option<i64>,
        /// Its type, where the source gave one.
        r#type: Option<Str<'a>>,
        /// Where it is from.
        source: Option<Str<'a>>,
    }
}
