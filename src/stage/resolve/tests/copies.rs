//! Tests copies, records that repeat the text of another language: how the original is found, which
//! language a copy gets, and how it is marked.

use super::*;

/// A page of the post with id 1.
fn page(path: &str, tag: &str, text: &str) -> Value {
    let page = with(with(post(0, path), "kind", json!("html")), "type", json!("html"));
    let page = with(with(page, "id", NONE), "same", json!({"type": "post", "id": 1}));
    let page = if tag.is_empty() { page } else { with(page, "language", json!(tag)) };
    with(with(page, "language_source", json!("html")), "content", json!({"text": text}))
}

/// Adds a list of all translations to its head.
fn listing(record: Value, all: &[(&str, &str)]) -> Value {
    let others = all.iter().filter(|(_, path)| record["link"] != format!("https://e.org{path}"));
    let list: Vec<Value> = others.map(|(tag, path)| translation(tag, &format!("https://e.org{path}"))).collect();
    with(record, "translations", json!(list))
}

fn of(link: &str, id: Option<i64>) -> Value {
    json!({"type": if id.is_some() { "post" } else { "html" }, "id": id, "link": format!("https://e.org{link}")})
}

fn language_and_copy(record: &Value) -> (&str, &str, &Value, &Value) {
    let text = |key: &str| record[key].as_str().unwrap_or("-");
    (text("language"), text("copy_source"), &record["copy_of"], &record["translation_group"])
}

const ENGLISH: &str = "The harbour opens at seven and closes at nine in the evening";
const FRENCH: &str = "Le port ouvre à sept heures et ferme à neuf heures du soir";

#[test]
fn pages_of_one_id_are_records_and_fallbacks_are_none() {
    let said = json!([translation("fr", "https://e.org/fr/a/"), translation("de", "https://e.org/de/a/")]);
    let first = with(with(post(1, "/a/"), "translations", said), "content", json!({"text": "Words of the original"}));
    let records = [
        with(first, "language", json!("en")),
        page("/fr/a/", "fr", "Mots du texte"),
        page("/de/a/", "de", "\u{ab}Words\u{bb} of the original!"),
    ];
    let out = resolve(&records);
    let list = out[0]["translations"].as_array().unwrap();
    assert_eq!(list.len(), 1);
    assert_eq!(list[0]["target"], of("/fr/a/", None));
    assert_eq!(language_and_copy(&out[1]), ("fr", "-", &target(), &json!("post:https://e.org/a/")));
    assert_eq!(language_and_copy(&out[2]), ("de", "words", &of("/a/", Some(1)), &NONE));
    assert_eq!(resolve(&out), out);
}

/// The dump lacks the default language, so that its page is not in it; the order of the records does not reveal the original.
#[test]
fn the_page_outside_of_language_directories_is_the_original() {
    let all = [("en", "/a/"), ("de", "/de/a/"), ("fr", "/fr/a/")];
    let german = with(with(post(1, "/de/a/"), "language", json!("de")), "content", json!({"text": ENGLISH}));
    let records = [german, page("/a/", "en", ENGLISH), page("/fr/a/", "fr", FRENCH)].map(|page| listing(page, &all));
    let out = resolve(&records);
    assert_eq!(language_and_copy(&out[0]), ("de", "words", &of("/a/", None), &NONE));
    assert_eq!(language_and_copy(&out[1]), ("en", "-", &target(), &json!("html:https://e.org/a/")));
    assert_eq!(language_and_copy(&out[2]).3, &json!("html:https://e.org/a/"));
    assert_eq!(resolve(&out), out);
}

/// Both pages are in directories, and "d" comes before "e", so only x-default shows which one is the original.
#[test]
fn x_default_names_the_original() {
    let all = [("en", "/en/a/"), ("de", "/de/a/"), ("fr", "/fr/a/")];
    let pages = [page("/de/a/", "de", ENGLISH), page("/en/a/", "en", ENGLISH), page("/fr/a/", "fr", FRENCH)];
    let records = pages.map(|page| with(listing(page, &all), "x_default", json!("http://www.e.org/en/a/")));
    let out = resolve(&records);
    assert_eq!(language_and_copy(&out[0]), ("de", "words", &of("/en/a/", None), &NONE));
    assert_eq!(language_and_copy(&out[1]), ("en", "-", &target(), &json!("html:https://e.org/en/a/")));
    assert_eq!(language_and_copy(&out[2]).3, &json!("html:https://e.org/en/a/"));
    assert_eq!(out[1]["translations"].as_array().unwrap().len(), 1);
    assert_eq!(resolve(&out), out);
    // Pages that contradict each other name no original.
    let mut torn = records.clone();
    torn[0]["x_default"] = json!("https://e.org/de/a/");
    assert_eq!(resolve(&torn).iter().filter(|record| record["copy_source"] != NONE).count(), 0);
}

#[test]
fn pages_of_one_text_without_an_original_are_not_translations_of_each_other() {
    let all = [("en", "/en/a/"), ("de", "/de/a/"), ("fr", "/fr/a/")];
    let pages = [page("/de/a/", "de", ENGLISH), page("/en/a/", "en", ENGLISH), page("/fr/a/", "fr", FRENCH)];
    let out = resolve(&pages.map(|page| listing(page, &all)));
    assert_eq!(out.iter().map(|record| language_and_copy(record).0).collect::<Vec<_>>(), ["de", "en", "fr"]);
    assert!(out.iter().all(|record| language_and_copy(record).1 == "-"));
    let goals = |at: usize| -> Vec<&str> {
        let list = out[at]["translations"].as_array().unwrap().iter();
        list.filter_map(|said| said["target"]["link"].as_str()).collect()
    };
    let is_pair = |at: usize, path: &str| goals(at).contains(&format!("https://e.org{path}").as_str());
    assert!(!is_pair(0, "/en/a/") && !is_pair(1, "/de/a/"));
    assert!(is_pair(2, "/de/a/") != is_pair(2, "/en/a/"), "{:?}", goals(2));
    assert_eq!(resolve(&out), out);
}

#[test]
fn a_copy_without_a_language_takes_that_of_the_original() {
    let pages = [page("/de/a/", "", ENGLISH), page("/a/", "en", ENGLISH), page("/de/b/", "de", FRENCH)];
    let mut records = [pages.to_vec(), vec![with(post(5, "/de/c/"), "language", json!("de"))]].concat();
    records[2]["same"] = json!({"type": "post", "id": 2});
    let out = resolve(&records);
    assert_eq!((&out[0]["language"], &out[0]["language_source"]), (&json!("en"), &json!("copy")));
    assert_eq!(language_and_copy(&out[0]).2, &of("/a/", None));
    assert_eq!(resolve(&out), out);
    // A language derived from the URL is not declared either.
    records[0] = with(with(records[0].clone(), "language", json!("de")), "language_source", json!("url"));
    assert_eq!(resolve(&records)[0]["language"], "en");
}

#[test]
fn a_notice_makes_a_copy_of_nobody() {
    let all = [("en", "/a/"), ("de", "/de/a/"), ("fr", "/fr/a/")];
    let pages = [page("/a/", "en", ENGLISH), page("/de/a/", "de", "Leider nur auf"), page("/fr/a/", "fr", FRENCH)];
    let mut records = pages.map(|page| listing(page, &all));
    records[1]["copy_source"] = json!("notice");
    let out = resolve(&records);
    assert_eq!(language_and_copy(&out[1]), ("de", "notice", &target(), &NONE));
    assert_eq!(language_and_copy(&out[2]).3, &json!("html:https://e.org/a/"));
    assert_eq!(resolve(&out), out);
    // The notice, followed by the words of the original; a wrong `copy_source` is corrected.
    records[1]["content"]["text"] = json!(format!("{ENGLISH} ! "));
    records[0]["copy_source"] = json!("words");
    let out = resolve(&records);
    assert_eq!(language_and_copy(&out[1]), ("de", "notice", &of("/a/", None), &NONE));
    assert_eq!(language_and_copy(&out[0]).1, "-");
}

/// Without an id, the pages are not known to be one post. In two variants of one language, true translations may have the same
/// words.
#[test]
fn pages_without_an_id_are_compared_in_two_languages() {
    let text = |word: &str| (0..40).map(|n| format!("{word}{n} ")).collect::<String>();
    let refused = |tags: [&str; 2], texts: [String; 2]| {
        let all = [(tags[0], "/a/"), (tags[1], "/b/a/")];
        let pages = [page("/a/", tags[0], &texts[0]), page("/b/a/", tags[1], &texts[1])];
        let out = resolve(&pages.map(|page| with(listing(page, &all), "same", json!({"type": NONE, "id": NONE}))));
        out[0]["translation_group"] == NONE
    };
    assert!(refused(["ja", "en"], [text("a"), text("a")]));
    assert!(!refused(["ja", "en"], [text("a"), text("b")]));
    assert!(!refused(["en-US", "en-GB"], [text("a"), text("a")]));
}

/// The front page of a language has two URLs: the one to which others refer keeps its translations.
#[test]
fn the_original_of_a_text_repeated_in_its_language_is_the_page_that_others_name() {
    let english = page("/en/", "en", ENGLISH);
    let pages = [page("/about/", "en", ENGLISH), english, page("/fr/", "fr", FRENCH)];
    let mut records = pages.map(|page| listing(page, &[("en", "/en/"), ("fr", "/fr/")]));
    records[0]["translations"] = json!([]);
    let out = resolve(&records);
    assert_eq!((language_and_copy(&out[0]).1, language_and_copy(&out[0]).2), ("words", &of("/en/", None)));
    assert_eq!([0, 1, 2].map(|at| language_and_copy(&out[at]).3 == &NONE), [true, false, false]);
    assert_eq!(resolve(&out), out);
}

/// Records with two ids in directories of languages, with or without a language; their short texts differ in a few words or not
/// at all.
#[test]
fn copies_of_short_texts_are_the_same_when_they_are_resolved_again() {
    let mut state = 7_u64;
    let mut below = |n: usize| {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        (state >> 33) as usize % n
    };
    let mut copies = 0;
    for round in 0..400 {
        let records: Vec<Value> = (0..2 + below(5))
            .map(|at| {
                let folder = ["", "/de", "/ar", "/blog/ar"][below(4)];
                let path = format!("{folder}/p{at}/");
                let text = [ENGLISH, FRENCH, "The harbour opens at six and closes at nine in the evening"][below(3)];
                let text = if below(3) == 0 { text.replace("nine", "ten") } else { text.to_owned() };
                let tag = ["", "de", "ar", "en"][below(4)];
                let record = if below(2) == 0 {
                    page(&path, tag, &text)
                } else {
                    let post = with(post(1 + below(2) as i64, &path), "content", json!({"text": text}));
                    if tag.is_empty() { post } else { with(post, "language", json!(tag)) }
                };
                let source = if tag.is_empty() { NONE } else { json!(["html", "hreflang"][below(2)]) };
                let record = with(record, "language_source", source);
                let led = format!("https://e.org{}/p{}/", ["", "/de", "/ar"][below(3)], below(6));
                let led = translation(["de", "ar", "en"][below(3)], &led);
                if below(2) == 0 { with(record, "translations", json!([led])) } else { record }
            })
            .collect();
        let out = resolve(&records);
        copies += out.iter().filter(|record| record["copy_source"] != NONE).count();
        assert_eq!(resolve(&out), out, "{round}: {records:?}");
    }
    assert!(copies > 100, "{copies}");
}
