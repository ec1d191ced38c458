//! Tests wp-align on the example site and on bad input, and the formats of wp-export for alignments.

use crate::workdir::{Run, Workdir, repository};
use serde_json::{Value, json};

/// The example site's records and alignments.
fn site() -> Workdir {
    let dir = Workdir::new();
    dir.sh(&format!(
        "cd '{}' && wp-index --end dump --scrape scrape --max-rejects 9 -q | wp-parse -q | wp-translations -q | wp-resolve -q > $OLDPWD/site",
        repository("examples/site").display()
    ))
    .expect(0);
    dir.sh("wp-align site -o alignments --stats stats").expect(0);
    dir
}

fn stats(dir: &Workdir) -> Value {
    serde_json::from_str(&dir.read("stats")).unwrap()
}

#[test]
fn pairs_are_those_of_the_pair_formats_and_any_number_of_threads_writes_them() {
    let dir = site();
    dir.sh(
        "for j in 1 3 8; do wp-align -j$j < site | cmp - alignments; done; wp-export --format pairs site -q -o pairs",
    )
    .expect(0);
    let urls = "jq -r 'select(.kind == \"alignment\") | [.from.language, .to.language, .from.link, .to.link, .group] | @tsv' alignments";
    let pairs =
        "jq -r '.group as $group | .members as $of | range($of | length) as $a | range($a + 1; $of | length) as $b
        | [$of[$a, $b].language, $of[$a, $b].link, $group] | @tsv' pairs";
    dir.sh(&format!("{pairs} | cmp - <({urls})")).expect(0);
    let end = dir.sh("tail -n 1 alignments").records().remove(0);
    assert_eq!((&end["kind"], &end["records"]), (&json!("end"), &stats(&dir)["records_out"]));
    let counts = stats(&dir);
    let sum = |names: &[&str]| names.iter().map(|name| counts[name].as_u64().unwrap()).sum::<u64>();
    assert_eq!(sum(&["aligned", "unaligned"]), sum(&["sentences"]));
    assert_eq!(sum(&["documents", "others"]), sum(&["records_in"]));
    let turned = dir
        .sh("wp-align --languages fr,en site | jq -c 'select(.from) | [.from.language, .to.language]' | sort -u")
        .expect(0);
    assert_eq!(turned.stdout, "[\"fr-FR\",\"en-US\"]\n");
}

#[test]
fn bad_input_is_rejected_and_bad_machines_end_the_run() {
    let dir = site();
    let check = |run: Run, status: i32, says: &str| {
        assert!(run.stderr.contains(says), "{status}: {}", run.expect(status).stderr);
    };
    dir.sh("(head -n 3 site; echo '{\"a\": tru}'; echo '{\"type\":\"post\",\"title\":5}'; tail -n +4 site) > broken")
        .expect(0);
    let run = dir.sh("wp-align broken --rejects rejects -o out").expect(1);
    assert!(
        run.stderr.contains("wp-align: broken:4:10: ")
            && run.stderr.contains("broken:5:24: not the shape of a document: "),
        "{}",
        run.stderr
    );
    assert_eq!(dir.read("rejects"), "{\"a\": tru}\n{\"type\":\"post\",\"title\":5}\n");
    dir.sh("cmp out alignments").expect(0);
    check(dir.sh("wp-align site > /dev/full"), 2, "no space left");
    check(dir.sh("(cat site; printf '{\"id\":1,') | wp-align"), 2, "the input ends within this line");
    check(dir.sh("wp-align gone"), 2, "gone: ");
    check(dir.sh("TMPDIR=gone wp-align site"), 2, "gone (spool): ");
    check(dir.sh("wp-align --languages fr site"), 2, "--languages needs two or more");
    check(dir.sh("wp-align --min-score 2 site"), 2, "a number from 0 to 1");
    check(dir.sh("head -n 3 site | wp-align"), 0, "no pair of documents in 3 records: wp-resolve finds translations");
    dir.sh("set +o pipefail; wp-align site | head -n 1 | grep -q alignment").expect(0);
    assert_eq!(dir.sh("wp-align < /dev/null").expect(0).stdout, "");
    // One record more than the end record counts: a part is missing.
    check(dir.sh("sed 's/\"records\":[0-9]*/\"records\":1/' site | wp-align"), 2, "but its end records count 1");
}

/// The text of an element of a unit, with its entities decoded.
fn plain(xml: &str) -> String {
    xml.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&")
}

#[test]
fn translation_memories_have_each_pair_and_no_date() {
    let dir = site();
    dir.sh(
        "wp-export --format tmx -d d alignments -q --stats stats && wp-export --format tmx alignments -q -o all.tmx",
    )
    .expect(0);
    let counts = stats(&dir);
    let texts: Vec<String> = dir
        .sh("jq -r 'select(.links) | .links[] | select(.score) | (.from, .to) | map(.text) | join(\" \")' alignments")
        .stdout
        .lines()
        .map(str::to_owned)
        .collect();
    let all = dir.read("all.tmx");
    let segments: Vec<String> =
        all.split("<seg>").skip(1).map(|rest| plain(rest.split("</seg>").next().unwrap())).collect();
    assert_eq!(segments, texts);
    assert_eq!(json!(texts.len() / 2), counts["sentence_pairs"]);
    // The DTD requires a header with seven attributes, properties before the segment, and two variants per unit.
    let header = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE tmx SYSTEM \"tmx14.dtd\">\n<tmx version=\"1.4\">\n<header ";
    assert!(all.starts_with(header) && all.ends_with("</tu>\n</body>\n</tmx>\n"));
    for name in ["creationtool", "creationtoolversion", "segtype", "o-tmf", "adminlang", "srclang", "datatype"] {
        assert!(all.contains(&format!(" {name}=\"")), "{name}");
    }
    assert!(!all.contains("date=") && all.matches("<prop type=\"url\">").count() == texts.len());
    let units = |name: &str| dir.read(name).matches("<tu>").count();
    assert_eq!(dir.list("d"), ["de_DE-en_US.tmx", "de_DE-fr_FR.tmx", "en_US-fr_FR.tmx", "manifest.json"]);
    assert_eq!(
        ["d/de_DE-en_US.tmx", "d/de_DE-fr_FR.tmx", "d/en_US-fr_FR.tmx"].map(units).iter().sum::<usize>(),
        texts.len() / 2
    );
    let run = dir.sh("wp-export --format tmx site -o none").expect(1);
    assert!(run.stderr.contains("(wp-resolve | wp-align makes them)"), "{}", run.stderr);
}

#[test]
fn lines_of_moses_belong_together_and_opus_has_each_document_once() {
    let dir = site();
    dir.sh("wp-export --format moses -d m alignments -q && wp-export --format opus -d o alignments -q --stats stats")
        .expect(0);
    let files = dir.list("m");
    assert_eq!(files[..3], ["de_DE-en_US.de_DE", "de_DE-en_US.en_US", "de_DE-en_US.ids"]);
    let pairs = dir.sh("paste m/en_US-fr_FR.ids m/en_US-fr_FR.en_US m/en_US-fr_FR.fr_FR").stdout;
    let links =
        "select(.from.language == \"en-US\" and .to.language == \"fr-FR\") | . as $a | .links[] | select(.score) |
        [.score, $a.from.link, $a.to.link] + ([.from, .to] | map(map(\"\\(.block).\\(.sentence)\") | join(\" \")))
        + ([.from, .to] | map(map(.text) | join(\" \"))) | join(\"\\t\")";
    dir.write("links.jq", links);
    assert_eq!(pairs, dir.sh("jq -r -f links.jq alignments").stdout);
    // Documents in the same language are nevertheless in two files.
    dir.sh("jq -c 'select(.links) | .to.language = .from.language' alignments | sed -n 1p | wp-export --format moses -d same -q").expect(0);
    let names = dir.list("same").into_iter().filter(|name| name.contains('-')).collect::<Vec<_>>();
    assert_eq!(names, ["en_US-en_US.en_US", "en_US-en_US.en_US.2", "en_US-en_US.ids"]);
    let documents = "jq -r 'select(.links) | [.from, .to][] | \"\\(.type)-\\(.id)\"' alignments | sort -u | wc -l";
    assert_eq!(dir.sh("find o/raw -type f | wc -l").stdout, dir.sh(documents).stdout);
    // Every sentence that a link names is in its document.
    let named =
        dir.sh("zcat o/xml/*.gz | grep -o 'xtargets=\"[^\"]*' | cut -d'\"' -f2 | tr '; ' '\\n\\n' | grep -c .").stdout;
    let sentences = dir.sh("jq '[.links[]? | (.from, .to)[]] | length' alignments | jq -s add").stdout;
    assert_eq!(named, sentences);
    let text = dir.sh("zcat o/raw/en_US/harbour.example/page-41.xml.gz").stdout;
    assert!(
        text.contains("<p id=\"0\"><s id=\"0.1\">About</s></p>\n  <p id=\"1\"><s id=\"1.1\">Harbour Archive"),
        "{text}"
    );
    // Records are exported; together with alignments they would be there twice.
    dir.sh("wp-export --format opus -d records site -q").expect(0);
    let both = dir.sh("cat site alignments | wp-export --format opus -d both").expect(0);
    assert!(both.stderr.contains("records beside them are not"), "{}", both.stderr);
    dir.sh("diff -r -x manifest.json o both").expect(0);
    let others = dir.sh("cat site alignments | wp-export --format opus --languages it,pt -d none --allow-empty && jq -c '[.records, .counts.alignments_in_other_languages > 0]' none/manifest.json").expect(0);
    assert_eq!(others.stdout, "[[],true]\n");
    let some = dir.sh("wp-export --format opus --languages en,fr,it -d some alignments").expect(0);
    assert!(some.stderr.contains("--languages it: no such") && !some.stderr.contains("en: no"), "{}", some.stderr);
    assert!(dir.sh("zcat records/xml/de_DE-en_US.xml.gz").stdout.contains("xtargets=\"1;1\""));
}

#[test]
fn alignments_have_a_file_of_their_own_and_can_be_left_out() {
    let dir = site();
    dir.sh("cat site alignments | wp-export -d d -q && cat site alignments | wp-export --without alignments -d e -q")
        .expect(0);
    dir.sh("grep -v '\"kind\":\"end\"' alignments | cmp - d/alignments.jsonl").expect(0);
    assert!(dir.path("d/schema/alignments.schema.json").exists() && !dir.path("e/alignments.jsonl").exists());
    dir.sh("wp-export site -d f -q && for t in posts pages html; do cmp d/$t.jsonl f/$t.jsonl; done").expect(0);
    let links = |name: &str| serde_json::from_str::<Value>(&dir.read(name)).unwrap()["links"].clone();
    assert_eq!(links("d/manifest.json"), links("f/manifest.json"), "links of sentences are not references");
    for format in ["csv", "graph", "documents", "text", "report"] {
        dir.sh(&format!("cat site alignments | wp-export --format {format} -d x{format} -q; wp-export site --format {format} -d y{format} -q")).expect(0);
        dir.sh(&format!("diff -r -x manifest.json -x report.html x{format} y{format}")).expect(0);
    }
}
