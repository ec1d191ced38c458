//! Separates the title of a page from the name of its site (`Ropes - Harbour Archive`), and learns that name from the titles of many pages.

use crate::urls::QuickMap;
use std::ops::Range;

/// Whether a character separates a title from the name of the site. (Looking each character up in a text took 4 % of wp-index's time.)
fn is_separator(c: char) -> bool {
    matches!(c, '-' | '–' | '—' | '|' | '»' | '«' | '‹' | '›' | '·' | '•' | ':' | '/' | '<' | '>' | '~')
}

/// The most bytes of a site's name. A title may have any number of separators, and the name may begin after each.
pub(crate) const LONGEST_NAME: usize = 300;

/// The positions of the separators in a title: signs with white space, or an end of the title, on at least one side.
pub(crate) fn separators(title: &str) -> impl DoubleEndedIterator<Item = Range<usize>> {
    let signs = title.char_indices().filter(|(_, c)| is_separator(*c)).map(|(at, c)| at..at + c.len_utf8());
    signs.filter(|sign| {
        let next = title[sign.end..].chars().next();
        next.is_none_or(char::is_whitespace) || title[..sign.start].ends_with(char::is_whitespace)
    })
}

/// Words before the name of an author.
pub(crate) const BY: [&str; 8] = ["by", "von", "par", "por", "di", "door", "av", "af"];

/// The common beginnings and ends of the titles of a site's pages.
#[derive(Default)]
pub(crate) struct Titles {
    titled: usize,
    /// The beginnings and ends of titles, and whole titles.
    ends: QuickMap<String, Seen>,
}

/// The number of titles with a text, and the number of titles that consist of it.
#[derive(Clone, Copy, Default)]
struct Seen {
    titles: usize,
    whole: usize,
    /// The number of titles that end with it, after a sign other than a colon.
    last: usize,
    /// The number of titles that end with it, after a comma.
    listed: usize,
}

/// The most separators that are used from either end of a title.
const SIGNS: usize = 3;

/// The most beginnings and ends that are kept; beyond that, the rarest are forgotten.
const MOST: usize = 4096;

/// The fewest pages with a name in common that show that it is the site's.
const FEWEST: usize = 3;

impl Titles {
    /// Adds the title of a page, unless it is empty.
    pub(crate) fn add(&mut self, title: &str) {
        let title = title.trim();
        self.titled += usize::from(!title.is_empty());
        let after = separators(title).rev().take(SIGNS).map(|sign| (title[sign.end..].trim(), &title[sign] != ":"));
        let before = separators(title).take(SIGNS).map(|sign| (title[..sign.start].trim(), false));
        // if a text occurs twice, the one at the end comes first
        let mut ends: Vec<(&str, bool)> = after.chain(before).chain([(title, false)]).collect();
        ends.sort_unstable_by(|a, b| (a.0, b.1).cmp(&(b.0, a.1)));
        ends.dedup_by_key(|(end, _)| *end);
        for (end, is_last) in ends.into_iter().filter(|(end, _)| !end.is_empty() && end.len() <= LONGEST_NAME) {
            let seen = self.ends.entry_ref(end).or_default();
            seen.titles += 1;
            seen.whole += usize::from(end == title);
            seen.last += usize::from(is_last && end != title);
        }
        let listed = title.rsplit_once(", ").map(|(_, end)| end.trim_start());
        if let Some(end) = listed.filter(|end| !end.is_empty() && end.len() <= LONGEST_NAME) {
            self.ends.entry_ref(end).or_default().listed += 1;
        }
        let mut rare = 0;
        while self.ends.len() > MOST {
            rare += 1;
            self.ends.retain(|_, seen| seen.titles.max(seen.listed) > rare);
        }
    }

    /// The name of the site: the title of more than half of the pages; or else a text with which more than half of the titles begin or end,
    /// the most frequent one, or the longest of these; or else a text with which they end after a comma. The pages of `folders`, which have
    /// names of their own, do not count.
    pub(crate) fn name(&self, folders: &[(&str, usize)]) -> Option<Box<str>> {
        let own = |name: &str| folders.iter().filter(|(of, _)| *of == name).map(|(_, pages)| pages).sum::<usize>();
        let all = self.titled.saturating_sub(folders.iter().map(|(_, pages)| pages).sum());
        let most = |count: fn(&Seen) -> usize| self.most(|name, seen| count(seen).saturating_sub(own(name)), all);
        most(|seen| seen.whole).or_else(|| most(|seen| seen.titles)).or_else(|| most(|seen| seen.listed))
    }

    /// The text with which more than half of the titles end after a sign other than a colon: the text before a colon may be a topic.
    pub(crate) fn last(&self) -> Option<Box<str>> {
        self.most(|_, seen| seen.last, self.titled)
    }

    /// Whether more than half of the titles begin or end with `name`.
    pub(crate) fn are_named(&self, name: &str) -> bool {
        self.ends.get(name).is_some_and(|seen| seen.titles * 2 > self.titled)
    }

    /// The number of titles.
    pub(crate) fn count(&self) -> usize {
        self.titled
    }

    fn most(&self, count: impl Fn(&str, &Seen) -> usize, all: usize) -> Option<Box<str>> {
        let ends = self.ends.iter().map(|(name, seen)| (count(name, seen), name.len(), name));
        let (n, _, name) = ends.max()?;
        (n >= FEWEST && n * 2 > all).then(|| name.as_str().into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name<'t>(titles: impl IntoIterator<Item = &'t str>) -> Option<String> {
        let mut all = Titles::default();
        titles.into_iter().for_each(|title| all.add(title));
        all.name(&[]).map(String::from)
    }

    #[test]
    fn the_name_of_a_site_is_what_most_titles_share() {
        let name = |titles: &[&str]| name(titles.iter().copied());
        assert_eq!(name(&["A - Boats", "B- Boats", "Boats", "C | D - Boats"]).as_deref(), Some("Boats"));
        assert_eq!(name(&["Boats: A", "Boats: B", "Boats: C"]).as_deref(), Some("Boats"));
        // a tagline belongs to the name, a section does not
        assert_eq!(
            name(&["A – Boats | All of them", "B – Boats | All of them", "C – Boats | All of them"]).as_deref(),
            Some("Boats | All of them")
        );
        assert_eq!(name(&["A – News – Boats", "B – News – Boats", "C – Boats"]).as_deref(), Some("Boats"));
        // one title for all pages
        assert_eq!(name(&["Boats - All", "Boats - All", "Boats - All", "Boats - A"]).as_deref(), Some("Boats - All"));
        // a comma if there is no other sign
        assert_eq!(name(&["A, Boats", "B, c, Boats", "D, Boats", "E"]).as_deref(), Some("Boats"));
        assert_eq!(name(&["A, b - Boats", "C, b - Boats", "D, b - Boats"]).as_deref(), Some("Boats"));
        // too few pages, or too small a part of them
        assert_eq!(name(&["A - Boats", "B - Boats"]), None);
        assert_eq!(name(&["A - Boats", "B - Boats", "C - Boats", "D", "E", "F"]), None);
        assert_eq!(name(&["Ready-made A", "Ready-made B", "Ready-made C", "- ", ""]), None);
    }

    #[test]
    fn a_name_is_found_among_any_number_of_titles() {
        let titles: Vec<String> = (0..10_000).map(|n| format!("{n}: title {n} - Boats")).collect();
        assert_eq!(name(titles.iter().map(String::as_str)).as_deref(), Some("Boats"));
        let mut all = Titles::default();
        titles.iter().for_each(|title| all.add(title));
        assert!(all.ends.len() <= MOST);
    }
}
