//! Defines the record of a change: what became of a record between two fetches of its site, or what does not fit in its
//! dates.

use super::parts::{Image, Link, TermRef, Translation};
use super::{Str, fields};

fields! {
    /// A record of kind change, as wp-diff writes it.
    pub record Change {
        /// Label of the site.
        site: Option<Str<'a>>,
        /// change.
        kind: Option<Str<'a>>,
        /// Type of the record that has changed.
        r#type: Option<Str<'a>>,
        /// Its id: the new one, of a record that is gone the old one.
        id: Option<i64>,
        /// Its permalink, in the same way.
        link: Option<Str<'a>>,
        /// What became of it: added, gone, renumbered, moved, redated or changed, the first that applies; odd_date.
        change: Option<Str<'a>>,
        /// All of these that apply, in this order.
        changes: Vec<Str<'a>>,
        /// The record as it was; all null if it was added.
        old: Version<'a>,
        /// The record as it is; all null if it is gone.
        new: Version<'a>,
        /// Fields with another value.
        fields: Vec<FieldChange<'a>>,
        /// Blocks of the text that differ; of a record that is gone all, as removed; of one that was added none.
        text: Vec<BlockChange<'a>>,
        /// Links, by what they lead to.
        links: LinkChanges<'a>,
        /// Images, by what they show.
        images: ImageChanges<'a>,
        /// Translations, by their records.
        translations: TranslationChanges<'a>,
        /// Categories, tags and terms of custom taxonomies.
        terms: TermChanges<'a>,
        /// What speaks for it.
        evidence: Vec<Evidence<'a>>,
        /// What often has such dates: import, scheduled, draft; null if nothing is known, and but for odd_date.
        looks_like: Option<Str<'a>>,
    }

    /// What tells one state of a record from another.
    pub record Version {
        /// WordPress' id.
        id: Option<i64>,
        /// Permalink.
        link: Option<Str<'a>>,
        /// publish, approved …
        status: Option<Str<'a>>,
        /// Publication.
        date_gmt: Option<Str<'a>>,
        /// Last change.
        modified_gmt: Option<Str<'a>>,
        /// Id of the author (a user).
        author: Option<i64>,
        /// The title or the name, as text.
        title: Option<Str<'a>>,
        /// BCP 47 tag of its language.
        language: Option<Str<'a>>,
    }

    /// A field with another value.
    pub record FieldChange {
        /// Its key; of a value in an object `seo.title`.
        field: Option<Str<'a>>,
        /// The old value as JSON text.
        old: Option<Str<'a>>,
        /// The new value as JSON text.
        new: Option<Str<'a>>,
    }

    /// A block of text that differs.
    pub record BlockChange {
        /// added, removed, changed or moved.
        op: Option<Str<'a>>,
        /// The old block.
        old: Option<Str<'a>>,
        /// The new block.
        new: Option<Str<'a>>,
        /// The words of a changed block.
        words: Vec<WordChange<'a>>,
    }

    /// Some words of a changed block.
    pub record WordChange {
        /// same, removed or added.
        op: Option<Str<'a>>,
        /// The words with the blanks after them.
        text: Option<Str<'a>>,
    }

    /// Links that came and went.
    pub record LinkChanges {
        /// Links that lead where none led before.
        added: Vec<Link<'a>>,
        /// Links that lead where none leads any more.
        removed: Vec<Link<'a>>,
    }

    /// Images that came and went.
    pub record ImageChanges {
        /// Images that were not shown before.
        added: Vec<Image<'a>>,
        /// Images that are not shown any more.
        removed: Vec<Image<'a>>,
    }

    /// Translations that came and went.
    pub record TranslationChanges {
        /// Translations that were not named before.
        added: Vec<Translation<'a>>,
        /// Translations that are not named any more.
        removed: Vec<Translation<'a>>,
    }

    /// Terms that came and went.
    pub record TermChanges {
        /// Terms that the record did not have.
        added: Vec<TermRef<'a>>,
        /// Terms that it does not have any more.
        removed: Vec<TermRef<'a>>,
    }

    /// What speaks for a change, or for an odd date.
    pub record Evidence {
        /// The rule.
        rule: Option<Str<'a>>,
        /// What was found.
        value: Option<Str<'a>>,
        /// What would fit.
        expected: Option<Str<'a>>,
        /// Type of the record that tells it.
        r#type: Option<Str<'a>>,
        /// Its id.
        id: Option<i64>,
        /// Its permalink.
        link: Option<Str<'a>>,
    }
}
