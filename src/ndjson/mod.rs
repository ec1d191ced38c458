//! Newline-delimited JSON: lines with their places, objects whose untouched fields stay raw, ordered threads, output.
//! This module does not interpret the records.

mod aligned;
mod gaps;
mod grammar;
mod input;
mod lanes;
mod object;
mod output;
mod pipe;
mod reader;
mod string;
mod threads;
mod walk;
mod writer;

pub use aligned::{ALIGNMENT, start_of_reads};
pub use gaps::Gaps;
pub use grammar::{Refused, string_end};
pub use input::{Batch, Input, Line, Reader, Source, decompress};
pub(crate) use object::add_field;
pub use object::{Object, describe, repair_surrogates, text_of};
pub use output::{Memory, Output};
pub(crate) use pipe::has_room;
pub use pipe::widen_if_pipe;
pub use reader::{Arena, Raw, from_str, read, read_owned};
pub use string::Str;
pub(crate) use threads::start;
pub use threads::{gather_awaited_lines, gather_batches, gather_lines, map_lines};
pub use walk::Walk;
pub use writer::{write_json, write_key};

#[cfg(test)]
mod tests;
