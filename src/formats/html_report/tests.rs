use super::accounts::{Account, Collection, Fetched};
use super::overview::{Language, Month, Overview, Pair, Records, Top};
use super::*;
use crate::export::dataset::envelope::Envelope;
use crate::export::dataset::references::Missings;
use crate::record::Missing;
use html5ever::tendril::TendrilSink as _;
use html5ever::{ParseOpts, parse_document};
use markup5ever_rcdom::{Handle, NodeData, RcDom};
use serde_json::json;
use std::collections::BTreeSet;

/// Payloads that break out of text, of an attribute in either kind of quotes, of SVG, a comment, a style or a title.
const PAYLOADS: [&str; 9] = [
    "<script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>",
    "' onmouseover='alert(1)' x='",
    "</text></svg><svg onload=alert(1)>",
    "</title></style><iframe srcdoc=x>",
    "--><math><a xlink:href=javascript:alert(1)>",
    "javascript:alert(1)",
    "https://a.example/\" onclick=\"alert(1)",
    "{{ title }}{% include 'x' %}",
];

/// A report in which every text is the payload, preceded by a distinct letter where two must differ.
fn everything(payload: &str) -> (Overview, Tally) {
    let text = || payload.to_owned();
    let number = |n: u64| numbers::Documents { documents: n, without_text: 1, translated: 1, copies: 1 };
    let mut missing = Missings::default();
    missing.count(Missing::Dead);
    let targets = || numbers::Targets { rules: [(text(), 3)].into(), missing, external: 1, other: 1, unresolved: 1 };
    let top = || Top { list: vec![(text(), 2), (format!("https://a.example/{payload}"), 1)], missed: 1 };
    let collection =
        Collection { r#type: Some(text()), language: Some(text()), refused: Some(text()), ..Collection::default() };
    let fetched = Fetched {
        site: Some(text()),
        started: Some(text()),
        ended: Some(text()),
        stopped: Some(text()),
        collections: vec![collection],
        ..Fetched::default()
    };
    let counts = json!({"records_in": payload, "defects": {payload: 1}});
    let counts = counts.as_object().unwrap().clone();
    let overview = Overview {
        records: vec![Records { kind: text(), r#type: text(), language: Some(text()), records: 5, copies: 1 }],
        published: vec![Month { month: Some("2024-01".into()), documents: 2 }],
        languages: vec![Language { language: Some(text()), of: number(2) }],
        pairs: vec![Pair { language: Some(text()), translation: text(), documents: 1 }],
        links: targets(),
        images: targets(),
        alternatives: numbers::Alternatives { with_text: 1, empty: 1, missing: 1 },
        most_linked: top(),
        outside_hosts: top(),
        dead: top(),
        changes: vec![],
        changed: changed(payload),
        rejects: 1,
        accounts: vec![
            Account { program: text(), counts, fetched: None },
            Account { program: text(), counts: serde_json::Map::new(), fetched: Some(fetched) },
        ],
    };
    let mut tally = Tally::default();
    let record = json!({"site": payload, "kind": payload, "type": payload, "language": payload}).to_string();
    tally.add(&Envelope::parse(record.as_bytes()).unwrap());
    tally.leave_out(payload, payload);
    (overview, tally)
}

/// Changes in which every text is the payload.
fn changed(payload: &str) -> changes::Changes {
    let text = || payload.to_owned();
    let piece = |is_same| changes::Piece { is_same, text: text() };
    let block = changes::ChangedBlock { op: text(), old: vec![piece(true)], new: vec![piece(false)] };
    let changed = |link: String| changes::ChangedText {
        size: std::cmp::Reverse(3),
        link,
        title: text(),
        r#type: text(),
        all: 2,
        blocks: vec![block.clone()],
    };
    let dated = changes::Dated { id: 7, date: "2024-01-01".into(), before: Some("2023-01-01".into()), title: text() };
    let dates = changes::Dates { posts: [(1, dated.clone())].into(), odd: [(1, dated)].into() };
    changes::Changes {
        records: 1,
        classes: [((text(), "added".into()), 1)].into(),
        months: [(text(), [1, 2])].into(),
        texts: [changed(text()), changed(format!("https://a.example/{payload}"))].into(),
        gone: [[text(), text(), text()]].into(),
        dates: [(text(), dates)].into(),
    }
}

/// The elements of a page with the names of their attributes, the addresses it links to, and its words.
fn contents(page: &str) -> (BTreeSet<String>, Vec<String>, String) {
    fn visit(node: &Handle, found: &mut (BTreeSet<String>, Vec<String>, String)) {
        match &node.data {
            NodeData::Element { name, attrs, .. } => {
                found.0.insert(name.local.to_string());
                for attribute in attrs.borrow().iter() {
                    found.0.insert(format!("{}[{}]", name.local, attribute.name.local));
                    if &*attribute.name.local == "href" {
                        found.1.push(attribute.value.to_string());
                    }
                }
            }
            NodeData::Text { contents } => found.2.push_str(&contents.borrow()),
            _ => {}
        }
        node.children.borrow().iter().for_each(|child| visit(child, found));
    }
    let mut found = Default::default();
    visit(&parse_document(RcDom::default(), ParseOpts::default()).one(page).document, &mut found);
    found
}

#[test]
fn whatever_a_site_has_written_is_text() {
    let render = |payload: &str| {
        let (overview, tally) = everything(payload);
        contents(&page::write(&overview, &tally).unwrap())
    };
    let (plain, _, words) = render("plain");
    let times = words.matches("plain").count();
    assert!(times > 25 && !plain.contains("script"), "{times}");
    for payload in PAYLOADS {
        let (elements, addresses, words) = render(payload);
        assert!(elements.is_subset(&plain), "{payload}: {:?}", elements.difference(&plain));
        assert!(addresses.iter().all(|url| url.starts_with("https://a.example/")), "{addresses:?}");
        // In charts, long labels are shortened.
        assert!(
            words.matches(payload).count() >= times - 8,
            "{payload}: {} of {times}",
            words.matches(payload).count()
        );
    }
}

#[test]
fn nothing_is_loaded_or_run() {
    let (overview, tally) = everything("plain");
    let page = page::write(&overview, &tally).unwrap();
    let policy =
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">";
    assert_eq!(page.matches(policy).count(), 1);
    assert!(page.find(policy) < page.find("<title>"));
}
