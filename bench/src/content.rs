//! The contents of posts: paragraphs, headings, lists, quotes, tables, code, images and embeds as the block editor
//! writes them, with links of every kind that leads to a record in more ways than the exact one. Counts what it writes.

use crate::chance::Chance;
use crate::counts::Counts;
use crate::site::{BASE, CATEGORIES, HOST, SIZES, Site, USERS};
use crate::words::Language;
use std::fmt::Write;

#[derive(Clone, Copy)]
enum Link {
    Post,
    Relative,
    NoSlash,
    Http,
    Www,
    Fragment,
    Query,
    Shortlink,
    SubPage,
    Category,
    Tag,
    Page,
    Author,
    File,
    AttachmentPage,
    Dead,
    External,
    Mail,
}

/// How often a link is of which kind, in a hundred: 57 lead to a record, 33 of them written exactly as its permalink.
const LINKS: [(u64, Link); 18] = [
    (33, Link::Post),
    (3, Link::Relative),
    (3, Link::NoSlash),
    (3, Link::Http),
    (2, Link::Www),
    (2, Link::Fragment),
    (2, Link::Query),
    (2, Link::Shortlink),
    (1, Link::SubPage),
    (1, Link::Category),
    (1, Link::Tag),
    (1, Link::Page),
    (1, Link::Author),
    (1, Link::File),
    (1, Link::AttachmentPage),
    (1, Link::Dead),
    (40, Link::External),
    (2, Link::Mail),
];

const EXTERNAL: [&str; 5] = [
    "https://www.example.com/a/b",
    "http://agency.example.net/story?id=12&#038;x=1",
    "https://chat.example/channel",
    "https://short.example/status/1234567",
    "https://docs.example.gov/report.pdf",
];

#[derive(Clone, Copy)]
enum Image {
    Resized,
    OtherSize,
    Full,
    Lost,
    External,
}

const IMAGES: [(u64, Image); 5] =
    [(53, Image::Resized), (2, Image::OtherSize), (30, Image::Full), (8, Image::Lost), (7, Image::External)];

/// Writes a content of a post.
pub struct Writer<'a> {
    pub site: &'a Site,
    pub language: &'a Language,
    pub chance: &'a mut Chance,
    pub counts: &'a mut Counts,
}

impl Writer<'_> {
    /// A content of some size: 1.5 to 12 kB, or of a few links only.
    pub fn content(&mut self) -> String {
        if self.site.lean {
            return format!("\n{}\n", self.paragraph(2));
        }
        let size = *self.chance.one_of(&[1500, 3000, 4500, 6000, 6000, 7500, 9000, 12000]);
        let mut out = String::with_capacity(size + 4096);
        while out.len() < size {
            out.push('\n');
            let block = self.block();
            out.push_str(&block);
            out.push_str("\n\n\n");
        }
        out
    }

    fn block(&mut self) -> String {
        match self.chance.below(100) {
            0..66 => {
                let sentences = self.chance.between(3, 7);
                self.paragraph(sentences)
            }
            66..74 => format!("<h2 class=\"wp-block-heading\">{}</h2>", self.language.title(self.chance)),
            74..82 => self.figure(),
            82..89 => self.list(),
            89..93 => format!(
                "<blockquote class=\"wp-block-quote\">{}<cite>{}</cite></blockquote>",
                self.paragraph(3),
                self.language.title(self.chance)
            ),
            93..96 => self.table(),
            96..98 => format!(
                "<figure class=\"wp-block-embed\"><div class=\"wp-block-embed__wrapper\"><iframe loading=\"lazy\" \
                 title=\"video\" width=\"500\" height=\"281\" src=\"https://www.youtube.com/embed/{:011x}?feature=oembed\" \
                 allowfullscreen></iframe></div></figure>",
                self.chance.draw() >> 20
            ),
            _ => {
                let line = |chance: &mut Chance| format!("    {}", self.language.words(chance, 4));
                let lines: Vec<_> = (0..4).map(|_| line(self.chance)).collect();
                format!("<pre class=\"wp-block-code\"><code>{}</code></pre>", lines.join("\n"))
            }
        }
    }

    /// A paragraph; every fifth sentence has a link, some have markup, entities, a line break.
    fn paragraph(&mut self, sentences: u64) -> String {
        let mut out = String::from("<p>");
        for i in 0..sentences {
            if i > 0 {
                out.push(' ');
            }
            let sentence = self.language.sentence(self.chance);
            let links = if self.site.lean { 60 } else { 20 };
            match self.chance.below(100) {
                what if what < links => {
                    let (before, after) = sentence.split_once(' ').unwrap_or((&sentence, ""));
                    let (text, after) = after.split_once(' ').unwrap_or((after, ""));
                    let href = self.href();
                    write!(out, "{before} <a href=\"{href}\">{text}</a> {after}").expect("a String takes everything");
                }
                what if what < links + 6 => out.push_str(&format!("<strong>{}</strong>", sentence)),
                what if what < links + 12 => {
                    out.push_str(&sentence.replacen(' ', "&nbsp;", 1));
                    out.push_str(" &#8220;");
                    out.push_str(&self.language.words(self.chance, 1));
                    out.push_str("&#8221; &amp; &#8217;");
                }
                what if what < links + 16 => out.push_str(&(sentence + "<br />")),
                _ => out.push_str(&sentence),
            }
        }
        out.push_str("</p>");
        out
    }

    fn list(&mut self) -> String {
        let count = self.chance.between(2, 6);
        let items: Vec<_> = (0..count).map(|_| format!("<li>{}</li>", self.language.sentence(self.chance))).collect();
        format!("<ul class=\"wp-block-list\">{}</ul>", items.join("\n"))
    }

    fn table(&mut self) -> String {
        let mut rows = String::new();
        for _ in 0..4 {
            rows.push_str("<tr>");
            for _ in 0..3 {
                rows.push_str(&format!("<td>{}</td>", self.language.words(self.chance, 2)));
            }
            rows.push_str("</tr>");
        }
        format!("<figure class=\"wp-block-table\"><table><tbody>{rows}</tbody></table></figure>")
    }

    /// The href of a link, counted.
    fn href(&mut self) -> String {
        let kind = *self.chance.weighted(&LINKS);
        self.counts.link(!matches!(kind, Link::Dead | Link::External | Link::Mail));
        let post = self.site.any_post(self.chance);
        let chance = &mut *self.chance;
        match kind {
            Link::Post => post.url(),
            Link::Relative => post.path,
            Link::NoSlash => post.url().trim_end_matches('/').to_owned(),
            Link::Http => format!("http://{HOST}{}", post.path),
            Link::Www => format!("https://www.{HOST}{}", post.path),
            Link::Fragment => post.url() + "#section-2",
            Link::Query => post.url() + "?utm_source=x&amp;utm_medium=y",
            Link::Shortlink => format!("{BASE}/?p={}", post.id),
            Link::SubPage => post.url() + *chance.one_of(&["embed/", "2/", "amp/", "comment-page-2/"]),
            Link::Category => format!("{BASE}{}", self.site.category(chance.below(CATEGORIES)).path),
            Link::Tag => format!("{BASE}{}", self.site.tag(chance.below(self.site.tags())).path),
            Link::Page => self.site.page(chance.below(self.site.pages())).url(),
            Link::Author => format!("{BASE}/author/author-{}/", chance.between(1, USERS)),
            Link::File => self.site.any_medium(chance).url(),
            Link::AttachmentPage => self.site.any_medium(chance).page(),
            Link::Dead => format!("{BASE}/2015/01/01/gone-{}/", chance.below(10_000)),
            Link::External => format!("{}/{}", chance.one_of(&EXTERNAL), chance.below(100_000)),
            Link::Mail => format!("mailto:desk@{HOST}"),
        }
    }

    /// An image with its sizes, mostly in a figure with a caption.
    fn figure(&mut self) -> String {
        let kind = *self.chance.weighted(&IMAGES);
        self.counts.image(!matches!(kind, Image::Lost | Image::External));
        let media = self.site.any_medium(self.chance);
        let alt = if self.chance.percent(80) { self.language.words(self.chance, 3) } else { String::new() };
        let (_, sized_width, sized_height) = *self.chance.one_of(&SIZES[1..]);
        let full = (media.width, media.width * 2 / 3);
        let (src, (width, height)) = match kind {
            Image::Resized => (media.sized_url(sized_width, sized_height), (sized_width, sized_height)),
            Image::OtherSize => (media.sized_url(600, 400), (600, 400)),
            Image::Full => (media.url(), full),
            Image::Lost => {
                (format!("{BASE}/wp-content/uploads/2015/05/lost-{}.jpg", self.chance.below(1000)), (640, 480))
            }
            Image::External => (format!("https://cdn.example.com/i/{}.jpg", self.chance.below(10_000)), (640, 480)),
        };
        let mut more = String::new();
        if !matches!(kind, Image::Lost | Image::External) {
            let mut sizes = vec![format!("{} {}w", media.url(), media.width)];
            sizes.extend(SIZES[1..].iter().map(|&(_, w, h)| format!("{} {w}w", media.sized_url(w, h))));
            more = format!(
                " class=\"wp-image-{}\" srcset=\"{}\" sizes=\"(max-width: {width}px) 100vw, {width}px\"",
                media.id,
                sizes.join(", ")
            );
        }
        let image = format!(
            "<img loading=\"lazy\" decoding=\"async\" width=\"{width}\" height=\"{height}\" src=\"{src}\" alt=\"{alt}\"{more} />"
        );
        if self.chance.percent(30) {
            return format!("<p>{image}</p>");
        }
        let caption = match self.chance.percent(60) {
            true => {
                format!("<figcaption class=\"wp-element-caption\">{}</figcaption>", self.language.sentence(self.chance))
            }
            false => String::new(),
        };
        format!("<figure class=\"wp-block-image size-large\">{image}{caption}</figure>")
    }
}
