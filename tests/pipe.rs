//! Tests wpipe, the one command for the five filters: it runs the pipe that it prints.

use crate::workdir::{PROGRAMS, Run, Workdir, repository};
use serde_json::{Value, json};

/// A directory with the example site in `site`.
fn with_site() -> Workdir {
    let dir = Workdir::new();
    dir.sh(&format!("cp -r '{}' site", repository("examples/site").display())).expect(0);
    dir
}

const SITE: &str = "site/dump --scrape site/scrape --max-rejects 1";

#[test]
fn the_dataset_is_that_of_the_pipe_and_so_is_that_of_the_pipe_it_prints() {
    let dir = with_site();
    let run = dir.sh(&format!("wpipe {SITE} -d data -j 2")).expect(0);
    assert_eq!(run.stdout, "");
    dir.sh(&format!(
        "wp-index --end {SITE} | wp-parse | wp-translations | wp-resolve | wp-export -d pipe && diff -r pipe data"
    ))
    .expect(0);
    dir.sh(&format!("wpipe -n {SITE} -d printed > pipe.sh && bash -o pipefail pipe.sh && diff -r pipe printed"))
        .expect(0);
    let lines = dir.sh(&format!("wpipe {SITE}; wpipe -o out {SITE}")).expect(0);
    assert_eq!(lines.records().len(), 60);
    assert_eq!(dir.read("out"), lines.stdout);
}

#[test]
fn a_scrape_is_opened_wherever_it_is() {
    let dir = with_site();
    dir.sh(&format!("wpipe {SITE} -q -o relative && mkdir below")).expect(0);
    let titles = "jq -c '[.link, .language, .translations, .content]'";
    for (folder, top) in [("below", ".."), ("/", "$OLDPWD")] {
        let site = SITE.replace("site/", &format!("{top}/site/"));
        let run = dir.sh(&format!("cd {folder} && wpipe -q {site} | {titles} > \"$OLDPWD/lines\"; cd - > /dev/null; {titles} relative | diff - lines"));
        assert_eq!((run.status, run.stdout.as_str(), run.stderr.as_str()), (0, "", ""), "{folder}");
    }
    let run = dir.sh("wpipe -n d --scrape /s --scrape /t; wpipe -n d --scrape ./s").expect(0);
    assert_eq!(run.stdout.matches("--scrape-root").count(), 2, "{}", run.stdout);
}

/// The blogs of a multisite each have an API, and share ids.
#[test]
fn folders_of_wp_fetch_are_taken_together() {
    let dir = Workdir::new();
    for (folder, home) in [("raw-en", ""), ("raw-de", "/de")] {
        let (one, two) = if home.is_empty() { ("one", "two") } else { ("eins", "zwei") };
        let post = |id: i64, slug: &str, html: &str| {
            json!({"id": id, "type": "post", "slug": slug, "link": format!("https://a.example{home}/{slug}/"),
                "title": {"rendered": slug}, "content": {"rendered": html}, "guid": {"rendered": format!("https://a.example{home}/?p={id}")},
                "_links": {"self": [{"href": format!("https://a.example{home}/wp-json/wp/v2/posts/{id}")}]}})
        };
        let link = format!("<a href='https://a.example{home}/?p=1'>one</a>");
        let posts = json!([post(1, one, &format!("<p>The first of {folder}.</p>")), post(2, two, &link)]);
        dir.sh(&format!("mkdir -p {folder}/dump {folder}/scrape && : > {folder}/fetch.ndjson")).expect(0);
        dir.write(&format!("{folder}/dump/posts.json"), posts.to_string());
        let page = format!("<link rel=canonical href='https://a.example{home}/{one}/'><body class='single postid-1'>");
        dir.write(&format!("{folder}/scrape/a.example{home}/{one}/index.html"), page);
    }
    let printed = dir.sh("wpipe -n raw-en raw-de -d ds").expect(0).stdout;
    let start = "wp-index --end --scrape raw-en/scrape --scrape raw-de/scrape raw-en/dump raw-de/dump |\n";
    assert!(printed.starts_with(start), "{printed}");
    let records = dir.sh("wpipe -q raw-en raw-de -d ds && cat ds/posts.jsonl").expect(0).records();
    let led = |record: &Value| (record["link"].clone(), record["links"][0]["target"]["link"].clone());
    let two: Vec<_> = records.iter().filter(|record| record["id"] == 2).map(led).collect();
    let url = |path: &str| Value::from(format!("https://a.example{path}"));
    assert_eq!(two, [(url("/two/"), url("/one/")), (url("/de/zwei/"), url("/de/eins/"))]);
    assert!(records.iter().filter(|record| record["id"] == 1).all(|record| record["scrape"]["file"].is_string()));
}

/// A name refers to a record of the blog in whose folder the URL lies; another blog lies above that folder, and records of it may not be
/// named.
#[test]
fn the_names_of_archives_mean_those_of_their_blog() {
    let dir = Workdir::new();
    let root = "https://a.example";
    for (folder, home) in [("raw-en", ""), ("raw-de", "/de")] {
        let own = |what: &str, id: i64| json!([{"href": format!("{root}{home}/wp-json/wp/v2/{what}/{id}")}]);
        let term = json!([{"id": 3, "taxonomy": "post_tag", "slug": "boats", "name": "B", "link": format!("{root}{home}/tag/boats/"),
            "_links": {"self": own("tags", 3)}}]);
        let user = json!([{"id": 4, "slug": "ann", "name": "Ann", "link": format!("{root}{home}/author/ann/"), "_links": {"self": own("users", 4)}}]);
        let post = |id: i64, html: &str| {
            let link = format!("{root}{home}/{folder}-{id}/");
            json!({"id": id, "type": "post", "slug": format!("{folder}-{id}"), "link": link, "guid": {"rendered": format!("{root}{home}/?p={id}")},
                "content": {"rendered": html}, "_links": {"self": own("posts", id)}})
        };
        let asked = ["/?tag=boats", "/de/?tag=boats", "/de/?author_name=ann", "/author/ann/"];
        let html: String = asked.iter().map(|path| format!("<a href='{path}'>x</a>")).collect();
        dir.write(&format!("{folder}/dump/posts.json"), json!([post(1, &html), post(2, "")]).to_string());
        dir.write(&format!("{folder}/dump/tags.json"), term.to_string());
        dir.write(&format!("{folder}/dump/users.json"), user.to_string());
        dir.write(&format!("{folder}/fetch.ndjson"), "");
    }
    let targets = |folders: &str| {
        let records = dir.sh(&format!("rm -rf ds; wpipe -q {folders} -d ds && cat ds/posts.jsonl")).expect(0).records();
        let post = records.iter().find(|record| record["id"] == 1 && record["link"].as_str().unwrap().contains("/de/"));
        let links = post.unwrap()["links"].as_array().unwrap().iter();
        links.map(|link| link["target"]["link"].as_str().unwrap_or("-").replace(root, "")).collect::<Vec<_>>()
    };
    let of_de = ["/de/tag/boats/", "/de/author/ann/"];
    assert_eq!(targets("raw-en raw-de"), ["/tag/boats/", of_de[0], of_de[1], "/author/ann/"]);
    assert_eq!(targets("raw-de"), ["-", of_de[0], of_de[1], "-"]);
}

#[test]
fn every_option_goes_to_the_programs_that_have_it() {
    let dir = Workdir::new();
    let run = dir.sh(
        "wpipe -n -j3 -q --strict --stats logs --rejects logs --site 'a b' --keep acf,meta.x --text paragraphs --registry r1 --registry r2 \
         --content-selector '#it'\\''s' --with=-x --format report -d out -- -odd.json",
    );
    assert_eq!(
        run.expect(0).stdout,
        "wp-index --end --stats logs/index.json --rejects logs/index.rejects --site 'a b' -j 3 --strict -q -- -odd.json |
  wp-parse --stats logs/parse.json --rejects logs/parse.rejects --text paragraphs --keep acf,meta.x -j 3 --strict -q |
  wp-translations --stats logs/translations.json --rejects logs/translations.rejects --content-selector '#it'\\''s' --text paragraphs -j 3 --strict -q |
  wp-resolve --stats logs/resolve.json --rejects logs/resolve.rejects --registry r1 --registry r2 -j 3 --strict -q |
  wp-export --expect-end --stats logs/export.json --rejects logs/export.rejects -d out --format report --with=-x -j 3 --strict -q\n"
    );
    assert_eq!(dir.list("."), Vec::<String>::new());
    let help = dir.program("wpipe", "--help", "").expect(0).stdout;
    for program in PROGRAMS {
        for option in dir.program(program, "--help", "").expect(0).stdout.split_whitespace() {
            if option.starts_with("--") && option.chars().skip(2).all(|c| c.is_ascii_lowercase() || c == '-') {
                let own = ["--end", "--expect-end", "--explain", "--scrape-root"].contains(&option);
                assert!(own || help.split_whitespace().any(|word| word == option), "{program}: {option}");
            }
        }
    }
}

#[test]
fn counts_and_rejects_of_each_program_have_a_file() {
    let dir = with_site();
    dir.sh(&format!("wpipe {SITE} -d data --stats logs/counts --rejects logs")).expect(0);
    for program in PROGRAMS {
        let name = program.trim_start_matches("wp-");
        let stats: Value = serde_json::from_str(&dir.read(&format!("logs/counts/{name}.json"))).unwrap();
        assert_eq!((&stats["program"], &stats["records_out"]), (&program.into(), &60.into()));
        assert_eq!(dir.read(&format!("logs/{name}.rejects")).is_empty(), program != "wp-index");
    }
}

#[test]
fn a_report_may_be_given_the_counts_of_its_own_run() {
    let dir = with_site();
    let with = ["index", "parse", "translations", "resolve"].map(|name| format!("--with logs/{name}.json")).join(" ");
    dir.sh(&format!("wpipe {SITE} -q -d look --format report --stats logs {with}")).expect(0);
    let accounts = dir.sh("jq -c '[.report.accounts[].program]' look/manifest.json").expect(0).stdout;
    assert_eq!(accounts, "[\"wp-index\",\"wp-parse\",\"wp-translations\",\"wp-resolve\"]\n");
}

/// Checks the status of a run that leaves no dataset.
#[track_caller]
fn fails(dir: &Workdir, script: &str, status: i32) -> Run {
    let run = dir.sh(script).expect(status);
    assert!(!dir.path("data/manifest.json").exists(), "{script}");
    run
}

#[test]
fn the_status_is_the_highest_of_the_five() {
    let dir = with_site();
    let run = fails(&dir, "wpipe site/dump --max-rejects 0 -d data --strict", 2);
    assert!(run.stderr.contains("users.json:33:3: API error"), "{}", run.stderr);
    let run = fails(&dir, "wpipe gone -d data", 2);
    assert_eq!(run.stderr, "wp-index: gone: no such file or directory\n");
    fails(&dir, "wpipe site/dump --switchers gone -d data", 2);
    fails(&dir, "wpipe --no-such-option", 2);
    fails(&dir, "touch file; wpipe site/dump --stats file/logs -d data", 2);
    let run = dir.sh("wpipe site/dump -o records").expect(1);
    assert_eq!((run.stdout.as_str(), dir.read("records").lines().count()), ("", 59));
    let run = fails(&dir, "wpipe --sit x", 2);
    assert!(run.stderr.contains("'--sit'") && !run.stderr.contains("-- --sit"), "{}", run.stderr);
    // wpipe needs no other program.
    dir.sh(
        "mkdir alone; cp \"$(command -v wpipe)\" alone; PATH=/nowhere alone/wpipe site/dump -d data --max-rejects 1",
    )
    .expect(0);
}

#[test]
fn rejects_of_any_program_leave_the_dataset_as_it_was() {
    let dir = with_site();
    let run = fails(&dir, "wpipe site/dump -d data", 1);
    assert!(run.stderr.contains("wp-index: 1 reject: --max-rejects 1 allows for as many\n"), "{}", run.stderr);
    assert!(run.stderr.ends_with("wpipe: data is not written\n"), "{}", run.stderr);
    let state = "ls -A data; find data -type f -exec ls -l --time-style=full-iso {} + | sort";
    let before = dir.sh(&format!("wpipe -q --max-rejects 1 site/dump -d data && {state}")).expect(0).stdout;
    // The second case has a caller that ignores a signal, which its programs then ignore, too.
    for (before_it, script) in [("", ""), ("trap '' TERM; ", ""), ("", "--format csv"), ("", "--strict")] {
        let wpipe = format!("{before_it}wpipe {script} site/dump --max-rejects 1 -d data");
        let run = dir.sh(&format!("echo '<html>' > site/dump/more.json; {wpipe}"));
        assert_eq!(run.status, if script == "--strict" { 2 } else { 1 }, "{script}: {}", run.stderr);
        let hint = "wp-index: 2 rejects: --max-rejects 2 allows for as many\n";
        assert_eq!(run.stderr.contains(hint), script != "--strict", "{}", run.stderr);
        assert!(run.stderr.ends_with("wpipe: data is left as it was\n"), "{}", run.stderr);
        assert_eq!(dir.sh(state).expect(0).stdout, before, "{script}");
    }
    let run = dir.sh("wpipe -q site/dump --max-rejects 2 -d data").expect(0);
    assert_eq!(run.stderr, "");
}

#[test]
fn a_signal_ends_the_run_and_leaves_nothing() {
    let dir = with_site();
    dir.sh("wpipe -q site/dump --max-rejects 1 -d data").expect(0);
    let state = "ls -AR; find data -type f -exec sha256sum {} + | sort";
    let before = dir.sh(state).expect(0).stdout;
    // Temporary files: two besides the logs for each program, and the hidden folder.
    let run = dir.sh(
        "mkfifo fifo; wpipe -q -d data --stats logs --rejects logs < fifo & exec 3> fifo; cat site/dump/posts-1.json >&3
         until [ $(ls -AR 2> null | grep -cE 'part$|^new$') = 11 ]; do sleep .01; done; kill -TERM $!; wait $!; status=$?
         rm -r fifo logs null; exit $status",
    );
    assert_eq!((run.status, run.stderr.as_str()), (143, ""));
    assert_eq!(dir.sh(state).expect(0).stdout, before);
}

/// wpipe read the whole site, and then had no alignment to write.
#[test]
fn formats_of_alignments_are_refused_before_any_work() {
    let dir = with_site();
    let help = dir.sh("wpipe -h; wpipe --help").expect(0).stdout;
    let is_listed = |format: &str| help.split(|c: char| !c.is_alphanumeric()).any(|word| word == format);
    assert!(is_listed("pairs") && !is_listed("tmx") && !is_listed("moses"), "{help}");
    for (format, remedy) in
        [("tmx", "wp-align | wp-export --format tmx"), ("moses", "wp-align | wp-export --format moses")]
    {
        let run = fails(&dir, &format!("wpipe gone -d data --stats logs --format {format}"), 2);
        assert!(run.stderr.contains(remedy) && !dir.path("logs").exists(), "{}", run.stderr);
    }
    assert!(fails(&dir, "wpipe site/dump --format x", 2).stderr.contains("the formats are jsonl, "));
}

#[test]
fn a_dataset_of_another_site_stays() {
    let dir = Workdir::new();
    for site in ["a", "b"] {
        let post =
            format!(r#"[{{"id":1,"type":"post","link":"https://{site}.example/1/","content":{{"rendered":"<p>x"}}}}]"#);
        dir.write(&format!("{site}/posts.json"), post);
    }
    let run = dir.sh("wpipe -q a -d ds && cp -r ds kept && wpipe b -d ds").expect(1);
    assert_eq!(run.stderr, "wp-export: ds holds the dataset of a.example; name another folder, or remove it\n");
    dir.sh("diff -r ds kept && wpipe -q a b -d ds").expect(0);
}

/// The second month: the records for wp-diff are beside the dataset, and the last line has its command.
#[test]
fn a_dataset_of_a_later_fetch_keeps_the_one_that_it_replaces() {
    let dir = Workdir::new();
    dir.write("raw/fetch.ndjson", "").write("raw/fetch.json", r#"{"ended":null,"stopped":null,"collections":[]}"#);
    let post = |id: u32| {
        format!(
            r#"{{"id":{id},"type":"post","link":"https://a.example/{id}/","title":{{"rendered":"T{id}"}},"content":{{"rendered":"<p>W{id}</p>"}}}}"#
        )
    };
    let wpipe = |posts: String| {
        dir.write("raw/dump/posts.json", format!("[{posts}]"));
        dir.sh("wpipe raw -d ds").expect(0).stderr
    };
    assert_eq!(wpipe(post(1) + "," + &post(2)), "");
    assert_eq!(wpipe(post(1) + "," + &post(2)), "", "the same inputs");
    let says = "wpipe: ds.before has the records of before: wp-diff ds.before ds --with raw/fetch.json\n";
    assert_eq!(wpipe(post(1)), says);
    let command = says.split_once("before: ").unwrap().1;
    assert_eq!(
        dir.sh(&format!("{} | jq -c '[.change, .old.title]'", command.trim())).expect(0).stdout,
        "[\"gone\",\"T2\"]\n"
    );
    // Other options on the same inputs, a run that fails, and a folder that somebody else made.
    dir.sh("cp -r ds.before kept; wpipe -q raw -d ds --text paragraphs; diff -r ds.before kept").expect(0);
    dir.write("raw/dump/posts.json", "[");
    dir.sh("wpipe -q raw -d ds").expect(1);
    dir.sh("diff -r ds.before kept && rm -r ds.before && mkdir ds.before && touch ds.before/own").expect(0);
    let others = "wpipe: the records of before cannot be kept: ds.before: holds other files\n";
    assert_eq!(wpipe(post(3)), others);
    assert_eq!((dir.list("ds.before"), dir.sh("ls -A | grep -c '^[.]'").stdout.trim()), (vec!["own".to_owned()], "0"));
    // A kept dataset with notes, or in another format; a missing file; a hidden folder; and another format of the new dataset.
    dir.sh("rm -r ds.before ds/comments.jsonl && mkdir .ds.before && touch .ds.before/own").expect(0);
    assert_eq!(wpipe(post(4)), says);
    dir.write("ds.before/notes", "mine");
    assert_eq!(wpipe(post(5)), others);
    assert_eq!((dir.read("ds.before/notes"), dir.list(".ds.before")), ("mine".into(), vec!["own".to_owned()]));
    dir.sh("rm -r ds.before && wpipe raw -q --format csv -d ds.before").expect(0);
    assert_eq!(wpipe(post(6)), others);
    dir.sh("rm -r ds.before && cd ds && wpipe ../raw -q --text paragraphs -d . && test ! -e ../ds.before").expect(0);
    dir.write("raw/dump/posts.json", format!("[{}]", post(7)));
    assert!(dir.sh("cd ds && wpipe ../raw -d .").expect(0).stderr.contains("ds.before has the records of before"));
    dir.sh("rm -r ds.before && wpipe raw -q -d ds --format csv --allow-empty && test ! -e ds.before").expect(0);
}
