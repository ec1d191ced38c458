//! `graph`: the records as nodes and their links, images and translations as edges, in two tables with the column names
//! that Gephi reads. [`crate::export::graphml`] writes the same in another format. Nothing is resolved here: an edge is
//! a target that wp-resolve found.
//!
//! Nodes are written as they come. Edges wait in a spool, 28 bytes each, until all nodes are known: one whose target is
//! not in the dataset is counted but not written. Memory: about 10 bytes per node.

use crate::export::Job;
use crate::export::csv::{Row, header};
use crate::export::folder::Folder;
use crate::export::head::{Head, Headed, Own, References};
use crate::export::key::Key;
use crate::export::tally::Tally;
use crate::ndjson::{Line, Str, gather_lines};
use crate::record::{Target, fields};
use crate::report::{Error, Notes};
use crate::spill::{self, Spool};
use std::collections::HashSet;
use std::io::{BufReader, Read};

/// The kinds of edges.
pub(super) const KINDS: [&str; 3] = ["link", "image", "translation"];

const NODES: &str = "Id Label Site Kind Type RecordId Link Language Date";
const EDGES: &str = "Source Target Type Kind Weight";

fields! {
    /// What a graph tells of a record.
    pub(super) struct Label<'a> {
        pub(super) id: Option<i64>,
        pub(super) link: Option<Str<'a>>,
        pub(super) date_gmt: Option<Str<'a>>,
        title: Title<'a>,
        name: Option<Str<'a>>,
        links: Vec<Reference<'a>>,
        images: Vec<Reference<'a>>,
        translations: Vec<Reference<'a>>,
    }

    struct Title<'a> {
        text: Option<Str<'a>>,
    }

    struct Reference<'a> {
        internal: Option<bool>,
        target: Target<'a>,
    }
}

impl<'a> Own<'a> for Label<'a> {
    fn share(&self, head: &mut Head<'a>) {
        let count = |list: &[Reference<'a>]| References::of(list.iter().map(|one| (one.internal, &one.target)));
        head.count(count(&self.links), count(&self.images), count(&self.translations));
    }
}

pub(super) type Node<'a> = Headed<'a, Label<'a>>;

impl Node<'_> {
    fn site(&self) -> &str {
        self.head.site.as_deref().unwrap_or_default()
    }

    pub(super) fn key(&self) -> Key {
        Key::new(self.site(), self.head.r#type.as_deref().unwrap_or_default(), self.id, self.link.as_deref())
    }

    /// The title or the name on one line; where there is none, TYPE:ID or the link.
    pub(super) fn label(&self) -> String {
        let title = self.title.text.as_deref().or(self.name.as_deref());
        let words: Vec<&str> = title.unwrap_or_default().split_whitespace().collect();
        match (words.is_empty(), self.id, &self.link) {
            (false, ..) => words.join(" "),
            (true, Some(id), _) => format!("{}:{id}", self.head.r#type.as_deref().unwrap_or_default()),
            (true, None, link) => link.as_deref().unwrap_or_default().to_owned(),
        }
    }

    /// The edges that begin here, in the order of their first mention, and how many references of a media record lead to
    /// itself: its description shows its own file, which says nothing of how records hang together.
    fn edges(&self) -> (Vec<Edge>, u64) {
        let (mut own, is_media) = (0, self.head.filed().0 == "media");
        let (source, mut edges) = (self.key(), Vec::<Edge>::new());
        let mut places = std::collections::HashMap::new();
        for (kind, references) in (0..).zip([&self.links, &self.images, &self.translations]) {
            for reference in references {
                let Some(target) = Key::of_target(self.site(), &reference.target) else { continue };
                if is_media && target == source {
                    own += 1;
                    continue;
                }
                let place = *places.entry((kind, target)).or_insert(edges.len());
                match edges.get_mut(place) {
                    Some(edge) => edge.weight += 1,
                    None => edges.push(Edge { source, target, kind, weight: 1 }),
                }
            }
        }
        (edges, own)
    }
}

/// References of one kind from one record to another.
pub(super) struct Edge {
    pub(super) source: Key,
    pub(super) target: Key,
    /// Which of [`KINDS`].
    kind: u32,
    /// How many there are.
    pub(super) weight: u64,
}

impl Edge {
    const SIZE: usize = 28;

    pub(super) fn kind(&self) -> &'static str {
        KINDS[self.kind as usize]
    }

    fn write(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.source.0.to_le_bytes());
        out.extend_from_slice(&self.target.0.to_le_bytes());
        out.extend_from_slice(&self.weight.to_le_bytes());
        out.extend_from_slice(&self.kind.to_le_bytes());
    }

    fn read(bytes: &[u8; Self::SIZE]) -> Self {
        let (numbers, rest) = bytes.as_chunks::<8>();
        let number = |i: usize| u64::from_le_bytes(numbers[i]);
        let kind = rest.first_chunk().map_or(0, |kind| u32::from_le_bytes(*kind));
        Edge { source: Key(number(0)), target: Key(number(1)), weight: number(2), kind }
    }
}

/// Edges that wait until all nodes are known.
pub(super) struct Edges {
    spool: Spool,
    number: u64,
    nodes: HashSet<u64>,
}

/// The nodes of a batch, and their edges.
#[derive(Default)]
struct Nodes {
    nodes: Vec<u8>,
    edges: Vec<u8>,
    /// Key, and where node and edges end.
    places: Vec<(u64, usize, usize)>,
    tally: Tally,
}

/// Reads all records; gives `take` what `write` made of each batch of nodes, and how many these are.
///
/// # Errors
/// When reading or spooling fails, the report stops the run, and those of `take`.
pub(super) fn gather(
    job: &mut Job<'_>,
    tally: &mut Tally,
    write: impl Fn(&Node<'_>, &mut Vec<u8>) + Sync,
    mut take: impl FnMut(&[u8], u64) -> Result<(), Error>,
) -> Result<Edges, Error> {
    let mut edges = Edges { spool: Spool::new()?, number: 0, nodes: HashSet::new() };
    let (selection, write) = (job.selection, &write);
    let worker = || {
        move |line: Line<'_>, found: &mut Nodes, notes: &mut Notes| {
            let Some(node) = selection.admit(line, &mut found.tally, notes) else { return };
            found.tally.add(&node.head);
            write(&node, &mut found.nodes);
            let (edges, own) = node.edges();
            edges.iter().for_each(|edge| edge.write(&mut found.edges));
            found.tally.count("media_to_itself", own);
            found.places.push((node.key().0, found.nodes.len(), found.edges.len()));
        }
    };
    gather_lines(job.input, job.report, job.jobs, worker, |found: &mut Nodes| {
        tally.absorb(&mut found.tally);
        let mut start = (0, 0);
        for (key, node, edge) in found.places.drain(..) {
            // wp-index sees to it that no record comes twice; in a stream made by others one node is enough.
            if edges.nodes.insert(key) {
                take(&found.nodes[start.0..node], 1)?;
                edges.spool.write(&found.edges[start.1..edge])?;
                edges.number += ((edge - start.1) / Edge::SIZE) as u64;
            } else {
                tally.count("nodes_repeated", 1);
            }
            start = (node, edge);
        }
        found.nodes.clear();
        found.edges.clear();
        Ok(())
    })?;
    Ok(edges)
}

impl Edges {
    /// Gives `take` the edges between nodes in their order, and counts them in `tally`.
    ///
    /// # Errors
    /// When the spool cannot be read, and those of `take`.
    pub(super) fn each(self, tally: &mut Tally, mut take: impl FnMut(&Edge) -> Result<(), Error>) -> Result<(), Error> {
        let mut spool = BufReader::with_capacity(1 << 18, self.spool.into_reader()?);
        let mut bytes = [0; Edge::SIZE];
        tally.count("nodes", self.nodes.len() as u64);
        tally.count("nodes_repeated", 0);
        tally.count("media_to_itself", 0);
        let [mut written, mut without_node] = [0, 0];
        for _ in 0..self.number {
            spool.read_exact(&mut bytes).map_err(spill::failed)?;
            let edge = Edge::read(&bytes);
            if self.nodes.contains(&edge.target.0) {
                written += 1;
                take(&edge)?;
            } else {
                without_node += 1;
            }
        }
        tally.count("edges", written);
        tally.count("edges_without_node", without_node);
        Ok(())
    }
}

/// Writes `nodes.csv` and `edges.csv`.
///
/// # Errors
/// When reading or writing fails, or the report stops the run.
pub(crate) fn write_folder(folder: &mut Folder, job: &mut Job<'_>) -> Result<Tally, Error> {
    let mut tally = Tally::default();
    let nodes = folder.create("nodes.csv", None, None)?;
    folder.append(nodes, &header(NODES), 0)?;
    let waiting = gather(job, &mut tally, write_node, |rows, records| folder.append(nodes, rows, records))?;
    let edges = folder.create("edges.csv", None, None)?;
    folder.append(edges, &header(EDGES), 0)?;
    let mut row = Vec::new();
    waiting.each(&mut tally, |edge| {
        row.clear();
        let mut cells = Row::new(&mut row);
        cells.plain(Some(edge.source)).plain(Some(edge.target)).plain(Some("Directed"));
        cells.plain(Some(edge.kind())).plain(Some(edge.weight)).end();
        folder.append(edges, &row, 1)
    })?;
    Ok(tally)
}

fn write_node(node: &Node<'_>, out: &mut Vec<u8>) {
    let mut row = Row::new(out);
    row.plain(Some(node.key()))
        .text(Some(&node.label()))
        .text(node.head.site.as_deref())
        .text(node.head.kind.as_deref());
    row.text(node.head.r#type.as_deref()).plain(node.id).text(node.link.as_deref());
    row.text(node.head.language.as_deref()).text(node.date_gmt.as_deref()).end();
}
