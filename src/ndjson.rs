//! Reads and writes newline-delimited JSON: reads lines with their places, parses objects and keeps untouched fields as
//! they are, processes lines in threads in their order, and writes them. Other modules interpret the records.

mod aligned;
mod batch;
mod end;
mod handed;
mod input;
mod keys;
mod lanes;
mod object;
mod output;
mod pipe;
mod repair;
mod respool;
mod skip;
mod source;
mod string;
mod threads;
mod walk;
mod whitespace;
mod writer;

pub(crate) use aligned::{ALIGNMENT, start_of_reads};
pub(crate) use batch::{Batch, Line};
pub(crate) use end::{broken_off, is_end, write_end, write_end_after_rejects, write_input};
pub(crate) use handed::{Ending, hand_over};
pub use input::Input;
pub(crate) use input::MAX_RECORD;
pub(crate) use keys::{keys, named};
pub use object::Object;
pub(crate) use object::{add_field, string};
pub use output::{Memory, Output};
pub(crate) use pipe::{has_room, widen_if_pipe};
pub(crate) use repair::{describe, from_str, is_of_another_kind, null_huge_numbers, repair_surrogates, text_of};
pub(crate) use respool::respool;
pub(crate) use skip::Refused;
#[cfg(test)]
pub(crate) use source::decompress;
pub(crate) use source::{Digest, begins_with_bracket};
pub use source::{Reader, Source};
pub use string::Str;
pub(crate) use threads::{
    end_record, gather_awaited_lines, gather_batches, gather_lines, map_lines, reject_too_long, start, too_long,
};
pub(crate) use walk::{Walk, decode};
pub(crate) use whitespace::Gaps;
pub(crate) use writer::{json_of, write_json, write_key};

#[cfg(test)]
mod tests;
