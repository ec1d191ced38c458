//! The rules that resolve a URL to a record of the site, under the names that wp-resolve(1) explains.

use crate::ndjson::named;

named! {
    /// The rule that found a target, the value of `rule`, in the order in which rules are tried. Two exceptions: `media_id` is tried
    /// together with `media_variant`, and `id` applies to translations only. A scraped page that is a record without an item (`html`) comes
    /// before the rules that guess by a slug or ignore a directory: `/de/about/` is the German page that was scraped, not the English
    /// record.
    pub enum Rule {
        /// The URL is a record's `link`, byte for byte.
        Exact = "exact",
        /// The link except for scheme, `www.`, case and script of the host, default port, escapes, dot segments, repeated and trailing
        /// slashes, `index.php`, fragment.
        Normalised = "normalised",
        /// The link without tracking, preview, reply and paging parameters.
        QueryCleaned = "query_cleaned",
        /// `?p=`, `?page_id=`, `?attachment_id=`, `?cat=`, `?author=` with its id; `?name=`, `?attachment=`, `?TYPE=` with its slug;
        /// `?pagename=` with its path.
        Shortlink = "shortlink",
        /// In the scrape, this URL shows the record or redirects to it.
        Alias = "alias",
        /// The link followed by `/page/N/`, `/N/`, `/amp/`, `/embed/`, `/comment-page-N/`, `/trackback/`.
        Subpage = "subpage",
        /// The URL ends in `#comment-N`; the target is the article or, without one, the comment itself.
        Comment = "comment",
        /// The media record's `source_url`, or its guid if that is a file.
        MediaFile = "media_file",
        /// One of its `sizes[]`.
        MediaSize = "media_size",
        /// The uploaded file, before WordPress scaled, rotated or edited it.
        MediaOriginal = "media_original",
        /// A `-WxH`, `-scaled`, `-rotated`, `-eN` or `.webp` variant of a known file in the same folder.
        MediaVariant = "media_variant",
        /// An image CDN's URL for one of this site's files.
        MediaCdn = "media_cdn",
        /// The id in `wp-image-N`, if the file's name belongs to that record, too.
        MediaId = "media_id",
        /// `/attachment/SLUG/`, or the id in `wp-att-N` if the slug belongs to that record, too.
        AttachmentPage = "attachment_page",
        /// An author archive in any language directory, or `?author_name=`.
        Author = "author",
        /// `?tag=`, `?category_name=`, `?TAXONOMY=`, `?taxonomy=…&term=…`.
        Term = "term",
        /// A scraped page that has its own record, without an item.
        Html = "html",
        /// The permalink with another category path, if only one record has the slug.
        Category = "category",
        /// The record in another language's directory, if all languages share one id; or without the directory of the
        /// default language, which has none.
        OtherLanguage = "other_language",
        /// The same path on another host of the site, where it belongs to one record.
        OtherHost = "other_host",
        /// A former URL of the record: its `guid`, or the same path on a host the site was moved from, or on the host where the scrape was
        /// made.
        Former = "former",
        /// The link with parameters that WordPress does not know.
        QueryIgnored = "query_ignored",
        /// A URL that WordPress treats as another one, which leads to the record: with punctuation at its end, or slugs in upper case.
        Canonical = "canonical",
        /// A translation for which the source gave only the id.
        Id = "id",
    }
}

impl Rule {
    /// Whether a record owns the URL itself.
    pub(super) fn is_owner(self) -> bool {
        matches!(self, Rule::Exact | Rule::Normalised | Rule::QueryCleaned | Rule::Alias | Rule::Html) || self.is_file()
    }

    /// Whether the URL is a media record's file, or derived from one.
    pub(super) fn is_file(self) -> bool {
        matches!(self, Rule::MediaFile | Rule::MediaSize | Rule::MediaOriginal | Rule::MediaVariant)
    }
}
