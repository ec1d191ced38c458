//! Opens archives again, to read single records.

use super::scratch::Scratch;
use super::volume::Volume;
use std::collections::HashMap;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

/// Archives that are kept open.
const MOST: usize = 64;

/// The archives that are open, for all threads: one that has to be unpacked is unpacked once.
#[derive(Default)]
pub(crate) struct Archives {
    open: Mutex<HashMap<PathBuf, Arc<Vec<Volume>>>>,
    /// What has been unpacked, also of those that are not open any more.
    scratch: Arc<Scratch>,
}

impl Archives {
    /// The volumes of the archive at `path`, opened by `open` unless they are.
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
