//! Exports the six files of [wpextract](https://pypi.org/project/wpextract/) 1.1.1, so that its users can switch: our
//! records in its columns. This module only arranges them; wp-parse has applied the text rules.
//!
//! Two passes: the columns of a file, the languages of the site and the URLs of the media files are known only after
//! the first. Memory: one URL per media record.

mod columns;
mod json;
mod site;

use crate::export::dataset::envelope::{Envelope, Own};
use crate::export::dataset::folder::Folder;
use crate::export::dataset::selection::Selection;
use crate::export::dataset::tally::Tally;
use crate::export::job::Job;
use crate::ndjson::{self, Input, Line, describe, gather_lines, text_of};
use crate::record::{Media, Post, Scrape, Term, User, fields};
use crate::report::{Error, Notes, Report};
use columns::{Column, Presence};
use site::Site;

/// The files, by their numbers: kind and type of the records, and the name.
const FILES: [(&str, &str, &str); 6] = [
    ("post", "post", "posts.json"),
    ("post", "page", "pages.json"),
    ("media", "media", "media.json"),
    ("term", "tag", "tags.json"),
    ("term", "category", "categories.json"),
    ("user", "user", "users.json"),
];

fields! {
    /// The field that the first pass needs of every record.
    struct Page<'a> {
        scrape: Scrape<'a>,
    }
}

impl<'a> Own<'a> for Page<'a> {}

/// A record that belongs in one of the files.
enum Filed<'a> {
    Post(Box<Post<'a>>),
    Media(Box<Media<'a>>),
    Term(Box<Term<'a>>),
    User(Box<User<'a>>),
}

impl<'a> Filed<'a> {
    fn parse(file: usize, line: &'a [u8]) -> Result<Self, (String, u64)> {
        let line = text_of(line)?;
        let parsed = match FILES[file].0 {
            "post" => ndjson::from_str(line).map(Filed::Post),
            "media" => ndjson::from_str(line).map(Filed::Media),
            "term" => ndjson::from_str(line).map(Filed::Term),
            _ => ndjson::from_str(line).map(Filed::User),
        };
        parsed.map_err(|error| {
            let (what, column) = describe(error);
            (format!("not the shape of a {} record: {what}", FILES[file].1), column)
        })
    }

    fn columns<'r>(&'r self, file: usize, site: &'r Site) -> Vec<Column<'r>> {
        match (self, FILES[file].1) {
            (Filed::Post(post), "page") => columns::of_page(post, site),
            (Filed::Post(post), _) => columns::of_post(post, site),
            (Filed::Media(media), _) => columns::of_media(media),
            (Filed::Term(term), "category") => columns::of_category(term, site),
            (Filed::Term(term), _) => columns::of_tag(term, site),
            (Filed::User(user), _) => columns::of_user(user),
        }
    }
}

/// Writes the six files.
pub(crate) fn write_folder(folder: &mut Folder, job: &mut Job<'_>) -> Result<Tally, Error> {
    for (kind, r#type, name) in FILES {
        folder.create(name, Some(kind), Some(r#type))?;
    }
    let site = survey(job.input, job.jobs)?;
    let mut tally = Tally::default();
    let mut begun = [false; FILES.len()];
    gather_lines(
        job.input,
        job.report,
        job.jobs,
        || arranger(job.selection, &site),
        |arranged: &mut Arranged| {
            tally.absorb(&mut arranged.tally);
            for (file, (elements, records)) in arranged.files.iter_mut().enumerate() {
                if let [separator, ..] = &mut elements[..] {
                    // An element begins with the separator from the one before it.
                    *separator = if std::mem::replace(&mut begun[file], true) { b',' } else { b'[' };
                }
                folder.append(file, elements, std::mem::take(records))?;
                elements.clear();
            }
            Ok(())
        },
    )?;
    for (file, begun) in begun.into_iter().enumerate() {
        folder.append(file, if begun { b"\n]" } else { b"[]" }, 0)?;
    }
    if tally.text_rules() == "rendered" && tally.written() > 0 {
        job.report
            .warn("the texts follow our rules, not those of wpextract; wp-parse --text wpextract sets them to these");
    }
    Ok(tally)
}

/// The number of the file that holds records of this type.
fn file_of(kind: &str, r#type: &str) -> Option<usize> {
    FILES.iter().position(|(k, t, _)| (*k, *t) == (kind, r#type))
}

/// The first pass. Errors in a line are reported in the second one.
fn survey(input: &mut Input, jobs: usize) -> Result<Site, Error> {
    input.make_rereadable()?;
    let mut site = Site::default();
    let mut silent = Report::silent("wp-export");
    gather_lines(
        input,
        &mut silent,
        jobs,
        || look_at,
        |seen| {
            site.absorb(seen);
            Ok(())
        },
    )?;
    input.rewind();
    Ok(site)
}

fn look_at(line: Line<'_>, site: &mut Site, _: &mut Notes) {
    let Ok((envelope, page)) = Envelope::with::<Page<'_>>(line.bytes) else { return };
    site.has_pages |= page.is_ok_and(|page| page.scrape.file.is_some());
    site.label.get_or_insert_with(|| envelope.site.as_deref().unwrap_or_default().to_owned());
    if let Some(language) = envelope.language.as_deref().filter(|language| !site.languages.contains(*language)) {
        site.languages.insert(language.to_owned());
    }
    let Some(file) = envelope.kind_and_type().and_then(|(kind, r#type)| file_of(kind, r#type)) else { return };
    let Ok(record) = Filed::parse(file, line.bytes) else { return };
    if let Filed::Media(media) = &record
        && let (Some(id), Some(url)) = (media.id, &media.source_url)
    {
        site.media.entry(id).or_insert_with(|| url.to_string());
    }
    // Whether a value is null does not depend on the site.
    let nothing = Site::default();
    for (i, column) in record.columns(file, &nothing).iter().enumerate() {
        site.filled[file] |= u64::from(!column.value.is_null()) << i;
    }
}

/// The result for a batch: the elements of each file, each preceded by its comma, and their number.
#[derive(Default)]
struct Arranged {
    files: [(Vec<u8>, u64); FILES.len()],
    tally: Tally,
}

fn arranger(selection: &Selection, site: &Site) -> impl FnMut(Line<'_>, &mut Arranged, &mut Notes) {
    move |line, arranged, notes| {
        let Some(envelope) = line.or_reject(Envelope::parse(line.bytes), notes) else { return };
        if selection.leave_out(&envelope, &mut arranged.tally) {
            return;
        }
        let (kind, r#type) = envelope.filed();
        let Some(file) = file_of(kind, r#type) else { return arranged.tally.leave_out(kind, r#type) };
        let Some(record) = line.or_reject(Filed::parse(file, line.bytes), notes) else { return };
        let (own, the_one) = (envelope.site.as_deref().unwrap_or_default(), site.label.as_deref().unwrap_or_default());
        if own != the_one {
            let what = format!("a record of {own}: wpextract's files hold one site, {the_one} here");
            return notes.reject(line.place(), what, line.bytes);
        }
        let mut columns = record.columns(file, site);
        let mut number = 0;
        columns.retain(|column| {
            let filled = site.filled[file] >> number & 1 == 1;
            number += 1;
            match column.presence {
                Presence::Always => true,
                Presence::WhereFilled => filled,
                Presence::WithPages => site.has_pages,
            }
        });
        let (elements, records) = &mut arranged.files[file];
        elements.push(b',');
        json::write_element(elements, &columns::Object::new(&columns));
        *records += 1;
        arranged.tally.add(&envelope);
    }
}

#[cfg(test)]
mod tests;
