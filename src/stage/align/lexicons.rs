//! Learns, for each pair of languages of a site, which words correspond: from links between sentences that were found by
//! lengths and anchors alone.

use super::entry::read_entry;
use super::ratios::Ratios;
use crate::alignment::{Anchors, Lexicon, Links, align};
use crate::pairs::{self, Gathered, Member};
use crate::report::Error;
use std::collections::HashMap;

/// A site and two languages.
type Of = (String, usize, usize);

#[derive(Default)]
pub(super) struct Lexicons(HashMap<Of, Lexicon>);

impl Lexicons {
    /// Aligns the first documents of each two languages of a site, until there are enough links.
    pub(super) fn learn(gathered: &Gathered, ratios: &Ratios, anchors: Anchors) -> Result<Self, Error> {
        let (mut lexicons, mut links) = (Lexicons::default(), HashMap::<Of, Links>::new());
        if !anchors.words {
            return Ok(lexicons);
        }
        gathered.each_group(|members, _| {
            for (from, to) in pairs::pairs(&members) {
                let (head, ours) = read_entry(&from.entry);
                let of = (head.site.to_string(), from.language, to.language);
                if lexicons.0.contains_key(&of) {
                    continue;
                }
                let (_, theirs) = read_entry(&to.entry);
                let ratio = ratios.of(&head.site, gathered.languages(), from, to);
                let mut known = links.remove(&of).unwrap_or_default();
                known.take(&ours, &theirs, &align(&ours, &theirs, ratio, anchors, None, |_| None));
                if known.is_full() {
                    lexicons.0.insert(of, known.lexicon());
                } else {
                    links.insert(of, known);
                }
            }
            Ok(())
        })?;
        lexicons.0.extend(links.into_iter().map(|(of, links)| (of, links.lexicon())));
        Ok(lexicons)
    }

    pub(super) fn of(&self, site: &str, from: &Member, to: &Member) -> Option<&Lexicon> {
        self.0.get(&(site.to_owned(), from.language, to.language))
    }
}
