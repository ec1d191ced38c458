//! An entry of a feed: a post, or a comment. Several copies of an entry complete each other, and the result becomes the JSON of an item
//! of the REST API.

use crate::ndjson::write_json;
use crate::urls::UrlKey;
use crate::wordpress::{Suffix, comment_of, without_suffix};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// The fields of a post or a comment in a feed; texts are HTML.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FeedEntry {
    /// The permalink; for a comment, with its fragment.
    pub(crate) link: String,
    /// The id of the comment, if it is one.
    pub(crate) comment: Option<i64>,
    /// The id of the post, or of the comment's post, as the feed states it: `<post-id>`
    /// (<https://developer.wordpress.com/docs/>, namespace `com-wordpress:feed-additions:1`).
    pub(crate) stated_id: Option<i64>,
    /// The id in the guid, `?p=12`, if the guid has the host of the feed.
    pub(crate) guid_id: Option<i64>,
    /// The post type in the guid.
    pub(crate) r#type: Option<String>,
    pub(crate) guid: Option<String>,
    pub(crate) title: Option<String>,
    /// The name of the author.
    pub(crate) author: Option<String>,
    /// The URL of the author's own site; only for comments.
    pub(crate) author_url: Option<String>,
    pub(crate) date_gmt: Option<String>,
    pub(crate) modified_gmt: Option<String>,
    /// The whole content.
    pub(crate) content: Option<String>,
    pub(crate) excerpt: Option<String>,
    /// Whether reading it requires a password.
    pub(crate) is_protected: bool,
    /// The comment that a comment replies to; 0 for the post itself.
    pub(crate) parent: Option<i64>,
    /// The number of comments on a post (`slash:comments`).
    pub(crate) comment_count: Option<u64>,
    /// The URLs of its enclosures, as the files of a podcast's episode.
    pub(crate) enclosures: Vec<String>,
    /// The names of its terms, from all taxonomies.
    pub(crate) terms: Vec<String>,
    /// When its feed was built; empty if that states no date.
    pub(crate) built: String,
    /// The feed as the user named it, and the number of the entry in it, from 1.
    pub(crate) file: String,
    pub(crate) number: u64,
}

impl FeedEntry {
    /// Fills missing fields from an older copy. If one of the two is password-protected, the text of the other is not used.
    pub(super) fn complete(&mut self, other: FeedEntry) {
        macro_rules! take {
            ($($field:ident)*) => { $(self.$field = self.$field.take().or(other.$field);)* };
        }
        take!(stated_id guid_id r#type guid title author author_url date_gmt modified_gmt content excerpt parent);
        if self.terms.is_empty() {
            self.terms = other.terms;
        }
        if self.enclosures.is_empty() {
            self.enclosures = other.enclosures;
        }
        if self.is_protected || other.is_protected {
            (self.is_protected, self.content, self.excerpt) = (true, None, None);
            self.enclosures.clear();
        }
    }

    /// Appends the entry as an item of the REST API; `id` is its own id, `post` that of the post that a comment belongs to.
    pub(crate) fn append_item(&self, r#type: &str, id: Option<i64>, post: Option<i64>, out: &mut Vec<u8>) {
        let numbers = [("id", id), ("post", post), ("parent", self.parent)];
        let numbers = numbers.into_iter().filter_map(|(key, number)| Some((key.to_owned(), number?.into())));
        let mut item: Map<String, Value> = numbers.chain(self.fields()).collect();
        item.extend([("type".to_owned(), r#type.into()), ("link".to_owned(), self.link.as_str().into())]);
        if !self.terms.is_empty() {
            let terms: Vec<_> = self.terms.iter().map(|name| json!({"name": name})).collect();
            item.insert("_embedded".to_owned(), json!({"wp:term": [terms]}));
        }
        write_json(out, &item);
    }

    /// The fields that have a value and that an item of the API may lack.
    pub(crate) fn fields(&self) -> Map<String, Value> {
        let texts = [
            ("date_gmt", &self.date_gmt),
            ("modified_gmt", &self.modified_gmt),
            ("author_name", &self.author),
            ("author_url", &self.author_url),
        ];
        let texts = texts.into_iter().filter_map(|(key, text)| Some((key, json!(text.as_deref()?))));
        let rendered = [("guid", &self.guid), ("title", &self.title), ("excerpt", &self.excerpt)];
        let rendered =
            rendered.into_iter().filter_map(|(key, html)| Some((key, json!({"rendered": html.as_deref()?}))));
        let content = self.content.as_deref().map(|html| ("content", json!({"rendered": html, "protected": false})));
        let protected = ["content", "excerpt"].map(|key| (key, json!({"protected": true})));
        let protected = protected.into_iter().filter(|_| self.is_protected);
        let files = (!self.enclosures.is_empty()).then(|| ("_enclosures", json!(self.enclosures)));
        let fields = texts.chain(rendered).chain(content).chain(protected).chain(files);
        fields.map(|(key, value)| (key.to_owned(), value)).collect()
    }
}

/// A string that all links to the same post, or to the same comment, have in common.
pub(crate) fn identity(link: &str) -> String {
    let Some(key) = UrlKey::new(link) else { return link.to_owned() };
    let key = key.without_noise().unwrap_or(key).into_string();
    let Some(comment) = comment_of(link) else { return key };
    let post = without_suffix(&key).filter(|(_, suffix)| *suffix == Suffix::Comments).map_or(&*key, |(post, _)| post);
    format!("{post}#{comment}")
}
