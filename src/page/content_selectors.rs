//! Lists the places where themes put the main content of a page, its title, its dates and its boilerplate: CSS selectors in a
//! data file (`content_selectors.toml`), or a user's in place of them. [`super::matches`] has the elements that they match.

use super::Selectors;
use serde::Deserialize;
use std::sync::LazyLock;

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Tables {
    protected: Vec<String>,
    title: Vec<String>,
    heading: Vec<String>,
    title_link: Vec<String>,
    bookmark: Vec<String>,
    day: Vec<String>,
    content: Vec<String>,
    whole: Vec<String>,
    threads: Vec<Vec<String>>,
    noscript: Vec<String>,
    built: Vec<String>,
    parts: Vec<String>,
    published: Vec<String>,
    modified: Vec<String>,
    author: Vec<String>,
    category: Vec<String>,
    tag: Vec<String>,
    term: Vec<String>,
    featured: Vec<String>,
    posts: Vec<String>,
    beside: Vec<String>,
    notice: Vec<String>,
    drop: Vec<String>,
}

/// Where to find the main content of a page.
pub(crate) struct ContentSelectors {
    pub(super) selectors: Selectors,
    pub(super) roles: Vec<Role>,
    /// The places of content.
    pub(super) content: Vec<String>,
    /// The places of content that hold nothing else, except documents of page builders, which are in `built`.
    whole: Vec<String>,
    built: Vec<String>,
    /// The places of content of which a document may have several.
    parts: Vec<String>,
    /// Texts in the markup of a noscript that shows a thread.
    pub(super) noscript: Vec<String>,
    /// Selectors of elements that are not content.
    pub(super) drop: Vec<String>,
    /// The places of content are a user's: no other rule chooses one.
    pub(super) own: bool,
    /// The first place of content was learnt from pages of the site whose content is known.
    learnt: bool,
}

/// The purpose of a selector. The number is the selector's own among those with the same purpose, the most trusted first.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Protected,
    Title(usize),
    Heading(usize),
    /// A link in a heading that may lead to the page itself.
    TitleLink,
    /// Any other link that may lead to the page itself.
    Bookmark,
    Content(usize),
    /// The text of a post in a thread; the number is that of its system.
    Reply(usize),
    Published(usize),
    /// An element that shows the day of a post in words.
    Day(usize),
    Modified(usize),
    Author(usize),
    /// A link to a category.
    Category,
    /// A link to a tag.
    Tag,
    /// A link to a term of any taxonomy.
    Term,
    Featured(usize),
    Post,
    Beside,
    Notice,
    Drop(usize),
}

impl Role {
    /// A post, or what shows other posts or readers.
    pub(super) fn is_post(self) -> bool {
        matches!(self, Role::Post | Role::Beside)
    }
}

const BUILTIN: &str = include_str!("content_selectors.toml");

impl ContentSelectors {
    /// The selectors that come with the program.
    pub(crate) fn builtin() -> &'static Self {
        static COMPILED: LazyLock<ContentSelectors> =
            LazyLock::new(|| ContentSelectors::compile(tables().clone(), false).expect("the tests compile this table"));
        &COMPILED
    }

    /// A user's selectors in place of the built-in places of content, in the order in which they are tried; titles
    /// and boilerplate stay built-in. The error says which selector cannot be used, and why.
    pub(crate) fn with_content(select: &[String]) -> Result<Self, String> {
        Self::compile(Tables { content: select.to_vec(), ..tables().clone() }, true)
    }

    /// The built-in selectors after the place where a site has its contents. The error says why its selector cannot be used.
    pub(crate) fn with_place(place: &str) -> Result<Self, String> {
        Selectors::parse([place]).map_err(|(_, why)| why)?;
        let content = std::iter::once(place.to_owned()).chain(tables().content.iter().cloned()).collect();
        Ok(ContentSelectors { learnt: true, ..Self::compile(Tables { content, ..tables().clone() }, false)? })
    }

    fn compile(tables: Tables, own: bool) -> Result<Self, String> {
        let (mut roles, mut texts): (Vec<Role>, Vec<&String>) = (Vec::new(), Vec::new());
        for (list, role) in [
            (&tables.posts, &(|_| Role::Post) as &dyn Fn(usize) -> Role),
            (&tables.beside, &|_| Role::Beside),
            (&tables.title, &Role::Title),
            (&tables.heading, &Role::Heading),
            (&tables.title_link, &|_| Role::TitleLink),
            (&tables.bookmark, &|_| Role::Bookmark),
            (&tables.day, &Role::Day),
            (&tables.protected, &|_| Role::Protected),
            (&tables.content, &Role::Content),
            (&tables.published, &Role::Published),
            (&tables.modified, &Role::Modified),
            (&tables.author, &Role::Author),
            (&tables.category, &|_| Role::Category),
            (&tables.tag, &|_| Role::Tag),
            (&tables.term, &|_| Role::Term),
            (&tables.featured, &Role::Featured),
            (&tables.notice, &|_| Role::Notice),
            (&tables.drop, &Role::Drop),
        ] {
            roles.extend((0..list.len()).map(role));
            texts.extend(list);
        }
        for (system, list) in tables.threads.iter().enumerate() {
            roles.extend(list.iter().map(|_| Role::Reply(system)));
            texts.extend(list);
        }
        let all = texts.iter().map(|text| text.as_str());
        let selectors = if own { Selectors::parse(all) } else { Ok(Selectors::of_table(all)) };
        let selectors = selectors.map_err(|(at, why)| format!("the selector {} cannot be used: {why}", texts[at]))?;
        let Tables { content, whole, noscript, drop, built, parts, .. } = tables;
        Ok(ContentSelectors { selectors, roles, content, whole, noscript, drop, built, parts, own, learnt: false })
    }

    /// Whether a selector is that of the learnt place.
    pub(super) fn is_learnt(&self, selector: &str) -> bool {
        self.learnt && self.content[0] == selector
    }

    /// Whether the place of content that a selector finds holds nothing else.
    pub(super) fn is_whole(&self, selector: &str) -> bool {
        self.is_built(selector) || self.whole.iter().any(|whole| whole == selector)
    }

    /// Whether the place of content that a selector finds is the document of a page builder.
    pub(super) fn is_built(&self, selector: &str) -> bool {
        self.built.iter().any(|built| built == selector)
    }

    /// Whether a document may have several places that this selector finds.
    pub(super) fn is_part(&self, selector: &str) -> bool {
        self.parts.iter().any(|part| part == selector)
    }
}

/// The selectors of plugins' notices.
pub(super) fn notices() -> impl Iterator<Item = &'static str> {
    tables().notice.iter().map(String::as_str)
}

fn tables() -> &'static Tables {
    static TABLES: LazyLock<Tables> = LazyLock::new(|| toml::from_str(BUILTIN).expect("the tests read this table"));
    &TABLES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_nothing_but_selectors() {
        assert_eq!(ContentSelectors::with_content(&tables().content).err(), None);
    }
}
