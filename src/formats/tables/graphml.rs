//! Exports the graph of [`crate::formats::tables::graph`] as one [GraphML] document, for networkx, igraph, Gephi, yEd.
//!
//! [GraphML]: http://graphml.graphdrawing.org/specification.html

use crate::export::dataset::tally::Tally;
use crate::export::job::{Job, Put};
use crate::formats::tables::graph::{self, Edge, Node};
use crate::formats::xml;
use crate::report::Error;
use std::io::Write as _;

/// The data of nodes and edges: id of the key, name, element, type.
const KEYS: [(&str, &str, &str, &str); 10] = [
    ("d0", "label", "node", "string"),
    ("d1", "site", "node", "string"),
    ("d2", "kind", "node", "string"),
    ("d3", "type", "node", "string"),
    ("d4", "record_id", "node", "long"),
    ("d5", "link", "node", "string"),
    ("d6", "language", "node", "string"),
    ("d7", "date", "node", "string"),
    ("d8", "kind", "edge", "string"),
    ("d9", "weight", "edge", "long"),
];

/// Writes `graph.graphml`.
pub(crate) fn write(job: &mut Job<'_>, put: &mut Put<'_>) -> Result<Tally, Error> {
    let mut tally = Tally::default();
    put(&head(), 0)?;
    let edges = graph::gather(job, &mut tally, write_node, &mut *put)?;
    let mut xml = Vec::new();
    edges.each(&mut tally, |edge| {
        xml.clear();
        write_edge(edge, &mut xml);
        put(&xml, 0)
    })?;
    put(b"</graph>\n</graphml>\n", 0)?;
    Ok(tally)
}

fn head() -> Vec<u8> {
    let mut out = b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
        <graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" \
        xsi:schemaLocation=\"http://graphml.graphdrawing.org/xmlns http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd\">\n"
        .to_vec();
    for (id, name, of, r#type) in KEYS {
        writeln!(out, "<key id=\"{id}\" for=\"{of}\" attr.name=\"{name}\" attr.type=\"{type}\"/>")
            .expect("a Vec takes everything");
    }
    out.extend_from_slice(b"<graph id=\"G\" edgedefault=\"directed\">\n");
    out
}

fn write_node(node: &Node<'_>, out: &mut Vec<u8>) {
    let mut element = format!("<node id=\"{}\">\n", node.key);
    let id = node.id.map(|id| id.to_string());
    let label = Some(node.label.as_str());
    let values = [label, node.site, node.kind, node.r#type, id.as_deref(), node.link, node.language, node.date];
    for ((id, ..), value) in KEYS.iter().zip(values) {
        let Some(value) = value else { continue };
        element.push_str("<data");
        xml::attribute("key", id, &mut element);
        element.push('>');
        xml::data(value, &mut element);
        element.push_str("</data>\n");
    }
    element.push_str("</node>\n");
    out.extend_from_slice(element.as_bytes());
}

fn write_edge(edge: &Edge, out: &mut Vec<u8>) {
    let (source, target, kind, weight) = (edge.source, edge.target, edge.kind(), edge.weight);
    // With an id per kind, programs that keep one edge per pair of nodes do not merge edges of different kinds.
    writeln!(
        out,
        "<edge id=\"{kind}-{source}-{target}\" source=\"{source}\" target=\"{target}\">\
         <data key=\"d8\">{kind}</data><data key=\"d9\">{weight}</data></edge>"
    )
    .expect("a Vec takes everything");
}
