//! Tests sites with two tags for one language, such as `es` and `es-ES`.

use super::*;

fn tagged(id: i64, path: &str, tag: &str) -> Value {
    with(with(post(id, path), "language", json!(tag)), "language_source", json!("html"))
}

fn tags(records: &[Value]) -> Vec<Value> {
    let out = resolve(records);
    assert_eq!(resolve(&out), out, "a second run changes nothing");
    let mut reverse: Vec<Value> = resolve(&records.iter().rev().cloned().collect::<Vec<_>>());
    reverse.reverse();
    assert_eq!(reverse, out, "whatever the order");
    out.iter().map(|record| record["language"].clone()).collect()
}

#[test]
fn a_tag_with_and_without_the_region_is_one_language() {
    let mixed = [tagged(1, "/a/", "es-ES"), tagged(2, "/b/", "es"), tagged(3, "/c/", "es-ES")];
    assert_eq!(tags(&mixed), ["es-ES", "es-ES", "es-ES"]);
    let mixed = [tagged(1, "/a/", "es"), tagged(2, "/b/", "es"), tagged(3, "/c/", "es-ES")];
    assert_eq!(tags(&mixed), ["es", "es", "es"]);
    // Together they reveal the language of their directory.
    let site = [
        tagged(1, "/es/a/", "es-ES"),
        tagged(2, "/es/b/", "es"),
        post(3, "/es/c/"),
        tagged(4, "/d/", "en"),
        tagged(5, "/e/", "en"),
    ];
    assert_eq!(tags(&site), ["es-ES", "es-ES", "es-ES", "en", "en"]);
    // Another record states `pt` for /x/, although all others declare `pt-BR`.
    let stated = with(tagged(4, "/d/", "en"), "translations", json!([translation("pt", "https://e.org/x/")]));
    let site = [tagged(1, "/um/", "pt-BR"), tagged(2, "/dois/", "pt-BR"), post(3, "/x/"), stated];
    assert_eq!(tags(&site), ["pt-BR", "pt-BR", "pt-BR", "en"]);
}

#[test]
fn tags_of_different_versions_stay_two_languages() {
    // two regions; scripts; variants
    for others in [["es-MX", "es-ES", "es"], ["sr-Latn", "sr", "sr"], ["de-DE-formal", "de", "de"]] {
        let [a, b, c] = others;
        assert_eq!(tags(&[tagged(1, "/a/", a), tagged(2, "/b/", b), tagged(3, "/c/", c)]), others);
    }
    // each in a directory of its own
    let site = [
        tagged(1, "/en/a/", "en"),
        tagged(2, "/en/b/", "en"),
        tagged(3, "/en-gb/a/", "en-GB"),
        tagged(4, "/en-gb/b/", "en-GB"),
    ];
    assert_eq!(tags(&site), ["en", "en", "en-GB", "en-GB"]);
    // translations of each other
    let stated = with(tagged(1, "/a/", "en"), "translations", json!([translation("en-GB", "https://e.org/b/")]));
    assert_eq!(tags(&[stated, tagged(2, "/b/", "en-GB")]), ["en", "en-GB"]);
}

proptest! {
    #![proptest_config(crate::cases::cases(400))]

    #[test]
    fn tags_that_were_united_stay_so(
        records in prop::collection::vec((0..5usize, 0..4usize, prop::collection::vec((0..8usize, 0..4usize), 0..3)), 1..8),
    ) {
        let tag = [None, Some("en"), Some("en-GB"), Some("fr"), Some("en-US")];
        let place = ["", "/en", "/en-gb", "/fr"];
        let path = |place: &str, id: usize| format!("{place}/p{id}/");
        let places: Vec<&str> = records.iter().map(|(_, at, _)| place[*at]).collect();
        let made = records.iter().enumerate().map(|(id, (language, at, stated))| {
            let said = stated.iter().filter_map(|&(to, language)| {
                let href = format!("https://e.org{}", path(places.get(to)?, to));
                Some(translation(tag[language].unwrap_or("en"), &href))
            });
            let record = with(post(id as i64, &path(place[*at], id)), "translations", said.collect());
            let source = tag[*language].map(|_| "html");
            with(with(record, "language", json!(tag[*language])), "language_source", json!(source))
        });
        let made: Vec<Value> = made.collect();
        let once = resolve(&made);
        prop_assert_eq!(resolve(&once), once);
    }
}
