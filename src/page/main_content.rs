//! The main content of a scraped page: found by selectors that are data (`content_selectors.toml`), boilerplate cut out.
//! Texts, links and images of it are extracted elsewhere, from the HTML that is returned here.

use super::needles::Needles;
use super::outline::{Span, spans, texts};
use super::{Event, Selectors, Wanted, select};
use serde::Deserialize;
use std::ops::Range;
use std::sync::LazyLock;

/// What a page shows as its main content.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MainContent {
    /// The title, as HTML.
    pub title: Option<String>,
    /// The content, as HTML: what stands inside of its element, boilerplate cut out.
    pub html: String,
    /// The selector that found it.
    pub selector: String,
}

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Tables {
    protected: Vec<String>,
    title: Vec<String>,
    content: Vec<Group>,
}

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Group {
    select: Vec<String>,
    drop: Vec<String>,
}

/// Where the main content of a page stands.
pub struct ContentSelectors {
    selectors: Selectors,
    needles: Needles,
    roles: Vec<Role>,
    /// The places of content, and the group of each.
    content: Vec<(String, usize)>,
}

/// What a selector is for; the number is that of the title or content selector, the order of trust.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Protected,
    Title(usize),
    Content { rank: usize, group: usize },
    Drop { group: usize },
}

/// An element that a selector matched.
struct Found {
    role: Role,
    span: Span,
}

const BUILTIN: &str = include_str!("content_selectors.toml");

impl ContentSelectors {
    /// The selectors that come with the program.
    pub fn builtin() -> &'static Self {
        static COMPILED: LazyLock<ContentSelectors> =
            LazyLock::new(|| ContentSelectors::compile(tables()).expect("the tests compile this table"));
        &COMPILED
    }

    /// A user's selectors in place of the built-in places of content, in the order in which they are tried; titles
    /// and boilerplate stay built-in. The error says which selector cannot be used, and why.
    pub fn with_content(select: &[String]) -> Result<Self, String> {
        let Tables { protected, title, content } = tables();
        // a place that was named by hand is taken to hold content: only what plugins add is dropped
        let drop = content.into_iter().next().map_or_else(Vec::new, |group| group.drop);
        Self::compile(Tables { protected, title, content: vec![Group { select: select.to_vec(), drop }] })
    }

    fn compile(tables: Tables) -> Result<Self, String> {
        let (mut texts, mut roles, mut content) = (tables.title.clone(), Vec::new(), Vec::new());
        roles.extend((0..texts.len()).map(Role::Title));
        roles.extend(tables.protected.iter().map(|_| Role::Protected));
        texts.extend(tables.protected);
        for (group, table) in tables.content.into_iter().enumerate() {
            for select in table.select {
                roles.push(Role::Content { rank: content.len(), group });
                texts.push(select.clone());
                content.push((select, group));
            }
            roles.extend(table.drop.iter().map(|_| Role::Drop { group }));
            texts.extend(table.drop);
        }
        let selectors = Selectors::parse(texts.iter().map(String::as_str))
            .map_err(|(at, why)| format!("the selector {} cannot be used: {why}", texts[at]))?;
        let needles = Needles::new(texts.iter().map(String::as_str));
        Ok(ContentSelectors { selectors, needles, roles, content })
    }
}

fn tables() -> Tables {
    toml::from_str(BUILTIN).expect("the tests read this table")
}

/// The main content of a page (UTF-8; sequences that are none are replaced), or none where no selector finds any.
pub fn main_content(html: &[u8], selectors: &ContentSelectors) -> Option<MainContent> {
    let present = selectors.needles.look(html).present();
    let groups = selectors.content.last().map_or(0, |(_, group)| group + 1);
    (0..groups).find_map(|group| main_content_of(html, selectors, &present, group))
}

fn main_content_of(html: &[u8], selectors: &ContentSelectors, present: &[bool], group: usize) -> Option<MainContent> {
    let found = find(html, selectors, present, group);
    if found.iter().any(|place| place.role == Role::Protected) {
        return None;
    }
    let dropped = dropped(&found);
    let mut places: Vec<(usize, &Span)> = Vec::new();
    places.extend(found.iter().filter_map(|place| match place.role {
        Role::Content { rank, .. } => Some((rank, &place.span)),
        _ => None,
    }));
    places.sort_by_key(|(rank, _)| *rank);
    let kept =
        |(rank, place): (usize, &Span)| Some((rank, keep(place, &dropped))).filter(|(_, kept)| has_content(html, kept));
    let (rank, kept) = places.into_iter().find_map(kept)?;
    let selector = selectors.content[rank].0.clone();
    Some(MainContent { title: title(html, &found), html: join(html, &kept), selector })
}

/// What titles and the selectors of a group match, in document order.
fn find(html: &[u8], selectors: &ContentSelectors, present: &[bool], wanted: usize) -> Vec<Found> {
    let of_group = |role: &Role| match role {
        Role::Title(_) | Role::Protected => true,
        Role::Content { group, .. } | Role::Drop { group } => *group == wanted,
    };
    let numbers = (0..selectors.roles.len()).filter(|&number| present[number] && of_group(&selectors.roles[number]));
    let wanted: Vec<Wanted> = numbers.map(|selector| Wanted { selector, text: false }).collect();
    let mut matched: Vec<(usize, Role)> = Vec::new();
    select(html, &selectors.selectors, &wanted, html.len(), |selector, event| {
        if let Event::Start(tag) = event {
            matched.push((tag.start(), selectors.roles[selector]));
        }
    });
    let mut starts: Vec<usize> = matched.iter().map(|(start, _)| *start).collect();
    starts.dedup();
    let spans = spans(html, &starts);
    let found = matched.into_iter().filter_map(|(start, role)| {
        let span = spans[starts.binary_search(&start).ok()?].clone()?;
        Some(Found { role, span })
    });
    found.collect()
}

/// The outer ranges of what is dropped, rising, none within another.
fn dropped(found: &[Found]) -> Vec<Range<usize>> {
    let drops = found.iter().filter(|place| matches!(place.role, Role::Drop { .. }));
    let mut ranges: Vec<Range<usize>> = Vec::new();
    for range in drops.map(|place| place.span.outer.clone()) {
        if ranges.last().is_none_or(|last| range.start >= last.end) {
            ranges.push(range);
        }
    }
    ranges
}

/// What stays of an element; nothing when it stands within what is dropped.
fn keep(place: &Span, dropped: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut kept = Vec::new();
    let mut at = place.inner.start;
    for range in dropped {
        if range.start < place.outer.start && range.end >= place.outer.end || *range == place.outer {
            return Vec::new();
        }
        if range.start >= at && range.start < place.inner.end {
            kept.push(at..range.start);
            at = range.end.min(place.inner.end);
        }
    }
    kept.push(at..place.inner.end);
    kept
}

/// Whether there is something to read, to look at or to play.
fn has_content(html: &[u8], kept: &[Range<usize>]) -> bool {
    const SHOWN: [&[u8]; 6] = [b"<img", b"<iframe", b"<video", b"<audio", b"<embed", b"<object"];
    kept.iter().any(|range| {
        let html = &html[range.clone()];
        let mut text = false;
        texts(html, |piece| text |= !piece.trim_ascii().is_empty() && piece.trim_ascii() != b"&nbsp;");
        text || SHOWN.iter().any(|tag| memchr::memmem::find(html, tag).is_some())
    })
}

fn join(html: &[u8], kept: &[Range<usize>]) -> String {
    let kept: Vec<u8> = kept.iter().flat_map(|range| &html[range.clone()]).copied().collect();
    String::from_utf8(kept).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

/// The title that the most trusted selector finds first.
fn title(html: &[u8], found: &[Found]) -> Option<String> {
    let rank = |place: &&Found| match place.role {
        Role::Title(rank) => rank,
        _ => usize::MAX,
    };
    let best = found.iter().filter(|place| matches!(place.role, Role::Title(_))).min_by_key(rank)?;
    let title = String::from_utf8_lossy(&html[best.span.inner.clone()]).trim().to_owned();
    (!title.is_empty()).then_some(title)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn main(body: &str) -> Option<(Option<String>, String, String)> {
        let found = main_content(body.as_bytes(), ContentSelectors::builtin())?;
        Some((found.title, found.html.split_ascii_whitespace().collect::<Vec<_>>().join(" "), found.selector))
    }

    #[test]
    fn a_classic_theme() {
        let page = "<body class=postid-7><main><article class='post hentry'><header class=entry-header><h1 class=entry-title>The <i>title</i></h1></header>
            <div class=entry-content><p>Text</p><div class='sharedaddy sd-x'><ul><li>Share</ul></div>
            <figure><img src=a.jpg></figure><nav class=toc>Kept: of the author</nav><div class=page-links>1 2</div></div>
            <footer class=entry-footer>Tags</footer></article><div id=comments>…</div></main>";
        let (title, html, selector) = main(page).unwrap();
        assert_eq!(title.unwrap(), "The <i>title</i>");
        assert_eq!(html, "<p>Text</p> <figure><img src=a.jpg></figure><nav class=toc>Kept: of the author</nav>");
        assert_eq!(selector, ".entry-content");
    }

    #[test]
    fn a_theme_without_the_usual_classes() {
        let page = "<main><nav>Menu</nav><article><h1>Title</h1><p>One<p>Two<section class=related>More</section><script>x</script></article></main>";
        assert_eq!(
            main(page).unwrap(),
            (Some("Title".to_owned()), "<p>One<p>Two".to_owned(), "main article".to_owned())
        );
        assert_eq!(
            main("<main><h1>T</h1><div>Body<form>x</form></div><footer>y</footer>").unwrap().1,
            "<div>Body</div>"
        );
    }

    #[test]
    fn empty_places_and_places_in_boilerplate_are_passed_over() {
        let page = "<div class=entry-content> <!-- nothing --> &nbsp; </div><div class=jp-relatedposts><div class=entry-content>Related</div></div>
            <div class=entry-content><p>Second</p></div>";
        assert_eq!(main(page).unwrap().1, "<p>Second</p>");
        assert_eq!(main("<div class=entry-content></div><p>x"), None);
        assert_eq!(main("<div class=entry-content><img src=x></div>").unwrap().1, "<img src=x>");
        assert_eq!(main(""), None);
    }

    #[test]
    fn the_form_for_a_password_is_no_content() {
        let page = "<main><article><h1>T</h1><div class=entry-content><form class='post-password-form'>Password</form></div>By me</article></main>";
        assert_eq!(main(page), None);
    }

    #[test]
    fn truncated_pages_and_unclosed_elements_give_what_there_is() {
        assert_eq!(main("<div class=entry-content><p>One<p>Tw").unwrap().1, "<p>One<p>Tw");
        assert_eq!(main("<article><div class=entry-content><p>One</article>Two").unwrap().1, "<p>One");
        assert_eq!(main("<div class=entry-content>\u{fffd}é<").unwrap().1, "\u{fffd}é<");
    }

    #[test]
    fn a_users_selector_replaces_the_places() {
        let own = ContentSelectors::with_content(&["#story".to_owned(), ".b".to_owned()]).unwrap();
        let page =
            b"<div class=entry-content>No</div><div class=b>Yes<div class=sharedaddy>x</div></div><div id=story></div>";
        let found = main_content(page, &own).unwrap();
        assert_eq!((found.html.as_str(), found.selector.as_str()), ("Yes", ".b"));
        let error = ContentSelectors::with_content(&["a + b".to_owned()]).err().unwrap();
        assert!(error.contains("a + b") && error.contains("unsupported combinator"), "{error}");
    }
}
