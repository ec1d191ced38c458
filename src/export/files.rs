//! Finds the files that links can lead to: other documents of the dataset, and uploads in a local folder.

use crate::report::{Error, shown_path};
use crate::tree::stays_below;
use crate::urls::{encoded, percent_decoded};
use std::path::{Component, Path, PathBuf};

/// How to write links that lead to files.
#[derive(Clone, Debug)]
pub(crate) struct Files {
    /// The ending of the documents' file names.
    pub(crate) ending: &'static str,
    pub(crate) uploads: Option<Uploads>,
}

/// A folder with uploads, each at `HOST/PATH` of its URL.
#[derive(Clone, Debug)]
pub(crate) struct Uploads {
    folder: PathBuf,
    /// The relative path to it from the dataset's folder, ending in `/`.
    way: String,
}

impl Uploads {
    /// The uploads below `folder`, for a dataset in the folder `dataset`.
    ///
    /// # Errors
    /// If one of the two is not a directory.
    pub(crate) fn below(folder: &Path, dataset: &Path) -> Result<Self, Error> {
        let canonical = |path: &Path| path.canonicalize().map_err(|e| Error::io(shown_path(path), e));
        let (to, from) = (canonical(folder)?, canonical(dataset)?);
        if !to.is_dir() {
            return Err(Error::Fatal(format!("{}: not a directory", shown_path(folder))));
        }
        let common = to.components().zip(from.components()).take_while(|(a, b)| a == b).count();
        let mut way = "../".repeat(from.components().count() - common);
        for part in to.components().skip(common) {
            if let Component::Normal(name) = part {
                let name = name.to_str().ok_or_else(|| {
                    Error::Fatal(format!("{}: its path is not UTF-8, so no link can lead there", shown_path(folder)))
                })?;
                way.push_str(name);
                way.push('/');
            }
        }
        Ok(Uploads { folder: folder.to_owned(), way })
    }

    /// The relative path from the dataset's folder to the file of this URL; `None` if there is no such file.
    pub(crate) fn find(&self, url: &str) -> Option<String> {
        let rest = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"))?;
        let address = rest.split(['?', '#']).next()?;
        let is_file = |path: &str| stays_below(path) && !path.ends_with('/') && self.folder.join(path).is_file();
        let decoded = percent_decoded(address);
        let found = [address, decoded.as_deref().unwrap_or(address)].into_iter().find(|path| is_file(path))?;
        Some(format!("{}{found}", self.way))
    }
}

/// A path as a relative reference: all bytes except ASCII letters and digits, `-`, `_`, `.`, `~` and `/` are
/// percent-encoded.
pub(crate) fn reference(path: &str) -> String {
    encoded(path, '%', |_, byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'~' | b'/'))
}
