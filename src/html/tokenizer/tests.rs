//! Tests the tokenizer against the [html5lib tokenizer tests](https://github.com/html5lib/html5lib-tests), which are
//! not part of this project: `WPIPE_HTML5LIB=DIR` names the directory with their `tokenizer/*.test`.

use super::*;
use serde_json::{Value, json};

/// The html5lib tests that are skipped, and why. An entry that skips nothing fails.
const LEDGER: [(&str, &str); 2] = [
    ("lone surrogate", "input is UTF-8: a lone surrogate cannot be in it, JSON's reader has replaced or refused it"),
    ("xmlViolation.test", "its output is coerced into an XML infoset, which nothing here writes"),
];

/// The tokens of `input` in the format of the tests.
fn tokens(input: &str, state: &str, last: &str) -> Vec<Value> {
    let mut tokenizer = Tokenizer::new(input, AttributeBuffer::default());
    let last = if last.is_empty() { "no such name" } else { last };
    let mut out = Vec::new();
    match state {
        "Data state" => {}
        "PLAINTEXT state" => tokenizer.raw_text(last, Model::Plaintext),
        "RCDATA state" => tokenizer.raw_text(last, Model::Rcdata),
        "RAWTEXT state" => tokenizer.raw_text(last, Model::Rawtext),
        "Script data state" => tokenizer.raw_text(last, Model::Script),
        "CDATA section state" => {
            let token = tokenizer.cdata(0);
            put(&mut out, token, &tokenizer);
        }
        other => panic!("unknown state {other}"),
    }
    while let Some(token) = tokenizer.next() {
        put(&mut out, token, &tokenizer);
    }
    out
}

fn put(out: &mut Vec<Value>, token: Token<'_>, tokenizer: &Tokenizer<'_>) {
    let decoded = |text: Text<'_>| {
        let mut all = String::new();
        text.decode_into(&mut all, Nul::Keep);
        all
    };
    let name = |text: &str| decoded(Text { raw: text, kind: TextKind::Raw }).to_ascii_lowercase();
    match token {
        Token::Text(text) => {
            let text = decoded(text);
            match out.last_mut() {
                Some(Value::Array(last)) if last[0] == "Character" => {
                    last[1] = json!(format!("{}{text}", last[1].as_str().unwrap()));
                }
                _ if text.is_empty() => {}
                _ => out.push(json!(["Character", text])),
            }
        }
        Token::Comment(text) => out.push(json!(["Comment", decoded(text)])),
        Token::End(tag) => out.push(json!(["EndTag", name(tag.name)])),
        Token::Start(tag) => {
            let mut attributes = serde_json::Map::new();
            for (key, value) in tokenizer.attributes().pairs() {
                attributes.entry(name(key)).or_insert_with(|| json!(attributes::decode(value)));
            }
            let mut token = json!(["StartTag", name(tag.name), attributes]);
            if tag.self_closing {
                token.as_array_mut().unwrap().push(json!(true));
            }
            out.push(token);
        }
        Token::Doctype(doctype) => {
            let id = |id: Option<&str>| id.map(|id| decoded(Text { raw: id, kind: TextKind::Raw }));
            let name = doctype.name.map(name);
            out.push(json!(["DOCTYPE", name, id(doctype.public), id(doctype.system), !doctype.quirks]));
        }
    }
}

/// Decodes `\uHHHH` in a test that is escaped twice; `None` if it contains a lone surrogate.
fn unescape(text: &str) -> Option<String> {
    let mut units: Vec<u16> = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("\\u") {
        units.extend(before.encode_utf16());
        units.push(u16::from_str_radix(&after[..4], 16).unwrap());
        rest = &after[4..];
    }
    units.extend(rest.encode_utf16());
    String::from_utf16(&units).ok()
}

fn unescape_all(value: &Value) -> Option<Value> {
    Some(match value {
        Value::String(text) => Value::String(unescape(text)?),
        Value::Array(items) => Value::Array(items.iter().map(unescape_all).collect::<Option<_>>()?),
        Value::Object(items) => {
            Value::Object(items.iter().map(|(k, v)| Some((unescape(k)?, unescape_all(v)?))).collect::<Option<_>>()?)
        }
        other => other.clone(),
    })
}

/// Runs one test in each of its states. Returns how many passed, and the failures; `None` if its input or its output
/// contains a lone surrogate, which UTF-8 cannot represent.
fn run(test: &Value) -> Option<(usize, Vec<String>)> {
    let twice = test.get("doubleEscaped") == Some(&json!(true));
    let seen = |value: &Value| {
        if twice { unescape_all(value) } else { Some(value.clone()) }
    };
    let (input, expected) = (seen(&test["input"])?, seen(&test["output"])?);
    let last = test.get("lastStartTag").and_then(Value::as_str).unwrap_or_default();
    let states = test.get("initialStates").cloned().unwrap_or(json!(["Data state"]));
    let (mut passed, mut failures) = (0, Vec::new());
    for state in states.as_array().unwrap() {
        let found = Value::Array(tokens(input.as_str().unwrap(), state.as_str().unwrap(), last));
        if found == expected {
            passed += 1;
        } else {
            let name = &test["description"];
            failures.push(format!("{name} {state} {input}\n  expected {expected}\n  found    {found}"));
        }
    }
    Some((passed, failures))
}

#[test]
fn html5lib_tokenizer_tests_pass() {
    let Some(dir) = std::env::var_os("WPIPE_HTML5LIB") else {
        println!("SKIPPED: html5lib tokenizer tests (set WPIPE_HTML5LIB to their directory)");
        return;
    };
    let mut files: Vec<_> =
        std::fs::read_dir(std::path::Path::new(&dir).join("tokenizer")).unwrap().map(|e| e.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|e| e == "test"));
    files.sort();
    let (mut passed, mut left, mut failures) = (0, [0; LEDGER.len()], Vec::new());
    for file in &files {
        let text = std::fs::read_to_string(file).unwrap();
        let suite: Value = serde_json::from_str(&text).unwrap();
        let Some(tests) = suite.get("tests") else {
            assert!(file.ends_with("xmlViolation.test"), "{}", file.display());
            left[1] += 1;
            continue;
        };
        for test in tests.as_array().unwrap() {
            match run(test) {
                Some((good, bad)) => {
                    passed += good;
                    failures.extend(bad);
                }
                None => left[0] += 1,
            }
        }
    }
    println!("html5lib: {passed} passed, {} failed, left out {left:?}", failures.len());
    assert!(failures.is_empty(), "{} failures\n{}", failures.len(), failures[..failures.len().min(20)].join("\n"));
    assert!(left.iter().all(|count| *count > 0), "an entry of the ledger skips nothing: {left:?}");
    assert!(passed > 5000, "only {passed} tests were found");
}

#[test]
fn states_of_content_in_short() {
    let data = |html| Value::Array(tokens(html, "Data state", ""));
    assert_eq!(
        data("a<b c=d e='f&amp;g' C=x />"),
        json!([["Character", "a"], ["StartTag", "b", {"c": "d", "e": "f&g"}, true]])
    );
    assert_eq!(data("1 < 2 </ x>3</>4"), json!([["Character", "1 < 2 "], ["Comment", " x"], ["Character", "34"]]));
    assert_eq!(data("a<b c"), json!([["Character", "a"]]), "an unclosed tag at the end is not text");
    assert_eq!(
        data("<!--a--!>b<!-->c<!--->d"),
        json!([
            ["Comment", "a"],
            ["Character", "b"],
            ["Comment", ""],
            ["Character", "c"],
            ["Comment", ""],
            ["Character", "d"]
        ])
    );
    assert_eq!(data("<a href='?a&copy=1&copy;'>"), json!([["StartTag", "a", {"href": "?a&copy=1©"}]]));
}

#[test]
fn raw_text_in_short() {
    let script = |html| Value::Array(tokens(html, "Script data state", "script"));
    assert_eq!(
        script("<!--<script></script>--></script>x"),
        json!([["Character", "<!--<script></script>-->"], ["EndTag", "script"], ["Character", "x"]])
    );
    assert_eq!(script("<!--></script>x"), json!([["Character", "<!-->"], ["EndTag", "script"], ["Character", "x"]]));
    let rcdata = |html| Value::Array(tokens(html, "RCDATA state", "title"));
    assert_eq!(
        rcdata("a&lt;b</titles></TITLE >c"),
        json!([["Character", "a<b</titles>"], ["EndTag", "title"], ["Character", "c"]])
    );
}

#[test]
fn a_million_empty_end_tags_need_no_stack() {
    let html = "</>".repeat(1_000_000);
    assert_eq!(tokens(&html, "Data state", ""), Vec::<Value>::new());
}
