//! Tests that no link has a wrong target if ids, slugs and file names collide, on generated networks of blogs, in folders, on hosts of one
//! domain or of several, with and without the dump and the pages of each; and on single blogs in which each language has its own REST root.
//! The meaning of each address is recorded before the programs run.

mod site;

use crate::targets::Chance;
use crate::workdir::Workdir;
use serde_json::{Value, json};
use site::{Identity, Site, key};
use std::collections::{BTreeSet, HashMap, HashSet};

/// Puts the programs of WPIPE_PROGRAMS before those built for the tests.
const PROGRAMS: &str = "PATH=${WPIPE_PROGRAMS:-.}:$PATH; ";

/// How many targets exist and were found, and which are wrong, over all sites.
#[derive(Default)]
struct Figures {
    there: usize,
    found: usize,
    /// The number of groups that exist, and of those that were found.
    groups: [usize; 2],
    missing: Vec<String>,
    wrong: Vec<String>,
}

/// Writes the dumps and pages of a site; returns the arguments of wpipe and wp-index.
fn write(site: &Site, dir: &Workdir) -> String {
    let mut arguments = String::new();
    for (at, _) in site.places.iter().enumerate().filter(|(_, place)| place.has_dump) {
        let files = site.dump(at);
        if at % 2 == 0 {
            files
                .iter()
                .for_each(|(name, items)| _ = dir.write(&format!("raw-{at}/{name}.json"), json!(items).to_string()));
            arguments += &format!(" raw-{at}");
        } else {
            let all: Vec<String> = files.iter().flat_map(|(_, items)| items).map(Value::to_string).collect();
            dir.write(&format!("blog-{at}.ndjson"), all.join("\n"));
            arguments += &format!(" blog-{at}.ndjson");
        }
    }
    for at in (0..site.objects.len()).filter(|&at| site.objects[at].has_page) {
        let (file, page) = site.page(at);
        dir.write(&format!("scrape/{file}"), page);
    }
    let scrape = if site.objects.iter().any(|object| object.has_page) { "--scrape scrape " } else { "" };
    format!("{arguments} {scrape}--allow-empty --site {}", site.label)
}

/// The programs' results for a site, together with its truth.
struct Judged<'a> {
    site: &'a Site,
    records: &'a [Value],
    /// For each record, the object that it represents.
    of: Vec<Option<usize>>,
    /// The objects that have items, and the addresses of pages that became records.
    items: HashSet<Identity>,
    pages: HashSet<String>,
}

impl<'a> Judged<'a> {
    fn new(site: &'a Site, records: &'a [Value]) -> Self {
        let object = |record: &Value| {
            let is_html = record["kind"] == "html";
            site.objects.iter().position(|object| {
                let (_, kind, r#type, id) = (0, object.kind, type_of(object.r#type), object.id);
                let is_it = record["kind"] == kind && record["type"] == r#type && record["id"] == id;
                record["link"] == *object.link && (is_it || is_html)
            })
        };
        let of: Vec<Option<usize>> = records.iter().map(object).collect();
        let with = |page: bool| records.iter().zip(&of).filter(move |(record, _)| is_of_page(record) == page);
        let items = with(false).filter_map(|(_, of)| Some(site.identity((*of)?))).collect();
        let pages = with(true).filter_map(|(record, _)| Some(key(record["link"].as_str()?))).collect();
        Judged { site, records, of, items, pages }
    }

    /// The object of a target: `Some(None)` without a target, `None` if there is no such object.
    fn target(&self, target: &Value) -> Option<Option<Identity>> {
        if target["link"].is_null() && target["id"].is_null() {
            return Some(None);
        }
        let same = |record: &&Value| ["type", "id", "link"].iter().all(|name| record[name] == target[name]);
        let at = self.records.iter().position(|record| same(&record))?;
        Some(Some(self.site.identity(self.of[at]?)))
    }

    /// Compares a target with the object that is meant; `url` is the reference, if it is by URL.
    fn check(
        &self,
        what: &str,
        found: &Value,
        meant: Option<Identity>,
        is_sure: bool,
        url: Option<&str>,
        figures: &mut Figures,
    ) {
        let is_page = url.is_some_and(|url| self.pages.contains(&key(url)));
        let is_there = meant.is_some_and(|meant| self.items.contains(&meant)) || is_page;
        let line = || format!("{}: {what}: {found}, not {meant:?}", self.site.label);
        figures.there += usize::from(is_there && is_sure);
        match self.target(found) {
            Some(None) if is_there && is_sure => figures.missing.push(line()),
            Some(None) => {}
            Some(found) if found == meant => figures.found += usize::from(is_there && is_sure),
            _ => figures.wrong.push(line()),
        }
    }

    fn judge(&self, figures: &mut Figures) {
        let nothing = json!({"link": null, "id": null});
        for (record, of) in self.records.iter().zip(&self.of) {
            let name = format!("{} {} {}", record["type"], record["id"], record["link"]);
            let Some(at) = *of else {
                figures.wrong.push(format!("{}: {name}: a record of nothing", self.site.label));
                continue;
            };
            let (object, own) = (&self.site.objects[at], self.site.identity(at));
            for list in ["links", "images", "embeds"] {
                for element in record[list].as_array().into_iter().flatten() {
                    let url = element[if list == "embeds" { "src" } else { "url" }].as_str().unwrap_or_default();
                    let Some(meaning) = self.site.truth.get(&key(url)) else { continue };
                    let what = format!("{name} {list} {url} {} {}", element["rule"], element["reason"]);
                    self.check(&what, &element["target"], meaning.of, meaning.is_sure, Some(url), figures);
                }
            }
            let of_page = is_of_page(record);
            if object.kind == "post" {
                let featured = (own.0, "media", "attachment", object.featured);
                let target = &record["featured_image"]["target"];
                self.check(&format!("{name} featured"), target, Some(featured), !of_page, None, figures);
            }
            for term in record["terms"].as_array().into_iter().flatten().filter(|_| !of_page) {
                let (r#type, id) =
                    (if term["taxonomy"] == "category" { "category" } else { "tag" }, term["id"].as_i64().unwrap());
                let meant = (own.0, "term", r#type, id);
                let target = if term["link"].is_null() {
                    nothing.clone()
                } else {
                    json!({"type": r#type, "id": id, "link": term["link"]})
                };
                self.check(&format!("{name} {term}"), &target, Some(meant), true, None, figures);
            }
            self.check(
                &format!("{name} copy_of"),
                record.get("copy_of").unwrap_or(&nothing),
                None,
                true,
                None,
                figures,
            );
            self.judge_page(record, &name, at, figures);
        }
    }

    /// Checks that the page of a record, its other addresses and its translations belong to it.
    fn judge_page(&self, record: &Value, name: &str, at: usize, figures: &mut Figures) {
        let (object, own) = (&self.site.objects[at], self.site.identity(at));
        let mut wrong = |what: String| figures.wrong.push(format!("{}: {name}: {what}", self.site.label));
        if let Some(file) = record["scrape"]["file"].as_str() {
            let is_it =
                |object: &site::Object| object.link.split_once("//").unwrap().1 == file.trim_end_matches("index.html");
            let shown = self.site.objects.iter().position(is_it);
            if shown.map(|at| self.site.identity(at)) != Some(own) {
                wrong(format!("shown by {file}"));
            }
        }
        for alias in record["aliases"].as_array().into_iter().flatten() {
            if self.site.meaning(alias.as_str().unwrap()).of != Some(own) {
                wrong(format!("is not at {alias}"));
            }
        }
        let same = &record["same"];
        if !same["id"].is_null() && (same["id"] != object.id || same["type"] != type_of(object.r#type)) {
            wrong(format!("same {same}"));
        }
        for said in record["translations"].as_array().into_iter().flatten() {
            let Some(None) = self.target(&said["target"]) else {
                let target = self.target(&said["target"]).flatten();
                let other =
                    target.and_then(|target| (0..self.site.objects.len()).find(|&at| self.site.identity(at) == target));
                if object.article.is_none()
                    || other.is_none_or(|other| self.site.objects[other].article != object.article)
                {
                    figures.wrong.push(format!("{}: {name}: translation {said}", self.site.label));
                }
                continue;
            };
        }
    }

    /// Compares the groups that were found with those that pages state. Terms on translated posts may also form groups.
    fn judge_groups(&self, figures: &mut Figures) {
        let mut truth: HashMap<usize, (BTreeSet<usize>, bool)> = HashMap::new();
        let mut named: HashMap<&str, BTreeSet<usize>> = HashMap::new();
        for (record, at) in self.records.iter().zip(&self.of) {
            let Some((at, object)) = at.map(|at| (at, &self.site.objects[at])) else { continue };
            if let Some(article) = object.article.filter(|_| object.kind == "post") {
                let group = truth.entry(article).or_default();
                group.0.insert(at);
                group.1 |= object.has_page;
            }
            if let Some(name) = record["translation_group"].as_str() {
                named.entry(name).or_default().insert(at);
            }
        }
        let truth: BTreeSet<BTreeSet<usize>> =
            truth.into_values().filter(|(all, is_stated)| *is_stated && all.len() > 1).map(|(all, _)| all).collect();
        for group in named.into_values() {
            let articles: HashSet<_> =
                group.iter().map(|&at| (self.site.objects[at].kind, self.site.objects[at].article)).collect();
            let line = || {
                let links: Vec<&str> = group.iter().map(|&at| &*self.site.objects[at].link).collect();
                format!("{}: group {links:?}", self.site.label)
            };
            if articles.len() > 1 || articles.contains(&("post", None)) {
                figures.wrong.push(line());
            } else if truth.contains(&group) {
                figures.groups[1] += 1;
            } else if articles.iter().any(|(kind, _)| *kind == "post") {
                figures.missing.push(line());
            }
        }
        figures.groups[0] += truth.len();
    }

    /// The number of references by id to missing records, as wp-resolve counts them.
    fn dangling(&self) -> HashMap<&'static str, u64> {
        let mut counts: HashMap<&'static str, u64> = HashMap::new();
        for (record, at) in self.records.iter().zip(&self.of) {
            let (Some(at), false) = (*at, is_of_page(record)) else { continue };
            let (object, own) = (&self.site.objects[at], self.site.identity(at).0);
            let parent = if object.r#type == "page" { object.parent } else { 0 };
            for (name, id, kinds) in [
                ("dangling_author", object.author, &["user"][..]),
                ("dangling_parent", parent, &["post"]),
                ("dangling_featured_media", object.featured, &["media"]),
                ("dangling_post", object.post, &["post"]),
            ] {
                let is_there = self
                    .items
                    .iter()
                    .any(|&(blog, kind, _, other)| blog == own && kinds.contains(&kind) && other == id);
                *counts.entry(name).or_default() += u64::from(id > 0 && !is_there);
            }
        }
        counts
    }
}

/// Whether a record was read from a page.
fn is_of_page(record: &Value) -> bool {
    record["source"]["via"] == "page"
}

/// The type of records for a type of WordPress.
fn type_of(name: &str) -> &str {
    if name == "attachment" { "media" } else { name }
}

/// The targets, groups and languages of a site, independent of the order of its lines.
fn decided(records: &[Value]) -> BTreeSet<String> {
    let keys = [
        "type",
        "id",
        "link",
        "language",
        "translation_group",
        "translations",
        "links",
        "images",
        "embeds",
        "featured_image",
        "copy_of",
    ];
    records.iter().map(|record| keys.map(|name| record[name].to_string()).join(" ")).collect()
}

/// 60 sites, 300 in `make check`.
#[test]
fn no_target_and_no_group_of_another_blog() {
    let count = if std::env::var_os("WPIPE_CASES").is_some() { 300 } else { 60 };
    let mut figures = Figures::default();
    for seed in 0..count {
        let (site, dir) = (Site::new(seed), Workdir::new());
        let arguments = write(&site, &dir);
        let run = dir.sh(&format!("{PROGRAMS}wpipe -q -j1 {arguments} --stats stats")).expect(0);
        let records = run.records();
        let judged = Judged::new(&site, &records);
        judged.judge(&mut figures);
        judged.judge_groups(&mut figures);
        let counts: Value = serde_json::from_str(&dir.read("stats/resolve.json")).unwrap();
        for (name, count) in judged.dangling() {
            if counts[name].as_u64().unwrap_or(0) != count {
                figures.wrong.push(format!("{}: {name} {}, not {count}", site.label, counts[name]));
            }
        }
    }
    let Figures { there, found, groups: [there_groups, found_groups], missing, wrong } = &figures;
    println!(
        "{count} sites: {found} of {there} targets and {found_groups} of {there_groups} groups found, {} wrong",
        wrong.len()
    );
    let some = |lines: &[String]| lines[..lines.len().min(50)].join("\n");
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), some(wrong));
    assert!(found * 100 >= there * 99 && found_groups * 100 >= there_groups * 99, "missing:\n{}", some(missing));
}

#[test]
fn neither_the_order_of_records_nor_threads_decide() {
    let dir = Workdir::new();
    let mut all = Vec::new();
    for seed in 0..12 {
        let site = Site::new(seed);
        let arguments = write(&site, &dir);
        let run = dir.sh(&format!("wp-index -q {arguments} | wp-parse -q | wp-translations -q; rm -r *")).expect(0);
        let mut lines: Vec<String> = run.stdout.lines().map(str::to_owned).collect();
        let mut chance = Chance(seed);
        let [straight, mut shuffled] = [lines.clone(), std::mem::take(&mut lines)];
        (1..shuffled.len()).rev().for_each(|at| shuffled.swap(at, chance.below(at + 1)));
        all.push([straight, shuffled]);
    }
    let resolved = |which: usize, jobs: &str| {
        let input: Vec<&str> = all.iter().flat_map(|site| &site[which]).map(String::as_str).collect();
        decided(&dir.program("wp-resolve", &format!("-q {jobs}"), input.join("\n")).expect(0).records())
    };
    let [straight, shuffled] = [resolved(0, "-j1"), resolved(1, "-j4")];
    let other = straight.symmetric_difference(&shuffled).next();
    assert!(other.is_none(), "{other:?}");
}
