//! Keeps a ledger of phrases that a native reader stumbles over, in everything that users read: man pages, Markdown, --help and messages.
//! [`LEDGER`] lists how often each occurs in each text. It works both ways: a new occurrence fails, and so does a row with a higher number
//! than the text has.

use crate::manual::{all_programs, documents};
use crate::workdir::{Workdir, repository};
use std::collections::BTreeMap;

const LEDGER: &str = "tests/data/english.tsv";

/// The phrases, word by word: `a|b` is either. Better: subject, verb, object.
const PATTERNS: [(&str, &[&str]); 7] = [
    // A clause as a noun: "what is gone" for "deleted records".
    ("what is", &["what", "is|are|was|were"]),
    // "Tags of which one is shorter" for "two tags, one of them shorter".
    ("of which", &["of", "which|whom|whose"]),
    // Said of things, which show or report.
    ("tells", &["tell|tells|told"]),
    // "Is no date" for "is not a date"; "there is no" is English.
    ("is no", &["is|are|was|were", "no|none|nothing"]),
    // "Pages that no WordPress made" for "pages without a trace of WordPress".
    ("that no", &["that|which|whom", "no|none|nobody|nothing"]),
    ("is said", &["is|are|was|were", "said"]),
    ("stands", &["stand|stands|stood"]),
];

/// Sentences that begin with one of these have a negated subject: "Nothing is removed" for "wp-groups removes nothing".
const NEGATIONS: [&str; 5] = ["No", "None", "Nothing", "Nobody", "Neither"];

/// How often each pattern occurs in a text.
fn count(text: &str) -> BTreeMap<&'static str, usize> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let plain = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    let lower: Vec<String> = words.iter().map(|word| plain(word)).collect();
    let mut counts = BTreeMap::new();
    for at in 0..words.len() {
        for (name, pattern) in PATTERNS {
            let found = lower.get(at..at + pattern.len()).is_some_and(|part| {
                part.iter().zip(pattern).all(|(word, choice)| choice.split('|').any(|one| one == word))
            });
            let is_english = name == "is no" && at > 0 && lower[at - 1] == "there";
            *counts.entry(name).or_default() += usize::from(found && !is_english);
        }
        let begins = at == 0 || words[at - 1].trim_end_matches(['"', ')', '`', '*']).ends_with(['.', '!', '?']);
        let word = words[at].trim_start_matches(['"', '(', '*']);
        *counts.entry("No ...").or_default() += usize::from(begins && NEGATIONS.contains(&word));
    }
    counts.retain(|_, n| *n > 0);
    counts
}

/// The prose of a document, without displays and fenced blocks; for a man page, without the names of macros.
fn prose(name: &str, text: &str) -> String {
    let (begin, end) = if name.ends_with(".md") { ("```", "```") } else { (".Bd -literal", ".Ed") };
    let mut prose = String::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if line.trim_start().starts_with(begin) {
            lines.by_ref().find(|line| line.trim() == end);
        } else if let Some(arguments) = line.strip_prefix('.').filter(|_| !name.ends_with(".md")) {
            let (r#macro, rest) = arguments.split_once(' ').unwrap_or((arguments, ""));
            // These macros end a sentence that has no full stop, as in a list.
            let breaks = ["It", "Sh", "Ss", "Pp", "Bl", "El", "Nd"].contains(&r#macro);
            prose += &format!("{} {rest} {}\n", if breaks { "." } else { "" }, if breaks { "." } else { "" });
        } else {
            prose += &format!("{line}\n");
        }
    }
    prose
}

/// A template without its code, which is in braces.
fn without_code(template: &str) -> String {
    let mut parts = template.split('{');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + part.split_once('}').map_or("", |(_, after)| after))
}

/// The string literals of Rust code, each as a sentence of its own.
fn literals(code: &str) -> String {
    let mut text = String::new();
    let mut rest = code;
    while let Some(at) = rest.find(['"', '/', '\'']) {
        let (before, from) = rest.split_at(at);
        rest = if from.starts_with("//") {
            from.split_once('\n').map_or("", |(_, after)| after)
        } else if let Some(after) = from.strip_prefix("'\"'").or(from.strip_prefix("'\\\"'")) {
            after
        } else if let Some(literal) = from.strip_prefix('"') {
            let hashes: String = before.chars().rev().take_while(|c| *c == '#').collect();
            let is_raw = before.trim_end_matches('#').ends_with('r');
            let end = if is_raw { literal.find(&format!("\"{hashes}")) } else { end_of_literal(literal) };
            let (shown, after) = literal.split_at(end.expect("the code compiles, so its literals end"));
            text += &format!("{} .\n", shown.replace("\\n", " . ").replace("\\\"", "\"").replace('\\', " "));
            &after[1..]
        } else {
            &from[1..]
        };
    }
    text
}

/// The offset of the quote that ends a literal.
fn end_of_literal(text: &str) -> Option<usize> {
    let mut escaped = false;
    text.bytes().position(|byte| {
        let ends = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        ends
    })
}

/// Everything that users read, by the name of its file or command.
fn texts() -> BTreeMap<String, String> {
    let mut texts: BTreeMap<String, String> = documents();
    for folder in ["bench", "fuzz"] {
        let name = format!("{folder}/README.md");
        texts.insert(name.clone(), std::fs::read_to_string(repository(&name)).unwrap());
    }
    texts.iter_mut().for_each(|(name, text)| *text = prose(name, text));
    for program in all_programs() {
        // `wpipe --help` would repeat the help of the others.
        let option = if program == "wpipe" { "-h" } else { "--help" };
        texts.insert(format!("{program} {option}"), Workdir::new().program(program, option, "").expect(0).stdout);
    }
    for entry in walkdir::WalkDir::new(repository("src")) {
        let path = entry.unwrap().into_path();
        let name = path.strip_prefix(repository("")).unwrap().to_str().unwrap().to_owned();
        let read = || std::fs::read_to_string(&path).unwrap();
        if name.ends_with(".rs") && !name.ends_with("tests.rs") && !name.contains("/tests/") {
            texts.insert(name, literals(read().split("#[cfg(test)]\nmod tests {").next().unwrap()));
        } else if name.ends_with(".html") || name.ends_with(".md") {
            texts.insert(name, without_code(&read()).replace(['<', '>'], " "));
        }
    }
    texts
}

#[test]
fn the_ledger_of_english_is_true() {
    let ledger = std::fs::read_to_string(repository(LEDGER)).unwrap();
    let rows = ledger.lines().skip(1).map(|line| {
        let [name, pattern, n] = line.split('\t').collect::<Vec<_>>().try_into().unwrap();
        ((name.to_owned(), pattern.to_owned()), n.parse::<usize>().unwrap())
    });
    let mut listed: BTreeMap<(String, String), usize> = rows.collect();
    listed.retain(|(name, _), _| cfg!(feature = "fetch") || !name.starts_with("wp-fetch "));
    let mut found = BTreeMap::new();
    for (name, text) in texts() {
        found.extend(count(&text).into_iter().map(|(pattern, n)| ((name.clone(), pattern.to_owned()), n)));
    }
    let mut wrong = String::new();
    for key in listed.keys().chain(found.keys().filter(|key| !listed.contains_key(*key))) {
        let (before, now) = (listed.get(key).unwrap_or(&0), found.get(key).unwrap_or(&0));
        if now > before {
            wrong += &format!("{}\t{}\t{now}: {before} until now; write subject, verb, object\n", key.0, key.1);
        } else if now < before {
            wrong += &format!("{}\t{}\t{now}: {before} until now; thanks: lower the row\n", key.0, key.1);
        }
    }
    assert!(wrong.is_empty(), "{LEDGER}, file, pattern, number:\n{wrong}");
}

/// The comments of a file of Rust, as prose.
fn comments(code: &str) -> String {
    let lines = code.lines().filter_map(|line| line.trim_start().strip_prefix("//"));
    lines.map(|line| line.trim_start_matches(['/', '!']).trim_start().to_owned() + "\n").collect()
}

/// ripgrep's comments have .4 per 1,000 words, ours had 9.3.
#[test]
fn comments_have_two_of_them_per_thousand_words_at_most() {
    let (mut words, mut by_file) = (0, BTreeMap::new());
    for folder in ["src", "bins", "tests"] {
        for entry in walkdir::WalkDir::new(repository(folder)) {
            let path = entry.unwrap().into_path();
            // This one quotes them.
            if path.extension().is_some_and(|ending| ending == "rs") && !path.ends_with("tests/english.rs") {
                let text = comments(&std::fs::read_to_string(&path).unwrap());
                words += text.split_whitespace().count();
                by_file.insert(path, count(&text).values().sum::<usize>());
            }
        }
    }
    let phrases: usize = by_file.values().sum();
    let mut most: Vec<_> = by_file.iter().collect();
    most.sort_by_key(|(_, n)| std::cmp::Reverse(**n));
    assert!(phrases * 1000 <= words * 2, "{phrases} in {words} words; most in {:?}", &most[..20]);
}

#[test]
fn each_pattern_is_found() {
    for (text, expected) in [
        ("What is gone. She knows what are stages.", vec![("what is", 2)]),
        ("tags of which one, and OF\nWHOM", vec![("of which", 2)]),
        ("It tells, is told; a tell.", vec![("tells", 3)]),
        ("It is no date, but there is no target.", vec![("is no", 1)]),
        ("pages that no WordPress made", vec![("that no", 1)]),
        ("(as is said)", vec![("is said", 1)]),
        ("It stands. No file has it, and no other. (Nothing else.)", vec![("No ...", 2), ("stands", 1)]),
        ("what it is, of the which-is", vec![]),
    ] {
        assert_eq!(count(text), expected.into_iter().collect(), "{text}");
    }
    assert_eq!(prose("a.1", "a\n.Bd -literal\ntells\n.Ed\n.Va b\nc\n"), "a\n b \nc\n");
    assert_eq!(prose("a.md", "a\n```sh\ntells\n```\nb\n"), "a\nb\n");
    assert_eq!(comments("//! a\nlet b = 1; // c\n    /// tells\n"), "a\ntells\n");
    let code = "let a = \"one \\\" two\"; // \"three\"\nlet b = ('\"', '\\\"', r#\"four \" five\"#, \"six\\nseven\");";
    assert_eq!(literals(code), "one \" two .\nfour \" five .\nsix . seven .\n");
}
