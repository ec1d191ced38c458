//! Recognises the licence that a link or a name refers to, by its SPDX identifier (<https://spdx.org/licenses/>). A port of a Creative
//! Commons licence that is not in SPDX's list gets the identifier of the unported licence; the link names the port.

use super::ids::{id_of, is_code};
use super::names;
use crate::urls::{bare_host, scheme_end};
use memchr::{memchr, memchr_iter, memmem, memrchr2};

/// The URLs of other licences for texts and data, with their identifiers.
const OTHERS: [(&str, Option<&str>); 19] = [
    ("gnu.org/licenses/fdl", None),
    ("gnu.org/copyleft/fdl", None),
    ("gnu.org/licenses/old-licenses/fdl", None),
    ("opendatacommons.org/licenses/odbl", Some("ODbL-1.0")),
    ("opendatacommons.org/licenses/by", Some("ODC-By-1.0")),
    ("opendatacommons.org/licenses/pddl", Some("PDDL-1.0")),
    ("nationalarchives.gov.uk/doc/open-government-licence/version/1", Some("OGL-UK-1.0")),
    ("nationalarchives.gov.uk/doc/open-government-licence/version/2", Some("OGL-UK-2.0")),
    ("nationalarchives.gov.uk/doc/open-government-licence/version/3", Some("OGL-UK-3.0")),
    ("nationalarchives.gov.uk/doc/open-government-licence", None),
    ("open.canada.ca/en/open-government-licence-canada", Some("OGL-Canada-2.0")),
    ("etalab.gouv.fr/licence-ouverte-open-licence", None),
    ("govdata.de/dl-de/by-2-0", Some("DL-DE-BY-2.0")),
    ("govdata.de/dl-de/zero-2-0", Some("DL-DE-ZERO-2.0")),
    ("artlibre.org/licence/lal", None),
    ("wtfpl.net", Some("WTFPL")),
    ("unlicense.org", Some("Unlicense")),
    ("copyfree.org", None),
    ("rightsstatements.org/vocab", None),
];

/// The first letters of the URLs of licences: a quick test, because most URLs begin with another letter.
const FIRST: [bool; 256] = {
    let (mut first, mut at) = ([false; 256], 0);
    while at < OTHERS.len() {
        first[OTHERS[at].0.as_bytes()[0] as usize] = true;
        at += 1;
    }
    first
};

/// The URL of a Creative Commons licence in a link, from the host on; a mirror may have made the link relative.
pub(super) fn address_in(href: &str) -> Option<&str> {
    let at = find_host(href)?;
    let before = &href[..at];
    let is_host = before.bytes().next_back().is_none_or(|byte| matches!(byte, b'/' | b'.'));
    // Below another host, it is a page of that host, except in an archive's copy, whose address contains the whole URL.
    let host = before.split_once("//").map_or("", |(_, host)| host);
    let is_own = host.is_empty() || !host.contains('/') || host.contains("://");
    Some(&href[at..]).filter(|_| is_host && is_own)
}

/// The position of `creativecommons.org/` in a URL: around one of the URL's few dots.
fn find_host(href: &str) -> Option<usize> {
    const NAME: &[u8] = b"creativecommons";
    let bytes = href.as_bytes();
    memchr_iter(b'.', bytes).find_map(|dot| {
        let start = dot.checked_sub(NAME.len())?;
        let is_it = bytes[start..dot].eq_ignore_ascii_case(NAME) && starts_with(&href[dot..], ".org/");
        is_it.then_some(start)
    })
}

/// Whether a text begins with `start`, which is ASCII in lower case.
fn starts_with(text: &str, start: &str) -> bool {
    let (text, start) = (text.as_bytes(), start.as_bytes());
    let is_begun = text.first().is_some_and(|first| first.to_ascii_lowercase() == start[0]);
    is_begun && text.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start))
}

/// Whether a URL is that of a licence, and its identifier if SPDX has one.
pub(super) fn by_url(url: &str) -> Option<Option<&'static str>> {
    if let Some(address) = address_in(url) {
        return creative_commons(address);
    }
    let rest = host_and_path(url);
    let may_be = rest.bytes().next().is_some_and(|first| FIRST[usize::from(first.to_ascii_lowercase())]);
    if !may_be {
        return None;
    }
    OTHERS.iter().find(|(start, _)| starts_with(rest, start)).map(|(_, id)| *id)
}

/// The URLs of software licences.
const OF_PROGRAMS: [&str; 17] = [
    "gnu.org/licenses/gpl",
    "gnu.org/licenses/lgpl",
    "gnu.org/licenses/agpl",
    "gnu.org/licenses/old-licenses/gpl",
    "gnu.org/licenses/old-licenses/lgpl",
    "gnu.org/copyleft/gpl",
    "gnu.org/copyleft/lesser",
    "gnu.org/licenses/license-list",
    "opensource.org/licenses",
    "opensource.org/license/",
    "apache.org/licenses",
    "mit-license.org",
    "choosealicense.com/licenses",
    "mozilla.org/mpl",
    "wordpress.org/about/gpl",
    "wordpress.org/about/license",
    "scripts.sil.org/ofl",
];

/// Hosts of software projects, which contain the file of each project's licence.
const FORGES: [&str; 5] =
    ["github.com/", "raw.githubusercontent.com/", "gitlab.com/", "bitbucket.org/", "codeberg.org/"];

/// Whether a URL is that of a licence for software or fonts.
pub(super) fn is_of_program(url: &str) -> bool {
    let rest = host_and_path(url);
    OF_PROGRAMS.iter().chain(&FORGES).any(|start| starts_with(rest, start))
}

fn host_and_path(url: &str) -> &str {
    bare_host(scheme_end(url).map_or(url, |end| &url[end..]).trim_start_matches('/'))
}

/// The licence at a URL below creativecommons.org; `None` for any other page there.
fn creative_commons(address: &str) -> Option<Option<&'static str>> {
    let path = address.split(['?', '#']).next().unwrap_or_default().to_ascii_lowercase();
    let mut parts = path.split('/').skip(1).filter(|part| !part.is_empty());
    let folder = parts.next()?;
    let code = code_of(parts.next()?);
    let is_known = match folder {
        "licenses" | "license" | "licences" => is_code(&code),
        "publicdomain" => matches!(code.as_str(), "zero" | "mark"),
        _ => false,
    };
    let is_part = |part: &&str| part.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    let mut rest = parts.peekable();
    let version = rest.next_if(is_part).unwrap_or_default();
    let version = if version.len() == 1 { format!("{version}.0") } else { version.to_owned() };
    let is_port = |part: &&str| (2..=3).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_lowercase());
    let port = rest.next_if(is_port).unwrap_or_default();
    is_known.then(|| id_of(&code, &version, port))
}

/// The elements of a licence in the order that Creative Commons uses.
fn code_of(written: &str) -> String {
    let mut code = written.split(['.', '_']).next().unwrap_or_default().to_owned();
    for (other, own) in [("by-sa-nc", "by-nc-sa"), ("by-nd-nc", "by-nc-nd"), ("cc0", "zero")] {
        if code == other {
            own.clone_into(&mut code);
        }
    }
    code
}

/// The identifier of the licence that a text names: `CC BY-SA 4.0`, `Creative Commons Attribution-ShareAlike 4.0 International`, or the
/// identifier itself.
pub(super) fn by_name(text: &str) -> Option<&'static str> {
    names::find(text)?.id
}

/// Whether a text mentions a licence, or the public domain, without naming a particular one.
pub(super) fn is_named(text: &str) -> bool {
    let lower = text.to_lowercase();
    let has_cc = lower.split(|c: char| !c.is_ascii_alphanumeric()).any(|word| matches!(word, "cc" | "cc0"));
    has_cc
        || ["creative commons", "public domain", "licens", "licenc", "lizenz"].iter().any(|name| lower.contains(name))
}

/// The link to a known licence in a text.
pub(super) fn link_in(text: &str) -> Option<&str> {
    let words = text.split(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | '<' | '>' | '"' | ','));
    words.map(|word| word.trim_end_matches('.')).find(|word| by_url(word).is_some())
}

/// Whether links to some of these licences are the page's only statements about licences in markup: reading it would then find nothing new.
pub(crate) fn links_only_to(html: &str, known: &[&str]) -> bool {
    let has = |word: &str| memmem::find(html.as_bytes(), word.as_bytes()).is_some();
    if has("application/ld+json") && ["\"license\"", "\"usageInfo\"", "\"copyrightNotice\""].into_iter().any(has) {
        return false;
    }
    let known: Vec<&str> = known.iter().map(|url| url.split_once("://").map_or(*url, |(_, rest)| rest)).collect();
    let is_other = |tag: &str| {
        let names_one = tag.contains("creativecommons.org/") || tag.contains("rel");
        names_one && !tag.starts_with("<img") && !known.iter().any(|known| tag.contains(known))
    };
    ["icense", "creativecommons.org/publicdomain"].iter().all(|word| {
        let mut at = 0;
        while let Some(found) = memmem::find(&html.as_bytes()[at..], word.as_bytes()) {
            let place = at + found;
            let tag = tag_around(html, place);
            if tag.is_some_and(is_other) {
                return false;
            }
            // examine each tag only once
            at =
                place.max(tag.map_or(0, |tag| tag.as_ptr() as usize - html.as_ptr() as usize + tag.len())) + word.len();
            at = at.min(html.len());
        }
        true
    })
}

/// The start tag around a position, if there is one: relevant tags are not longer than the limit.
fn tag_around(html: &str, at: usize) -> Option<&str> {
    let before = &html.as_bytes()[at.saturating_sub(LONGEST_TAG)..at];
    let start = at - before.len() + memrchr2(b'<', b'>', before).filter(|start| before[*start] == b'<')?;
    let after = &html.as_bytes()[at..html.len().min(at + LONGEST_TAG)];
    html.get(start..at + memchr(b'>', after)?)
}

const LONGEST_TAG: usize = 1000;

/// Whether an address is that of an image: a badge.
pub(super) fn is_image(address: &str) -> bool {
    let end = address.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
    matches!(end.as_str(), "png" | "svg" | "gif" | "jpg" | "jpeg" | "webp")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn licences_by_their_addresses() {
        for (url, id) in [
            ("http://creativecommons.org/licenses/by-sa/4.0/", Some("CC-BY-SA-4.0")),
            ("https://www.creativecommons.org/licenses/by-nc-sa/3.0/deed.de", Some("CC-BY-NC-SA-3.0")),
            ("https://creativecommons.org/licenses/by/3.0/at/", Some("CC-BY-3.0-AT")),
            ("https://creativecommons.org/licenses/by-nc-nd/2.5/es/", Some("CC-BY-NC-ND-2.5")),
            ("https://creativecommons.org/licenses/by-nd-nc/1.0", Some("CC-BY-NC-ND-1.0")),
            ("https://creativecommons.org/publicdomain/zero/1.0/", Some("CC0-1.0")),
            ("https://creativecommons.org/publicdomain/mark/1.0/deed.en", Some("CC-PDM-1.0")),
            ("http://creativecommons.org/licenses/publicdomain/", Some("CC-PDDC")),
            ("http://creativecommons.org/licenses/by/", None),
            ("../creativecommons.org/licenses/by/4.0/deed.html", Some("CC-BY-4.0")),
            ("https://web.archive.org/web/2015/https://creativecommons.org/licenses/by/4.0/", Some("CC-BY-4.0")),
            ("https://opendatacommons.org/licenses/odbl/1-0/", Some("ODbL-1.0")),
            ("https://www.gnu.org/licenses/fdl-1.3.html", None),
        ] {
            assert_eq!(by_url(url), Some(id), "{url}");
        }
        for other in [
            "https://creativecommons.org/",
            "https://creativecommons.org/licenses/",
            "https://creativecommons.org/about/",
            "https://notcreativecommons.org/licenses/by/4.0/",
            "https://a.example/licenses/by/4.0/",
            "https://a.example/creativecommons.org/licenses/by/4.0/",
            "https://www.gnu.org/licenses/gpl.html",
        ] {
            assert_eq!(by_url(other), None, "{other}");
        }
    }

    #[test]
    fn licences_by_their_names() {
        for (name, id) in [
            ("CC BY 4.0", Some("CC-BY-4.0")),
            ("CC-BY-NC-SA-3.0", Some("CC-BY-NC-SA-3.0")),
            ("Photo: Ann, CC BY-SA 2.0 DE", Some("CC-BY-SA-2.0")),
            ("CC BY 3.0 DE", Some("CC-BY-3.0-DE")),
            ("Creative Commons Attribution-NonCommercial-NoDerivs 3.0 Unported License.", Some("CC-BY-NC-ND-3.0")),
            ("Creative Commons Attribution Share-Alike 4.0 International", Some("CC-BY-SA-4.0")),
            ("CC0", Some("CC0-1.0")),
            ("CC0 1.0", Some("CC0-1.0")),
            ("CC BY", None),
            ("All rights reserved", None),
            ("cc: Bob 4.0", None),
        ] {
            assert_eq!(by_name(name), id, "{name}");
        }
        let code = |text: &str| names::find(text).map(|name| name.code);
        assert_eq!(code("the Creative Commons Attribution License, which").as_deref(), Some("CC BY"));
        assert_eq!(code("Creative Commons Attribution Non-Commercial License").as_deref(), Some("CC BY-NC"));
        assert_eq!(code("Creative Commons Attribution Zuwiderhandlung"), None);
        assert!(is_named("CC BY") && is_named("Public Domain") && !is_named("© Ann 2012"));
    }

    #[test]
    fn what_leads_elsewhere_is_seen() {
        let html = r#"<a rel="license" href="http://creativecommons.org/licenses/by/4.0/"><img src="https://licensebuttons.net/l/by/4.0/88x31.png"></a>"#;
        assert!(links_only_to(html, &["http://creativecommons.org/licenses/by/4.0/"]));
        assert!(!links_only_to(html, &["http://creativecommons.org/licenses/by/3.0/"]));
        assert!(!links_only_to(html, &[]));
        assert!(links_only_to("<p class=a>A license for all, and licenses.</p>", &[]));
        assert!(!links_only_to("<a href='//creativecommons.org/publicdomain/zero/1.0/'>", &[]));
        assert!(!links_only_to("<script type='application/ld+json'>{\"license\":\"/a\"}</script>", &[]));
        let many = "license ".repeat(100_000);
        assert!(links_only_to(&many, &[]));
    }
}
