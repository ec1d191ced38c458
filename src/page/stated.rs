//! Reads the title, dates and author of a post from the elements that show them. Related posts and comments on the page have such
//! elements, too: this module decides which of them belong to the post; the layers above weigh them against the head.

use super::choice::Choice;
use super::content_selectors::Role;
use super::matches::Match;
use crate::record::{CATEGORY, TAG};
use crate::rule::Rule;
use std::ops::Range;

/// The statements of a page's elements about its post.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct PageStatements {
    /// The titles according to the theme, as HTML, the most trusted first.
    pub titles: Vec<String>,
    /// First-level headings, the most trusted first.
    pub headings: Vec<String>,
    /// Headings of any level with the title that the head states, or a part of it, as HTML, in the order of the parts.
    pub said: Vec<String>,
    /// Links that may lead to the page itself.
    pub bookmarks: Vec<Bookmark>,
    /// Elements that show a day, as HTML: first the day of publication before the content, then any after it.
    pub days: Vec<String>,
    /// The HTML between its title and its content.
    pub head: Option<String>,
    /// The HTML before the first link to its terms, and that link: the link is on the last line.
    pub before_term: Option<String>,
    /// When it was published, as written.
    pub published: Option<String>,
    /// The HTML of the element that states that.
    pub published_html: Option<String>,
    /// When it was changed, as written.
    pub modified: Option<String>,
    /// Its possible authors, as HTML, the most trusted first.
    pub authors: Vec<String>,
    /// The links to its terms, in document order.
    pub terms: Vec<StatedTerm>,
    /// All links of the page that its markup names as links to terms, including those of other posts.
    pub links_to_terms: Vec<StatedTerm>,
    /// The classes that WordPress gave the element of the post, if it has one.
    pub classes: Option<String>,
    /// Its featured image, as HTML.
    pub featured: Option<String>,
    /// A password is needed to read it.
    pub is_protected: bool,
    /// A plugin's notice states that it is not translated.
    pub is_notice: bool,
    /// The scripts with its JSON-LD, as written.
    pub json_ld: Vec<String>,
}

/// A link to a term.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StatedTerm {
    /// Its taxonomy, if the markup states it: category or tag.
    pub taxonomy: Option<&'static str>,
    /// Its URL, as written.
    pub href: String,
    /// Its text, as HTML.
    pub name: String,
}

/// A link that may lead to the page itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Bookmark {
    /// Whether it is in a heading.
    pub is_heading: bool,
    /// Its URL, as written.
    pub href: String,
    /// Its text, as HTML.
    pub name: String,
}

/// The statements about the post whose content is at `place`; its text begins at `text` if that is elsewhere. For a list, only its title.
pub(super) fn of(
    html: &str,
    matches: &[Match],
    choice: &Choice,
    (place, text): (Option<Range<usize>>, Option<usize>),
    is_list: bool,
) -> PageStatements {
    let titles = ranked(matches, |role| if let Role::Title(rank) = role { Some(rank) } else { None });
    let headings = ranked(matches, |role| if let Role::Heading(rank) = role { Some(rank) } else { None });
    let inner = |found: &Match| found.value.clone().unwrap_or_else(|| html[found.inner.clone()].trim().to_owned());
    let first = titles.iter().chain(&headings).next().copied();
    let title = first.map(|title| title.outer.start);
    let [titles, headings] = [(titles, true), (headings, false)].map(|(mut found, is_theme_s)| {
        let is_of_site = |start: usize| {
            let is_own = || choice.is_only_title(start) || choice.is_stated_title(start);
            Rule::HeadingOfSite.holds(choice.is_of_site(start) && !(is_theme_s && is_own()))
        };
        found.retain(|found| !is_of_site(found.outer.start));
        found
    });
    let said = choice.stated_headings();
    let ends = titles.iter().chain(&headings).map(|title| &title.inner).chain(&said).map(|inside| inside.end);
    let ends: Vec<usize> = ends.collect();
    let starts = text.into_iter().chain(place.as_ref().map(|place| place.start));
    let between = starts.into_iter().find_map(|start| between(html, &ends, start));
    let [titles, headings] = [titles, headings]
        .map(|found| found.into_iter().map(inner).filter(|title| !title.is_empty()).take(MOST_TITLES).collect());
    let said = said.into_iter().map(|inside| html[inside].trim().to_owned()).collect();
    let bookmarks = bookmarks(html, matches);
    if is_list {
        return PageStatements { titles, headings, said, bookmarks, ..PageStatements::default() };
    }
    let end = place.as_ref().map_or(html.len(), |place| place.end);
    // a place that was chosen by its score may contain the title
    let content = place.as_ref().map(|place| place.start);
    let head = content.filter(|start| title.is_none_or(|title| title < *start));
    let post_around = |at: usize| matches.iter().rfind(|found| found.role.is_post() && found.outer.contains(&at))?.post;
    let shown = first.map(|title| title.post).into_iter().chain(content.map(post_around)).collect();
    let own = Own { matches, choice, title, end, shown };
    let date = |rank: fn(Role) -> Option<usize>| {
        own.first(rank).or_else(|| own.above(rank, content?).filter(|_| Rule::DateAbove.is_on()))
    };
    let published = date(|role| if let Role::Published(rank) = role { Some(rank) } else { None });
    let authors = own.all(|role| if let Role::Author(rank) = role { Some(rank) } else { None });
    PageStatements {
        titles,
        headings,
        said,
        bookmarks,
        days: own.days(head.unwrap_or(end), end).into_iter().map(inner).collect(),
        head: between,
        before_term: own.before_term(html),
        published: published.and_then(|found| found.value.clone()),
        published_html: published.map(|found| html[found.inner.clone()].to_owned()),
        modified: date(|role| if let Role::Modified(rank) = role { Some(rank) } else { None })
            .and_then(|found| found.value.clone()),
        authors: authors.into_iter().take(MOST_AUTHORS).map(inner).collect(),
        terms: own.terms(html),
        links_to_terms: links_to_terms(html, ranked(matches, is_term)).take(MOST_TERMS).collect(),
        classes: own.classes(),
        featured: own.featured().map(|image| html[image].to_owned()),
        is_protected: !own.all(|role| (role == Role::Protected).then_some(0)).is_empty(),
        is_notice: own.has_notice(),
        json_ld: Vec::new(),
    }
}

/// The terms of some links, each link once, in document order.
fn links_to_terms(html: &str, mut links: Vec<&Match>) -> impl Iterator<Item = StatedTerm> {
    links.sort_by_key(|link| link.outer.start);
    links.dedup_by_key(|link| link.outer.start);
    links.into_iter().filter_map(|link| {
        let (taxonomy, href) = (taxonomy_of(link.role)?, link.value.clone()?);
        Some(StatedTerm { taxonomy, href, name: html[link.inner.clone()].to_owned() })
    })
}

/// The rank of a role for links to terms, with a stated taxonomy first; [`None`] for other roles.
fn is_term(role: Role) -> Option<usize> {
    taxonomy_of(role).map(|named| usize::from(named.is_none()))
}

fn taxonomy_of(role: Role) -> Option<Option<&'static str>> {
    match role {
        Role::Category => Some(Some(CATEGORY)),
        Role::Tag => Some(Some(TAG)),
        Role::Term => Some(None),
        _ => None,
    }
}

/// The links of a page that may lead to the page itself, those in headings first.
fn bookmarks(html: &str, matches: &[Match]) -> Vec<Bookmark> {
    let bookmark = |found: &Match, is_heading: bool| {
        // a link with a fragment leads to a comment
        let href = found.value.clone().filter(|href| !href.contains('#'))?;
        Some(Bookmark { is_heading, href, name: html[found.inner.clone()].trim().to_owned() })
    };
    let of = |role: Role| matches.iter().filter(move |found| found.role == role);
    let in_headings = of(Role::TitleLink).filter_map(|found| bookmark(found, true)).take(MOST_BOOKMARKS);
    in_headings.chain(of(Role::Bookmark).filter_map(|found| bookmark(found, false)).take(MOST_BOOKMARKS)).collect()
}

/// The HTML between the last title before the content and the content, if it is short.
fn between(html: &str, ends: &[usize], content: usize) -> Option<String> {
    let end = ends.iter().copied().filter(|end| *end <= content).max()?;
    (content - end <= LONGEST_HEAD).then(|| html[end..content].to_owned())
}

/// The most bytes between a title and its content that are read.
const LONGEST_HEAD: usize = 4096;
/// The most bytes before a link to a term that are read.
const BEFORE_TERM: usize = 600;

/// The most links to the page itself that are read, of each kind.
const MOST_BOOKMARKS: usize = 32;

/// The most links to terms that are read.
const MOST_TERMS: usize = 200;

/// The most days that are read.
const MOST_DAYS: usize = 8;

/// The most titles and headings that are read.
const MOST_TITLES: usize = 16;

/// The most names of authors that are read.
const MOST_AUTHORS: usize = 8;

/// Distinguishes the page's post from others that are shown on the page.
struct Own<'p> {
    matches: &'p [Match],
    choice: &'p Choice,
    /// The position of its title.
    title: Option<usize>,
    /// The end of its content.
    end: usize,
    /// The innermost elements of posts around its title and its content, if any.
    shown: Vec<Option<usize>>,
}

impl<'p> Own<'p> {
    /// The matches that belong to the post, the most trusted first.
    fn all(&self, rank: impl Fn(Role) -> Option<usize>) -> Vec<&'p Match> {
        let mut found = ranked(self.matches, rank);
        found.retain(|found| {
            !self.choice.is_of_others(found.outer.start) && (self.shown.is_empty() || self.shown.contains(&found.post))
        });
        found
    }

    /// The HTML before the first link to its categories or tags, and that link.
    fn before_term(&self, html: &str) -> Option<String> {
        let links = self.all(|role| matches!(role, Role::Category | Role::Tag).then_some(0));
        let first = links.iter().min_by_key(|link| link.outer.start)?;
        let start = first.outer.start.saturating_sub(BEFORE_TERM);
        let before = html[..first.outer.end].get((start..).find(|&at| html.is_char_boundary(at))?..)?;
        // without the rest of a tag that was cut
        before.split_once('>').map(|(_, whole)| whole.to_owned())
    }

    /// The links to its terms, each once: links with a stated taxonomy take precedence.
    fn terms(&self, html: &str) -> Vec<StatedTerm> {
        links_to_terms(html, self.all(is_term)).collect()
    }

    /// The classes that WordPress gave to the innermost element of a post around its title or content.
    fn classes(&self) -> Option<String> {
        let starts = self.shown.iter().rev().flatten();
        let of = |start: &usize| {
            let here = self.matches.iter().filter(move |found| found.role == Role::Post && found.outer.start == *start);
            here.filter_map(|post| post.value.clone()).find(|classes| is_made_by_wordpress(classes))
        };
        starts.filter_map(of).next()
    }

    /// Its featured image: in the post, or on a page with a single post, in no other post.
    fn featured(&self) -> Option<Range<usize>> {
        let found = ranked(self.matches, |role| if let Role::Featured(rank) = role { Some(rank) } else { None });
        let is_own = |image: &&&Match| {
            let outside = Rule::FeaturedOutside.holds(image.post.is_none() && self.choice.is_of_one_post());
            !self.choice.is_of_others(image.outer.start)
                && (self.shown.is_empty() || self.shown.contains(&image.post) || outside)
        };
        found.iter().find(is_own).map(|image| image.outer.clone())
    }

    /// Whether a plugin's notice is outside all posts, in the post with the title or the content, or in the only one on a page with a
    /// single post: if a post has no words, the content may have been found elsewhere. Several notices belong to a list.
    fn has_notice(&self) -> bool {
        let is_own = |found: &&Match| !self.choice.is_of_others(found.outer.start);
        let notices = self.matches.iter().filter(|found| found.role == Role::Notice);
        let mut places = notices.filter(is_own).map(|notice| notice.post).peekable();
        if places.peek().is_none() || !self.choice.is_of_one_post() && places.clone().count() > 1 {
            return false;
        }
        let mut end = 0;
        let mut is_outermost = |post: &Match| {
            let last = end;
            end = last.max(post.outer.end);
            post.outer.start >= last
        };
        let posts = self.matches.iter().filter(|found| found.role.is_post() && is_outermost(found));
        let mut posts = posts.filter(|found| found.role == Role::Post && is_own(found)).map(|post| post.outer.start);
        let only = posts.next().filter(|_| self.choice.is_of_one_post() && posts.next().is_none());
        places.any(|post| post.is_none() || self.shown.contains(&post) || post == only)
    }

    /// The elements that show the day of the post before its content, and those with a day after the content. A list has several days.
    fn days(&self, before: usize, after: usize) -> Vec<&'p Match> {
        let rank = |role| if let Role::Day(rank) = role { Some(rank) } else { None };
        let mut found = self.all(rank);
        found.retain(|found| found.outer.start < before || found.outer.start >= after);
        if found.iter().all(|found| found.outer.start >= before) {
            found.clear();
        }
        found.truncate(MOST_DAYS);
        found
    }

    /// The first date of the most trusted selector: after the title, if there is one; after the content only if there is no other.
    fn first(&self, rank: impl Fn(Role) -> Option<usize>) -> Option<&'p Match> {
        let mut found = self.all(&rank);
        found.retain(|found| found.value.is_some());
        let best = rank(found.first()?.role);
        found.retain(|found| rank(found.role) == best);
        let near = || found.iter().filter(|found| found.outer.start < self.end).copied();
        let after_title = near().find(|found| self.title.is_none_or(|title| title < found.outer.start));
        let is_alone = || found.iter().all(|other| other.value == found[0].value);
        after_title.or_else(|| near().last()).or_else(|| is_alone().then(|| found[0]))
    }

    /// The only date of the most trusted selector that a page with a single post has above its content and outside posts: in a header of
    /// the theme.
    fn above(&self, rank: impl Fn(Role) -> Option<usize>, content: usize) -> Option<&'p Match> {
        let mut found = ranked(self.matches, &rank);
        found.retain(|found| {
            let start = found.outer.start;
            let is_apart = start < content && found.post.is_none() && !self.choice.is_of_others(start);
            found.value.is_some() && is_apart && self.choice.is_of_one_post()
        });
        let first = *found.first()?;
        let of_its_rank = || found.iter().filter(|other| rank(other.role) == rank(first.role));
        of_its_rank().all(|other| other.value == first.value).then_some(first)
    }
}

/// Whether `post_class()` wrote these classes.
fn is_made_by_wordpress(classes: &str) -> bool {
    classes.split_ascii_whitespace().any(|class| class.starts_with("type-") || class == "hentry")
}

/// The matches of a role, the most trusted first.
fn ranked(matches: &[Match], rank: impl Fn(Role) -> Option<usize>) -> Vec<&Match> {
    let ranked = matches.iter().filter_map(|found| Some((rank(found.role)?, found)));
    let mut ranked: Vec<(usize, &Match)> = ranked.collect();
    ranked.sort_by_key(|(rank, _)| *rank);
    ranked.into_iter().map(|(_, found)| found).collect()
}
