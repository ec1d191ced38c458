//! Exports groups of documents that are translations of each other, one group per line of NDJSON (`pairs`).
//! [`crate::formats::parallel`] finds the groups; this module formats them.

use crate::export::dataset::tally::Tally;
use crate::export::job::{Job, Put};
use crate::formats::parallel::translated::{Document, Groups, Requirements, body, counted};
use crate::ndjson::write_json;
use crate::pairs;
use crate::report::Error;
use serde::Serialize;

#[derive(Serialize)]
struct Member<'a> {
    language: Option<&'a str>,
    r#type: Option<&'a str>,
    id: Option<i64>,
    link: Option<&'a str>,
    title: Option<&'a str>,
    text: Option<&'a str>,
}

/// Writes `pairs.jsonl`.
pub(crate) fn write(job: &mut Job<'_>, put: &mut Put<'_>) -> Result<Tally, Error> {
    let mut tally = Tally::default();
    let wanted = Requirements { link: false, same_language: true, render };
    let gathered = Groups::gather(job, &mut tally, &wanted)?;
    let mut line = Vec::new();
    gathered.each(&mut tally, |texts| {
        line.clear();
        write_group(texts, &mut line);
        put(&line, 1)
    })?;
    Ok(tally)
}

fn render(document: &Document<'_>, _: &str, out: &mut Vec<u8>) {
    let member = Member {
        language: document.envelope.language.as_deref(),
        r#type: document.envelope.r#type.as_deref(),
        id: document.id,
        link: document.link.as_deref(),
        title: document.title(),
        text: document.text(),
    };
    write_json(out, &member);
}

fn write_group(texts: &[pairs::Member], out: &mut Vec<u8>) {
    let first = counted(&texts[0]);
    out.extend_from_slice(b"{\"site\":");
    write_json(out, &first.site);
    out.extend_from_slice(b",\"group\":");
    write_json(out, &first.translation_group);
    out.extend_from_slice(b",\"members\":[");
    for (i, text) in texts.iter().enumerate() {
        if i > 0 {
            out.push(b',');
        }
        out.extend_from_slice(body(text));
    }
    out.extend_from_slice(b"]}\n");
}
