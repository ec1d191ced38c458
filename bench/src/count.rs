//! Counts what a stage wrote, in the same terms as the generator counted what it put in.

use crate::counts::Counts;
use serde::Deserialize;
use std::collections::HashSet;
use std::io::{self, BufRead};
use wpipe::record::{Image, Link, Scrape, Str, Translation};

/// The keys of any record that are counted.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Record<'a> {
    #[serde(borrow)]
    kind: Option<Str<'a>>,
    language: Option<Str<'a>>,
    translations: Vec<Translation<'a>>,
    translation_group: Option<Str<'a>>,
    links: Vec<Link<'a>>,
    images: Vec<Image<'a>>,
    scrape: Scrape<'a>,
}

/// Counts the records of an input.
pub fn count(mut input: impl BufRead) -> io::Result<Counts> {
    let mut counts = Counts::default();
    let mut groups = HashSet::new();
    let mut line = Vec::new();
    while input.read_until(b'\n', &mut line)? > 0 {
        let record: Record = serde_json::from_slice(&line)?;
        let kind = record.kind.as_ref().map_or("none", Str::as_str);
        counts.record(kind);
        counts.scraped += u64::from(record.scrape.file.is_some());
        if let (Some(language), "post" | "html") = (&record.language, kind) {
            counts.language(language);
        }
        // Terms are translations by the posts that have them, tags, which are drawn, by chance: nobody put those in.
        if kind != "term" {
            counts.translations += record.translations.iter().filter(|t| t.target.link.is_some()).count() as u64;
            groups.extend(record.translation_group.map(|group| group.0.into_owned()));
        }
        record.links.iter().for_each(|link| counts.link(link.target.link.is_some()));
        record.images.iter().for_each(|image| counts.image(image.target.link.is_some()));
        line.clear();
    }
    counts.groups = groups.len() as u64;
    Ok(counts)
}
