//! Learns the words of each pair of languages from the links that lengths and anchors alone give to the documents of a site.

use super::entry::read_entry;
use super::ratios::Ratios;
use crate::alignment::{Anchors, Lexicon, Links, align};
use crate::pairs::{self, Gathered, Member};
use crate::report::Error;
use std::collections::HashMap;

/// By site and two languages.
#[derive(Default)]
pub(super) struct Lexicons(HashMap<(String, usize, usize), Lexicon>);

impl Lexicons {
    /// Aligns the first documents of each two languages. The links of one site are in memory at once.
    pub(super) fn learn(gathered: &Gathered, ratios: &Ratios, anchors: Anchors) -> Result<Self, Error> {
        let mut lexicons = Lexicons::default();
        let (mut links, mut site) = (HashMap::<(usize, usize), Links>::new(), String::new());
        gathered.each_group(|members, _| {
            for (from, to) in pairs::pairs(&members) {
                let ((head, ours), (_, theirs)) = (read_entry(&from.entry), read_entry(&to.entry));
                if *head.site != *site {
                    lexicons.settle(&site, &mut links);
                    site = head.site.to_string();
                }
                let links = links.entry((from.language, to.language)).or_default();
                if !links.is_full() {
                    let ratio = ratios.of(&head.site, gathered.languages(), from, to);
                    links.take(&ours, &theirs, &align(&ours, &theirs, ratio, anchors, None, |_| None));
                }
            }
            Ok(())
        })?;
        lexicons.settle(&site, &mut links);
        Ok(lexicons)
    }

    fn settle(&mut self, site: &str, links: &mut HashMap<(usize, usize), Links>) {
        for ((from, to), links) in links.drain() {
            self.0.insert((site.to_owned(), from, to), links.lexicon());
        }
    }

    pub(super) fn of(&self, site: &str, from: &Member, to: &Member) -> Option<&Lexicon> {
        self.0.get(&(site.to_owned(), from.language, to.language))
    }
}
