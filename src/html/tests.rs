//! Tests of text extraction: a table of hand-written cases with their expected results, properties, and a comparison with html5ever.

use super::*;
use crate::urls::PageUrl;
use serde_json::Value;
use std::path::Path;

mod against_html5ever;
mod properties;

fn options(case: &Value) -> Options {
    let is = |name: &str| case["options"][name].as_bool().unwrap_or(false);
    Options {
        wpextract: is("wpextract"),
        keep_captions: is("keep_captions"),
        without_tables: is("without_tables"),
        paragraphs: is("paragraphs"),
        strip_shortcodes: is("strip_shortcodes"),
    }
}

/// The differences between a list of records and the expected ones; only keys that are expected count.
fn differences(name: &str, found: &Value, expected: &Value, out: &mut Vec<String>) {
    let (found, none) = (found.as_array().unwrap(), Vec::new());
    let expected = expected.as_array().unwrap_or(&none);
    if found.len() != expected.len() {
        out.push(format!("{name}: {} instead of {}: {found:?}", found.len(), expected.len()));
    }
    for (number, (found, expected)) in found.iter().zip(expected).enumerate() {
        for (key, value) in expected.as_object().unwrap() {
            if &found[key] != value {
                out.push(format!("{name}[{number}].{key}: {} instead of {value}", found[key]));
            }
        }
    }
}

/// Cases in tests/data/content: NAME.html, and NAME.json with `text`, `links`, `images`, `embeds` and, where they matter, `page` and
/// `options`; `rule` and `verdict` state the purpose of the case. Lists that are not given must be empty.
#[test]
fn hand_written_cases_come_out_as_expected() {
    let mut names: Vec<_> = std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/content"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "html"))
        .collect();
    names.sort();
    assert!(names.len() > 30, "the cases are there");
    let failures: Vec<String> = names
        .iter()
        .map(|path| (path, wrong_of(path)))
        .filter(|(_, wrong)| !wrong.is_empty())
        .map(|(path, wrong)| format!("{}\n  {}", path.display(), wrong.join("\n  ")))
        .collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// The differences between the result of the case at `path` and its expectation.
fn wrong_of(path: &Path) -> Vec<String> {
    let html = std::fs::read_to_string(path).unwrap();
    let case = std::fs::read_to_string(path.with_extension("json")).unwrap();
    let case: Value = serde_json::from_str(&case).unwrap();
    let page = case["page"].as_str().map(|page| PageUrl::parse(page).unwrap());
    let mut extractor = Extractor::new(options(&case));
    let found = extractor.content(&html, page.as_ref());
    let mut wrong = Vec::new();
    if Some(found.text.as_str()) != case["text"].as_str() {
        wrong.push(format!("text: {:?} instead of {}", found.text, case["text"]));
    }
    let lists = serde_json::json!({"links": found.links, "images": found.images, "embeds": found.embeds});
    for name in ["links", "images", "embeds"] {
        differences(name, &lists[name], &case[name], &mut wrong);
    }
    if extractor.content(&html, page.as_ref()) != found {
        wrong.push("a second run gives something else".to_owned());
    }
    wrong
}

#[test]
fn short_texts_follow_the_same_rule() {
    let mut extractor = Extractor::new(Options::default());
    assert_eq!(extractor.text("Caf&eacute; &#8211; <em>one</em>  two\n"), "Café – one two");
    assert_eq!(extractor.text("plain"), "plain");
    assert_eq!(extractor.text(""), "");
}

/// A carriage return from a character reference is a space in CSS, in preformatted text, too.
#[test]
fn a_carriage_return_is_a_space() {
    let mut extractor = Extractor::new(Options::default());
    assert_eq!(extractor.text("<pre>a&#13;b&#xd;\nc</pre>"), "a b \nc");
    assert_eq!(extractor.text("<p>a&#13;b"), "a b");
}

#[test]
fn the_peer_parses_a_title_only_if_it_looks_like_html() {
    let mut extractor = Extractor::new(Options { wpextract: true, ..Options::default() });
    assert_eq!(extractor.text(" a  & b; "), " a  & b; ", "no reference, no tag: as it is");
    assert_eq!(extractor.text(" a &amp; b "), "a & b");
    assert_eq!(extractor.text("a<p>b<br>c<script>d</script><figcaption>e</figcaption>"), "abce");
}
