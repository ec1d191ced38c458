//! Reports quotes, lists and items in the structure of a document once they turn out to have content, and adds lists
//! and items that the HTML omits. The builder reports the content.

use super::{Block, Builder, DEPTH, Frame, List, Listener};
use crate::html::names::Name;
use crate::html::tokenizer::Attributes;

impl<L: Listener> Builder<'_, '_, L> {
    pub(super) fn open_container(&mut self, name: Name, attributes: Attributes<'_, '_>, depth: usize) {
        let block = match name {
            Name::BLOCKQUOTE => Block::Quote,
            Name::UL | Name::MENU | Name::DIR => Block::List(List::Bullets),
            Name::OL => {
                let start = attributes.get("start").and_then(|start| start.trim().parse().ok());
                Block::List(List::Numbers(start.unwrap_or(1)))
            }
            Name::DL => Block::List(List::Definitions),
            Name::LI | Name::DD => Block::Item,
            Name::DT => Block::Term,
            _ => return,
        };
        if matches!(block, Block::Item | Block::Term)
            && let [.., list, item] = self.frames[..]
            && item.depth == list.depth
            && matches!((list.block, item.block), (Block::List(_), Block::Item))
        {
            // An item that was added for content between items.
            self.frames.pop();
            if item.told {
                self.listener.close(item.block);
            }
        }
        if self.frames.len() < DEPTH {
            self.frames.push(Frame { block, depth, told: false });
        }
    }

    /// Closes the containers at this depth or deeper.
    pub(super) fn close_frames(&mut self, depth: usize) {
        while let Some(frame) = self.frames.pop_if(|frame| frame.depth >= depth) {
            if frame.told {
                self.listener.close(frame.block);
            }
        }
    }

    /// Reports the open containers, and adds the missing lists and items between them.
    pub(super) fn tell_frames(&mut self) {
        let untold = self.frames.iter().position(|frame| !frame.told).unwrap_or(self.frames.len());
        let ends_in_list = matches!(self.frames.last(), Some(Frame { block: Block::List(_), .. }));
        if untold == self.frames.len() && !ends_in_list {
            return;
        }
        let mut parent = untold.checked_sub(1).map(|at| self.frames[at]);
        for frame in self.frames.split_off(untold) {
            let in_list = matches!(parent, Some(Frame { block: Block::List(_), .. }));
            match frame.block {
                Block::Item | Block::Term if !in_list => self.tell(Block::List(List::Bullets), frame.depth),
                Block::Item | Block::Term => {}
                _ => self.tell_item_in(parent),
            }
            self.tell(frame.block, frame.depth);
            parent = Some(frame);
        }
        self.tell_item_in(parent);
    }

    /// Wraps content of a list outside its items in an item.
    fn tell_item_in(&mut self, parent: Option<Frame>) {
        if let Some(Frame { block: Block::List(_), depth, .. }) = parent {
            self.tell(Block::Item, depth);
        }
    }

    fn tell(&mut self, block: Block, depth: usize) {
        self.listener.open(block);
        self.frames.push(Frame { block, depth, told: true });
    }
}
