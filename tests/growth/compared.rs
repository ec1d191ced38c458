//! Generates records that are compared with each other (two states for wp-diff, two translations for wp-align), and texts whose language
//! wp-language finds.

use super::generators::{Generator, times};
use crate::workdir::Workdir;
use serde_json::{Value, json};

/// Returned by a generator that writes the files `3` and `4` itself.
pub(super) const RECORDS: &str = "records";

fn generator(
    name: String,
    n: usize,
    steps: &'static [&'static str],
    files: impl Fn(usize) -> [String; 2] + Send + Sync + 'static,
) -> Generator {
    let write = move |n: usize, dir: &Workdir| {
        let [old, new] = files(n);
        dir.write("3", old);
        dir.write("4", new);
        RECORDS
    };
    Generator { name, n, write: Box::new(write), steps, timed: None }
}

fn record(kind: &str, r#type: &str, id: usize, more: Value) -> String {
    let mut record =
        json!({"site": "s", "kind": kind, "type": r#type, "id": id, "link": format!("https://s.example/{type}/{id}/")});
    record.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    format!("{record}\n")
}

fn content(html: &str) -> Value {
    json!({"html": html, "text": "x", "protected": false, "hash": null})
}

/// One of four words, which looks random and is always the same for a seed.
fn drawn(seed: usize) -> String {
    let hash = (seed as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    ["a", "b", "c", "d"][(hash >> 40) as usize % 4].to_owned()
}

/// A name, and the lines of a text before and after.
type Texts = (&'static str, fn(usize) -> [Vec<String>; 2]);

fn texts() -> Vec<Generator> {
    fn lines(n: usize, line: impl Fn(usize) -> String) -> Vec<String> {
        (0..n).map(line).collect()
    }
    let texts: [Texts; 12] = [
        ("a paragraph after each", |n| {
            [
                lines(n, |i| format!("w{i}")),
                lines(2 * n, |i| if i % 2 == 0 { format!("w{}", i / 2) } else { format!("z{i}") }),
            ]
        }),
        ("a paragraph before each of one kind", |n| {
            [
                lines(n, |i| format!("w{i}")),
                lines(2 * n, |i| if i % 2 == 1 { format!("w{}", i / 2) } else { "z".into() }),
            ]
        }),
        ("lines by turns", |n| {
            [lines(2 * n, |i| ["a", "b"][i % 2].into()), lines(3 * n, |i| ["b", "a", "a"][i % 3].into())]
        }),
        ("few kinds of lines", |n| [lines(n, drawn), lines(n, |i| drawn(i + 7 * n))]),
        ("lines that become one", |n| [lines(n, |i| format!("w{i}")), vec![times(n, |i| format!("v{i} "))]]),
        ("lines that become one of the same words", |n| {
            [lines(n, |i| format!("w{i}")), vec![times(n, |i| format!("w{i} "))]]
        }),
        ("a line that becomes many", |n| [vec![times(n, |i| format!("v{i} "))], lines(n, |i| format!("w{i}"))]),
        ("few kinds of words", |n| [vec![times(n, |i| drawn(i) + " ")], vec![times(n, |i| drawn(i + 7 * n) + " ")]]),
        ("a line of Chinese", |n| {
            let signs = |seed: usize| {
                times(n, |i| {
                    drawn(i + seed).replace('a', "山").replace('b', "水").replace('c', "火").replace('d', "木")
                })
            };
            [vec![signs(0)], vec![signs(7 * n)]]
        }),
        ("lines that turn round", |n| [lines(n, |i| format!("w{i}")), lines(n, |i| format!("w{}", n - i))]),
        ("lines of long and short ones", |n| {
            let line = |word: &'static str| {
                move |i: usize| if i.is_multiple_of(2) { word.into() } else { format!("{word} {}", "x ".repeat(40)) }
            };
            [lines(n, line("v")), lines(n, line("w"))]
        }),
        ("each line changed", |n| {
            [lines(n, |i| format!("some words here {i}")), lines(n, |i| format!("some words there {i}"))]
        }),
    ];
    let post = |lines: &[String]| {
        record("post", "post", 1, json!({"content": content(&format!("<p>{}</p>", lines.join("</p><p>")))}))
    };
    let of = |(name, lines): Texts| {
        generator(format!("compared: {name}"), 2000, &["wp-diff"], move |n| lines(n).map(|lines| post(&lines)))
    };
    texts.into_iter().map(of).collect()
}

fn states() -> Vec<Generator> {
    let noise = |open: &'static str| {
        move |n: usize| {
            ["", "<p>y</p>"].map(|end| record("post", "post", 1, json!({"content": content(&(open.repeat(n) + end))})))
        }
    };
    vec![
        generator("compared: types with a file each".into(), 300, &["wp-diff"], |n| {
            [0, 1].map(|other| {
                times(n, |i| {
                    record("post", &format!("t{i}"), i + 1, json!({}))
                        + &record("media", "media", i + 1_000_000, json!({"post": i + 1 + other}))
                })
            })
        }),
        generator("compared: excerpts".into(), 300, &["wp-diff"], |n| {
            ["here", "there"].map(|word| {
                times(n, |i| {
                    let html = format!("<p>Some words {word}, and more.</p><div class=post-views>{word}</div>");
                    record("post", "post", i, json!({"content": content(&html), "excerpt": {"html": format!("<p>Some words {word}"), "text": "x"}}))
                })
            })
        }),
        generator("compared: links to pages that moved".into(), 300, &["wp-diff"], |n| {
            ["a", "b"].map(|top| {
                let links: Vec<Value> = (0..n)
                    .map(|i| {
                        let url = format!("https://s.example/{top}/{i}/");
                        json!({"href": url, "url": url, "target": {"type": "html", "id": null, "link": url}})
                    })
                    .collect();
                record("post", "post", 1, json!({"links": links, "content": content(top)}))
                    + &times(n, |i| {
                        let words = times(40, |at| format!("w{i}x{at} "));
                        let mut page: Value =
                            serde_json::from_str(&record("html", "html", 0, json!({"content": content(&words)})))
                                .unwrap();
                        (page["id"], page["link"]) = (Value::Null, format!("https://s.example/{top}/{i}/").into());
                        page["content"]["text"] = words.into();
                        format!("{page}\n")
                    })
            })
        }),
        generator("compared: counters left open".into(), 2000, &["wp-diff"], noise("<div class=post-views>1")),
        generator(
            "compared: counters with paragraphs".into(),
            2000,
            &["wp-diff"],
            noise("<div class=post-views>1<p>x"),
        ),
        generator("compared: related posts left open".into(), 2000, &["wp-diff"], noise("<div class=yarpp><p>x")),
    ]
}

/// Documents of one group, each in a language of its own.
fn documents(contents: impl IntoIterator<Item = (String, String)>) -> [String; 2] {
    let of = |(at, (language, html)): (usize, (String, String))| {
        let mut content = content(&html);
        content["text"] = "x".into();
        record(
            "post",
            "post",
            at + 1,
            json!({"language": language, "translation_group": "post:1", "title": {"text": "T"}, "content": content}),
        )
    };
    [String::new(), contents.into_iter().enumerate().map(of).collect()]
}

fn translations() -> Vec<Generator> {
    let two = |name: &str, html: fn(usize) -> String| {
        generator(format!("aligned: {name}"), 500, &["wp-align"], move |n| {
            documents(["en", "de"].map(|tag| (tag.to_owned(), html(n))))
        })
    };
    let mut all = vec![
        two("a sentence of names", |n| format!("<p>{}.</p>", times(n, |i| format!("Name{i} ")))),
        two("a sentence of links", |n| times(n, |i| format!("<a href='/{i}/'>x</a> "))),
        two("a block of images", |n| "x ".to_owned() + &times(n, |i| format!("<img src='/{i}.png'>"))),
        two("sentences of one name", |n| "<p>Tarnholm is here. It is old.</p>".repeat(n)),
        two("sentences of names", |n| times(n, |i| format!("<p>Name{i} and Other{} are here.</p>", i + 1))),
        two("sentences of a block", |n| format!("<p>{}</p>", times(n, |i| format!("Sentence {i} is here. ")))),
    ];
    all.push(generator("aligned: languages".into(), 100, &["wp-align"], |n| {
        documents((0..n).map(|i| (format!("x-l{i}"), "<p>Some words.</p>".to_owned())))
    }));
    all
}

/// Texts in a language that is not stated.
fn languages() -> Vec<Generator> {
    let of = |text: &str| json!({"content": {"html": "x", "text": text, "protected": false, "hash": null}});
    let one = |name: &str, text: fn(usize) -> String| {
        generator(format!("language: {name}"), 2000, &["wp-language"], move |n| {
            [String::new(), record("post", "post", 1, of(&text(n)))]
        })
    };
    vec![
        one("lines", |n| "Some words of a ship.\n".repeat(n)),
        one("letters without a blank", |n| "ж".repeat(n)),
        generator("language: posts".into(), 100, &["wp-language"], move |n| {
            let texts =
                ["A ship lies at the quay today.", "Ein Schiff liegt heute am Kai.", "У причала стоит корабль."];
            [String::new(), times(n, |i| record("post", "post", i + 1, of(texts[i % 3])))]
        }),
    ]
}

pub(super) fn all() -> Vec<Generator> {
    [texts(), states(), translations(), languages()].into_iter().flatten().collect()
}
