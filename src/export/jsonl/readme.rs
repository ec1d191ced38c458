//! Writes `README.md`: the dataset's card in the format of
//! [Hugging Face](https://huggingface.co/docs/hub/datasets-cards). It fills in everything that can be counted; licence,
//! consent and purpose are marked blanks, because only people know them.

use super::table::Table;
use crate::export::dataset::card::{about, languages, quoted, rights, sealed, title_in_markdown};
use crate::export::dataset::references::References;
use crate::export::dataset::tally::Tally;

/// The card of a dataset; `loading` describes how to load it.
pub(super) fn write(tables: &[Table<'_>], tally: &Tally, loading: &str) -> String {
    let mut card = String::new();
    head(&mut card, tables, tally);
    body(&mut card, tables, tally, loading);
    sealed(card)
}

fn head(card: &mut String, tables: &[Table<'_>], tally: &Tally) {
    let mut line = |text: String| card.extend([text.as_str(), "\n"]);
    line("---".into());
    line(about(tally));
    line("# task_categories: TO BE FILLED IN, such as text-generation or translation".into());
    line("tags:\n- wordpress".into());
    // The hub cannot load files without records.
    let filled = || tables.iter().filter(|table| table.file.records > 0);
    if filled().next().is_none() {
        return line("---".into());
    }
    line("configs:".into());
    for (number, table) in filled().enumerate() {
        line(format!("- config_name: {}", quoted(table.stem)));
        line(format!("  data_files: {}", quoted(&table.file.name)));
        if number == 0 {
            line("  default: true".into());
        }
    }
    line("---".into());
}

/// The part between the head and the blanks.
fn body(card: &mut String, tables: &[Table<'_>], tally: &Tally, loading: &str) {
    let mut line = |text: String| card.extend([text.as_str(), "\n"]);
    line(format!("\n# {}\n", title_in_markdown(tally)));
    let version = env!("CARGO_PKG_VERSION");
    line(format!(
        "{} records, taken from WordPress by wpipe {version}. `manifest.json` lists the files with their contents and\nchecksums.\n",
        tally.written()
    ));
    if let Some(rejects @ 1..) = tally.rejects {
        line(format!(
            "Incomplete: elements of the input that could not be read: {rejects}. Where a file was cut off, what followed is missing, too.\n"
        ));
    }
    line("| file | records | |\n|---|--:|---|".into());
    for Table { file, stem, kind, r#type, .. } in tables {
        line(format!("| [{0}]({0}) | {1} | {2} |", file.name, file.records, what(kind, r#type, stem)));
    }
    Some(languages(tally)).filter(|text| !text.is_empty()).into_iter().for_each(&mut line);
    let row = |name: &str, of: References| {
        let References { found, internal, resolved, missing, .. } = of;
        let [no_record, outside_dump, ambiguous, dead] = missing.numbers();
        format!("| {name} | {found} | {internal} | {resolved} | {no_record} | {outside_dump} | {ambiguous} | {dead} |")
    };
    let names = "| | found | internal | to a record | to what has no record | outside the dump | ambiguous | dead |";
    line(format!("\n{names}\n|---|--:|--:|--:|--:|--:|--:|--:|"));
    line(row("links", tally.links));
    line(row("images", tally.images));
    let (found, resolved) = (tally.translations.found, tally.translations.resolved);
    line(format!("\nTranslations: {found} found, {resolved} resolved to a record, in {} groups.\n", tally.groups()));
    Some(rights(tally)).filter(|text| !text.is_empty()).into_iter().for_each(&mut line);
    line(loading.into());
    line("## Personal data\n".into());
    line(personal(tables, tally, "users", "user"));
    line(personal(tables, tally, "comments", "comment") + "\n");
    let has = |kind: &str| tables.iter().any(|table| table.kind == kind);
    if tally.pseudonyms.is_none() && !(has("user") && has("comment")) {
        line(STILL_NAMED.into());
    }
    if let Some(counts) = tally.pseudonyms {
        line(counts.notice() + "\n");
    }
    line(BLANKS.into());
}

pub(super) const LOADING: &str = "\
## Loading

`schema/` declares the types of all columns. These commands, run in this folder, use them instead of guessing from the first
rows. They need `duckdb`, or for Python `pip install polars`, `pip install pandas pyarrow` or `pip install datasets`:

```sh
duckdb corpus.db < schema/load_duckdb.sql   # one table and one .parquet per file
python3 -i schema/load_polars.py            # >>> load(\"posts\")
python3 -i schema/load_pandas.py            # >>> load(\"posts\"), load_arrow(\"posts\")
python3 -i schema/load_datasets.py          # >>> load(\"posts\")
```
";

const BLANKS: &str = "\
The names of authors may also appear in the texts, links and SEO fields of other files.

## Licence

**TO BE FILLED IN:** the licence under which the texts and images may be used, and who granted it. Being public on the web
does not make them free to use.

## Ethics

**TO BE FILLED IN:** who gave consent, whose words these are, what the dataset may and may not be used for, and whom to
contact to have something removed.

## Source and citation

**TO BE FILLED IN:** who took the records from the site and when, and how the dataset is to be cited. wpipe itself: see its
CITATION.cff.
";

/// Describes the contents of a file. Unusual names of types are replaced by the file's stem, which cannot break the
/// table.
fn what(kind: &str, r#type: &str, stem: &str) -> String {
    match (kind, r#type) {
        ("post", "post") => "posts".into(),
        ("post", "page") => "pages".into(),
        ("media", _) => "records of uploaded files; the files themselves are not included".into(),
        ("term", "category") => "categories".into(),
        ("term", "tag") => "tags".into(),
        ("user", _) => "users: personal data".into(),
        ("comment", _) => "comments: personal data".into(),
        ("html", _) => "scraped pages that state no type and id of a post".into(),
        ("term", _) => format!("terms of the taxonomy {}", stem.trim_end_matches("-terms")),
        _ => format!("records of the type {stem}"),
    }
}

/// The parts of a dataset that still name people if their records are left out.
const STILL_NAMED: &str = "\
`--without` leaves out records and nothing else: bylines, links to people's pages, e-mail addresses, avatars (their URLs are hashes of e-mail
addresses) and texts still name people; `--pseudonyms` replaces all of these but names and addresses in running text.
";

/// States which records about people the dataset contains.
fn personal(tables: &[Table<'_>], tally: &Tally, name: &str, kind: &str) -> String {
    let records: u64 = tables.iter().filter(|table| table.kind == kind).map(|table| table.file.records).sum();
    if tables.iter().any(|table| table.kind == kind) {
        return match records {
            0 => format!("- {name}: none were found."),
            _ if tally.pseudonyms.is_some() => {
                format!("- {name}: **{records} are in this dataset**, with pseudonyms, and with people's words.")
            }
            _ => format!("- {name}: **{records} are in this dataset**, with people's names and words."),
        };
    }
    let left_out: u64 =
        tally.left_out.sorted().iter().filter(|count| count.kind == kind).map(|count| count.records).sum();
    format!("- {name}: left out (`--without {name}`), {left_out} records.")
}
