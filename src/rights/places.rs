//! Finds out where a licence occurs in HTML: the kind of HTML, and the elements around the licence that change its subject, such as quotes,
//! captions, comments, and the parts that themes put around every text.

use super::statement::{CAPTION, CONTENT, PAGE};
use crate::boilerplate::{Boilerplate, Parts, Whose};
use crate::html::KnownNames;
use crate::html::names::{self, Name};
use crate::html::tokenizer::Attributes;

/// The kind of HTML.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Where {
    /// The content of a post.
    Content,
    /// The description of a file.
    Description,
    /// The caption of a file.
    Caption,
    /// A page, searched for licences only.
    Page,
    /// A page, searched for licences and copyright lines.
    WholePage,
}

impl Where {
    pub(super) fn place(self) -> &'static str {
        match self {
            Where::Content | Where::Description => CONTENT,
            Where::Caption => CAPTION,
            Where::Page | Where::WholePage => PAGE,
        }
    }

    pub(super) fn is_page(self) -> bool {
        matches!(self, Where::Page | Where::WholePage)
    }

    pub(super) fn is_of_file(self) -> bool {
        matches!(self, Where::Description | Where::Caption)
    }
}

/// The parts of a page that are open at the current position.
#[derive(Default)]
pub(super) struct Inside {
    parts: Vec<(usize, Region)>,
    open: [u16; Region::COUNT],
}

impl Inside {
    pub(super) fn is_in(&self, part: Region) -> bool {
        self.open[part as usize] > 0
    }

    /// Whether the text is by others, or not displayed.
    pub(super) fn is_of_others(&self) -> bool {
        [Region::Quote, Region::Comments, Region::Other, Region::Unseen].iter().any(|part| self.is_in(*part))
    }

    pub(super) fn open(&mut self, part: Region, depth: usize) {
        self.parts.push((depth, part));
        self.open[part as usize] += 1;
    }

    /// Ends the part that began at a depth. A link that is misnested with a block ends before the block does.
    pub(super) fn close(&mut self, depth: usize) {
        if let Some(at) = self.parts.iter().rposition(|(at, _)| *at == depth) {
            self.open[self.parts.remove(at).1 as usize] -= 1;
        }
    }
}

/// Cached results for class names and ids.
#[derive(Default)]
pub(super) struct Known {
    names: KnownNames,
    parts: Parts,
}

/// Elements that change the subject of a licence inside them.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Region {
    Quote,
    Figure,
    /// Comments, whose licences belong to others.
    Comments,
    /// Something with its own URL, in RDFa; cards of other posts.
    Other,
    Article,
    /// Header, footer, aside of a page.
    Edge,
    Item,
    Heading,
    /// Templates and other elements that are not displayed.
    Unseen,
}

impl Region {
    pub(super) const COUNT: usize = Region::Unseen as usize + 1;

    /// The part that an element is, by its name and its classes. On a page, the footer of a post belongs to the post.
    pub(super) fn of(
        name: Name,
        tag: Attributes<'_, '_>,
        is_page: bool,
        is_in_article: bool,
        known: &mut Known,
    ) -> Option<Region> {
        let classes = tag.several(["class", "id"]).into_iter().flatten().flat_map(str::split_ascii_whitespace);
        let said = classes.fold(0, |said, class| said | known.names.known(class, says));
        // html, body and main never belong to others, and the id of a heading is derived from its words
        let is_frame = matches!(name, Name::HTML | Name::BODY);
        let is_asked = !is_frame && name != Name::MAIN && !name.is(names::HEADING);
        let whose = is_asked.then(|| Boilerplate::builtin().whose(tag, &mut known.parts)).flatten();
        let is = |what: u32| said & what != 0;
        let is_edge = matches!(name, Name::FOOTER | Name::HEADER | Name::ASIDE | Name::NAV);
        match name {
            _ if is_page && whose == Some(Whose::Readers) => Some(Region::Comments),
            Name::BLOCKQUOTE | Name::Q | Name::CITE => Some(Region::Quote),
            Name::FIGURE if is(OF_TEXT) => None,
            Name::FIGURE | Name::FIGCAPTION => Some(Region::Figure),
            Name::TEMPLATE | Name::NOSCRIPT => Some(Region::Unseen),
            _ if whose == Some(Whose::AnotherRecord) => Some(Region::Other),
            Name::ARTICLE => Some(Region::Article),
            _ if is(OF_POST) && !is_frame => Some(Region::Article),
            // The header or footer of a post belongs to the post, not to the page.
            _ if is_page && !is_in_article && (is_edge || is(OF_EDGE) && !is_frame) => Some(Region::Edge),
            Name::LI => Some(Region::Item),
            _ if name.is(names::HEADING) => Some(Region::Heading),
            _ if is(OF_IMAGE) => Some(Region::Figure),
            _ => None,
        }
    }
}

/// The meaning of a class or an id, one bit each: it is of a text, though in a figure.
const OF_TEXT: u32 = 1 << 0;
/// It is of a post.
const OF_POST: u32 = 1 << 1;
/// It is of a part that themes use for the site.
const OF_EDGE: u32 = 1 << 2;
/// It is of an image.
const OF_IMAGE: u32 = 1 << 3;

fn says(name: &str) -> u32 {
    let is_of_text = matches!(name, "wp-block-table" | "wp-block-pullquote");
    let said = [is_of_text, name == "hentry", is_edge(name), is_of_image(name)];
    said.into_iter().zip(0..).fold(0, |all, (is_it, bit)| all | u32::from(is_it) << bit)
}

/// Class names that some themes and plugins use for captions and credits of images.
const FIGURES: [&str; 5] = ["wp-block-image", "wp-caption", "gallery-item", "isc-source", "img-holder"];

/// Whether a class name is about an image: `wp-block-image`, `photo-credit`, `teaser-image-copyright`.
fn is_of_image(name: &str) -> bool {
    let has = |list: &[&str]| {
        name.split(|c: char| !c.is_ascii_alphanumeric())
            .any(|word| list.iter().any(|own| word.eq_ignore_ascii_case(own)))
    };
    let is_about =
        || has(&["copyright", "credit", "credits", "caption", "license", "licence", "source", "attribution"]);
    FIGURES.contains(&name) || is_about() && has(&["image", "images", "photo", "photos", "picture", "media"])
}

/// Class names that themes use for parts that belong to the site.
const EDGES: &str = "\
    colophon site-info sidebar widget widget-area widget_text header site-header masthead secondary credits copyright \
    site-generator primary-sidebar foot textwidget credit siteinfo rightside ft bottom";

fn is_edge(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    let has = |parts: &[&str]| parts.iter().any(|part| lower.contains(part));
    EDGES.split(' ').any(|edge| edge == lower)
        || has(&["footer", "fuss"]) && !has(&["post", "entry", "article", "comment"])
}
