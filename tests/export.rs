//! Tests wp-export: the dataset in its folder, and the manifest as a target of make.

use crate::workdir::Workdir;
use serde_json::{Value, json};

const LINES: &str = r#"{"site":"a","kind":"post","type":"post","id":1,"n":1.50}
{"site":"a","kind":"term","type":"genre","id":2}
{"site":"a","kind":"user","type":"user","id":3}
{"site":"a","kind":"comment","type":"comment","id":4}
"#;

fn manifest(dir: &Workdir) -> Value {
    serde_json::from_str(&dir.read("data/manifest.json")).unwrap()
}

#[test]
fn a_dataset_is_a_file_a_type_and_a_manifest_that_holds() {
    let dir = Workdir::new();
    let run = dir.program("wp-export", "-d data", LINES).expect(0);
    assert_eq!((run.stdout.as_str(), run.stderr.as_str()), ("", ""));
    assert_eq!(
        dir.list("data").join(" "),
        "README.md categories.jsonl comments.jsonl croissant.json dataset_infos.json genre-terms.jsonl manifest.json media.jsonl pages.jsonl \
         posts.jsonl schema tags.jsonl users.jsonl"
    );
    assert_eq!(dir.read("data/posts.jsonl"), LINES.split_inclusive('\n').next().unwrap());
    dir.sh("cd data; jq -r '.files[] | .sha256 + \"  \" + .name' manifest.json | sha256sum -c --quiet").expect(0);
    dir.sh("cd data; jq -r '.files[] | \"\\(.records) \\(.name)\"' manifest.json | while read n f; do test $(wc -l < $f) = $n; done")
        .expect(0);
}

#[test]
fn the_manifest_is_the_last_file_to_appear() {
    let dir = Workdir::new();
    dir.program("wp-export", "-d data", LINES).expect(0);
    dir.sh("cd data; for f in *.jsonl; do test ! $f -nt manifest.json || exit 1; done").expect(0);
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    let dir = Workdir::new();
    for compress in ["", "--compress gz", "--compress zst"] {
        dir.program("wp-export", &format!("-d data {compress}"), LINES).expect(0);
        dir.program("wp-export", &format!("-d again -j 3 {compress}"), LINES).expect(0);
        dir.sh("diff -r data again").expect(0);
    }
}

#[test]
fn compressed_files_read_back() {
    let dir = Workdir::new();
    dir.program("wp-export", "-d data --compress gz", LINES).expect(0);
    assert_eq!(dir.sh("gzip -dc data/*.jsonl.gz | sort").stdout, dir.sh(&format!("sort <<'E'\n{LINES}E")).stdout);
    // Another compression means other names: the old files are removed.
    dir.program("wp-export", "-d data --compress zst", LINES).expect(0);
    assert!(dir.list("data").iter().all(|name| !name.ends_with(".gz")));
    let run = dir.program("wp-export", "data/posts.jsonl.zst data/users.jsonl.zst", "").expect(0);
    assert_eq!(run.records().len(), 2);
}

/// On a site whose English pages show the Spanish text, the card counted 102 es and 101 en-US.
#[test]
fn copies_count_as_no_language() {
    let dir = Workdir::new();
    let post = |id: u32, language: &str, copy: Value| {
        json!({"site": "a", "kind": "post", "type": "post", "id": id, "link": format!("https://a.example/{id}/"), "language": language,
            "copy_source": copy, "source": {"steps": ["wp-resolve 0"]}})
    };
    let (own, copy) = (|id| post(id, "es", Value::Null), |id| post(id, "en-US", json!("words")));
    let lines: String = [own(1), copy(2), own(3), copy(4)].map(|record| format!("{record}\n")).concat();
    dir.program("wp-export", "-d data --stats stats", &lines).expect(0);
    let of = manifest(&dir);
    let tags = |key: &str| {
        of[key]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| format!("{} {}", one["language"], one["records"]))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        (tags("languages"), tags("copies")),
        (vec!["\"en-US\" 2".to_owned(), "\"es\" 2".to_owned()], vec!["\"en-US\" 2".to_owned()])
    );
    let card = dir.read("data/README.md");
    assert!(
        card.contains("| es | 2 |\n\nCopies, in which") && !card.contains("en-US") && card.contains("- monolingual"),
        "{card}"
    );
    assert!(!dir.read("data/croissant.json").contains("en-US"));
    assert!(dir.read("stats").contains("\"copies\":2"));
    dir.program("wp-export", "-d report --format report", &lines).expect(0);
    let report = dir.read("report/report.html");
    assert!(
        report.contains("<b>2</b> documents")
            && report.contains("<b>2</b> copies")
            && report.contains("<b>1</b> languages"),
        "{report}"
    );
    dir.program("wp-export", "-d data --without copies", &lines).expect(0);
    assert_eq!(manifest(&dir)["copies"], json!([]));
}

/// Of 60 flipped bits in one of our files, 17 gave other records with status 0.
#[test]
fn a_bit_that_flipped_in_our_zstd_went_unnoticed() {
    let dir = Workdir::new();
    dir.program("wp-export", "-o out.zst", LINES).expect(0);
    dir.program("wp-export", "-d data --compress zst", LINES).expect(0);
    for file in ["out.zst", "data/posts.jsonl.zst"] {
        let (whole, plain) = (dir.read_bytes(file), dir.program("wp-export", file, "").expect(0).stdout);
        for at in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[at] ^= 1 << (at % 8);
            dir.write("flipped", bytes);
            let run = dir.program("wp-export", "flipped", "");
            assert!(run.status != 0 || run.stdout == plain, "{file}: bit {} of byte {at}", at % 8);
        }
    }
}

#[test]
fn personal_data_can_be_left_out() {
    let dir = Workdir::new();
    dir.program("wp-export", "-d data --without users,comments --stats stats", LINES).expect(0);
    assert!(!dir.list("data").iter().any(|name| name.starts_with("users") || name.starts_with("comments")));
    let left_out = json!([{"kind":"comment","type":"comment","records":1},{"kind":"user","type":"user","records":1}]);
    assert_eq!(manifest(&dir)["left_out"], left_out);
    assert!(dir.read("data/README.md").contains("still name people"), "{}", dir.read("data/README.md"));
    let stats: Value = serde_json::from_str(&dir.read("stats")).unwrap();
    assert_eq!((&stats["records_in"], &stats["records_out"], &stats["left_out"]), (&json!(4), &json!(2), &json!(2)));
}

#[test]
fn files_of_others_stay_and_are_named() {
    let dir = Workdir::new();
    dir.write("data/notes.txt", "mine").program("wp-export", "-d data", LINES).expect(0);
    let run = dir.program("wp-export", "-d data", LINES.lines().next().unwrap()).expect(0);
    assert_eq!(run.stderr, "wp-export: data/notes.txt: not of this dataset, left as it is\n");
    assert!(!dir.path("data/genre-terms.jsonl").exists());
    assert_eq!(dir.read("data/notes.txt"), "mine");
}

/// Names, contents and modification times of all files: a run that changes nothing must leave them unchanged.
fn state(dir: &Workdir) -> String {
    dir.sh("find data -type f -exec stat -c '%n %i %Y %Z' {} + | sort; cd data; find . -type f | sort | xargs cat | sha256sum")
        .stdout
}

#[test]
fn a_run_that_does_not_end_with_0_leaves_the_old_dataset_as_it_was() {
    let dir = Workdir::new();
    dir.program("wp-export", "-d data", LINES).expect(0);
    dir.sh("cd data; git init -q . 2>/dev/null || mkdir .git; echo edited >> README.md; echo mine > notes");
    let before = state(&dir);
    dir.write("file", "");
    for (args, input, status, says) in [
        ("-d data --strict", format!("{LINES}x\n"), 1, "-:5:1: not JSON"),
        ("-d data", format!("{LINES}x\n"), 1, "1 reject: data is left as it was (--max-rejects 1 allows for as many)"),
        ("-d data - missing", LINES.to_owned(), 2, "missing: no such file"),
        ("-d data missing", String::new(), 2, "missing: no such file"),
        ("-d data", format!("{LINES}{{\"broken_off_by"), 2, "the input ends within this line"),
        ("-d data", String::new(), 1, "no records came in: data is left as it was (--allow-empty writes it anyway)"),
        (
            "-d data --format opus",
            LINES.to_owned(),
            1,
            "no pair of documents in 4 records for --format opus (wp-resolve finds translations, most of them in the pages of wp-index --scrape): data is left as it was",
        ),
        ("-d data --stats file/stats", LINES.to_owned(), 2, "file/stats"),
        ("-d data --rejects /dev/full", format!("{LINES}x\n"), 2, "/dev/full"),
        ("-d data --format toml", LINES.to_owned(), 2, "toml"),
        ("-d data data/posts.jsonl", String::new(), 2, "data/posts.jsonl: is in data, which -d replaces"),
        ("-d data --format csv data/README.md", String::new(), 2, "data/README.md: is in data"),
    ] {
        let run = dir.program("wp-export", args, &input).expect(status);
        assert!(run.stderr.contains(says), "{args}: {}", run.stderr);
        assert_eq!(state(&dir), before, "{args}");
    }
    let run = dir.sh("wp-export -d ./data < data/posts.jsonl").expect(2);
    assert!(run.stderr.contains("-: is in ./data, which -d replaces"), "{}", run.stderr);
    assert_eq!(state(&dir), before);
    dir.program("wp-export", "-d data --max-rejects 1", format!("{LINES}x\n")).expect(0);
    assert_eq!(dir.read("data/notes"), "mine\n");
    assert!(dir.read("data/README.md").ends_with("edited\n") && dir.path("data/README.new.md").exists());
}

#[test]
fn files_of_others_never_move_nor_the_folder_where_names_cannot_be_exchanged() {
    for can_exchange in [true, false] {
        let dir = Workdir::new();
        dir.program("wp-export", "-d data", LINES).expect(0);
        dir.write("data/.git/HEAD", "x").write("data/notes", "mine").write("data/schema/mine", "mine");
        dir.sh("chmod 700 data/.git; chmod 750 data").expect(0);
        if !can_exchange {
            dir.write(".data.wp-export", "");
        }
        let folders = if can_exchange { "" } else { "stat -c '%n %i' data data/.git data/schema;" };
        let places =
            format!("{folders} stat -c '%n %i' data/.git/HEAD data/notes data/schema/mine; stat -c %a data data/.git");
        let before = dir.sh(&places).expect(0).stdout;
        for format in ["jsonl", "csv", "markdown", "jsonl"] {
            let lines = LINES.replace("\"post\",\"id\"", "\"post\",\"link\":\"https://a.example/x\",\"id\"");
            dir.program("wp-export", &format!("-d data --format {format}"), lines).expect(0);
            assert_eq!(dir.sh(&places).expect(0).stdout, before);
        }
    }
}

#[test]
fn two_runs_at_once_do_not_mix() {
    let dir = Workdir::new();
    dir.write("in", LINES);
    let run = dir.sh(
        "mkfifo fifo; exec 3<>fifo; wp-export -d data - < fifo 3>&- & cat in >&3; until [ -d data/.wp-export/new ]; do sleep .01; done
         wp-export -d data in; echo $?; exec 3>&-; wait $!; echo $?",
    );
    assert_eq!(run.stdout, "2\n0\n");
    assert!(
        run.stderr.contains("data: another wp-export is writing to this folder; nothing was touched"),
        "{}",
        run.stderr
    );
    dir.sh("cd data; jq -r '.files[] | .sha256 + \"  \" + .name' manifest.json | sha256sum -c --quiet").expect(0);
    assert!(dir.list("data").iter().all(|name| !name.starts_with('.')));
}

#[test]
fn files_of_others_of_the_same_name_are_not_destroyed() {
    let dir = Workdir::new();
    dir.write("data/posts.jsonl", "mine").write("data/users.jsonl/mine", "");
    let run = dir.program("wp-export", "-d data", LINES).expect(2);
    assert!(run.stderr.contains("data/posts.jsonl: exists, and no manifest.json says"), "{}", run.stderr);
    assert_eq!((dir.read("data/posts.jsonl").as_str(), dir.list("data").len()), ("mine", 2));
}

#[test]
fn a_manifest_or_a_card_that_is_a_pipe_or_a_device_does_not_hold_the_run_up() {
    let dir = Workdir::new();
    for make in ["mkfifo", "ln -s /dev/zero"] {
        dir.sh(&format!("rm -rf data; mkdir data; {make} data/manifest.json")).expect(0);
        let run = dir.program("wp-export", "-d data", LINES).expect(2);
        assert!(run.stderr.contains("data/manifest.json: not a regular file"), "{}", run.stderr);
        dir.sh(&format!("rm -rf data; mkdir data; {make} data/README.md")).expect(0);
        dir.program("wp-export", "-d data", LINES).expect(0);
        assert!(dir.path("data/README.new.md").exists() && !dir.path("data/README.md").is_file());
    }
}

#[test]
fn what_cannot_be_a_folder_is_an_error() {
    let dir = Workdir::new();
    dir.write("file", "x").write("data/posts.jsonl/x", "");
    for (args, says) in [
        ("-d file", "file: not a directory"),
        ("-d file/below", "file/below: not a directory"),
        ("-d data", "data/posts.jsonl: is a directory"),
    ] {
        let run = dir.program("wp-export", args, LINES).expect(2);
        assert!(run.stderr.contains(says), "{args}: {}", run.stderr);
    }
    assert_eq!(dir.list("data"), ["posts.jsonl"]);
}

#[test]
fn another_programs_manifest_is_not_overwritten() {
    let dir = Workdir::new();
    dir.write("data/manifest.json", "{\"name\":\"an app\"}");
    let run = dir.program("wp-export", "-d data", LINES).expect(2);
    assert!(run.stderr.contains("data/manifest.json: not written by wp-export"), "{}", run.stderr);
    assert_eq!(dir.list("data"), ["manifest.json"]);
}

#[test]
fn a_run_that_is_killed_while_it_writes_leaves_the_old_dataset_and_the_next_one_tidies_up() {
    let dir = Workdir::new();
    dir.program("wp-export", "-d data", LINES).expect(0);
    dir.write("in", LINES);
    let before = dir.read("data/manifest.json");
    dir.sh("mkfifo pipe; wp-export -d data pipe & exec 3> pipe; cat in >&3; until [ -d data/.wp-export/new ]; do sleep .01; done
        kill -KILL $!; wait $!; true");
    assert!(dir.read("data/manifest.json") == before && dir.path("data/.wp-export").exists());
    let run = dir.program("wp-export", "-d data", LINES).expect(0);
    assert_eq!(run.stderr, "");
    assert!(dir.list("data").iter().all(|name| !name.starts_with('.')));
}

/// strace, which CI installs, sends the signal at the nth system call of each kind; all of these are part of the exchange of the datasets,
/// which is one step or, if that is impossible, done file by file.
#[test]
fn a_signal_while_datasets_are_exchanged_waits_for_the_end_of_that() {
    let dir = Workdir::new();
    if dir.sh("strace -V").status != 0 {
        return;
    }
    dir.program("wp-export", "-d old", LINES).expect(0);
    dir.write("in", LINES.replace("\"post\",\"id\"", "\"post\",\"link\":\"https://a.example/x\",\"id\""));
    dir.sh("wp-export -d new in && ! diff -rq old new").expect(0);
    let run = dir.sh(
        "renames=rename,renameat,renameat2
         for least in 3 20; do
           cp -r old data; strace -qq -f -o log -e trace=$renames wp-export -d data in; all=$(wc -l < log); [ $all -ge $least ] || exit 98
           for n in 1 2 $([ $least = 3 ] || echo $((all / 2)) $((all - 1)) $all); do
             for signal in TERM INT HUP; do
               rm -r data; cp -r old data
               strace -qq -f -o log -e trace=$renames -e inject=$renames:signal=$signal:when=$n wp-export -d data in
               case $? in 0|143|130|129) ;; *) exit 99;; esac
               grep -q SIG$signal log && diff -r data new || exit
             done
           done
           rm -r data; touch .data.wp-export
         done",
    );
    assert_eq!((run.status, run.stdout.as_str()), (0, ""), "{}", run.stderr);
}

#[test]
fn a_full_disk_is_an_error_and_leaves_nothing() {
    let dir = Workdir::new();
    // A limit on file size simulates a full disk: the write fails the same way.
    let script =
        "trap '' XFSZ; ulimit -f 100; yes '{\"site\":\"a\",\"type\":\"post\"}' | head -100000 | wp-export -d data";
    let run = dir.sh(script);
    assert!(
        run.status == 2 && run.stderr.contains("data/posts.jsonl: file too large"),
        "{} {}",
        run.status,
        run.stderr
    );
    assert!(!dir.path("data").exists());
    // a user's folder is kept
    dir.write("own/.keep", "");
    std::fs::remove_file(dir.path("own/.keep")).unwrap();
    dir.program("wp-export", "-d own", "").expect(1);
    assert!(dir.list("own").is_empty() && dir.path("own").is_dir());
    dir.program("wp-export", "-d new", "").expect(1);
    assert!(!dir.path("new").exists());
}

#[test]
fn flags_that_do_not_go_together_are_errors() {
    let dir = Workdir::new();
    for args in [
        "-d data -o out",
        "--compress gz",
        "--format wpextract",
        "--format wpextract -d data --compress gz",
        "--format toml -d data",
    ] {
        dir.program("wp-export", args, LINES).expect(2);
        assert!(!dir.path("data").exists(), "{args}");
    }
}

#[test]
fn the_manifest_works_as_a_target_of_make() {
    let dir = Workdir::new();
    dir.write("in", LINES).write("Makefile", "data/manifest.json: in\n\twp-export -d $(@D) $<\n");
    assert!(dir.sh("make").expect(0).stdout.contains("wp-export"));
    assert!(dir.sh("make").expect(0).stdout.contains("up to date"));
    dir.sh("sleep 0.02; touch in; echo x >> in; make").expect(2);
    // A reject: make gets the exit status, and the last good dataset is kept, older than the files that it is made from.
    dir.sh("make -q").expect(1);
    assert_eq!(manifest(&dir)["records"].as_array().unwrap().len(), 4);
}

#[test]
fn wpextracts_files_are_there_under_its_names() {
    let dir = Workdir::new();
    dir.write("in", LINES);
    let run = dir.program("wp-export", "--format wpextract -d data in", "").expect(0);
    assert!(run.stderr.contains("wp-parse --text wpextract"), "{}", run.stderr);
    assert_eq!(
        dir.list("data").join(" "),
        "categories.json manifest.json media.json pages.json posts.json tags.json users.json"
    );
    let files = dir.read("data/posts.json");
    let run = dir.sh("cat in | wp-export --format wpextract -d data").expect(0);
    assert_eq!((run.stdout.as_str(), dir.read("data/posts.json") == files), ("", true));
    let run = dir.program("wp-export", "--format wpextract -d data", LINES.replace("\"a\"", "\"b\"") + LINES).expect(1);
    assert!(run.stderr.contains("a record of a: wpextract's files hold one site, b here"), "{}", run.stderr);
    assert!(dir.read("data/posts.json") == files);
}
