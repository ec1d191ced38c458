//! Parses the addresses of records in web archives, and recognises an archive by its file name.

use super::record::WarcPlace;
use std::path::Path;

/// The address of a record: the file to open, the volume in it, and the place in the volume.
pub(crate) type Address<'p> = (&'p str, &'p str, WarcPlace);

/// Splits the address of a record, `PATH#PLACE`, in which a WACZ is written like a directory of its WARC files. Returns
/// `None` for the path of any other file.
pub(crate) fn split(address: &str) -> Option<Address<'_>> {
    let (volume, place) = address.rsplit_once('#')?;
    is_warc(volume).then_some(())?;
    let end = volume.match_indices('/').map(|(at, _)| at).find(|&at| ends_with(&volume[..at], ".wacz"));
    Some((&volume[..end.unwrap_or(volume.len())], volume, place.parse().ok()?))
}

/// Whether a file is an archive, by its name.
pub(crate) fn is_archive(path: &Path) -> bool {
    let Some(name) = path.file_name().and_then(|name| name.to_str()) else { return false };
    is_warc(name) || ends_with(name, ".wacz")
}

pub(super) fn is_warc(name: &str) -> bool {
    [".warc", ".warc.gz", ".warc.zst"].iter().any(|ending| ends_with(name, ending))
}

fn ends_with(name: &str, ending: &str) -> bool {
    name.len()
        .checked_sub(ending.len())
        .and_then(|at| name.get(at..))
        .is_some_and(|end| end.eq_ignore_ascii_case(ending))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_names_a_file_a_volume_and_a_place() {
        let found = |address| split(address).map(|(file, volume, place)| format!("{file} {volume} {place}"));
        assert_eq!(found("a/b.warc.gz#12").as_deref(), Some("a/b.warc.gz a/b.warc.gz 12"));
        assert_eq!(found("a.WACZ/archive/b.warc#0+7").as_deref(), Some("a.WACZ a.WACZ/archive/b.warc 0+7"));
        for other in ["a/index.html", "a.html#12", "b.warc.gz#", "b.warc.gz", "b.warc.gz#-1", "#1"] {
            assert_eq!(found(other), None, "{other}");
        }
    }
}
