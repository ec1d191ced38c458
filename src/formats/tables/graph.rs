//! Exports a `graph`: the records as nodes and their links, images and translations as edges, in two tables with the column names that
//! Gephi reads. [`crate::formats::tables::graphml`] writes the same in another format. Nothing is resolved here: an edge is a target that
//! wp-resolve found, or a record that another names by its id.
//!
//! Nodes are written as they come. Edges wait in a spool, 44 bytes each, until all nodes are known: one whose target is
//! not in the dataset is counted but not written. Memory: about 10 bytes per node, 80 more with edges to ids, and the hosts.

use crate::export::dataset::envelope::{Enveloped, Own};
use crate::export::dataset::folder::Folder;
use crate::export::dataset::key::{Key, blog};
use crate::export::dataset::tally::Tally;
use crate::export::job::Job;
use crate::formats::tables::csv::terms::{language, reference};
use crate::formats::tables::csv::{Row, header};
use crate::formats::tables::edges::{AUTHOR, HOST, KINDS, REPLY, TERM, Wanted};
use crate::ndjson::{Line, Str, gather_lines};
use crate::record::{Target, TermRef, fields, term_ids};
use crate::report::{Error, Notes};
use crate::spill::{self, Spool};
use crate::urls::PageUrl;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::io::{BufReader, Read};

const NODES: &str = "Id Label Site Kind Type RecordId Link Language Date";
const EDGES: &str = "Source Target Type Kind Weight";

fields! {
    /// The fields of a record that a graph shows.
    pub(super) struct Label<'a> {
        id: Option<i64>,
        link: Option<Str<'a>>,
        date_gmt: Option<Str<'a>>,
        title: Title<'a>,
        name: Option<Str<'a>>,
        author: Option<i64>,
        post: Option<i64>,
        parent: Option<i64>,
        categories: Vec<i64>,
        tags: Vec<i64>,
        terms: Vec<TermRef<'a>>,
        links: Vec<Reference<'a>>,
        images: Vec<Reference<'a>>,
        translations: Vec<Reference<'a>>,
        source: Origin<'a>,
    }

    struct Origin<'a> {
        rest: Option<Str<'a>>,
    }

    struct Title<'a> {
        text: Option<Str<'a>>,
    }

    struct Reference<'a> {
        internal: Option<bool>,
        url: Option<Str<'a>>,
        target: Target<'a>,
        reason: Option<Str<'a>>,
    }
}

impl<'a> Own<'a> for Label<'a> {}

pub(super) struct Node<'n> {
    pub(super) key: Key,
    pub(super) label: String,
    pub(super) site: Option<&'n str>,
    pub(super) kind: Option<&'n str>,
    pub(super) r#type: Option<&'n str>,
    pub(super) id: Option<i64>,
    pub(super) link: Option<&'n str>,
    pub(super) language: Option<&'n str>,
    pub(super) date: Option<&'n str>,
}

impl<'n> Node<'n> {
    fn of_record(record: &'n Enveloped<'_, Label<'_>>) -> Self {
        Node {
            key: record.key(),
            label: record.label(),
            site: record.envelope.site.as_deref(),
            kind: record.envelope.kind.as_deref(),
            r#type: record.envelope.r#type.as_deref(),
            id: record.id,
            link: record.link.as_deref(),
            language: record.envelope.language.as_deref(),
            date: record.date_gmt.as_deref(),
        }
    }

    /// The node of a host that links lead to, which has neither a site nor a record.
    fn of_host(host: &str) -> Self {
        let kind = Some("host");
        Node {
            key: key_of_host(host),
            label: host.to_owned(),
            kind,
            r#type: kind,
            site: None,
            id: None,
            link: None,
            language: None,
            date: None,
        }
    }
}

fn key_of_host(host: &str) -> Key {
    Key::new("", "host", None, Some(host))
}

impl Enveloped<'_, Label<'_>> {
    fn site(&self) -> &str {
        self.envelope.site.as_deref().unwrap_or_default()
    }

    fn key(&self) -> Key {
        Key::new(self.site(), self.envelope.r#type.as_deref().unwrap_or_default(), self.id, self.link.as_deref())
    }

    /// The title or the name on one line; without either, TYPE:ID or the link.
    fn label(&self) -> String {
        let title = self.title.text.as_deref().or(self.name.as_deref());
        let words: Vec<&str> = title.unwrap_or_default().split_whitespace().collect();
        match (words.is_empty(), self.id, &self.link) {
            (false, ..) => words.join(" "),
            (true, Some(id), _) => format!("{}:{id}", self.envelope.r#type.as_deref().unwrap_or_default()),
            (true, None, link) => link.as_deref().unwrap_or_default().to_owned(),
        }
    }

    /// The hash by which others refer to the record with its id. Posts of all types and media share one series of ids.
    fn reference(&self) -> Option<u64> {
        let class = match self.envelope.filed() {
            ("post" | "media", _) => "post",
            ("term", taxonomy) => taxonomy,
            ("user", _) => "user",
            ("comment", _) => "comment",
            _ => return None,
        };
        Some(reference(self.site(), class, self.id?))
    }

    /// The records that it refers to by id: terms, its author, and the comment or post that a comment answers.
    fn named(&self) -> impl Iterator<Item = (u32, u64)> {
        let to = |kind: u32, class: &str, id: i64| (kind, reference(self.site(), class, id));
        let terms = term_ids(&self.categories, &self.tags, self.terms.iter().map(TermRef::reference));
        let terms = terms.map(move |(taxonomy, id)| to(TERM, taxonomy, id));
        let some = |id: Option<i64>| id.filter(|id| *id != 0);
        let author = some(self.author).map(|id| to(AUTHOR, "user", id));
        let answered = some(self.parent).map(|id| to(REPLY, "comment", id));
        let answered = answered.or_else(|| some(self.post).map(|id| to(REPLY, "post", id)));
        let is_comment = self.envelope.filed().0 == "comment";
        terms.chain(author).chain(answered.filter(|_| is_comment))
    }

    /// The edges from this record, in the order of their first mention; and, for a media record, the number of references to itself, which
    /// are not edges because a description merely shows its own file. The outside hosts that edges lead to are added to `hosts`.
    fn edges(&self, wanted: Wanted, hosts: &mut BTreeSet<String>) -> (Vec<Edge>, u64) {
        let (mut own, is_media) = (0, self.envelope.filed().0 == "media");
        let (source, of) = (self.key(), language(self.envelope.language.as_deref()));
        let blog = blog(self.source.rest.as_deref());
        let (mut edges, mut places) = (Vec::<Edge>::new(), HashMap::new());
        let mut add = |kind: u32, target: u64, language: u64| {
            let place = *places.entry((kind, target)).or_insert(edges.len());
            match edges.get_mut(place) {
                Some(edge) => edge.weight += 1,
                None => edges.push(Edge { source, target: Key(target), language, blog, kind, weight: 1 }),
            }
        };
        for (kind, references) in (0..).zip([&self.links, &self.images, &self.translations]) {
            for target in references.iter().filter_map(|one| Key::of_target(self.site(), &one.target)) {
                if is_media && target == source {
                    own += 1;
                } else if wanted.has(kind) {
                    add(kind, target.0, 0);
                }
            }
        }
        self.named().filter(|(kind, _)| wanted.has(*kind)).for_each(|(kind, target)| add(kind, target, of));
        if wanted.has(HOST) {
            let outside = self.links.iter().filter(|link| link.internal == Some(false));
            for url in outside.filter_map(|link| PageUrl::parse(link.url.as_deref()?)) {
                add(HOST, key_of_host(url.host()).0, 0);
                hosts.insert(url.host().to_owned());
            }
        }
        (edges, own)
    }
}

/// References of one kind from one record to another.
pub(super) struct Edge {
    pub(super) source: Key,
    /// The key of the target, or its [`reference()`] if it is named by its id.
    pub(super) target: Key,
    /// The language of the source: records of several languages may share an id.
    language: u64,
    /// The blog of the source: in a multisite, several blogs use the same ids.
    blog: u64,
    kind: u32,
    pub(super) weight: u64,
}

impl Edge {
    const SIZE: usize = 44;

    pub(super) fn kind(&self) -> &'static str {
        KINDS[self.kind as usize]
    }

    fn write(&self, out: &mut Vec<u8>) {
        for number in [self.source.0, self.target.0, self.language, self.blog, self.weight] {
            out.extend_from_slice(&number.to_le_bytes());
        }
        out.extend_from_slice(&self.kind.to_le_bytes());
    }

    fn read(bytes: &[u8; Self::SIZE]) -> Self {
        let (numbers, rest) = bytes.as_chunks::<8>();
        let number = |i: usize| u64::from_le_bytes(numbers[i]);
        let kind = rest.first_chunk().map_or(0, |kind| u32::from_le_bytes(*kind));
        let (language, blog, weight) = (number(2), number(3), number(4));
        Edge { source: Key(number(0)), target: Key(number(1)), language, blog, weight, kind }
    }
}

/// Edges that wait until all nodes are known.
pub(super) struct Edges {
    spool: Spool,
    number: u64,
    nodes: HashSet<u64>,
    /// The keys of records by the hashes with which others refer to them, see [`names()`]; the first record with a hash counts.
    named: HashMap<u64, u64>,
    hosts: BTreeSet<String>,
}

/// The nodes of a batch, and their edges.
#[derive(Default)]
struct Nodes {
    nodes: Vec<u8>,
    edges: Vec<u8>,
    places: Vec<NodeEnd>,
    hosts: BTreeSet<String>,
    tally: Tally,
}

struct NodeEnd {
    key: u64,
    /// The reference by which others name it, its language and its blog.
    named: Option<[u64; 3]>,
    /// Where the node ends.
    node: usize,
    /// Where its edges end.
    edges: usize,
}

/// Reads all records. Passes the output of `write` for each node to `take`, with the number of nodes.
pub(super) fn gather(
    job: &mut Job<'_>,
    tally: &mut Tally,
    write: impl Fn(&Node<'_>, &mut Vec<u8>) + Sync,
    mut take: impl FnMut(&[u8], u64) -> Result<(), Error> + Send,
) -> Result<Edges, Error> {
    let (nodes, named, hosts) = (HashSet::new(), HashMap::new(), BTreeSet::new());
    let mut edges = Edges { spool: Spool::new()?, number: 0, nodes, named, hosts };
    let (selection, wanted, write) = (job.selection, Wanted::new(job.variants), &write);
    let by_id = [TERM, AUTHOR, REPLY].iter().any(|kind| wanted.has(*kind));
    let worker = || {
        move |line: Line<'_>, found: &mut Nodes, notes: &mut Notes| {
            let Some(record) = selection.admit(line, &mut found.tally, notes) else { return };
            found.tally.add(&record.envelope);
            write(&Node::of_record(&record), &mut found.nodes);
            let (edges, own) = record.edges(wanted, &mut found.hosts);
            edges.iter().for_each(|edge| edge.write(&mut found.edges));
            found.tally.count("media_to_itself", own);
            let reference = record.reference().filter(|_| by_id);
            let reference = reference.map(|reference| {
                let blog = blog(record.source.rest.as_deref());
                [reference, language(record.envelope.language.as_deref()), blog]
            });
            let (key, node, edges) = (record.key().0, found.nodes.len(), found.edges.len());
            found.places.push(NodeEnd { key, named: reference, node, edges });
        }
    };
    gather_lines(job.input, job.report, job.jobs, worker, |found: &mut Nodes| {
        tally.absorb(&mut found.tally);
        edges.hosts.append(&mut found.hosts);
        let mut start = (0, 0);
        for NodeEnd { key, named, node, edges: edge } in found.places.drain(..) {
            if wanted.is_of_hosts_alone() && edge == start.1 {
                tally.count("nodes_without_edge", 1);
            // wp-index writes no record twice; if another stream does, one node is enough.
            } else if edges.nodes.insert(key) {
                take(&found.nodes[start.0..node], 1)?;
                edges.spool.write(&found.edges[start.1..edge])?;
                edges.number += ((edge - start.1) / Edge::SIZE) as u64;
                for name in named.into_iter().flat_map(|[reference, language, blog]| names(reference, language, blog)) {
                    edges.named.entry(name).or_insert(key);
                }
            } else {
                tally.count("nodes_repeated", 1);
            }
            start = (node, edge);
        }
        found.nodes.clear();
        found.edges.clear();
        Ok(())
    })?;
    let mut node = Vec::new();
    for host in &edges.hosts {
        node.clear();
        let host = Node::of_host(host);
        write(&host, &mut node);
        edges.nodes.insert(host.key.0);
        take(&node, 1)?;
    }
    Ok(edges)
}

/// The hashes by which others may refer to a record, the most specific first: with blog and language, with the blog, with the language, and
/// with neither.
fn names(reference: u64, language: u64, blog: u64) -> [u64; 4] {
    [reference ^ blog ^ language, reference ^ blog, reference ^ language, reference]
}

impl Edges {
    /// Passes the edges between nodes to `take`, in order, and counts them in `tally`.
    pub(super) fn each(self, tally: &mut Tally, mut take: impl FnMut(&Edge) -> Result<(), Error>) -> Result<(), Error> {
        let mut spool = BufReader::with_capacity(1 << 18, self.spool.into_reader()?);
        let mut bytes = [0; Edge::SIZE];
        tally.count("nodes", self.nodes.len() as u64);
        tally.count("nodes_repeated", 0);
        tally.count("media_to_itself", 0);
        let [mut written, mut without_node] = [0, 0];
        for _ in 0..self.number {
            spool.read_exact(&mut bytes).map_err(spill::failed)?;
            let mut edge = Edge::read(&bytes);
            if matches!(edge.kind, TERM | AUTHOR | REPLY) {
                let mut names = names(edge.target.0, edge.language, edge.blog).into_iter();
                edge.target = Key(names.find_map(|name| self.named.get(&name).copied()).unwrap_or_default());
            }
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
    row.plain(Some(node.key)).text(Some(&node.label)).text(node.site).text(node.kind).text(node.r#type);
    row.plain(node.id).text(node.link).text(node.language).text(node.date).end();
}
