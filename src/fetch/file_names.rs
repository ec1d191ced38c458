//! Makes file names from the names of collections and the URLs of pages. Whatever a site calls these, every name stays inside the folder
//! and is short enough for a file system.

use super::warc::hash;
use crate::urls::encoded_name;

/// The longest name of a collection that is not cut, in bytes.
const LONGEST: usize = 120;
/// The longest ending that a cut name keeps, in bytes.
const LONGEST_ENDING: usize = 20;

/// The parts of the path of a page's file. A part too long for a file system is cut, and its hash appended to keep it unique.
pub(super) fn tree_path(url: &str) -> Vec<String> {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let (path, query) = rest.split_once('?').map_or((rest, None), |(path, query)| (path, Some(query)));
    let mut parts: Vec<String> =
        path.split('/').filter(|part| !matches!(*part, "" | "." | "..")).map(str::to_owned).collect();
    parts.push(query.map_or("index.html".to_owned(), |query| format!("index.html?{}", query.replace('/', "%2F"))));
    let file = parts.len() - 1;
    for (at, part) in parts.iter_mut().enumerate() {
        // The file of the page `/` is called `index.html`, so the folder for the page `/index.html` needs another name.
        if at < file && part.to_ascii_lowercase().starts_with("index.html") {
            part.replace_range(..1, &format!("%{:02X}", part.as_bytes()[0]));
        }
        if part.len() > 200 {
            let hash = hash(part.as_bytes());
            let cut = (0..=150).rev().find(|at| part.is_char_boundary(*at)).unwrap_or_default();
            *part = format!("{}-{}", &part[..cut], &hash[..16]);
        }
    }
    parts
}

/// A name as a file name: characters that are not plain become %XX. A name too long for a file system is cut, and its hash appended to keep
/// it unique. A cut name keeps a short ending, which may be a language. It is longer than every uncut name, so it cannot be equal to one.
pub(super) fn file_name(name: &str) -> String {
    let mut safe = encoded_name(name);
    if safe.len() > LONGEST {
        let short = safe.rfind('.').filter(|dot| safe.len() - dot <= LONGEST_ENDING);
        let ending = safe.split_off(short.unwrap_or(safe.len()));
        safe.truncate(LONGEST - ending.len());
        safe = format!("{safe}-{}{ending}", &hash(name.as_bytes())[..16]);
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_leads_out_of_the_folder() {
        for (name, file) in [("posts.fr", "posts.fr"), ("../../x", "%2E.%2F..%2Fx"), ("a/b", "a%2Fb"), ("é", "%C3%A9")]
        {
            assert_eq!(file_name(name), file);
            assert!(!file_name(name).contains('/') && !file_name(name).starts_with('.'));
        }
        assert_eq!(file_name(&"x".repeat(120)), "x".repeat(120), "folders of earlier runs keep their names");
    }

    #[test]
    fn long_names_that_begin_alike_are_names_of_two_files() {
        let long = "x".repeat(130);
        let names = [long.clone(), format!("{long}y"), format!("{long}.fr"), format!("{long}.de"), file_name(&long)];
        let cyrillic = ["сотрудников", "факультета"].map(|end| format!("публикации-института-{end}"));
        let files: Vec<String> = names.iter().chain(&cyrillic).map(|name| file_name(name)).collect();
        assert_eq!(files.iter().collect::<std::collections::BTreeSet<_>>().len(), 7, "{files:?}");
        assert!(files.iter().all(|file| file.len() <= 140) && files[2].ends_with(".fr"), "{files:?}");
    }

    #[test]
    fn a_page_is_a_file_below_its_host() {
        assert_eq!(
            tree_path("https://a.example:8080/x/y/?p=1/../2"),
            ["a.example:8080", "x", "y", "index.html?p=1%2F..%2F2"]
        );
        assert_eq!(tree_path("https://a.example"), ["a.example", "index.html"]);
        assert_eq!(tree_path("https://a.example/index.html"), ["a.example", "%69ndex.html", "index.html"]);
        assert_eq!(
            tree_path("https://a.example/x/Index.html?p=1"),
            ["a.example", "x", "%49ndex.html", "index.html?p=1"]
        );
        assert!(tree_path(&format!("https://a.example/{}/", "é".repeat(300))).iter().all(|part| part.len() <= 255));
    }
}
