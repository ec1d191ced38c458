//! The main content of a scraped page: found by selectors that are data (`content_selectors.toml`), boilerplate cut out.
//! Texts, links and images of it are extracted elsewhere, from the HTML that is returned here.

use super::boilerplate::Memory;
use super::choice::{Block, Choice};
use super::outline::{Builder, MEDIA};
use super::select::select_beside;
use super::stated::{self, Stated};
use super::{Event, Selectors};
use crate::html::elements::{Buffers, Element, Reading, Sink, read};
use crate::html::names::Name;
use crate::html::tokenizer::{Attributes, Model, Text};
use serde::Deserialize;
use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

/// What a page shows as its main content.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MainContent {
    /// The content, as HTML: the inside of its element, without boilerplate.
    pub html: String,
    /// The selector that found it, `scored` or `list`.
    pub rule: String,
    /// Its share of the visible letters of the page.
    pub share: f64,
}

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Tables {
    protected: Vec<String>,
    title: Vec<String>,
    heading: Vec<String>,
    content: Vec<String>,
    whole: Vec<String>,
    published: Vec<String>,
    modified: Vec<String>,
    author: Vec<String>,
    posts: Vec<String>,
    drop: Vec<String>,
}

/// Where to find the main content of a page.
pub struct ContentSelectors {
    selectors: Selectors,
    roles: Vec<Role>,
    /// The places of content.
    content: Vec<String>,
    /// Those that hold nothing else.
    whole: Vec<String>,
    /// They are a user's: nothing else is taken.
    own: bool,
}

/// What a selector is for; the number is its own among those of the same purpose, in order of trust.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Protected,
    Title(usize),
    Heading(usize),
    Content(usize),
    Published(usize),
    Modified(usize),
    Author(usize),
    Post,
    Drop,
}

/// An element that a selector matched: its range from the `<` of its start tag to after its end tag, and that of what
/// is between the two. One that is never closed ends with the element around it, or with the page.
pub(super) struct Match {
    pub role: Role,
    pub outer: Range<usize>,
    pub inner: Range<usize>,
    /// Of an element with a date or an author: what its attributes say.
    pub value: Option<String>,
}

/// The rule of content that no selector found.
const SCORED: &str = "scored";

/// The rule of all posts of a list.
const LIST: &str = "list";

const BUILTIN: &str = include_str!("content_selectors.toml");

impl ContentSelectors {
    /// The selectors that come with the program.
    pub fn builtin() -> &'static Self {
        static COMPILED: LazyLock<ContentSelectors> =
            LazyLock::new(|| ContentSelectors::compile(tables(), false).expect("the tests compile this table"));
        &COMPILED
    }

    /// A user's selectors in place of the built-in places of content, in the order in which they are tried; titles
    /// and boilerplate stay built-in. The error says which selector cannot be used, and why.
    pub fn with_content(select: &[String]) -> Result<Self, String> {
        Self::compile(Tables { content: select.to_vec(), ..tables() }, true)
    }

    fn compile(tables: Tables, own: bool) -> Result<Self, String> {
        let Tables { protected, title, heading, content, whole, published, modified, author, posts, drop } = tables;
        let (mut roles, mut texts): (Vec<Role>, Vec<&String>) = (Vec::new(), Vec::new());
        for (list, role) in [
            (&title, &Role::Title as &dyn Fn(usize) -> Role),
            (&heading, &Role::Heading),
            (&protected, &|_| Role::Protected),
            (&content, &Role::Content),
            (&published, &Role::Published),
            (&modified, &Role::Modified),
            (&author, &Role::Author),
            (&posts, &|_| Role::Post),
            (&drop, &|_| Role::Drop),
        ] {
            roles.extend((0..list.len()).map(role));
            texts.extend(list);
        }
        let selectors = Selectors::parse(texts.iter().map(|text| text.as_str()))
            .map_err(|(at, why)| format!("the selector {} cannot be used: {why}", texts[at]))?;
        Ok(ContentSelectors { selectors, roles, content, whole, own })
    }
}

fn tables() -> Tables {
    toml::from_str(BUILTIN).expect("the tests read this table")
}

/// Memory that is used again for the main content of the next page.
#[derive(Default)]
pub struct ContentBuffer {
    elements: Buffers,
    names: Memory,
}

/// The main content of a page, or none where it has none; and what its elements say of it.
pub fn main_content(
    html: &str,
    selectors: &ContentSelectors,
    buffer: &mut ContentBuffer,
) -> (Option<MainContent>, Stated) {
    let mut outline = Builder::new(&mut buffer.names);
    let matches = find(html, selectors, &mut buffer.elements, &mut outline);
    let choice = Choice::new(outline.finish(html.len()));
    let known = dropped(&matches);
    let chosen = choose(html, &matches, selectors, &choice, &known);
    let place = chosen.filter(|(_, rule)| *rule != LIST).map(|(block, _)| choice.inner(block));
    let is_list = chosen.is_some() && place.is_none();
    let stated = stated::of(html, &matches, &choice, place, is_list);
    // of a list one post may be protected
    let content = chosen.filter(|_| is_list || !stated.is_protected).map(|(block, rule)| {
        let kind = match rule {
            LIST => Block::List,
            SCORED => Block::Scored,
            rule if selectors.whole.iter().any(|whole| whole == rule) => Block::Known,
            _ => Block::Named,
        };
        let leads = if selectors.own || rule == LIST { Vec::new() } else { choice.leads(block) };
        let dropped = if selectors.own { known } else { merged(known, choice.dropped(block, kind)) };
        let leads: String = leads.into_iter().map(|lead| format!("<p>{}</p>\n", &html[lead])).collect();
        let kept = keep(&choice.inner(block), &dropped);
        MainContent {
            html: kept.into_iter().fold(leads, |html_kept, range| html_kept + &html[range]),
            rule: rule.to_owned(),
            share: choice.share(block, &dropped),
        }
    });
    (content, stated)
}

/// The block with the content and the rule that found it.
fn choose<'s>(
    html: &str,
    matches: &[Match],
    selectors: &'s ContentSelectors,
    choice: &Choice,
    known: &[Range<usize>],
) -> Option<(usize, &'s str)> {
    let is_whole = |rule: &str| selectors.whole.iter().any(|whole| whole == rule);
    // that of a post without content is there, and empty
    let is_empty = || choice.is_of_one_post() && places(matches).any(|(rank, _)| is_whole(&selectors.content[rank]));
    let scored = || {
        let best = choice.best.filter(|best| !selectors.own && (choice.has_prose(*best) || !is_empty()))?;
        Some((best, SCORED))
    };
    let (block, rule) = selected(html, matches, selectors, choice, known).or_else(scored)?;
    if selectors.own {
        return Some((block, rule));
    }
    let framed = if is_whole(rule) { None } else { choice.in_frame(block) };
    let (block, rule) = framed.map_or((block, rule), |inner| (inner, SCORED));
    let list = choice.list(block);
    Some(list.map_or((block, rule), |list| (list, LIST)))
}

/// The element that the most trusted selector finds, and the selector; none that has next to nothing of the page's text.
fn selected<'s>(
    html: &str,
    matches: &[Match],
    selectors: &'s ContentSelectors,
    choice: &Choice,
    dropped: &[Range<usize>],
) -> Option<(usize, &'s str)> {
    places(matches).find_map(|(rank, place)| {
        let start = place.outer.start;
        let chosen = if selectors.own { choice.at(start) } else { choice.fits(start) }?;
        let same =
            places(matches).filter(|(other, _)| *other == rank).filter_map(|(_, place)| choice.at(place.outer.start));
        let chosen = if selectors.own { chosen } else { choice.around_paragraphs(chosen, same) };
        shows_anything(html, &keep_place(place, dropped)).then(|| (chosen, selectors.content[rank].as_str()))
    })
}

/// Rising, none within or over another.
fn merged(mut ranges: Vec<Range<usize>>, more: Vec<Range<usize>>) -> Vec<Range<usize>> {
    ranges.extend(more);
    ranges.sort_by_key(|range| range.start);
    let mut merged: Vec<Range<usize>> = Vec::new();
    for range in ranges {
        match merged.last_mut() {
            Some(last) if range.start < last.end => last.end = last.end.max(range.end),
            _ => merged.push(range),
        }
    }
    merged
}

/// What the selectors match, in document order; the outline is made in the same reading.
fn find(html: &str, selectors: &ContentSelectors, buffers: &mut Buffers, outline: &mut Builder<'_>) -> Vec<Match> {
    let mut matches: Vec<Match> = Vec::new();
    // those that have not ended yet, with their selectors
    let mut open: Vec<(usize, usize)> = Vec::new();
    select_beside(html, &selectors.selectors, buffers, outline, |selector, event| match event {
        Event::Start(tag) => {
            open.push((selector, matches.len()));
            let (outer, inner) = (tag.place.clone(), tag.place.end..tag.place.end);
            let role = selectors.roles[selector];
            let names: &[&str] = match role {
                Role::Published(_) | Role::Modified(_) => &["datetime", "content", "title"],
                Role::Author(_) => &["content"],
                _ => &[],
            };
            let value = names.iter().find_map(|name| tag.attribute(name)).map(Cow::into_owned);
            matches.push(Match { role, outer, inner, value });
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

/// The places where the content may be, the most trusted selector's first.
fn places(matches: &[Match]) -> impl Iterator<Item = (usize, &Match)> {
    let mut places: Vec<(usize, &Match)> = Vec::new();
    places.extend(matches.iter().filter_map(|found| match found.role {
        Role::Content(rank) => Some((rank, found)),
        _ => None,
    }));
    places.sort_by_key(|(rank, _)| *rank);
    places.into_iter()
}

/// The ranges that are dropped, rising, none within another.
fn dropped(matches: &[Match]) -> Vec<Range<usize>> {
    let mut ranges: Vec<Range<usize>> = Vec::new();
    for found in matches.iter().filter(|found| found.role == Role::Drop) {
        if ranges.last().is_none_or(|last| found.outer.start >= last.end) {
            ranges.push(found.outer.clone());
        }
    }
    ranges
}

/// What remains of an element; nothing if it is within what is dropped.
fn keep_place(place: &Match, dropped: &[Range<usize>]) -> Vec<Range<usize>> {
    if dropped.iter().any(|range| range.start <= place.outer.start && range.end >= place.outer.end) {
        return Vec::new();
    }
    keep(&place.inner, dropped)
}

fn keep(inner: &Range<usize>, dropped: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut kept = Vec::new();
    let mut at = inner.start;
    for range in dropped {
        if range.start >= at && range.start < inner.end {
            kept.push(at..range.start);
            at = range.end.min(inner.end);
        }
    }
    kept.push(at..inner.end);
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
        self.0 |= MEDIA.contains(&element.name);
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

#[cfg(test)]
mod tests {
    use super::*;

    fn main(body: &str) -> Option<(Option<String>, String, String)> {
        let (found, stated) = main_content(body, ContentSelectors::builtin(), &mut ContentBuffer::default());
        let (found, title) = (found?, stated.titles.into_iter().chain(stated.headings).next());
        Some((title, found.html.split_ascii_whitespace().collect::<Vec<_>>().join(" "), found.rule))
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
        assert_eq!(main(page).unwrap(), (Some("Title".to_owned()), "<p>One<p>Two".to_owned(), SCORED.to_owned()));
        let short = "<main><h1>T</h1><div>Body<form>x</form></div><footer>y</footer></main>";
        assert_eq!(main(short).unwrap().1, "<div>Body</div>");
    }

    const PROSE: &str = "<p>Of the harbour, the ships that lay in it, and the men who mended them all through that long winter which nobody has forgotten since.</p>";

    #[test]
    fn a_notice_is_left_out_though_it_begins_as_a_heading_of_links() {
        let page = format!("<div class=entry-content>{PROSE}<p>Zum Newsletter anmelden</p>{PROSE}</div>");
        assert_eq!(main(&page).unwrap().1, format!("{PROSE}{PROSE}"));
    }

    #[test]
    fn prose_is_found_where_no_name_tells_of_it() {
        let page = format!(
            "<body><div class=x1><a href=/>Home</a> <a href=/b>Bread</a></div><div class=x2><div><h1>T</h1><p>By me, 3 May</p>{PROSE}<h2>On</h2>
            {PROSE}<ul><li>a rope<li>a sail</ul>{PROSE}<p>The end.</p><ul><li><a href=/o>Other</a></ul></div><div class=x3><p>© me</p></div></div></body>"
        );
        let (_, html, rule) = main(&page).unwrap();
        let want = format!("{PROSE}<h2>On</h2> {PROSE}<ul><li>a rope<li>a sail</ul>{PROSE}<p>The end.</p>");
        assert_eq!((html.as_str(), rule.as_str()), (want.as_str(), SCORED));
    }

    #[test]
    fn a_place_with_a_fraction_of_the_page_is_doubted() {
        let story = PROSE.repeat(20);
        let page =
            format!("<body><main>{story}<div id=reviews><div class=entry-content>Nice!</div></div></main></body>");
        let (_, html, rule) = main(&page).unwrap();
        assert_eq!((html.contains(PROSE), rule.as_str()), (true, SCORED));
        // comments are not text, however long
        let page = format!("<body><div class=entry-content>Short.</div><ol class=commentlist><li>{story}</ol></body>");
        assert_eq!(main(&page).unwrap().1, "Short.");
        // nor is the heading of their form in WordPress' first themes
        let form = "<h2 id=postcomment>Your words</h2><form id=commentform><p>Be kind, please.</p></form>";
        let page = format!("<body><div>{PROSE}{form}<div><p>By me, of me</p>{PROSE}</div></div></body>");
        assert!(!main(&page).unwrap().1.contains("Your words"));
    }

    #[test]
    fn boilerplate_in_a_known_place_goes_but_no_block_of_an_author() {
        let block = "<div class=wp-block-group><ul class=related><li>mine</ul></div>";
        let boilerplate = [
            "<div class='td-post-sharing'>Share</div>",
            "<section class='authorBox'>I am</section>",
            "<div id=newsletter_2>Send me</div>",
            "<h3>Related posts:</h3><ul><li><a href=/x>X</a></ul>",
            "<p>© 2020 me</p>",
            "<p>This post contains affiliate links.</p>",
        ];
        for dropped in boilerplate {
            let page = format!("<div class=entry-content>{PROSE}{dropped}{block}</div>");
            assert_eq!(main(&page).unwrap().1, format!("{PROSE}{block}"), "{dropped}");
        }
        let links = "<div><a href=/x>Of ropes and sails</a></div>";
        let page = format!("<div class=entry-content><div>{PROSE}<p>Mehr zum Thema:</p></div>{links}</div>");
        assert_eq!(main(&page).unwrap().1, format!("<div>{PROSE}</div>"));
        for kept in ["<h3>Share</h3><p>of the catch</p>", "<p>Read more</p>", "<div class=has-related>kept</div>"] {
            let page = format!("<div class=entry-content>{PROSE}{kept}</div>");
            assert_eq!(main(&page).unwrap().1, format!("{PROSE}{kept}"), "{kept}");
        }
    }

    #[test]
    fn posts_of_a_list_are_taken_together() {
        let post = |n: u32, text: &str| {
            format!(
                "<article class='post-{n} hentry'><h2><a href=/{n}>Title {n}</a></h2>{text}<a href=/{n}>Read more</a></article>"
            )
        };
        let short = "<div class=entry-content><p>Of the harbour.</p></div>";
        let form = "<form class=post-password-form>Password</form>";
        // found by a selector or not, and though one of them is protected
        for text in [short, "<p class=y>Of the harbour.</p>", PROSE] {
            let posts = [post(1, text), post(2, text), post(3, form)].concat();
            let page = format!("<body class=archive><main><h1>News</h1><div class=x>{posts}</div></main></body>");
            let (_, html, rule) = main(&page).unwrap();
            assert_eq!((html.matches(text).count(), rule.as_str()), (2, LIST), "{html}");
            assert!((1..=3).all(|n| html.contains(&format!("Title {n}"))), "{html}");
            assert!(!html.contains("Read more") && !html.contains("Password"), "{html}");
            // related posts are none of a list
            let single =
                format!("<body class=single><div>{0}{1}{1}</div></body>", post(4, &PROSE.repeat(3)), post(5, text));
            assert_ne!(main(&single).unwrap().2, LIST);
        }
    }

    #[test]
    fn widgets_of_page_builders_are_content() {
        for class in
            ["elementor-element elementor-widget elementor-widget-text-editor", "so-panel widget widget_sow-editor"]
        {
            let widget = format!("<div class='{class}'>{PROSE}</div>");
            let page = format!("<body class=page><div class=entry>{}</div></body>", widget.repeat(2));
            assert_eq!(main(&page).unwrap().1.matches(PROSE).count(), 2, "{class}");
        }
        let page = format!(
            "<div class=x>{PROSE}<div class='elementor-widget elementor-widget-share-buttons'>Share this with</div>{PROSE}</div>"
        );
        assert_eq!(main(&page).unwrap().1, PROSE.repeat(2));
    }

    #[test]
    fn a_standfirst_before_the_content_is_part_of_it() {
        let page = format!(
            "<article><header><h1>T</h1><p class=excerpt>How the men, in short, came home after a winter that nobody there forgot.</p>By me</header><div class=entry-content>{PROSE}</div></article>"
        );
        let want = format!("<p>How the men, in short, came home after a winter that nobody there forgot.</p> {PROSE}");
        assert_eq!(main(&page).unwrap().1, want);
    }

    #[test]
    fn a_standfirst_may_be_called_a_teaser_and_needs_no_title() {
        let teaser = "<div class=teaser-text>Forty men went out to the ships that day; nine of them came home.</div>";
        let page = format!("<article>{teaser}<h2>Day</h2><div class=entry-content>{PROSE}</div></article>");
        let want = "<p>Forty men went out to the ships that day; nine of them came home.</p>";
        assert_eq!(main(&page).unwrap().1, format!("{want} {PROSE}"));
        // in the content it is there already
        let page = format!("<div class=x><h1>T</h1><article>{teaser}{PROSE}</article></div>");
        assert_eq!(main(&page).unwrap().1, format!("{teaser}{PROSE}"));
    }

    #[test]
    fn what_a_page_is_described_with_is_its_standfirst() {
        let words = "The harbour has a new wall, and the old one is for sale";
        let page = |description: &str, before: &str, text: &str| {
            let head = format!("<head><meta property='og:description' content='{description}'></head>");
            format!("{head}<body>{before}<div class=rest><div class=entry-content>{text}{PROSE}</div></div></body>")
        };
        let teaser = format!("<section class=teaser><b>{words}</b>, say those who have seen it.</section>");
        let lead = format!("<p><b>{words}</b>, say those who have seen it.</p> ");
        for description in [words.to_owned(), format!("{words}, say those &hellip;"), format!("{words}, they say.")] {
            assert_eq!(main(&page(&description, &teaser, "")).unwrap().1, format!("{lead}{PROSE}"), "{description}");
        }
        let own = format!("<p>{words}, say those.</p>");
        assert_eq!(main(&page(words, &teaser, &own)).unwrap().1, format!("{own}{PROSE}"));
        let others = teaser.replace("teaser", "related-posts");
        for (description, before) in
            [("Something else of another page", &teaser), (words, &others), (words, &format!("<h1>{words}</h1>"))]
        {
            assert_eq!(main(&page(description, before, "")).unwrap().1, PROSE, "{before}");
        }
        let scored = |first: &str| {
            format!(
                "<head><meta name=description content='Wind and rain … The harbour'></head><main>{first}{PROSE}</main>"
            )
        };
        for (first, kept) in [
            ("<p>Wind and rain …</p>", true),
            ("<p>Wind and rain</p>", false),
            ("<p>Dear reader,</p>", true),
            ("<p>Wind from the west</p>", false),
            ("<p>By me, 3 May</p>", false),
        ] {
            assert_eq!(main(&scored(first)).unwrap().1.contains(first), kept, "{first}");
        }
    }

    #[test]
    fn headings_of_what_was_left_out_go_with_it() {
        let links = "<p><a href=/r>Of ropes</a></p><p><a href=/s>Of sails</a></p>";
        let page = |heading: &str| format!("<main><article>{PROSE}<h2>{heading}</h2>{links}{PROSE}</article></main>");
        assert_eq!(main(&page("Weiterlesen:")).unwrap().1, format!("{PROSE}{PROSE}"));
        assert_eq!(main(&page("Ropes")).unwrap().1, format!("{PROSE}<h2>Ropes</h2>{links}{PROSE}"));
        let share = "<div class=sharing>Post it</div>";
        let place = |end: &str| main(&format!("<div class=entry-content>{PROSE}{end}</div>")).unwrap().1;
        assert_eq!(place(&format!("<h3>Alone at sea?</h3>{share}")), PROSE);
        for kept in [
            "<h3>Alone at sea?</h3>",
            "<h3>Fair winds, my friends!</h3>",
            "<h3>Ship</h3><img src=s.jpg>",
            "<h3>Ship</h3><p><img src=s.jpg></p>",
        ] {
            let end = if kept.contains('?') { String::new() } else { share.to_owned() };
            assert_eq!(place(&format!("{kept}{end}")), format!("{PROSE}{kept}"), "{kept}");
        }
    }

    #[test]
    fn each_paragraph_may_be_called_the_body_of_the_article() {
        let text = PROSE.replace("<p>", "<p itemprop=articleBody>").repeat(3);
        let (_, html, rule) = main(&format!("<main><div>{text}</div></main>")).unwrap();
        assert_eq!((html, rule.as_str()), (text, "[itemprop=articleBody]"));
    }

    #[test]
    fn an_address_at_the_end_is_no_content_though_it_is_the_only_prose() {
        let address =
            "<footer><div><p>2010 Harbour Place, Suite 100, in the old town of Vik, Iceland</p></div></footer>";
        let cards = "<div><b>Ropes</b></div><div><b>Sails</b></div>";
        let found = main(&format!("<body><div>{cards}</div>{address}</body>")).unwrap();
        assert_eq!(found.1, format!("<div>{cards}</div>"));
        // never closed
        let page = format!("<body><nav><a href=/>Home</a><div>{}</div></body>", PROSE.repeat(9));
        assert_eq!(main(&page).unwrap().1, PROSE.repeat(9));
    }

    #[test]
    fn a_post_without_content_has_none() {
        let page = |class: &str, text: &str| {
            format!(
                "<body class={class}><main><h1>T</h1><div class=entry-content>{text}</div><div class=x>Ropes</div></main></body>"
            )
        };
        assert_eq!(main(&page("single", "")), None);
        assert_eq!(main(&page("single", "Text")).unwrap().1, "Text");
        assert!(main(&page("home", "")).unwrap().1.contains("Ropes"));
        assert!(main(&page("single", "").replace("Ropes", PROSE)).unwrap().1.contains(PROSE));
    }

    #[test]
    fn a_frame_with_the_title_in_it_is_no_place_of_content() {
        let menu = "<div class=x><a href=/a>Harbours</a> <a href=/b>Ships</a></div>";
        let body = format!("<div class=y>{}</div>", PROSE.repeat(2));
        let page = format!("<div class=page-content><p>Print</p><h1>T</h1>{menu}{body}<p>Other ships</p>{menu}</div>");
        assert_eq!(main(&page).unwrap().1, PROSE.repeat(2));
        // an author's heading of the first level, after that of the theme
        let content = format!("<h1>Of harbours</h1><p>Short.</p>{PROSE}<p>End</p>");
        let page = format!("<h1>T</h1><div class=page-content>{content}</div>");
        assert_eq!(main(&page).unwrap().1, content);
    }

    #[test]
    fn posts_with_another_number_than_the_page_are_other_posts() {
        let post = |n: u32, inside: &str| format!("<article class='box post-{n} post hentry'>{inside}</article>");
        let others = [post(8, &PROSE.repeat(3)), post(9, &PROSE.repeat(3))].concat();
        for page in [post(7, &format!("{PROSE}{others}")), format!("{}{others}", post(7, PROSE))] {
            let page = format!("<body class='single postid-7'><div>{page}</div></body>");
            assert_eq!(main(&page).unwrap().1, PROSE);
        }
    }

    #[test]
    fn teasers_do_not_outweigh_an_article() {
        let teaser = |n: u32| format!("<li><h3><a href=/{n}>Title {n}</a></h3>{PROSE}</li>");
        let stream: String = (1..9).map(teaser).collect();
        let page = |of: &str| {
            format!(
                "<meta property=og:type content={of}><body><div>{}</div><ul class=x>{stream}</ul></body>",
                PROSE.repeat(2)
            )
        };
        assert_eq!(main(&page("article")).unwrap().1, PROSE.repeat(2));
        assert_eq!(main(&page("website")).unwrap().1.matches(PROSE).count(), 10);
        // SEO plugins state it of each page of WordPress, those that show what one can buy too
        let shop = page("article").replace("<body>", "<body class='home page page-id-2'>");
        assert_eq!(main(&shop).unwrap().1.matches(PROSE).count(), 10);
    }

    #[test]
    fn a_quotation_that_a_widget_shows_is_content() {
        let quote = format!("<div class=social-media-embed><blockquote>{PROSE}</blockquote></div>");
        let page = format!("<div class=entry-content>{PROSE}{quote}{PROSE}</div>");
        assert_eq!(main(&page).unwrap().1, format!("{PROSE}{quote}{PROSE}"));
    }

    #[test]
    fn captions_without_their_picture_are_left_out_where_a_name_did_not_tell_the_place() {
        let page = |class: &str| {
            format!("<div class={class}>{PROSE}<img src=x><div class=image-caption>A ship</div>{PROSE}</div>")
        };
        assert_eq!(main(&page("x")).unwrap().1, format!("{PROSE}<img src=x>{PROSE}"));
        assert!(main(&page("entry-content")).unwrap().1.contains("A ship"));
        // that of the classic editor is the picture's, and so is one with the picture inside
        for caption in [
            "<div class=wp-caption><img src=x><p class=wp-caption-text>A ship</p></div>",
            "<div class=caption><img src=x>A ship</div>",
            "<figure><img src=x><figcaption class=caption>A ship</figcaption></figure>",
        ] {
            let page = format!("<div class=x>{PROSE}{caption}{PROSE}</div>");
            assert_eq!(main(&page).unwrap().1, format!("{PROSE}{caption}{PROSE}"));
        }
    }

    #[test]
    fn captions_that_are_all_the_text_are_content() {
        let slide = format!("<div><img src=x></div><div class=caption>{PROSE}</div>");
        let page = format!("<body><div>{}</div></body>", slide.repeat(6));
        assert_eq!(main(&page).unwrap().1.matches(PROSE).count(), 6);
    }

    #[test]
    fn a_title_does_not_make_a_long_text_boilerplate() {
        let page =
            format!("<div class=entry-content>{PROSE}<section id=sharing-a-ship>{}</section></div>", PROSE.repeat(9));
        assert_eq!(main(&page).unwrap().1.matches(PROSE).count(), 10);
        let page =
            format!("<body><div>{}<div id=sharing-a-ship>{}</div></div></body>", PROSE.repeat(20), PROSE.repeat(9));
        assert_eq!(main(&page).unwrap().1.matches(PROSE).count(), 29);
    }

    #[test]
    fn links_after_the_last_prose_are_left_out_but_for_lists_and_blocks_of_an_author() {
        let links = "<a href=/a>Harbours</a> <a href=/b>Ships</a>";
        let [list, box_, block] = [
            format!("<ul><li>{links}</ul>"),
            format!("<div>{links}</div>"),
            format!("<div class=wp-block-x>{links}</div>"),
        ];
        let page = |class: &str| format!("<div class={class}>{PROSE}{box_}{PROSE}{list}{box_}{block}</div>");
        assert_eq!(main(&page("entry-content")).unwrap().1, format!("{PROSE}{box_}{PROSE}{list}{block}"));
        assert_eq!(main(&page("article-body")).unwrap().1, format!("{PROSE}{box_}{PROSE}{block}"));
    }

    #[test]
    fn what_surrounds_content_is_left_out_of_a_named_place_if_it_has_no_prose() {
        let around = "<div class=dateline>Kiel, 3 May</div>";
        let section = format!("<div class=toc-section>{PROSE}</div>");
        let page = |class: &str| format!("<div class={class}>{around}{PROSE}{section}</div>");
        assert_eq!(main(&page("article-body")).unwrap().1, format!("{PROSE}{section}"));
        let page = |class: &str| format!("<div class={class}><div class=date>3 May</div>{PROSE}{section}</div>");
        assert!(main(&page("entry-content")).unwrap().1.contains("3 May"));
    }

    #[test]
    fn a_field_whose_label_is_hidden_is_not() {
        let field = |text: &str| format!("<div class='field field--label-hidden'>{text}</div>");
        let page = format!("<body><div>{}{}</div></body>", field(PROSE), field(&PROSE.repeat(4)));
        assert_eq!(main(&page).unwrap().1.matches(PROSE).count(), 5);
    }

    #[test]
    fn a_table_of_data_keeps_its_links_and_a_list_of_links_goes() {
        let table = "<table><tr><td><a href=/x>Gannet</a><td>a ship of two masts, built here<tr><td><a href=/y>Tern</a><td>lost at sea</table>";
        let page =
            format!("<body><div class=x>{PROSE}{table}{PROSE}<div><a href=/z>Harbour</a></div>{PROSE}</div></body>");
        assert_eq!(main(&page).unwrap().1, format!("{PROSE}{table}{PROSE}{PROSE}"));
    }

    #[test]
    fn the_terms_of_a_post_do_not_make_it_boilerplate() {
        let class = "post-7 hentry tag-comments category-newsletter";
        let page = format!("<body><section class='{class}'><h2>T</h2>{PROSE}</section></body>");
        assert_eq!(main(&page).unwrap().1, format!("<h2>T</h2>{PROSE}"));
    }

    #[test]
    fn the_share_is_that_of_the_visible_letters() {
        let page =
            "<body><div class=entry-content>1234567890</div><script>123</script><p hidden>12</p>12345 12345</body>";
        let (found, _) = main_content(page, ContentSelectors::builtin(), &mut ContentBuffer::default());
        assert_eq!(found.unwrap().share, 0.5);
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
        let found = main_content(page, &own, &mut ContentBuffer::default()).0.unwrap();
        assert_eq!((found.html.as_str(), found.rule.as_str()), ("Yes", ".b"));
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
        assert_eq!((found.1.as_str(), found.2.as_str()), ("<p>a</p><div>b", SCORED));
    }
}
