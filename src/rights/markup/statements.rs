//! Collects the statements about rights in HTML, and drops those that do not apply to it: licences merely discussed in a text about
//! licences, and those of other texts on the page.

use super::super::statement::{IMAGE, LICENCE, RawStatement, SITE};
use crate::rule::Rule;
use std::collections::BTreeSet;

/// A text with this many different licences is about licences.
const SEVERAL: usize = 3;

/// The most statements that are kept of a text: more cannot be genuine.
const MOST: usize = 200;

/// The most articles of a page that are distinguished.
const MOST_ARTICLES: usize = 1000;

/// The page's own text must be longer than any other text on it by this factor.
const LONGER: usize = 2;

#[derive(Default)]
pub(super) struct MarkupStatements {
    all: Vec<One>,
    /// Linked licences that are neither at an edge of the page nor for images.
    linked: BTreeSet<String>,
    /// Names of licences without a link that are neither at an edge of the page nor for images.
    named: BTreeSet<String>,
    /// The number of bytes of text in each article.
    articles: Vec<usize>,
    /// The depth of the open article.
    open: Option<usize>,
}

struct One {
    stated: RawStatement,
    is_at_edge: bool,
    article: Option<usize>,
}

impl MarkupStatements {
    /// Opens an article; articles inside it are part of it.
    pub(super) fn open_article(&mut self, depth: usize) {
        if self.open.is_none() && self.articles.len() < MOST_ARTICLES {
            self.articles.push(0);
            self.open = Some(depth);
        }
    }

    pub(super) fn close(&mut self, depth: usize) {
        self.open = self.open.filter(|&at| at != depth);
    }

    pub(super) fn see_text(&mut self, bytes: usize) {
        if let (Some(_), Some(article)) = (self.open, self.articles.last_mut()) {
            *article += bytes;
        }
    }

    pub(super) fn push(&mut self, stated: Option<RawStatement>, is_at_edge: bool) {
        let article = self.open.map(|_| self.articles.len() - 1);
        if self.all.len() < MOST {
            self.all.extend(stated.map(|stated| One { stated, is_at_edge, article }));
        }
    }

    /// Drops the last statement.
    pub(super) fn retract(&mut self) {
        self.all.pop();
    }

    pub(super) fn see_linked(&mut self, href: &str) {
        self.linked.insert(href.to_owned());
    }

    pub(super) fn see_named(&mut self, name: &str) {
        self.named.insert(name.to_owned());
    }

    /// Drops the licences of a text that is about licences. If there are several articles, keeps the statements of the page's own article,
    /// and those that most articles make. Notes in `decided` the rules for that.
    pub(super) fn finish(mut self, is_of_file: bool, decided: &mut Vec<Rule>) -> Vec<RawStatement> {
        if is_of_file {
            return self.all.into_iter().map(|one| one.stated).collect();
        }
        if Rule::LicenceOfSeveral.holds(self.linked.len().max(self.named.len()) >= SEVERAL) {
            let is_meant = |one: &One| one.stated.kind != LICENCE || one.stated.scope == IMAGE || one.is_at_edge;
            let before = self.all.len();
            self.all.retain(is_meant);
            decided.extend((self.all.len() < before).then_some(Rule::LicenceOfSeveral));
        }
        if Rule::LicenceOfArticle.holds(self.articles.len() > 1) {
            let main = self.main();
            let is_wide = |one: &One| one.article.is_none() || one.stated.scope == SITE;
            let is_meant = |one: &One| is_wide(one) || one.article == main || self.is_of_most(one);
            let are_meant: Vec<bool> = self.all.iter().map(is_meant).collect();
            decided.extend(are_meant.contains(&false).then_some(Rule::LicenceOfArticle));
            let mut are_meant = are_meant.into_iter();
            self.all.retain(|_| are_meant.next().unwrap_or(false));
        }
        self.all.into_iter().map(|one| one.stated).collect()
    }

    /// The article that the page is about.
    fn main(&self) -> Option<usize> {
        let longest = (0..self.articles.len()).max_by_key(|&at| self.articles[at])?;
        let all: usize = self.articles.iter().sum();
        let is_main = |(at, &bytes): (usize, &usize)| at == longest || bytes * LONGER <= self.articles[longest];
        let is_long = self.articles[longest] * 3 > all;
        (is_long && self.articles.iter().enumerate().all(is_main)).then_some(longest)
    }

    /// Whether most articles make the same statement.
    fn is_of_most(&self, one: &One) -> bool {
        let same = self.all.iter().filter(|other| other.stated == one.stated).filter_map(|other| other.article);
        same.collect::<BTreeSet<usize>>().len() * 2 > self.articles.len()
    }
}
