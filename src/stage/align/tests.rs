use super::*;
use crate::ndjson::Source;
use serde_json::{Value, json};
use std::collections::BTreeSet;

mod sites;

fn run_on(options: &Options, records: &[Value]) -> (Vec<Value>, Report) {
    let lines: String = records.iter().map(|record| format!("{record}\n")).collect();
    let (mut output, memory) = Output::in_memory();
    let mut report = Report::silent("wp-align");
    run(options, &mut Input::new(vec![Source::from_bytes("-", lines)]), &mut output, &mut report).unwrap();
    output.flush().unwrap();
    let text = String::from_utf8(memory.take()).unwrap();
    (text.lines().map(|line| serde_json::from_str(line).unwrap()).collect(), report)
}

fn document(id: usize, language: &str, group: &str, title: &str, html: &str) -> Value {
    json!({"site": "s", "kind": "post", "type": "post", "id": id, "link": format!("https://s/{id}/"), "language": language,
        "translation_group": group, "title": {"text": title}, "content": {"html": html, "text": "x"}})
}

/// A generator of pseudo-random numbers, always the same ones.
struct Chance(u64);

impl Chance {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }
}

/// A sentence and its translation.
fn sentence(chance: &mut Chance, japanese: bool) -> (String, String) {
    let words = 3 + chance.below(14);
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..words {
        let length = 2 + chance.below(9);
        ours.push((0..length).map(|_| char::from(b'a' + chance.below(26) as u8)).collect::<String>());
        let (length, first, letters) = match japanese {
            true => ((length + chance.below(2)) / 3 + 1, 0x4e00, 4000),
            false => ((length + chance.below(5)).saturating_sub(1).max(1), 0x430, 32),
        };
        theirs.push(
            (0..length).map(|_| char::from_u32(first + chance.below(letters) as u32).unwrap()).collect::<String>(),
        );
    }
    if chance.below(6) == 0 {
        let number = (1000 + chance.below(9000)).to_string();
        ours.push(number.clone());
        theirs.push(number);
    }
    ours[0] = ours[0][..1].to_uppercase() + &ours[0][1..];
    theirs[0] = if japanese { theirs[0].clone() } else { theirs[0].to_uppercase() };
    let (end, other) = if chance.below(8) == 0 { ("?", "？") } else { (".", "。") };
    let (blank, other) = if japanese { ("", other) } else { (" ", end) };
    (ours.join(" ") + end, theirs.join(blank) + other)
}

/// Two documents, and the pairs of sentences that belong together. In the second document, blocks are moved, dropped
/// and merged.
fn translated(chance: &mut Chance, japanese: bool) -> ([String; 2], BTreeSet<(String, String)>) {
    let mut blocks: Vec<(&str, Vec<(String, String)>)> = Vec::new();
    for n in 0..24 {
        let (tag, sentences) = if n % 6 == 0 { ("h2", 1) } else { ("p", 1 + chance.below(5)) };
        blocks.push((tag, (0..sentences).map(|_| sentence(chance, japanese)).collect()));
    }
    let mut truth: BTreeSet<_> = blocks.iter().flat_map(|(_, sentences)| sentences.iter().cloned()).collect();
    let html = |blocks: &[(&str, Vec<String>)]| {
        let block = |(tag, sentences): &(&str, Vec<String>)| format!("<{tag}>{}</{tag}>", sentences.join(" "));
        blocks.iter().map(block).collect::<String>()
    };
    let side = |of: fn(&(String, String)) -> String| -> Vec<(&str, Vec<String>)> {
        blocks.iter().map(|(tag, sentences)| (*tag, sentences.iter().map(of).collect())).collect()
    };
    let (ours, mut theirs) = (side(|pair| pair.0.clone()), side(|pair| pair.1.clone()));
    // An alignment never goes backwards, so it cannot find a moved block.
    let moved = theirs.remove(15);
    truth.retain(|(_, other)| !moved.1.contains(other));
    theirs.insert(3, moved);
    let dropped = theirs.remove(9);
    truth.retain(|(_, other)| !dropped.1.contains(other));
    let merged = theirs.remove(22);
    theirs[21].1.extend(merged.1);
    ([html(&ours), html(&theirs)], truth)
}

/// The texts of links with two sides and at least this score.
fn pairs_of(alignment: &Value, least: f64) -> Vec<(String, String)> {
    let text = |side: &Value| {
        let texts: Vec<&str> = side.as_array().unwrap().iter().map(|one| one["text"].as_str().unwrap()).collect();
        texts.join(" ")
    };
    let links = alignment["links"].as_array().unwrap().iter();
    let good = links.filter(|link| link["score"].as_f64().is_some_and(|score| score >= least));
    good.map(|link| (text(&link["from"]), text(&link["to"]))).collect()
}

/// Of the links with a score of at least .5: how many are correct, and how many there are; and how many pairs there are to find.
fn found(japanese: bool, options: &Options) -> (usize, usize, usize) {
    let mut chance = Chance(7);
    let (mut records, mut truths) = (Vec::new(), Vec::new());
    for n in 0..12 {
        let ([ours, theirs], truth) = translated(&mut chance, japanese);
        let language = if japanese { "ja" } else { "uk" };
        records.push(document(2 * n, "en", &format!("g{n}"), "One title", &ours));
        records.push(document(2 * n + 1, language, &format!("g{n}"), "Another title", &theirs));
        truths.push(truth);
    }
    let (alignments, report) = run_on(options, &records);
    assert_eq!((alignments.len(), report.counted("pairs")), (12, 12));
    let (mut right, mut all, mut wanted) = (0, 0, 0);
    for (alignment, truth) in alignments.iter().zip(&truths) {
        let pairs = pairs_of(alignment, 0.5);
        all += pairs.len() - 1;
        wanted += truth.len();
        right += pairs.iter().filter(|pair| truth.contains(pair)).count();
    }
    (right, all, wanted)
}

#[test]
fn translations_are_found_although_blocks_were_moved_dropped_and_merged() {
    for japanese in [false, true] {
        let (right, all, wanted) = found(japanese, &Options::default());
        println!("{right} of {all} links are right, of {wanted}");
        assert!(right as f64 >= 0.95 * all as f64, "{japanese}: {right} of {all} are right");
        assert!(right as f64 >= 0.8 * wanted as f64, "{japanese}: {right} of {wanted} are found");
    }
}

#[test]
fn documents_that_say_other_things_have_no_good_links() {
    let mut chance = Chance(3);
    let mut records = Vec::new();
    for n in 0..12 {
        let ([ours, _], [_, theirs]) = (translated(&mut chance, false).0, translated(&mut chance, false).0);
        records.push(document(2 * n, "en", &format!("g{n}"), "One title", &ours));
        records.push(document(2 * n + 1, "uk", &format!("g{n}"), "Another title", &theirs));
    }
    let (alignments, _) = run_on(&Options::default(), &records);
    let good: usize = alignments.iter().map(|alignment| pairs_of(alignment, 0.5).len()).sum();
    let all: usize = alignments.iter().map(|alignment| pairs_of(alignment, 0.0).len()).sum();
    assert!(all > 300 && good * 200 <= all, "{good} of {all}");
}

#[test]
fn each_sentence_is_in_one_link_whatever_is_cut() {
    let mut chance = Chance(5);
    let [ours, theirs] = translated(&mut chance, false).0;
    let records = [document(1, "en", "g", "A", &ours), document(2, "uk", "g", "B", &theirs)];
    let sentences = |alignment: &Value, side: &str| -> Vec<Value> {
        let links = alignment["links"].as_array().unwrap().iter();
        links.flat_map(|link| link[side].as_array().unwrap().clone()).collect()
    };
    let (whole, report) = run_on(&Options::default(), &records);
    for min_score in [0.5, 0.9, 1.0] {
        let (cut, cut_report) = run_on(&Options { min_score, ..Options::default() }, &records);
        for side in ["from", "to"] {
            assert_eq!(sentences(&cut[0], side), sentences(&whole[0], side));
        }
        assert!(pairs_of(&cut[0], 0.0).iter().all(|pair| pairs_of(&whole[0], min_score).contains(pair)));
        assert_eq!(cut_report.counted("sentences"), report.counted("sentences"));
        assert_eq!(cut_report.counted("aligned") + cut_report.counted("unaligned"), report.counted("sentences"));
    }
}

#[test]
fn anchors_of_each_kind_are_reported_and_align_what_lengths_do_not() {
    let target = |id: u64| json!({"type": "post", "id": id, "link": format!("https://s/{id}/")});
    let link = |id: u64| json!({"element": "a", "url": format!("https://s/x{id}/"), "target": target(id)});
    let image = |url: &str| json!({"url": url, "target": {"type": "media", "id": 9, "link": "m"}});
    // The second text is much shorter: only its anchors show where its sentences belong.
    let long = "word ".repeat(40);
    let ours = format!(
        "<h3>{long}.</h3><p>{long} <a href='/x5/'>there</a> {long}.</p><h3>{long}.</h3><p>{long} <img src='/i.jpg'> x.</p><h3>{long}.</h3><p>{long} Dorothea 1871.</p>"
    );
    let theirs = format!(
        "<p>Та <a href='/x6/'>там</a>.</p><p>{} <img src='/j.jpg'>.</p><p>Dorothea, 1.871.</p>",
        "слово ".repeat(30)
    );
    let mut one = document(1, "en", "g", "A", &ours);
    (one["links"], one["images"]) = (json!([link(5)]), json!([image("https://s/i.jpg")]));
    let mut other = document(2, "uk", "g", "B", &theirs);
    (other["links"], other["images"]) = (json!([link(6)]), json!([image("https://s/j.jpg")]));
    let linked = [document(5, "en", "h", "C", "<p>C.</p>"), document(6, "uk", "h", "D", "<p>D.</p>")];
    let records: Vec<Value> = [one, other].into_iter().chain(linked).collect();
    let blocks = |options: &Options| -> Vec<(i64, i64, Value)> {
        let alignment = run_on(options, &records).0.remove(0);
        let links = alignment["links"].as_array().unwrap().iter().filter(|link| !link["score"].is_null());
        links
            .map(|link| {
                (
                    link["from"][0]["block"].as_i64().unwrap(),
                    link["to"][0]["block"].as_i64().unwrap(),
                    link["anchors"].clone(),
                )
            })
            .collect()
    };
    let found = blocks(&Options::default());
    let anchor = |kind: &str, value: &str| json!({"kind": kind, "value": value});
    assert_eq!(found[0], (0, 0, json!([anchor("structure", "title")])));
    assert!(found.contains(&(2, 1, json!([anchor("link", "post:5")]))), "{found:?}");
    assert!(found.contains(&(4, 2, json!([anchor("media", "media:9")]))), "{found:?}");
    let words = found.iter().find(|(from, to, _)| (*from, *to) == (6, 3)).unwrap().2.to_string();
    assert!(words.contains("Dorothea") && words.contains("1871"), "{words}");
    let none = Anchors { structure: false, media: false, links: false, words: false };
    let without = Options { anchors: none, ..Options::default() };
    assert!(blocks(&without).iter().all(|(_, _, anchors)| *anchors == json!([])));
    assert_ne!(
        blocks(&without).iter().map(|link| (link.0, link.1)).collect::<Vec<_>>(),
        found.iter().map(|link| (link.0, link.1)).collect::<Vec<_>>()
    );
}

#[test]
fn the_ratio_is_learnt_from_enough_sentences_of_the_site() {
    // On this site, the translation of a text is twice as long as elsewhere.
    let text = |n: usize, word: &str| {
        (0..30).map(|i| format!("<p>{}.</p>", word.repeat(1 + (i * 7 + n) % 23))).collect::<String>()
    };
    let records: Vec<Value> = (0..10)
        .flat_map(|n| {
            let group = format!("g{n}");
            [
                document(2 * n, "en", &group, "A", &text(n, "word ")),
                document(2 * n + 1, "xx", &group, "B", &text(n, "wordword ")),
            ]
        })
        .collect();
    let score = |records: &[Value]| run_on(&Options::default(), records).0[0]["share"][0].as_f64().unwrap();
    assert!(score(&records) > 0.95 && score(&records[..2]) < 0.5, "{} {}", score(&records), score(&records[..2]));
}

/// A group of n languages used to have n² pairs.
#[test]
fn of_many_languages_the_first_are_paired_with_all() {
    let all = |n: usize| -> Vec<Value> {
        (0..n).map(|at| document(at, &format!("x-l{at:02}"), "g", "A", "<p>Some words.</p>")).collect()
    };
    for (languages, pairs, cut) in [(33, 33 * 32 / 2, 0), (40, 33 * 32 / 2 + 32 * 7, 1)] {
        let (lines, report) = run_on(&Options::default(), &all(languages));
        let counted = ["pairs", "cut_to_languages"].map(|name| report.counted(name));
        assert_eq!((lines.len(), counted), (pairs, [pairs as u64, cut]));
    }
}

#[test]
fn end_records_count_lines_and_other_records_are_counted() {
    let end = json!({"site": "s", "kind": "end", "type": "end", "id": null, "link": null, "records": 4});
    let media = json!({"site": "s", "kind": "media", "type": "media", "id": 9});
    let alone = document(3, "en", "h", "C", "<p>C.</p>");
    let records =
        [document(1, "en", "g", "A", "<p>A.</p>"), document(2, "fr", "g", "B", "<p>B.</p>"), media, alone, end];
    let (lines, report) = run_on(&Options::default(), &records);
    assert_eq!((lines.len(), &lines[1]["kind"], &lines[1]["records"]), (2, &json!("end"), &json!(1)));
    assert_eq!(["records_in", "documents", "others", "documents_alone"].map(|name| report.counted(name)), [4, 3, 1, 1]);
    assert_eq!(run_on(&Options::default(), &records[..4]).0.len(), 1, "without an end record, none is written");
}
