//! Chooses where media files are stored: each at the HOST/PATH of its URL below one folder, unless that place is taken.

use crate::urls::percent_decoded;
use std::collections::HashSet;

/// The folder of the media files.
pub(super) const FOLDER: &str = "media";

/// The longest name that any file system accepts, in bytes.
const MOST_OF_NAME: usize = 255;
/// The longest path that any file system accepts, in bytes.
const MOST_OF_PATH: usize = 1000;

/// The places that are taken, in lower case: some file systems do not distinguish upper and lower case.
#[derive(Default)]
pub(super) struct Places {
    files: HashSet<String>,
    folders: HashSet<String>,
}

impl Places {
    /// The place for the file of this URL, `media/HOST/PATH`; `None` if it is taken, or cannot be the path of a file. The first file to ask
    /// for a place gets it, so the same list gives the same places.
    pub(super) fn take(&mut self, url: &str) -> Option<String> {
        let path = path_of(url)?;
        let key = path.to_lowercase();
        let above: Vec<&str> = key.match_indices('/').map(|(at, _)| &key[..at]).collect();
        if self.folders.contains(&key) || above.iter().any(|folder| self.files.contains(*folder)) {
            return None;
        }
        let above: Vec<String> = above.into_iter().map(str::to_owned).collect();
        if !self.files.insert(key) {
            return None;
        }
        self.folders.extend(above);
        Some(path)
    }
}

/// The path of a URL's file, without the query. Names are percent-decoded, as people write them: `wp-export --media` finds files by either
/// form.
fn path_of(url: &str) -> Option<String> {
    let (_, rest) = url.split_once("://")?;
    let rest = rest.split('?').next().filter(|rest| !rest.ends_with('/') && rest.contains('/'))?;
    let mut path = FOLDER.to_owned();
    for part in rest.split('/').filter(|part| !part.is_empty()) {
        let name =
            percent_decoded(part).filter(|name| is_name(name)).or_else(|| is_name(part).then(|| part.to_owned()))?;
        path.push('/');
        path.push_str(&name);
    }
    (path.len() <= MOST_OF_PATH).then_some(path)
}

fn is_name(name: &str) -> bool {
    let is_odd = name.contains(|c: char| c == '/' || c.is_control());
    !is_odd && !matches!(name, "" | "." | "..") && name.len() <= MOST_OF_NAME
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_below_its_host_and_never_elsewhere() {
        let place = |url: &str| Places::default().take(url);
        let at = |path: &str| Some(path.to_owned());
        assert_eq!(place("https://a.example:8080/x/y.jpg?w=1"), at("media/a.example:8080/x/y.jpg"));
        assert_eq!(place("https://a.example/%C3%A9%20%41.jpg"), at("media/a.example/é A.jpg"));
        assert_eq!(place("https://a.example/x%2F..%2F..%2Fy.jpg"), at("media/a.example/x%2F..%2F..%2Fy.jpg"));
        assert_eq!(place("https://a.example/%2e%2e/%2e%2e/y"), at("media/a.example/%2e%2e/%2e%2e/y"));
        assert_eq!(place("https://a.example/a%00b%ff"), at("media/a.example/a%00b%ff"));
        for none in ["https://a.example/", "https://a.example", "https://a.example/x/", "https://a.example/../../x/.."]
        {
            assert_eq!(place(none), None, "{none}");
        }
        assert_eq!(place(&format!("https://a.example/{}.jpg", "x".repeat(300))), None);
    }

    #[test]
    fn a_place_is_given_once_whatever_the_case_and_no_file_is_a_folder() {
        let mut places = Places::default();
        let mut takes = |path: &str| places.take(&format!("https://a.example/{path}")).is_some();
        assert!(takes("u/A.jpg") && !takes("u/a.jpg") && !takes("u/A.jpg?w=1"));
        assert!(!takes("u") && !takes("U"), "a folder has that name");
        assert!(!takes("u/a.jpg/b.jpg") && takes("u/b/c.jpg"));
        assert!(takes("u/d") && !takes("u/D/e.jpg"));
    }
}
