//! Checks that a downloaded media file has the type that its record states, by the Content-Type header and the first bytes.

use super::http::Response;
use crate::scrape::is_html;

/// The end of every reason that [`wrong`] returns.
const NO_FILE: &str = ", not a media file";

/// Whether this is a reason that [`wrong`] returned.
pub(super) fn is_wrong(what: &str) -> bool {
    what.ends_with(NO_FILE)
}

/// The reason why a response is not a file of the kind that its record states: an error page, most of the time. `response` has the start of
/// the body.
pub(super) fn wrong(response: &Response, stated: Option<&str>) -> Option<String> {
    let kind = response.media_type().unwrap_or_default();
    let stated = stated.unwrap_or("image/*");
    if !stated.contains("html") && (kind.contains("html") || is_html(&response.body, false)) {
        return Some(format!("HTML{NO_FILE}"));
    }
    let is_medium = ["image/", "audio/", "video/"].iter().any(|start| stated.starts_with(start));
    let is_text = kind.starts_with("text/") || kind.ends_with("json");
    (is_medium && is_text && kind != stated).then(|| format!("{kind}{NO_FILE}"))
}

/// The type that the server states, if it differs from the record's.
pub(super) fn other(response: &Response, stated: Option<&str>) -> Option<String> {
    let kind = response.media_type().filter(|kind| !kind.is_empty() && kind != "application/octet-stream")?;
    let stated = stated?.to_ascii_lowercase();
    (usual(&kind) != usual(&stated)).then_some(kind)
}

/// The usual name of a media type. Sound and video are reduced to `audio` and `video`, because their types have many names.
fn usual(kind: &str) -> &str {
    match kind {
        "image/jpg" | "image/pjpeg" => "image/jpeg",
        "image/x-icon" => "image/vnd.microsoft.icon",
        _ if kind.starts_with("audio/") || kind.starts_with("video/") => &kind[..6],
        _ => kind,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn response(kind: &str, body: &str) -> Response {
        Response::start(format!("HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\n\r\n{body}").as_bytes()).unwrap()
    }

    #[test]
    fn an_error_page_is_refused_and_a_drawing_with_a_script_is_taken() {
        let is_wrong = |kind: &str, body: &str, stated: &str| wrong(&response(kind, body), Some(stated)).is_some();
        assert!(is_wrong("text/html; charset=UTF-8", "x", "image/jpeg"));
        assert!(is_wrong("image/jpeg", "<!DOCTYPE html><title>Not found", "image/jpeg"));
        assert!(is_wrong("text/plain", "not found", "image/jpeg"));
        assert!(is_wrong("application/json", "{}", "video/mp4"));
        assert!(!is_wrong(
            "image/svg+xml",
            "<?xml version=\"1.0\"?><!-- x --><svg><script>1</script>",
            "image/svg+xml"
        ));
        assert!(!is_wrong("text/html", "<p>", "text/html"), "a site may have uploads of that type");
        assert!(!is_wrong("text/csv", "a,b", "text/csv"));
        assert!(!is_wrong("image/webp", "RIFF", "image/jpeg"));
    }

    #[test]
    fn another_type_is_distinguished_from_another_name_of_one_type() {
        let other = |kind: &str, stated: &str| other(&response(kind, ""), Some(stated));
        assert_eq!(other("image/webp", "image/jpeg").as_deref(), Some("image/webp"));
        for (kind, stated) in
            [("image/jpg", "image/jpeg"), ("audio/mp3", "audio/mpeg"), ("application/octet-stream", "a/b")]
        {
            assert_eq!(other(kind, stated), None);
        }
    }
}
