//! Finds the few selectors that may match a tag, by an element name, class or id that they require, like the rule hash of
//! browsers: of some hundred selectors, only one or two are compared with a tag. [`super::selector`] checks the other
//! conditions.

use super::selector::{Key, ValueTest, words};
use crate::html::elements::Element;
use crate::html::names::Name;
use crate::html::tokenizer::Attributes;
use std::sync::atomic::{AtomicUsize, Ordering};
use xxhash_rust::xxh3::xxh3_64;

/// The size of the table of ids and classes: twice as many as the built-in selectors have.
const PLACES: usize = 512;

/// The number of buckets for attribute names, by length.
const LENGTHS: usize = 32;

/// The nodes of the selectors, each under the rarest feature that an element must have to match it.
#[derive(Debug)]
pub(super) struct Index {
    /// The number of the index, unique among all indexes.
    number: usize,
    entries: Vec<Posting>,
    /// The last entry in each bucket of the table, and for each element name; [`END`] if there is none.
    texts: [usize; PLACES],
    names: [usize; Name::COUNT],
    /// Nodes that require an attribute, in the bucket of its name's length; long names share the last.
    attributes: [Vec<(Box<[u8]>, usize)>; LENGTHS],
    /// Nodes that require a test of the class attribute which is the same in HTML and in other languages.
    class_like: Vec<(ValueTest, usize)>,
    /// Nodes that any element may match.
    others: Vec<usize>,
    ids: bool,
    classes: bool,
}

#[derive(Debug)]
struct Posting {
    is_id: bool,
    /// The id or the class.
    text: Box<[u8]>,
    node: usize,
    /// The previous entry in the same bucket.
    next: usize,
}

const END: usize = usize::MAX;

impl Index {
    pub(super) fn new<'m>(nodes: impl Iterator<Item = (usize, Key<'m>)>) -> Self {
        static NUMBER: AtomicUsize = AtomicUsize::new(1);
        let mut index = Index {
            number: NUMBER.fetch_add(1, Ordering::Relaxed),
            entries: Vec::new(),
            texts: [END; PLACES],
            names: [END; Name::COUNT],
            attributes: Default::default(),
            class_like: Vec::new(),
            others: Vec::new(),
            ids: false,
            classes: false,
        };
        for (node, key) in nodes {
            index.add(node, key);
        }
        index
    }

    fn add(&mut self, node: usize, key: Key<'_>) {
        let (is_id, text) = match key {
            Key::Id(id) => (true, id),
            Key::Class(class) => (false, class),
            Key::Name(_) => (false, &[][..]),
            Key::ClassLike(test) => {
                self.classes = true;
                return self.class_like.push((test.clone(), node));
            }
            Key::Attribute(name) => return self.attributes[length(name)].push((name.into(), node)),
            Key::Nothing => return self.others.push(node),
        };
        let place = match key {
            Key::Name(name) => &mut self.names[name.index()],
            _ => &mut self.texts[place(text)],
        };
        let next = std::mem::replace(place, self.entries.len());
        self.entries.push(Posting { is_id, text: text.into(), node, next });
        self.ids |= is_id;
        self.classes |= !is_id && !text.is_empty();
    }

    /// Calls `attempt` with the nodes that the element may match, some of them twice. Each attribute is read once.
    #[inline]
    pub(super) fn each(
        &self,
        element: &Element<'_>,
        tag: Attributes<'_, '_>,
        classes: Option<&mut Classes>,
        mut attempt: impl FnMut(usize),
    ) {
        self.others.iter().for_each(|&node| attempt(node));
        self.chain(self.names[element.name.index()]).for_each(|entry| attempt(entry.node));
        // if an attribute is repeated, the first counts
        let (mut id, mut class) = (None, None);
        for (name, value) in tag.bytes() {
            match name.len() {
                2 if self.ids && name.eq_ignore_ascii_case(b"id") => _ = id.get_or_insert(value),
                5 if self.classes && name.eq_ignore_ascii_case(b"class") => _ = class.get_or_insert(value),
                _ => {}
            }
            let nodes = self.attributes[length(name)].iter().filter(|(asked, _)| name.eq_ignore_ascii_case(asked));
            nodes.for_each(|(_, node)| attempt(*node));
        }
        if let Some(id) = id {
            self.named(true, id).for_each(&mut attempt);
        }
        match (class, classes) {
            (Some(class), Some(classes)) => classes.known(self, class).iter().for_each(|&node| attempt(node)),
            (Some(class), None) => self.of_class(class).for_each(attempt),
            (None, _) => {}
        }
    }

    /// The nodes that may match a value of a class attribute.
    fn of_class(&self, value: &[u8]) -> impl Iterator<Item = usize> {
        let like = self.class_like.iter().filter(|(test, _)| test.holds(value, false)).map(|(_, node)| *node);
        words(value).flat_map(|word| self.named(false, word)).chain(like)
    }

    /// The nodes that require an id or a class.
    fn named(&self, is_id: bool, text: &[u8]) -> impl Iterator<Item = usize> {
        let entries = self.chain(self.texts[place(text)]);
        entries.filter(move |entry| *entry.text == *text && entry.is_id == is_id).map(|entry| entry.node)
    }

    fn chain(&self, first: usize) -> impl Iterator<Item = &Posting> {
        std::iter::successors(self.entries.get(first), |entry| self.entries.get(entry.next))
    }
}

/// The number of class attributes that are cached.
const SLOTS: usize = 4096;
/// The longest class attribute that is cached, in bytes.
const LONG: usize = 512;

/// A cache of the nodes for each value of a class attribute: a theme repeats the same values on every page.
#[derive(Default)]
pub(super) struct Classes {
    /// The number of the index that the nodes belong to.
    of: usize,
    /// The cached values and their nodes, each at the index that the value's hash gives.
    slots: Vec<(Vec<u8>, Vec<usize>)>,
    /// The nodes of a value that is too long to be cached.
    nodes: Vec<usize>,
}

impl Classes {
    fn known(&mut self, index: &Index, class: &[u8]) -> &[usize] {
        if self.of != index.number {
            self.of = index.number;
            self.slots.clear();
            self.slots.resize_with(SLOTS, Default::default);
        }
        let find = |nodes: &mut Vec<usize>| {
            nodes.clear();
            nodes.extend(index.of_class(class));
        };
        if class.len() > LONG {
            find(&mut self.nodes);
            return &self.nodes;
        }
        let (value, nodes) = &mut self.slots[xxh3_64(class) as usize % SLOTS];
        if value != class {
            find(nodes);
            value.clear();
            value.extend_from_slice(class);
        }
        nodes
    }
}

/// The bucket of a text: by its length and its first and last byte.
fn place(text: &[u8]) -> usize {
    let (Some(first), Some(last)) = (text.first(), text.last()) else { return 0 };
    (text.len() + 13 * usize::from(*first) + 37 * usize::from(*last)) % PLACES
}

/// The bucket for names of this length; long ones share the last.
fn length(name: &[u8]) -> usize {
    name.len().min(LENGTHS - 1)
}
