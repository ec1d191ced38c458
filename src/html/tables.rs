//! Distinguishes data tables from layout tables by looking ahead. The text sinks decide what to do with each.

use super::elements::model_of;
use super::names::{self, Name};
use super::tokenizer::{AttributeBuffer, Attributes, Model, Token, Tokenizer};

/// Whether the table that `attributes` and `rest` follow is layout: it says so, or a cell of it holds a block.
/// Reads up to the next table's tag or the first such block, so that all tables together are read once.
pub(crate) fn is_layout(rest: &str, attributes: Attributes<'_, '_>, buffer: &mut AttributeBuffer) -> bool {
    let role = attributes.get("role").unwrap_or_default();
    if ["presentation", "none"].iter().any(|layout| role.trim().eq_ignore_ascii_case(layout)) {
        return true;
    }
    let mut tokenizer = Tokenizer::new(rest, std::mem::take(buffer));
    let layout = has_block_in_cell(&mut tokenizer);
    *buffer = tokenizer.into_spans();
    layout
}

fn has_block_in_cell(tokenizer: &mut Tokenizer<'_>) -> bool {
    let mut in_cell = false;
    while let Some(token) = tokenizer.next() {
        match token {
            Token::Start(tag) => {
                let name = tag.id;
                if name.is(names::CELL) {
                    in_cell = true;
                } else if name.is(names::TABLE_PART) {
                    in_cell = false;
                } else if name == Name::TABLE {
                    return in_cell;
                } else if in_cell && name.is(names::BLOCK) && !name.is(names::VOID | names::NOT_TEXT) {
                    return true;
                }
                let model = model_of(name, false);
                if model != Model::Data {
                    tokenizer.raw_text(tag.name, model);
                }
            }
            Token::End(tag) if tag.id == Name::TABLE => return false,
            _ => {}
        }
    }
    false
}
