//! Newline-delimited JSON: lines with their places, objects whose untouched fields stay raw, ordered threads, output.
//! What the records mean is not known here.

mod input;
mod object;
mod output;
mod string;
mod threads;
mod walk;

pub use input::{Batch, Input, Line, Source, decompress};
pub use object::{Object, describe, repair_surrogates, text_of, write_json, write_key};
pub use output::{Memory, Output};
pub use string::Str;
pub use threads::{gather_batches, gather_lines, map_lines};
pub use walk::Walk;

#[cfg(test)]
mod tests;
