//! Tests of the registry: the order of its rules, its memory per record, foreign hosts, and duplicate or broken records.

use super::record::KnownRecord;
use super::register::Taken;
use super::statements::Edge;
use super::table::{Owner, Role, Table};
use super::*;
use crate::record::Reason;

#[test]
fn the_rules_are_listed_in_their_order() {
    assert!(Rule::ALL.is_sorted());
    assert!(Rule::ALL.iter().enumerate().all(|(at, rule)| *rule as usize == at));
}

/// The limits in the design: at most 64 bytes per URL, 32 per record in addition to its link, 24 per translation.
#[test]
fn entries_are_as_small_as_promised() {
    assert_eq!(std::mem::size_of::<KnownRecord>(), 20);
    assert_eq!(std::mem::size_of::<Edge>(), 24);
    assert!(Table::slot_size() <= 24);
}

#[test]
fn owners_of_a_key_are_all_remembered() {
    let mut table = Table::default();
    for record in [3, 1, 1, 2] {
        table.insert(7, Owner { role: Role::Link, record });
    }
    assert_eq!(table.get(7, |owners| owners.len()), Some(4));
    assert_eq!(table.only(7), None);
    table.insert(8, Owner { role: Role::Size, record: 1 });
    table.insert(8, Owner { role: Role::File, record: 1 });
    assert_eq!(table.only(8), Some(Owner { role: Role::File, record: 1 }));
    assert_eq!(table.get(9, |_| ()), None);
}

fn register(registry: &mut Register, facts: &Facts<'_>) -> Taken {
    registry.register(facts, None)
}

fn facts<'a>(kind: &'a str, id: i64, link: &'a str) -> Facts<'a> {
    Facts {
        kind: Some(kind.into()),
        r#type: Some(kind.into()),
        id: Some(id),
        link: Some(link.into()),
        ..Facts::default()
    }
}

#[test]
fn a_guest_host_is_not_the_sites_own() {
    let mut registry = Register::default();
    for id in 0..200 {
        register(&mut registry, &facts("post", id, &format!("https://e.org/{id}/")));
    }
    register(&mut registry, &facts("post", 900, "https://partner.net/offer/"));
    register(&mut registry, &facts("post", 901, "https://fr.e.org/x/"));
    let registry = registry.locate(Vec::new()).group(Vec::new());
    let own = |url: &str| registry.find_url(&Query { url, ..Query::default() }, &mut UrlKey::default()).internal;
    assert!(own("http://www.e.org/none") && own("https://fr.e.org/none"));
    assert!(!own("https://partner.net/none"));
}

#[test]
fn a_duplicate_is_not_taken_twice() {
    let mut registry = Register::default();
    let mut taken = |kind: &str, link: &str| {
        let taken = register(&mut registry, &facts(kind, 1, link));
        (taken.record.map(u32::from), taken.is_new)
    };
    assert_eq!(taken("post", "https://e.org/1/"), (Some(0), true));
    assert_eq!(taken("post", "https://e.org/fr/1/"), (Some(1), true));
    assert_eq!(taken("post", "https://e.org/1/"), (Some(0), false));
    assert_eq!(taken("menu", "https://e.org/2/"), (None, false));
    assert_eq!(registry.records.len(), 2);
}

/// Broken input may give all records the same id or link: they are still distinguished, and take no more time than records of valid input.
#[test]
fn an_id_that_all_records_share_resolves_to_none() {
    let mut registry = Register::default();
    let links: Vec<String> = (0..1000).map(|n| format!("https://e.org/{n}/")).collect();
    for round in [true, false] {
        for link in &links {
            assert_eq!(register(&mut registry, &facts("post", 1, link)).is_new, round);
        }
    }
    assert!(
        registry.records.has("post", Some("post"), 1, Blog::default())
            && !registry.records.has("media", None, 1, Blog::default())
    );
    assert_eq!(registry.records.by_id(RecordKind::Post.space(), 1).count(), 0);
    assert_eq!(registry.records.find(RecordKind::Post, "post", Some(1), &links[999]), Some(999));
    for id in 2..1000 {
        assert!(register(&mut registry, &facts("post", id, &links[0])).is_new);
    }
    let registry = registry.locate(Vec::new()).group(Vec::new());
    let found = registry.find_url(&Query { url: &links[0], ..Query::default() }, &mut UrlKey::default());
    assert_eq!(found.target, Err(Some(Reason::Ambiguous)));
    let found = registry.find_url(&Query { url: "https://e.org/?p=1", ..Query::default() }, &mut UrlKey::default());
    assert_eq!(found.rule, None);
}
