//! Opens archives to read single records, and keeps them open for the next ones.

use super::scratch::Scratch;
use super::volume::Volume;
use std::collections::HashMap;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

/// The most archives that are kept open at a time.
const MOST: usize = 64;

/// The open archives, shared by all threads, so that each is unpacked only once.
#[derive(Default)]
pub(crate) struct Archives {
    open: Mutex<HashMap<PathBuf, Arc<Vec<Volume>>>>,
    /// The unpacked parts, including those of archives that have been closed.
    scratch: Arc<Scratch>,
}

impl Archives {
    /// The volumes of the archive at `path`; calls `open` unless it is open already.
    pub(crate) fn volumes(
        &self,
        path: PathBuf,
        open: impl FnOnce() -> io::Result<Vec<Volume>>,
    ) -> io::Result<Arc<Vec<Volume>>> {
        let mut known = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(volumes) = known.get(&path) {
            return Ok(volumes.clone());
        }
        if known.len() == MOST {
            known.clear();
        }
        let mut volumes = open()?;
        volumes.iter_mut().for_each(|volume| volume.share(&self.scratch));
        let volumes = Arc::new(volumes);
        known.insert(path, volumes.clone());
        Ok(volumes)
    }
}
