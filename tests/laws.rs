//! Holds the promises "Nothing is lost silently" and "The same input gives the same bytes" of CONTRIBUTING.md.
//! Properties of the pipe as a whole, checked on the example site.

use crate::workdir::{Run, Workdir, repository};
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{self, Write};
use wpipe::ndjson::Object;
use wpipe::record;

/// A directory with the example site's dump and scrape as `dump` and `scrape`.
fn site() -> Workdir {
    let dir = Workdir::new();
    for name in ["dump", "scrape"] {
        std::os::unix::fs::symlink(repository("examples/site").join(name), dir.path(name)).unwrap();
    }
    dir
}

/// Runs the example site through the first stages, each writing a file of its own name.
fn stages() -> Workdir {
    let dir = site();
    dir.sh("wp-index dump --scrape scrape --max-rejects 9 -o index").expect(0);
    dir.sh("wp-parse index -o parse && wp-translations parse -o translations && wp-resolve translations -o resolve")
        .expect(0);
    dir
}

fn keys(line: &str) -> Vec<String> {
    Object::parse_str(line).unwrap().iter().map(|(key, _)| key.to_owned()).collect()
}

#[track_caller]
fn same(dir: &Workdir, script: &str, other: &str) {
    let (a, b) = (dir.sh(script).expect(0), dir.sh(other).expect(0));
    assert!(!a.stdout.is_empty());
    assert!(a.stdout == b.stdout, "differ: {script} | {other}");
}

#[test]
fn any_number_of_threads_gives_the_same_bytes() {
    let dir = stages();
    // Enough lines for several batches per thread.
    let many =
        "for i in $(seq 12); do sed \"s/\\\"site\\\":\\\"[^\\\"]*/&$i/\" index; done > many; wp-parse many > parsed";
    dir.sh(many).expect(0);
    same(
        &dir,
        "wp-index -j1 dump --scrape scrape --max-rejects 9",
        "wp-index -j8 dump --scrape scrape --max-rejects 9",
    );
    same(&dir, "wp-parse -j1 many", "wp-parse -j8 many");
    same(&dir, "wp-translations -j1 parsed", "wp-translations -j8 parsed");
    same(&dir, "wp-resolve -j1 parsed", "wp-resolve -j8 parsed");
    same(&dir, "wp-export -j1 parsed", "wp-export -j8 parsed");
    dir.sh("for i in $(seq 12); do sed \"s/\\\"site\\\":\\\"[^\\\"]*/&$i/\" resolve; done > resolved; sed 's/ the / a /' resolved > old").expect(0);
    for program in ["wp-groups --sign", "wp-language", "wp-align", "wp-diff old", "wp-diff --dates"] {
        same(&dir, &format!("{program} -j1 resolved"), &format!("{program} -j8 resolved"));
        same(&dir, &format!("{program} resolved"), &format!("cat resolved | {program}"));
    }
}

#[test]
fn array_ndjson_and_pages_are_the_same_dump() {
    let dir = site();
    dir.sh("mkdir array lines pages; jq -s 'map(if type == \"array\" then .[] else . end)' dump/*posts*.json > array/p.json
            jq -c '.[]' array/p.json > lines/p.json
            n=$(jq length array/p.json); for i in $(seq 0 3 $n); do jq \".[$i:$i+3]\" array/p.json > pages/$(printf %03d $i).json; done")
        .expect(0);
    let without_source = "jq -c 'del(.source)'";
    for form in ["lines", "pages", "lines/p.json"] {
        same(&dir, &format!("wp-index array | {without_source}"), &format!("wp-index {form} | {without_source}"));
    }
    same(&dir, "wp-index array/p.json | jq -c 'del(.source)'", "wp-index < lines/p.json | jq -c 'del(.source)'");
}

#[test]
fn a_pipe_is_as_good_as_a_file() {
    let dir = stages();
    for (program, input) in
        [("wp-parse", "index"), ("wp-translations", "parse"), ("wp-resolve", "translations"), ("wp-export", "resolve")]
    {
        same(&dir, &format!("{program} {input}"), &format!("cat {input} | {program}"));
        same(&dir, &format!("{program} {input}"), &format!("{program} < {input}"));
    }
    // A short item, and the complete one after a pause.
    let item =
        |more: &str| format!("{{\"id\":1,\"type\":\"post\",\"link\":\"https://a.example/x/\",\"title\":{{}}{more}}}\n");
    let more = ",\"guid\":{},\"date\":\"2020-01-01T00:00:00\",\"status\":\"publish\",\"content\":{\"rendered\":\"x\"}";
    dir.write("short", item("")).write("whole", item(more));
    same(&dir, "cat short whole | wp-index", "(cat short; sleep 0.2; cat whole) | wp-index");
}

#[test]
fn two_sites_in_one_stream_are_as_two_runs() {
    let dir = site();
    dir.sh("wp-index dump --scrape scrape --site a --max-rejects 9 -o a; wp-index dump --site b --max-rejects 9 -o b")
        .expect(0);
    let pipe = "wp-parse | wp-translations | wp-resolve";
    same(&dir, &format!("cat a b | {pipe}"), &format!("(cat a | {pipe}; cat b | {pipe})"));
}

#[test]
fn a_site_that_comes_back_is_an_error() {
    let dir = site();
    dir.sh("wp-index dump --site a --max-rejects 9 | wp-parse -o a; sed 's/\"site\":\"a\"/\"site\":\"b\"/' a > b; cat a b a > aba").expect(0);
    let run = dir.program("wp-resolve", "aba", "").expect(2);
    assert!(run.stderr.contains("aba:"), "{}", run.stderr);
}

#[test]
fn output_has_one_constant_shape_a_kind() {
    let dir = stages();
    let shapes = shapes();
    for stage in ["parse", "translations", "resolve"] {
        for line in dir.read(stage).lines() {
            let value: Value = serde_json::from_str(line).unwrap();
            let kind = value["kind"].as_str().unwrap();
            let want = &shapes[kind];
            assert_eq!(keys(line), keys(want), "{stage}: {kind}");
            check_shape(&value, &serde_json::from_str(want).unwrap(), &format!("{stage} {kind}"));
        }
    }
    for line in dir.read("index").lines() {
        assert_eq!(keys(line), ["site", "kind", "type", "id", "link", "source", "scrape", "aliases", "rights", "api"]);
    }
}

/// The record of each kind as record.rs writes it, with one element in every list.
fn shapes() -> BTreeMap<&'static str, String> {
    let links = || vec![record::Link::default()];
    let images = || vec![record::Image::default()];
    let translations = || vec![record::Translation::default()];
    let post = || record::Post {
        categories: vec![1],
        tags: vec![1],
        terms: vec![record::TermRef::default()],
        translations: translations(),
        links: links(),
        images: images(),
        embeds: vec![record::Embed::default()],
        rights: vec![record::Rights::default()],
        ..Default::default()
    };
    let media = record::Media {
        sizes: vec![record::Size::default()],
        translations: translations(),
        links: links(),
        images: images(),
        rights: vec![record::Rights::default()],
        ..Default::default()
    };
    let term = record::Term { translations: translations(), links: links(), images: images(), ..Default::default() };
    let user = record::User { avatar_urls: vec![record::Avatar::default()], links: links(), ..Default::default() };
    let comment = record::Comment { links: links(), images: images(), ..Default::default() };
    BTreeMap::from([
        ("post", serde_json::to_string(&post()).unwrap()),
        ("html", serde_json::to_string(&post()).unwrap()),
        ("media", serde_json::to_string(&media).unwrap()),
        ("term", serde_json::to_string(&term).unwrap()),
        ("user", serde_json::to_string(&user).unwrap()),
        ("comment", serde_json::to_string(&comment).unwrap()),
    ])
}

/// Structs are always complete, lists are lists, scalars are scalars.
fn check_shape(value: &Value, want: &Value, at: &str) {
    match want {
        Value::Object(fields) => {
            let object = value.as_object().unwrap_or_else(|| panic!("{at} is {value}"));
            assert!(object.keys().eq(fields.keys()), "{at}: {:?}", object.keys());
            fields.iter().for_each(|(key, want)| check_shape(&object[key], want, &format!("{at}.{key}")));
        }
        Value::Array(elements) => {
            let list = value.as_array().unwrap_or_else(|| panic!("{at} is {value}"));
            if let Some(want) = elements.first() {
                list.iter().for_each(|element| check_shape(element, want, at));
            }
        }
        _ => assert!(!value.is_object() && !value.is_array(), "{at} is {value}"),
    }
}

#[test]
fn translations_and_resolve_neither_add_move_nor_drop_a_key() {
    let dir = stages();
    let lines = |name: &str| dir.read(name).lines().map(keys).collect::<Vec<_>>();
    assert!(lines("parse") == lines("translations") && lines("parse") == lines("resolve"));
}

#[test]
fn counts_add_up() {
    let dir = site();
    dir.sh("wp-index dump --scrape scrape --rejects rejected --stats s1 --max-rejects 9 | wp-parse --stats s2 | wp-translations --stats s3 |
            wp-resolve --stats s4 | wp-export -d out --without users,comments --stats s5")
        .expect(0);
    let stats = |name: &str| -> Value { serde_json::from_str(&dir.read(name)).unwrap() };
    let n = |value: &Value| value.as_u64().unwrap_or_else(|| panic!("{value} is no count"));
    let index = stats("s1");
    let sum = |names: &[&str]| names.iter().map(|name| index[name].as_u64().unwrap_or(0)).sum::<u64>();
    assert_eq!(
        sum(&["items", "pages"]),
        sum(&["records_out", "rejects", "duplicates", "aliases", "joined", "merged", "left_out"]),
        "{index}"
    );
    assert!(
        n(&index["rejects"]) > 0 && n(&index["duplicates"]) > 0 && n(&index["aliases"]) > 0 && n(&index["joined"]) > 0
    );
    // An element may extend over several lines; the rejects' file contains it unchanged.
    assert_eq!(dir.sh("jq -s length rejected").expect(0).stdout.trim(), index["rejects"].to_string());
    let mut before = n(&index["records_out"]);
    for name in ["s2", "s3", "s4"] {
        let stage = stats(name);
        assert_eq!((n(&stage["records_in"]), n(&stage["records_out"])), (before, before), "{stage}");
        before = n(&stage["records_out"]);
    }
    let export = stats("s5");
    assert_eq!(n(&export["records_in"]), before);
    assert_eq!(n(&export["records_out"]) + n(&export["left_out"]), before, "{export}");
    assert!(n(&export["left_out"]) > 0);
}

/// Writes JSON as no stage would: blanks around every token, all characters beyond ASCII escaped, and some letters, too.
struct Odd;

impl serde_json::ser::Formatter for Odd {
    fn begin_array_value<W: Write + ?Sized>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        out.write_all(if first { b" " } else { b" ,\t" })
    }

    fn begin_object_key<W: Write + ?Sized>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.begin_array_value(out, first)
    }

    fn begin_object_value<W: Write + ?Sized>(&mut self, out: &mut W) -> io::Result<()> {
        out.write_all(b" : ")
    }

    fn end_object<W: Write + ?Sized>(&mut self, out: &mut W) -> io::Result<()> {
        out.write_all(b" } ")
    }

    fn write_string_fragment<W: Write + ?Sized>(&mut self, out: &mut W, text: &str) -> io::Result<()> {
        for unit in text.encode_utf16() {
            match u8::try_from(unit) {
                Ok(byte) if byte.is_ascii() && !b"eki".contains(&byte) => out.write_all(&[byte])?,
                _ => write!(out, "\\u{unit:04x}")?,
            }
        }
        Ok(())
    }
}

/// Normalises a record where other JSON writers may differ: jq 1.6 writes 1.0 as 1; and if keys are sorted, so are the
/// lists that wp-parse makes of objects.
fn settled(value: Value) -> Value {
    let of_list = |(key, value): (String, Value)| match (key.as_str(), settled(value)) {
        ("sizes" | "avatar_urls", Value::Array(mut list)) => {
            list.sort_by_key(Value::to_string);
            (key, list.into())
        }
        (_, value) => (key, value),
    };
    match value {
        Value::Number(number) => json!(number.as_f64()),
        Value::Array(list) => list.into_iter().map(settled).collect(),
        Value::Object(fields) => fields.into_iter().map(of_list).collect(),
        other => other,
    }
}

/// White space, the order of keys and escapes between two stages do not change the dataset: as written by jq, by
/// Python's json.dumps, and worse.
#[test]
fn the_spelling_of_json_between_stages_does_not_matter() {
    let dir = site();
    let spell = |way: &str, from: &str, to: &str| {
        if way != "odd" {
            return drop(dir.sh(&format!("{way} {from} > {to}")).expect(0));
        }
        let mut lines = Vec::new();
        for line in dir.read(from).lines() {
            // serde_json sorts the keys.
            let value: Value = serde_json::from_str(line).unwrap();
            value.serialize(&mut serde_json::Serializer::with_formatter(&mut lines, Odd)).unwrap();
            lines.extend_from_slice(b"\r\n");
        }
        dir.write(to, lines);
    };
    let dataset = |way: &str| {
        dir.sh("rm -rf data; wp-index dump --scrape scrape --max-rejects 9 -o stage").expect(0);
        for stage in ["wp-parse", "wp-translations", "wp-resolve", "wp-resolve", "wp-export -d data"] {
            spell(way, "stage", "spelt");
            let run = dir.sh(&format!("{stage} spelt > stage"));
            assert_eq!(run.status, 0, "{way} {stage}: {}", run.stderr);
        }
        let files = dir.list("data").into_iter().filter(|name| name.ends_with(".jsonl"));
        let records = |name: &String| -> Vec<Value> {
            dir.read(&format!("data/{name}")).lines().map(|line| settled(serde_json::from_str(line).unwrap())).collect()
        };
        files.map(|name| (records(&name), name)).collect::<Vec<_>>()
    };
    let plain = dataset("cat");
    assert!(plain.iter().map(|(records, _)| records.len()).sum::<usize>() > 50);
    for way in ["jq -c .", "jq -cS .", "odd"] {
        for ((records, name), (plain, _)) in dataset(way).iter().zip(&plain) {
            assert_eq!(records.len(), plain.len(), "{way} {name}");
            records.iter().zip(plain).for_each(|(record, plain)| assert_eq!(record, plain, "{way} {name}"));
        }
    }
}

#[test]
fn a_second_run_of_wp_resolve_changes_nothing() {
    let dir = stages();
    same(&dir, "cat resolve", "wp-resolve resolve");
}

#[test]
fn the_pipe_without_wp_translations_is_valid() {
    let dir = stages();
    dir.sh("wp-resolve parse | wp-export -d out").expect(0);
    assert!(dir.list("out").contains(&"posts.jsonl".into()));
}

#[test]
fn a_moved_scrape_is_found_by_its_root() {
    let dir = stages();
    dir.sh("mkdir -p else/where && cp -r scrape/ else/where/moved && rm scrape").expect(0);
    let run = dir.sh("cd else && wp-translations ../parse").expect(2);
    assert!(run.stderr.contains("scrape"), "{}", run.stderr);
    same(&dir, "cat translations", "cd else && wp-translations --scrape-root where/moved ../parse");
}

#[test]
fn jq_between_two_stages_survives_to_the_end() {
    let dir = site();
    let change = |at: usize| {
        let stages =
            ["wp-index dump --scrape scrape --max-rejects 9", "wp-parse", "wp-translations", "wp-resolve", "wp-export"];
        let jq = "jq -c 'select(.type != \"tag\") | .note = {n: 1.50, \"k\": [12345678901234567890123]} | if .type == \"category\" then .link += \"?x\" else . end'";
        let mut pipe = stages.to_vec();
        pipe.insert(at, jq);
        dir.sh(&pipe.join(" | ")).expect(0).records()
    };
    for at in 1..=4 {
        let records = change(at);
        assert!(records.len() > 20);
        for record in records {
            assert_eq!(record["note"]["n"], json!(1.5));
            assert_ne!(record["type"], "tag");
            assert!(record["type"] != "category" || record["link"].as_str().unwrap().ends_with("?x"), "{record}");
        }
    }
}

#[test]
fn a_dump_cut_anywhere_is_a_clean_reject() {
    let dir = site();
    let whole =
        dir.sh("jq -s 'map(if type == \"array\" then .[] else . end) | .[:4]' dump/*posts*.json").expect(0).stdout;
    let count = |run: &Run| run.stdout.lines().count();
    let (mut last, all) = (0, count(&dir.program("wp-index", "", &whole).expect(0)));
    for cut in (1..whole.len() - 2).step_by(whole.len() / 60 + 1) {
        let cut = (cut..).find(|&at| whole.is_char_boundary(at)).unwrap();
        let run = dir.program("wp-index", "", &whole[..cut]);
        assert!(matches!(run.status, 0 | 1) && !run.stderr.contains("panicked"), "{cut}: {}", run.stderr);
        assert!(run.status == 1 || count(&run) > 0, "{cut}: nothing said");
        assert!(count(&run) >= last, "{cut}");
        last = count(&run);
    }
    assert!(last >= all - 1);
}
