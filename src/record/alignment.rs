//! Declares the record of two documents' aligned sentences, which wp-align writes.

use super::{Str, fields};

fields! {
    /// Two documents that are translations of each other, sentence by sentence.
    pub record Alignment {
        /// Label of the site.
        site: Option<Str<'a>>,
        /// alignment.
        kind: Option<Str<'a>>,
        /// Type of the first document.
        r#type: Option<Str<'a>>,
        /// Id of the first document.
        id: Option<i64>,
        /// Link of the first document.
        link: Option<Str<'a>>,
        /// Name of the translation group of both.
        group: Option<Str<'a>>,
        /// The share of each document's letters that are in links with a score above .5.
        share: Vec<f64>,
        /// The first document.
        from: Side<'a>,
        /// The second document; part of the record's identity.
        to: Side<'a>,
        /// What belongs together, in order; every sentence is in one of them.
        links: Vec<Aligned<'a>>,
    }

    /// A document of an alignment.
    pub record Side {
        /// Its type.
        r#type: Option<Str<'a>>,
        /// Its id; null for html.
        id: Option<i64>,
        /// Its link.
        link: Option<Str<'a>>,
        /// BCP 47 tag of its language.
        language: Option<Str<'a>>,
    }

    /// Sentences that say the same. Without a counterpart, a side is empty.
    pub record Aligned {
        /// The share of links with this score that are right; null where a side is empty.
        score: Option<f64>,
        /// Sentences of the first document.
        from: Vec<Sentence<'a>>,
        /// Sentences of the second document.
        to: Vec<Sentence<'a>>,
        /// What shows that they belong together, besides their lengths.
        anchors: Vec<Anchor<'a>>,
    }

    /// A sentence and its place.
    pub record Sentence {
        /// The number of its block: 0 is the title, those of the content begin with 1.
        block: Option<i64>,
        /// Its number in the block, from 1.
        sentence: Option<i64>,
        /// Its text.
        text: Option<Str<'a>>,
    }

    /// What two parts of an alignment share.
    pub record Anchor {
        /// structure, media, link, word.
        kind: Option<Str<'a>>,
        /// What they share: the kind of block; the record or URL of the first document's image or link; the word.
        value: Option<Str<'a>>,
    }
}
