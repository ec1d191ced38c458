//! Derives the file names of media records: the names that WordPress gives to an upload and its resized copies, and the
//! names that these come from. The lookup chooses the record.

use super::facts::Facts;
use super::table::{Owner, Role, Table};
use crate::urls::{UrlKey, hash, hash_32};
use crate::wordpress::{is_number, without_size};

/// How many suffixes (`-scaled`, `-e1699…`, `-300x200`) to remove from a name: WordPress adds no more than that.
pub(super) const SUFFIXES: usize = 4;

/// Splits the path of a file's key into folder with its trailing slash, stem, and extension with its dot.
pub(super) fn split_file(key: &str) -> Option<(&str, &str, &str)> {
    let path = key.split('?').next().unwrap_or(key);
    let slash = path.rfind('/')?;
    let dot = path[slash..].rfind('.')? + slash;
    let extension = &path[dot..];
    let plain = (2..=6).contains(&extension.len()) && extension[1..].bytes().all(|b| b.is_ascii_alphanumeric());
    (plain && dot > slash + 1).then(|| (&path[..=slash], &path[slash + 1..dot], extension))
}

/// A file's name without the suffix that WordPress added; `None` if it has no suffix: `-300x200`, `-scaled`,
/// `-rotated`, `-e1699999999999` (an edit, with its time).
/// <https://developer.wordpress.org/reference/functions/wp_save_image/>
pub(super) fn strip_suffix(stem: &str) -> Option<&str> {
    let (rest, last) = stem.rsplit_once('-').filter(|(rest, _)| !rest.is_empty())?;
    let edit = last.strip_prefix('e').is_some_and(|time| (10..=14).contains(&time.len()) && is_number(time));
    (edit || matches!(last, "scaled" | "rotated") || without_size(stem).is_some()).then_some(rest)
}

/// Hash of a file's bare name, to confirm `wp-image-N`.
pub(super) fn name_hash(url: &str) -> u32 {
    let Some(key) = UrlKey::new(url) else { return 0 };
    let Some((_, stem, _)) = split_file(key.as_str()) else { return 0 };
    hash_32(&bare(stem).to_ascii_lowercase()).max(1)
}

/// The stem without any suffixes.
pub(super) fn bare(stem: &str) -> &str {
    std::iter::successors(Some(stem), |stem| strip_suffix(stem)).last().unwrap_or(stem)
}

/// The bits for the proportions of an image; the higher bits are from [`name_hash`].
pub(super) const SHAPE: u32 = 0x3ff;

/// The width as a share of the sum of both sides, in thousandths; 0 = unknown.
fn shape(width: i64, height: i64) -> u32 {
    let share = width.saturating_mul(1000) / width.saturating_add(height).max(1);
    if width > 0 && height > 0 { u32::try_from(share).unwrap_or(0).clamp(1, 1000) } else { 0 }
}

/// The value kept for a media record: the hash of its file's name and, if its sizes are listed, its proportions.
pub(super) fn words(facts: &Facts<'_>) -> u32 {
    let (width, height) = (facts.media_details.width, facts.media_details.height);
    let sides = width.zip(height).filter(|_| !facts.sizes.is_empty());
    let name = facts.source_url.as_deref().map_or(0, name_hash) & !SHAPE;
    name | sides.map_or(0, |(width, height)| shape(width, height))
}

/// Whether WordPress may have made a file with this suffix (`-300x200`) from an image with these proportions: it keeps
/// them, except for rounding, or crops to a square.
pub(super) fn may_be_size(suffix: &str, own: u32) -> bool {
    let sides = suffix.strip_prefix('-').and_then(|sides| sides.split_once('x'));
    let sides = sides.and_then(|(width, height)| Some((width.parse().ok()?, height.parse().ok()?)));
    let Some((width, height)) = sides else { return true };
    own == 0 || width == height || shape(width, height).abs_diff(own) <= 6
}

/// Registers the files of a media record, and the names that these are derived from.
pub(super) fn register_files(table: &mut Table, key: &mut UrlKey, facts: &Facts<'_>, record: u32) {
    let mut own = |hash: u128, role: Role| table.insert(hash, Owner { role, record });
    // A guid is the uploaded file; a copy for another language has the guid of the original, which is the same file.
    if let Some(guid) = facts.guid.as_deref()
        && key.read(guid)
        && split_file(key.as_str()).is_some()
        && key.query().is_none()
    {
        own(key.hash(), Role::Original);
    }
    for url in facts.sizes.iter().filter_map(|size| size.url.as_deref()) {
        if key.read(url) {
            own(key.hash(), Role::Size);
        }
    }
    let Some(source) = facts.source_url.as_deref() else { return };
    if !key.read(source) {
        return;
    }
    own(key.hash(), Role::File);
    let Some((folder, stem, extension)) = split_file(key.as_str()) else { return };
    if let Some(original) = facts.media_details.original_image.as_deref() {
        // The field is a file name as written, which may contain characters that a URL escapes.
        let url = format!("https://{folder}{}", original.replace('%', "%25").replace('?', "%3F").replace('#', "%23"));
        if let Some(original) = UrlKey::new(&url) {
            own(original.hash(), Role::Original);
        }
    }
    let mut made_from = stem;
    for _ in 0..SUFFIXES {
        let Some(shorter) = strip_suffix(made_from) else { break };
        // `-WxH` at the end of an upload's own name is part of the name: only later additions are removed.
        if made_from[shorter.len()..].contains('x') {
            break;
        }
        own(hash(&format!("{folder}{shorter}{extension}")), Role::Stem);
        made_from = shorter;
    }
}
