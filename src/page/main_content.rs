//! The main content of a scraped page: found by selectors that are data (`content_selectors.toml`), boilerplate cut out.
//! Texts, links and images of it are extracted elsewhere, from the HTML that is returned here.

use super::{Event, Selectors, Wanted, select};
use crate::html::elements::{Buffers, Element, Reading, Sink, read};
use crate::html::names::Name;
use crate::html::tokenizer::{Attributes, Model, Text};
use serde::Deserialize;
use std::ops::Range;
use std::sync::LazyLock;

/// What a page shows as its main content.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MainContent {
    /// The title, as HTML.
    pub title: Option<String>,
    /// The content, as HTML: the inside of its element, without boilerplate.
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

/// Where to find the main content of a page.
pub struct ContentSelectors {
    selectors: Selectors,
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

/// An element that a selector matched: its range from the `<` of its start tag to after its end tag, and that of what
/// is between the two. One that is never closed ends with the element around it, or with the page.
struct Match {
    role: Role,
    outer: Range<usize>,
    inner: Range<usize>,
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
        Ok(ContentSelectors { selectors, roles, content })
    }
}

fn tables() -> Tables {
    toml::from_str(BUILTIN).expect("the tests read this table")
}

/// The main content of a page, or none where no selector finds any.
pub fn main_content(html: &str, selectors: &ContentSelectors) -> Option<MainContent> {
    let matches = find(html, selectors);
    if matches.iter().any(|found| found.role == Role::Protected) {
        return None;
    }
    let groups = selectors.content.last().map_or(0, |(_, group)| group + 1);
    (0..groups).find_map(|group| {
        let dropped = dropped(&matches, group);
        let (rank, kept) = places(&matches, group)
            .map(|(rank, place)| (rank, keep(place, &dropped)))
            .find(|(_, kept)| shows_anything(html, kept))?;
        Some(MainContent {
            title: title(html, &matches),
            html: kept.into_iter().map(|range| &html[range]).collect(),
            selector: selectors.content[rank].0.clone(),
        })
    })
}

/// What the selectors match, in document order.
fn find(html: &str, selectors: &ContentSelectors) -> Vec<Match> {
    let wanted: Vec<Wanted> = (0..selectors.roles.len()).map(|selector| Wanted { selector, text: false }).collect();
    let mut matches: Vec<Match> = Vec::new();
    // those that have not ended yet, with their selectors
    let mut open: Vec<(usize, usize)> = Vec::new();
    select(html, &selectors.selectors, &wanted, html.len(), |selector, event| match event {
        Event::Start(tag) => {
            open.push((selector, matches.len()));
            let (outer, inner) = (tag.place.clone(), tag.place.end..tag.place.end);
            matches.push(Match { role: selectors.roles[selector], outer, inner });
        }
        Event::End(tag) => {
            if let Some(at) = open.iter().rposition(|(of, _)| *of == selector) {
                let ended = &mut matches[open.remove(at).1];
                (ended.inner.end, ended.outer.end) = (tag.start.max(ended.inner.start), tag.end.max(ended.inner.start));
            }
        }
        Event::Text(_) => {}
    });
    matches
}

/// The places where a group's content may be, the most trusted selector's first.
fn places(matches: &[Match], wanted: usize) -> impl Iterator<Item = (usize, &Match)> {
    let mut places: Vec<(usize, &Match)> = Vec::new();
    places.extend(matches.iter().filter_map(|found| match found.role {
        Role::Content { rank, group } if group == wanted => Some((rank, found)),
        _ => None,
    }));
    places.sort_by_key(|(rank, _)| *rank);
    places.into_iter()
}

/// The ranges that are dropped from the content of a group, rising, none within another.
fn dropped(matches: &[Match], wanted: usize) -> Vec<Range<usize>> {
    let mut ranges: Vec<Range<usize>> = Vec::new();
    for found in matches.iter().filter(|found| found.role == Role::Drop { group: wanted }) {
        if ranges.last().is_none_or(|last| found.outer.start >= last.end) {
            ranges.push(found.outer.clone());
        }
    }
    ranges
}

/// What remains of an element; nothing if it is within what is dropped.
fn keep(place: &Match, dropped: &[Range<usize>]) -> Vec<Range<usize>> {
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
fn shows_anything(html: &str, kept: &[Range<usize>]) -> bool {
    let mut shown = Shown(false);
    let reading = Reading { plain: true, ..Reading::default() };
    kept.iter().any(|range| {
        read(&html[range.clone()], reading, &mut Buffers::default(), &mut shown);
        shown.0
    })
}

/// Looks for the first thing that is shown.
struct Shown(bool);

impl<'a> Sink<'a> for Shown {
    fn open(&mut self, element: &Element<'a>, _: Attributes<'_, 'a>, _: usize, _: Range<usize>) {
        let names = [Name::IMG, Name::IFRAME, Name::VIDEO, Name::AUDIO, Name::EMBED, Name::OBJECT];
        self.0 |= names.contains(&element.name);
    }

    fn close(&mut self, _: &Element<'a>, _: usize, _: Range<usize>) {}

    fn text(&mut self, text: Text<'a>, inside: &Element<'a>) {
        self.0 |= match Model::of(inside.name, false) {
            Model::Data => !matches!(text.raw.trim_ascii(), "" | "&nbsp;"),
            // what a lazily loaded picture is without scripts
            _ => inside.name == Name::NOSCRIPT && text.raw.contains("<img"),
        };
    }

    fn is_done(&self) -> bool {
        self.0
    }
}

/// The title that the most trusted selector finds first.
fn title(html: &str, matches: &[Match]) -> Option<String> {
    let titles = matches.iter().filter_map(|found| match found.role {
        Role::Title(rank) => Some((rank, found)),
        _ => None,
    });
    let (_, best) = titles.min_by_key(|(rank, _)| *rank)?;
    let title = html[best.inner.clone()].trim();
    (!title.is_empty()).then(|| title.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn main(body: &str) -> Option<(Option<String>, String, String)> {
        let found = main_content(body, ContentSelectors::builtin())?;
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
            "<div class=entry-content>No</div><div class=b>Yes<div class=sharedaddy>x</div></div><div id=story></div>";
        let found = main_content(page, &own).unwrap();
        assert_eq!((found.html.as_str(), found.selector.as_str()), ("Yes", ".b"));
        let error = ContentSelectors::with_content(&["a + b".to_owned()]).err().unwrap();
        assert!(error.contains("a + b") && error.contains("unsupported combinator"), "{error}");
    }

    /// Of these the place of content found no end, or a false one.
    #[test]
    fn a_comment_that_ends_with_a_bang_ends() {
        let page = "<body><!-- ad --!><div class=entry-content><p>Bang</p></div>";
        assert_eq!(main(page).unwrap().1, "<p>Bang</p>");
    }

    #[test]
    fn a_quote_within_an_unquoted_value_opens_none() {
        let page = "<body><nav>MENU</nav><div class=entry-content><div data-x=a=\"b>x</div></div><footer>FOOT</footer>";
        let (_, html, selector) = main(page).unwrap();
        assert_eq!((html.as_str(), selector.as_str()), ("<div data-x=a=\"b>x</div>", ".entry-content"));
    }

    #[test]
    fn an_item_does_not_end_at_an_item_in_a_block_in_it() {
        let page = "<li class=entry-content><p>a</p><blockquote><p>q</p><li>inner</li></blockquote><p>tail</p></li>";
        let inner = "<p>a</p><blockquote><p>q</p><li>inner</li></blockquote><p>tail</p>";
        assert_eq!(main(page).unwrap().1, inner);
    }

    #[test]
    fn content_does_not_end_with_elements_that_nest_deeply_in_it() {
        for depth in [600, 1100, 5000] {
            let deep = format!("{}x{}", "<div>".repeat(depth), "</div>".repeat(depth));
            let page = format!("<main><div class=entry-content>{deep}<p>the end</p></div>no</main>");
            assert_eq!(main(&page).unwrap().1, format!("{deep}<p>the end</p>"), "{depth}");
        }
    }

    #[test]
    fn the_end_of_body_ends_no_content() {
        let pasted = "<html><body><p>a</p></body></html><p>b</p>";
        assert_eq!(main(&format!("<body><div class=entry-content>{pasted}</div></body></html>")).unwrap().1, pasted);
        let found = main("<html><head><title>T</title></head><body><p>a</p><div>b</body></html>").unwrap();
        assert_eq!((found.1.as_str(), found.2.as_str()), ("<p>a</p><div>b", "body"));
    }
}
