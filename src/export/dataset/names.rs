//! The file that a record belongs to, by its kind and type, and the encoding of odd type names as file names. The
//! folder with the files notices if two types clash.

use std::fmt::Write as _;
use xxhash_rust::xxh3::xxh3_64;

/// The types of WordPress' own REST API and the stems of their files, in the order of a manifest. These files are
/// always written, so that what reads a dataset finds them whether a site has comments or not.
pub(crate) const STANDARD: [(&str, &str, &str); 7] = [
    ("post", "post", "posts"),
    ("post", "page", "pages"),
    ("media", "media", "media"),
    ("term", "category", "categories"),
    ("term", "tag", "tags"),
    ("user", "user", "users"),
    ("comment", "comment", "comments"),
];

/// The manifest of a dataset, in its folder.
pub(crate) const MANIFEST: &str = "manifest.json";

/// The table beside texts.
pub(crate) const METADATA: &str = "metadata.tsv";

/// Scraped pages without a record of their own: their file is written when there are any.
const HTML: (&str, &str, &str) = ("html", "html", "html");

/// The kind and type a record is filed under: what it says, and what follows from it where one of the two is missing.
/// None if nothing tells the type.
pub(crate) fn kind_and_type<'a>(kind: Option<&'a str>, r#type: Option<&'a str>) -> Option<(&'a str, &'a str)> {
    let present = |word: Option<&'a str>| word.filter(|w| !w.is_empty());
    match (present(kind), present(r#type)) {
        (Some(kind), Some(r#type)) => Some((kind, r#type)),
        (None, Some(r#type)) => {
            let known = STANDARD.iter().chain([&HTML]).find(|(_, t, _)| *t == r#type);
            Some((known.map_or("", |(kind, ..)| kind), r#type))
        }
        (Some(kind @ ("media" | "user" | "comment" | "html")), None) => Some((kind, kind)),
        (_, None) => None,
    }
}

/// The stem of a type's file where another type has the one of [`stem`]: of another kind, or in other letters that some file
/// systems do not tell apart.
pub(crate) fn stem_apart(kind: &str, r#type: &str) -> String {
    format!("{}-{:016x}", stem(kind, r#type), xxh3_64(format!("{kind} {type}").as_bytes()))
}

/// The stem of a type's file: `posts`, `pages` …, `TYPE` for a custom post type, `TYPE-terms` for a custom taxonomy.
pub(crate) fn stem(kind: &str, r#type: &str) -> String {
    let known = STANDARD.iter().chain([&HTML]).find(|(k, t, _)| (*k, *t) == (kind, r#type));
    match known {
        Some((.., stem)) => (*stem).to_owned(),
        None if kind == "term" => part(r#type) + "-terms",
        None => part(r#type),
    }
}

/// Letters, digits, `_`, `-` and `.` (not in front) stay; any other byte becomes `%XX`, as in a URL.
fn encode(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for (i, byte) in name.bytes().enumerate() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-') || (byte == b'.' && i > 0) {
            out.push(char::from(byte));
        } else {
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}

/// A word as a folder or the start of a file's name that every file system takes: encoded, no dot at the end, none of the
/// names that [Windows keeps for devices](https://learn.microsoft.com/windows/win32/fileio/naming-a-file) (`con` is also a
/// language, Cofán), not that of a file of ours, and at most 100 bytes: of a longer word the end is replaced by a hash.
pub(crate) fn part(word: &str) -> String {
    const LONGEST: usize = 100;
    let mut part = encode(word);
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

/// A language in the name of a file: `pt_BR`, as in OPUS, so that `en-pt_BR` is unambiguous. Users may set a record's tag to
/// any text: what is neither a letter nor a digit becomes `_`, and the end of what is longer than
/// [any tag needs to be](https://www.rfc-editor.org/rfc/rfc5646#section-4.4.1) becomes a hash.
pub(crate) fn language(language: &str) -> String {
    const LONGEST: usize = 35;
    let mut name: String = language.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    if name.len() > LONGEST {
        name.truncate(LONGEST - 17);
        name = format!("{name}_{:016x}", xxh3_64(language.as_bytes()));
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_kind_or_type_is_told_by_the_other() {
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
}
