//! Separates the title of a page from the name of the site (`Ropes - Harbour Archive`), and learns that name from the titles
//! of many pages.

use crate::urls::QuickMap;
use std::ops::Range;

/// What separates a title from the name of the site. (To look each character up in a text took 4 % of wp-index.)
fn is_separator(c: char) -> bool {
    matches!(c, '-' | '–' | '—' | '|' | '»' | '«' | '·' | '•' | ':' | '/' | '<' | '>' | '~')
}

/// Bytes of a site's name. A title may hold any number of separators, after each of which it may begin.
pub(crate) const LONGEST_NAME: usize = 300;

/// The places of the separators in a title: with white space, or an end of the title, on one side at least.
pub(crate) fn separators(title: &str) -> impl DoubleEndedIterator<Item = Range<usize>> {
    let signs = title.char_indices().filter(|(_, c)| is_separator(*c)).map(|(at, c)| at..at + c.len_utf8());
    signs.filter(|sign| {
        let next = title[sign.end..].chars().next();
        next.is_none_or(char::is_whitespace) || title[..sign.start].ends_with(char::is_whitespace)
    })
}

/// What comes before the name of an author.
pub(crate) const BY: [&str; 8] = ["by", "von", "par", "por", "di", "door", "av", "af"];

/// What the titles of a site's pages have in common.
#[derive(Default)]
pub(crate) struct Titles {
    titled: usize,
    /// What they begin and end with.
    ends: QuickMap<String, Seen>,
}

/// In how many titles a text was seen, and how many it was.
#[derive(Clone, Copy, Default)]
struct Seen {
    titles: usize,
    whole: usize,
    /// How many end with it, after a sign other than a colon.
    last: usize,
    /// How many end with it, after a comma.
    listed: usize,
}

/// Separators from either end of a title that are looked at.
const SIGNS: usize = 3;

/// Beginnings and ends that are remembered; beyond that the rarest are forgotten.
const MOST: usize = 4096;

/// Pages that have a name in common, at least.
const FEWEST: usize = 3;

impl Titles {
    /// Adds the title of a page; an empty one is none.
    pub(crate) fn add(&mut self, title: &str) {
        let title = title.trim();
        self.titled += usize::from(!title.is_empty());
        let after = separators(title).rev().take(SIGNS).map(|sign| (title[sign.end..].trim(), &title[sign] != ":"));
        let before = separators(title).take(SIGNS).map(|sign| (title[..sign.start].trim(), false));
        // of one text that comes twice, the one at the end first
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

    /// The title of more than half of the pages; else what more than half of the titles begin or end with, of several the most
    /// frequent, then the longest; else what they end with after a comma. The pages of `folders`, which have names of their own, do not count.
    pub(crate) fn name(&self, folders: &[(&str, usize)]) -> Option<Box<str>> {
        let own = |name: &str| folders.iter().filter(|(of, _)| *of == name).map(|(_, pages)| pages).sum::<usize>();
        let all = self.titled.saturating_sub(folders.iter().map(|(_, pages)| pages).sum());
        let most = |count: fn(&Seen) -> usize| self.most(|name, seen| count(seen).saturating_sub(own(name)), all);
        most(|seen| seen.whole).or_else(|| most(|seen| seen.titles)).or_else(|| most(|seen| seen.listed))
    }

    /// What more than half of the titles end with, after a sign other than a colon: what comes before one is a topic as well.
    pub(crate) fn last(&self) -> Option<Box<str>> {
        self.most(|_, seen| seen.last, self.titled)
    }

    /// Whether more than half of the titles begin or end with that.
    pub(crate) fn are_named(&self, name: &str) -> bool {
        self.ends.get(name).is_some_and(|seen| seen.titles * 2 > self.titled)
    }

    /// How many titles there are.
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
        // a tagline belongs to it, a section does not
        assert_eq!(
            name(&["A – Boats | All of them", "B – Boats | All of them", "C – Boats | All of them"]).as_deref(),
            Some("Boats | All of them")
        );
        assert_eq!(name(&["A – News – Boats", "B – News – Boats", "C – Boats"]).as_deref(), Some("Boats"));
        // one title for all pages
        assert_eq!(name(&["Boats - All", "Boats - All", "Boats - All", "Boats - A"]).as_deref(), Some("Boats - All"));
        // a comma where there is no other sign
        assert_eq!(name(&["A, Boats", "B, c, Boats", "D, Boats", "E"]).as_deref(), Some("Boats"));
        assert_eq!(name(&["A, b - Boats", "C, b - Boats", "D, b - Boats"]).as_deref(), Some("Boats"));
        // too few, or too small a part of the pages
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
