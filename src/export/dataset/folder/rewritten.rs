//! Replaces a complete file of a dataset by another version of it before the dataset is put in place.

use super::Folder;
use crate::digest;
use crate::report::Error;
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Write};

impl Folder {
    /// Replaces the complete file `number` by the output of `make`, which reads the old version.
    ///
    /// # Errors
    /// Errors of `make`, and I/O errors such as a full disk.
    pub(crate) fn rewrite(
        &mut self,
        number: usize,
        make: impl FnOnce(BufReader<File>, &mut (dyn Write + Send)) -> io::Result<()>,
    ) -> Result<(), Error> {
        let place = self.hidden.new_files().join(&self.complete[number].name);
        let rewrite = || {
            let before = File::open(&place)?;
            fs::remove_file(&place)?;
            let mut after = BufWriter::new(File::create_new(&place)?);
            make(BufReader::new(before), &mut after)?;
            after.flush()?;
            digest::of_file(&place)
        };
        let (bytes, sha256) = rewrite().map_err(|e| self.error(&self.complete[number].name, e))?;
        let file = &mut self.complete[number];
        (file.bytes, file.sha256) = (bytes, sha256);
        Ok(())
    }
}
