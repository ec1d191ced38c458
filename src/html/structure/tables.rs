//! Reports data tables in the structure of a document: rows and cells, without anything between them. Layout tables are
//! not included; their cells are ordinary blocks.

use super::{Block, Builder, Leaf, Listener, Table};
use crate::html::elements::Element;
use crate::html::names::Name;

impl<L: Listener> Builder<'_, '_, L> {
    pub(super) fn open_table_part(&mut self, element: &Element<'_>, depth: usize) {
        let name = element.name;
        if name == Name::TABLE {
            match &mut self.table {
                Some(table) => table.inner += 1,
                None if element.look.layout || self.firm.is_some() => {}
                None => self.table = Some(Table { depth, inner: 0, told: false, row: false }),
            }
            return;
        }
        if self.firm.is_some() || self.table.as_ref().is_none_or(|table| table.inner > 0) {
            return;
        }
        if name == Name::TR {
            return self.end_row();
        }
        if element.look.cell || element.look.block {
            self.open_cell(Block::Cell { header: name == Name::TH });
        }
    }

    pub(super) fn open_cell(&mut self, cell: Block) {
        self.close_leaf();
        if !self.in_table() {
            self.tell_frames();
            self.listener.open(Block::Table);
        }
        if let Some(table) = &mut self.table {
            table.told = true;
            if !std::mem::replace(&mut table.row, true) {
                self.listener.open(Block::Row);
            }
        }
        self.listener.open(cell);
        self.leaf = Some(Leaf { block: cell, has_text: false, has_image: false });
        self.breaks = 0;
    }

    fn end_row(&mut self) {
        if self.in_table() {
            self.close_leaf();
        }
        if let Some(table) = &mut self.table
            && std::mem::take(&mut table.row)
        {
            self.listener.close(Block::Row);
        }
    }

    pub(super) fn close_table_part(&mut self, name: Name, depth: usize) {
        let Some(table) = &mut self.table else { return };
        if table.depth == depth {
            self.end_row();
            if self.in_table() {
                self.listener.close(Block::Table);
            }
            self.table = None;
        } else if name == Name::TABLE && table.inner > 0 {
            table.inner -= 1;
        } else if table.told && table.inner == 0 && self.firm.is_none() {
            match name {
                Name::TD | Name::TH => self.close_leaf(),
                Name::TR => self.end_row(),
                _ => {}
            }
        }
    }
}
