//! Tests wp-groups from the pipe to the marks, with the real programs, on good and on bad input.

use crate::workdir::{Run, Workdir, repository};
use serde_json::json;

/// Makes `sites` datasets, each with the signed records of the example site.
fn datasets(sites: usize) -> Workdir {
    let dir = Workdir::new();
    dir.sh(&format!(
        "cd '{}' && wp-index dump --scrape scrape --max-rejects 9 -q --site SITE | wp-parse | wp-translations | wp-resolve > $OLDPWD/site",
        repository("examples/site").display()
    ))
    .expect(0);
    dir.sh(&format!("for n in $(seq {sites}); do sed s/SITE/s$n/ site | wp-groups --sign | wp-export -d $n; done"))
        .expect(0);
    dir
}

#[test]
fn what_several_sites_have_in_common_is_marked_in_every_dataset() {
    let dir = datasets(3);
    let posts = dir.sh("wp-groups */posts.jsonl */pages.jsonl --stats stats").expect(0);
    let stats: serde_json::Value = serde_json::from_str(&dir.read("stats")).unwrap();
    assert_eq!(stats["records_in"], stats["records_out"]);
    assert_eq!(stats["grouped"], stats["signed"]);
    for record in posts.records().iter().filter(|record| record["signature"] != json!(null)) {
        assert!(record["duplicate_group"].as_str().unwrap().starts_with("s1/"), "{record}");
        assert_eq!(record["duplicate_similarity"], 1.0);
    }
    // Marked records become a dataset whose schema has the new keys; marking them again changes nothing.
    dir.sh(
        "wp-groups 2/posts.jsonl 3/posts.jsonl > marked && wp-groups marked | cmp - marked && wp-export marked -d both",
    )
    .expect(0);
    let types = dir.sh(
        "jq -c '.properties | [.signature, .duplicate_group, .duplicate_similarity] | map(.type)' both/schema/posts.*",
    );
    assert_eq!(types.stdout, "[[\"string\",\"null\"],[\"string\",\"null\"],[\"number\",\"null\"]]\n");
}

#[test]
fn any_number_of_threads_and_any_way_in_give_the_same_bytes() {
    let dir = datasets(2);
    dir.sh("wp-groups --sign -j1 site > one; wp-groups --sign -j8 < site | cmp - one; cat site site | wp-groups --sign -j3 | cmp - <(cat one one)").expect(0);
    dir.sh("cat one [12]/html.jsonl > all; wp-groups -j1 all > one; wp-groups -j8 all | cmp - one; cat all | wp-groups | cmp - one").expect(0);
    dir.sh("zstd -q all 2>/dev/null || gzip -k all; wp-groups all.* | cmp - one").expect(0);
}

#[test]
fn bad_input_is_rejected_and_bad_machines_end_the_run() {
    let dir = datasets(1);
    let check = |run: Run, status: i32, says: &str| {
        assert!(run.stderr.contains(says), "{status}: {}", run.expect(status).stderr)
    };
    dir.sh("wp-groups --sign site > signed; (head -n 3 signed; echo '{\"a\": tru}'; tail -n +4 signed) > broken")
        .expect(0);
    for flag in ["--sign", ""] {
        let run = dir.sh(&format!("wp-groups {flag} broken --rejects rejects -o out"));
        check(run, 1, "wp-groups: broken:4:");
        assert_eq!(dir.read("rejects"), "{\"a\": tru}\n");
        assert_eq!(dir.read("out").lines().count(), dir.read("signed").lines().count());
        check(dir.sh(&format!("wp-groups {flag} signed > /dev/full")), 2, "no space left");
        check(
            dir.sh(&format!("(cat signed; printf '{{\"id\":1,') | wp-groups {flag}")),
            2,
            "the input ends within this line",
        );
        check(dir.sh(&format!("wp-groups {flag} gone")), 2, "gone: ");
        dir.sh(&format!("set +o pipefail; wp-groups {flag} signed | head -n 1 | grep -q site")).expect(0);
        assert_eq!(dir.sh(&format!("wp-groups {flag} < /dev/null")).expect(0).stdout, "");
    }
    check(dir.sh("wp-groups site"), 2, "no record has a signature: wp-groups --sign comes first");
    check(dir.sh("wp-groups --similarity 2 signed"), 2, "a number from 0.5 to 1");
    check(dir.sh("TMPDIR=gone wp-groups signed"), 2, "gone (spool): ");
    // wp-groups needs no other program.
    dir.sh("PATH=$(dirname $(command -v wp-groups)); wp-groups signed").expect(0);
    // End records are written at the end.
    let end = "{\"site\":\"a\",\"kind\":\"end\",\"type\":\"end\",\"id\":null,\"link\":null,\"records\":1}";
    for flag in ["--sign", ""] {
        let out = dir.sh(&format!("(echo '{end}'; cat signed) | wp-groups {flag}")).expect(0).stdout;
        assert_eq!(out.lines().last(), Some(end));
    }
}
