//! Writes a dataset's card, `README.md`: its seal and the parts that all cards share; the formats write the rest. People fill cards in, so
//! an edited one must not be replaced. The last line shows whether a card was edited: it contains the hash of everything above.

use crate::digest::Sha256;
use crate::digest::hex;
use crate::export::dataset::folder::{Folder, read_regular};
use crate::export::dataset::tally::Tally;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// The card's name in a dataset's folder.
const NAME: &str = "README.md";

/// The card's name if README.md belongs to somebody else.
const NAME_BESIDE: &str = "README.new.md";

const SEAL: &str = "<!-- written by wp-export, which replaces this file as long as nobody has changed it: ";
const SEAL_END: &str = " -->\n";

/// Whether the file of this name is a card exactly as wp-export wrote it. A card that somebody else wrote or edited is neither
/// removed nor replaced. `None` for other files, and for a missing card.
pub(crate) fn says_ours(folder: &Path, name: &str) -> Option<bool> {
    let place = folder.join(name);
    // An unreadable file cannot be ours: a dangling link, a folder, a named pipe.
    let is_there = name == NAME && fs::symlink_metadata(&place).is_ok();
    is_there.then(|| read_regular(&place).is_ok_and(|text| is_untouched(&text)))
}

/// Whether a text is a card exactly as wp-export wrote it.
fn is_untouched(text: &[u8]) -> bool {
    let Some(body) = text.len().checked_sub(SEAL.len() + 64 + SEAL_END.len()) else { return false };
    let (body, seal) = text.split_at(body);
    seal == seal_of(body).as_bytes()
}

fn seal_of(body: &[u8]) -> String {
    format!("{SEAL}{}{SEAL_END}", hex(&Sha256::digest(body)))
}

/// A card with the line that shows whether somebody has edited it.
pub(crate) fn sealed(card: String) -> String {
    let seal = seal_of(card.as_bytes());
    card + &seal
}

pub(crate) fn name_in(folder: &Folder) -> &'static str {
    if folder.keeps(NAME) { NAME_BESIDE } else { NAME }
}

pub(crate) fn title_in_markdown(tally: &Tally) -> String {
    in_markdown(&title(tally))
}

/// The dataset's name: the labels of its sites.
pub(crate) fn title(tally: &Tally) -> String {
    let sites: Vec<&str> = tally.sites.labels().iter().map(String::as_str).filter(|site| !site.is_empty()).collect();
    if sites.is_empty() { "no site".to_owned() } else { sites.join(", ") }
}

/// A text in double quotes, as JSON, which is also valid YAML.
pub(crate) fn quoted(text: &str) -> String {
    serde_json::to_string(text).expect("a text can be JSON")
}

/// The head of every card: the dataset's name, languages and size, and a line for its licence, to be filled in.
pub(crate) fn about(tally: &Tally) -> String {
    let licence = "# license: TO BE FILLED IN, one of https://huggingface.co/docs/hub/repositories-licenses";
    let mut lines = vec![format!("pretty_name: {}", quoted(&title(tally))), licence.to_owned()];
    let tags = || tally.in_own_words().map(|(tag, ..)| tag);
    let primary = |tag: &str| tag.split('-').next().unwrap_or_default().to_owned();
    let languages: BTreeSet<String> = tags().map(primary).collect();
    if !languages.is_empty() {
        lines.push("language:".to_owned());
        lines.extend(languages.iter().map(|language| format!("- {}", quoted(language))));
        lines.push("language_bcp47:".to_owned());
        lines.extend(tags().map(|language| format!("- {}", quoted(language))));
        let many = if languages.len() > 1 { "multilingual" } else { "monolingual" };
        lines.push(format!("multilinguality:\n- {many}"));
    }
    lines.push(format!("size_categories:\n- {}", size_category(tally.written())));
    lines.join("\n")
}

/// The hub's category for this number of records.
fn size_category(records: u64) -> &'static str {
    match records {
        0..1_000 => "n<1K",
        1_000..10_000 => "1K<n<10K",
        10_000..100_000 => "10K<n<100K",
        100_000..1_000_000 => "100K<n<1M",
        1_000_000..10_000_000 => "1M<n<10M",
        10_000_000..100_000_000 => "10M<n<100M",
        100_000_000..1_000_000_000 => "100M<n<1B",
        _ => "n>1B",
    }
}

/// The records of each language without copies, the number of copies, and records whose text is in another language.
pub(crate) fn languages(tally: &Tally) -> String {
    let mut lines = Vec::new();
    if !tally.languages.is_empty() {
        lines.push("\n| language | records |\n|---|--:|".to_owned());
        lines.extend(tally.in_own_words().map(|(language, own, _)| format!("| {} | {own} |", in_markdown(language))));
    }
    let copies: u64 = tally.copies.values().sum();
    if copies > 0 {
        lines.push(format!(
            "\nCopies, in which a plugin shows another record's words in place of a missing translation: {copies}. They have\n`copy_source`, \
             and no language counts them; `wp-export --without copies` leaves them out."
        ));
    }
    if !tally.text_in_others.is_empty() {
        lines.push(
            "\nRecords whose text is in another language than the one that the site states (wp-language):\n".to_owned(),
        );
        lines.push("| language | of the text | records |\n|---|---|--:|".to_owned());
        let row = |((stated, found), n): (&(String, String), &u64)| {
            format!("| {} | {} | {n} |", in_markdown(stated), in_markdown(found))
        };
        lines.extend(tally.text_in_others.iter().map(row));
    }
    lines.join("\n")
}

/// The stated licences and reservations, as a table; empty if there are none.
pub(crate) fn rights(tally: &Tally) -> String {
    if tally.rights.is_empty() {
        return String::new();
    }
    let mut lines = vec!["Rights, as pages, headers and files state them:\n".to_owned()];
    lines.push("| | stated | records |\n|---|---|--:|".to_owned());
    for (name, counts) in [("licence", &tally.rights.licences), ("reservation", &tally.rights.reservations)] {
        let row = |(stated, records): (&String, &u64)| format!("| {name} | {} | {records} |", in_markdown(stated));
        lines.extend(counts.iter().map(row));
    }
    lines.join("\n") + "\n"
}

/// Escapes a text, so that Markdown and HTML show it literally.
pub(crate) fn in_markdown(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_ascii_punctuation() && !matches!(c, '.' | ',' | '-' | ':' | '/') {
            out.push('\\');
        }
        out.push(if c.is_control() { ' ' } else { c });
    }
    out
}
