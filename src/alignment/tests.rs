use super::document::Contents;
use super::path::{Step, path};
use super::*;
use proptest::prelude::*;

fn read(title: Option<&str>, html: &str) -> Document {
    let of_url = |url: &str| Anchor { key: url.len() as u64, value: url.to_owned() };
    let contents = Contents { title, html: Some(html), text: None, link: Some("https://s/"), language: Some("de") };
    DocumentReader::default().read(&contents, of_url, of_url)
}

#[test]
fn a_document_is_its_title_its_blocks_and_their_sentences() {
    let document = read(
        Some("A\n title."),
        "<h2>Head</h2><p>One. Two <a href='/x/'>there</a>.<br>Three, <br>and more<br>Four</p><ul><li>Item<li><img src='/i.jpg'></ul>\
         <table><tr><th>a<td>b<tr><td><td>d</table><figure><img src='/j.jpg'><figcaption>Caption</figcaption></figure><pre>x\n\ny</pre>",
    );
    let told: Vec<String> = document
        .sentences
        .iter()
        .map(|sentence| format!("{}.{} {}", sentence.block, sentence.number, sentence.text))
        .collect();
    let want = [
        "0.0 A title.",
        "1.0 Head",
        "2.0 One.",
        "2.1 Two there.",
        "2.2 Three, and more",
        "2.3 Four",
        "3.0 Item",
        "5.0 a",
        "6.0 b",
        "7.0 d",
        "9.0 Caption",
        "10.0 x",
        "10.1 y",
    ];
    assert_eq!(told, want);
    assert_eq!(document.sentences[3].links[0].value, "https://s/x/");
    let media: Vec<usize> = document.blocks.iter().map(|block| block.media.len()).collect();
    assert_eq!(media, [0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0]);
}

#[test]
fn sentences_without_a_counterpart_are_kept_by_themselves() {
    for (ours, theirs) in
        [("", ""), ("<p>A.</p>", ""), ("", "<p>B. C.</p>"), ("<p><img src='/a.jpg'></p>", "<p>D.</p>")]
    {
        let (ours, theirs) = (read(None, ours), read(None, theirs));
        let links = align(&ours, &theirs, 1.0, Anchors::default(), None, |_| None).links;
        let count = |of: fn(&Link) -> &Range<usize>| links.iter().map(|link| of(link).len()).sum::<usize>();
        assert_eq!([count(|link| &link.from), count(|link| &link.to)], [&ours, &theirs].map(|one| one.sentences.len()));
        assert!(links.iter().all(|link| link.score.is_none()));
    }
}

#[test]
fn a_path_may_be_steep_and_long_ones_keep_to_the_band() {
    let steps = [(1, 1), (1, 0), (0, 1)];
    let of = |n: usize, m: usize| path((n, m), &steps, |i, j, _| (i as f64 - j as f64).abs());
    let sizes = [(0, 0), (0, 3000), (3000, 0), (1, 3000), (3000, 1), (7, 900), (2000, 2100)];
    for (n, m) in sizes {
        let (found, cut) = of(n, m);
        let ends = found.iter().fold((0, 0), |(i, j), step| (i + step.0, j + step.1));
        assert_eq!((ends, cut), ((n, m), n > 1 && m > 1), "{n} {m}");
    }
}

/// The cost of the cheapest path, by trying all.
fn least(n: usize, m: usize, steps: &[Step], cost: &dyn Fn(usize, usize, Step) -> f64) -> f64 {
    if (n, m) == (0, 0) {
        return 0.0;
    }
    let before = |step: &Step| Some((n.checked_sub(step.0)?, m.checked_sub(step.1)?));
    let costs = steps.iter().filter_map(|step| {
        let (i, j) = before(step)?;
        Some(least(i, j, steps, cost) + cost(n, m, *step))
    });
    costs.fold(f64::INFINITY, f64::min)
}

proptest! {
    #![proptest_config(crate::cases::cases(60))]

    #[test]
    fn the_path_is_the_cheapest(n in 0..5usize, m in 0..5usize, seed in any::<u64>()) {
        let steps = [(1, 1), (1, 0), (0, 1), (1, 2), (2, 1)];
        let cost = |i: usize, j: usize, step: Step| {
            let hash = xxhash_rust::xxh3::xxh3_64(format!("{seed} {i} {j} {step:?}").as_bytes());
            (hash % 1000) as f64 / 100.0 - 3.0
        };
        let (found, _) = path((n, m), &steps, cost);
        let (mut i, mut j, mut sum) = (0, 0, 0.0);
        for step in found {
            (i, j) = (i + step.0, j + step.1);
            sum += cost(i, j, step);
        }
        prop_assert!((sum - least(n, m, &steps, &cost)).abs() < 1e-9);
    }
}
