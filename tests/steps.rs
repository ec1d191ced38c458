//! Tests how a dataset records its history: the programs that have processed its records, and the inputs that were
//! read.

use crate::workdir::{Run, Workdir, installed, repository};
use serde_json::{Value, json};
use wpipe::export::Format;
use wpipe::formats;

fn site() -> Workdir {
    let dir = Workdir::new();
    for name in ["dump", "scrape"] {
        std::os::unix::fs::symlink(repository("examples/site").join(name), dir.path(name)).unwrap();
    }
    dir
}

const INDEX: &str = "wp-index -q dump --scrape scrape --max-rejects 1";

/// The steps of a run, the same for all of its records, without versions.
#[track_caller]
fn steps(run: &Run) -> Vec<String> {
    let records = run.records();
    let of = |record: &Value| record["source"]["steps"].clone();
    let has_steps = |record: &&Value| record["kind"] != "end";
    assert!(records.iter().filter(has_steps).all(|record| of(record) == of(&records[0])), "{}", of(&records[0]));
    let version = format!(" {}", env!("CARGO_PKG_VERSION"));
    of(&records[0]).as_array().unwrap().iter().map(|step| step.as_str().unwrap().replacen(&version, "", 1)).collect()
}

/// The chains in a manifest: numbers of records, and their steps without versions.
fn chains(dir: &Workdir, folder: &str) -> Vec<(u64, Vec<String>)> {
    let manifest: Value = serde_json::from_str(&dir.read(&format!("{folder}/manifest.json"))).unwrap();
    let step = |step: &Value| {
        let name = step["name"].as_str().unwrap();
        assert!(step["version"] == env!("CARGO_PKG_VERSION") || step["version"].is_null(), "{step}");
        step["options"].as_str().map_or(name.to_owned(), |options| format!("{name} {options}"))
    };
    let chain = |chain: &Value| {
        (chain["records"].as_u64().unwrap(), chain["steps"].as_array().unwrap().iter().map(step).collect())
    };
    manifest["steps"].as_array().unwrap().iter().map(chain).collect()
}

#[test]
fn steps_are_the_programs_and_the_options_that_change_bytes() {
    let dir = site();
    let pipe = format!("{INDEX} | wp-parse | wp-translations | wp-resolve");
    let four = ["wp-index --scrape", "wp-parse", "wp-translations", "wp-resolve"];
    assert_eq!(steps(&dir.sh(&pipe).expect(0)), four);
    // These options do not change the output.
    let idle = "-q -j3 --stats s --rejects r --max-rejects 9";
    let same = format!("wp-index dump --scrape scrape {idle} --end -v -o a; wp-parse {idle} a -o b.gz; wp-translations {idle} b.gz --scrape-root scrape -o c;
        wp-resolve {idle} --unresolved u --registry-out g c");
    let run = dir.sh(&same.replace(" -v ", " ").replace("-q -j3", "-j3")).expect(0);
    assert_eq!(steps(&run), four);
    // All of these do, in any order; paths are omitted.
    dir.write(
        "t.toml",
        "[[switcher]]\nname = \"x\"\nitem = \"li.x\"\nlink = \"a\"\ncode = [{ of = \"link\", attribute = \"lang\" }]\n",
    )
    .write("g", "");
    let run = dir.sh("wp-index -q dump --scrape scrape --max-rejects 1 --captures all --all-pages --site x --scrape-base https://harbour.example/ --max-record 9M |
        wp-parse --keep-api --keep 'acf,a b' --text no-shortcodes,paragraphs,wpextract |
        wp-translations --content-selector 'main p' --content-selector i --sources html,rest --text no-tables --switchers t.toml |
        wp-groups --sign | wp-groups --similarity 0.9 | wp-language | wp-resolve --registry g").expect(0);
    assert_eq!(
        steps(&run),
        [
            "wp-index --site --scrape --scrape-base https://harbour.example/ --all-pages --captures all --max-record 9437184",
            "wp-parse --text wpextract,no-shortcodes,paragraphs --keep 'acf,a b' --keep-api",
            "wp-translations --sources rest,html --switchers --content-selector 'main p' --content-selector i --text no-tables",
            "wp-groups --sign",
            "wp-groups --similarity 0.9",
            "wp-language",
            "wp-resolve --registry",
        ]
    );
}

#[test]
fn the_same_bytes_by_any_threads_from_a_file_or_a_pipe_and_twice() {
    let dir = site();
    dir.sh(&format!("{INDEX} --end -o a; wp-parse a | wp-translations | wp-resolve > want")).expect(0);
    for way in [
        "wp-parse -j1 a | wp-translations -j1 | wp-resolve -j1",
        "wp-parse -j8 < a | wp-translations -j8 > b; cat b | wp-resolve -j8",
        "wp-parse a > b; wp-translations b > c; wp-resolve c",
        "wp-parse a | wp-parse | wp-translations | wp-translations | wp-resolve | wp-resolve",
    ] {
        dir.sh(&format!("({way}) | cmp - want")).expect(0);
    }
    for (at, format) in formats::ALL.iter().map(Format::name).enumerate() {
        dir.sh(&format!("wp-export -q -j1 --allow-empty -d d{at} --format {format} want; cat want | wp-export -q -j8 --allow-empty -d e{at} --format {format} && diff -r d{at} e{at}"))
            .expect(0);
        let manifest = dir.read(&format!("d{at}/manifest.json"));
        let here = dir.path("").to_str().unwrap().trim_end_matches('/').to_owned();
        assert!(
            !manifest.contains(&here) && !manifest.contains("scrape/") && !manifest.contains("dump/"),
            "{manifest}"
        );
        let chains = chains(&dir, &format!("d{at}"));
        let last = format!("wp-export --format {format}");
        if matches!(format, "tmx" | "moses") {
            // Lines of wp-align have no known steps.
            assert!(chains.is_empty());
            continue;
        }
        assert_eq!(chains.len(), 1, "{format}");
        assert_eq!(chains[0].1, ["wp-index --scrape", "wp-parse", "wp-translations", "wp-resolve", &last]);
    }
    assert_eq!(chains(&dir, "d0")[0].0, 60);
}

#[test]
fn a_stage_that_was_left_out_is_no_step_and_what_is_not_known_is_said() {
    let dir = site();
    dir.sh(&format!("{INDEX} -o a")).expect(0);
    assert_eq!(steps(&dir.sh("wp-parse a | wp-resolve").expect(0)), ["wp-index --scrape", "wp-parse", "wp-resolve"]);
    // Records of programs without steps, and of users who have removed them.
    for loss in ["del(.source.steps)", ".source.steps = null", ".source.steps = []", ".source.steps = \"x\""] {
        let run =
            dir.sh(&format!("wp-parse a | jq -c '{loss}' | wp-translations | jq -c '{loss}' | wp-resolve")).expect(0);
        assert_eq!(steps(&run), ["unknown", "wp-resolve"], "{loss}");
    }
    assert_eq!(steps(&dir.sh("jq -c 'del(.source)' a | wp-parse").expect(0)), ["unknown", "wp-parse"]);
    // Steps are not added to records without `source`.
    let run = dir.sh("wp-parse a | jq -c 'del(.source)' | wp-translations | wp-resolve | wp-export").expect(0);
    assert!(run.records().iter().all(|record| record.get("source").is_none()));
    // Records with two different histories in one dataset, and lines of other programs.
    dir.sh("wp-parse a | wp-resolve > b; wp-parse --text paragraphs a | jq -c '.site = \"b\"' | wp-resolve > c
            jq -c 'select(.kind == \"user\") | .site = \"c\" | del(.source)' b > d; echo '{\"kind\":\"widget\",\"type\":\"w\",\"source\":{\"x\":1}}' > e
            cat b c d e | jq -c . | wp-export -q -d data")
        .expect(0);
    let (users, last) = (dir.read("d").lines().count() as u64, "wp-export --format jsonl");
    let chain = |steps: [&str; 4]| steps.map(str::to_owned).to_vec();
    assert_eq!(
        chains(&dir, "data"),
        [
            (60, chain(["wp-index --scrape", "wp-parse", "wp-resolve", last])),
            (60, chain(["wp-index --scrape", "wp-parse --text paragraphs", "wp-resolve", last])),
            (users, vec!["unknown".to_owned(), last.to_owned()]),
        ]
    );
}

/// Other JSON writers between all stages: the same steps, the same chains.
#[test]
fn steps_survive_what_filters_do() {
    let dir = site();
    for way in [
        "jq -c .",
        "jq -cS .",
        "python3 -c 'import json,sys\nfor line in sys.stdin: print(json.dumps(json.loads(line)))'",
        "tac",
        "sort",
    ] {
        if way.starts_with("python3") && !installed("python3", "steps that its json module wrote were not read") {
            continue;
        }
        let script = format!(
            "{INDEX} --end | {way} | wp-parse | {way} | wp-translations | {way} | wp-resolve | {way} | wp-export -q --expect-end -d data"
        );
        dir.sh(&script).expect(0);
        let steps = ["wp-index --scrape", "wp-parse", "wp-translations", "wp-resolve", "wp-export --format jsonl"];
        assert_eq!(chains(&dir, "data"), [(60, steps.map(str::to_owned).to_vec())], "{way}");
        let manifest: Value = serde_json::from_str(&dir.read("data/manifest.json")).unwrap();
        assert!(manifest["inputs"].as_array().unwrap().len() > 5, "{way}");
    }
}

#[test]
fn what_was_read_to_its_end_has_its_digest() {
    let dir = Workdir::new();
    let post = |id: u32| {
        format!(
            "[{{\"id\":{id},\"type\":\"post\",\"link\":\"https://a.example/{id}/\",\"title\":{{\"rendered\":\"T\"}},\"content\":{{\"rendered\":\"<p>x\"}}}}]"
        )
    };
    dir.write("d/1.json", post(1)).write("d/2.json", post(2)).write("d/3.txt", "no JSON");
    dir.sh("gzip -n d/2.json").expect(0);
    dir.write(
        "s/a.example/1/index.html",
        "<html><head><link rel=canonical href=https://a.example/1/></head><body class=postid-1>x</body></html>",
    );
    let inputs = |folder: &str| -> Value {
        serde_json::from_str::<Value>(&dir.read(&format!("{folder}/manifest.json"))).unwrap()["inputs"].clone()
    };
    let digest = |file: &str| dir.sh(&format!("sha256sum < {file}")).stdout[..64].to_owned();
    let length = |file: &str| dir.read_bytes(file).len();
    let of = |number: u32, file: &str| json!({"site": "a.example", "number": number, "bytes": length(file), "sha256": digest(file)});
    let rest = "wp-parse | wp-resolve | wp-export -q";
    for scrape in ["", "--scrape s"] {
        dir.sh(&format!("wp-index -q d {scrape} --end --max-rejects 9 | {rest} -d data")).expect(0);
        assert_eq!(inputs("data"), json!([of(1, "d/1.json"), of(2, "d/2.json.gz")]), "{scrape}");
        dir.sh(&format!("cat d/2.json.gz | wp-index -q {scrape} --end | {rest} -d data")).expect(0);
        assert_eq!(inputs("data"), json!([of(1, "d/2.json.gz")]), "{scrape}");
    }
    // Without --end, inputs are not recorded.
    dir.sh(&format!("rm -r data; wp-index -q d --max-rejects 9 | {rest} -d data")).expect(0);
    assert_eq!(inputs("data"), json!([]));
    // An archive has the digest that wp-fetch has stated, unless it has changed since.
    dir.write("raw/fetch.warc.gz", archive());
    let account = |bytes: usize| {
        let digest = digest("raw/fetch.warc.gz");
        dir.write(
            "raw/fetch.json",
            json!({"warc": {"file": "fetch.warc.gz", "bytes": bytes, "sha256": digest}}).to_string(),
        );
    };
    account(length("raw/fetch.warc.gz"));
    for dump in ["d/1.json", "--no-dump"] {
        let index = format!("wp-index -q {dump} --scrape raw/fetch.warc.gz --end --all-pages");
        dir.sh(&format!("{index} | {rest} -d data")).expect(0);
        let (found, archive) = (inputs("data"), digest("raw/fetch.warc.gz"));
        assert_eq!(found.as_array().unwrap().last().unwrap()["sha256"], archive, "{dump}: {found}");
        let croissant = dir.read("data/croissant.json");
        assert!(croissant.contains("prov:wasGeneratedBy") && croissant.contains(&format!("urn:sha256:{archive}")));
    }
    account(1);
    dir.sh(&format!("wp-index -q d/1.json --scrape raw/fetch.warc.gz --end | {rest} -d data")).expect(0);
    assert_eq!(inputs("data"), json!([of(1, "d/1.json")]));
}

/// A WARC with the page of a record.
fn archive() -> Vec<u8> {
    let body = "<html><head><link rel=canonical href=https://a.example/1/></head><body class='single postid-1'><p>x</p></body></html>";
    let block = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{body}");
    let record = format!(
        "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: https://a.example/1/\r\nContent-Length: {}\r\n\r\n{block}\r\n\r\n",
        block.len()
    );
    zstd::encode_all(record.as_bytes(), 1).unwrap()
}
