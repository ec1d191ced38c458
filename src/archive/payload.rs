//! Decodes the payload of a WARC record: the body that the server returned for the URL, without HTTP's encodings.

use super::http::{Encoded, ResponseHead, media_type_of};
use super::record::WarcRecord;
use std::borrow::Cow;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Payload<'b> {
    Body(Body<'b>),
    /// A redirect, with its location as the server wrote it.
    Redirect(String),
    /// The server answered with this status.
    Status(u16),
    /// The body is the same as in another record, which has it.
    Revisit,
    /// Any other record: a request, the archiver's description of itself (warcinfo), a DNS look-up.
    Other,
}

/// The body of a page or of another file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Body<'b> {
    pub(crate) bytes: Cow<'b, [u8]>,
    /// The media type that the response states, in lower case.
    pub(crate) media_type: Option<String>,
    /// The character encoding that the response states.
    pub(crate) charset: Option<String>,
    /// The head of the HTTP response; empty for a `resource` record, which has none.
    pub(crate) head: ResponseHead,
}

impl WarcRecord {
    /// Whether the record may hold a body.
    pub(crate) fn has_payload(&self) -> bool {
        matches!(self.kind(), "response" | "resource" | "revisit")
            && self.uri().is_some_and(|uri| uri.starts_with("http://") || uri.starts_with("https://"))
    }

    /// Interprets the block of the record.
    ///
    /// # Errors
    /// If it has no head, or a body that cannot be decoded or has more than `most` bytes.
    pub(crate) fn payload<'b>(&self, block: &'b [u8], most: usize) -> Result<Payload<'b>, String> {
        if !self.has_payload() {
            return Ok(Payload::Other);
        }
        if self.kind() == "resource" {
            let content_type = self.get("content-type");
            let charset = content_type.and_then(charset_of);
            let media_type = content_type.map(media_type_of);
            return Ok(Payload::Body(Body { bytes: block.into(), media_type, charset, head: ResponseHead::default() }));
        }
        let (head, at) = match ResponseHead::read(block) {
            None if self.kind() == "revisit" => return Ok(Payload::Revisit),
            head => head.ok_or("it is not an HTTP response")?,
        };
        match (head.status, head.headers.get("location")) {
            (200 | 304, _) if self.kind() == "revisit" => Ok(Payload::Revisit),
            (200, _) => {
                let bytes = head.decode(&block[at..], Encoded::Archived, most)?;
                let charset = head.headers.get("content-type").and_then(charset_of);
                Ok(Payload::Body(Body { bytes, media_type: head.media_type(), charset, head }))
            }
            (301 | 302 | 303 | 307 | 308, Some(goal)) => Ok(Payload::Redirect(goal.to_owned())),
            (status, _) => Ok(Payload::Status(status)),
        }
    }
}

/// The encoding that a Content-Type names.
fn charset_of(content_type: &str) -> Option<String> {
    content_type.split(';').skip(1).find_map(|parameter| {
        let (name, value) = parameter.split_once('=')?;
        name.trim().eq_ignore_ascii_case("charset").then(|| value.trim().trim_matches(['"', '\'']).to_owned())
    })
}
