//! The five stages in Rust: the example of the crate's page. `cargo run --example stages` prints nothing if the record is as it should be.
use wpipe::ndjson::{Input, Output, Source};
use wpipe::report::{Error, Report};
use wpipe::stage::{export, index, parse, resolve, translations};

fn main() -> Result<(), Error> {
    let dump = r#"[{"id": 1, "type": "post", "link": "https://a.example/x/", "slug": "x", "title": {"rendered": "X"},
               "content": {"rendered": "<p>See <a href='/?p=1'>itself</a>.</p>"}}]"#;
    let mut report = Report::silent("example");
    let mut pipe = |stage: &dyn Fn(&mut Input, &mut Output, &mut Report) -> Result<(), Error>, lines: Vec<u8>| {
        let (mut output, memory) = Output::in_memory();
        stage(&mut Input::from_bytes("lines", lines), &mut output, &mut report)?;
        output.flush().map(|()| memory.take())
    };
    let lines = pipe(
        &|_, output, report| {
            let mut sources = wpipe::dump::Sources::open(&[], || Ok(Source::from_bytes("dump", dump)))?;
            index::run(&index::Options::default(), &mut sources, output, report)
        },
        Vec::new(),
    )?;
    let lines = pipe(&|input, output, report| parse::run(&parse::Options::default(), input, output, report), lines)?;
    let lines = pipe(&|i, o, r| translations::run(&translations::Options::default(), i, o, r), lines)?;
    let lines =
        pipe(&|input, output, report| resolve::run(&resolve::Options::default(), input, output, report), lines)?;
    let lines = pipe(&|input, output, report| export::run(&export::Options::default(), input, output, report), lines)?;
    let record: serde_json::Value = serde_json::from_slice(&lines).expect("one record");
    assert_eq!(record["content"]["text"], "See itself.");
    assert_eq!(record["links"][0]["target"]["id"], 1);
    assert_eq!(record["links"][0]["rule"], "shortlink");
    Ok(())
}
