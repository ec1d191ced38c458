//! The whole pipe in Rust: the example of the crate's page. `cargo run --example stages` prints nothing if the record is as it should be.
use wpipe::dump::Sources;
use wpipe::ndjson::{Output, Source};
use wpipe::report::{Error, Report};

fn main() -> Result<(), Error> {
    let dump = r#"[{"id": 1, "type": "post", "link": "https://a.example/x/", "slug": "x", "title": {"rendered": "X"},
               "content": {"rendered": "<p>See <a href='/?p=1'>itself</a>.</p>"}}]"#;
    let mut sources = Sources::open(&[], || Ok(Source::from_bytes("dump", dump)))?;
    let (mut output, lines) = Output::in_memory();
    let mut reports = wpipe::pipe::PROGRAMS.map(Report::silent);
    wpipe::pipe::run(&wpipe::pipe::Options::default(), &mut sources, &mut output, &mut reports)?;
    let record: serde_json::Value = serde_json::from_slice(&lines.take()).expect("one record");
    assert_eq!(record["content"]["text"], "See itself.");
    assert_eq!(record["links"][0]["target"]["id"], 1);
    Ok(())
}
