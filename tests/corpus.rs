//! Runs examples/corpus/Makefile with make and the real programs on two sites, and checks what reruns after a change,
//! and what remains when a stage fails.

use crate::workdir::{PROGRAMS, Workdir, installed, repository};
use wpipe::export::Format;
use wpipe::formats;

/// A finished corpus of two sites: `harbour` (the example site, with its one reject) and `quay` (without a scrape).
fn made() -> Workdir {
    let dir = Workdir::new();
    let examples = repository("examples");
    dir.write("sites/quay/dump/posts.json", QUAY).write("corpus.mk", "options.index.harbour := --max-rejects 1\n");
    dir.sh(&format!("cp '{0}/corpus/Makefile' . && cp -r '{0}/site' sites/harbour", examples.display())).expect(0);
    assert_eq!(runs(&dir, "-j2").len(), 2 * PROGRAMS.len());
    dir
}

const QUAY: &str = r#"[{"id":1,"type":"post","link":"https://quay.example/1/","title":{"rendered":"One"},
    "content":{"rendered":"<a href='/2/'>two</a>"}}]"#;

/// Runs make, which must succeed; returns which program it ran for which site, in order within each site.
#[track_caller]
fn runs(dir: &Workdir, args: &str) -> Vec<(String, String)> {
    let run = dir.sh(&format!("make {args}")).expect(0);
    let of = |line: &str| {
        let site = ["harbour", "quay"].into_iter().find(|site| line.contains(&format!("build/{site}/"))).unwrap();
        (site.to_owned(), line.split(' ').next().unwrap().to_owned())
    };
    let mut runs: Vec<_> = run.stdout.lines().filter(|line| line.starts_with("wp-")).map(of).collect();
    runs.sort_by(|a, b| a.0.cmp(&b.0));
    runs
}

/// The programs from this one on, for these sites.
fn from(program: &str, sites: &[&str]) -> Vec<(String, String)> {
    let programs = PROGRAMS.into_iter().skip_while(move |p| *p != program);
    let of = |site: &&str| programs.clone().map(|p| ((*site).to_owned(), p.to_owned())).collect::<Vec<_>>();
    sites.iter().flat_map(of).collect()
}

const BOTH: [&str; 2] = ["harbour", "quay"];

#[test]
fn a_damaged_file_of_a_stage_is_made_again_by_the_next_run() {
    let dir = made();
    let flip = "printf '\\377\\377' | dd of=build/quay/parse.ndjson.zst bs=1 seek=60 conv=notrunc status=none; touch sites/quay/dump/posts.json";
    dir.sh(&format!(
        "{flip}; make -s build/quay/inputs SITES=quay; touch build/quay/index.ndjson.zst build/quay/parse.ndjson.zst"
    ))
    .expect(0);
    let run = dir.sh("make SITES=quay").expect(2);
    assert!(
        run.stderr.contains("build/quay/parse.ndjson.zst was damaged and is removed: make builds it again"),
        "{}",
        run.stderr
    );
    assert_eq!(runs(&dir, ""), from("wp-parse", &["quay"]));
}

#[test]
fn unchanged_sites_are_not_made_again() {
    let dir = made();
    let datasets = "find datasets build -type f -exec stat -c '%n %Y' {} + | sort";
    let before = dir.sh(datasets).stdout;
    assert_eq!(dir.sh("make").expect(0).stdout, "make: Nothing to be done for 'all'.\n");
    dir.sh("make -q").expect(0);
    // A dry run writes nothing.
    dir.sh("make -n options.parse=-v").expect(0);
    assert_eq!(dir.sh(datasets).stdout, before);
}

#[test]
fn a_filter_stands_between_two_stages() {
    if !installed("zstd", "the filters of a corpus were not tried") {
        return;
    }
    let dir = made();
    let filter = |stage: &str, command: &str| {
        dir.sh(&format!("sleep 0.02; cat > corpus.mk <<'END'\noptions.index.harbour := --max-rejects 1\nfilter.{stage} := {command}\nEND\n"))
    };
    filter("parse", r#"jq -c 'select(.kind == "end" or .type != "page")'"#);
    let stages =
        |sites| -> Vec<_> { from("wp-parse", sites).into_iter().filter(|(_, stage)| stage != "wp-parse").collect() };
    // The filter of wp-parse is inside the brackets of its pipe.
    assert_eq!(runs(&dir, "-j2"), stages(&BOTH));
    let pages = "jq -s 'map(select(.type == \"page\")) | length' datasets/harbour/*.jsonl";
    assert_eq!(dir.sh(pages).expect(0).stdout, "0\n");
    dir.sh("make -q; test -s build/harbour/parse.log").expect(0);
    // For one site only.
    filter("parse.quay", r#"jq -c '.slug? = "x"'"#);
    runs(&dir, "-j2");
    assert_eq!(dir.sh(pages).expect(0).stdout, "6\n");
    assert_eq!(dir.sh("jq .slug datasets/quay/posts.jsonl").expect(0).stdout, "\"x\"\n");
    // A filter that drops the end records is reported, and the dataset is kept.
    filter("translations", r#"jq -c 'select(.kind != "end")'"#);
    let run = dir.sh("make -k");
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains(".kind == \"end\" or"), "{}", run.stderr);
    assert_eq!(dir.sh(pages).expect(0).stdout, "6\n");
    // A filter that fails leaves no files.
    filter("resolve", "false");
    assert_eq!(dir.sh("make -k").status, 2);
    dir.sh("! ls build/*/resolve.ndjson.zst").expect(0);
}

#[test]
fn counts_are_those_of_wp_export_whatever_the_format() {
    let dir = made();
    for format in formats::ALL.iter().map(Format::name) {
        dir.sh(&format!("sleep 0.02; echo 'options.export = --allow-empty --format {format}' >> corpus.mk")).expect(0);
        assert_eq!(runs(&dir, "-j2"), from("wp-export", &BOTH), "{format}");
        dir.sh("diff <(make counts | cut -f2) <(jq .records_out build/*/export.json)").expect(0);
    }
    let links = "BEGIN { FS = \"\\t\" } { found += $3; dead += $4 } END { print found, dead }";
    let sums = dir.sh(&format!("make counts | awk '{links}'")).expect(0).stdout;
    let table = "make sums | awk '$1 == \"links\" && ($2 == \"found\" || $2 == \"missing.dead\") { print $4 }' | xargs";
    assert_eq!(dir.sh(table).expect(0).stdout, sums);
}

/// `made`, with a site whose name is difficult for shells and make, and a site that fails; each site can also run as
/// one task.
fn with_odd_names() -> Workdir {
    let dir = made();
    dir.write(&format!("sites/{ODD}/dump/posts.json"), QUAY).write("sites/broken one/dump/posts.json", "[{\"id\":2,");
    dir.sh(&format!("cp '{}' .", repository("examples/corpus/slurm.sh").display())).expect(0);
    dir
}

const ODD: &str = "my 'odd' blog: 100% & (more) $HOME #1";
const ENCODED: &str = "my%20%27odd%27%20blog%3A%20100%25%20%26%20%28more%29%20%24HOME%20%231";

#[track_caller]
fn check_odd_names(dir: &Workdir) {
    let run = dir.sh("make -s incomplete").expect(2);
    let message = "wp-index: sites/broken one/dump/posts.json:1:2: the file ends within this element: what followed is lost, and not counted";
    assert_eq!(run.stdout, format!("broken%20one\tbuild/broken%20one/index.log\t{message}\n"));
    let counts = dir.sh("make counts").expect(0).stdout;
    assert_eq!(counts, format!("harbour\t60\t123\t7\n{ENCODED}\t1\t1\t1\nquay\t1\t1\t1\n"));
    let manifest = dir.read(&format!("datasets/{ENCODED}/manifest.json"));
    assert!(manifest.contains(&format!("{ODD:?}")), "{manifest}");
    dir.sh("rm sites/broken*/dump/posts.json; cp sites/quay/dump/* sites/broken*/dump; make -s && make incomplete")
        .expect(0);
}

#[test]
fn a_site_that_fails_is_named_with_its_log_and_the_others_are_complete() {
    let dir = with_odd_names();
    dir.sh("make -sk").expect(2);
    check_odd_names(&dir);
}

#[test]
fn an_array_of_slurm_does_all_sites() {
    let dir = with_odd_names();
    let task = "SLURM_ARRAY_TASK_ID={} SLURM_ARRAY_TASK_COUNT=3 ./slurm.sh || echo {} failed";
    let tasks = format!("make -s names > names; printf '%s\\n' 1 2 3 | xargs -P3 -I{{}} sh -c '{task}'");
    assert_eq!(dir.sh(&tasks).expect(0).stdout, "1 failed\n", "the first of the four names is that of the broken site");
    check_odd_names(&dir);
}

#[test]
fn gnu_parallel_does_all_sites() {
    let dir = with_odd_names();
    if dir.sh("parallel --version | grep -q 'GNU parallel'").status != 0 {
        return println!("SKIPPED: GNU parallel is not installed: its way to run a corpus was not tried");
    }
    dir.sh("make -s names | parallel -j2 make -s SITES={}").expect(1);
    check_odd_names(&dir);
}

#[test]
fn the_datasets_are_those_of_the_pipe() {
    let dir = made();
    dir.sh(
        "wp-index --end sites/harbour/dump --scrape sites/harbour/scrape --site harbour --max-rejects 1 | wp-parse |
        wp-translations | wp-resolve | wp-export -d pipe && diff -r pipe datasets/harbour",
    )
    .expect(0);
}

#[test]
fn a_site_that_is_touched_is_done_again_and_no_other() {
    let dir = made();
    let page = "<html><link rel=canonical href=https://quay.example/1/>";
    for (change, site) in [
        ("touch sites/quay/dump/posts.json", "quay"),
        (&format!("mkdir sites/quay/scrape; echo '{page}' > 'sites/quay/scrape/odd:na me%#$.html'"), "quay"),
        // Without this option, a dataset with pages is not replaced by one without.
        ("rm -r sites/quay/scrape; echo 'options.export.quay = --allow-empty' >> corpus.mk", "quay"),
        ("touch sites/harbour/scrape/harbour.example/about/index.html", "harbour"),
        // As `cp -p` and `rsync -a` do.
        ("echo '[]' > sites/quay/dump/pages.json; touch -d 2001-01-01 sites/quay/dump/pages.json", "quay"),
        (
            "cp -r sites/quay/dump new; echo '[ ]' > new/pages.json; mv sites/quay/dump old; ln -s ../../old sites/quay/dump",
            "quay",
        ),
        ("touch -d 2001-01-01 new; ln -sfn ../../new sites/quay/dump", "quay"),
    ] {
        dir.sh(&format!("sleep 0.02; {change}")).expect(0);
        assert_eq!(runs(&dir, "-j2"), from("wp-index", &[site]), "{change}");
        assert_eq!(runs(&dir, ""), [], "{change}");
    }
}

#[test]
fn another_option_of_a_stage_starts_from_this_stage() {
    let dir = made();
    for (option, program, sites) in [
        ("options.index = --all-pages", "wp-index", &BOTH[..]),
        ("options.parse = --text wpextract", "wp-parse", &BOTH[..]),
        ("options.translations.harbour = --sources rest,hreflang", "wp-translations", &["harbour"]),
        ("options.resolve = -v", "wp-resolve", &BOTH[..]),
        ("options.export.quay = --without users,comments --compress gz", "wp-export", &["quay"]),
    ] {
        dir.sh(&format!("sleep 0.02; echo '{option}' >> corpus.mk")).expect(0);
        assert_eq!(runs(&dir, "-j2"), from(program, sites), "{option}");
        assert_eq!(runs(&dir, ""), [], "{option}");
    }
    assert!(!dir.list("datasets/quay").iter().any(|name| name.starts_with("users") || name.ends_with(".jsonl")));
    assert!(dir.read("datasets/harbour/manifest.json").contains("\"text_rules\": \"wpextract\""));
}

#[test]
fn files_between_the_stages_may_be_deleted_until_they_are_needed() {
    let dir = made();
    dir.sh("rm build/*/*.zst").expect(0);
    assert_eq!(runs(&dir, ""), []);
    dir.sh("echo 'options.resolve = -v' >> corpus.mk").expect(0);
    assert_eq!(runs(&dir, ""), from("wp-index", &BOTH));
}

#[test]
fn a_stage_that_fails_leaves_no_target_and_is_tried_again() {
    let dir = made();
    // A reject fails wp-index after its file is in place; a missing switcher file fails wp-translations.
    for (change, target, undo) in [
        ("echo '[{\"id\":2' > sites/quay/dump/b.json", "index", "rm sites/quay/dump/b.json"),
        ("echo 'options.translations.quay = --switchers gone' >> corpus.mk", "translations", "sed -i '$d' corpus.mk"),
    ] {
        let before = dir.read("datasets/quay/manifest.json");
        dir.sh(&format!("sleep 0.02; touch sites/harbour/dump; {change}")).expect(0);
        for _ in 0..2 {
            let run = dir.sh("make -k").expect(2);
            assert!(run.stderr.contains(&format!("build/quay/{target}.ndjson.zst] Error")), "{}", run.stderr);
            assert!(!dir.path(&format!("build/quay/{target}.ndjson.zst")).exists(), "{change}");
        }
        // The other site is finished, and the dataset of the last good run still exists.
        assert_eq!(dir.sh("make -n datasets/harbour/manifest.json").expect(0).stdout.lines().count(), 1);
        assert_eq!(dir.read("datasets/quay/manifest.json"), before);
        dir.sh(&format!("sleep 0.02; {undo}")).expect(0);
        assert_eq!(runs(&dir, ""), from(&format!("wp-{target}"), &["quay"]), "{undo}");
    }
}

#[test]
fn a_stage_that_is_killed_is_named() {
    let dir = made();
    dir.write("bin/wp-parse", "#!/bin/sh\necho 'wp-parse: a defect' >&2\nkill -9 $$\n");
    dir.sh("chmod +x bin/wp-parse; sleep 0.02; touch sites/quay/dump/posts.json").expect(0);
    dir.sh("PATH=$PWD/bin:$PATH make -k").expect(2);
    let said = "quay\tbuild/quay/parse.log\twp-parse: killed (status 137)\n";
    assert_eq!(dir.sh("make -s incomplete").expect(2).stdout, said);
}

#[test]
fn targets_of_the_own_settings_do_not_take_the_place_of_all() {
    let dir = made();
    dir.sh("printf 'mine:\\n\\techo mine\\n' >> corpus.mk").expect(0);
    assert_eq!(dir.sh("make").expect(0).stdout, "make: Nothing to be done for 'all'.\n");
    assert!(dir.sh("make mine").expect(0).stdout.contains("mine"));
}

#[test]
fn an_export_that_fails_leaves_the_last_good_dataset() {
    let dir = made();
    let all = "find datasets -type f -exec stat -c '%n %i %Y' {} + | sort";
    let before = dir.sh(all).stdout;
    for change in ["printf 'x\\n' > build/quay/resolve.ndjson.zst", ": > build/quay/resolve.ndjson.zst"] {
        dir.sh(&format!("sleep 0.02; {change}")).expect(0);
        for _ in 0..2 {
            let run = dir.sh("make").expect(2);
            assert!(run.stderr.contains("datasets/quay/manifest.json] Error"), "{}", run.stderr);
            assert_eq!(dir.sh(all).stdout, before, "{change}");
        }
    }
    dir.sh("sleep 0.02; rm build/quay/resolve.ndjson.zst; touch sites/quay/dump/posts.json").expect(0);
    assert_eq!(runs(&dir, ""), from("wp-index", &["quay"]));
}
