use super::*;
use crate::ndjson::Source;
use serde_json::{Value, json};
use std::collections::HashSet;

fn run_on(options: &Options, lines: &str) -> Result<(Vec<Value>, Report), Error> {
    let (mut output, memory) = Output::in_memory();
    let mut report = Report::silent("wp-groups");
    run(options, &mut Input::new(vec![Source::from_bytes("-", lines)]), &mut output, &mut report)?;
    output.flush()?;
    let text = String::from_utf8(memory.take()).unwrap();
    Ok((text.lines().map(|line| serde_json::from_str(line).unwrap()).collect(), report))
}

fn signed(records: &[Value]) -> String {
    let lines: String = records.iter().map(|record| format!("{record}\n")).collect();
    let (records, _) = run_on(&Options { sign: true, ..Options::default() }, &lines).unwrap();
    records.iter().map(|record| format!("{record}\n")).collect()
}

fn post(site: &str, id: u32, text: &str) -> Value {
    json!({"site": site, "kind": "post", "type": "post", "id": id, "link": format!("https://{site}/{id}/"), "content": {"text": text}})
}

/// Words that are unique to this `seed`; from `changed` on, they are those of another seed.
fn text(seed: u32, words: usize, changed: usize) -> String {
    let word = |n: usize| format!("w{}x{n}", if n < changed { seed } else { seed + 1_000_000 });
    (0..words).map(word).collect::<Vec<_>>().join(" ")
}

/// The exact share of common shingles.
fn jaccard(a: &str, b: &str) -> f64 {
    let shingles = |text: &str| {
        let words: Vec<String> = text.split(' ').map(str::to_lowercase).collect();
        words.windows(5).map(<[String]>::to_vec).collect::<HashSet<_>>()
    };
    let (a, b) = (shingles(a), shingles(b));
    a.intersection(&b).count() as f64 / a.union(&b).count() as f64
}

fn signature(text: &str) -> Option<Signature> {
    Texts::default().sign(&serde_json::to_string(text).unwrap())
}

#[test]
fn a_signature_estimates_the_share_of_common_shingles() {
    let (mut worst, mut sum) = (0f64, 0f64);
    for seed in 0..400 {
        let (a, b) = (text(seed, 200, 200), text(seed, 200, 100 + seed as usize % 100));
        let error = signature(&a).unwrap().similarity(&signature(&b).unwrap()) - jaccard(&a, &b);
        (worst, sum) = (worst.max(error.abs()), sum + error);
    }
    // Four standard deviations; no bias.
    assert!(worst < 0.18, "{worst}");
    assert!((sum / 400.0).abs() < 0.01, "{}", sum / 400.0);
}

#[test]
fn a_signature_is_one_text_and_ignores_typography() {
    let plain = signature("He said: \"Don't - it's 5'' long...\" Caf\u{e9}").unwrap();
    assert_eq!(
        signature("He said \u{ab}don\u{2019}t \u{2013} it\u{2019}s 5\u{2033} LONG\u{2026}\u{bb} caf\u{e9}"),
        Some(plain.clone())
    );
    assert_eq!(plain.to_text().len(), 684);
    assert_eq!(Signature::parse(&plain.to_text()), Some(plain.clone()));
    for bad in ["", "AAAA", "?", &plain.to_text()[4..], &format!("{}AAAA", plain.to_text())] {
        assert_eq!(Signature::parse(bad), None, "{bad}");
    }
    assert_eq!(signature("only four words here"), None);
    assert!(signature("これは日本語の文章です。").is_some());
}

#[test]
fn near_duplicates_are_marked_across_sites_and_no_record_is_removed() {
    let records = [
        post("a", 1, &text(1, 300, 300)),
        post("a", 2, &text(2, 300, 300)),
        post("b", 1, &text(1, 300, 290)),
        post("b", 2, "too short"),
        json!({"site": "b", "kind": "term", "type": "tag", "id": 1, "link": "l"}),
        json!({"site": "c", "kind": "html", "type": "html", "id": null, "link": "https://c/", "content": {"text": text(2, 300, 295)}}),
        post("c", 3, &text(3, 300, 300)),
    ];
    let (marked, report) = run_on(&Options::default(), &signed(&records)).unwrap();
    let groups: Vec<_> = marked.iter().map(|record| record.get("duplicate_group")).collect();
    let (one, two) = (json!("a/post:https://a/1/"), json!("a/post:https://a/2/"));
    assert_eq!(groups, [Some(&one), Some(&two), Some(&one), Some(&Value::Null), None, Some(&two), Some(&Value::Null)]);
    let first: Vec<_> = marked.iter().map(|record| record.get("duplicate_first").and_then(Value::as_bool)).collect();
    assert_eq!(first, [Some(true), Some(true), Some(false), Some(true), None, Some(false), Some(true)]);
    assert_eq!(marked[0]["duplicate_similarity"], 1.0);
    assert!((0.8..1.0).contains(&marked[2]["duplicate_similarity"].as_f64().unwrap()));
    assert_eq!(marked[3]["signature"], Value::Null);
    assert_eq!(["signed", "groups", "grouped"].map(|name| report.counted(name)), [5, 2, 4]);
    // The input, except the added keys.
    for (record, mut marked) in records.iter().zip(marked) {
        let object = marked.as_object_mut().unwrap();
        object.retain(|key, _| {
            !["signature", "duplicate_group", "duplicate_similarity", "duplicate_first"].contains(&key.as_str())
        });
        assert_eq!(*record, marked);
    }
}

/// A plugin uses one id for all languages. Both records were called SITE/TYPE:ID, as their group was, so a recipe that keeps the first of a
/// group kept both.
#[test]
fn a_group_has_one_first_record_and_the_same_name_in_any_order() {
    let of =
        |link: &str| json!({"site": "a", "type": "post", "id": 1, "link": link, "content": {"text": text(1, 50, 50)}});
    let records = ["https://a/en/ropes/", "https://a/ropes/", ""].map(of);
    for turn in 0..3 {
        let mut records = records.clone();
        records.rotate_left(turn);
        let (marked, _) = run_on(&Options::default(), &signed(&records)).unwrap();
        let told = |record: &Value| (record["duplicate_group"].clone(), record["duplicate_first"].as_bool());
        let name = json!("a/post:https://a/en/ropes/");
        let expected = [true, false, false].map(|is_first| (name.clone(), Some(is_first)));
        assert_eq!(marked.iter().map(told).collect::<Vec<_>>(), expected);
    }
    let without = ["", "x"].map(|slug| {
        with_slug(json!({"site": "a", "type": "post", "id": 7, "content": {"text": text(1, 50, 50)}}), slug)
    });
    assert_eq!(run_on(&Options::default(), &signed(&without)).unwrap().0[1]["duplicate_group"], "a/post:7");
}

/// Several people share a page; two of them have a copy each.
#[test]
fn groups_at_one_link_have_names_of_their_own() {
    let of = |id: u32, seed: u32| json!({"site": "a", "type": "person", "id": id, "link": "https://a/team/", "content": {"text": text(seed, 50, 50)}});
    let (marked, _) = run_on(&Options::default(), &signed(&[of(1, 1), of(2, 2), of(21, 1), of(22, 2)])).unwrap();
    let groups: Vec<_> = marked.iter().map(|record| record["duplicate_group"].as_str().unwrap()).collect();
    let [one, two] = ["a/person:https://a/team/#1", "a/person:https://a/team/#2"];
    assert_eq!(groups, [one, two, one, two]);
    let capture = |seed: u32| json!({"site": "a", "type": "html", "id": null, "link": "https://a/", "content": {"text": text(seed, 50, 50)}});
    let (marked, _) = run_on(&Options::default(), &signed(&[1, 2, 1, 2].map(capture))).unwrap();
    let groups: Vec<_> = marked.iter().map(|record| record["duplicate_group"].as_str().unwrap()).collect();
    let [one, two] = ["a/html:https://a/#1", "a/html:https://a/#2"];
    assert_eq!(groups, [one, two, one, two]);
}

fn with_slug(mut record: Value, slug: &str) -> Value {
    record["slug"] = json!(slug);
    record
}

#[test]
fn the_similarity_decides_who_is_in_a_group() {
    let records =
        [post("a", 1, &text(1, 300, 300)), post("b", 1, &text(1, 300, 282)), post("c", 1, &text(1, 300, 300))];
    let lines = signed(&records);
    for (similarity, grouped) in [(0.7, 3), (0.99, 2)] {
        let (_, report) = run_on(&Options { similarity, ..Options::default() }, &lines).unwrap();
        assert_eq!(report.counted("grouped"), grouped, "{similarity}");
    }
}

/// Tests 200 groups of five, in two orders of the records and with any number of threads.
#[test]
fn groups_depend_on_neither_threads_nor_order() {
    let records: Vec<_> =
        (0..1000).map(|n| post(&format!("s{}", n % 5), n, &text(n / 5, 60, 60 - n as usize % 3))).collect();
    let members = |records: &[Value], jobs| {
        let (marked, report) = run_on(&Options { jobs, ..Options::default() }, &signed(records)).unwrap();
        assert_eq!(report.counted("groups"), 200);
        let mut groups = std::collections::BTreeMap::<String, Vec<i64>>::new();
        for record in &marked {
            groups.entry(record["duplicate_group"].to_string()).or_default().push(record["id"].as_i64().unwrap());
        }
        let mut groups: Vec<_> = groups
            .into_values()
            .map(|mut ids| {
                ids.sort_unstable();
                ids
            })
            .collect();
        groups.sort();
        groups
    };
    let first = members(&records, 1);
    assert!(first.iter().all(|ids| ids.len() == 5 && ids[0] / 5 == ids[4] / 5));
    assert_eq!(members(&records, 4), first);
    let turned: Vec<_> = records.into_iter().rev().collect();
    assert_eq!(members(&turned, 2), first);
}

#[test]
fn records_without_signatures_end_the_run_and_wrong_signatures_are_defects() {
    let unsigned = format!("{}\n", post("a", 1, "one two three four five"));
    let error = run_on(&Options::default(), &unsigned).err().unwrap().to_string();
    assert_eq!(error, "no record has a signature: wp-groups --sign comes first");
    let mut wrong = post("a", 1, "one two three four five");
    wrong["signature"] = json!("AAAA");
    let (marked, report) = run_on(&Options::default(), &format!("{wrong}\n[]\n")).unwrap();
    assert_eq!((marked.len(), report.defects("signature"), report.rejected()), (1, 1, 1));
    assert_eq!(run_on(&Options::default(), "").unwrap().0.len(), 0);
}
