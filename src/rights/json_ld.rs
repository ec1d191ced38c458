//! Reads the rights that the JSON-LD of a page (schema.org) states: `license`, `usageInfo`, `copyrightNotice`, and their subject
//! by the type of the node.

use super::statement::{IMAGE, JSON_LD, RECORD, SITE, Stated};
use memchr::memmem;
use serde_json::Value;

/// The keys of a node, and whether the value is a licence.
const KEYS: [(&str, bool); 3] = [("license", true), ("usageInfo", true), ("copyrightNotice", false)];

/// What a node has within it that is of the same page; of anything else it says nothing.
const WITHIN: [&str; 8] =
    ["@graph", "mainEntity", "mainEntityOfPage", "isPartOf", "image", "primaryImageOfPage", "publisher", "article"];

/// Levels of nodes.
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

/// What a script says; one that is not JSON says nothing.
pub(super) fn read(script: &str) -> Vec<Stated> {
    let has = |key: &str| memmem::find(script.as_bytes(), key.as_bytes()).is_some();
    let mut found = Vec::new();
    if KEYS.iter().any(|(key, _)| has(key))
        && let Ok(document) = serde_json::from_str(script)
    {
        nodes(document).iter().for_each(|node| see(node, DEEPEST, &mut found));
    }
    found
}

fn see(node: &Value, levels: usize, found: &mut Vec<Stated>) {
    if let Value::Array(list) = node {
        return list.iter().for_each(|node| see(node, levels, found));
    }
    if levels == 0 || !node.is_object() {
        return;
    }
    if let Some(scope) = scope_of(node) {
        for (key, is_licence) in KEYS {
            values(node.get(key), &mut |text| found.extend(stated(text, scope, is_licence)));
        }
    }
    for key in WITHIN {
        if let Some(inner) = node.get(key) {
            see(inner, levels - 1, found);
        }
    }
}

fn stated(text: &str, scope: &'static str, is_licence: bool) -> Option<Stated> {
    let stated = Stated::of_value(JSON_LD, scope, text)?;
    let is_address = text.trim_start().starts_with('/') && is_licence;
    Some(match is_address {
        true => Stated::licence(JSON_LD, scope, None, Some(text)),
        false if is_licence && stated.href.is_none() => Stated::licence(JSON_LD, scope, Some(text), None),
        false => stated,
    })
}

/// The texts of a value: a text, a node with an address or a name, or a list of these.
fn values(value: Option<&Value>, take: &mut dyn FnMut(&str)) {
    match value {
        Some(Value::String(text)) => take(text),
        Some(Value::Array(list)) => list.iter().for_each(|one| values(Some(one), take)),
        Some(node @ Value::Object(_)) => {
            let text = ["url", "@id", "name"].iter().find_map(|key| node.get(*key)?.as_str());
            text.into_iter().for_each(take);
        }
        _ => {}
    }
}

/// What the licence of a node of this type is about.
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
            let said = super::super::settle(read(json), None).into_iter();
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
}
