//! Defines fuzz targets for the parsers of server responses; the other targets are in `src/fuzzing.rs`.

use super::http::Response;
use super::sitemap;
use std::str::from_utf8;

/// A truncated sitemap lists the URLs before the cut. The first byte of `data` determines where it is cut.
pub fn sitemap(data: &[u8]) {
    let Some((&part, text)) = data.split_first() else { return };
    let Ok(text) = from_utf8(text) else { return };
    let whole = sitemap::read(text, "https://a.example/");
    let cut = (0..=text.len() * usize::from(part) / 255).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
    let Some(first) = sitemap::read(&text[..cut], "https://a.example/") else { return };
    let whole = whole.expect("a part of it is a sitemap");
    assert!(
        whole.pages.starts_with(&first.pages) && whole.sitemaps.starts_with(&first.sitemaps),
        "{first:?} {whole:?}"
    );
}

/// Parsing any bytes as a response must not panic, and the headers must be well-formed.
pub fn response(data: &[u8]) {
    let Some((response, fault)) = Response::read(data) else { return };
    assert!(fault.is_none() || response.body.is_empty(), "a body that is not whole");
    assert!(response.media_type().is_none_or(|kind| !kind.contains(';')));
    let link = response.link("next", "https://a.example/wp-json/");
    assert!(link.is_none_or(|link| !link.is_empty()));
    response.retry_after(0);
    response.number("x-wp-total");
}
