//! Tests which terms count as translations of each other, judged by their slugs and posts.

use super::*;

/// A term at its URL: English has no directory, `br` is the directory of pt-BR.
fn term(id: i64, taxonomy: &str, path: &str) -> Value {
    let slug = path.trim_end_matches('/').rsplit('/').next().unwrap();
    let of = json!({"language": NONE, "language_source": NONE, "translations": [], "translation_group": NONE});
    let mut record = other("term", taxonomy, id, path, slug);
    record.as_object_mut().unwrap().extend(of.as_object().unwrap().clone());
    record
}

/// Translations of one post in the given languages, each with its terms.
fn posts(first: i64, languages: &[(&str, &[i64])]) -> Vec<Value> {
    let path = |tag: &str, id: i64| match tag {
        "en-GB" => format!("/p{id}/"),
        "pt-BR" => format!("/br/p{id}/"),
        tag => format!("/{}/p{id}/", &tag[..2]),
    };
    let ids = || languages.iter().zip(first..);
    let one = |(&(tag, terms), id): (&(&str, &[i64]), i64)| {
        let said = ids().filter(|(_, other)| *other != id);
        let said = said.map(|((tag, _), id)| translation(tag, &format!("https://e.org{}", path(tag, id)))).collect();
        let record = with(with(post(id, &path(tag, id)), "language", json!(tag)), "translations", said);
        with(with(record, "language_source", json!("html")), "categories", json!(terms))
    };
    ids().map(one).collect()
}

/// The translations of all terms: for each, the ids of its translations, with the evidence.
fn known(records: &[Value]) -> Vec<(i64, Vec<(i64, String)>)> {
    let out = resolve(records);
    assert_eq!(resolve(&out), out, "a second run changes nothing");
    let shuffled: Vec<Value> = records.iter().rev().cloned().collect();
    let by_id = |records: Vec<Value>| -> Vec<(i64, Vec<(i64, String)>)> {
        let number = |value: &Value| value.as_i64().unwrap_or(0);
        let one = |said: &Value| (number(&said["target"]["id"]), said["source"].as_str().unwrap().to_owned());
        let terms = records.iter().filter(|record| record["kind"] == "term");
        let all = |record: &Value| record["translations"].as_array().into_iter().flatten().map(one).collect();
        let mut terms: Vec<_> = terms.map(|record| (number(&record["id"]), all(record))).collect();
        terms.sort();
        terms
    };
    assert_eq!(by_id(resolve(&shuffled)), by_id(out.clone()), "whatever the order");
    by_id(out)
}

fn expected(of: &[(i64, &[(i64, &str)])]) -> Vec<(i64, Vec<(i64, String)>)> {
    of.iter().map(|(id, said)| (*id, said.iter().map(|(id, why)| (*id, why.to_string())).collect())).collect()
}

/// Enough posts to identify the directories of three languages.
fn base() -> Vec<Value> {
    [
        posts(900, &[("en-GB", &[]), ("de-DE", &[]), ("pt-BR", &[])]),
        posts(910, &[("en-GB", &[]), ("de-DE", &[]), ("pt-BR", &[])]),
    ]
    .concat()
}

#[test]
fn terms_of_one_slug_with_the_codes_of_their_languages_are_translations() {
    let terms = [
        term(1, "category", "/category/news/"),
        term(2, "category", "/de/category/news-de/"),
        term(3, "category", "/br/category/news-br/"),
        // both have codes; there is no term in English
        term(4, "tag", "/de/tag/boats-de/"),
        term(5, "tag", "/br/tag/boats-pt/"),
        // another taxonomy; a code of another language; two terms in one language
        term(6, "tag", "/br/tag/news-br/"),
        term(7, "tag", "/de/tag/boats-br/"),
        term(8, "category", "/category/sport/"),
        term(9, "category", "/de/category/a/sport-de/"),
        term(10, "category", "/de/category/b/sport-de/"),
    ];
    let want: &[(i64, &[(i64, &str)])] = &[
        (1, &[(2, "slug"), (3, "slug")]),
        (2, &[(1, "slug"), (3, "slug")]),
        (3, &[(1, "slug"), (2, "slug")]),
        (4, &[(5, "slug")]),
        (5, &[(4, "slug")]),
        (6, &[]),
        (7, &[]),
        (8, &[]),
        (9, &[]),
        (10, &[]),
    ];
    assert_eq!(known(&[base(), terms.to_vec()].concat()), expected(want));
}

#[test]
fn terms_that_translated_posts_have_are_translations() {
    let terms = [
        term(1, "category", "/category/news/"),
        term(2, "category", "/de/category/nachrichten/"),
        term(3, "category", "/category/sport/"),
        term(4, "category", "/de/category/vermischtes/"),
        // the default category
        term(5, "category", "/br/category/uncategorized-br/"),
        // shares nearly as many posts with one term as with the other
        term(6, "category", "/category/a/"),
        term(7, "category", "/category/b/"),
        term(8, "category", "/de/category/ab/"),
    ];
    let pair =
        |first, en: &'static [i64], de: &'static [i64]| posts(first, &[("en-GB", en), ("de-DE", de), ("pt-BR", &[5])]);
    let sites = [
        base(),
        terms.to_vec(),
        pair(100, &[1], &[2]),
        pair(110, &[1], &[2]),
        // once is not enough
        pair(120, &[3], &[4]),
        pair(130, &[6], &[8]),
        pair(140, &[6], &[8]),
        pair(150, &[7], &[8]),
    ];
    let want: &[(i64, &[(i64, &str)])] =
        &[(1, &[(2, "posts")]), (2, &[(1, "posts")]), (3, &[]), (4, &[]), (5, &[]), (6, &[]), (7, &[]), (8, &[])];
    assert_eq!(known(&sites.concat()), expected(want));
    // it is enough if three pairs of the taxonomy are known, and the posts have no other term
    let more = [
        term(11, "category", "/category/more/"),
        term(12, "category", "/de/category/more-de/"),
        term(13, "category", "/category/most/"),
        term(14, "category", "/de/category/most-de/"),
    ];
    let out = known(&[sites.concat(), more.to_vec(), pair(160, &[11, 13], &[12])].concat());
    assert_eq!(out[2..4], expected(&[(3, &[(4, "posts")]), (4, &[(3, "posts")])]));
}

/// A post in all categories proves nothing; pairs of such posts would take time with the square of their terms.
#[test]
fn posts_with_many_terms_tell_nothing() {
    let site = |count: i64| {
        let path = |id: i64| if id < 100 { format!("/category/c{id}/") } else { format!("/de/category/d{id}/") };
        let terms = (1..=count).chain(101..=100 + count).map(|id| term(id, "category", &path(id))).collect();
        let [en, de]: [Vec<i64>; 2] = [(1..=count).collect(), (101..=100 + count).collect()];
        let pair = |first, n: usize| posts(first, &[("en-GB", &en[..n]), ("de-DE", &de[..n])]);
        // the first term has one more post
        known(&[base(), terms, pair(300, count as usize), pair(310, count as usize), pair(320, 1)].concat())
    };
    assert_eq!(site(16)[0], (1, vec![(101, "posts".to_owned())]));
    assert_eq!(site(17)[0], (1, vec![]));
}

/// A page's own statement about a term takes precedence.
#[test]
fn what_a_term_states_comes_before_what_its_slug_and_posts_tell() {
    let stated = |record: Value, tag: &str, path: &str| {
        with(record, "translations", json!([translation(tag, &format!("https://e.org{path}"))]))
    };
    let terms = [
        stated(term(1, "category", "/category/news/"), "de-DE", "/de/category/neues/"),
        stated(term(2, "category", "/de/category/neues/"), "en-GB", "/category/news/"),
        term(3, "category", "/de/category/news-de/"),
    ];
    let pair = |first| posts(first, &[("en-GB", &[1]), ("de-DE", &[3])]);
    let want: &[(i64, &[(i64, &str)])] = &[(1, &[(2, "hreflang")]), (2, &[(1, "hreflang")]), (3, &[])];
    assert_eq!(known(&[base(), terms.to_vec(), pair(100), pair(110)].concat()), expected(want));
}

proptest! {
    #![proptest_config(crate::cases::cases(120))]

    #[test]
    fn resolved_terms_stay_as_they_are(
        groups in prop::collection::vec(prop::collection::vec((0..3usize, prop::collection::vec(1..9i64, 0..3)), 1..4), 1..8),
        stated in prop::collection::vec((0..8usize, 0..8usize), 0..4),
    ) {
        let tags = ["en-GB", "de-DE", "pt-BR"];
        let paths = ["/category/a/", "/de/category/a-de/", "/br/category/a-br/", "/category/b/", "/de/category/c/",
            "/br/category/d/", "/de/category/b-de/", "/category/uncategorized/"];
        let mut terms: Vec<Value> = paths.iter().zip(1..).map(|(path, id)| term(id, "category", path)).collect();
        for (from, to) in stated {
            let said = translation("", &format!("https://e.org{}", paths[to]));
            terms[from] = with(terms[from].clone(), "translations", json!([said]));
        }
        let mut records = [base(), terms].concat();
        for (group, first) in groups.iter().zip((0..).step_by(10)) {
            let of: Vec<(&str, &[i64])> = group.iter().map(|(tag, terms)| (tags[*tag], terms.as_slice())).collect();
            records.extend(posts(first + 1000, &of));
        }
        known(&records);
    }
}

/// A page names terms by links, the API by ids. References from a page have no ids of their own, so they are resolved
/// anew each time.
#[test]
fn terms_and_featured_images_lead_to_their_records_and_twice_is_once() {
    let term = |taxonomy: Value, id: Value, link: Value| json!({"taxonomy": taxonomy, "id": id, "name": "N", "slug": "s", "link": link});
    let image = |url: Value| json!({"src": url, "url": url, "target": target(), "rule": NONE});
    let link = |path: &str| json!(format!("https://e.org{path}"));
    let news = other("term", "category", 3, "/category/news/", "news");
    let page_terms = json!([
        term(NONE, NONE, link("/category/news/?utm_source=x")),
        term(json!("genre"), json!(9), link("/none/")),
        7
    ]);
    let file = link("/wp-content/uploads/2020/01/a-300x200.jpg");
    let mut page = with(with(post(1, "/page/"), "kind", json!("html")), "type", json!("html"));
    page = with(with(with(page, "id", NONE), "terms", page_terms), "featured_image", image(file));
    let stated = json!([term(json!("category"), json!(3), NONE), term(json!("category"), json!(4), NONE)]);
    let article = with(with(post(2, "/b/"), "terms", stated), "featured_image", image(NONE));
    let article = with(article, "featured_media", json!(8));
    let records = [news, media(8, "a.jpg", &["a-300x200.jpg"]), page, article];
    let once = resolve(&records);
    let terms = |record: &Value| {
        let term = |term: &Value| format!("{} {} {}", term["taxonomy"], term["id"], term["link"]).replace('"', "");
        record["terms"].as_array().unwrap().iter().map(term).collect::<Vec<_>>()
    };
    let link = "https://e.org/category/news/";
    assert_eq!(
        terms(&once[2]),
        [format!("category 3 {link}"), "genre null https://e.org/none/".into(), "null null null".into()]
    );
    assert_eq!(terms(&once[3]), [format!("category 3 {link}"), "category 4 null".into()]);
    let found =
        |record: &Value| format!("{} {}", record["featured_image"]["target"]["id"], record["featured_image"]["rule"]);
    assert_eq!([found(&once[2]), found(&once[3])], ["8 \"media_size\"", "8 \"id\""]);
    assert_eq!(resolve(&once), once);
    // without the records of terms, nothing is known about them any more
    assert_eq!(resolve(&once[1..])[1]["terms"][0]["id"], NONE);
}
