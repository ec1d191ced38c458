//! Checks the manual: flags, counts, kinds of defects and fields in the man pages are those of the programs, and every console block in
//! the documentation is run and its output compared.

use crate::workdir::{PROGRAMS, Workdir, installed, repository};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use wpipe::export::Format;
use wpipe::formats;
use wpipe::ndjson::Object;
use wpipe::record;

/// A man page's source.
fn page(name: &str) -> String {
    let path = repository("man").join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// The lines between the heading (`.Sh NAME` or `.Ss NAME`) and the next one of its rank.
fn section<'p>(page: &'p str, heading: &str) -> Vec<&'p str> {
    let mut lines = page.lines().skip_while(|line| *line != heading);
    assert!(lines.next().is_some(), "no {heading}");
    let ends = |line: &str| line.starts_with(".Sh ") || (heading.starts_with(".Ss ") && line.starts_with(".Ss "));
    lines.take_while(|line| !ends(line)).collect()
}

/// An option: its names, and the first word of its value's name.
type Flag = (BTreeSet<String>, Option<String>);

fn value_name(text: &str) -> Option<String> {
    let name: String = text.chars().skip_while(|c| !c.is_alphanumeric()).take_while(|c| c.is_alphanumeric()).collect();
    (!name.is_empty()).then_some(name)
}

/// The options that `--help` lists: `  -o, --output <FILE>  What it does`.
fn flags_of_help(program: &str) -> BTreeSet<Flag> {
    let help = Workdir::new().program(program, "--help", "").expect(0).stdout;
    let options = help.lines().skip_while(|line| *line != "Options:").skip(1);
    let options = options.take_while(|line| line.is_empty() || line.starts_with(' '));
    let flags = options.filter(|line| line.trim_start().starts_with('-') && line.len() - line.trim_start().len() <= 6);
    flags
        .map(|line| {
            let head = line.trim_start().split("  ").next().unwrap();
            let names = head.split([' ', ',']).filter(|word| word.starts_with('-')).map(str::to_owned);
            (names.collect(), head.split_once('<').and_then(|(_, value)| value_name(value)))
        })
        .collect()
}

/// The options that a page lists: `.It Fl o Ar FILE , Fl -output Ar FILE`.
fn flags_of_page(page: &str) -> BTreeSet<Flag> {
    let items = section(page, ".Sh OPTIONS")
        .into_iter()
        .filter_map(|line| line.strip_prefix(".It "))
        .filter(|item| item.starts_with("Fl "));
    items
        .map(|item| {
            let words: Vec<&str> = item.split(' ').collect();
            let after = |word| words.windows(2).filter(move |pair| pair[0] == word).map(|pair| pair[1]);
            (after("Fl").map(|flag| format!("-{flag}")).collect(), after("Ar").next().and_then(value_name))
        })
        .collect()
}

/// The options of all programs, which a page lists and wpipe(1) describes: `.Fl o , j , -stats :`.
fn shared_flags(page: &str) -> BTreeSet<String> {
    let heading = ".Ss Options of all five programs";
    let lines = if page.contains(heading) { section(page, heading) } else { Vec::new() };
    let names = lines.into_iter().filter_map(|line| line.strip_prefix(".Fl ")).flat_map(|names| names.split(' '));
    names.filter(|name| !matches!(*name, "," | ":")).map(|name| format!("-{name}")).collect()
}

/// All programs: the five filters, wpipe, wp-groups, wp-language, wp-diff, wp-align, and wp-fetch if it is built.
pub fn all_programs() -> impl Iterator<Item = &'static str> {
    PROGRAMS
        .into_iter()
        .chain(["wpipe", "wp-groups", "wp-language", "wp-diff", "wp-align"])
        .chain(cfg!(feature = "fetch").then_some("wp-fetch"))
}

#[test]
fn every_flag_of_help_is_in_the_page_and_the_reverse() {
    for program in all_programs() {
        let (help, page) = (flags_of_help(program), page(&format!("{program}.1")));
        assert!(help.len() > 8, "{program}: {help:?}");
        let shared = if program == "wpipe" { BTreeSet::new() } else { shared_flags(&page) };
        let (of_all, own): (BTreeSet<Flag>, BTreeSet<Flag>) =
            help.into_iter().partition(|(names, _)| !names.is_disjoint(&shared));
        assert_eq!(own, flags_of_page(&page), "{program}: --help (left), OPTIONS (right)");
        assert_eq!(of_all.len(), shared.len(), "{program}: {of_all:?} in --help, {shared:?} in OPTIONS");
    }
    let help = Workdir::new().program("wp-export", "--help", "").expect(0).stdout;
    let formats = help.split("\nFormats:\n").nth(1).unwrap().lines().map(|line| line.split_whitespace().next());
    // The help names the formats that packages have.
    let formats: Vec<_> =
        formats.map_while(|name| name).filter(|name| cfg!(feature = "parquet") || *name != "parquet").collect();
    assert_eq!(formats, formats::ALL.iter().map(Format::name).collect::<Vec<_>>());
}

#[test]
fn each_page_has_its_own_title() {
    for entry in std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("man")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let (of, section) = name.split_once('.').unwrap();
        assert_eq!(page(&name).lines().nth(1), Some(&*format!(".Dt {} {section}", of.to_uppercase())), "{name}");
    }
}

#[test]
fn the_synopsis_names_every_option_of_the_program() {
    for program in all_programs() {
        let page = page(&format!("{program}.1"));
        let shared: BTreeSet<_> = page.lines().skip_while(|line| *line != ".Ss Options of all five programs").collect();
        let synopsis = section(&page, ".Sh SYNOPSIS").join("\n");
        for item in section(&page, ".Sh OPTIONS").into_iter().filter(|line| line.starts_with(".It Fl ")) {
            let first = item.split(' ').nth(2).unwrap();
            assert!(shared.contains(item) || synopsis.contains(&format!(".Op Fl {first}")), "{program}: {item}");
        }
    }
}

#[test]
fn what_the_five_share_is_said_in_the_same_words() {
    let first = page(&format!("{}.1", PROGRAMS[1]));
    for program in PROGRAMS.into_iter().chain(["wp-groups", "wp-language", "wp-diff", "wp-align"]) {
        let page = page(&format!("{program}.1"));
        for heading in [".Ss Options of all five programs", ".Sh EXIT STATUS"] {
            assert_eq!(section(&page, heading), section(&first, heading), "{program}");
        }
        let of_messages =
            |page: &str| section(page, ".Sh DIAGNOSTICS").join("\n").split(".Pp\nRejects").next().map(str::to_owned);
        assert_eq!(of_messages(&page), of_messages(&first), "{program}");
    }
}

/// The body of a function: its lines up to the brace that closes it.
fn body<'s>(source: &'s str, name: &str) -> &'s str {
    let start = format!("\nfn {name}() {{\n");
    source.split_once(&start).map_or("", |(_, rest)| rest.split("\n}\n").next().unwrap())
}

/// `-h` shows as much as fits on a screen; the rest is in --help, a line or two for each option.
#[test]
fn the_short_help_fits_on_a_screen() {
    for program in all_programs() {
        for (flag, most) in [("-h", 40), ("--help", 100)] {
            let help = Workdir::new().program(program, flag, "").expect(0).stdout;
            assert!(
                help.lines().count() <= most && help.lines().all(|line| line.chars().count() <= 100),
                "{program} {flag}: {} lines",
                help.lines().count()
            );
        }
    }
}

/// docs/exit-status.md has each program, with each status that its man page has.
#[test]
fn the_table_of_exit_statuses_has_all_that_the_pages_have() {
    let table = std::fs::read_to_string(repository("docs/exit-status.md")).unwrap();
    let rows: Vec<&str> = table.lines().filter_map(|line| line.strip_prefix("| ")).collect();
    for program in all_programs() {
        assert!(rows[0].contains(program), "{program} has no column");
        let page = page(&format!("{program}.1"));
        let section = page.split("\n.Sh EXIT STATUS\n").nth(1).unwrap().split("\n.Sh ").next().unwrap();
        for status in section.lines().filter_map(|line| line.strip_prefix(".It ")) {
            assert!(
                rows.iter().any(|row| row.split(" | ").next() == Some(status)),
                "{program}: {status} is not in the table"
            );
        }
    }
}

/// The wheel's scripts start the programs by their names; the one for wp-align was missing.
#[test]
fn the_wheel_has_each_program_and_its_man_page() {
    let cargo = std::fs::read_to_string(repository("Cargo.toml")).unwrap();
    let names = cargo.lines().filter_map(|line| line.strip_prefix("name = \"wp-")?.strip_suffix('"'));
    for name in names {
        let wheel = repository("packaging/wheel");
        for file in [format!("scripts/wp-{name}"), format!("data/share/man/man1/wp-{name}.1")] {
            assert!(Path::new(&wheel).join(&file).is_file(), "{file}");
        }
    }
}

/// A promise must name tests that are run and that can fail.
#[test]
fn every_promise_has_its_tests() {
    let page = std::fs::read_to_string(repository("CONTRIBUTING.md")).unwrap();
    let promises = page.split("\n## Promises\n").nth(1).unwrap().split("\n## ").next().unwrap();
    let list = |which: &[&str]| {
        let run =
            std::process::Command::new(std::env::current_exe().unwrap()).arg("--list").args(which).output().unwrap();
        String::from_utf8(run.stdout).unwrap()
    };
    let (all, ignored) = (list(&[]), list(&["--ignored"]));
    let mut found = 0;
    for (module, name) in promises.split('`').filter_map(|word| word.split_once("::")) {
        let line = format!("{module}::{name}: test");
        assert!(all.lines().any(|test| test == line), "{line}: there is no such test");
        assert!(ignored.lines().all(|test| test != line), "{line}: it does not run");
        let source = std::fs::read_to_string(repository("tests").join(module).with_extension("rs")).unwrap();
        let body = body(&source, name);
        assert!(["assert", "expect(", "same("].iter().any(|word| body.contains(word)), "{line}: nothing is compared");
        found += 1;
    }
    assert!(found > 9, "{found}");
}

#[test]
fn the_readme_has_every_program_and_counts_them() {
    let readme = std::fs::read_to_string(repository("README.md")).unwrap();
    let table = readme.split("\n## The programs\n").nth(1).unwrap().split("\n## ").next().unwrap();
    let listed = table.lines().filter_map(|line| line.strip_prefix("| [")?.split(']').next().map(str::to_owned));
    let listed: BTreeSet<String> = listed.collect();
    let fetch = (!cfg!(feature = "fetch")).then_some("wp-fetch");
    assert_eq!(listed, all_programs().chain(fetch).map(str::to_owned).collect());
    assert!(readme.contains("Eleven small Unix programs") && listed.len() == 11, "{}", listed.len());
}

#[test]
fn the_page_of_formats_has_every_format() {
    let pages = documents();
    let table = pages["docs/formats.md"].split("\n\n").find(|part| part.starts_with("| for |")).unwrap();
    let columns = table.lines().skip(2).filter_map(|row| row.split(" | ").nth(1));
    let listed: BTreeSet<&str> =
        columns.flat_map(|names| names.split([',', ' ', '`'])).filter(|name| !name.is_empty()).collect();
    // As with wp-fetch, a build may lack it.
    let parquet = (!cfg!(feature = "parquet")).then_some("parquet");
    assert_eq!(listed, formats::ALL.iter().map(Format::name).chain(parquet).collect());
    assert!(pages["README.md"].contains(&format!("[{} other formats]", listed.len() - 1)));
}

#[test]
fn every_link_of_a_document_leads_to_a_file() {
    let mut broken = Vec::new();
    for (name, text) in documents().iter().filter(|(name, _)| name.ends_with(".md")) {
        let folder = repository(name).parent().unwrap().to_owned();
        let links = text.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next());
        let images = text.split("src=\"").skip(1).chain(text.split("srcset=\"").skip(1));
        let images = images.filter_map(|rest| rest.split('"').next());
        for link in links.chain(images).filter(|link| !link.is_empty() && !link.contains([':', '{'])) {
            if !folder.join(link).exists() {
                broken.push(format!("{name}: {link}"));
            }
        }
    }
    assert!(broken.is_empty(), "{broken:#?}");
}

/// The names in `.It Va a , b` of a section.
fn names_in(lines: &[&str]) -> BTreeSet<String> {
    let words = |line: &&str| line.strip_prefix(".It Va ").map(|rest| rest.replace(" ,", ""));
    let items = lines.iter().filter_map(words);
    items.flat_map(|item| item.split(' ').map(str::to_owned).collect::<Vec<_>>()).collect()
}

/// The counts that the page of a program describes, and those of all programs, which wpipe(1) describes.
fn counts_in_pages(program: &str) -> BTreeSet<String> {
    let pages = [program, "wpipe"].map(|name| page(&format!("{name}.1")));
    pages.iter().flat_map(|page| names_in(&section(page, ".Sh STATS"))).collect()
}

#[test]
fn every_count_is_in_the_page() {
    let dir = with_examples();
    let input = "examples/site/dump --scrape examples/site/scrape --max-rejects 9 -q";
    dir.sh(&format!(
        "wp-index {input} --stats wp-index | wp-parse --stats wp-parse | wp-translations -q --stats wp-translations |
        wp-resolve -q --stats wp-resolve | wp-groups --sign --stats wp-groups |
        wp-language --stats wp-language | tee site | wp-export -d dataset --without users -q --stats wp-export"
    ))
    .expect(0);
    dir.sh("wp-groups dataset/posts.jsonl --stats wp-groups2 | wc -l; wp-align site --stats wp-align -o alignments")
        .expect(0);
    dir.sh(
        "wp-diff dataset/posts.jsonl dataset --stats wp-diff | wc -l; wp-diff --dates dataset --stats wp-diff2 | wc -l",
    )
    .expect(0);
    let of_program = |file: &'static str| (file, file.trim_end_matches('2'));
    for (file, program) in PROGRAMS
        .into_iter()
        .chain(["wp-groups", "wp-groups2", "wp-language", "wp-diff", "wp-diff2", "wp-align"])
        .map(of_program)
    {
        let stats: Map<String, Value> = serde_json::from_str(&dir.read(file)).unwrap();
        let told = counts_in_pages(program);
        let missing: Vec<_> = stats.keys().filter(|key| !told.contains(*key)).collect();
        assert!(missing.is_empty(), "{program}: not in STATS: {missing:?}");
    }
}

#[test]
fn every_count_of_every_format_is_in_the_page() {
    let dir = with_examples();
    let page = page("wp-export.1");
    let told = counts_in_pages("wp-export");
    dir.sh("wp-index examples/site/dump --max-rejects 9 -q | wp-parse -q | wp-resolve -q -o site").expect(0);
    for format in formats::ALL {
        dir.sh(&format!("wp-export -q --allow-empty --format {} -d {0} --stats stats site", format.name())).expect(0);
        let stats: Map<String, Value> = serde_json::from_str(&dir.read("stats")).unwrap();
        let missing: Vec<_> = stats.keys().filter(|key| !told.contains(*key)).collect();
        assert!(missing.is_empty(), "{}: not in STATS: {missing:?}", format.name());
        let option = page.split(".It Fl -format ").nth(1).and_then(|rest| rest.split("\n.It ").next()).unwrap();
        let words: BTreeSet<&str> = option.split_whitespace().collect();
        assert!(words.contains(format.name()), "{} is not in OPTIONS", format.name());
    }
}

#[test]
fn wp_records_has_the_columns_of_every_table() {
    let dir = with_examples();
    let page = page("wp-records.5");
    dir.sh("for f in csv graph; do wp-export -q --allow-empty --format $f -d $f < /dev/null; done").expect(0);
    let files = [("csv", 7), ("graph", 2)].map(|(format, n)| {
        let names: Vec<_> = dir.list(format).into_iter().filter(|name| name.ends_with(".csv")).collect();
        assert_eq!(names.len(), n);
        names.into_iter().map(move |name| (format!("{format}/{name}"), name))
    });
    let tables = section(&page, ".Sh TABLES");
    let of_csv = names_in(tables.split(|line| line.starts_with(".Ss ")).next().unwrap());
    assert!(of_csv.contains("record"));
    for (path, name) in files.into_iter().flatten() {
        let header = dir.read(&path);
        let columns: BTreeSet<String> = header.trim_end().split(',').map(str::to_owned).collect();
        let mut told = names_in(&section(&page, &format!(".Ss {name}")));
        if path.starts_with("csv/") {
            told.extend(of_csv.iter().cloned());
        }
        assert_eq!(columns, told, "{name}: the table (left), the page (right)");
    }
}

#[test]
fn wp_records_tells_what_the_tables_leave_out() {
    let page = page("wp-records.5");
    let tables = section(&page, ".Sh TABLES");
    let left_out = tables.iter().skip_while(|line| !line.contains("nothing of these fields")).nth(1).unwrap();
    let words = |text: &str| -> BTreeSet<String> { text.split([' ', ',']).map(str::to_owned).collect() };
    let columns = section(&page, ".Ss records.csv");
    let have = columns.iter().filter_map(|line| line.strip_prefix(".It Va ")).flat_map(words);
    // Lists with tables of their own, and fields with other names in records.csv.
    let other =
        "categories tags terms links images translations embeds rights content description caption name name_html";
    let have: BTreeSet<_> = have.chain(words(other)).collect();
    let kinds = ["post", "html", "media", "term", "user", "comment"];
    let all: BTreeSet<_> = kinds.iter().flat_map(|kind| fields(&page, kind)).map(|(name, _)| name).collect();
    let missing: BTreeSet<_> = all.difference(&have).map(String::as_str).collect();
    let told: BTreeSet<_> = left_out.trim_start_matches(".Va ").split([' ', ',']).filter(|w| w.len() > 1).collect();
    assert_eq!(missing, told, "fields without a column (left), the page (right)");
}

#[test]
fn wp_records_has_the_shape_of_a_group() {
    let dir = with_examples();
    let input = [("en", 1), ("fr", 2)].map(|(language, id)| {
        json!({"site": "a", "kind": "post", "type": "post", "id": id, "link": "l", "language": language,
            "translation_group": "post:1", "title": {"text": "a"}, "content": {"text": "a"}})
    });
    let line = dir.program("wp-export", "--format pairs", input.map(|record| format!("{record}\n")).concat()).expect(0);
    let keys =
        |object: &str| Object::parse_str(object).unwrap().iter().map(|(key, _)| key.to_owned()).collect::<Vec<_>>();
    let told = |heading: &str| keys(&example(&page("wp-records.5"), heading));
    let group = Object::parse_str(&line.stdout).unwrap();
    assert_eq!(keys(&line.stdout), told("group"));
    let members = group.get("members").unwrap();
    assert_eq!(keys(members.trim_start_matches('[').split_inclusive('}').next().unwrap()), told("member"));
}

/// All Rust code below src/, without its tests.
fn source() -> String {
    let mut text = String::new();
    for entry in walkdir::WalkDir::new(repository("src")).sort_by_file_name() {
        let path = entry.unwrap().into_path();
        if path.extension().is_some_and(|e| e == "rs") && path.file_name().is_some_and(|name| name != "tests.rs") {
            let code = std::fs::read_to_string(&path).unwrap();
            text += code.split("#[cfg(test)]\nmod tests {").next().unwrap();
        }
    }
    text
}

#[test]
fn every_kind_of_defect_is_in_a_page_and_the_reverse() {
    let source = source();
    let calls = source
        .split(".defect(")
        .skip(1)
        .chain(source.split("::Defect(").skip(1))
        .filter_map(|rest| rest.trim_start().strip_prefix('"'));
    let kinds: BTreeSet<String> = calls.map(|rest| rest.split('"').next().unwrap().to_owned()).collect();
    assert!(kinds.contains("date"));
    let mut told = BTreeSet::new();
    for program in PROGRAMS.into_iter().chain(["wp-fetch", "wp-groups", "wp-language", "wp-diff", "wp-align"]) {
        let page = page(&format!("{program}.1"));
        told.extend(names_in(&section(&page, ".Sh DIAGNOSTICS")));
    }
    assert_eq!(kinds, told, "src/ (left), DIAGNOSTICS (right)");
}

#[test]
fn every_rule_is_in_the_page_and_the_reverse() {
    let page = page("wp-resolve.1");
    let told = section(&page, ".Ss Rules").into_iter().filter_map(|line| line.strip_prefix(".It Cm "));
    let rules: BTreeSet<&str> = wpipe::registry::Rule::ALL.iter().map(|rule| rule.name()).collect();
    assert_eq!(rules, told.collect());
}

/// The fields that wp-records(5) lists under a heading, with their types: `.It Va author , parent Pq integer`; those without a type are
/// strings. The source of a field is stated once: with the field itself, or with the field of that name in `post`, or before the list.
fn fields(page: &str, heading: &str) -> Vec<(String, String)> {
    let lines = section(page, &format!(".Ss {heading}"));
    let is_item = |line: &&str| line.starts_with(".It Va ");
    let sources = |lines: &[&str]| lines.iter().filter(|line| line.starts_with(".Bq ")).count();
    let (before, items) = lines.split_at(lines.iter().position(is_item).unwrap_or(lines.len()));
    let of_post = if heading == "post" { Vec::new() } else { fields(page, "post") };
    let has_kind = lines.iter().any(|line| line.starts_with(".It Va site"));
    let mut fields = Vec::new();
    for item in items.chunk_by(|_, next| !is_item(next)) {
        let field = &item[0][".It Va ".len()..];
        let (names, kind) = field.split_once(" Pq ").unwrap_or((field, "string"));
        for name in names.split(" , ") {
            let inherited = has_kind && of_post.iter().any(|(other, _)| other == name);
            let general = sources(before) == 1 || inherited;
            assert!(sources(item) == 1 || (sources(item) == 0 && general), "{heading}: {name}: from where?");
            fields.push((name.to_owned(), kind.to_owned()));
        }
    }
    assert!(sources(before) <= 1, "{heading}: two sources of all fields");
    fields
}

/// A JSON object with the keys and types that the page gives for a shape, in the page's order.
fn example(page: &str, heading: &str) -> String {
    let value = |kind: &str| {
        let (list, one) = kind.strip_prefix("list of ").map_or((false, kind), |one| (true, one));
        let text = match one {
            "string" => "\"a\"".to_owned(),
            "integer" => "1".to_owned(),
            "number" => "1.5".to_owned(),
            "boolean" => "true".to_owned(),
            shape => example(page, shape),
        };
        if list { format!("[{text}]") } else { text }
    };
    let object: Vec<_> =
        fields(page, heading).iter().map(|(name, kind)| format!("\"{name}\":{}", value(kind))).collect();
    format!("{{{}}}", object.join(","))
}

/// Reads and writes a record: unknown keys are lost, missing ones are added, a wrong type fails.
fn through<'a, T: Deserialize<'a> + Serialize>(text: &'a str) -> String {
    serde_json::to_string(&serde_json::from_str::<T>(text).unwrap_or_else(|e| panic!("{e}: {text}"))).unwrap()
}

#[test]
fn wp_records_has_the_fields_of_every_record_and_no_others() {
    let page = page("wp-records.5");
    let example = |heading: &str| example(&page, heading);
    for (heading, back) in [
        ("post", through::<record::Post<'_>>(&example("post"))),
        ("media", through::<record::Media<'_>>(&example("media"))),
        ("term", through::<record::Term<'_>>(&example("term"))),
        ("user", through::<record::User<'_>>(&example("user"))),
        ("comment", through::<record::Comment<'_>>(&example("comment"))),
        ("change", through::<record::Change<'_>>(&example("change"))),
        ("alignment", through::<record::Alignment<'_>>(&example("alignment"))),
    ] {
        assert_eq!(example(heading), back, "{heading}: wp-records(5) (left), record.rs (right)");
    }
}

#[test]
fn wp_records_has_the_keys_of_wp_index() {
    let item = json!({"id": 1, "type": "post", "link": "https://a.example/", "title": {"rendered": ""}, "content": {}});
    let line = Workdir::new().program("wp-index", "", item.to_string()).expect(0).stdout;
    let keys: Vec<_> = Object::parse_str(&line).unwrap().iter().map(|(key, _)| key.to_owned()).collect();
    let told: Vec<_> = fields(&page("wp-records.5"), "item").into_iter().map(|(name, _)| name).collect();
    assert_eq!(keys, told);
}

/// A directory with the examples in it.
fn with_examples() -> Workdir {
    let dir = Workdir::new();
    dir.sh(&format!("cp -r '{}' .", repository("examples").display())).expect(0);
    dir
}

/// A command of a console block, and its expected output.
#[derive(Debug, Default)]
struct Command {
    line: usize,
    script: String,
    output: Vec<String>,
}

/// The console blocks of a document: in Markdown those that begin with ```` ```console ````, in a man page the literal
/// displays that begin with `$ `. In a block, `$ ` begins a command, `> ` continues it, everything else is output.
fn console_blocks(name: &str, text: &str) -> Vec<Vec<Command>> {
    let is_page = !name.ends_with(".md");
    let (begin, end) = if is_page { (".Bd -literal", ".Ed") } else { ("```console", "```") };
    let mut blocks = Vec::new();
    let mut lines = text.lines().zip(1..);
    while let Some((line, _)) = lines.next() {
        if !line.starts_with(begin) {
            continue;
        }
        let mut commands: Vec<Command> = Vec::new();
        for (line, number) in lines.by_ref().take_while(|(line, _)| *line != end) {
            let line = if is_page { plain(line) } else { line.to_owned() };
            if let Some(script) = line.strip_prefix("$ ") {
                commands.push(Command { line: number, script: script.to_owned(), output: Vec::new() });
            } else if let Some(command) = commands.last_mut() {
                match line.strip_prefix("> ").or((line == ">").then_some("")) {
                    Some(more) if command.output.is_empty() => command.script = format!("{}\n{more}", command.script),
                    _ => command.output.push(line),
                }
            } else {
                assert!(is_page, "{name}:{number}: a console block begins with a command");
            }
        }
        blocks.push(commands);
    }
    blocks.retain(|commands| !commands.is_empty());
    blocks
}

/// A line of a literal display as shown to the reader.
fn plain(line: &str) -> String {
    let mut text = line.to_owned();
    for (escape, shown) in [("\\(aq", "'"), ("\\(dq", "\""), ("\\-", "-"), ("\\&", ""), ("\\e", "\u{1}")] {
        text = text.replace(escape, shown);
    }
    assert!(!text.contains('\\'), "an escape that this test does not know: {line}");
    text.replace('\u{1}', "\\")
}

/// `1.0` as `1`: jq keeps the form of a number since 1.7, and writes the shortest form before.
fn as_jq_1_6_writes_numbers(line: &str) -> String {
    let is_digit = |at: Option<usize>| at.and_then(|at| line.as_bytes().get(at)).is_some_and(u8::is_ascii_digit);
    let mut written = String::new();
    let mut from = 0;
    for (at, zero) in line.match_indices(".0") {
        let end = at + zero.len();
        if is_digit(at.checked_sub(1)) && !is_digit(Some(end)) && !line[end..].starts_with('.') {
            written += &line[from..at];
            from = end;
        }
    }
    written + &line[from..]
}

/// Whether the output is as expected; a line `...` matches any lines.
fn matches(expected: &[String], output: &[&str]) -> bool {
    let mut parts = expected.split(|line| line == "...");
    let first = parts.next().expect("split gives at least one part");
    let Some(mut rest) = output.strip_prefix(first.iter().map(String::as_str).collect::<Vec<_>>().as_slice()) else {
        return false;
    };
    let mut elided = false;
    for part in parts {
        elided = true;
        let found = (0..=rest.len().saturating_sub(part.len())).find(|&at| rest[at..].starts_with_lines(part));
        let Some(at) = found else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.is_empty() || (elided && expected.last().is_some_and(|line| line == "..."))
}

trait Lines {
    fn starts_with_lines(&self, part: &[String]) -> bool;
}

impl Lines for [&str] {
    fn starts_with_lines(&self, part: &[String]) -> bool {
        self.len() >= part.len() && part.iter().zip(self).all(|(a, b)| a == b)
    }
}

/// Runs the commands of a block in one shell; returns all differences.
fn run(dir: &Workdir, name: &str, commands: &[Command]) -> Vec<String> {
    // A mark after each command separates the outputs; the status is preserved for `echo $?`. Lists are sorted by bytes.
    let mut script = "exec 2>&1; export LC_ALL=C\n".to_owned();
    for command in commands {
        script += &format!("{}\n__status=$?; printf '\\036'; (exit $__status)\n", command.script);
    }
    let run = dir.sh(&script);
    let mut outputs = run.stdout.split('\u{1e}');
    let mut wrong = Vec::new();
    for command in commands {
        let output: Vec<&str> = outputs.next().unwrap_or_default().lines().collect();
        let numbers = |lines: &[&str]| lines.iter().map(|line| as_jq_1_6_writes_numbers(line)).collect::<Vec<_>>();
        let expected = numbers(&command.output.iter().map(String::as_str).collect::<Vec<_>>());
        if !matches(&expected, &numbers(&output).iter().map(String::as_str).collect::<Vec<_>>()) {
            let place = format!("{name}:{}: $ {}", command.line, command.script);
            wrong.push(format!(
                "{place}\n--- the document\n{}\n--- the program\n{}\n",
                command.output.join("\n"),
                output.join("\n")
            ));
        }
    }
    wrong
}

/// The documents: README.md, CONTRIBUTING.md, man/, and the Markdown of docs/ and examples/.
pub fn documents() -> BTreeMap<String, String> {
    let mut names = vec!["README.md".to_owned(), "CONTRIBUTING.md".to_owned()];
    for folder in ["man", "docs", "examples"] {
        for entry in walkdir::WalkDir::new(repository(folder)) {
            let entry = entry.unwrap();
            let name = entry.path().strip_prefix(repository("")).unwrap().to_str().unwrap().to_owned();
            let ending = Path::new(&name).extension().and_then(|e| e.to_str());
            if entry.file_type().is_file() && matches!(ending, Some("md" | "1" | "5" | "7")) {
                names.push(name);
            }
        }
    }
    names.into_iter().map(|name| (name.clone(), std::fs::read_to_string(repository(&name)).unwrap())).collect()
}

#[test]
fn every_console_block_does_what_it_shows() {
    let mut wrong = Vec::new();
    let mut ran = BTreeSet::new();
    for (name, text) in documents() {
        let blocks = console_blocks(&name, &text);
        if blocks.is_empty() {
            continue;
        }
        if name == "examples/corpus/README.md" && !installed("zstd", "the filters of its console blocks need it") {
            continue;
        }
        let dir = with_examples();
        ran.insert(name.clone());
        wrong.extend(blocks.iter().flat_map(|commands| run(&dir, &name, commands)));
    }
    for program in PROGRAMS.into_iter().chain(["wp-groups", "wp-language", "wp-diff", "wp-align"]) {
        assert!(ran.contains(&format!("man/{program}.1")), "{program}(1) has no example that is run");
    }
    for page in ["README.md", "docs/formats.md", "docs/wpextract.md", "man/wp-content.7"] {
        assert!(ran.contains(page), "{page} has no example that is run");
    }
    assert!(wrong.is_empty(), "{} commands\n\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn elided_lines_may_be_any_but_the_others_must_be_there() {
    let lines = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let output = ["a", "b", "c", "d"];
    for good in ["a b c d", "a ...", "... d", "a ... d", "... b ... d", "...", "a b c d ..."] {
        assert!(matches(&lines(good), &output), "{good}");
    }
    for bad in ["a", "a b c", "b ...", "... c", "a ... e", "a b c d e", "... d ... d"] {
        assert!(!matches(&lines(bad), &output), "{bad}");
    }
}

#[test]
fn the_pages_have_no_faults_that_mandoc_knows() {
    // If mandoc is not installed, `make lint` reports it.
    if std::process::Command::new("mandoc").arg("-T").arg("lint").output().is_err() {
        return;
    }
    let pages =
        Workdir::new().sh(&format!("cd '{}' && mandoc -T lint -W warning *.[157]", repository("man").display()));
    assert_eq!((pages.stdout.as_str(), pages.status), ("", 0));
}
