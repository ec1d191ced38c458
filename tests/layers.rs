//! Defines which module of src/ may import which, and checks it: each may use only the modules after it in [`LAYERS`].

use crate::workdir::repository;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

const LAYERS: [&str; 39] = [
    "fuzzing",
    "cli",
    "pipe",
    "fetch",
    "stage",
    "rest",
    "formats",
    "export",
    "registry",
    "place",
    "alignment",
    "minhash",
    "pairs",
    "language",
    "sentences",
    "dump",
    "wxr",
    "join",
    "scrape",
    "page",
    "rights",
    "boilerplate",
    "html",
    "feed",
    "archive",
    "rule",
    "record",
    "steps",
    "urls",
    "wordpress",
    "ndjson",
    "spill",
    "whole_file",
    "xml",
    "codec",
    "digest",
    "tree",
    "report",
    "cases",
];

/// The diagram in src/lib.rs, the front page of the documentation, shows the modules from top to bottom in the order of [`LAYERS`].
#[test]
fn the_front_page_draws_all_rooms_in_their_order() {
    let front = std::fs::read_to_string(repository("src/lib.rs")).unwrap();
    let drawn = front.split("//! ```text\n").nth(1).unwrap().split("//! ```\n").next().unwrap();
    fn rooms(cells: &str) -> impl Iterator<Item = &str> {
        cells.split('│').flat_map(|room| room.split(':').next().unwrap().split(',')).map(str::trim)
    }
    let floors: Vec<(&str, &str)> = drawn
        .lines()
        .filter_map(|line| line.split_once('│'))
        .map(|(_, line)| line.split_once('║').unwrap_or((line, "")))
        .collect();
    let beside: BTreeSet<&str> = floors.iter().flat_map(|(_, beside)| rooms(beside)).collect();
    for room in LAYERS {
        assert_eq!(beside.contains(room), BESIDE.contains(&room), "whether {room} is beside the pipe");
    }
    let floors: Vec<Vec<&str>> =
        floors.iter().map(|(pipe, beside)| rooms(pipe).chain(rooms(beside)).collect()).collect();
    let floor = |room: &str| floors.iter().position(|floor| floor.contains(&room));
    // The code that drives the fuzzer and the properties is part of no program.
    let rooms: Vec<usize> = LAYERS[1..LAYERS.len() - 1]
        .iter()
        .map(|room| floor(room).unwrap_or_else(|| panic!("{room} is not drawn")))
        .collect();
    assert!(rooms.is_sorted(), "{rooms:?}");
}

/// Crates, and the only places that may use each, separated by spaces.
const ONE_PLACE: [(&str, &str); 23] = [
    ("whatlang", "src/stage/language"),
    ("imara_diff", "src/stage/diff/text"),
    ("zip", "src/archive/volume"),
    ("brotli_decompressor", "src/archive/http"),
    ("ring", "src/digest"),
    ("ureq", "src/fetch/wire"),
    ("quick_xml", "src/xml src/fetch/sitemap"),
    ("regex", "src/wxr/autop src/feed/whole"),
    ("robotxt", "src/fetch/robots src/rights/agents"),
    (
        "aho_corasick",
        "src/page/prefilter src/boilerplate src/rights/markup src/export/pseudonyms/persons src/export/pseudonyms/texts",
    ),
    ("lol_html", "src/page"),
    ("simd_json", "src/ndjson/writer"),
    ("walkdir", "src/tree"),
    ("url", "src/urls"),
    ("clap", "src/cli"),
    ("arrow_json", "src/formats/parquet"),
    ("arrow_schema", "src/formats/parquet"),
    ("rustix", "src/cli/stop src/ndjson/pipe src/fetch/folder src/tree src/whole_file src/export/dataset/folder"),
    ("icu_locale", "src/language"),
    ("icu_properties", "src/page/punctuation"),
    ("icu_segmenter", "src/sentences"),
    ("minijinja", "src/formats/html_report"),
    ("jiff", "src/record/dates src/fetch/http"),
];

fn sources(folder: &Path, found: &mut Vec<(String, String)>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            let name = path.strip_prefix(repository("")).unwrap().to_str().unwrap().to_owned();
            found.push((name, std::fs::read_to_string(&path).unwrap()));
        }
    }
}

fn all_sources() -> Vec<(String, String)> {
    let mut found = Vec::new();
    sources(&repository("src"), &mut found);
    found.retain(|(name, _)| name != "src/lib.rs");
    assert!(found.len() > 20);
    found
}

/// The lines of a source without its comments.
fn code(source: &str) -> impl Iterator<Item = &str> {
    source.lines().filter(|line| !line.trim_start().starts_with("//"))
}

/// The identifiers that follow `before` in a source, without comments.
fn names_after<'s>(source: &'s str, before: &'s str) -> impl Iterator<Item = &'s str> {
    code(source)
        .flat_map(move |line| line.match_indices(before).map(move |(at, _)| &line[at + before.len()..]))
        .map(|rest| rest.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap())
}

fn rank(module: &str) -> usize {
    LAYERS.iter().position(|layer| *layer == module).unwrap_or_else(|| panic!("{module} has no layer"))
}

#[test]
fn modules_import_only_rightwards() {
    for (file, source) in all_sources() {
        let own = file.trim_start_matches("src/").split(['/', '.']).next().unwrap().to_owned();
        // `use crate::{a, b}` would escape this test: one line per module.
        assert!(!source.contains("crate::{"), "{file}: import module by module");
        for used in names_after(&source, "crate::").filter(|used| *used != own && !used.is_empty()) {
            assert!(rank(&own) < rank(used), "{file} imports {used}, which stands left of {own}");
        }
    }
}

/// What stands beside the pipe: other programs than the five and wpipe, other formats than the lines of JSON, and what only these need.
const BESIDE: [&str; 9] = [
    "fetch",
    "stage/groups",
    "stage/language",
    "stage/diff",
    "stage/align",
    "formats",
    "alignment",
    "pairs",
    "sentences",
];

fn is_beside(module: &str) -> bool {
    BESIDE.iter().any(|beside| module.strip_prefix(beside).is_some_and(|rest| rest.is_empty() || rest.starts_with('/')))
}

#[test]
fn nothing_of_the_pipe_imports_from_beside() {
    let mut sources = all_sources();
    sources.retain(|(file, _)| !file.contains("/tests") && file != "src/fuzzing.rs");
    let modules: BTreeSet<String> = sources.iter().map(|(file, _)| module(file).to_owned()).collect();
    assert!(BESIDE.iter().all(|beside| modules.contains(*beside)));
    for (file, source) in sources.iter().filter(|(file, _)| !is_beside(module(file))) {
        let beside: Vec<String> =
            imports(module(file), source, &modules).into_iter().filter(|used| is_beside(used)).collect();
        assert!(beside.is_empty(), "{file} belongs to the pipe but imports {beside:?}");
    }
    for program in ["index", "parse", "translations", "resolve"] {
        let source = std::fs::read_to_string(repository(&format!("bins/wp-{program}.rs"))).unwrap();
        let used = names_after(&source, "wpipe::").map(str::to_owned);
        let mut used = used.chain(names_after(&source, "stage::").map(|stage| format!("stage/{stage}")));
        assert!(used.all(|used| !is_beside(&used)), "wp-{program} belongs to the pipe but uses a room beside it");
    }
}

/// The path of a file's module: `formats/tables/csv` of src/formats/tables/csv.rs.
fn module(file: &str) -> &str {
    file.trim_start_matches("src/").trim_end_matches(".rs")
}

/// The modules of files that a source imports, by paths from `crate` and from `super`. Imports from files in its own folder by name alone
/// do not count, because they are parts of the same module.
fn imports(own: &str, source: &str, modules: &BTreeSet<String>) -> BTreeSet<String> {
    let part = source.split("#[cfg(test)]\nmod tests").next().unwrap();
    let text: String = code(part).flat_map(|line| [line, " "]).collect();
    let mut found = BTreeSet::new();
    for start in ["crate::", "super::"] {
        for (at, _) in text.match_indices(start) {
            let before = text[..at].chars().next_back();
            if before.is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | ':')) {
                continue;
            }
            let mut base: Vec<&str> = if start == "crate::" { Vec::new() } else { own.split('/').collect() };
            let mut rest = &text[at..];
            while let Some(above) = rest.strip_prefix("super::") {
                base.pop();
                rest = above;
            }
            let rest = rest.trim_start_matches("crate::");
            let end = rest.find(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | ':')).unwrap_or(rest.len());
            let listed =
                rest[end..].strip_prefix('{').and_then(|list| list.split_once('}')).map_or("", |(list, _)| list);
            for last in listed.split(',') {
                let path = rest[..end].split("::").chain(last.trim().split("::"));
                let path: Vec<&str> = base.iter().copied().chain(path).filter(|name| !name.is_empty()).collect();
                let name = (1..=path.len()).rev().map(|length| path[..length].join("/"));
                found.extend(name.into_iter().find(|name| modules.contains(name) && name != own));
            }
        }
    }
    found
}

/// Files that import each other in a circle can be understood only together, and cannot be separated.
#[test]
fn files_import_in_no_circle() {
    let mut sources = all_sources();
    sources.retain(|(file, _)| !file.contains("/tests") && file != "src/fuzzing.rs");
    let modules: BTreeSet<String> = sources.iter().map(|(file, _)| module(file).to_owned()).collect();
    let mut imported: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for (file, source) in &sources {
        imported.insert(module(file), imports(module(file), source, &modules));
    }
    assert!(imported["stage/parse"].contains("record"), "imports are not found any more");
    // A file that imports none of the remaining files is in no circle.
    loop {
        let left: BTreeSet<String> = imported.keys().map(|name| (*name).to_owned()).collect();
        imported.values_mut().for_each(|names| names.retain(|name| left.contains(name)));
        let before = imported.len();
        imported.retain(|_, names| !names.is_empty());
        if imported.len() == before {
            break;
        }
    }
    // A file is in no circle either if none of the remaining files imports it.
    loop {
        let used: BTreeSet<String> = imported.values().flatten().cloned().collect();
        let before = imported.len();
        imported.retain(|name, _| used.contains(*name));
        if imported.len() == before {
            break;
        }
    }
    assert!(imported.is_empty(), "circles of files: {imported:#?}");
}

#[test]
fn stages_never_import_each_other() {
    for (file, source) in all_sources().into_iter().filter(|(file, _)| file.starts_with("src/stage/")) {
        let own = file.trim_start_matches("src/stage/").split(['/', '.']).next().unwrap().to_owned();
        for used in names_after(&source, "stage::") {
            assert_eq!(used, own, "{file} imports stage {used}");
        }
    }
}

#[test]
fn some_crates_live_in_one_place() {
    for (file, source) in all_sources() {
        for (name, place) in ONE_PLACE {
            let path = format!("{name}::");
            let used = code(&source).any(|line| {
                line.match_indices(&path).any(|(at, _)| {
                    let before = line[..at].chars().next_back();
                    !before.is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | ':'))
                })
            });
            assert!(
                !used || place.split(' ').any(|place| file.starts_with(place)),
                "{file} uses {name}, which lives in {place}"
            );
        }
    }
}

/// Names that fit anything, and so say nothing of what they name.
#[test]
fn types_and_functions_are_called_what_they_are() {
    let (types, functions) =
        (["Found", "Entry", "Part", "Kind", "Run", "Reading", "Stated"], ["said", "told", "heard", "is_it", "own"]);
    for (file, source) in all_sources() {
        for before in ["struct ", "enum ", "type ", "trait "] {
            assert!(names_after(&source, before).all(|name| !types.contains(&name)), "{file}: {types:?}");
        }
        assert!(names_after(&source, "fn ").all(|name| !functions.contains(&name)), "{file}: {functions:?}");
    }
}

#[test]
fn the_network_lives_in_one_place_and_one_program() {
    // The code for fuzzing is part of no program.
    let may = |file: &str| file.starts_with("src/fetch/") || file == "src/fuzzing.rs";
    for (file, source) in all_sources().into_iter().filter(|(file, _)| !may(file)) {
        assert!(!source.contains("std::net") && !source.contains("crate::fetch"), "{file} reaches for the network");
    }
    for program in crate::workdir::PROGRAMS {
        let source = std::fs::read_to_string(repository(&format!("bins/{program}.rs"))).unwrap();
        assert!(code(&source).all(|line| !line.contains("fetch")), "{program} fetches");
    }
}

#[test]
fn the_library_does_not_touch_the_process() {
    let may = |file: &str| file.starts_with("src/cli") || file == "src/cases.rs" || file.contains("/tests");
    for (file, source) in all_sources().into_iter().filter(|(file, _)| !may(file)) {
        for word in ["io::stdin()", "io::stdout()", "io::stderr()", "process::exit", "env::var"] {
            assert!(!source.contains(word), "{file} uses {word}: only cli.rs touches the process");
        }
    }
}
