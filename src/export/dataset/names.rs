//! Maps records to files, by kind and type, and encodes unusual type names as file names. The folder with the files detects
//! clashes of two types.

use crate::digest::{Sha256, hex};
use crate::urls::{encoded_name, percent_decoded};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

/// The types of WordPress' own REST API and the stems of their files, in the order of a manifest. These files are always
/// written, so that programs find them in every dataset, for example even if a site has no comments.
pub(crate) use crate::wordpress::STANDARD;

/// The manifest of a dataset, in its folder.
pub(crate) const MANIFEST: &str = "manifest.json";

pub(crate) const METADATA: &str = "metadata.tsv";

/// Scraped pages that state no type and id of a post: their file is written only if there are any.
const HTML: (&str, &str, &str) = ("html", "html", "html");

/// The kind of wp-diff's records: all are in one file, whatever the types of the changed records.
pub(crate) const CHANGE: &str = "change";

/// Pairs of documents, sentence by sentence: all are in one file, whatever the type of the documents.
const ALIGNMENT: (&str, &str, &str) = ("alignment", "alignment", "alignments");

/// The kind and type under which a record is filed: its own, or inferred ones if one of the two is missing. `None` if the type
/// is unknown.
pub(crate) fn kind_and_type<'a>(kind: Option<&'a str>, r#type: Option<&'a str>) -> Option<(&'a str, &'a str)> {
    let present = |word: Option<&'a str>| word.filter(|w| !w.is_empty());
    match (present(kind), present(r#type)) {
        (Some("alignment"), _) => Some((ALIGNMENT.0, ALIGNMENT.1)),
        (Some(kind), Some(r#type)) => Some((kind, r#type)),
        (None, Some(r#type)) => {
            let known = STANDARD.iter().chain([&HTML]).find(|(_, t, _)| *t == r#type);
            Some((known.map_or("", |(kind, ..)| kind), r#type))
        }
        (Some(kind @ ("media" | "user" | "comment" | "html")), None) => Some((kind, kind)),
        (_, None) => None,
    }
}

/// The stem of a type's file: `posts`, `pages` …, `TYPE` for a custom post type, `TYPE-terms` for a custom taxonomy.
pub(crate) fn stem(kind: &str, r#type: &str) -> String {
    let known = STANDARD.iter().chain([&HTML, &ALIGNMENT]).find(|(k, t, _)| (*k, *t) == (kind, r#type));
    match known {
        Some((.., stem)) => (*stem).to_owned(),
        None if kind == CHANGE => "changes".to_owned(),
        None if kind == "term" => part(r#type) + "-terms",
        None => part(r#type),
    }
}

/// Encodes a word as a folder or the start of a file name that every file system accepts. The result has no dot at the end, is
/// neither one of the [names that Windows reserves for devices](https://learn.microsoft.com/windows/win32/fileio/naming-a-file)
/// (`con` is also a language, Cofán) nor the name of a file of ours, and has at most 100 bytes: the end of a longer word is
/// replaced by a hash.
pub(crate) fn part(word: &str) -> String {
    const LONGEST: usize = 100;
    let mut part = encoded_name(word);
    if part.ends_with('.') {
        part.truncate(part.len() - 1);
        part.push_str("%2E");
    }
    let stem = part.split('.').next().unwrap_or_default().to_ascii_lowercase();
    let numbered =
        |name: &str| stem.strip_prefix(name).is_some_and(|n| n.len() == 1 && n.as_bytes()[0].is_ascii_digit());
    let device = matches!(stem.as_str(), "con" | "prn" | "aux" | "nul") || numbered("com") || numbered("lpt");
    if device || [MANIFEST, METADATA].iter().any(|ours| part.eq_ignore_ascii_case(ours)) {
        part = format!("%{:02X}{}", part.as_bytes()[0], &part[1..]);
    }
    if part.len() > LONGEST {
        part.truncate(LONGEST - 17);
        part = format!("{part}-{:016x}", xxh3_64(word.as_bytes()));
    }
    part
}

/// Encodes a slug as a file name: letters and digits of any script stay, as do `-` and `_`; the end of a long one is replaced
/// by a hash. WordPress keeps slugs percent-encoded. `None` if the result is empty.
pub(crate) fn slug(encoded: &str) -> Option<String> {
    const LONGEST: usize = 100;
    let text = percent_decoded(encoded);
    let text = text.as_deref().unwrap_or(encoded);
    let plain = |c: char| if c.is_alphanumeric() || matches!(c, '-' | '_') { c } else { '-' };
    let mut name: String = text.chars().map(plain).collect::<String>().trim_matches('-').to_owned();
    if name.len() > LONGEST {
        let end = (0..=LONGEST - 17).rev().find(|at| name.is_char_boundary(*at)).unwrap_or_default();
        name.truncate(end);
        name = format!("{name}-{:016x}", xxh3_64(encoded.as_bytes()));
    }
    if name.is_ascii() && !name.is_empty() {
        name = part(&name);
    }
    (!name.is_empty()).then_some(name)
}

/// Encodes a language for file names: `pt_BR`, as in OPUS, so that `en-pt_BR` is unambiguous. Users may set a record's tag to
/// any text: characters other than ASCII letters and digits become `_`, and the end of a tag longer than
/// [any tag needs to be](https://www.rfc-editor.org/rfc/rfc5646#section-4.4.1) becomes a hash.
fn language(language: &str) -> String {
    const LONGEST: usize = 35;
    let mut name: String = language.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    if name.len() > LONGEST {
        name.truncate(LONGEST - 17);
        name = format!("{name}_{:016x}", xxh3_64(language.as_bytes()));
    }
    name
}

/// The names that are in use in a folder. Names that differ only in case count as the same, as they are on some file systems.
#[derive(Debug, Default)]
pub(crate) struct Taken(HashMap<u128, u64>);

impl Taken {
    /// Reserves this name. If it is in use, appends a hash of `stands_for`; if that is in use, too, a longer hash, for which
    /// collisions cannot be constructed; and a number as well if the same text was named before.
    pub(crate) fn unique(&mut self, name: String, separator: char, stands_for: &str) -> String {
        if self.take(&name) {
            return name;
        }
        let short = format!("{name}{separator}{:016x}", xxh3_64(stands_for.as_bytes()));
        if self.take(&short) {
            return short;
        }
        let long = format!("{name}{separator}{}", digest(stands_for));
        if self.take(&long) {
            return long;
        }
        loop {
            let number = self.0.entry(hash_of(&long)).or_default();
            *number += 1;
            let numbered = format!("{long}{separator}{}", *number + 1);
            if self.take(&numbered) {
                return numbered;
            }
        }
    }

    fn take(&mut self, name: &str) -> bool {
        let entry = self.0.entry(hash_of(name));
        let is_free = matches!(entry, Entry::Vacant(_));
        entry.or_default();
        is_free
    }
}

fn hash_of(name: &str) -> u128 {
    xxh3_128(name.to_lowercase().as_bytes())
}

/// The first 32 hexadecimal digits of a text's SHA-256.
pub(crate) fn digest(text: &str) -> String {
    hex(&Sha256::digest(text.as_bytes())[..16])
}

/// The names by which sites or languages appear in file names, one for each word.
#[derive(Debug)]
pub(crate) struct Names {
    taken: Taken,
    of: HashMap<String, String>,
    encode: fn(&str) -> String,
    separator: char,
}

impl Names {
    /// Names for languages, as [`language`] encodes them.
    pub(crate) fn of_languages() -> Self {
        Names { taken: Taken::default(), of: HashMap::new(), encode: language, separator: '_' }
    }

    /// Names for sites, as folders.
    pub(crate) fn of_sites() -> Self {
        let encode = |site: &str| part(if site.is_empty() { "unknown" } else { site });
        Names { taken: Taken::default(), of: HashMap::new(), encode, separator: '-' }
    }

    /// The name of a word. If several words have the same encoding, the first one gets it unchanged.
    pub(crate) fn name(&mut self, word: &str) -> &str {
        if !self.of.contains_key(word) {
            let name = self.taken.unique((self.encode)(word), self.separator, word);
            self.of.insert(word.to_owned(), name);
        }
        &self.of[word]
    }

    /// The name of a word that has already been named.
    pub(crate) fn known(&self, word: &str) -> Option<&str> {
        self.of.get(word).map(String::as_str)
    }

    /// Whether the words are sites, not languages.
    pub(crate) fn are_of_sites(&self) -> bool {
        self.separator == '-'
    }

    /// The words whose names differ from their plain encoding, with these names, sorted.
    pub(crate) fn changed(&self) -> Vec<(&str, &str)> {
        let mut changed: Vec<(&str, &str)> =
            self.of.iter().filter(|(word, name)| (self.encode)(word) != **name).map(|(w, n)| (&**w, &**n)).collect();
        changed.sort_unstable();
        changed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn a_missing_kind_or_type_follows_from_the_other() {
        assert_eq!(kind_and_type(None, Some("page")), Some(("post", "page")));
        assert_eq!(kind_and_type(None, Some("product")), Some(("", "product")));
        assert_eq!(kind_and_type(Some("user"), None), Some(("user", "user")));
        assert_eq!(kind_and_type(Some("post"), None), None);
        assert_eq!(kind_and_type(Some("post"), Some("")), None);
    }

    #[test]
    fn custom_types_and_taxonomies_have_files_of_their_own() {
        assert_eq!(stem("post", "product"), "product");
        assert_eq!(stem("term", "genre"), "genre-terms");
        assert_eq!(stem("term", "tag"), "tags");
        assert_eq!(stem("widget", "post"), "post");
    }

    #[test]
    fn no_type_leads_out_of_the_folder() {
        assert_eq!(stem("post", "../x"), "%2E.%2Fx");
        assert_eq!(stem("post", ".hidden"), "%2Ehidden");
        assert_eq!(stem("post", "a b%é"), "a%20b%25%C3%A9");
    }

    #[test]
    fn parts_of_paths_are_safe_on_any_file_system() {
        assert_eq!(part("pt-BR"), "pt-BR");
        assert_eq!(part("harbour.example:8080"), "harbour.example%3A8080");
        assert_eq!(part(".."), "%2E%2E");
        assert_eq!(part("a."), "a%2E");
        assert_eq!([part("con"), part("Aux.x"), part("lpt1"), part("coml")], ["%63on", "%41ux.x", "%6Cpt1", "coml"]);
        assert_eq!([part("Manifest.json"), part("metadata.TSV")], ["%4Danifest.json", "%6Detadata.TSV"]);
        let long = |end: &str| part(&("é".repeat(100) + end));
        assert!(long("a").len() == 100 && long("a") != long("b"));
    }

    #[test]
    fn no_language_leads_out_of_a_folder() {
        assert_eq!(language("pt-BR"), "pt_BR");
        assert_eq!(language("../x"), "___x");
        let long = |end: &str| language(&("é".repeat(300) + end));
        assert!(long("a").len() == 35 && long("a") != long("b"));
    }

    #[test]
    fn no_two_words_have_one_name() {
        let mut names = Names::of_languages();
        let given: Vec<String> =
            ["en-US", "en-us", "en_US", "en-US", "EN-us"].iter().map(|tag| names.name(tag).to_owned()).collect();
        assert_eq!((&*given[0], &given[1][..6], &given[2][..6]), ("en_US", "en_us_", "en_US_"));
        assert_eq!(given[0], given[3]);
        let distinct: HashSet<String> = given.iter().map(|name| name.to_lowercase()).collect();
        assert_eq!((distinct.len(), names.changed().len()), (4, 3));
    }

    #[test]
    fn a_name_that_looks_like_a_hash_is_given_only_once() {
        let mut taken = Taken::default();
        let names: Vec<String> = ["x", "y", "y", "y"].map(|of| taken.unique("a".into(), '-', of)).to_vec();
        assert_eq!((&*names[0], names[1].len(), names[2].len()), ("a", 18, 34));
        assert_eq!(names[3], format!("{}-2", names[2]));
        assert!(taken.unique(names[1].clone(), '-', "z").len() > 18);
    }
}
