//! Exports records as `csv`: flat tables in the format of [RFC 4180], for programs that do not read nested JSON: one for the records
//! themselves, and one each for their links, images, translations, embeds, rights and terms. Nothing is resolved here.
//!
//! Every row begins with the key of its record ([`crate::export::dataset::key`]), which joins the tables. A null is an empty
//! field, an empty text is `""`.
//!
//! [RFC 4180]: https://www.rfc-editor.org/rfc/rfc4180

mod cells;
mod changes;
pub(super) mod terms;

use crate::export::dataset::envelope::{Enveloped, Own, is_change};
use crate::export::dataset::folder::Folder;
use crate::export::dataset::key::{Key, blog};
use crate::export::dataset::tally::Tally;
use crate::export::job::Job;
use crate::ndjson::{Line, Str, gather_lines};
use crate::record::{
    Author, Embed, FeaturedImage, Image, Link, Rights, Target, TermRef, Translation, fields, term_ids,
};
use crate::report::{Error, Notes};
pub(super) use cells::{Row, header};
use changes::ChangeCells;
use std::collections::HashSet;
use terms::{Term, Terms, Waiting};

/// The tables whose rows are written as they come: name and columns. `terms.csv` follows at the end.
const TABLES: [(&str, &str); 6] = [
    (
        "records.csv",
        "record site kind type id link slug status date date_gmt modified_gmt author author_name authors section parent menu_order post \
         featured_media featured_image featured_image_target language language_source copy_source copy_of translation_group title excerpt text hash content_source content_rule \
         content_share content_doubt source_url mime_type alt_text count text_language duplicate_group duplicate_similarity duplicate_first scrape_record scrape_status",
    ),
    (
        "links.csv",
        "record site type id link number element href url text alt rel internal target target_type target_id \
         target_link comment rule reason",
    ),
    (
        "images.csv",
        "record site type id link number src url alt caption width height image_id internal target target_type \
         target_id target_link rule reason",
    ),
    (
        "translations.csv",
        "record site type id link language number translation_language language_raw translation_id \
         translation_type href source target target_type target_id target_link rule reason",
    ),
    (
        "embeds.csv",
        "record site type id link number src url element provider caption internal target \
         target_type target_id target_link comment rule reason",
    ),
    ("rights.csv", "record site type id link number kind value url place scope"),
];

const TERMS: (&str, &str) =
    ("terms.csv", "record site type id link taxonomy term_id term term_name term_slug term_link");

fields! {
    /// The fields of a record of any kind that the tables contain.
    struct Cells<'a> {
        id: Option<i64>,
        link: Option<Str<'a>>,
        slug: Option<Str<'a>>,
        status: Option<Str<'a>>,
        date: Option<Str<'a>>,
        date_gmt: Option<Str<'a>>,
        modified_gmt: Option<Str<'a>>,
        author: Option<i64>,
        author_name: Option<Str<'a>>,
        authors: Vec<Author<'a>>,
        section: Option<Str<'a>>,
        parent: Option<i64>,
        menu_order: Option<i64>,
        post: Option<i64>,
        featured_media: Option<i64>,
        featured_image: FeaturedImage<'a>,
        language_source: Option<Str<'a>>,
        copy_of: Target<'a>,
        title: Text<'a>,
        name: Option<Str<'a>>,
        excerpt: Text<'a>,
        caption: Text<'a>,
        content: Text<'a>,
        content_source: Option<Str<'a>>,
        content_rule: Option<Str<'a>>,
        content_share: Option<f64>,
        content_doubt: Option<f64>,
        description: Text<'a>,
        source_url: Option<Str<'a>>,
        mime_type: Option<Str<'a>>,
        alt_text: Option<Str<'a>>,
        count: Option<i64>,
        // These fields are from wp-groups.
        duplicate_group: Option<Str<'a>>,
        duplicate_similarity: Option<f64>,
        duplicate_first: Option<bool>,
        categories: Vec<i64>,
        tags: Vec<i64>,
        terms: Vec<TermRef<'a>>,
        links: Vec<Link<'a>>,
        images: Vec<Image<'a>>,
        translations: Vec<Translation<'a>>,
        embeds: Vec<Embed<'a>>,
        rights: Vec<Rights<'a>>,
        scrape: Page<'a>,
        source: Origin<'a>,
    }

    struct Origin<'a> {
        rest: Option<Str<'a>>,
    }

    struct Page<'a> {
        file: Option<Str<'a>>,
        record: Option<Str<'a>>,
        status: Option<i64>,
    }

    struct Text<'a> {
        text: Option<Str<'a>>,
        hash: Option<Str<'a>>,
    }
}

impl<'a> Own<'a> for Cells<'a> {}

/// The rows of a batch: the bytes and the number of rows for each table, and the data that `terms.csv` will need.
#[derive(Default)]
struct Rows {
    tables: [(Vec<u8>, u64); TABLES.len()],
    waiting: Vec<Waiting>,
    terms: Vec<Term>,
    /// The rows of `changes.csv`, which is written only if there are any.
    changes: (Vec<u8>, u64),
    tally: Tally,
}

pub(crate) fn write_folder(folder: &mut Folder, job: &mut Job<'_>) -> Result<Tally, Error> {
    let mut numbers = [0; TABLES.len()];
    for (number, (name, columns)) in numbers.iter_mut().zip(TABLES) {
        *number = folder.create(name, None, None)?;
        folder.append(*number, &header(columns), 0)?;
    }
    let mut tally = Tally::default();
    let (mut terms, mut changes_file) = (Terms::new()?, None);
    let selection = job.selection;
    let worker = || {
        move |line: Line<'_>, rows: &mut Rows, notes: &mut Notes| {
            if is_change(line.bytes) {
                if let Some(change) = selection.admit::<ChangeCells<'_>>(line, &mut rows.tally, notes) {
                    rows.tally.add(&change.envelope);
                    changes::push(&change, &mut rows.changes);
                }
            } else if let Some(record) = selection.admit(line, &mut rows.tally, notes) {
                rows.tally.add(&record.envelope);
                rows.push(&record);
            }
        }
    };
    gather_lines(job.input, job.report, job.jobs, worker, |rows: &mut Rows| {
        tally.absorb(&mut rows.tally);
        for (number, (bytes, records)) in numbers.into_iter().zip(&mut rows.tables) {
            folder.append(number, bytes, std::mem::take(records))?;
            bytes.clear();
        }
        let (bytes, records) = &mut rows.changes;
        if *records > 0 {
            let number = match changes_file {
                Some(number) => number,
                None => *changes_file.insert(changes::create(folder)?),
            };
            folder.append(number, bytes, std::mem::take(records))?;
            bytes.clear();
        }
        rows.terms.drain(..).for_each(|term| terms.know(term));
        rows.waiting.drain(..).try_for_each(|row| terms.wait(&row))
    })?;
    let (name, columns) = TERMS;
    let number = folder.create(name, None, None)?;
    folder.append(number, &header(columns), 0)?;
    terms.finish(|row| folder.append(number, row, 1))?;
    Ok(tally)
}

impl Rows {
    fn push(&mut self, record: &Enveloped<'_, Cells<'_>>) {
        let site = record.envelope.site.as_deref().unwrap_or_default();
        let r#type = record.envelope.r#type.as_deref().unwrap_or_default();
        let key = Key::new(site, r#type, record.id, record.link.as_deref());
        let mut identity = Vec::new();
        Row::new(&mut identity)
            .plain(Some(key))
            .text(record.envelope.site.as_deref())
            .text(record.envelope.r#type.as_deref())
            .plain(record.id)
            .text(record.link.as_deref());
        self.push_record(record, key);
        for (number, link) in (1..).zip(&record.links) {
            self.push_link(&identity, site, number, link);
        }
        for (number, image) in (1..).zip(&record.images) {
            self.push_image(&identity, site, number, image);
        }
        for (number, translation) in (1..).zip(&record.translations) {
            self.push_translation(&identity, record, site, number, translation);
        }
        for (number, embed) in (1..).zip(&record.embeds) {
            let mut row = self.row(4, &identity);
            row.plain(Some(number)).text(embed.src.as_deref()).text(embed.url.as_deref());
            row.text(embed.element.as_deref()).text(embed.provider.as_deref()).text(embed.caption.as_deref());
            row.plain(embed.internal);
            push_target(&mut row, site, &embed.target);
            row.plain(embed.comment).text(embed.rule.as_deref()).text(embed.reason.as_deref()).end();
        }
        for (number, one) in (1..).zip(&record.rights) {
            let mut row = self.row(5, &identity);
            row.plain(Some(number)).text(one.kind.as_deref()).text(one.value.as_deref()).text(one.url.as_deref());
            row.text(one.place.as_deref()).text(one.scope.as_deref()).end();
        }
        self.push_terms(&identity, record, site, key);
    }

    fn row(&mut self, table: usize, identity: &[u8]) -> Row<'_> {
        let (bytes, rows) = &mut self.tables[table];
        *rows += 1;
        let mut row = Row::new(bytes);
        row.cells(identity);
        row
    }

    fn push_record(&mut self, record: &Enveloped<'_, Cells<'_>>, key: Key) {
        let (bytes, rows) = &mut self.tables[0];
        *rows += 1;
        let mut row = Row::new(bytes);
        row.plain(Some(key))
            .text(record.envelope.site.as_deref())
            .text(record.envelope.kind.as_deref())
            .text(record.envelope.r#type.as_deref());
        row.plain(record.id).text(record.link.as_deref()).text(record.slug.as_deref()).text(record.status.as_deref());
        row.text(record.date.as_deref()).text(record.date_gmt.as_deref()).text(record.modified_gmt.as_deref());
        row.plain(record.author).text(record.author_name.as_deref());
        let authors: Vec<&str> = record.authors.iter().filter_map(|author| author.name.as_deref()).collect();
        row.text(Some(authors.join("; ")).as_deref().filter(|names| !names.is_empty())).text(record.section.as_deref());
        row.plain(record.parent).plain(record.menu_order).plain(record.post).plain(record.featured_media);
        let site = record.envelope.site.as_deref().unwrap_or_default();
        row.text(record.featured_image.url.as_deref()).plain(Key::of_target(site, &record.featured_image.target));
        row.text(record.envelope.language.as_deref()).text(record.language_source.as_deref());
        let original = Key::of_target(site, &record.copy_of);
        row.text(record.envelope.copy_source.as_deref()).plain(original);
        row.text(record.envelope.translation_group.as_deref());
        row.text(record.title.text.as_deref().or(record.name.as_deref()));
        row.text(record.excerpt.text.as_deref().or(record.caption.text.as_deref()));
        row.text(record.content.text.as_deref().or(record.description.text.as_deref()));
        row.text(record.content.hash.as_deref()).text(record.content_source.as_deref());
        row.text(record.content_rule.as_deref()).plain(record.content_share).plain(record.content_doubt);
        row.text(record.source_url.as_deref()).text(record.mime_type.as_deref()).text(record.alt_text.as_deref());
        row.plain(record.count).text(record.envelope.text_language.as_deref());
        row.text(record.duplicate_group.as_deref()).plain(record.duplicate_similarity);
        row.plain(record.duplicate_first);
        row.text(record.scrape.record.as_deref()).plain(record.scrape.status).end();
    }

    fn push_link(&mut self, identity: &[u8], site: &str, number: u64, link: &Link<'_>) {
        let mut row = self.row(1, identity);
        row.plain(Some(number)).text(link.element.as_deref()).text(link.href.as_deref()).text(link.url.as_deref());
        row.text(link.text.as_deref()).text(link.alt.as_deref()).text(link.rel.as_deref()).plain(link.internal);
        push_target(&mut row, site, &link.target);
        row.plain(link.comment).text(link.rule.as_deref()).text(link.reason.as_deref()).end();
    }

    fn push_image(&mut self, identity: &[u8], site: &str, number: u64, image: &Image<'_>) {
        let mut row = self.row(2, identity);
        row.plain(Some(number)).text(image.src.as_deref()).text(image.url.as_deref()).text(image.alt.as_deref());
        row.text(image.caption.as_deref()).plain(image.width).plain(image.height).plain(image.id).plain(image.internal);
        push_target(&mut row, site, &image.target);
        row.text(image.rule.as_deref()).text(image.reason.as_deref()).end();
    }

    fn push_translation(
        &mut self,
        identity: &[u8],
        record: &Enveloped<'_, Cells<'_>>,
        site: &str,
        number: u64,
        translation: &Translation<'_>,
    ) {
        let mut row = self.row(3, identity);
        row.text(record.envelope.language.as_deref()).plain(Some(number)).text(translation.language.as_deref());
        row.text(translation.language_raw.as_deref()).plain(translation.id).text(translation.r#type.as_deref());
        row.text(translation.href.as_deref());
        row.text(translation.source.as_deref());
        push_target(&mut row, site, &translation.target);
        row.text(translation.rule.as_deref()).text(translation.reason.as_deref()).end();
    }

    fn push_terms(&mut self, identity: &[u8], record: &Enveloped<'_, Cells<'_>>, site: &str, key: Key) {
        let language = terms::language(record.envelope.language.as_deref());
        let blog = blog(record.source.rest.as_deref());
        for term in all_terms(record) {
            let (mut cells, mut stated) = (identity.to_vec(), Vec::new());
            Row::resume(&mut cells).text(term.taxonomy.as_deref()).plain(term.id);
            Row::new(&mut stated).text(term.name.as_deref()).text(term.slug.as_deref()).text(term.link.as_deref());
            // A term without an id has no reference.
            let named = term.taxonomy.as_deref().zip(term.id);
            let reference = named.map_or(0, |(taxonomy, id)| terms::reference(site, taxonomy, id));
            self.waiting.push(Waiting { cells, stated, reference, language, blog });
        }
        if let (Some("term"), Some(taxonomy), Some(id)) =
            (record.envelope.kind.as_deref(), record.envelope.r#type.as_deref(), record.id)
        {
            let owned = |text: &Option<Str<'_>>| text.as_deref().map(str::to_owned);
            self.terms.push(Term {
                reference: terms::reference(site, taxonomy, id),
                language,
                blog,
                key,
                name: owned(&record.name),
                slug: owned(&record.slug),
                link: owned(&record.link),
            });
        }
    }
}

/// The terms of a record, followed by its categories and tags that somebody has removed from the list.
fn all_terms<'c>(record: &'c Cells<'_>) -> Vec<TermRef<'c>> {
    let known: HashSet<_> = record.terms.iter().map(TermRef::reference).collect();
    let ids = term_ids(&record.categories, &record.tags, std::iter::empty());
    let others = ids.filter(|(taxonomy, id)| !known.contains(&(Some(*taxonomy), Some(*id))));
    let others =
        others.map(|(taxonomy, id)| TermRef { taxonomy: Some(taxonomy.into()), id: Some(id), ..TermRef::default() });
    record.terms.iter().cloned().chain(others).collect()
}

/// Appends the key, type, id and link of a target.
fn push_target(row: &mut Row<'_>, site: &str, target: &Target<'_>) {
    row.plain(Key::of_target(site, target))
        .text(target.r#type.as_deref())
        .plain(target.id)
        .text(target.link.as_deref());
}
