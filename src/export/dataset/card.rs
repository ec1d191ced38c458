//! A dataset's card, `README.md`, which the formats write. People fill it in, so an edited one must not be replaced. Its last
//! line shows whether it was edited: it contains the hash of everything above.

use crate::digest::Sha256;
use crate::digest::hex;
use crate::export::dataset::folder::{Folder, read_regular};
use crate::export::dataset::tally::Tally;
use std::fs;
use std::path::Path;

/// The card's name in a dataset's folder.
const NAME: &str = "README.md";

/// Its name if README.md is somebody else's.
const NAME_BESIDE: &str = "README.new.md";

const SEAL: &str = "<!-- written by wp-export, which replaces this file as long as nobody has changed it: ";
const SEAL_END: &str = " -->\n";

/// Whether the file of this name is a card as wp-export has written it. One that somebody else has written or edited is
/// neither removed nor replaced. Nothing is known of other files, nor of a card that is missing.
pub(crate) fn says_ours(folder: &Path, name: &str) -> Option<bool> {
    let place = folder.join(name);
    // What cannot be read cannot be ours: a dangling link, a folder, a named pipe.
    let is_there = name == NAME && fs::symlink_metadata(&place).is_ok();
    is_there.then(|| read_regular(&place).is_ok_and(|text| is_untouched(&text)))
}

/// Whether a text is a card as wp-export has written it.
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

/// The dataset's name: those of its sites.
pub(crate) fn title(tally: &Tally) -> String {
    let sites: Vec<&str> = tally.sites.labels().iter().map(String::as_str).filter(|site| !site.is_empty()).collect();
    if sites.is_empty() { "no site".to_owned() } else { sites.join(", ") }
}

/// A text that means nothing in Markdown and HTML but itself.
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
