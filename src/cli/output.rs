//! Opens the outputs of a run: stdout, or files that appear only when complete, compressed if their names ask for it.

use crate::ndjson::widen_if_pipe;
use crate::report::{Error, shown_path};
use crate::whole_file::WholeFile;
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::AsFd;
use std::path::Path;
use std::sync::{Arc, Mutex};

/// Stdout without the line buffer of the standard library, which takes 20 times as long.
pub(super) fn stdout() -> Result<File, Error> {
    let fd = io::stdout().as_fd().try_clone_to_owned().map_err(|e| Error::io("stdout", e))?;
    widen_if_pipe(&fd);
    Ok(File::from(fd))
}

/// A file that appears only when complete, compressed as its name selects; shared, so that it can be committed after
/// the stage.
#[derive(Clone)]
pub(super) struct OutputFile {
    name: String,
    encoder: Arc<Mutex<Encoder>>,
}

enum Encoder {
    Plain(WholeFile),
    Gzip(flate2::write::GzEncoder<WholeFile>),
    Zstd(zstd::Encoder<'static, WholeFile>),
}

impl Encoder {
    fn writer(&mut self) -> &mut dyn Write {
        match self {
            Encoder::Plain(file) => file,
            Encoder::Gzip(encoder) => encoder,
            Encoder::Zstd(encoder) => encoder,
        }
    }
}

impl OutputFile {
    pub(super) fn create(path: &Path) -> Result<Self, Error> {
        let file = WholeFile::create(path)?;
        let encoder = match path.extension().and_then(|e| e.to_str()) {
            Some("gz") => Encoder::Gzip(flate2::write::GzEncoder::new(file, flate2::Compression::default())),
            Some("zst") => {
                let mut encoder = zstd::Encoder::new(file, 0).map_err(|e| Error::at(path, e))?;
                // gzip and the program zstd do so, too. Otherwise a flipped bit could change records unnoticed.
                encoder.include_checksum(true).map_err(|e| Error::at(path, e))?;
                Encoder::Zstd(encoder)
            }
            _ => Encoder::Plain(file),
        };
        Ok(OutputFile { name: shown_path(path), encoder: Arc::new(Mutex::new(encoder)) })
    }

    pub(super) fn commit(self) -> Result<(), Error> {
        let encoder = Arc::into_inner(self.encoder).expect("nobody writes any more").into_inner();
        let file = match encoder.expect("no writer panics") {
            Encoder::Plain(file) => Ok(file),
            Encoder::Gzip(encoder) => encoder.finish(),
            Encoder::Zstd(encoder) => encoder.finish(),
        };
        file.map_err(|e| Error::io(self.name, e))?.commit()
    }
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.encoder.lock().expect("no writer panics").writer().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.encoder.lock().expect("no writer panics").writer().flush()
    }
}
