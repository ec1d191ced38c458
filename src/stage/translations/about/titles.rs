//! Finds the title of a page: among its links, its headings and the statements of its head, the text that belongs to the page, not to its
//! site.

use super::days::{day, is_month};
use super::{About, folder, is_front_page, letters};
use crate::html::Extractor;
use crate::page::title::separators;
use crate::record::Rendered;
use crate::rule::Rule;
use crate::urls::{UrlKey, join, percent_decoded};
use icu_normalizer::DecomposingNormalizerBorrowed;
use std::collections::HashSet;
use std::ops::Range;
use std::slice;

impl About<'_> {
    /// The title: the text of a link to the page itself, or else the title from its headings and its head.
    pub(in crate::stage::translations) fn title(&self, extractor: &mut Extractor) -> Rendered<'static> {
        match self.linked(extractor) {
            Some(linked) => {
                self.decide(Rule::TitleLinked);
                Rendered { html: Some(linked.html.into()), text: Some(linked.text.into()) }
            }
            None => self.without_tagline(self.stated_title(extractor)),
        }
    }

    /// Replaces the title of the front page by the name of the site if it is the tagline, which WordPress writes after the name, whatever
    /// the page's own title: the name describes the page better.
    fn without_tagline(&self, title: Rendered<'static>) -> Rendered<'static> {
        let named = self
            .head
            .title
            .as_deref()
            .filter(|_| is_front_page(self.head, self.url))
            .and_then(|title| self.name_before(title));
        let is_tagline = |rest: &str| title.text.as_deref().is_some_and(|text| letters(text) == letters(rest));
        match named {
            Some((name, rest)) if Rule::TitleTagline.holds(is_tagline(rest)) => {
                self.decide(Rule::TitleTagline);
                plain(name)
            }
            _ => title,
        }
    }

    /// The first that the page has of: the heading with the same text as the title in the head; the post's title in the name of its feed of
    /// comments, unless the theme marks a heading as the title; the most trusted heading that is not the name of the site or of a section;
    /// the title in the head. Headings come before the head because plugins do not always translate the head, and because some themes
    /// have one title for all pages.
    fn stated_title(&self, extractor: &mut Extractor) -> Rendered<'static> {
        let stated = self.titles_of_head();
        let mut read = |list: &'_ [String]| -> Vec<Heading> {
            let headings = list.iter().map(|html| Heading::new(html, extractor));
            // a copyright line may be a heading of the first level, and the only one
            headings.filter(|heading| !heading.text.is_empty() && !heading.text.starts_with('©')).collect()
        };
        let (titles, headings) = (read(&self.stated.titles), read(&self.stated.headings));
        let said = read(&self.stated.said);
        let all = || titles.iter().chain(&headings);
        let is_stated = |heading: &&Heading| stated.iter().any(|title| letters(title) == letters(&heading.text));
        let same = all().find(is_stated).filter(|_| Rule::TitleStated.is_on());
        // the level of the heading does not matter: the words are those of the head, in the head's spelling except for capitals
        let said_whole = |title: &&String| said.iter().any(|said| letters(&said.text) == letters(title));
        if let Some(title) = stated.iter().find(said_whole).filter(|_| Rule::TitleSaid.holds(same.is_none())) {
            let respelled = said.iter().find(|said| Rule::TitleRespelled.holds(is_respelled(title, &said.text)));
            self.decide(if respelled.is_some() { Rule::TitleRespelled } else { Rule::TitleSaid });
            return respelled.map_or_else(|| plain(title), Heading::rendered);
        }
        let is_near = |heading: &Heading| !stated.is_empty() && shares_words(&heading.text, &stated);
        let part = || {
            let part = said.iter().find(|said| !self.is_site(&said.text));
            part.filter(|_| Rule::TitlePart.holds(!all().any(is_near)))
        };
        // themes may mark the title of a related post like that of the page
        let alike =
            || all().find(|heading| Rule::TitleAlike.holds(stated.iter().any(|title| are_alike(title, &heading.text))));
        let same = same.map(|heading| (Some(Rule::TitleStated), heading));
        let same = same.or_else(|| Some((Some(Rule::TitlePart), part()?)));
        let alike = || Some((Some(Rule::TitleAlike), alike()?));
        let same = same.or_else(|| if self.stated.is_protected { None } else { alike() });
        // slugs are made from titles, which the head then has; a heading may be a slogan in the text
        let slug = self.slug().unwrap_or_default();
        let is_slug = !slug.is_empty() && stated.iter().any(|title| plain_letters(title) == slug);
        let begins = || slug.chars().count() >= SHORTEST_SLUG && stated.iter().any(|title| begins_with(title, &slug));
        // a protected post's heading begins with "Protected:" in some language
        let mut own = || {
            let own = all().enumerate().find(|(_, heading)| !self.is_of_site(heading, extractor))?;
            let is_named = own.0 < titles.len() || !is_slug && shares_words(&own.1.text, &stated);
            let is_in_path = || self.is_in_path(slice::from_ref(&own.1.text));
            let is_title = is_named || !is_slug && !begins() && (!self.is_in_path(&stated) || is_in_path());
            Rule::TitleOwn.holds(is_title).then_some((Some(Rule::TitleOwn), own.1))
        };
        let heading = same
            .or_else(|| if self.stated.is_protected && !stated.is_empty() { None } else { own() })
            .or_else(|| Some((None, all().next().filter(|_| stated.is_empty())?)));
        let mut parts = stated.iter().filter(|title| !self.is_file_name(title));
        let is_of_theme = |heading: &Heading| titles.iter().any(|title| std::ptr::eq(title, heading));
        let is_shorter = |title: &str, heading: &Heading| {
            let is_own = || is_of_theme(heading) && (has_topic(title, &heading.text) || self.is_shared(&heading.text));
            Rule::TitleShorter.holds(is_end_of(title, &heading.text)) && !is_own()
        };
        let shorter = heading.and_then(|(_, heading)| parts.find(|title| is_shorter(title, heading)));
        let shared = self.head.title.as_ref().filter(|title| stated.is_empty() && !self.is_nothing_of_site(title));
        let rule = shorter.map(|_| Rule::TitleShorter).or(heading.and_then(|(rule, _)| rule));
        rule.into_iter().for_each(|rule| self.decide(rule));
        match (heading, shorter.or(stated.first()).or(shared)) {
            (Some((_, heading)), _) if shorter.is_none() => heading.rendered(),
            (_, Some(title)) => plain(title),
            _ => Rendered::default(),
        }
    }

    /// The text of a link to the page itself (`rel=bookmark`): in a heading, it is the title, unless it is a day; elsewhere, and if it is one,
    /// only if the head has it, too. The title of a protected post begins with "Protected:", in some language.
    fn linked(&self, extractor: &mut Extractor) -> Option<Heading> {
        let page = self.url.filter(|_| !self.stated.is_protected)?;
        let own = UrlKey::new(page.as_str()).filter(|own| !own.tail().is_empty())?;
        let leads_here = |href: &str| {
            join(Some(page), href).and_then(|url| UrlKey::new(&url)).is_some_and(|key| key.tail() == own.tail())
        };
        let is_in_head = |text: &str| {
            let mut titles = [&self.head.title, &self.head.og_title].into_iter().flatten();
            let own = letters(text);
            let is_part = |title: &String| {
                let is_beside =
                    |sign: Range<usize>| letters(&title[..sign.start]) == own || letters(&title[sign.end..]) == own;
                separators(title).any(is_beside)
            };
            !self.is_site(text) && titles.any(is_part)
        };
        let links = self.stated.bookmarks.iter().filter(|link| leads_here(&link.href));
        let mut links = links.map(|link| (link.is_heading, Heading::new(&link.name, extractor)));
        let is_sure = |link: &Heading| !is_day(link);
        let is_title = |(is_heading, link): &(bool, Heading)| *is_heading && is_sure(link) || is_in_head(&link.text);
        let found = links.find(|link| !link.1.text.is_empty() && is_title(link));
        found.filter(|_| Rule::TitleLinked.is_on()).map(|(_, link)| link)
    }

    /// Whether the URL of the page contains a word of these texts: slugs are made from titles. A text that is the name of a file was itself
    /// made from that name.
    fn is_in_path(&self, texts: &[String]) -> bool {
        let path = self.url.map(|url| letters(folder(url.as_str()).split_once('/').map_or("", |(_, path)| path)));
        let texts = texts.iter().filter(|text| !self.is_file_name(text));
        let mut words = texts.flat_map(|text| text.split_whitespace()).map(letters);
        path.is_some_and(|path| words.any(|word| word.chars().count() > 3 && path.contains(&word)))
    }

    /// Whether a text is the name of the page's file, on the server or in the scrape.
    fn is_file_name(&self, text: &str) -> bool {
        let files = [self.url.map(|url| folder(url.as_str())), self.scrape.file.as_deref()].into_iter().flatten();
        let mut names = files.filter_map(|file| file.rsplit('/').next()?.rsplit_once('.'));
        names.any(|(name, _)| letters(name) == letters(text))
    }

    /// The titles in the head without the name of the site, which some themes state as the title of every page.
    fn titles_of_head(&self) -> Vec<String> {
        let titles = [&self.head.og_title, &self.schema.title, &self.head.title];
        let titles = titles.into_iter().flatten();
        let titles = titles.map(|title| without_sign(without_archive(self.without_site(title))).to_owned());
        let mut titles: Vec<String> =
            titles.filter(|title| !title.is_empty() && self.scrape.site_name.as_deref() != Some(title)).collect();
        titles.retain(|title| !self.is_nothing_of_site(title));
        // `PAGE - SITE`; the text after the name is a tagline
        let is_before_site = |title: &String| {
            let own = self.without_site(title);
            own.len() < title.trim().len() && title.trim().starts_with(own) && !self.is_known_name(own)
        };
        let is_home = is_front_page(self.head, self.url);
        if !is_home && self.head.title.as_ref().is_some_and(is_before_site) {
            titles.retain(|title| !self.is_known_name(title));
        }
        titles
    }

    /// Whether a title is a sign and the name of the site, as of a post without a title.
    fn is_nothing_of_site(&self, title: &str) -> bool {
        separators(title.trim()).next().is_some_and(|sign| sign.start == 0) && self.is_known_name(title)
    }

    /// The name of the site, if a title begins with it, and the text after the separator.
    fn name_before<'t>(&self, title: &'t str) -> Option<(&'t str, &'t str)> {
        let name = self.scrape.site_name.as_deref()?;
        let sign = separators(title).next()?;
        let first = title[..sign.start].trim();
        (letters(first) == letters(name)).then(|| (first, &title[sign.end..]))
    }

    /// Whether a heading is the page's title for social networks, or the headline of its article: for search engines, plugins write other
    /// titles.
    fn is_shared(&self, heading: &str) -> bool {
        let stated = [&self.head.og_title, &self.schema.title];
        stated.into_iter().flatten().any(|title| letters(self.without_site(title)) == letters(heading))
    }

    /// The letters of the last part of the page's URL, without accents.
    fn slug(&self) -> Option<String> {
        let path = self.url.map(|url| folder(url.as_str()).trim_end_matches('/'))?;
        let (_, slug) = path.rsplit_once('/')?;
        Some(plain_letters(&percent_decoded(slug).unwrap_or_else(|| slug.to_owned())))
    }

    /// Whether a heading is the name of the site, or consists of a link to a page above this one.
    fn is_of_site(&self, Heading { html, text }: &Heading, extractor: &mut Extractor) -> bool {
        let Some(page) = self.url.map(|url| folder(url.as_str())) else { return self.is_site(text) };
        let links = extractor.content(html, self.url).links;
        let above = |url: &str| page.len() > folder(url).len() && page.starts_with(folder(url));
        let leads_up = links
            .first()
            .is_some_and(|link| link.text.as_deref() == Some(text.as_str()) && link.url.as_deref().is_some_and(above));
        leads_up || self.is_site(text)
    }
}

/// The letters of a text without accents, as slugs have them (`remove_accents()`).
fn plain_letters(text: &str) -> String {
    letters(&DecomposingNormalizerBorrowed::new_nfd().normalize(text))
}

/// Whether the first words of a title have these letters.
fn begins_with(title: &str, slug: &str) -> bool {
    let mut begun = String::new();
    title.split(|c: char| c.is_whitespace() || c.is_ascii_punctuation()).map(plain_letters).any(|word| {
        begun += &word;
        begun == slug
    })
}

/// The fewest letters of a slug with which a title in the head begins by more than chance: plugins for searchers add words to it.
const SHORTEST_SLUG: usize = 5;

/// A heading of the page: its HTML and its text.
struct Heading {
    html: String,
    text: String,
}

/// The most bytes of a heading that is a title as a whole; a longer one contains the article.
const LONGEST_TITLE: usize = 1000;

impl Heading {
    /// Joins the lines of a heading into one title; if the heading is too long, only the first line is kept.
    fn new(html: &str, extractor: &mut Extractor) -> Heading {
        let text = extractor.text(html);
        match text.lines().next() {
            Some(line) if text.len() > LONGEST_TITLE => Heading { html: escape(line), text: line.to_owned() },
            _ => Heading {
                html: html.to_owned(),
                text: text.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" "),
            },
        }
    }

    fn rendered(&self) -> Rendered<'static> {
        Rendered { html: Some(self.html.clone().into()), text: Some(self.text.clone().into()) }
    }
}

/// Whether a heading is a day, and nothing but that.
fn is_day(heading: &Heading) -> bool {
    let mut words = heading.text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let is_of_day =
        |word: &str| word.starts_with(|c: char| c.is_ascii_digit()) || word.chars().count() <= 3 || is_month(word);
    day(&heading.text).is_some() && (heading.html.contains("<time") || words.all(is_of_day))
}

/// Whether a heading differs from a title only in capitals, and has both capitals and small letters: then its capitals are not an effect of
/// a style sheet.
fn is_respelled(title: &str, heading: &str) -> bool {
    let has_both = heading.contains(char::is_uppercase) && heading.contains(char::is_lowercase);
    has_both && title != heading && title.to_lowercase() == heading.to_lowercase()
}

fn plain(title: &str) -> Rendered<'static> {
    Rendered { html: Some(escape(title).into()), text: Some(title.to_owned().into()) }
}

/// Escapes a text as HTML.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

/// Whether the text shares a word with one of the titles, or one of the two contains the other.
fn shares_words(text: &str, titles: &[String]) -> bool {
    let long = |word: &str| Some(letters(word)).filter(|word| word.chars().count() > 3);
    let of_titles: HashSet<String> =
        titles.iter().flat_map(|title| title.split_whitespace()).filter_map(long).collect();
    let own = letters(text);
    titles.is_empty()
        || text.split_whitespace().filter_map(long).any(|word| of_titles.contains(&word))
        || titles.iter().map(|title| letters(title)).any(|title| title.contains(&own) || own.contains(&title))
}

/// Whether two texts are nearly the same: six words of ten are in both.
fn are_alike(a: &str, b: &str) -> bool {
    let words =
        |text: &str| text.split_whitespace().map(letters).filter(|word| !word.is_empty()).collect::<HashSet<_>>();
    let (a, b) = (words(a), words(b));
    let both = a.intersection(&b).count();
    both >= 2 && both * 2 * 10 >= (a.len() + b.len()) * 6
}

/// Whether a title is a heading without its beginning or end: a topic, a second line. Text in brackets belongs to the heading.
fn is_end_of(title: &str, heading: &str) -> bool {
    if heading.ends_with([')', ']']) && !title.ends_with([')', ']']) {
        return false;
    }
    let words = |text: &str| text.split_whitespace().map(letters).filter(|word| !word.is_empty()).collect::<Vec<_>>();
    let (words_of_title, heading) = (words(title), words(heading));
    let is_cut = title.ends_with(['…', '.']);
    let is_part = heading.starts_with(&words_of_title) || heading.ends_with(&words_of_title);
    is_part && !is_cut && words_of_title.len() < heading.len() && letters(title).len() >= SHORTEST_TITLE
}

/// A title without the separator at its end, which the name of the site would follow.
fn without_sign(title: &str) -> &str {
    let rest = title.strip_suffix(['-', '–', '—', '|', '»', '·', '•']);
    rest.filter(|rest| rest.ends_with(char::is_whitespace)).map_or(title, str::trim_end)
}

/// A title without the text that WordPress' first themes write between the name of the site and the title of a post.
fn without_archive(title: &str) -> &str {
    let rest = title.strip_prefix("Blog Archive").and_then(|rest| rest.trim_start().strip_prefix('»'));
    rest.map_or(title, str::trim_start)
}

/// Whether a heading begins with a topic and a colon, before a title with which it ends.
fn has_topic(title: &str, heading: &str) -> bool {
    let count = |text: &str| text.split_whitespace().filter(|word| !letters(word).is_empty()).count();
    let mut left = count(heading).saturating_sub(count(title));
    let mut before = heading.split_whitespace().take_while(|word| {
        let is_before = left > 0 || letters(word).is_empty();
        left = left.saturating_sub(usize::from(!letters(word).is_empty()));
        is_before
    });
    before.any(|word| word.ends_with(':'))
}

/// The fewest bytes of letters of a title that is part of a heading.
const SHORTEST_TITLE: usize = 8;
