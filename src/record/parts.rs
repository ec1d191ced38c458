//! Declares the objects in records: references, texts, links, images, files. The module above decides which record has which of them.

use super::{Str, fields};

fields! {
    /// The record that a link, image or translation refers to. All three are null if there is none.
    pub record Target {
        /// `type` of the target record.
        r#type: Option<Str<'a>>,
        /// `id` of the target record; null also for an `html` record.
        id: Option<i64>,
        /// `link` of the target record (of a media record: its page, not its file).
        link: Option<Str<'a>>,
    }

    /// HTML as WordPress rendered it and the text a reader sees of it.
    pub record Rendered {
        /// The HTML, unchanged.
        html: Option<Str<'a>>,
        /// Its rendered text.
        text: Option<Str<'a>>,
    }

    /// The content of a post: like [`Rendered`], with more information.
    pub record Content {
        /// The HTML, unchanged.
        html: Option<Str<'a>>,
        /// Its rendered text.
        text: Option<Str<'a>>,
        /// Whether a password is needed to read it.
        protected: Option<bool>,
        /// xxh3-128 of `text`, 32 hexadecimal digits: equal texts, equal hashes.
        hash: Option<Str<'a>>,
    }

    /// A term of a post.
    pub record TermRef {
        /// `type` of the term's record: category, tag, a custom taxonomy; null if the page does not say it.
        taxonomy: Option<Str<'a>>,
        /// Id of the term; null if only the page names it and no record has its link.
        id: Option<i64>,
        /// Its name, as text.
        name: Option<Str<'a>>,
        /// Its slug.
        slug: Option<Str<'a>>,
        /// Its archive.
        link: Option<Str<'a>>,
    }

    /// The picture that stands for a post.
    pub record FeaturedImage {
        /// The source as written (with lazy loading: the real one).
        src: Option<Str<'a>>,
        /// The absolute URL; null if malformed.
        url: Option<Str<'a>>,
        /// The media record.
        target: Target<'a>,
        /// The rule by which the target was found.
        rule: Option<Str<'a>>,
    }

    /// Whom a post names as its author.
    pub record Author {
        /// Id of the user, if the source gives one.
        id: Option<i64>,
        /// The name that readers see.
        name: Option<Str<'a>>,
        /// Last part of the address of the archive.
        slug: Option<Str<'a>>,
        /// The archive, or the author's own site.
        link: Option<Str<'a>>,
        /// publishpress, embedded, terms, yoast, feed, export, api, or page.
        source: Option<Str<'a>>,
    }

    /// One translation of a record, with its evidence.
    pub record Translation {
        /// BCP 47 tag of the translation's language.
        language: Option<Str<'a>>,
        /// The language as the source wrote it.
        language_raw: Option<Str<'a>>,
        /// Its URL, absolute if the source gives one.
        href: Option<Str<'a>>,
        /// Its id, if the source gives one.
        id: Option<i64>,
        /// Its type, if the source gives one.
        r#type: Option<Str<'a>>,
        /// Its evidence: rest, hreflang, switcher; reverse, slug, posts or group if wp-resolve added it.
        source: Option<Str<'a>>,
        /// The record of the translation.
        target: Target<'a>,
        /// The rule by which the target was found.
        rule: Option<Str<'a>>,
        /// Why the site has no target for it; null if there is one, or it leads elsewhere.
        reason: Option<Str<'a>>,
    }

    /// A link of the content: every `a` and `area`, in document order.
    pub record Link {
        /// `a` or `area`.
        element: Option<Str<'a>>,
        /// The href as written; null if there is none.
        href: Option<Str<'a>>,
        /// The absolute URL; null for mailto:, tel:, javascript: and broken ones.
        url: Option<Str<'a>>,
        /// Rendered text of the link.
        text: Option<Str<'a>>,
        /// Alternative text of the image of an image-only link.
        alt: Option<Str<'a>>,
        /// The rel attribute as written.
        rel: Option<Str<'a>>,
        /// Whether it leads to this site; null before wp-resolve.
        internal: Option<bool>,
        /// The record that it leads to.
        target: Target<'a>,
        /// The N of `#comment-N`.
        comment: Option<i64>,
        /// The rule by which the target was found.
        rule: Option<Str<'a>>,
        /// Why the site has no target for it; null if there is one, or it leads elsewhere.
        reason: Option<Str<'a>>,
    }

    /// An image of the content.
    pub record Image {
        /// The source as written (with lazy loading: the real one).
        src: Option<Str<'a>>,
        /// The absolute URL; null if malformed, or if the markup has a placeholder only.
        url: Option<Str<'a>>,
        /// Alternative text; null without the attribute.
        alt: Option<Str<'a>>,
        /// Rendered text of the caption.
        caption: Option<Str<'a>>,
        /// The width attribute, pixels.
        width: Option<i64>,
        /// The height attribute, pixels.
        height: Option<i64>,
        /// The N of the class `wp-image-N`: a hint only.
        id: Option<i64>,
        /// Whether the file is on this site; null until wp-resolve has seen the site.
        internal: Option<bool>,
        /// The media record of the image.
        target: Target<'a>,
        /// The rule by which the target was found.
        rule: Option<Str<'a>>,
        /// Why the site has no target for it; null if there is one, or it leads elsewhere.
        reason: Option<Str<'a>>,
    }

    /// Something of another document shown inside the content.
    pub record Embed {
        /// The source as written.
        src: Option<Str<'a>>,
        /// The absolute URL; null if malformed, or if the markup has none.
        url: Option<Str<'a>>,
        /// The element that shows it: iframe, video, audio, object, embed, blockquote, figure, div, lite-youtube …
        element: Option<Str<'a>>,
        /// The provider: youtube, vimeo, x …; null if unknown.
        provider: Option<Str<'a>>,
        /// Rendered text of the caption.
        caption: Option<Str<'a>>,
        /// Whether it is on this site; null until wp-resolve has seen the site.
        internal: Option<bool>,
        /// The record that it shows: a media record of its file, or a post of the site.
        target: Target<'a>,
        /// The N of `#comment-N`.
        comment: Option<i64>,
        /// The rule by which the target was found.
        rule: Option<Str<'a>>,
        /// Why the site has no target for it; null if there is one, or it leads elsewhere.
        reason: Option<Str<'a>>,
    }

    /// Metadata from an SEO plugin.
    pub record Seo {
        /// The page's title.
        title: Option<Str<'a>>,
        /// The meta description.
        description: Option<Str<'a>>,
        /// The canonical URL.
        canonical: Option<Str<'a>>,
        /// URL of the first image for social media.
        image: Option<Str<'a>>,
        /// The locale, as written.
        locale: Option<Str<'a>>,
        /// og:url.
        url: Option<Str<'a>>,
        /// Which plugin: yoast, rankmath, aioseo.
        source: Option<Str<'a>>,
    }

    /// A record in whose id this page is shown (plugins that translate on the fly).
    pub record Same {
        /// Type of that record.
        r#type: Option<Str<'a>>,
        /// Id of that record.
        id: Option<i64>,
    }

    /// What is stated of the rights in a record.
    pub record Rights {
        /// licence, reservation, copyright.
        kind: Option<Str<'a>>,
        /// Of a licence its SPDX id, of a reservation what is reserved, of a copyright its line; null if only the URL says it.
        value: Option<Str<'a>>,
        /// Where the licence or the policy is.
        url: Option<Str<'a>>,
        /// Where it is stated: header, robots.txt, tdmrep.json, link, meta, json-ld, content, page, template, caption, image_meta, field.
        place: Option<Str<'a>>,
        /// What it is about: record, part, image, site.
        scope: Option<Str<'a>>,
    }

    /// The scraped page of the record.
    pub record Scrape {
        /// The --scrape argument as typed; the directory of it if it is an archive.
        root: Option<Str<'a>>,
        /// Path below root, `/`-separated, never absolute, without `..`; of a page in an archive PATH#OFFSET.
        file: Option<Str<'a>>,
        /// The page's own URL.
        url: Option<Str<'a>>,
        /// When an archive saved the page (WARC-Date).
        time: Option<Str<'a>>,
        /// The digest of the page's body in an archive (WARC-Payload-Digest).
        digest: Option<Str<'a>>,
        /// The id of the page's record in an archive (WARC-Record-ID).
        record: Option<Str<'a>>,
        /// The HTTP status of the answer, where an archive states it.
        status: Option<i64>,
        /// The name of the site, as the titles of more than half of its pages have it.
        site_name: Option<Str<'a>>,
        /// Where the scrape was made instead of the site.
        mapped: Vec<Mapped<'a>>,
        /// Pages of the site below root: what repeats over them is not the text of one of them, and what it says of rights is about all.
        sample: Vec<Str<'a>>,
        /// The further pages of a post of several (`<!--nextpage-->`), in their order.
        next_pages: Vec<NextPage<'a>>,
        /// Where the site's pages have their content, as those show whose content is known.
        place: Place<'a>,
    }

    /// A further page of a post of several.
    pub record NextPage {
        /// Path below root.
        file: Option<Str<'a>>,
        /// The page's own URL.
        url: Option<Str<'a>>,
    }

    /// The element that holds the content of a site's pages.
    pub record Place {
        /// A selector of it.
        content: Option<Str<'a>>,
        /// On how many of the pages that were looked at its words are the content's.
        agree: Option<i64>,
        /// How many those are.
        of: Option<i64>,
        /// The share of words that what is taken from there and the content have in common, as a mean of these pages: F, 0 to 1.
        share: Option<f64>,
    }

    /// A place of a scrape and that of the site, as host and path.
    pub record Mapped {
        /// The start of URLs in the scrape, as host and path.
        from: Option<Str<'a>>,
        /// The start of the same URLs on the site.
        to: Option<Str<'a>>,
    }

    /// Where wp-index read the item.
    pub record Source {
        /// Through which door its first values came: rest (the API), wxr (a WordPress export), feed, page.
        via: Option<Str<'a>>,
        /// The dump's file as typed or found below the directory as typed, `-` for stdin.
        file: Option<Str<'a>>,
        /// The item's number in that file, from 1.
        item: Option<i64>,
        /// Root of the REST API that the item, or its page, names.
        rest: Option<Str<'a>>,
        /// The programs that the record has passed, each with its version and the options that change what it writes.
        steps: Vec<Str<'a>>,
    }

    /// One file of an image or of another upload.
    pub record Size {
        /// Name of the size: thumbnail, medium, large, full …
        name: Option<Str<'a>>,
        /// URL of the file.
        url: Option<Str<'a>>,
        /// Pixels.
        width: Option<i64>,
        /// Pixels.
        height: Option<i64>,
        /// MIME type of the file.
        mime_type: Option<Str<'a>>,
    }

    /// What the camera wrote into the file; all texts, as WordPress stores them.
    pub record ImageMeta {
        /// Aperture.
        aperture: Option<Str<'a>>,
        /// Credit.
        credit: Option<Str<'a>>,
        /// Camera.
        camera: Option<Str<'a>>,
        /// Caption.
        caption: Option<Str<'a>>,
        /// Unix time, as text.
        created_timestamp: Option<Str<'a>>,
        /// Copyright.
        copyright: Option<Str<'a>>,
        /// Focal length, mm.
        focal_length: Option<Str<'a>>,
        /// ISO speed.
        iso: Option<Str<'a>>,
        /// Shutter speed, seconds.
        shutter_speed: Option<Str<'a>>,
        /// Title.
        title: Option<Str<'a>>,
        /// EXIF orientation.
        orientation: Option<Str<'a>>,
        /// Keywords.
        keywords: Vec<Str<'a>>,
    }

    /// What WordPress knows of the uploaded file.
    pub record MediaDetails {
        /// Path below the uploads folder.
        file: Option<Str<'a>>,
        /// Pixels.
        width: Option<i64>,
        /// Pixels.
        height: Option<i64>,
        /// Bytes.
        filesize: Option<i64>,
        /// Seconds, for audio and video.
        length: Option<i64>,
        /// Bits per second, for audio and video.
        bitrate: Option<f64>,
        /// MIME type.
        mime_type: Option<Str<'a>>,
        /// Name of the file before WordPress scaled it.
        original_image: Option<Str<'a>>,
        /// What the camera wrote.
        image_meta: ImageMeta<'a>,
    }

    /// A user's picture in one size.
    pub record Avatar {
        /// Pixels.
        size: Option<i64>,
        /// URL of the picture.
        url: Option<Str<'a>>,
    }
}
