//! The page: its sections, what they say, and the commands that list what a number counts.

mod references;

use super::Overview;
use super::charts::{Cell, bars, columns, command, grouped, percent, table};
use crate::export::dataset::card;
use crate::export::dataset::tally::Tally;
use crate::export::xml;
use references::{write_images, write_links};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// Rows and columns of a table, before the rest is summed up.
const ROWS: usize = 25;

/// Columns of a chart over time.
const COLUMNS: usize = 80;

const NONE: &str = "none";

/// Nothing is loaded, whatever the texts of a site contain.
const HEAD: &str = "<!DOCTYPE html>
<html lang=\"en\">
<head>
<meta charset=\"utf-8\">
<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">
<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">
<title>";

/// The page of a dataset.
pub(super) fn write(of: &Overview, tally: &Tally) -> String {
    let mut html = HEAD.to_owned();
    let title = card::title(tally);
    xml::text(&title, &mut html);
    let _ = write!(html, "</title>\n<style>\n{}</style>\n</head>\n<body>\n<h1>", include_str!("style.css"));
    xml::text(&title, &mut html);
    let _ = writeln!(html, "</h1>\n<p>A WordPress site as records, by wpipe {}.</p>", env!("CARGO_PKG_VERSION"));
    write_facts(of, tally, &mut html);
    html.push_str(
        "<p>The commands below each table show what is behind its numbers. They run in the folder of a dataset that \
         <code>wp-export -d DIR</code> has written from the same records.</p>\n",
    );
    write_records(of, &mut html);
    write_time(of, &mut html);
    write_translations(of, &mut html);
    write_links(of, &mut html);
    write_images(of, &mut html);
    write_missing(of, tally, &mut html);
    html.push_str("</body>\n</html>\n");
    html
}

fn write_facts(of: &Overview, tally: &Tally, html: &mut String) {
    let documents: u64 = of.languages.iter().map(|language| language.of.documents).sum();
    let languages = tally.languages.len() as u64;
    html.push_str("<ul class=\"facts\">");
    for (n, what) in [
        (tally.written(), "records"),
        (documents, "documents"),
        (languages, "languages"),
        (tally.groups(), "translation groups"),
        (tally.links.found, "links"),
        (tally.images.found, "images"),
    ] {
        let _ = write!(html, "<li><b>{}</b> {what}</li>", grouped(n));
    }
    html.push_str("</ul>\n");
}

fn heading(text: &str, html: &mut String) {
    let _ = writeln!(html, "<h2>{text}</h2>");
}

fn label(language: Option<&str>) -> String {
    language.unwrap_or(NONE).to_owned()
}

/// The first rows by their numbers, and the rest as one.
fn most(mut all: Vec<(String, u64)>) -> Vec<(String, u64)> {
    all.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    if all.len() > ROWS {
        let rest = all.split_off(ROWS - 1);
        all.push((format!("{} others", rest.len()), rest.iter().map(|(_, n)| n).sum()));
    }
    all
}

/// As bars, each in proportion to the longest.
fn in_proportion(rows: &[(String, u64)]) -> Vec<(String, u64, u64)> {
    let whole = rows.iter().map(|(_, n)| *n).max().unwrap_or(0);
    rows.iter().map(|(label, n)| (label.clone(), *n, whole)).collect()
}

fn write_records(of: &Overview, html: &mut String) {
    heading("Records by type and language", html);
    let (mut types, mut tags) = (BTreeMap::<&str, u64>::new(), BTreeMap::<String, u64>::new());
    let mut cells = BTreeMap::<(&str, String), u64>::new();
    for row in &of.records {
        let tag = label(row.language.as_deref());
        *types.entry(&row.r#type).or_default() += row.records;
        *tags.entry(tag.clone()).or_default() += row.records;
        *cells.entry((&row.r#type, tag)).or_default() += row.records;
    }
    let rows = most(types.iter().map(|(name, n)| ((*name).to_owned(), *n)).collect());
    let shown: Vec<String> = most(tags.into_iter().collect()).into_iter().map(|(tag, _)| tag).take(ROWS - 1).collect();
    html.push_str("<div class=\"two\"><div>\n");
    bars("Records by type", &in_proportion(&rows), html);
    html.push_str("</div><div>\n");
    let mut names = vec!["type", "all"];
    names.extend(shown.iter().map(String::as_str));
    let row = |(name, all): &(String, u64)| {
        let mut row = vec![Cell::Text(name.clone()), Cell::Number(*all)];
        row.extend(shown.iter().map(|tag| {
            let n = cells.get(&(name.as_str(), tag.clone()));
            Cell::Number(n.copied().unwrap_or(0))
        }));
        row
    };
    table("Records by type and language", &names, &rows.iter().map(row).collect::<Vec<_>>(), html);
    html.push_str("</div></div>\n");
    command(r#"jq -r '[.type, .language // "none"] | @tsv' *.jsonl | sort | uniq -c"#, html);
}

/// A column a year, or a month if these are few; those without a document between others, too.
fn periods(of: &Overview) -> (&'static str, Vec<(String, u64)>) {
    let dated = || of.published.iter().filter_map(|one| Some((one.month.as_deref()?, one.documents)));
    let months: BTreeMap<i64, u64> = dated()
        .filter_map(|(month, n)| {
            let (year, month) = month.split_once('-')?;
            Some((year.parse::<i64>().ok()? * 12 + month.parse::<i64>().ok()? - 1, n))
        })
        .collect();
    let (Some(first), Some(last)) = (months.keys().next(), months.keys().last()) else { return ("month", Vec::new()) };
    let (span, name): (i64, _) = if last - first < 36 { (1, "month") } else { (12, "year") };
    let mut counts = BTreeMap::<i64, u64>::new();
    months.iter().for_each(|(month, n)| *counts.entry(month / span).or_default() += n);
    let label = |at: i64| if span == 1 { format!("{:04}-{:02}", at / 12, at % 12 + 1) } else { format!("{at:04}") };
    let all = first / span..=last / span;
    let periods: Vec<i64> =
        if all.clone().count() <= COLUMNS { all.collect() } else { counts.keys().copied().collect() };
    let from = periods.len().saturating_sub(COLUMNS);
    (name, periods[from..].iter().map(|at| (label(*at), counts.get(at).copied().unwrap_or(0))).collect())
}

fn write_time(of: &Overview, html: &mut String) {
    heading("Publications over time", html);
    let (name, values) = periods(of);
    let undated: u64 = of.published.iter().filter(|one| one.month.is_none()).map(|one| one.documents).sum();
    if values.is_empty() {
        html.push_str("<p>No document has a date.</p>\n");
        return;
    }
    columns(&format!("Documents by {name} of publication"), &values, html);
    if undated > 0 {
        let _ = writeln!(html, "<p>{} documents without a date are not in the chart.</p>", grouped(undated));
    }
    let rows: Vec<Vec<Cell>> = values
        .iter()
        .filter(|(_, n)| *n > 0)
        .map(|(label, n)| vec![Cell::Text(label.clone()), Cell::Number(*n)])
        .collect();
    // What is open is printed, too.
    html.push_str(if rows.len() > 36 { "<details>" } else { "<details open>" });
    html.push_str("<summary>The numbers</summary>\n");
    table(&format!("Documents by {name}"), &[name, "documents"], &rows, html);
    html.push_str("</details>\n");
    command(
        r#"jq -r 'select(.kind == "post" or .kind == "html") | (.date_gmt // "none")[:7]' *.jsonl | sort | uniq -c"#,
        html,
    );
}

fn write_translations(of: &Overview, html: &mut String) {
    heading("Languages and translations", html);
    if of.languages.is_empty() {
        html.push_str("<p>There are no documents.</p>\n");
        return;
    }
    let mut languages: Vec<_> = of.languages.iter().collect();
    languages.sort_by_key(|one| std::cmp::Reverse(one.of.documents));
    languages.truncate(ROWS);
    let shares: Vec<_> = languages
        .iter()
        .map(|one| {
            let share = percent(one.of.translated, one.of.documents);
            (format!("{} ({share} translated)", label(one.language.as_deref())), one.of.translated, one.of.documents)
        })
        .collect();
    html.push_str("<div class=\"two\"><div>\n");
    bars("Translated documents by language", &shares, html);
    html.push_str("</div><div>\n");
    let row = |one: &&super::Language| {
        let n = &one.of;
        let tag = Cell::Text(label(one.language.as_deref()));
        vec![tag, Cell::Number(n.documents), Cell::Number(n.translated), Cell::Number(n.without_text)]
    };
    let names = ["language", "documents", "with a translation", "without text"];
    table(
        "Documents: posts, pages, custom types, scraped pages",
        &names,
        &languages.iter().map(row).collect::<Vec<_>>(),
        html,
    );
    html.push_str("</div></div>\n");
    if of.pairs.is_empty() {
        html.push_str("<p>No document has a translation in another language.</p>\n");
    } else {
        write_matrix(of, html);
    }
    command(
        r#"jq -r 'select(.kind == "post" or .kind == "html") | .language as $own | select(all(.translations[]; .target.type == null or .language == $own)) | [$own, .link] | @tsv' *.jsonl   # not translated"#,
        html,
    );
    command(
        r#"jq -r 'select(.kind == "post" or .kind == "html") | select((.content.text // "") | test("\\S") | not) | .link' *.jsonl   # without text"#,
        html,
    );
}

/// Which documents have a translation in which language.
fn write_matrix(of: &Overview, html: &mut String) {
    let pairs: BTreeMap<(&str, &str), u64> = of
        .pairs
        .iter()
        .map(|pair| ((pair.language.as_deref().unwrap_or(NONE), pair.translation.as_str()), pair.documents))
        .collect();
    let rows: BTreeSet<&str> = pairs.keys().map(|(language, _)| *language).collect();
    let all: BTreeSet<&str> = pairs.keys().map(|(_, translation)| *translation).collect();
    let shown: Vec<&str> = all.iter().copied().take(ROWS).collect();
    let documents = |tag: &str| {
        let of_language = of.languages.iter().find(|one| one.language.as_deref().unwrap_or(NONE) == tag);
        of_language.map_or(0, |one| one.of.documents)
    };
    let row = |language: &&str| {
        let whole = documents(language);
        let mut row = vec![Cell::Text((*language).to_owned()), Cell::Number(whole)];
        row.extend(shown.iter().map(|other| Cell::Share(pairs.get(&(language, *other)).copied().unwrap_or(0), whole)));
        row
    };
    let names: Vec<&str> = ["documents in", "all"].into_iter().chain(shown.iter().copied()).collect();
    let cells: Vec<_> = rows.iter().take(ROWS).map(row).collect();
    table("Documents with a translation in another language", &names, &cells, html);
    if all.len().max(rows.len()) > ROWS {
        let _ = writeln!(html, "<p>The first {ROWS} languages; the manifest has all.</p>");
    }
}

fn write_missing(of: &Overview, tally: &Tally, html: &mut String) {
    heading("What is missing", html);
    let _ = writeln!(html, "<p>Rejects of wp-export in this run: {}.</p>", grouped(of.rejects));
    let left_out = tally.left_out.sorted();
    if left_out.is_empty() {
        html.push_str("<p>No records were left out with <code>--without</code>.</p>\n");
    } else {
        let rows: Vec<_> =
            left_out.iter().map(|one| vec![Cell::Text(one.r#type.clone()), Cell::Number(one.records)]).collect();
        table("Records left out with --without", &["type", "records"], &rows, html);
    }
    let has_stages = of.accounts.iter().any(|account| account.fetched.is_none());
    let has_fetch = of.accounts.iter().any(|account| account.fetched.is_some());
    if has_stages {
        write_stages(of, html);
    } else {
        html.push_str(
            "<p class=\"note\">What the other stages rejected, left out or changed is not known here: write it with \
             <code>--stats FILE</code> in each and give the files with <code>--with FILE</code>.</p>\n",
        );
    }
    if has_fetch {
        of.accounts
            .iter()
            .filter_map(|account| account.fetched.as_ref())
            .for_each(|fetched| write_fetched(fetched, html));
    } else {
        html.push_str(
            "<p class=\"note\">Whether the dump is complete is not known here: give wp-fetch's account with \
             <code>--with fetch.json</code>.</p>\n",
        );
    }
}

fn write_stages(of: &Overview, html: &mut String) {
    let mut defects = Vec::new();
    let mut rows = Vec::new();
    for account in of.accounts.iter().filter(|account| account.fetched.is_none()) {
        let count = |name: &str| account.counts.get(name).and_then(serde_json::Value::as_u64);
        let told = |name: &str| count(name).map_or(Cell::Unknown, Cell::Number);
        let came = if count("records_in").is_some() { "records_in" } else { "items" };
        let program = Cell::Text(account.program.clone());
        rows.push(vec![
            program,
            told(came),
            told("records_out"),
            told("rejects"),
            told("duplicates"),
            told("left_out"),
        ]);
        let kinds = account.counts.get("defects").and_then(serde_json::Value::as_object);
        for (kind, n) in kinds.into_iter().flatten() {
            let n = n.as_u64().unwrap_or(0);
            defects.push(vec![Cell::Text(account.program.clone()), Cell::Text(kind.clone()), Cell::Number(n)]);
        }
    }
    table("What the stages did", &["stage", "in", "out", "rejects", "duplicates", "left out"], &rows, html);
    if defects.is_empty() {
        html.push_str("<p>They found no defects.</p>\n");
    } else {
        table("Defects, which DIAGNOSTICS of each man page explains", &["stage", "kind", "defects"], &defects, html);
    }
}

fn write_fetched(fetched: &super::accounts::Fetched, html: &mut String) {
    html.push_str("<p>");
    xml::text(fetched.site.as_deref().unwrap_or("The site"), html);
    html.push_str(match fetched.complete {
        Some(true) => " was fetched completely",
        Some(false) => " was fetched with gaps",
        None => " was fetched",
    });
    let _ = write!(html, " ({} gaps), ", fetched.gaps.map_or("an unknown number of".into(), grouped));
    xml::text(fetched.started.as_deref().unwrap_or("?"), html);
    html.push_str(" to ");
    xml::text(fetched.ended.as_deref().unwrap_or("?"), html);
    html.push_str(".</p>\n");
    if let Some(stopped) = &fetched.stopped {
        html.push_str("<p class=\"note\">It was left before the end: ");
        xml::text(stopped, html);
        html.push_str("</p>\n");
    }
    let told = |n: Option<u64>| n.map_or(Cell::Unknown, Cell::Number);
    let row = |one: &super::accounts::Collection| {
        let language = one.language.as_ref().map(|tag| format!(" ({tag})")).unwrap_or_default();
        let name = one.r#type.clone().unwrap_or_default() + &language;
        let refused = Cell::Text(one.refused.clone().unwrap_or_default());
        vec![Cell::Text(name), told(one.total_end), told(one.got), told(one.hidden), told(one.gaps), refused]
    };
    let rows: Vec<_> = fetched.collections.iter().map(row).collect();
    table(
        "Collections of the API",
        &["collection", "the site's count", "fetched", "hidden", "gaps", "refused"],
        &rows,
        html,
    );
}
