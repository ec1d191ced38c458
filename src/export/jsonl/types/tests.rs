use super::*;
use crate::export::dataset::envelope::Envelope;
use crate::ndjson::write_json;
use proptest::prelude::*;
use serde::Serialize;

/// A record of nulls and empty lists as a stage would write it.
fn line(record: &impl Serialize) -> String {
    let mut line = Vec::new();
    write_json(&mut line, record);
    String::from_utf8(line).unwrap()
}

/// The places of values whose type is not that of their key, and the added keys.
fn seen(kind: &str, line: &str) -> (Vec<String>, Vec<String>) {
    seen_after(kind, line, &[])
}

/// As [`seen`], with the places of long values known.
fn seen_after(kind: &str, line: &str, long: &[Range<usize>]) -> (Vec<String>, Vec<String>) {
    let mut added = Added::default();
    let odd = look_at(kind, line.as_bytes(), long, &mut added);
    let odd = odd.into_iter().map(|odd| format!("{}: {}", odd.what.unwrap_or_default(), &line[odd.place])).collect();
    (odd, added.iter().map(|(key, shape)| format!("{key}: {}", shape.name())).collect())
}

fn added(lines: &[&str]) -> Added {
    let mut added = Added::default();
    lines.iter().for_each(|line| assert!(look_at("post", line.as_bytes(), &[], &mut added).is_empty()));
    added
}

#[test]
fn every_kind_of_record_has_the_shape_in_record_rs() {
    let nothing = (Vec::new(), Vec::new());
    assert_eq!(seen("post", &line(&record::Post::default())), nothing);
    assert_eq!(seen("html", &line(&record::Post::default())), nothing);
    assert_eq!(seen("media", &line(&record::Media::default())), nothing);
    assert_eq!(seen("term", &line(&record::Term::default())), nothing);
    assert_eq!(seen("user", &line(&record::User::default())), nothing);
    assert_eq!(seen("comment", &line(&record::Comment::default())), nothing);
}

#[test]
fn values_of_another_type_are_found_wherever_they_are() {
    let post = record::Post {
        id: Some(7),
        categories: vec![1, 2],
        links: vec![record::Link::default()],
        ..Default::default()
    };
    let good = line(&post);
    for (from, to, what) in [
        ("\"id\":7", "\"id\":\"7\"", "id is not an integer: \"7\""),
        ("\"id\":7", "\"id\":7.5", "id is not an integer: 7.5"),
        ("\"id\":7", "\"id\":12345678901234567890", "id is not an integer: 12345678901234567890"),
        ("\"id\":7", "\"id\":-12345678901234567", ""),
        ("\"id\":7", "\"\\u0069d\":{}", "id is not an integer: {}"),
        ("\"id\":7", "\"id\" : 7 , \"id\" : [ ]", "id is not an integer: [ ]"),
        ("[1,2]", "[1,null,\"2\"]", "categories is not an integer: \"2\""),
        ("[1,2]", "1", "categories is not a list: 1"),
        ("\"internal\":null", "\"internal\":0", "links.internal is not true or false: 0"),
        ("\"featured_image\":{\"src\":null", "\"featured_image\":{\"src\":7", "featured_image.src is not a string: 7"),
        ("\"reason\":null", "\"reason\":[{}]", "links.reason is not a string: [{}]"),
        ("\"slug\":null", "\"slug\":false", "slug is not a string: false"),
        ("\"date_gmt\":null", "\"date_gmt\":\"2024-02-29T10:00:00Z\"", ""),
        (
            "\"modified_gmt\":null",
            "\"modified_gmt\":\"2023-02-29T10:00:00Z\"",
            "modified_gmt is not a time such as 2023-09-08T07:30:00Z: \"2023-02-29T10:00:00Z\"",
        ),
    ] {
        let changed = good.replacen(from, to, 1);
        assert!(changed != good);
        let (odd, added) = seen("post", &changed);
        assert_eq!((odd.join("; ").as_str(), added.len()), (what, 0), "{to}");
    }
}

#[test]
fn an_odd_value_becomes_null_and_the_rest_of_the_line_is_unchanged() {
    let line = br#"{"x": 1.50, "id" : "7" , "links":[{"url":5},{"url":"u"}],"sticky":{"a":[]}}"#;
    let odd = look_at("post", line, &[], &mut Added::default());
    let mended = String::from_utf8(without(line, &odd)).unwrap();
    assert_eq!(mended, r#"{"x": 1.50, "id" : null , "links":[{"url":null},{"url":"u"}],"sticky":null}"#);
}

#[test]
fn keys_in_any_order_are_known_keys() {
    let sorted: serde_json::Value = serde_json::from_str(&line(&record::Post::default())).unwrap();
    assert_eq!(seen("post", &sorted.to_string()), (Vec::new(), Vec::new()));
}

#[test]
fn an_added_key_has_the_type_of_all_its_values() {
    for (values, name) in [
        (vec!["\"a\"", "null"], "string"),
        (vec!["null"], "null"),
        (vec!["true", "false"], "boolean"),
        (vec!["1", "-2"], "integer"),
        (vec!["1", "2.5"], "number"),
        (vec!["9007199254740993"], "integer"),
        (vec!["9007199254740993", "2.5"], "json"),
        (vec!["2.5", "9007199254740993"], "json"),
        (vec!["12345678901234567890"], "json"),
        (vec!["1e400"], "json"),
        (vec!["1", "\"1\""], "json"),
        (vec!["[]"], "json"),
        (vec!["null", "{\"a\":1}", "null"], "json"),
    ] {
        let lines: Vec<_> = values.iter().map(|value| format!("{{\"my key\":{value}}}")).collect();
        let together = added(&lines.iter().map(String::as_str).collect::<Vec<_>>());
        let mut apart = Added::default();
        lines.iter().for_each(|line| apart.absorb(added(&[line])));
        for added in [together, apart] {
            assert_eq!(
                added.iter().map(|(key, shape)| (key, shape.name())).collect::<Vec<_>>(),
                [("my key".into(), name)]
            );
        }
    }
}

#[test]
fn a_key_added_within_a_column_is_a_part_of_it_or_makes_it_json() {
    let added = added(&[r#"{"seo":{"mine":"x"},"links":[{"target":{"weight":5}}],"content":{"words":["a"]}}"#]);
    let shape = ValueType::of("post", &added);
    let field = |fields: &[Field], name: &str| fields.iter().find(|field| field.name == name).unwrap().shape.clone();
    assert_eq!(field(field(shape.fields(), "seo").fields(), "mine"), ValueType::Text);
    let ValueType::List(link) = field(shape.fields(), "links") else { panic!() };
    assert_eq!(field(field(link.fields(), "target").fields(), "weight"), ValueType::Integer);
    assert_eq!(field(shape.fields(), "content"), ValueType::Json);
}

#[test]
fn all_keys_of_an_unknown_kind_are_added_keys() {
    assert_eq!(seen("widget", r#"{"site":"a","id":5,"x":{}}"#).1, ["site: string", "id: integer", "x: json"]);
}

#[test]
fn the_number_of_added_keys_that_are_noted_is_limited() {
    let mut added = Added::default();
    for n in 0..2 * MOST_ADDED {
        look_at("post", format!("{{\"k{n}\":1}}").as_bytes(), &[], &mut added);
    }
    assert!(added.more && added.keys.len() == MOST_ADDED);
}

/// The folder of a scrape on this machine is private, and means nothing on another one.
#[test]
fn a_root_outside_of_the_folder_is_not_kept() {
    let kept = |root: &str| {
        let scrape = record::Scrape { root: Some(root.into()), ..record::Scrape::default() };
        let line = line(&record::Post { scrape, ..record::Post::default() });
        let odd = look_at("post", line.as_bytes(), &[], &mut Added::default());
        assert!(odd.iter().all(|odd| odd.what.is_none()));
        String::from_utf8(without(line.as_bytes(), &odd)).unwrap().contains(&format!("\"root\":\"{root}\""))
    };
    assert!(kept("scrape") && kept("a/b") && kept("./a"));
    assert!(!kept("/home/me/scrape") && !kept("../scrape") && !kept("a/../../b") && !kept("..\\/x"));
}

proptest! {
    #![proptest_config(crate::cases::cases(2000))]

    /// Values that the envelope has passed are not read again, and this does not change the result.
    #[test]
    fn long_values_that_are_skipped_are_judged_like_others(
        values in prop::collection::vec((0..7usize, 0..7usize, 0..90usize), 0..8),
    ) {
        let keys = ["id", "text", "links", "rights", "mine", "content", "\\u0069d"];
        let value = |kind: usize, length: usize| match kind {
            0 => format!("\"{}\"", "a\\\"é".repeat(length)),
            1 => format!("[{{\"url\":\"{}\"}}]", "u".repeat(length)),
            2 => format!("{{\"rendered\":\"{}\"}}", "r".repeat(length)),
            3 => "1".repeat(length + 1),
            4 => format!("[{}0]", "0 ,".repeat(length)),
            5 => format!("{}{}", "[".repeat(length + 60), "]".repeat(length + 60)),
            _ => "null".into(),
        };
        let pairs = values.iter().map(|&(key, kind, length)| format!("\"{}\" : {}", keys[key], value(kind, length)));
        let line = format!("{{{}}}", pairs.collect::<Vec<_>>().join(", "));
        let mut long = Vec::new();
        prop_assert!(Envelope::parse_noting(line.as_bytes(), &mut long).is_ok());
        prop_assert_eq!(seen_after("post", &line, &long), seen("post", &line));
    }
}
