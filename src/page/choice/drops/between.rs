//! Recognises a heading that an author wrote between paragraphs, although other pages use the same words above their
//! links.

use super::Drops;
use crate::html::names::{self, Name};
use crate::page::outline::cards::children;

impl Drops<'_> {
    /// For each node, whether it is a heading between prose that stays, all in one element.
    pub(super) fn between(&self) -> Vec<bool> {
        let nodes = self.choice.nodes();
        let mut between = vec![false; nodes.len()];
        for list in std::iter::once(self.chosen).chain(self.inside()).filter(|&at| !nodes[at].is_run()) {
            let (mut has_prose, mut waits) = (false, None);
            for at in children(nodes, list).filter(|&at| nodes[at].letters() > 0) {
                let is_prose = self.choice.prose[at] > 0 && self.choice.off[at].is_none() && !self.is_dropped(at);
                if is_prose && let Some(waits) = waits.take() {
                    between[waits] = true;
                }
                let may_be = has_prose && nodes[at].name.is(names::HEADING) && nodes[at].name != Name::H1;
                waits = (may_be && !nodes[at].is_run() && !self.is_dropped(at)).then_some(at);
                has_prose |= is_prose && nodes[at].name == Name::P;
            }
        }
        between
    }
}
