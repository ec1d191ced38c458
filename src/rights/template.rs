//! Finds the rights stated by the template of a site: the statements that most of its pages repeat. Parses only a few pages completely;
//! searches the others just for the same statements.

use super::licence;
use super::markup::Markup;
use super::places::Where;
use super::statement::{COPYRIGHT, RECORD, RawStatement, SITE, TEMPLATE};
use crate::urls::PageUrl;
use memchr::memmem;

/// How many pages are parsed completely. (Parsing the markup of sixteen pages took as long as the heads of four hundred.)
const READ: usize = 3;
/// How many of these must contain a statement to make it a candidate.
const SOME: usize = 2;

/// The fewest pages that can show a repetition.
const FEWEST: usize = 3;

/// The fewest letters in a word by which a copyright line is recognised on other pages.
const WORD: usize = 4;

/// Takes the pages of a site, one after the other.
#[derive(Default)]
pub(crate) struct Repeated {
    markup: Markup,
    read: Vec<Vec<RawStatement>>,
    /// Candidates for the template: the statement, the texts by which it is recognised, and the number of pages that contain them.
    candidates: Vec<(RawStatement, Vec<String>, usize)>,
    pages: usize,
}

impl Repeated {
    /// Adds a page; `url` is the URL against which its links are resolved, if known.
    pub(crate) fn add(&mut self, html: &str, url: Option<&PageUrl>) {
        self.pages += 1;
        if self.read.len() < READ {
            let found = self.markup.read(html, Where::WholePage, url, None).into_iter();
            let mut found: Vec<RawStatement> = found.map(|stated| of_site(stated).on(url)).collect();
            found.dedup();
            self.read.push(found);
            if self.read.len() == READ {
                self.choose();
            }
            return;
        }
        for (_, marks, pages) in &mut self.candidates {
            let has = |mark: &String| memmem::find(html.as_bytes(), mark.as_bytes()).is_some();
            *pages += usize::from(marks.iter().all(has));
        }
    }

    /// Whether further pages would change nothing.
    pub(crate) fn is_done(&self) -> bool {
        self.read.len() == READ && self.candidates.is_empty()
    }

    /// Selects the statements that several of the parsed pages contain.
    fn choose(&mut self) {
        for stated in self.read.iter().flatten() {
            let pages = self.read.iter().filter(|page| page.contains(stated)).count();
            if pages >= SOME && !self.candidates.iter().any(|(known, ..)| known == stated) {
                self.candidates.push((stated.clone(), marks(stated), pages));
            }
        }
    }

    /// The statements that more than half of the pages contain.
    pub(crate) fn finish(self) -> Vec<RawStatement> {
        let is_repeated = |n: usize| n >= FEWEST && n * 2 > self.pages;
        self.candidates.into_iter().filter(|(_, _, n)| is_repeated(*n)).map(|(stated, ..)| stated).collect()
    }
}

fn of_site(stated: RawStatement) -> RawStatement {
    let scope = if stated.scope == RECORD { SITE } else { stated.scope };
    RawStatement { place: TEMPLATE, scope, ..stated }
}

/// Texts that every page with the same statement contains: a page without them need not be read for it.
fn marks(stated: &RawStatement) -> Vec<String> {
    if let Some(href) = &stated.href {
        // a page may write the rest in another way
        let path = href.split_once("://").map_or(&**href, |(_, rest)| rest);
        let path = licence::address_in(href).unwrap_or(path);
        return vec![path.split(['&', '?']).next().unwrap_or_default().trim_end_matches('/').to_owned()];
    }
    let text = stated.text.as_deref().unwrap_or_default();
    if stated.kind != COPYRIGHT {
        return vec!["C".to_owned()];
    }
    let words = text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| word.len() >= WORD);
    words.map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::super::settle;
    use super::*;

    const CC: &str = "<p>This work is licensed under a <a rel=license href='http://creativecommons.org/licenses/by/4.0/'>licence</a>.</p>";

    fn repeated(pages: impl IntoIterator<Item = String>) -> Vec<String> {
        let mut repeated = Repeated::default();
        pages.into_iter().for_each(|page| repeated.add(&format!("<body>{page}"), None));
        let entries = settle(repeated.finish(), None).into_iter();
        entries.map(|one| [one.place, one.scope, one.value].map(|text| text.unwrap().to_string()).join(" ")).collect()
    }

    #[test]
    fn what_most_pages_say_is_the_site_s() {
        let own =
            "<p>This post is licensed under <a href='https://creativecommons.org/licenses/by-sa/3.0/'>CC</a>.</p>";
        let page = |n: usize| format!("{}{CC}<footer>© 2012 The <b>Quay</b></footer>", if n < 2 { own } else { "" });
        let want = ["template site CC-BY-4.0", "template site © 2012 The Quay"];
        assert_eq!(repeated((0..7).map(page)), want);
        assert!(repeated((0..2).map(page)).is_empty());
        // one of the parsed pages and one of the others lack the statement
        assert_eq!(repeated((0..7).map(|n| if n == 1 || n == 5 { String::new() } else { page(n) })), want);
        assert!(repeated((0..7).map(|n| if n < 3 { page(n) } else { String::new() })).is_empty());
    }
}
