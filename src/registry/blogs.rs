//! The blogs of a multisite: an id means something within one of them only. Which there are is found by [`super::homes`].

use crate::urls::{QuickMap, UrlKey};

/// Homes that are looked at one by one.
const MOST_LOOKS: usize = 64;

/// The number of a blog; 0 where none is known, and for all of a site that is one blog.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Blog(u16);

impl Blog {
    pub(crate) fn is_known(self) -> bool {
        self != Blog::default()
    }

    pub(crate) fn number(self) -> u16 {
        self.0
    }
}

/// The blogs of a site; nothing where it is one.
#[derive(Default)]
pub(super) struct Blogs {
    /// Homes, as hosts and paths, with the numbers of their blogs.
    homes: QuickMap<Box<str>, u16>,
    /// Of each record, the number of its blog.
    of: Vec<u16>,
}

impl Blogs {
    /// Homes, as hosts and paths, and the numbers of their blogs, from 1.
    pub(super) fn new(homes: impl Iterator<Item = (Box<str>, u16)>) -> Self {
        Blogs { homes: homes.collect(), of: Vec::new() }
    }

    /// The same with the number of each record's blog, 0 where none is known.
    pub(super) fn with_records(self, of: Vec<u16>) -> Self {
        Blogs { of, ..self }
    }

    fn are_one(&self) -> bool {
        self.homes.is_empty()
    }

    pub(super) fn of(&self, record: u32) -> Blog {
        Blog(self.of.get(record as usize).copied().unwrap_or(0))
    }

    /// The blog in whose folder a URL lies: the one with the longest path.
    pub(super) fn at(&self, key: &UrlKey) -> Blog {
        self.home(key).map_or(Blog::default(), |(number, _)| Blog(number))
    }

    /// The length of the path of that blog's home.
    pub(super) fn home_path(&self, key: &UrlKey) -> usize {
        self.home(key).map_or(0, |(_, home)| home.len() - key.host().len())
    }

    fn home<'k>(&self, key: &'k UrlKey) -> Option<(u16, &'k str)> {
        let mut folder = Some(key.page()).filter(|_| !self.are_one());
        while let Some(place) = folder {
            if let Some(&number) = self.homes.get(place) {
                return Some((number, place));
            }
            folder = place.rfind('/').map(|end| &place[..end]);
        }
        None
    }

    /// The homes of several blogs, as hosts and paths; none if they are too many to be looked at one by one.
    pub(super) fn homes(&self) -> impl Iterator<Item = &str> {
        self.homes.keys().map(|home| &**home).filter(|_| self.homes.len() <= MOST_LOOKS)
    }

    /// Whether this is the home of one of several blogs, with a query or without.
    pub(super) fn is_home(&self, key: &UrlKey) -> bool {
        self.homes.contains_key(key.page())
    }

    /// Whether an id or a name means this record where that of `blog` is meant.
    pub(super) fn is_meant(&self, record: u32, blog: Blog) -> bool {
        self.are_one() || blog.is_known() && self.of(record) == blog
    }
}

/// Whether a URL is that of a home or lies below it.
pub(super) fn is_below(key: &UrlKey, home: &str) -> bool {
    key.as_str().strip_prefix(home).is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '?']))
}
