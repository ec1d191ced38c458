mod damage;

use super::fields::{Fields, Key};
use super::item::{Answer, Shape, recognise, rest_bases};
use super::search::Broken;
use super::splitter::{Element, Splitter};
use super::strict::{Attempt, attempt};
use super::value::Loose;
use super::{Event, Sources, read, read_again, read_noting};
use crate::ndjson::{Gaps, Reader, Refused, Source};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::path::PathBuf;

/// An element that [`split`] found: its id, or its error and place.
type Seen = Result<i64, String>;

fn split_source(mut source: Source) -> Vec<Seen> {
    let mut splitter = Splitter::open(&mut source, Vec::new(), crate::ndjson::MAX_RECORD).unwrap();
    let mut seen = Vec::new();
    while let Some(element) = splitter.next().unwrap() {
        seen.push(match element {
            Element::Awaited | Element::More(_) => continue,
            Element::Object(fields) => Ok(fields.id.int().unwrap_or(-1)),
            Element::Broken(Broken { place, what, .. }) => Err(format!("{place}: {what}")),
            Element::Known => unreachable!("nothing was expected"),
        });
    }
    seen
}

fn split(text: impl Into<Vec<u8>>) -> Vec<Seen> {
    split_source(Source::from_bytes("d", text))
}

fn ids(seen: &[Seen]) -> Vec<i64> {
    seen.iter().filter_map(|s| s.as_ref().ok().copied()).collect()
}

fn errors(seen: &[Seen]) -> Vec<&str> {
    seen.iter().filter_map(|s| s.as_ref().err().map(String::as_str)).collect()
}

#[test]
fn every_shape_of_a_dump_has_the_same_elements() {
    for text in [
        r#"[{"id":1},{"id":2,"a":[{"id":9}]},{"id":3}]"#,
        "[\n  {\n    \"id\": 1\n  },\n  {\n    \"id\": 2\n  },\n  { \"id\": 3 }\n]\n",
        "{\"id\":1}\n{\"id\":2}\r\n\n{\"id\":3}",
        r#"{"id":1}{"id":2} {"id":3}"#,
        r#"[{"id":1}][{"id":2},{"id":3}]"#,
        r#"[[{"id":1},{"id":2}],[{"id":3}]]"#,
        "\u{feff}[{\"id\":1},{\"id\":2},{\"id\":3}]",
        r#"{"1":{"id":1},"2" : {"id":2}, "3":{"id":3}}"#,
    ] {
        assert_eq!(split(text), [Ok(1), Ok(2), Ok(3)], "{text}");
    }
    assert_eq!(split("[]"), []);
    assert_eq!(split(" \n"), []);
}

#[test]
fn compressed_dumps_are_read_by_their_first_bytes() {
    let text = br#"[{"id":1},{"id":2}]"#;
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(text).unwrap();
    assert_eq!(split(gzip.finish().unwrap()), [Ok(1), Ok(2)]);
    assert_eq!(split(zstd::encode_all(&text[..], 1).unwrap()), [Ok(1), Ok(2)]);
}

/// A reader that returns a few bytes at a time, so that every element is incomplete at first.
struct Drops<R>(R, usize);

impl<R: Read> Read for Drops<R> {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        let n = out.len().min(self.1);
        self.0.read(&mut out[..n])
    }
}

#[test]
fn elements_larger_than_a_chunk_stay_whole() {
    let long = "x".repeat(3 << 20);
    let text = format!(
        "[{{\"id\":1,\"a\":\"{long}\"}},\n{{\"id\":2,\"a\":\"{long}\"}},{{\"id\":3,\"a\":\"\\.\"}},{{\"id\":4}}]"
    );
    let column = long.len() + "{\"id\":2,\"a\":\"\"},{\"id\":3,\"a\":\"\\".len() + 1;
    let want = [Ok(1), Ok(2), Err(format!("d:2:{column}: invalid escape")), Ok(4)];
    assert_eq!(split(text.clone()), want);
    let reader = Reader::new(Drops(std::io::Cursor::new(text.into_bytes()), 70_001));
    assert_eq!(split_source(Source::Stream { name: "d".into(), reader: Some(reader) }), want);
}

#[test]
fn after_a_broken_element_the_rest_goes_on() {
    // HTTrack's escape; a raw line feed of a formatter; a lost comma; a bracket that does not match; bad UTF-8
    for (broken, what) in [
        (&br#"{"id":2,"a":"\..\/x"}"#[..], "d:1:22: invalid escape"),
        (b"{\"id\":2,\"a\":\"x\ny\"}", "d:2:1: a control character in a string"),
        (br#"{"id":2 "a":1}"#, "d:1:19: expected `,` or `}`"),
        (br#"{"id":2,"a":[1}}"#, "d:1:26: expected `,` or `]`"),
        (b"{\"id\":2,\"a\":\"\xff\"}", "d:1:24: invalid UTF-8"),
        (br#"{"id":2,"a":tru}"#, "d:1:25: not JSON: a word that is neither true, false nor null"),
    ] {
        let text = [br#"[{"id":1},"#, broken, br#",{"id":3}]"#].concat();
        let seen = split(&text[..]);
        assert_eq!(ids(&seen), [1, 3], "{}", String::from_utf8_lossy(&text));
        let said = errors(&seen)[0].replace("d:1:", "").replace("d:2:", "");
        let wanted = what.replace("d:1:", "").replace("d:2:", "");
        assert_eq!(said.split_once(':').unwrap().1, wanted.split_once(':').unwrap().1);
    }
}

#[test]
fn a_lost_quote_costs_one_element_only() {
    let good = |id: i64| format!(r#"{{"id":{id},"t":"a, \"b\" [c","l":[{{"id":{}}}]}}"#, id * 100);
    let bad = r#"{"id":2,"t":"a, \"b\" [c,"l":[{"id":200}]}"#;
    let seen = split(format!("[{},{bad},{},{}]", good(1), good(3), good(4)));
    assert_eq!(ids(&seen), [1, 3, 4]);
    assert_eq!(errors(&seen).len(), 1, "{seen:?}");
}

/// The first element of a file: no earlier one shows how the elements of this file begin.
#[test]
fn an_object_in_a_truncated_value_is_not_an_element() {
    let within = r#"{"slug":"s","link":"https://a.example/9/","id":9,"type":"post","title":{"rendered":"t"}}"#;
    let seen = split(format!(r#"[{{"id":1,"x":[{{"a":1}},{within},{{"b":1"#));
    assert_eq!((ids(&seen), errors(&seen).len()), (vec![], 1), "{seen:?}");
}

#[test]
fn a_broken_element_and_the_missing_end_of_its_file_are_both_reported() {
    let seen = split(r#"[{"id":1},{"id":2x}"#);
    assert_eq!(
        errors(&seen),
        ["d:1:18: expected `,` or `}`", "d:1:20: the file ends within an array: its end is missing"]
    );
}

#[test]
fn a_line_cut_short_does_not_take_the_next_with_it() {
    let seen = split(
        "{\"id\":1,\"t\":\"a\"}\n{\"id\":2,\"t\":\"a\n{\"id\":3,\"t\":\"a\"}\n{\"id\":4,\"x\":{\"y\":\n{\"id\":5}\n",
    );
    assert_eq!(ids(&seen), [1, 3, 5]);
    assert_eq!(errors(&seen).len(), 2);
}

/// Brackets nested more deeply than is supported, and words that are not values: all lines up to the end of the file were lost.
#[test]
fn brackets_of_a_broken_line_do_not_take_the_next_lines_with_them() {
    let broken =
        ["[".repeat(17), "[".repeat(100_000), "[tru".into(), "[\"a".into(), "[{\"id\":".into(), "[[{\"x\":[\"".into()];
    for broken in &broken {
        let seen =
            split(format!("{{\"id\":1}}\n{broken}\n{{\"id\":2,\"a\":[{{}}]}}\r\n{{\"id\":3}}\n{broken}\n{{\"id\":4}}"));
        assert_eq!((ids(&seen), errors(&seen).len()), (vec![1, 2, 3, 4], 2), "{broken:.20}: {seen:?}");
    }
    // In an array, such lines are part of the broken element.
    let seen = split("[{\"id\":1,\"a\":\"\n{\"id\":7},\n{\"id\":8}\n \"b\"},{\"id\":2}]");
    assert_eq!((ids(&seen).last(), errors(&seen).len()), (Some(&2), 1), "{seen:?}");
}

/// Reads of the file may end anywhere: within the broken line, or within the good one that ends it.
#[test]
fn broken_lines_of_a_long_file_take_no_others_with_them() {
    let long = "x".repeat(9_973);
    let pair = format!("{{\"id\":1,\"a\":[\"{long}\"}}\n{{\"id\":2,\"a\":\"{long}\"}}\n");
    let seen = split(pair.repeat(150));
    assert_eq!((ids(&seen), errors(&seen).len()), (vec![2; 150], 150));
}

#[test]
fn a_bracket_too_many_costs_no_element() {
    let seen = split(r#"[{"id":1}],{"id":2},{"id":3}]"#);
    assert_eq!((ids(&seen), errors(&seen)), (vec![1, 2, 3], vec!["d:1:11: the array has ended before this element"]));
}

#[test]
fn text_that_is_not_json_is_one_reject() {
    let junk = split("[{\"id\":1}]</location></id>\n</x>\n");
    assert_eq!((ids(&junk), errors(&junk)), (vec![1], vec!["d:1:11: not JSON"]));
    let warning = split("<br />\n<b>Warning</b>: x\n[{\"id\":1}]");
    assert_eq!((ids(&warning), errors(&warning)), (vec![1], vec!["d:1:1: not JSON"]));
    let login = split("<!DOCTYPE html>\n<script>\n{\"id\":1}\n</script>");
    assert_eq!(login, [Err("d:1:1: HTML, not JSON".to_owned())]);
    assert_eq!(split("null"), [Err("d:1:1: not JSON".to_owned())]);
    let scalars = split("[1,\"{\",null,{\"id\":1}]");
    assert_eq!((ids(&scalars), errors(&scalars).len()), (vec![1], 3));
}

#[test]
fn a_dump_cut_anywhere_is_read_as_far_as_it_goes() {
    let text = r#"[{"id":1,"a":"x\"y"},{"id":2,"b":[{}]}]"#;
    for cut in 1..text.len() {
        let seen = split(&text[..cut]);
        assert_eq!(errors(&seen).len(), 1, "{}: {seen:?}", &text[..cut]);
        assert!(ids(&seen).len() == [21, 39].iter().filter(|&&end| cut >= end - 1).count(), "{cut}: {seen:?}");
    }
}

#[test]
fn hostile_nesting_takes_linear_time_and_no_stack() {
    let deep = "{\"id\":1,\"a\":[".repeat(50_000);
    assert_eq!(errors(&split(format!("[{deep}"))).len(), 1);
    let arrays = "[".repeat(250_000);
    assert_eq!(errors(&split(arrays)).len(), 1);
    let quotes = "[{\"id\":1,\"a\":\"x\"y\"},".repeat(5_000);
    assert!(!errors(&split(quotes)).is_empty());
}

/// Each broken line searched all of the following text for the next good line: 50,000 took 17 seconds, a million did not end.
#[test]
fn broken_lines_take_linear_time() {
    for line in ["{x\n", "{\"id\":1,\"type\":\"post\",\"title\":{\"rendered\":\"x}\n", "{\"a\":1}}\n"] {
        assert_eq!(errors(&split(line.repeat(5_000))).len(), 5_000, "{line}");
        assert_eq!(ids(&split(line.repeat(5_000) + "{\"id\":7}")).last(), Some(&7), "{line}");
    }
}

/// One damaged file of a directory ended the run.
#[test]
fn a_file_of_a_directory_that_cannot_be_read_is_a_reject_or_skipped() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let item = |id: u32| format!("[{{\"id\":{id},\"type\":\"post\",\"title\":\"\"}},\n");
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all((item(2) + &"x\n".repeat(9)).as_bytes()).unwrap();
    let gzip = gzip.finish().unwrap();
    std::fs::write(at("a.json"), item(1).replace(",\n", "]")).unwrap();
    std::fs::write(at("b.gz"), &gzip[..gzip.len() - 9]).unwrap();
    std::fs::write(at("c.json.gz"), b"\x1f\x8b\x08\0garbage").unwrap();
    std::fs::write(at("d.svgz"), b"\x1f\x8b\x08\0garbage").unwrap();
    std::fs::write(at("e.ndjson.zst"), &zstd::encode_all(item(3).as_bytes(), 1).unwrap()[..9]).unwrap();
    std::fs::write(at("f.json"), item(4).replace(",\n", "]")).unwrap();
    let mut sources = Sources::open(&[at("")], || panic!("no stdin")).unwrap();
    let mut told = Vec::new();
    read(&mut sources, |event| {
        tell(event, &mut told);
        Ok(())
    })
    .unwrap();
    let told: Vec<String> = told.iter().map(|line| line.replace(folder.path().to_str().unwrap(), "")).collect();
    assert_eq!(told.iter().filter(|line| line.starts_with("Item")).count(), 3, "{told:#?}");
    let said: Vec<&String> = told.iter().filter(|line| !line.starts_with("Item")).collect();
    assert!(said.len() == 5 && said[2].starts_with("/c.json.gz: ") && said[3] == "/d.svgz skipped None", "{said:#?}");
}

fn shape(text: &str) -> Shape {
    recognise(&Fields::read(text.as_bytes(), &mut Gaps::default()).unwrap().0, text.as_bytes())
}

fn kind_and_type(text: &str) -> (String, String) {
    match shape(text) {
        Shape::Item(item) => (item.kind.to_owned(), item.r#type),
        other => panic!("{text}: {other:?}"),
    }
}

#[test]
fn items_are_known_by_their_fields() {
    for (text, kind, r#type) in [
        (r#"{"id":1,"type":"post","title":{"rendered":"x"}}"#, "post", "post"),
        (r#"{"id":"1","type":"vessel","slug":"x"}"#, "post", "vessel"),
        (r#"{"id":1,"type":"page","status":"publish","taxonomy":"a field of a plugin","title":""}"#, "post", "page"),
        (r#"{"id":1,"type":"attachment"}"#, "media", "media"),
        (r#"{"id":1,"media_type":"image","source_url":"x","link":null}"#, "media", "media"),
        (r#"{"id":1,"taxonomy":"category","name":"x"}"#, "term", "category"),
        (r#"{"id":1,"taxonomy":"post_tag"}"#, "term", "tag"),
        (r#"{"id":1,"taxonomy":"rig"}"#, "term", "rig"),
        (r#"{"id":1,"name":"x","slug":"x","link":"https://x.example/author/x/"}"#, "user", "user"),
        (r#"{"id":1,"name":"x","avatar_urls":{}}"#, "user", "user"),
        (r#"{"id":1,"post":2,"author_name":"x","type":"comment"}"#, "comment", "comment"),
        (r#"{"id":1,"author_name":"x","type":"comment","date":"2024-01-01T00:00:00"}"#, "comment", "comment"),
        (r#"{"id":1,"post":2,"type":"pingback","parent":0}"#, "comment", "comment"),
        (
            r#"{"id":1,"type":"custom","title":{},"_links":{"about":[{"href":"/wp-json/wp/v2/types/nav_menu_item"}]}}"#,
            "post",
            "nav_menu_item",
        ),
        (
            r#"{"id":1,"name":"x","_links":{"about":[{"href":"https://x.example/?rest_route=/wp/v2/taxonomies/rig&x=1"}]}}"#,
            "term",
            "rig",
        ),
        (r#"{"id":1,"title":"x","content":"y","sticky":false}"#, "post", "post"),
        (r#"{"id":1,"title":"x","content":"y","parent":0}"#, "post", "page"),
        (r#"{"id":1,"name":"x","count":1}"#, "term", "tag"),
        (
            r#"{"id":1,"x":1,"_links":{"collection":[{"href":"https://x.example/wp-json/wp/v2/users"}]}}"#,
            "user",
            "user",
        ),
    ] {
        assert_eq!(kind_and_type(text), (kind.to_owned(), r#type.to_owned()), "{text}");
    }
}

#[test]
fn an_object_that_is_not_an_item_is_refused_with_the_reason() {
    for (text, why) in [
        (
            r#"{"code":"rest_no_route","message":"No","data":{"status":404}}"#,
            "API error instead of an item: rest_no_route: No",
        ),
        (r#"{"ID":1,"post_title":"x","permalink":"y"}"#, "database row (wp-cli) instead of a REST API item"),
        (r#"{"id":1,"title":"x","url":"y","type":"post","subtype":"page"}"#, "search result instead of an item"),
        (r#"{"type":"post","title":"x"}"#, "an item of type post without id"),
        (r#"{"id":"theme//index","type":"wp_template","slug":"index"}"#, "a wp_template whose id is not an integer"),
        ("{}", "an empty object"),
        (r#"{"name":"x","version":"1"}"#, "not recognised as an item of the REST API"),
        (r#"{"a":[1],"posts":[{"title":"x"}]}"#, "not recognised as an item of the REST API"),
        (
            r#"{"status":200,"body":[{"id":1,"link":"https://a.example/x/","type":"post"},{}]}"#,
            "an object with items in the list body; jq '.[\"body\"][]' writes them alone",
        ),
    ] {
        assert_eq!(shape(text), Shape::Refused(why.to_owned()), "{text}");
    }
}

#[test]
fn answers_about_the_site_are_known() {
    let types =
        r#"{"post":{"name":"Posts","slug":"post","rest_base":"posts"},"boat":{"slug":"boat","rest_base":"boats"}}"#;
    assert_eq!(shape(types), Shape::Passed(Answer::Types));
    let pairs = rest_bases(types.as_bytes());
    assert_eq!(pairs, [("boats".into(), "boat".into()), ("posts".into(), "post".into())]);
    let one = r#"{"name":"Tags","slug":"post_tag","rest_base":"tags","hierarchical":false}"#;
    assert_eq!(shape(one), Shape::Passed(Answer::Types));
    assert_eq!(rest_bases(one.as_bytes()), [("tags".into(), "tag".into())]);
    assert_eq!(shape(r#"{"name":"x","namespaces":[],"routes":{}}"#), Shape::Passed(Answer::Index));
    assert_eq!(shape(r#"{"publish":{"name":"P","public":true,"slug":"publish"}}"#), Shape::Passed(Answer::Statuses));
    assert_eq!(shape(r#"{"version":"1.0","type":"rich","title":"x","html":"y"}"#), Shape::Passed(Answer::Oembed));
}

#[test]
fn fields_of_any_shape_are_accepted() {
    let odd = r#"{"id":1.0,"type":"post","title":false,"link":false,"taxonomy":[1,{"a":2}],"_links":[],"id":2,"slug":"x",
        "meta":{"a":[[[1e999]]]},"t":"\ud83d","n":123456789012345678901234567890}"#;
    assert_eq!(kind_and_type(odd).1, "post");
    for links in
        ["null", "false", "1", "\"x\"", "[1]", r#"{"self":[1,2],"about":null,"collection":"x"}"#, r#"{"self":[[{}]]}"#]
    {
        let text = format!(r#"{{"id":1,"type":"post","title":"","_links":{links}}}"#);
        assert_eq!(kind_and_type(&text).1, "post", "{links}");
    }
}

#[test]
fn half_of_a_surrogate_pair_is_left_to_wp_parse() {
    let text = r#"{"id":2,"\ud83d":1,"link":"https://x.example/\ud83d/","type":"post","title":"\ud83d"}"#;
    assert_eq!(split(format!("[{text}]")), [Ok(2)]);
    let Shape::Item(item) = shape(text) else { panic!() };
    assert_eq!(item.link.as_deref(), Some("https://x.example/\u{fffd}/"));
}

#[test]
fn a_directory_may_hold_anything_and_a_named_file_may_not() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at("b.json"), "[{\"id\":2,\"type\":\"post\",\"title\":\"\"}]").unwrap();
    std::fs::write(at("a.json"), "\u{feff} {\"id\":1,\"type\":\"post\",\"title\":\"\"}").unwrap();
    std::fs::write(at("login.json"), "<html>").unwrap();
    std::fs::write(at("empty.json"), "").unwrap();
    std::fs::write(at("notes.txt"), "see [1]").unwrap();
    std::fs::create_dir_all(at("wp-content/plugins/demo")).unwrap();
    let brought = at("wp-content/plugins/demo/posts.json");
    std::fs::write(&brought, "[{\"id\":3,\"type\":\"post\",\"title\":\"\"}]").unwrap();
    let list = |arguments: &[PathBuf]| {
        let mut seen = Vec::new();
        let mut sources = Sources::open(arguments, || panic!("no stdin")).unwrap();
        read(&mut sources, |event| {
            match event {
                Event::Item { item, number, .. } => seen.push(format!("{}#{number}", item.id)),
                Event::Broken { what, .. } => seen.push(what),
                Event::Prefix { what, .. } => seen.push(what),
                Event::SkippedFile(..) => seen.push("skipped".to_owned()),
                Event::Passed(..) | Event::Progress(_) | Event::Awaited | Event::Continued(_) => {}
                Event::LeftOut(_) | Event::Dynamic(_) | Event::Home(_) | Event::Charset(..) => {}
            }
            Ok(())
        })
        .unwrap();
        seen
    };
    assert_eq!(list(&[at("")]), ["an empty file", "HTML, not JSON", "skipped", "1#1", "2#1"]);
    assert_eq!(list(&[at("login.json"), at("empty.json")]), ["HTML, not JSON", "an empty file"]);
    assert_eq!(list(&[brought]), ["3#1"]);
}

#[test]
fn json_begins_after_notices_of_php_and_other_formats_are_known() {
    let folder = tempfile::tempdir().unwrap();
    let item = "[{\"id\":2,\"type\":\"post\",\"title\":\"\"}]";
    let notice = "<br />\n<b>Notice</b>:  Undefined index: a[0] {x} in <b>/x.php</b> on line <b>1</b><br />\n";
    let tar = format!("{:\0<257}ustar\0{:\0<249}{item}", "posts.json", "");
    for (text, want) in [
        (format!("{notice}{item}"), vec!["<br />", "2#1"]),
        (format!("PHP Warning: [x]\n{item}{item}"), vec!["PHP Warning: [x]", "2#1", "2#2"]),
        (format!("{notice}[]"), vec!["<br />"]),
        (format!("<!DOCTYPE html><script>{item}</script>"), vec!["HTML, not JSON"]),
        (format!("<?xml version='1.0'?><html>{item}</html>"), vec!["HTML, not JSON"]),
        (format!("{item}\n<?xml version='1.0'?>\n<rss>{item}</rss>"), vec!["XML, not JSON", "2#1"]),
        ("Nothing {here} [to] see".to_owned(), vec!["not JSON"]),
        (tar, vec!["a tar archive: unpack it first"]),
        (format!("PK\x03\x04{item}"), vec!["a zip archive: unpack it first"]),
    ] {
        let place = folder.path().join("a.json");
        std::fs::write(&place, &text).unwrap();
        for argument in [&place, folder.path()] {
            let mut seen = Vec::new();
            let mut sources = Sources::open(&[argument.to_owned()], || panic!("no stdin")).unwrap();
            read(&mut sources, |event| {
                match event {
                    Event::Item { item, number, .. } => seen.push(format!("{}#{number}", item.id)),
                    Event::Broken { what, .. } | Event::Prefix { what, .. } => seen.push(what),
                    _ => {}
                }
                Ok(())
            })
            .unwrap();
            assert_eq!(seen, want, "{text}");
        }
    }
}

/// Only the first MiB of an unreadable part was written to the rejects, without a message.
#[test]
fn skipped_text_is_in_the_rejects_with_all_its_bytes() {
    let item =
        |id: u32| format!("{{\"id\":{id},\"type\":\"post\",\"title\":\"\",\"link\":\"https://a.example/{id}\"}}");
    let words: String = (0..300_000).map(|n| format!("{n} [x \"y {{z}},\n")).collect();
    assert!(words.len() > 5 << 20);
    let html = format!("<html>{words}{words}");
    let long = format!("{{\"id\":9,\"title\":\"{}\"}}", "x".repeat(6 << 20));
    for (text, want, passed) in [
        (format!("{}\n{words}\n{}\n", item(1), item(2)), &[1, 2][..], words.len() + 1),
        (format!("[{},{{\"id\":!{words}}},{}]", item(1), item(2)), &[1, 2], words.len() + 9),
        (format!("[{},{long},{}]", item(1), item(2)), &[1, 2], long.len()),
        (format!("{}\n{long}\n{}\n", item(1), item(2)), &[1, 2], long.len() + 1),
        (html.clone(), &[], html.len()),
    ] {
        let (mut ids, mut broken, mut pieces) = (Vec::new(), 0, Vec::new());
        let mut sources = Sources::new(vec![Source::from_bytes("d", text.as_str())]);
        sources.limit_records(3 << 20);
        read(&mut sources, |event| {
            match event {
                Event::Item { item, .. } => ids.push(item.id),
                Event::Broken { raw, .. } => {
                    broken += 1;
                    pieces.push(raw.to_vec());
                }
                Event::Continued(raw) => pieces.push(raw.to_vec()),
                _ => {}
            }
            Ok(())
        })
        .unwrap();
        assert_eq!((ids.as_slice(), broken), (want, 1), "{}", &text[..90]);
        assert!(pieces.len() > 4 && pieces.iter().all(|raw| raw.len() <= 1 << 20), "{}", &text[..90]);
        let all = pieces.concat();
        assert_eq!(all.len(), passed, "{}", &text[..90]);
        assert!(text.replace('\n', " ").contains(std::str::from_utf8(&all).unwrap()), "{}", &text[..90]);
    }
}

/// Collects every event of a dump as text.
fn tell(event: Event<'_>, told: &mut Vec<String>) {
    told.push(match event {
        Event::Item { item, text, file, number } => {
            let mut json = Vec::new();
            text.append_compact(&mut json);
            format!("{item:?} {} {file} {number}", String::from_utf8(json).unwrap())
        }
        Event::Passed(answer, text) => format!("{answer:?} {}", String::from_utf8_lossy(text)),
        Event::Broken { place, what, raw } => format!("{place}: {what} {}", String::from_utf8_lossy(raw)),
        Event::Continued(raw) => format!("and {}", String::from_utf8_lossy(raw)),
        Event::Prefix { place, what } => format!("{place}: after {what}"),
        Event::SkippedFile(file, what) => format!("{file} skipped {what:?}"),
        Event::Charset(place, what) => format!("{place}: {what}"),
        Event::LeftOut(_) | Event::Dynamic(_) | Event::Home(_) | Event::Progress(_) | Event::Awaited => return,
    });
}

#[test]
fn a_second_reading_reports_the_same_without_parsing() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let long = "x".repeat(300_000);
    for (file, text) in [
        ("a.json", "\u{feff}\n[ {\"id\": 1,  \"type\": \"post\",\n\t\"title\" :\"\", \"link\": \"https://x.example/\"} , 7, {}]".to_owned()),
        ("b.json", "<html>".to_owned()),
        ("c.json", String::new()),
        ("d.json", format!("{{\"id\":-2,\"type\":\"post\",\"title\":\"{long}\"}}\n{{\"id\":3, }}\n{{\"id\":4,\"type\":\"page\",\"title\":\"{long}\"}}\n{{\"id\":5")),
        ("e.json", "{\"post\":{\"slug\":\"post\",\"rest_base\":\"posts\"}} {\"routes\": {}}".to_owned()),
        ("f.json", format!("[{{\"id\":6,\"type\":\"post\",\"title\":[{}1]}}]", "1, ".repeat(70_000))),
    ] {
        std::fs::write(at(file), text).unwrap();
    }
    let mut sources = Sources::open(&[at(""), at("d.json"), at("b.json")], || panic!("no stdin")).unwrap();
    let (mut first, mut again, mut passed) = (Vec::new(), Vec::new(), [0, 0]);
    let findings = read_noting(&mut sources, |event| {
        passed[0] += if let Event::Progress(n) = event { n } else { 0 };
        tell(event, &mut first);
        Ok(())
    });
    read_again(&mut sources, findings.unwrap(), |event| {
        passed[1] += if let Event::Progress(n) = event { n } else { 0 };
        tell(event, &mut again);
        Ok(())
    })
    .unwrap();
    assert_eq!(first.len(), 17, "{first:#?}");
    assert!(first == again);
    assert_eq!(passed[0], passed[1]);
}

#[test]
fn a_dump_that_changes_meanwhile_is_an_error() {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), "[{\"id\":1,\"type\":\"post\",\"title\":\"\"}]").unwrap();
    let mut sources = Sources::open(&[file.path().to_owned()], || panic!("no stdin")).unwrap();
    let findings = read_noting(&mut sources, |_| Ok(())).unwrap();
    std::fs::write(file.path(), "[{\"id\":10,\"type\":\"post\",\"title\":\"\"}]").unwrap();
    let said = read_again(&mut sources, findings, |_| Ok(())).unwrap_err().to_string();
    assert!(said.ends_with("has changed while it was read"), "{said}");
}

/// Objects, or nearly, with the keys that are examined and values of all kinds.
fn objects() -> impl Strategy<Value = String> {
    let key = prop::sample::select(vec![
        "id",
        "type",
        "link",
        "taxonomy",
        "_links",
        "title",
        "self",
        "href",
        "about",
        "\\u0069d",
        "_l\\u0069nks",
        "sel\\u0066",
        "é",
        "",
    ]);
    let leaf = prop::sample::select(vec![
        "1",
        "-0",
        "1.0",
        "1e400",
        "null",
        "nul",
        "false",
        "\"\"",
        "\"a\"",
        "\"https:\\/\\/a\\u00e9\"",
        "\"\\ud83d\"",
        "\"\\x\"",
        "[]",
        "{",
        "}",
        "123456789012345678901",
        "\"\n\"",
    ]);
    let leaf = leaf.prop_map(str::to_owned);
    let space = prop::sample::select(vec!["", "", "", " ", "\n\t"]);
    leaf.prop_recursive(4, 24, 4, move |inner| {
        let field = (key.clone(), space.clone(), inner.clone()).prop_map(|(k, s, v)| format!("{s}\"{k}\"{s}:{v}{s}"));
        prop_oneof![
            prop::collection::vec(inner, 0..3).prop_map(|list| format!("[{}]", list.join(","))),
            prop::collection::vec(field, 0..4).prop_map(|fields| format!("{{{}}}", fields.join(","))),
        ]
    })
}

proptest! {
    #![proptest_config(crate::cases::cases(4_000))]

    /// Valid JSON is read with the values that serde_json reads, and only truncated JSON is called unfinished.
    #[test]
    fn fields_are_read_as_by_serde_json(object in objects(), tail in "[ ,}]{0,2}", cut in any::<prop::sample::Index>()) {
        let text = format!("{object}{tail}");
        let mut gaps = Gaps::default();
        for text in [text.as_bytes(), &text.as_bytes()[..cut.index(text.len())]] {
            match (Fields::read(text, &mut gaps), attempt(text)) {
                (Ok((fields, ours)), Attempt::Parsed(theirs)) => {
                    prop_assert_eq!(ours, theirs);
                    if let Ok(value) = serde_json::from_slice(&text[..ours]) {
                        check_fields(&fields, &value);
                    }
                }
                (Err(Refused::Unfinished), Attempt::Unfinished) => {}
                (Err(Refused::Odd), Attempt::Unfinished | Attempt::Refused { .. }) => {}
                // A value that is not an object.
                (Err(Refused::Odd), Attempt::Parsed(_)) if !text.starts_with(b"{") => {}
                _ => prop_assert!(false, "{}", String::from_utf8_lossy(text)),
            }
        }
    }
}

/// Versions of some items, each without some of the fields that the API returns; their texts are in one of two states.
fn versions() -> impl Strategy<Value = Vec<(i64, usize, u8)>> {
    prop::collection::vec((1_i64..6, 0_usize..64, 0_u8..8), 1..24)
}

/// The item with that id, without the fields whose bits are set in `lacking`.
fn version(&(id, lacking, state): &(i64, usize, u8)) -> Value {
    let mut item = json!({"id": id, "type": "post", "title": {}, "link": format!("https://x.example/{id}/")});
    let fields = [
        ("guid", json!({"rendered": format!("https://x.example/?p={id}")})),
        ("date", json!("2020-01-01T00:00:00")),
        ("status", json!("publish")),
        ("content", json!({"rendered": if state == 0 { "older" } else { "newer" }, "protected": false})),
    ];
    for (at, (name, value)) in fields.into_iter().enumerate().filter(|(at, _)| lacking & 1 << at == 0) {
        item[name] = if (at, lacking & 16) == (3, 16) { json!({"rendered": value["rendered"]}) } else { value };
    }
    item
}

proptest! {
    #![proptest_config(crate::cases::cases(4_000))]

    /// Of items with the same identity the first counts, unless it lacks fields and agrees with a later one in all others.
    #[test]
    fn a_short_item_yields_to_the_whole_one_in_any_order(versions in versions()) {
        let items: Vec<Value> = versions.iter().map(version).collect();
        let mut wanted: BTreeMap<i64, &Value> = BTreeMap::new();
        for item in &items {
            let known = wanted.entry(item["id"].as_i64().unwrap()).or_insert(item);
            let is_short = ["guid", "date", "status", "content"].iter().any(|key| known.get(key).is_none());
            if is_short && *known != item && super::short::is_part(known, item) {
                *known = item;
            }
        }
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), json!(items).to_string()).unwrap();
        let mut first: BTreeMap<i64, Value> = BTreeMap::new();
        let mut told = 0;
        let mut take = |event: Event<'_>| {
            if let Event::Item { item, text, .. } = event {
                told += 1;
                first.entry(item.id).or_insert_with(|| serde_json::from_slice(text.bytes).unwrap());
            }
            Ok(())
        };
        let mut sources = Sources::open(&[file.path().to_owned()], || panic!("no stdin")).unwrap();
        read(&mut sources, &mut take).unwrap();
        prop_assert_eq!(told, items.len());
        prop_assert_eq!(first.iter().collect::<Vec<_>>(), wanted.iter().map(|(id, item)| (id, *item)).collect::<Vec<_>>());
    }
}

/// Asserts that the fields read from an object equal its values.
fn check_fields(fields: &Fields, value: &Value) {
    let loose = |value: &Value| match value {
        Value::Null | Value::Bool(false) => Loose::Nothing,
        Value::String(text) => Loose::Text(text.clone()),
        Value::Number(number) if number.is_i64() => Loose::Int(number.as_i64().unwrap()),
        Value::Number(number) if number.as_f64() == Some(1.0) => Loose::Int(1),
        Value::Number(number) if number.as_f64() == Some(0.0) => Loose::Int(0),
        _ => Loose::Other,
    };
    let of_key = |key: &str| value.get(key).map_or(Loose::Absent, loose);
    assert_eq!(
        [&fields.id, &fields.r#type, &fields.link, &fields.taxonomy],
        ["id", "type", "link", "taxonomy"].map(of_key).each_ref()
    );
    assert_eq!(fields.has(Key::title), value.get("title").is_some_and(|title| !title.is_null()));
    let href = |relation: &str| {
        let value = value.get("_links")?.get(relation)?;
        let value = value.as_array().map_or(Some(value), |list| list.first())?;
        let url = value.as_object().map_or(Some(value), |link| link.get("href").filter(|href| *href != ""))?;
        url.as_str().map(str::to_owned)
    };
    assert_eq!([&fields.links.own, &fields.links.about], ["self", "about"].map(href).each_ref());
}
