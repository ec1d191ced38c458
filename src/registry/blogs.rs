//! The blogs of a WordPress multisite: an id is unique only within one of them. [`super::homes`] finds out which blogs
//! there are.

use crate::urls::{QuickMap, UrlKey};

/// The most homes that are compared one by one.
const MOST_LOOKS: usize = 64;

/// The number of a blog; 0 if it is unknown, and for all records of a site with a single blog.
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

/// The blogs of a site; empty if it is a single blog.
#[derive(Default)]
pub(super) struct Blogs {
    /// Homes, as hosts and paths, with the numbers of their blogs.
    homes: QuickMap<Box<str>, u16>,
    /// The blog number of each record.
    of: Vec<u16>,
}

impl Blogs {
    /// Takes homes, as hosts and paths, and the numbers of their blogs, from 1.
    pub(super) fn new(homes: impl Iterator<Item = (Box<str>, u16)>) -> Self {
        Blogs { homes: homes.collect(), of: Vec::new() }
    }

    /// Adds the number of each record's blog, 0 if it is unknown.
    pub(super) fn with_records(self, of: Vec<u16>) -> Self {
        Blogs { of, ..self }
    }

    fn are_one(&self) -> bool {
        self.homes.is_empty()
    }

    pub(super) fn of(&self, record: u32) -> Blog {
        Blog(self.of.get(record as usize).copied().unwrap_or(0))
    }

    /// The blog whose home's folder contains a URL: the one with the longest path.
    pub(super) fn at(&self, key: &UrlKey) -> Blog {
        self.home(key).map_or(Blog::default(), |(number, _)| Blog(number))
    }

    /// The length of the path of the home of the blog in whose folder a URL is; 0 if there is none.
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

    /// The homes of several blogs, as hosts and paths; empty if there are too many to compare one by one.
    pub(super) fn homes(&self) -> impl Iterator<Item = &str> {
        self.homes.keys().map(|home| &**home).filter(|_| self.homes.len() <= MOST_LOOKS)
    }

    /// Whether this is the home of one of several blogs, with or without a query.
    pub(super) fn is_home(&self, key: &UrlKey) -> bool {
        self.homes.contains_key(key.page())
    }

    /// Whether an id or a name can mean this record if it refers to one in `blog`.
    pub(super) fn is_meant(&self, record: u32, blog: Blog) -> bool {
        self.are_one() || blog.is_known() && self.of(record) == blog
    }
}

/// Whether a URL is a home or is below it.
pub(super) fn is_below(key: &UrlKey, home: &str) -> bool {
    key.as_str().strip_prefix(home).is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '?']))
}
