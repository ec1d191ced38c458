//! Resolves revisits in web archives: captures stored without their body because an earlier capture has the same one. They
//! become pages when that body is found.

use super::capture::Capture;
use super::heads::Heads;
use super::page::Page;
use crate::archive::{Archives, Payload, Volume, read_at, split};
use crate::codec::{Packed, put_bytes};
use crate::page::PAGE_LIMIT;
use crate::tree::Root;
use std::path::Path;

/// A capture with the body of an earlier one.
pub(super) struct Revisit {
    pub(super) url: String,
    pub(super) capture: Capture,
    /// The URL of the earlier one.
    pub(super) of: Option<String>,
    /// The statements on rights in its own headers, as lines; [`None`] if it does not repeat them.
    pub(super) headers: Option<String>,
}

impl Revisit {
    /// The fields that are still needed when the body is found.
    pub(super) fn pack(&self) -> Vec<u8> {
        let mut notes = Vec::new();
        let headers = self.headers.as_ref().map(|headers| format!("+{headers}")).unwrap_or_default();
        [&*self.url, self.capture.lines(), &headers].iter().for_each(|text| put_bytes(&mut notes, text.as_bytes()));
        notes
    }

    pub(super) fn unpack(notes: &[u8]) -> Option<Self> {
        let mut notes = Packed(notes);
        let mut text = || std::str::from_utf8(notes.bytes()?).ok();
        let (url, said, headers) = (text()?, text()?, text()?);
        let headers = headers.strip_prefix('+').map(str::to_owned);
        Some(Revisit { url: url.to_owned(), capture: Capture::Said(said.into()), of: None, headers })
    }
}

/// The page of a revisit, and its title. The body is at `address` below `folder`.
pub(super) fn revisited(
    heads: &mut Heads,
    archives: &Archives,
    root: u32,
    address: &str,
    folder: &Root,
    revisit: Revisit,
) -> Option<(Page, String)> {
    let (path, name, place) = split(address)?;
    let open = || Volume::open(path, folder.file(Path::new(path))?);
    let volumes = archives.volumes(Path::new(&root.to_string()).join(path), open).ok()?;
    let mut block = Vec::new();
    let record = read_at(volumes.iter().find(|volume| volume.name == name)?, place, PAGE_LIMIT, &mut block).ok()?;
    let Ok(Payload::Body(body)) = record.payload(&block, PAGE_LIMIT) else { return None };
    let (mut page, title) = heads.page(&body, root, address.to_owned(), revisit.url)?;
    page.capture = Some(revisit.capture);
    if let Some(headers) = revisit.headers {
        page.headers = (!headers.is_empty()).then(|| heads.names.share(&headers));
    }
    Some((page, title))
}
