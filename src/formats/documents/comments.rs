//! Keeps the comments of all documents in a spool until their documents are written, because comments come after all
//! documents in the input. The formats write them.

use super::identity::{Hosted, Identity};
use crate::report::Error;
use crate::spill::Spool;
use std::fs::File;
use std::os::unix::fs::FileExt;

/// The comments found so far. Memory: 48 bytes per comment, twice that at the end; their lines are in the spool.
#[derive(Default)]
pub(super) struct Spooled {
    spool: Option<Spool>,
    index: Vec<(Hosted, u64, u64)>,
    end: u64,
}

/// The position of a comment's line.
#[derive(Clone, Copy)]
struct CommentPlace {
    document: Identity,
    start: u64,
    length: u64,
}

impl Spooled {
    pub(super) fn add(&mut self, hosted: Hosted, line: &[u8]) -> Result<(), Error> {
        let spool = match &mut self.spool {
            Some(spool) => spool,
            empty => empty.insert(Spool::new()?),
        };
        spool.write(line)?;
        self.index.push((hosted, self.end, line.len() as u64));
        self.end += line.len() as u64;
        Ok(())
    }

    /// Sorts the comments once all have been found; `host` returns the document of each.
    pub(super) fn finish(self, host: impl Fn(Hosted) -> Option<Identity>) -> Result<Comments, Error> {
        let entry = |(hosted, start, length)| host(hosted).map(|document| CommentPlace { document, start, length });
        let mut index: Vec<CommentPlace> = self.index.into_iter().filter_map(entry).collect();
        // A stable sort: the comments of a document stay in the order of the input.
        index.sort_by_key(|entry| entry.document);
        Ok(Comments { file: self.spool.map(Spool::into_reader).transpose()?, index })
    }
}

/// The comments, sorted by document.
#[derive(Default)]
pub(super) struct Comments {
    file: Option<File>,
    index: Vec<CommentPlace>,
}

impl Comments {
    pub(super) fn of(&self, document: Identity) -> std::io::Result<Vec<Vec<u8>>> {
        let Some(file) = &self.file else { return Ok(Vec::new()) };
        let start = self.index.partition_point(|entry| entry.document < document);
        let entries = self.index[start..].iter().take_while(|entry| entry.document == document);
        entries
            .map(|entry| {
                let mut line = vec![0; entry.length as usize];
                file.read_exact_at(&mut line, entry.start).map(|()| line)
            })
            .collect()
    }
}
