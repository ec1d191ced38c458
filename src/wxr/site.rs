//! Collects the facts about a site that the items of its exports depend on: authors, names of terms, uploads. All exports are read for this
//! before the first item is made.

use super::entry::{Term, id_of, meta, number, plain};
use super::languages::Languages;
use super::media::Upload;
use super::texturize::Marks;
use super::{NAMES, Selection};
use crate::urls::is_address;
use crate::xml::{Element, Entries, Parsed};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::io::{self, Read};

/// The facts about a site from its exports.
#[derive(Default)]
pub(crate) struct Site {
    pub(super) selection: Selection,
    /// The URL of its front page.
    pub(crate) home: String,
    /// Whether all exports have the same front page.
    pub(crate) is_one_blog: bool,
    /// The language of the site, `de-DE`.
    pub(super) language: String,
    /// The ids and public names of the authors, by login.
    authors: HashMap<String, (Option<i64>, Option<String>)>,
    /// The public names of the authors, by id.
    names: HashMap<i64, String>,
    /// The e-mail addresses of the authors, including guest authors.
    addresses: HashSet<String>,
    /// The ids of terms, by taxonomy and slug.
    pub(super) terms: HashMap<(String, String), i64>,
    /// Taxonomies in which terms have parents.
    pub(super) hierarchical: HashSet<String>,
    pub(super) uploads: BTreeMap<i64, Upload>,
    /// The uploads of each post.
    children: BTreeMap<i64, Vec<i64>>,
    /// Items that are left out, together with everything that belongs to them.
    hidden: HashSet<i64>,
    /// The selected statuses and types that some item has.
    pub(super) kinds: HashSet<String>,
    /// The logins of authors with published items.
    writers: HashSet<String>,
    /// All logins, including the parts of addresses before the @.
    logins: HashSet<String>,
    /// Whether all exports name the creators of their items as pages do, by `get_the_author()`, and none by their logins.
    is_of_names: bool,
    /// The contents of reusable blocks.
    pub(super) blocks: HashMap<i64, String>,
    pub(super) languages: Languages,
}

impl Site {
    pub(crate) fn new(selection: Selection) -> Self {
        Site { selection, is_one_blog: true, is_of_names: true, ..Site::default() }
    }

    /// Collects the facts from an export. Damaged entries are reported when its items are made.
    pub(crate) fn learn(&mut self, reader: impl Read, most: usize) -> io::Result<()> {
        let mut entries = Entries::new(reader, NAMES, most);
        let mut is_of_names = false;
        while let Some(found) = entries.next()? {
            let Parsed::Element(element) = found else { continue };
            match &*element.name {
                "wp:base_blog_url" if self.home.is_empty() => self.home = element.text.clone(),
                "wp:base_blog_url" => self.is_one_blog &= self.home == element.text,
                "language" if self.language.is_empty() => self.language = element.text.clone(),
                "wp:wxr_version" => is_of_names = element.text == "1.0",
                "wp:author" => self.learn_author(&element),
                "wp:category" | "wp:tag" | "wp:term" => self.learn_term(&element),
                "item" => self.learn_item(&element, is_of_names),
                _ => {}
            }
        }
        self.is_of_names &= is_of_names;
        Ok(())
    }

    fn learn_author(&mut self, author: &Element) {
        let (login, address) = (author.get("wp:author_login"), author.get("wp:author_email"));
        self.addresses.insert(address.to_lowercase());
        let full = [author.get("wp:author_first_name"), author.get("wp:author_last_name")].join(" ");
        self.learn_login(login);
        let name = [author.get("wp:author_display_name"), &full].into_iter().find_map(|name| self.public(name));
        let id = author.get("wp:author_id").parse().ok().filter(|id| *id > 0);
        if let (Some(id), Some(name)) = (id, name) {
            self.names.entry(id).or_insert_with(|| name.to_owned());
        }
        self.authors.entry(login.to_lowercase()).or_insert_with(|| (id, name.map(str::to_owned)));
    }

    fn learn_login(&mut self, login: &str) {
        let login = plain(login);
        let local = login.split_once('@').map(|(local, _)| local.to_owned());
        self.logins.extend([Some(login), local].into_iter().flatten().filter(|login| !login.is_empty()));
    }

    /// Whether a name, or a part of a URL, is a login.
    pub(super) fn is_login(&self, name: &str) -> bool {
        self.logins.contains(&plain(name))
    }

    fn learn_term(&mut self, element: &Element) {
        let term = Term::of(element);
        if let Some(id) = term.id {
            self.terms.entry((term.taxonomy.to_owned(), term.slug.to_owned())).or_insert(id);
        }
        if !term.parent.is_empty() {
            self.hierarchical.insert(term.taxonomy.to_owned());
        }
        self.languages.learn_term(&term);
    }

    fn learn_item(&mut self, item: &Element, is_of_names: bool) {
        let Some(id) = id_of(item) else { return };
        for (asked, name) in [(&self.selection.statuses, "wp:status"), (&self.selection.types, "wp:post_type")] {
            let name = item.get(name);
            self.kinds.extend(asked.iter().find(|asked| *asked == name).cloned());
        }
        if self.selection.reason_to_leave_out(item).is_some() {
            self.hidden.insert(id);
        } else if item.get("wp:post_type") != "attachment" {
            self.writers.insert(item.get("dc:creator").to_lowercase());
        }
        if !is_of_names {
            self.learn_login(item.get("dc:creator"));
        }
        match item.get("wp:post_type") {
            "attachment" => {
                let mut upload = Upload {
                    url: item.get("wp:attachment_url").to_owned(),
                    link: item.get("link").to_owned(),
                    parent: number(item.get("wp:post_parent")),
                    order: number(item.get("wp:menu_order")),
                    title: item.get("title").to_owned(),
                    caption: item.get("excerpt:encoded").to_owned(),
                    alt: meta(item, "_wp_attachment_image_alt").to_owned(),
                    ..Upload::default()
                };
                upload.note_sizes(meta(item, "_wp_attachment_metadata"));
                self.children.entry(upload.parent).or_default().push(id);
                self.uploads.insert(id, upload);
            }
            "wp_block" if item.get("wp:status") == "publish" && item.get("wp:post_password").is_empty() => {
                self.blocks.insert(id, item.get("content:encoded").to_owned());
            }
            "guest-author" => {
                let (login, name) = (meta(item, "cap-user_login"), meta(item, "cap-display_name"));
                self.addresses.insert(meta(item, "cap-user_email").to_lowercase());
                self.learn_login(login);
                let name = self.public(name);
                self.authors.entry(login.to_lowercase()).or_insert_with(|| (None, name.map(str::to_owned)));
            }
            _ => {}
        }
        self.languages.learn_item(id, item);
    }

    /// The id and public name of the author with a login.
    pub(super) fn author(&self, login: &str) -> Option<&(Option<i64>, Option<String>)> {
        self.authors.get(&login.to_lowercase())
    }

    /// The name of the creator of an item, if the exports are of version 1.0 and have no authors.
    pub(super) fn name_of_creator<'n>(&self, creator: &'n str) -> Option<&'n str> {
        self.public(creator).filter(|_| self.is_of_names && self.authors.is_empty())
    }

    /// The public name of the author with an id.
    pub(super) fn author_name(&self, id: i64) -> Option<&str> {
        self.names.get(&id).map(String::as_str)
    }

    /// Whether the author with a login has published something.
    pub(super) fn is_writer(&self, login: &str) -> bool {
        self.writers.contains(&login.to_lowercase())
    }

    /// A name that may be published: neither an address nor a login.
    pub(crate) fn public<'n>(&self, name: &'n str) -> Option<&'n str> {
        let name = name.trim();
        let lower = name.to_lowercase();
        let is_secret = is_address(&plain(name)) || self.addresses.contains(&lower) || self.is_login(name);
        (!name.is_empty() && !is_secret).then_some(name)
    }

    pub(crate) fn is_hidden(&self, id: i64) -> bool {
        self.hidden.contains(&id)
    }

    pub(super) fn uploads_of(&self, post: i64) -> impl Iterator<Item = (i64, &Upload)> {
        self.children.get(&post).into_iter().flatten().filter_map(|id| Some((*id, self.uploads.get(id)?)))
    }

    pub(super) fn marks(&self) -> &'static Marks {
        Marks::of(&self.language)
    }
}
