//! The rules by which a URL is taken for a record, and the reasons why one is not.

/// How a target was found: the value of `rule`, in the order in which they are tried. Two stand apart: `media_id` is
/// tried together with `media_variant`, `id` for translations alone. A page of its own comes before the rules that guess
/// by a slug or leave out a directory: `/de/about/` is the German page that was scraped, not the English record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rule {
    /// `exact`: the URL is a record's `link`, byte for byte.
    Exact,
    /// `normalised`: it is, apart from scheme, `www.`, host's case and script, default port, escapes, dot segments,
    /// doubled and final slashes, `index.php`, fragment.
    Normalised,
    /// `query_cleaned`: it is, without tracking, preview, reply and paging parameters.
    QueryCleaned,
    /// `shortlink`: `?p=`, `?page_id=`, `?attachment_id=`, `?cat=`, `?author=` name its id.
    Shortlink,
    /// `alias`: the scrape shows the record under this URL, or redirects to it.
    Alias,
    /// `subpage`: the record's link and `/page/N/`, `/N/`, `/amp/`, `/embed/`, `/comment-page-N/`, `/trackback/`.
    Subpage,
    /// `comment`: the URL ends in `#comment-N`; the article is the target, the comment itself if there is no article.
    Comment,
    /// `media_file`: the media record's `source_url`, or its guid where that is a file.
    MediaFile,
    /// `media_size`: one of its `sizes[]`.
    MediaSize,
    /// `media_original`: the file that was uploaded before WordPress scaled, rotated or edited it.
    MediaOriginal,
    /// `media_variant`: `-WxH`, `-scaled`, `-rotated`, `-eN` or `.webp` beside a known file of the same folder.
    MediaVariant,
    /// `media_cdn`: an image CDN's URL that holds one of this site's files.
    MediaCdn,
    /// `media_id`: the id of `wp-image-N`, where the file's name is that record's too.
    MediaId,
    /// `attachment_page`: `/attachment/SLUG/`, or the id of `wp-att-N` where the slug is that record's too.
    AttachmentPage,
    /// `author`: an author archive, in whatever language directory, or `?author_name=`.
    Author,
    /// `term`: `?tag=`, `?category_name=`, `?taxonomy=…&term=…`.
    Term,
    /// `html`: a scraped page that is a record for itself.
    Html,
    /// `category`: the permalink with another category path, where exactly one record has the slug.
    Category,
    /// `other_language`: the record under another language's directory, where all languages share one id.
    OtherLanguage,
    /// `id`: a translation of which the source gave the id alone.
    Id,
    /// `ambiguous`: several records own the URL and no rule decides; there is no target.
    Ambiguous,
}

impl Rule {
    /// All rules, in the order in which they are tried.
    pub const ALL: [Rule; 21] = [
        Rule::Exact,
        Rule::Normalised,
        Rule::QueryCleaned,
        Rule::Shortlink,
        Rule::Alias,
        Rule::Subpage,
        Rule::Comment,
        Rule::MediaFile,
        Rule::MediaSize,
        Rule::MediaOriginal,
        Rule::MediaVariant,
        Rule::MediaCdn,
        Rule::MediaId,
        Rule::AttachmentPage,
        Rule::Author,
        Rule::Term,
        Rule::Html,
        Rule::Category,
        Rule::OtherLanguage,
        Rule::Id,
        Rule::Ambiguous,
    ];

    /// Whether the URL is that of a media record's file, or of one that is known beside it.
    pub(super) fn is_file(self) -> bool {
        matches!(self, Rule::MediaFile | Rule::MediaSize | Rule::MediaOriginal | Rule::MediaVariant)
    }

    /// The value of `rule`.
    pub fn name(self) -> &'static str {
        match self {
            Rule::Exact => "exact",
            Rule::Normalised => "normalised",
            Rule::QueryCleaned => "query_cleaned",
            Rule::Shortlink => "shortlink",
            Rule::Alias => "alias",
            Rule::Subpage => "subpage",
            Rule::Comment => "comment",
            Rule::MediaFile => "media_file",
            Rule::MediaSize => "media_size",
            Rule::MediaOriginal => "media_original",
            Rule::MediaVariant => "media_variant",
            Rule::MediaCdn => "media_cdn",
            Rule::MediaId => "media_id",
            Rule::AttachmentPage => "attachment_page",
            Rule::Author => "author",
            Rule::Term => "term",
            Rule::Html => "html",
            Rule::Category => "category",
            Rule::OtherLanguage => "other_language",
            Rule::Id => "id",
            Rule::Ambiguous => "ambiguous",
        }
    }
}

/// Why a URL of the site has no target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// Another site's.
    External,
    /// The front page of the site or of a language, which is no record here.
    Home,
    /// A list that WordPress makes: dates, search.
    Archive,
    /// A feed.
    Feed,
    /// Log-in, administration, the API, WordPress' own files.
    System,
    /// Several records own it.
    Ambiguous,
    /// A relative reference that was meant as another host or as a mail address.
    Disguised,
    /// An uploaded file that no media record has.
    File,
    /// No record has it.
    Unknown,
}

impl Reason {
    /// The value of `reason` in the list of unresolved URLs.
    pub fn name(self) -> &'static str {
        match self {
            Reason::External => "external",
            Reason::Home => "home",
            Reason::Archive => "archive",
            Reason::Feed => "feed",
            Reason::System => "system",
            Reason::Ambiguous => "ambiguous",
            Reason::Disguised => "disguised",
            Reason::File => "file",
            Reason::Unknown => "unknown",
        }
    }

    /// Whether a record was to be expected, so that the URL is worth a look.
    pub fn is_loss(self) -> bool {
        self >= Reason::Ambiguous
    }
}
