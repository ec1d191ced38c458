//! Replaces a complete file of a dataset by another form of it, while all is still out of sight.

use super::Folder;
use crate::digest::Sha256;
use crate::report::Error;
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Write};

/// Bytes on their way to a file, and what the manifest says of them.
struct Hashed {
    file: BufWriter<File>,
    hash: Sha256,
    bytes: u64,
}

impl Write for Hashed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.hash.update(&bytes[..written]);
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Folder {
    /// Replaces the file `number`, which is complete, by what `make` writes of it.
    ///
    /// # Errors
    /// Those of `make`, and when the disk is full, for example.
    pub(crate) fn rewrite(
        &mut self,
        number: usize,
        make: impl FnOnce(BufReader<File>, &mut (dyn Write + Send)) -> io::Result<()>,
    ) -> Result<(), Error> {
        let place = self.hidden.new_files().join(&self.complete[number].name);
        let rewrite = || {
            let before = File::open(&place)?;
            fs::remove_file(&place)?;
            let mut after = Hashed { file: BufWriter::new(File::create_new(&place)?), hash: Sha256::new(), bytes: 0 };
            make(BufReader::new(before), &mut after)?;
            after.flush()?;
            Ok((after.bytes, after.hash.finalize()))
        };
        let (bytes, sha256) = rewrite().map_err(|e| self.error(&self.complete[number].name, e))?;
        let file = &mut self.complete[number];
        (file.bytes, file.sha256) = (bytes, sha256);
        Ok(())
    }
}
