//! Finds the name of a site from the titles of its pages. A WordPress install in one of its directories may have a different name.

use crate::page::title::Titles;
use crate::urls::QuickMap;
use crate::wordpress::without_query;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The most directories whose titles are compared.
const FOLDERS: usize = 64;
/// The most titles of a directory that are compared.
const TITLES: usize = 64;

/// The fewest pages of a directory with a name of its own.
const FEWEST: usize = 3;

/// Gathers the titles of a site.
#[derive(Default)]
pub(super) struct Gatherer {
    all: Titles,
    /// The directories, each by its host and the first part of the path. If there are too many, those with the fewest pages are forgotten.
    folders: QuickMap<String, Folder>,
}

/// The pages of a directory.
#[derive(Default)]
struct Folder {
    pages: usize,
    /// The first title. Where each post has a directory of its own, there is no other.
    first: String,
    titles: Option<Box<Titles>>,
}

impl Gatherer {
    pub(super) fn add(&mut self, location: &str, title: &str) {
        self.all.add(title);
        let Some(key) = folder_of(location) else { return };
        let folder = self.folders.entry_ref(key).or_default();
        folder.pages += 1;
        if folder.pages == 1 {
            title.clone_into(&mut folder.first);
        } else if folder.pages <= TITLES {
            let titles = folder.titles.get_or_insert_with(|| {
                let mut titles = Box::<Titles>::default();
                titles.add(&folder.first);
                titles
            });
            titles.add(title);
        }
        let mut fewest = 0;
        while self.folders.len() > FOLDERS {
            fewest += 1;
            self.folders.retain(|_, folder| folder.pages > fewest);
        }
    }

    /// A directory has a name of its own if its titles end with that name and not with the site's. If most pages are in the
    /// directory, the name of the site is the common name of the others.
    pub(super) fn names(self) -> Names {
        let site = self.all.name(&[]);
        let own = |(key, folder): (String, Folder)| {
            let titles = folder.titles.filter(|_| folder.pages >= FEWEST)?;
            let name = titles.last()?;
            let is_other = match site.as_deref() {
                None => true,
                Some(site) if *site == *name => folder.pages * 2 > self.all.count(),
                Some(site) => !titles.are_named(site),
            };
            is_other.then_some((key, name, folder.pages))
        };
        let own: Vec<(String, Box<str>, usize)> = self.folders.into_iter().filter_map(own).collect();
        let folders: Vec<(&str, usize)> = own.iter().map(|(_, name, pages)| (&**name, *pages)).collect();
        let site = self.all.name(&folders).map(Arc::from);
        Names { site, folders: own.into_iter().map(|(key, name, _)| (key, Arc::from(name))).collect() }
    }
}

/// The name of a site, and the names of directories with a different one.
#[derive(Default)]
pub(crate) struct Names {
    site: Option<Arc<str>>,
    folders: BTreeMap<String, Arc<str>>,
}

impl Names {
    /// The name of the site or directory to which the page at this URL belongs.
    pub(super) fn of(&self, location: &str) -> Option<Arc<str>> {
        let own = folder_of(location).and_then(|key| self.folders.get(key));
        own.or(self.site.as_ref()).cloned()
    }
}

/// The host and the first directory of a URL.
fn folder_of(location: &str) -> Option<&str> {
    let rest = without_query(location.split_once("://")?.1);
    let host = rest.find('/')? + 1;
    let end = host + rest[host..].find('/')?;
    Some(&rest[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(pages: &[(&str, &str, usize)]) -> Names {
        let mut gatherer = Gatherer::default();
        for (folder, title, count) in pages {
            for n in 0..*count {
                gatherer.add(&format!("http://a.example/{folder}p{n}/"), &title.replace('N', &n.to_string()));
            }
        }
        gatherer.names()
    }

    fn of(names: &Names, place: &str) -> String {
        names.of(&format!("http://a.example/{place}")).map_or_else(String::new, |name| name.to_string())
    }

    #[test]
    fn a_second_install_has_a_name_of_its_own_however_large_it_is() {
        for (first, second) in [(90, 9), (9, 90), (9, 9)] {
            let names = names(&[("", "Boat N - Quay", first), ("blog/", "Day N | Log", second)]);
            assert_eq!([of(&names, "p1/"), of(&names, "blog/p1/"), of(&names, "blog/")], ["Quay", "Log", "Log"]);
        }
    }

    #[test]
    fn a_section_is_no_install_and_a_topic_is_no_name() {
        let all = names(&[("", "Boat N - Quay", 20), ("news/", "Day N - News - Quay", 9), ("talk/", "Talk: N", 5)]);
        assert_eq!([of(&all, "news/p1/"), of(&all, "talk/p1/"), of(&all, "")], ["Quay"; 3]);
        // languages, one of them with most of the pages
        let all = names(&[("en/", "Boat N - Quay", 60), ("", "Boot N - Quay", 40)]);
        assert_eq!([of(&all, "en/p1/"), of(&all, "p1/")], ["Quay"; 2]);
    }
}
