//! Tests inputs of the wrong kind, and missing stages: each is recognised and reported in one line that names the remedy.

use crate::exports;
use crate::workdir::{Run, Workdir, repository};
use serde_json::{Value, json};

fn post(host: &str, id: i64) -> Value {
    json!({"id": id, "type": "post", "link": format!("https://{host}/{id}/"), "title": {"rendered": "x"},
           "_links": {"self": [{"href": format!("https://{host}/wp-json/wp/v2/posts/{id}")}]}})
}

fn posts(host: &str) -> String {
    json!([post(host, 1), post(host, 2)]).to_string()
}

#[track_caller]
fn says(run: &Run, line: &str) {
    assert!(run.stderr.lines().any(|said| said == line), "{}", run.stderr);
}

/// The line that wp-index writes in place of records that it has refused to write.
const BROKEN_OFF: &str = "{\"broken_off_by\":\"wp-index\"";

#[test]
fn items_of_two_sites_under_one_label_are_refused_unless_it_is_the_user_s() {
    let dir = Workdir::new();
    dir.write("dumps/a.json", posts("a.example")).write("dumps/b.json", posts("www.b.example"));
    let warning = "wp-index: records of 2 hosts under one label: a.example 2, b.example 2; their ids get mixed up unless \
                   they are one site: index one site at a time";
    let run = dir.program("wp-index", "dumps", "").expect(1);
    says(&run, warning);
    says(
        &run,
        "wp-index: a.example and b.example have different items of one type and id (post 1 of the latter is \
         https://www.b.example/1/): index one site at a time, or name it with --site if they are one",
    );
    assert!(run.stdout.ends_with(BROKEN_OFF), "{}", run.stdout);
    says(&dir.program("wp-index", "dumps --site s", "").expect(0), warning);
    assert_eq!(dir.program("wp-index", "dumps/a.json", posts("www.a.example")).expect(0).stderr, "");
    // Two domains of one site, one for each language: their items have different ids, or name each other.
    dir.write("ids/a.json", json!([post("a.example", 1)]).to_string());
    dir.write("ids/b.json", json!([post("b.example", 2)]).to_string());
    dir.program("wp-index", "ids", "").expect(0);
    let mut named = post("b.example", 1);
    named["translations"] = json!({"en": {"id": 1, "href": "https://a.example/1/"}});
    dir.write("ids/b.json", json!([named, post("b.example", 2)]).to_string());
    dir.program("wp-index", "ids", "").expect(0);
    // A link to the other site is not such evidence.
    named = post("b.example", 1);
    named["content"] = json!({"rendered": "<a href='https://a.example/1/'>see there</a>"});
    dir.write("ids/b.json", json!([named]).to_string());
    dir.program("wp-index", "ids", "").expect(1);
    // Exports state their sites.
    let export = exports::export(&exports::item_of(1, "post", "publish", "x", ""));
    dir.write("a.xml", &export).write("b.xml", export.replace(exports::SITE, "https://b.example"));
    for command in ["wp-index a.xml b.xml", "cat a.xml b.xml | wp-index"] {
        let (run, what) = (dir.sh(command).expect(1), "harbour.example and b.example have different items");
        assert!(run.stderr.contains(what), "{command}: {}", run.stderr);
    }
}

const PAGE: &str = "<!DOCTYPE html><html><head><title>t</title></head></html>";

#[test]
fn a_scrape_of_another_site_and_one_without_pages_are_refused() {
    let dir = Workdir::new();
    dir.write("dump.json", posts("a.example")).write("empty/readme.txt", "x").write("out", "old");
    dir.write("other/b.example/1/index.html", PAGE).write("good/a.example/1/index.html", PAGE);
    let other = "wp-index: --scrape other: none of its pages of b.example (1) belongs to an item of a.example; if they are of \
                 the same site, --scrape-base URL says where the scrape was made; --allow-empty goes on all the same";
    let empty = |name: &str| {
        format!(
            "wp-index: --scrape {name}: no page of HTML in it: is it the right place, and its disk mounted? --allow-empty \
             goes on without pages"
        )
    };
    for (args, what) in [
        ("dump.json --scrape other", other),
        ("dump.json --scrape empty", &empty("empty")),
        ("dump.json --scrape good --scrape empty", &empty("empty")),
        ("--scrape empty --no-dump --site s", &empty("empty")),
    ] {
        let run = dir.program("wp-index", args, "").expect(1);
        says(&run, what);
        assert_eq!(run.stdout, BROKEN_OFF, "{args}");
        dir.program("wp-index", &format!("{args} -o out"), "").expect(1);
        assert_eq!(dir.read("out"), "old");
        dir.program("wp-index", &format!("{args} --allow-empty"), "").expect(0);
        // The programs after wp-index end with 2, and so does wpipe.
        let run = dir.program("wpipe", &format!("{args} -d ds"), "").expect(2);
        assert_eq!(run.stderr, format!("{what}\n"));
        assert!(!dir.path("ds").exists());
    }
    let warning = other.strip_suffix("; --allow-empty goes on all the same").unwrap();
    says(&dir.program("wp-index", "dump.json --scrape other --allow-empty", "").expect(0), warning);
    // Pages on the site that belong to no item: translations by a plugin, lists, posts that the dump lacks.
    dir.write("site/a.example/7/index.html", PAGE);
    let run = dir.program("wp-index", "dump.json --scrape site", "").expect(0);
    assert!(run.stderr.contains("none of its pages of a.example (1) belongs to an item"), "{}", run.stderr);
    // An empty folder in place of the dump, perhaps a disk that is not mounted.
    dir.write("dump/readme.txt", "x");
    let run = dir.program("wp-index", "dump --scrape good", "").expect(1);
    says(&run, "wp-index: no items below dump: --no-dump lists the pages alone, --allow-empty goes on all the same");
    assert_eq!(run.stdout, BROKEN_OFF);
    dir.program("wp-index", "dump --scrape good --allow-empty", "").expect(0);
    // A feed is of the site if its links are.
    let feed = |host: &str| {
        format!("<rss><channel><item><title>F</title><link>https://{host}/f/</link></item></channel></rss>")
    };
    dir.write("feeds/a.example/feed/index.xml", feed("a.example"));
    dir.program("wp-index", "dump.json --scrape other --scrape feeds", "").expect(0);
    dir.write("other/b.example/feed/index.xml", feed("b.example"));
    says(&dir.program("wp-index", "dump.json --scrape other", "").expect(1), other);
}

/// A page may belong to its record by its URL only, by its id only, or by a mapping that is learnt.
#[test]
fn scrapes_whose_pages_belong_to_the_site_in_any_way_are_read() {
    let claim = |id: i64| PAGE.replace("<title>", &format!("<link rel=shortlink href='/?p={id}'><title>"));
    for (file, page) in [
        ("a.example/1/index.html", PAGE.to_owned()),
        ("1/index.html", PAGE.to_owned()),
        ("a.example/renamed-article/index.html", claim(1)),
        ("a.example/1/feed/index.html", claim(1)),
        ("a.example/index.html?p=1", claim(1)),
        ("mirror.example/copy/1/index.html", claim(1)),
        ("a.example/there/index.html", "<html><head><meta http-equiv=refresh content='0; url=/1/'></head>".to_owned()),
    ] {
        let dir = Workdir::new();
        dir.write("dump.json", posts("a.example")).write(&format!("scrape/{file}"), page);
        let run = dir.program("wp-index", "dump.json --scrape scrape --stats stats", "").expect(0);
        let stats: Value = serde_json::from_str(&dir.read("stats")).unwrap();
        assert!(stats["joined"] == 1 || stats["aliases"] == 1, "{file}: {stats} {}", run.stderr);
    }
}

/// A disk that was not mounted: twenty datasets lost their translations, with status 0.
#[test]
fn a_dataset_is_not_replaced_where_its_scrape_is_gone() {
    let dir = Workdir::new();
    dir.write("dump.json", posts("a.example")).write("scrape/a.example/1/index.html", PAGE);
    let pipe = "wp-index dump.json --scrape scrape | wp-parse | wp-translations | wp-resolve | wp-export -d data";
    dir.sh(pipe).expect(0);
    let before = dir.read("data/manifest.json");
    dir.sh("rm -r scrape/a.example").expect(0);
    let run = dir.sh(&format!("set +o pipefail; {pipe}"));
    assert_ne!(run.status, 0, "{}", run.stderr);
    dir.sh("wpipe dump.json --scrape scrape -d data && exit 9; test $? -ne 9").expect(0);
    assert_eq!(dir.read("data/manifest.json"), before);
    dir.sh("wpipe dump.json --scrape scrape --allow-empty -d data").expect(0);
    assert_ne!(dir.read("data/manifest.json"), before);
}

#[test]
fn a_folder_without_items_ends_with_1_and_writes_nothing() {
    let dir = Workdir::new();
    let tar = [&[b'a'; 257][..], b"ustar"].concat();
    dir.write("dump/a.tar", tar).write("dump/b.csv", "a,b\n").write("out", "old");
    let run = dir.program("wp-index", "dump -o out", "").expect(1);
    says(&run, "wp-index: dump/a.tar: a tar archive: unpack it first; skipped");
    says(&run, "wp-index: no items below dump (2 files skipped; -v names them)");
    assert_eq!(dir.read("out"), "old");
    dir.sh("mkdir none").expect(0);
    says(
        &dir.program("wp-index", "none", "").expect(1),
        "wp-index: no items below none (no file, or none but empty lists)",
    );
    let run = dir.sh("wp-index dump | wp-parse | wp-translations | wp-resolve | wp-export -d data").expect(1);
    says(&run, "wp-export: no records came in: data is not written (--allow-empty writes it anyway)");
}

#[test]
fn files_named_json_that_hold_none_are_rejects_and_counted() {
    let dir = Workdir::new();
    dir.write("dump/a.json", posts("a.example")).write("dump/b.json", "<html>Checking your browser</html>");
    dir.write("dump/c.ndjson", "").write("dump/d.txt", "");
    dir.write("dump/e.json", format!("<br />\n<b>Notice</b>: x in <b>y</b> on line <b>1</b>\n{}", posts("a.example")));
    let run = dir.program("wp-index", "dump --stats stats", "").expect(1);
    says(&run, "wp-index: dump/b.json:1:1: HTML, not JSON");
    says(&run, "wp-index: dump/c.ndjson: an empty file");
    says(&run, "wp-index: dump/e.json:1:1: text before the JSON, skipped: <br />");
    let stats: Value = serde_json::from_str(&dir.read("stats")).unwrap();
    let counts =
        ["items", "records_out", "duplicates", "rejects", "skipped_files"].map(|key| stats[key].as_u64().unwrap());
    assert_eq!(counts, [6, 2, 2, 2, 1]);
    assert_eq!(stats["defects"]["prefix"], 1);
}

#[test]
fn archives_datasets_and_the_output_of_wpextract_are_no_dumps() {
    let dir = Workdir::new();
    dir.write("dump/posts.json", posts("a.example"));
    dir.sh("tar czf dump.tar.gz dump; tar cf dump.tar dump; cp -r dump folder; mv dump.tar folder").expect(0);
    for file in ["dump.tar.gz", "folder/dump.tar"] {
        let run = dir.program("wp-index", file, "").expect(1);
        says(&run, &format!("wp-index: {file}: a tar archive: unpack it first"));
        assert_eq!(run.stdout, "");
    }
    let run = dir.program("wp-index", "folder", "").expect(0);
    says(&run, "wp-index: folder/dump.tar: a tar archive: unpack it first; skipped");
    dir.sh(&format!("cp '{}'/*.json dump", repository("examples/site/dump").display())).expect(0);
    dir.sh("wp-index -q dump --max-rejects 1 | wp-parse -q | wp-resolve > records && wp-export -d own records && wp-export -d peer --format wpextract -q records")
        .expect(0);
    let run = dir.program("wp-index", "own/posts.jsonl", "").expect(1);
    says(
        &run,
        "wp-index: own/posts.jsonl:1:1: a record of wpipe instead of an item; wp-export and the stages before it read records",
    );
    let what = "a record of wpextract's output instead of an item; its download is a dump";
    for file in dir.list("peer").iter().filter(|file| *file != "manifest.json") {
        let run = dir.program("wp-index", &format!("peer/{file}"), "").expect(1);
        assert!(run.stderr.contains(what), "{file}: {}", run.stderr);
        assert_eq!(run.stdout, "", "{file}");
    }
}

#[test]
fn a_stage_that_was_left_out_is_reported() {
    let dir = Workdir::new();
    dir.sh(&format!(
        "cp -r '{}' site; wp-index -q site/dump --max-rejects 1 > items",
        repository("examples/site").display()
    ))
    .expect(0);
    dir.sh("wp-parse -q items > parsed; wp-resolve -q parsed > resolved; wp-parse -q --keep-api items > kept")
        .expect(0);
    for command in [
        "wp-resolve items",
        "wp-export items",
        "wp-export -d data items",
        "wp-resolve < items",
        "wp-translations items",
    ] {
        let run = dir.sh(command).expect(2);
        assert!(
            run.stderr.contains("items of wp-index, not records: wp-parse comes first"),
            "{command}: {}",
            run.stderr
        );
        assert!(!dir.path("data/manifest.json").exists());
    }
    dir.write("lines", format!("{}\n", post("a.example", 1)));
    for command in ["wp-parse lines", "wp-translations lines", "wp-resolve < lines", "wp-export -d data lines"] {
        let run = dir.sh(command).expect(2);
        let what = "items of the REST API, not records: wp-index comes first";
        assert!(run.stderr.contains(what) && !dir.path("data/manifest.json").exists(), "{command}: {}", run.stderr);
    }
    let what = "wp-export: no link, image or translation has been looked up: wp-resolve comes before wp-export";
    says(&dir.program("wp-export", "-d data parsed", "").expect(0), what);
    assert_eq!(dir.program("wp-export", "-d data resolved", "").expect(0).stderr, "");
    dir.sh("wp-resolve -q kept | wp-export -q -d data").expect(0);
    let run = dir.program("wp-parse", "", "[{\"id\":1}]").expect(2);
    assert!(run.stderr.contains("a JSON array, not one record a line: wp-index reads dumps"), "{}", run.stderr);
}

/// A pipe in another order lost all translations, and one of five stages all texts, without a message.
#[test]
fn stages_in_another_order_are_reported() {
    let dir = Workdir::new();
    dir.sh(&format!("cp -r '{}' site", repository("examples/site").display())).expect(0);
    let begin = "wp-index -q site/dump --scrape site/scrape --max-rejects 1 | wp-parse -q";
    let what = "wp-export: none of the translations has been looked up, or all are on other sites: \
                wp-translations comes before wp-resolve";
    says(&dir.sh(&format!("{begin} | wp-resolve -q | wp-translations -q | wp-export -d data")).expect(0), what);
    // If wp-translations runs again, wp-resolve must follow, as the first time.
    let again = "wp-translations -q | wp-resolve -q | wp-translations -q | wp-resolve -q | wp-export -d data";
    assert_eq!(dir.sh(&format!("{begin} | {again}")).expect(0).stderr, "");
    // Without a scrape, translations are not expected.
    let run =
        dir.sh("wp-index -q site/dump --max-rejects 1 | wp-parse -q | wp-resolve -q | wp-export --allow-empty -d data");
    assert_eq!(run.expect(0).stderr, "");
}

/// A site whose only reference leads to a record that the dump lacks: all references have been looked up, but none has a target.
#[test]
fn records_that_passed_wp_resolve_were_told_to_pass_it() {
    let dir = Workdir::new();
    let page = json!({"id": 7, "type": "page", "link": "https://a.example/b/", "lang": "en", "translations": {"en": 7, "it": 8},
        "title": {"rendered": "B"}});
    dir.write("dump.json", json!([page]).to_string());
    dir.sh("wp-index -q dump.json | wp-parse -q | tee parsed | wp-translations -q | wp-resolve -q > resolved")
        .expect(0);
    dir.sh(&format!(
        "wp-index -q '{}/dump' --site a.example --max-rejects 1 | wp-parse -q | wp-resolve -q | wp-export -q -d old; cp -r old older",
        repository("examples/site").display()
    ))
    .expect(0);
    assert_eq!(dir.program("wp-export", "-d old resolved", "").expect(0).stderr, "");
    // the same for records that wp-parse has left without translations, and for formats that read other fields
    for command in [
        "wp-resolve -q parsed | wp-export -d a",
        "wp-export --format csv -d b resolved",
        "wp-export --format tei -d c resolved",
    ] {
        assert_eq!(dir.sh(command).expect(0).stderr, "", "{command}");
    }
    let (none, early) = ("wp-resolve comes before wp-export", "wp-translations comes before wp-resolve");
    for (command, what) in [
        ("wp-export -d older parsed", none),
        ("jq -c 'del(.source.steps)' resolved | wp-export -d d", none),
        ("wp-resolve -q parsed | wp-translations -q | wp-export -d e", early),
    ] {
        let run = dir.sh(command);
        assert_eq!(run.status, i32::from(command.contains("older")), "{command}: {}", run.stderr);
        assert!(run.stderr.lines().next().unwrap_or_default().ends_with(what), "{command}: {}", run.stderr);
    }
}

#[test]
fn two_sites_of_one_label_are_seen_where_they_meet() {
    let dir = Workdir::new();
    dir.write("a.json", posts("a.example")).write("b.json", posts("www.b.example"));
    dir.sh("for site in a b; do wp-index --site one $site.json | wp-parse; done > mixed").expect(0);
    let what = "wp-resolve: site one: https://a.example/1/ and https://www.b.example/1/ have one id and type: these look like \
                two sites under one label; wp-index --site gives each its own";
    says(&dir.program("wp-resolve", "mixed", "").expect(0), what);
    dir.sh("for site in a b; do wp-index --site $site $site.json | wp-parse; done > two").expect(0);
    assert_eq!(dir.program("wp-resolve", "two", "").expect(0).stderr, "");
}

/// In cron, where stdin is /dev/null, the message named only the scrape.
#[test]
fn a_run_without_a_dump_is_told_what_to_name() {
    let dir = Workdir::new();
    dir.write("scrape/a.example/1/index.html", PAGE);
    let run = dir.sh("wpipe --scrape scrape -d data < /dev/null").expect(2);
    let remedy = "name the dump, as in wpipe DUMP -d DATASET, or --no-dump and --scrape; --help has more";
    assert_eq!(run.stderr, format!("wpipe: {remedy}\n"));
    dir.sh("wpipe -h | grep -q no-dump").expect(0);
    // There is no good record, so advice to allow rejects would not help.
    let run = dir.sh("echo x > x.json; wpipe x.json -d data").expect(1);
    assert_eq!(run.stderr, "wp-index: x.json:1:1: not JSON\nwpipe: data is not written\n");
}

/// wp-translations took one --scrape-root for all scrapes, and asked for a second one.
#[test]
fn several_scrapes_outside_are_named_one_by_one() {
    let dir = Workdir::new();
    dir.write("one/a.json", posts("a.example")).write("two/a.json", posts("b.example"));
    let page = |host: &str| format!("<html lang=de><link rel=canonical href='https://{host}/1/'><title>t</title>");
    dir.write("one/scrape/x.html", page("a.example")).write("two/scrape/x.html", page("b.example")).write("in/x", "");
    let begin =
        "cd in; for site in one two; do wp-index -q ../$site/a.json --scrape ../$site/scrape; done | wp-parse -q";
    let run = dir.sh(&format!("set -o pipefail; {begin} | wp-translations")).expect(2);
    let what = "add --scrape-root ../one/scrape (and one for each further scrape)";
    assert!(run.stderr.contains(what), "{}", run.stderr);
    let both = "--scrape-root ../one/scrape/ --scrape-root ../two/scrape";
    let run = dir.sh(&format!("{begin} | wp-translations {both}")).expect(0);
    let languages: Vec<Value> = run.records().iter().map(|record| record["language"].clone()).collect();
    assert_eq!((json!(languages), run.stderr.as_str()), (json!(["de", null, "de", null]), ""));
    let run = dir.sh("cd in; wpipe -n ../one/a.json --scrape ../one/scrape --scrape here -d ds").expect(0);
    assert!(run.stdout.contains("--scrape-root ../one/scrape --scrape-root here"), "{}", run.stdout);
    // A third one is still refused.
    let third = "--scrape-root ../one/scrape --scrape-root ..";
    let run = dir.sh(&format!("set -o pipefail; {begin} | wp-translations {third}")).expect(2);
    assert!(run.stderr.contains("add --scrape-root ../two/scrape"), "{}", run.stderr);
}

#[test]
fn a_dataset_in_its_own_dump_is_refused() {
    let dir = Workdir::new();
    dir.write("dump/a.json", posts("a.example"));
    for (place, command, folder) in [
        (".", "wpipe dump -d dump", "dump is in dump"),
        (".", "wpipe dump -d dump/x/y", "dump/x/y is in dump"),
        (".", "wpipe dump -d out --stats ./dump/stats", "./dump/stats is in dump"),
        ("dump", "wpipe . -d out", "out is in ."),
    ] {
        let run = dir.sh(&format!("cd {place} && {command}")).expect(2);
        let remedy = "the next run would read what this one writes; name a folder beside it";
        says(&run, &format!("wpipe: {folder}, which is read: {remedy}"));
        assert_eq!(dir.list("dump"), ["a.json"]);
    }
    dir.write("posts.json", "[]");
    let run = dir.sh("wpipe posts.json -o ./posts.json").expect(2);
    says(&run, "wpipe: -o ./posts.json: this file is read; name another one");
    assert_eq!(dir.read("posts.json"), "[]");
    dir.sh("cd dump && wpipe . -d ../dump-data && wpipe a.json -d data").expect(0);
}

#[test]
fn counts_given_as_records_are_told_apart() {
    let dir = Workdir::new();
    dir.write("dump.json", posts("a.example"));
    dir.sh("wpipe dump.json -d data --stats st").expect(0);
    let run = dir.sh("wp-export --format report -o report.html --with st/{index,parse}.json data/posts.jsonl");
    let what =
        "wp-export: st/parse.json: the --stats of a stage, not records: for a report each file has its own --with";
    says(&run.expect(2), what);
    assert!(!dir.path("report.html").exists());
}

#[test]
fn names_that_are_none_of_files_are_explained() {
    let dir = Workdir::new();
    dir.write("folder/posts.jsonl", "");
    for (program, args, what) in [
        (
            "wp-index",
            "https://a.example/wp-json/wp/v2/posts",
            "https://a.example/wp-json/wp/v2/posts: a URL, not a file; wp-fetch",
        ),
        ("wp-export", "http://a.example/", "http://a.example/: a URL, not a file; wp-fetch"),
        ("wp-export", "folder", "folder: is a directory; name the files in it that are to be read"),
        ("wp-parse", "-o gone/out", "gone/out: no such file or directory"),
        ("wp-export", "-d data --stats gone/out", "gone/out: no such file or directory"),
    ] {
        let run = dir.program(program, args, "").expect(2);
        assert!(run.stderr.contains(&format!("{program}: {what}")), "{}", run.stderr);
    }
    let run = dir.program("wp-export", "--site x", "").expect(2);
    assert!(run.stderr.contains("unexpected argument '--site'") && !run.stderr.contains("-- --site"), "{}", run.stderr);
    let run = dir
        .program("wp-index", "", r#"{"id":1,"link":"https://a.example/1","title":{"rendered":"x"},"content":{}}"#)
        .expect(1);
    assert!(run.stderr.contains("an item without type; where _fields chooses"), "{}", run.stderr);
}

#[test]
fn known_fields_of_another_shape_are_defects_and_never_silent() {
    let dir = Workdir::new();
    let mut odd = post("a.example", 1);
    let fields = json!({"categories": [{"id": 5}, 6], "author": {"id": 3, "name": "A"}, "sticky": "no", "tags": "a,b",
        "content": {"raw": "x"}, "featured_media": false, "format": [], "parent": "", "guid": {}, "template": null,
        "link": {"href": "https://a.example/?p=1"}});
    fields.as_object().unwrap().iter().for_each(|(key, value)| odd[key] = value.clone());
    dir.write("dump.json", json!([odd, post("a.example", 2)]).to_string());
    let run = dir.sh("wp-index dump.json | wp-parse --stats stats").expect(0);
    let record = &run.records()[0];
    assert_eq!((&record["categories"], &record["tags"]), (&json!([6]), &json!([])));
    assert_eq!(
        (&record["author"], &record["sticky"], &record["content"]["html"]),
        (&json!(null), &json!(null), &json!(null))
    );
    for field in ["categories", "author", "sticky", "tags", "content", "link"] {
        let what = "has a shape that is not WordPress's; what cannot be read of it is left out (post 1)";
        says(&run, &format!("wp-parse: -:1: {field} {what}"));
    }
    let stats: Value = serde_json::from_str(&dir.read("stats")).unwrap();
    assert_eq!(stats["defects"], json!({"shape": 6}));
}

/// A mirror given as the dump: two style sheets that begin with `[data-…]` were rejects, and the message was about them.
#[test]
fn a_mirror_given_as_the_dump_is_told_so_whatever_lies_in_it() {
    let dir = Workdir::new();
    dir.write("mirror/x.html", "<html><title>x</title>").write("mirror/a.css", "[data-x]{color:red}");
    dir.write("mirror/b.css", "[type=text]{color:red}")
        .write("mirror/c.txt", "{ curly }")
        .write("mirror/d.txt", "[ see below ]");
    let run = dir.program("wp-index", "mirror", "").expect(1);
    says(&run, "wp-index: no items below mirror (5 files skipped; pages of HTML: --no-dump --scrape mirror)");
    // A file that may be JSON is still read, and a name such as .json says that it is.
    dir.write("mirror/e", posts("a.example")).write("mirror/f", "[tru]").write("mirror/g.json", "[data-x]{}");
    let run = dir.program("wp-index", "mirror", "").expect(1);
    assert_eq!(run.records().len(), 2, "{}", run.stderr);
    assert!(run.stderr.contains("mirror/g.json:1:2: "), "{}", run.stderr);
}

/// A flipped bit in a dump of wp-fetch went into the dataset without a word, though fetch.json has the SHA-256 of each file.
#[test]
fn a_file_of_a_fetch_that_is_not_as_its_account_states_is_named() {
    let dir = Workdir::new();
    dir.write("raw/dump/posts.json", posts("a.example"));
    let sha256 = dir.sh("sha256sum < raw/dump/posts.json | cut -c1-64").stdout.trim().to_owned();
    let files = [json!({"file": "dump/posts.json", "bytes": posts("a.example").len(), "sha256": sha256})];
    dir.write("raw/fetch.json", json!({"files": files}).to_string());
    assert_eq!(dir.sh("wp-index --end raw/dump").expect(0).stderr, "");
    // One by somebody else may name anything; /dev/zero has no end.
    let elsewhere = ["/dev/zero", "../x", "dump/zero"].map(|file| json!({"file": file, "bytes": 1, "sha256": "0"}));
    dir.write("x", "x").write("other/fetch.json", json!({"files": elsewhere}).to_string());
    dir.write("other/dump/posts.json", posts("a.example"));
    dir.sh("ln -s /dev/zero other/dump/zero");
    assert!(!dir.sh("wp-index --end other/dump").expect(0).stderr.contains("SHA-256"));
    dir.write("raw/dump/posts.json", posts("a.example").replace("/1/", "/9/"));
    let run = dir.sh("wp-index --end raw/dump --stats stats").expect(0);
    says(
        &run,
        "wp-index: raw/dump/posts.json: its SHA-256 is not that in fetch.json: the file is damaged or was changed; fetch it again",
    );
    assert_eq!(serde_json::from_str::<Value>(&dir.read("stats")).unwrap()["defects"], json!({"changed_files": 1}));
}

/// A compressed dump that is cut is a reject whatever is in it, named and in a pipe, with and without the end record.
#[test]
fn a_cut_in_compressed_data_is_a_reject_in_every_kind_of_dump() {
    let dir = Workdir::new();
    let text = |n: usize| (0..999).map(|word| format!("{} ", (n * 999 + word) * 7919)).collect::<String>();
    let items =
        |tag: &str| (1..40).map(|n| tag.replace('#', &n.to_string()).replace('T', &text(n))).collect::<String>();
    let wxr = "<item><title>#</title><link>https://a.example/#/</link><wp:post_id>#</wp:post_id><wp:status>publish</wp:status>\
               <wp:post_type>post</wp:post_type><content:encoded>T</content:encoded></item>";
    let rss = "<item><title>#</title><link>https://a.example/#/</link><description>T</description></item>";
    let head = "<?xml version=\"1.0\"?><rss version=\"2.0\" xmlns:content=\"http://purl.org/rss/1.0/modules/content/\"";
    let exported = format!(
        "{head} xmlns:wp=\"http://wordpress.org/export/1.2/\"><channel><wp:wxr_version>1.2</wp:wxr_version>{}",
        items(wxr)
    );
    let json =
        format!("[{}", items(r#"{"id":#,"type":"post","title":{"rendered":"T"},"link":"https://a.example/#/"},"#));
    for (name, text) in [("x", exported), ("f", format!("{head}><channel>{}", items(rss))), ("j", json)] {
        dir.write("plain", text).sh(&format!("mkdir -p d && rm -f d/*; gzip -c plain | head -c 90000 > d/{name}.gz"));
        for way in [format!("wp-index d/{name}.gz"), format!("wp-index < d/{name}.gz")] {
            for end in ["", " --end"] {
                let run = dir.sh(&format!("{way}{end}")).expect(1);
                assert!(run.stderr.contains("the gzip data break off"), "{way}: {}", run.stderr);
            }
        }
    }
}

/// A fetch that was stopped, and one whose dump lacks a file, gave a dataset without a word.
#[test]
fn a_fetch_that_is_not_complete_is_named() {
    let dir = Workdir::new();
    dir.write("raw/dump/posts-0001.json", posts("a.example")).write("raw/fetch.ndjson", "");
    let says_of =
        |what: &str| says(&dir.sh("wp-index raw/dump --stats stats").expect(0), &format!("wp-index: raw/{what}"));
    says_of(
        "fetch.ndjson: a fetch that has not ended (there is no fetch.json): the same wp-fetch command goes on with it",
    );
    let gone = json!({"file": "dump/posts-0002.json", "bytes": 1, "sha256": "0"});
    dir.write("raw/fetch.json", json!({"complete": true, "files": [gone]}).to_string());
    says_of("dump/posts-0002.json: fetch.json lists this file, which is gone: fetch it again");
    assert_eq!(serde_json::from_str::<Value>(&dir.read("stats")).unwrap()["defects"], json!({"missing_files": 1}));
    dir.write("raw/fetch.json", json!({"complete": false, "gaps": 2, "files": []}).to_string());
    let what = "fetch.json: this fetch is not complete: the same wp-fetch command requests its gaps again";
    says_of(what);
    // Folders that have no name.
    says(&dir.sh("cd raw/dump; wp-index .").expect(0), &format!("wp-index: ../{what}"));
    says(&dir.sh("mkdir raw/dump/x; cd raw/dump/x; wp-index ..").expect(0), &format!("wp-index: ../../{what}"));
}

/// With -q, a run that wrote nothing said only that nothing was written.
#[test]
fn the_reason_of_a_status_is_printed_in_quiet_runs_too() {
    let dir = Workdir::new();
    dir.sh("mkdir empty");
    let run = dir.sh("wpipe -q empty -d ds").expect(1);
    assert_eq!(
        run.stderr,
        "wp-index: no items below empty (no file, or none but empty lists)\nwpipe: ds is not written\n"
    );
    dir.sh("wpipe -q empty --allow-empty -d none && jq -e '.records == []' none/manifest.json").expect(0);
    dir.write("d.json", posts("a.example")).write("broken.json", format!("[{{\"id\":1,]{}", &posts("a.example")[1..]));
    dir.sh("wpipe -q d.json -o records").expect(0);
    let run = dir.sh("wp-export -q --format tmx -d t records").expect(1);
    assert!(run.stderr.starts_with("wp-export: no alignment in 2 records"), "{}", run.stderr);
    let run = dir.sh("wp-index -q broken.json -o x").expect(1);
    assert!(run.stderr.starts_with("wp-index: 1 reject: --max-rejects 1 allows"), "{}", run.stderr);
}

/// One wrong letter in a selector lost the text of 211 of 211 pages without a message.
#[test]
fn a_selector_or_a_switcher_that_no_page_has_was_not_named() {
    let dir = Workdir::new();
    for at in ["a", "b"] {
        let switcher = "<ul class=langs><li data-lang=en>English<li data-lang=it><a href=/it/>Italiano</a></ul>";
        dir.write(&format!("s/{at}/index.html"), format!("<title>A</title>{switcher}<div class=body><p>Boats."));
    }
    dir.sh("wp-index -q --no-dump --scrape s --all-pages --site https://a.example | wp-parse -q -o in").expect(0);
    let table =
        "[[switcher]]\nname='x'\nitem='.langs li'\nlink='a'\ncode=[{of='item', attribute='data-lang'}]\n".to_owned();
    dir.write("right.toml", &table).write("wrong.toml", table.replace("langs", "lings"));
    for (options, want) in [
        ("--content-selector .body --switchers right.toml", ["", "2 2 2 2"]),
        (
            "--content-selector .bdy --content-selector .bodi",
            ["wp-translations: --content-selector found content on none of 2 pages\n", "2 0 null null"],
        ),
        (
            "--switchers wrong.toml",
            ["wp-translations: --switchers found its language switchers on none of 2 pages\n", "null null 2 0"],
        ),
    ] {
        for jobs in ["-j 1", "-j 3"] {
            let run = dir.sh(&format!("wp-translations {options} {jobs} --stats stats in")).expect(0);
            let keys =
                "\\(.content_selector_tried) \\(.content_selector_matched) \\(.switchers_tried) \\(.switchers_matched)";
            let counts = dir.sh(&format!("jq -r '\"{keys}\"' stats")).stdout;
            assert_eq!([run.stderr.as_str(), counts.trim()], want, "{options}");
        }
    }
    // without any page to read, there is no message
    let run = dir.program("wp-translations", "--content-selector .bdy --switchers wrong.toml", "").expect(0);
    assert_eq!(run.stderr, "");
}

/// A folder on another disk that is linked into a mirror, and files that git-annex has not fetched, were left out without a message.
#[test]
fn symbolic_links_that_lead_out_of_a_folder_were_skipped_silently() {
    let dir = Workdir::new();
    dir.write("dump/a.json", posts("a.example")).write("other/b.json", posts("b.example"));
    for at in ["s/a.example/1/index.html", "other/x/index.html"] {
        dir.write(at, "<html><body class=postid-1>Boats");
    }
    dir.sh("ln -s ../other/b.json dump; ln -s ../other dump/more; ln -s . dump/itself; ln -s a.json dump/latest.json
            ln -s ../../other/x s/a.example/x; ln -s a.example s/latest")
        .expect(0);
    let run = dir.program("wp-index", "dump --scrape s --stats stats", "").expect(0);
    says(&run, "wp-index: dump: 2 symbolic links in it lead out of it, or to nothing (first: b.json); skipped");
    says(&run, "wp-index: s: 1 symbolic link in it leads out of it, or to nothing (first: a.example/x); skipped");
    let stats: Value = serde_json::from_str(&dir.read("stats")).unwrap();
    let counts = ["items", "duplicates", "pages", "skipped_links"].map(|key| stats[key].as_u64().unwrap());
    assert_eq!(counts, [4, 2, 1, 3], "{}", run.stderr);
    dir.sh("ln -s nowhere s/a.example/dead").expect(0);
    let run = dir.program("wp-index", "--no-dump --scrape s", "").expect(0);
    says(&run, "wp-index: s: 2 symbolic links in it lead out of it, or to nothing (first: a.example/dead); skipped");
}
