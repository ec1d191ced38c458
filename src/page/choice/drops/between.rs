//! Recognises what an author wrote between the paragraphs of a text though it looks like boilerplate: a heading, a quotation or a list
//! of links to other hosts, a heading that other pages have above their links.

use super::Drops;
use crate::html::names::{self, Name};
use crate::page::choice::is_linked;
use crate::page::outline::Node;
use crate::page::outline::cards::children;

impl Drops<'_> {
    /// Of each node whether it is a heading or a block of links to other hosts between prose that stays, all in one element. Before a
    /// quotation or a list the prose comes at once: it says what they are.
    pub(super) fn between(&self) -> Vec<bool> {
        let nodes = self.choice.nodes();
        let mut between = vec![false; nodes.len()];
        for list in std::iter::once(self.chosen).chain(self.inside()).filter(|&at| !nodes[at].is_run) {
            let (mut has_prose, mut follows_prose, mut waits) = (false, false, None);
            for at in children(nodes, list).filter(|&at| nodes[at].letters > 0) {
                let is_prose = self.choice.prose[at] > 0 && self.choice.off[at].is_none() && !self.is_dropped(at);
                if is_prose && let Some(waits) = waits.take() {
                    between[waits] = true;
                }
                let may_be = match nodes[at].name {
                    Name::BLOCKQUOTE => follows_prose && leads_away(&nodes[at]),
                    // an item alone is an advertisement
                    Name::UL | Name::OL => {
                        follows_prose && leads_away(&nodes[at]) && children(nodes, at).nth(1).is_some()
                    }
                    Name::H1 => false,
                    name => has_prose && name.is(names::HEADING) && (!is_linked(&nodes[at]) || leads_away(&nodes[at])),
                };
                waits = (may_be && !nodes[at].is_run && !self.is_dropped(at)).then_some(at);
                follows_prose = is_prose;
                has_prose |= is_prose && nodes[at].name == Name::P;
            }
        }
        between
    }
}

/// Whether most of a text are links to other hosts.
pub(super) fn leads_away(node: &Node) -> bool {
    is_linked(node) && node.away * 2 > node.linked
}
