//! Reads the JSON-LD of a page (schema.org), as written by SEO plugins and themes.

use crate::rights::nodes;
use serde_json::Value;

/// The statements of a page about its article.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Schema {
    pub title: Option<String>,
    pub published: Option<String>,
    pub modified: Option<String>,
    pub author: Option<String>,
    pub section: Option<String>,
    /// The name of the site.
    pub site: Option<String>,
}

/// Reads the scripts of a page; scripts that are not JSON are ignored.
pub(super) fn of(scripts: &[String]) -> Schema {
    let nodes = scripts.iter().filter_map(|json| serde_json::from_str(json).ok()).flat_map(nodes).collect();
    Schema::of_nodes(nodes)
}

impl Schema {
    fn of_nodes(nodes: Vec<Value>) -> Self {
        let dated = |node: &&Value| text(node, "datePublished").is_some();
        let mut articles = nodes.iter().filter(|node| is(node, &["Article", "Posting"])).filter(dated);
        let article = articles.next().or_else(|| nodes.iter().find(dated));
        let day = |node: &Value| text(node, "datePublished").map(|date| date.chars().take(10).collect::<String>());
        let site = nodes.iter().find(|node| is(node, &["WebSite"])).and_then(|node| text(node, "name"));
        // several articles are a list
        let Some(article) = article.filter(|article| articles.all(|other| day(other) == day(article))) else {
            return Schema { site, ..Schema::default() };
        };
        Schema {
            title: text(article, "headline"),
            published: text(article, "datePublished"),
            modified: text(article, "dateModified"),
            author: article.get("author").and_then(|author| name(author, &nodes)),
            section: article.get("articleSection").and_then(|section| name(section, &nodes)),
            site,
        }
    }
}

/// Whether the type of a node ends with one of these names.
fn is(node: &Value, ends: &[&str]) -> bool {
    let is = |kind: &Value| kind.as_str().is_some_and(|kind| ends.iter().any(|end| kind.ends_with(end)));
    match node.get("@type") {
        Some(Value::Array(kinds)) => kinds.iter().any(is),
        Some(kind) => is(kind),
        None => false,
    }
}

fn text(node: &Value, key: &str) -> Option<String> {
    node.get(key)?.as_str().map(|text| text.trim().to_owned()).filter(|text| !text.is_empty())
}

/// The name of one or more things: names, nodes, or references to nodes.
fn name(thing: &Value, nodes: &[Value]) -> Option<String> {
    match thing {
        // an address may be the id of a node
        Value::String(name) if named(name, nodes).is_some() => named(name, nodes),
        Value::String(name) => Some(name.trim().to_owned()).filter(|name| !name.is_empty() && !is_address(name)),
        Value::Array(list) => {
            let names: Vec<String> = list.iter().filter_map(|thing| name(thing, nodes)).collect();
            (!names.is_empty()).then(|| names.join(", "))
        }
        node => text(node, "name").or_else(|| node.get("@id").and_then(Value::as_str).and_then(|id| named(id, nodes))),
    }
}

/// The name of the node with an id.
fn named(id: &str, nodes: &[Value]) -> Option<String> {
    let is_it = |node: &&Value| node.get("@id").and_then(Value::as_str).is_some_and(|own| own == id);
    nodes.iter().filter(is_it).find_map(|node| text(node, "name"))
}

/// Whether a text is an address, absolute or on the same host.
fn is_address(text: &str) -> bool {
    text.contains("://") || text.starts_with(['/', '#']) || text.starts_with("./") || text.starts_with("../")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> Schema {
        of(&["{".to_owned(), json.to_owned()])
    }

    #[test]
    fn an_article_alone_in_a_list_or_in_a_graph() {
        let node = r#"{"@type":"BlogPosting","datePublished":"2024-03-01T10:00:00+00:00","dateModified":"2024-04-01T10:00:00Z","headline":"T","articleSection":["N","M"],"author":{"@id":"a"}}"#;
        let others = r#"{"@type":"WebSite","name":"S"},{"@type":["Person"],"@id":"a","name":"Ann"}"#;
        let some = |text: &str| Some(text.to_owned());
        let want = Schema {
            title: some("T"),
            published: some("2024-03-01T10:00:00+00:00"),
            modified: some("2024-04-01T10:00:00Z"),
            author: some("Ann"),
            section: some("N, M"),
            site: some("S"),
        };
        for json in [format!("[{others},{node}]"), format!(r#"{{"@graph":[{others},{node}]}}"#)] {
            assert_eq!(read(&json), want, "{json}");
        }
        let two = node.replace(r#"{"@id":"a"}"#, r#"[{"name":"Ann"},"Bo",{"name":""},{"@id":"none"},7]"#);
        assert_eq!(read(&two).author.unwrap(), "Ann, Bo");
        // an id alone, or an address that is not the id of a node
        let ids = node.replace(r#"{"@id":"a"}"#, r#"["a","/author/bo/#author","https://a.example/bo"]"#);
        assert_eq!(read(&format!("[{others},{ids}]")).author.unwrap(), "Ann");
    }

    #[test]
    fn a_list_of_articles_and_what_is_nested_say_nothing_of_the_page() {
        let node = r#"{"@type":"Article","datePublished":"2024-03-01"}"#;
        assert_eq!(read(&format!("[{node},{}]", node.replace("03", "04"))), Schema::default());
        assert_eq!(read(r#"{"@type":"Product","review":[{"datePublished":"2024-03-01"}]}"#), Schema::default());
        assert_eq!(read(r#"{"@type":"Article","datePublished":["2024"],"author":3}"#), Schema::default());
        assert_eq!(read("[[[1]]]"), Schema::default());
    }
}
