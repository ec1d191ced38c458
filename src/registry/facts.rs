//! What the registry needs to know of a record: read from its line, or from a registry file, which is a list of these.

use crate::ndjson::Str;
use serde::{Deserialize, Deserializer, Serialize};

/// A null where a list or an object should be counts as an empty one: a user's jq may have put it there.
fn or_empty<'de, D: Deserializer<'de>, T: Deserialize<'de> + Default>(deserializer: D) -> Result<T, D::Error> {
    Ok(Option::<T>::deserialize(deserializer)?.unwrap_or_default())
}

/// One line of a registry file: the fields of a record, under their names in the record, by which it can be meant
/// and by which its translations are known.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Facts<'a> {
    /// See [`crate::record::Identity`].
    #[serde(borrow)]
    pub site: Option<Str<'a>>,
    /// See [`crate::record::Identity`].
    pub kind: Option<Str<'a>>,
    /// See [`crate::record::Identity`].
    pub r#type: Option<Str<'a>>,
    /// See [`crate::record::Identity`].
    pub id: Option<i64>,
    /// See [`crate::record::Identity`].
    pub link: Option<Str<'a>>,
    /// Last part of the permalink.
    pub slug: Option<Str<'a>>,
    /// BCP 47 tag.
    pub language: Option<Str<'a>>,
    /// Who said so.
    pub language_source: Option<Str<'a>>,
    /// Of media: where it names a file.
    pub guid: Option<Str<'a>>,
    /// Of media: its file.
    pub source_url: Option<Str<'a>>,
    /// Of media: its files.
    #[serde(borrow, deserialize_with = "or_empty")]
    pub sizes: Vec<SizeFacts<'a>>,
    /// Of media: its file before it was scaled.
    #[serde(borrow, deserialize_with = "or_empty")]
    pub media_details: MediaFacts<'a>,
    /// Of html: the record whose id the page carries.
    #[serde(borrow, deserialize_with = "or_empty")]
    pub same: SameFacts<'a>,
    /// Other URLs of it.
    #[serde(borrow, deserialize_with = "or_empty")]
    pub aliases: Vec<Str<'a>>,
    /// Its page.
    #[serde(borrow, deserialize_with = "or_empty")]
    pub scrape: ScrapeFacts<'a>,
    /// Its words.
    #[serde(borrow, deserialize_with = "or_empty")]
    pub content: ContentFacts<'a>,
    /// Its translations, as the evidence has them.
    #[serde(borrow, deserialize_with = "or_empty")]
    pub translations: Vec<TranslationFacts<'a>>,
}

/// Of [`crate::record::Size`].
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct SizeFacts<'a> {
    /// URL of the file.
    #[serde(borrow)]
    pub url: Option<Str<'a>>,
}

/// Of [`crate::record::MediaDetails`].
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct MediaFacts<'a> {
    /// Name of the file before WordPress scaled it.
    #[serde(borrow)]
    pub original_image: Option<Str<'a>>,
}

/// Of [`crate::record::Same`].
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct SameFacts<'a> {
    /// Type of the record.
    #[serde(borrow)]
    pub r#type: Option<Str<'a>>,
    /// Its id.
    pub id: Option<i64>,
}

/// Of [`crate::record::Scrape`].
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ScrapeFacts<'a> {
    /// Present when the record is joined to a page.
    #[serde(borrow)]
    pub file: Option<Str<'a>>,
}

/// Of [`crate::record::Content`].
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ContentFacts<'a> {
    /// Equal texts, equal hashes.
    #[serde(borrow)]
    pub hash: Option<Str<'a>>,
}

/// Of [`crate::record::Translation`].
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct TranslationFacts<'a> {
    /// BCP 47 tag.
    #[serde(borrow)]
    pub language: Option<Str<'a>>,
    /// As the source wrote it.
    pub language_raw: Option<Str<'a>>,
    /// Where it is.
    pub href: Option<Str<'a>>,
    /// Its id, where the source gave one.
    pub id: Option<i64>,
    /// Its type, where the source gave one.
    pub r#type: Option<Str<'a>>,
    /// Who said so.
    pub source: Option<Str<'a>>,
}
