//! Parses the rights stated in the head of an HTML page: `link`, `meta`, JSON-LD.

use super::headers::{Tdm, directives};
use super::json_ld;
use super::statement::{LINK, META, RECORD, RawStatement};
use crate::urls::PageUrl;

/// Collects the statements in the head of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct HeadRights {
    stated: Vec<RawStatement>,
    nodes: Vec<json_ld::Said>,
    tdm: Tdm,
}

/// The most statements of a head that are kept.
const MOST: usize = 100;

impl HeadRights {
    /// Whether a word of `rel` marks a link to a licence: license, cc:license, dcterms.license.
    pub(crate) fn is_licence(word: &str) -> bool {
        let is = |name: &str| word.len() == name.len() && word.eq_ignore_ascii_case(name);
        let at = word.len().checked_sub(7);
        let is_near = at.is_some_and(|at| word.as_bytes()[at..].eq_ignore_ascii_case(b"license"));
        is_near && (word.len() == 7 || matches!(word.as_bytes()[word.len() - 8], b'.' | b':' | b'#' | b'/'))
            || is("licence")
            || is("dc.rights")
            || is("dcterms.rights")
    }

    /// Takes the target of a link to a licence. A fragment of the page itself is not a licence.
    pub(crate) fn see_link(&mut self, href: Option<String>) {
        let href = href.filter(|href| !href.trim_start().starts_with('#'));
        self.push(href.map(|href| RawStatement::licence(LINK, RECORD, None, Some(&href))));
    }

    /// Takes a value of `meta[name=robots]`.
    pub(crate) fn see_robots(&mut self, content: &str) {
        for own in directives(content) {
            self.push(Some(RawStatement::reservation(META, RECORD, own, None)));
        }
    }

    /// Whether a `meta` with this name states rights. The first letter excludes most other names.
    pub(crate) fn is_meta(name: &str) -> bool {
        let first = name.as_bytes().first().map_or(0, u8::to_ascii_lowercase);
        matches!(first, b'c' | b'd' | b'l' | b'r' | b't' | b'x') && meaning(name).is_some()
    }

    pub(crate) fn see_meta(&mut self, name: &str, content: &str) {
        match meaning(name) {
            Some(Meaning::Tdm) => self.tdm.take(name, content),
            Some(Meaning::Licence) => self.push(match RawStatement::of_value(META, RECORD, content) {
                Some(stated) if stated.href.is_none() => Some(RawStatement::licence(META, RECORD, Some(content), None)),
                stated => stated,
            }),
            Some(Meaning::Rights) => self.push(RawStatement::of_value(META, RECORD, content)),
            // A URL here is usually that of the owner.
            Some(Meaning::Copyright) => self.push(match RawStatement::of_value(META, RECORD, content) {
                Some(stated) if stated.is_unknown() => Some(RawStatement::copyright(META, RECORD, content)),
                stated => stated,
            }),
            None => {}
        }
    }

    /// Takes a JSON-LD script.
    pub(crate) fn see_json(&mut self, text: &str) {
        self.nodes.extend(json_ld::read(text));
        self.nodes.truncate(MOST);
    }

    fn push(&mut self, stated: Option<RawStatement>) {
        if self.stated.len() < MOST {
            self.stated.extend(stated);
        }
    }

    /// All statements about a page.
    pub(crate) fn all(&self, page: Option<&PageUrl>) -> impl Iterator<Item = RawStatement> {
        let nodes = json_ld::of_page(&self.nodes, page);
        self.stated.iter().chain(nodes).cloned().chain(self.tdm.stated(META))
    }
}

/// The subject of a `meta`.
enum Meaning {
    Tdm,
    Licence,
    Rights,
    Copyright,
}

fn meaning(name: &str) -> Option<Meaning> {
    let name = name.trim().to_ascii_lowercase();
    match name.as_str() {
        "tdm-reservation" | "tdm-policy" => Some(Meaning::Tdm),
        "license" | "licence" | "cc:license" | "xhtml:license" | "dcterms.license" | "dcterms:license"
        | "dc.license" | "dc:license" | "dct:license" | "dc.rights.license" => Some(Meaning::Licence),
        "copyright" => Some(Meaning::Copyright),
        "rights" | "dc.rights" | "dc:rights" | "dcterms.rights" | "dcterms:rights" | "dct:rights" | "dc.rights.uri" => {
            Some(Meaning::Rights)
        }
        _ => None,
    }
}
