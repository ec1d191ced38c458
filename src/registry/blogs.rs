//! The blogs of a multisite: an id means something within one of them only. Which there are is found by [`super::homes`].

use crate::urls::UrlKey;

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
    /// Homes with their numbers, the longest first.
    homes: Vec<(Box<str>, u16)>,
    /// Of each record, the number of its blog.
    of: Vec<u16>,
}

impl Blogs {
    /// Each home, as host and path, is that of a blog; they are numbered from 1.
    pub(super) fn new(homes: Vec<Box<str>>) -> Self {
        let mut homes: Vec<(Box<str>, u16)> = homes.into_iter().zip(1..).collect();
        homes.sort_by_key(|(home, _)| std::cmp::Reverse(home.len()));
        Blogs { homes, of: Vec::new() }
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
        Blog(self.homes.iter().find(|(home, _)| is_below(key, home)).map_or(0, |(_, number)| *number))
    }

    /// Whether this is the home of one of several blogs, with a query or without.
    pub(super) fn is_home(&self, key: &UrlKey) -> bool {
        self.homes.iter().any(|(home, _)| **home == *key.page())
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
