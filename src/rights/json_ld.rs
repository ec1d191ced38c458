//! Parses the rights stated in the JSON-LD (schema.org) of a page: `license`, `usageInfo`, `copyrightNotice`, and their subject, by the
//! type of the node.

use super::licence;
use super::statement::{IMAGE, JSON_LD, RECORD, RawStatement, SITE};
use crate::urls::{PageUrl, UrlKey, join};
use memchr::memmem;
use serde_json::Value;
use std::collections::BTreeMap;

/// The keys of a node that state rights, and whether the value is a licence.
const KEYS: [(&str, bool); 3] = [("license", true), ("usageInfo", true), ("copyrightNotice", false)];

/// The keys of child nodes that concern the same page; other child nodes are ignored.
const WITHIN: [&str; 8] =
    ["@graph", "mainEntity", "mainEntityOfPage", "isPartOf", "image", "primaryImageOfPage", "publisher", "article"];

/// The deepest level of nodes that is read.
const DEEPEST: usize = 6;

/// The nodes of a document: a list or `@graph` has several.
pub(crate) fn nodes(document: Value) -> Vec<Value> {
    let tops = if let Value::Array(list) = document { list } else { vec![document] };
    let in_graph = |mut node: Value| match node.get_mut("@graph").map(Value::take) {
        Some(Value::Array(graph)) => graph,
        _ => vec![node],
    };
    tops.into_iter().flat_map(in_graph).collect()
}

/// A statement, and the URL of its subject if its node has one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Said {
    stated: RawStatement,
    of: Option<String>,
}

/// The statements that are not about another page.
pub(super) fn of_page<'s>(all: &'s [Said], page: Option<&PageUrl>) -> impl Iterator<Item = &'s RawStatement> {
    let own = page.and_then(|page| UrlKey::new(page.as_str()));
    let is_own = move |said: &&Said| {
        let (Some(own), Some(of)) = (&own, &said.of) else { return true };
        // A mirror has a different host.
        join(page, of).and_then(|url| UrlKey::new(&url)).is_none_or(|of| of.path() == own.path())
    };
    // The test borrows `page`, so all statements are tested here, not by the iterator that is returned.
    let own: Vec<&RawStatement> = all.iter().filter(is_own).map(|said| &said.stated).collect();
    own.into_iter()
}

/// The statements in a script; none if it is not JSON.
pub(super) fn read(script: &str) -> Vec<Said> {
    // The words also occur in texts.
    let is_key = |end: usize| script.as_bytes().get(end) == Some(&b'"');
    let has = |key: &str| memmem::find_iter(script.as_bytes(), key.as_bytes()).any(|at| is_key(at + key.len()));
    if !KEYS.iter().any(|(key, _)| has(key)) {
        return Vec::new();
    }
    let Ok(document) = serde_json::from_str(script) else { return Vec::new() };
    let nodes = nodes(document);
    let named = nodes.iter().filter_map(|node| Some((node.get("@id")?.as_str()?, node)));
    let mut reader = Reader { by_id: named.collect(), found: Vec::new() };
    nodes.iter().for_each(|node| reader.see(node, None, DEEPEST));
    reader.found
}

/// The URL of the page that a node is about.
fn address_of(node: &Value) -> Option<&str> {
    let main = || {
        let main = node.get("mainEntityOfPage")?;
        main.as_str().or_else(|| ["@id", "url"].iter().find_map(|key| main.get(*key)?.as_str()))
    };
    let is_address = |text: &&str| text.starts_with("http") || text.starts_with('/');
    node.get("url").and_then(Value::as_str).or_else(main).filter(is_address)
}

struct Reader<'n> {
    /// The nodes, by the id under which others refer to them.
    by_id: BTreeMap<&'n str, &'n Value>,
    found: Vec<Said>,
}

impl<'n> Reader<'n> {
    fn see(&mut self, node: &'n Value, of: Option<&'n str>, levels: usize) {
        if let Value::Array(list) = node {
            return list.iter().for_each(|node| self.see(node, of, levels));
        }
        if levels == 0 || !node.is_object() {
            return;
        }
        let scope = scope_of(node);
        let of = if scope == Some(SITE) { None } else { of.or_else(|| address_of(node)) };
        if let Some(scope) = scope {
            for (key, is_licence) in KEYS {
                let mut texts = Vec::new();
                self.values(node.get(key), &mut texts);
                let said = texts.into_iter().filter_map(|text| stated(text, scope, is_licence));
                self.found.extend(said.map(|stated| Said { stated, of: of.map(str::to_owned) }));
            }
        }
        for key in WITHIN {
            if let Some(inner) = node.get(key) {
                self.see(inner, of, levels - 1);
            }
        }
    }

    /// The texts in a value: a text, a node with a URL or a name, a reference to one, or a list of these.
    fn values(&self, value: Option<&'n Value>, texts: &mut Vec<&'n str>) {
        let text_of = |node: &'n Value, keys: &[&str]| keys.iter().find_map(|key| node.get(*key)?.as_str());
        match value {
            Some(Value::String(text)) => texts.push(text),
            Some(Value::Array(list)) => list.iter().for_each(|one| self.values(Some(one), texts)),
            Some(node @ Value::Object(_)) => {
                let id = text_of(node, &["@id"]);
                let named = id.and_then(|id| self.by_id.get(id));
                let named = named.and_then(|named| text_of(named, &["url", "sameAs", "name"]));
                // A fragment of this page is not a licence.
                let own = id.filter(|id| !id.contains('#') && !id.starts_with("_:") || licence::by_url(id).is_some());
                texts.extend(text_of(node, &["url"]).or(named).or(own).or_else(|| text_of(node, &["name"])));
            }
            _ => {}
        }
    }
}

fn stated(text: &str, scope: &'static str, is_licence: bool) -> Option<RawStatement> {
    let stated = RawStatement::of_value(JSON_LD, scope, text)?;
    let is_address = text.trim_start().starts_with('/') && is_licence;
    Some(match is_address {
        true => RawStatement::licence(JSON_LD, scope, None, Some(text)),
        false if is_licence && stated.href.is_none() => RawStatement::licence(JSON_LD, scope, Some(text), None),
        false => stated,
    })
}

/// The subject of the licence in a node with this type.
fn scope_of(node: &Value) -> Option<&'static str> {
    let kinds: Vec<&str> = match node.get("@type") {
        Some(Value::Array(kinds)) => kinds.iter().filter_map(Value::as_str).collect(),
        Some(kind) => kind.as_str().into_iter().collect(),
        None => return Some(RECORD),
    };
    let is = |ends: &[&str]| kinds.iter().any(|kind| ends.iter().any(|end| kind.ends_with(end)));
    match () {
        () if is(&["WebSite", "Organization", "Person", "Blog"]) => Some(SITE),
        () if is(&["ImageObject", "Photograph"]) => Some(IMAGE),
        () if is(&[
            "Article",
            "Posting",
            "Page",
            "CreativeWork",
            "Report",
            "Course",
            "LearningResource",
            "Recipe",
            "HowTo",
            "Event",
            "Chapter",
        ]) =>
        {
            Some(RECORD)
        }
        () => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_type_of_a_node_says_what_its_licence_is_about() {
        let read = |json: &str| {
            let said = super::super::settle(of_page(&read(json), None).cloned(), None).into_iter();
            said.map(|one| [one.kind, one.scope, one.value.or(one.url)].map(|text| text.unwrap().to_string()).join(" "))
                .collect::<Vec<_>>()
        };
        let all = r#"{"@graph":[{"@type":"BlogPosting","license":"https://creativecommons.org/licenses/by/4.0/","copyrightNotice":"© Ann",
            "image":{"@type":"ImageObject","license":{"@id":"https://a.example/l"}},"review":{"@type":"Article","license":"https://a.example/no"}},
            {"@type":["WebSite"],"usageInfo":"https://a.example/use","license":"CC BY-SA 4.0"},{"@type":"SoftwareApplication","license":"MIT"}]}"#;
        assert_eq!(
            read(all),
            [
                "licence record CC-BY-4.0",
                "licence image https://a.example/l",
                "licence site https://a.example/use",
                "licence site CC-BY-SA-4.0",
                "copyright record © Ann",
            ]
        );
        for nothing in ["", "{", "[[[1]]]", r#"{"license":null}"#, r#"{"@type":"Article","license":7}"#] {
            assert!(read(nothing).is_empty(), "{nothing}");
        }
    }

    /// A licence may be in its own node; a licence of another page is not this page's.
    #[test]
    fn nodes_refer_to_nodes_and_to_pages() {
        let by = "https://creativecommons.org/licenses/by/4.0/";
        for (json, want) in [
            (
                format!(
                    r##"{{"@graph":[{{"@type":"Article","license":{{"@id":"#l"}}}},{{"@type":"CreativeWork","@id":"#l","url":"{by}"}}]}}"##
                ),
                1,
            ),
            (
                r##"{"@graph":[{"@type":"Article","license":{"@id":"https://a.example/b/#l"}},{"@id":"https://a.example/b/#l","@type":"CreativeWork","name":"CC BY 4.0"}]}"##
                    .to_owned(),
                1,
            ),
            (r##"{"@type":"Article","license":{"@id":"#l"}}"##.to_owned(), 0),
            (format!(r#"{{"@type":"Article","url":"https://a.example/b/","license":"{by}"}}"#), 1),
            (format!(r#"{{"@type":"Article","url":"https://a.example/other/","license":"{by}"}}"#), 0),
            (
                format!(
                    r#"{{"@type":"Article","mainEntityOfPage":{{"@id":"https://b.example/x/"}},"license":"{by}"}}"#
                ),
                0,
            ),
            (format!(r#"{{"@type":"WebSite","url":"https://a.example/","license":"{by}"}}"#), 1),
        ] {
            let mut head = super::super::HeadRights::default();
            head.see_json(&json);
            let page = crate::urls::PageUrl::parse("http://www.a.example/b");
            let said = super::super::settle(head.all(page.as_ref()), page.as_ref());
            assert_eq!(said.len(), want, "{json} {said:?}");
            assert!(said.iter().all(|one| one.value.as_deref() == Some("CC-BY-4.0")), "{said:?}");
        }
    }
}
