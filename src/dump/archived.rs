//! Finds the responses of the REST API in a web archive. Other modules parse the items in them.

use super::item::Item;
use super::namespace::is_route;
use crate::archive::{self, Outdated, Payload, Records, ResponseHead, Volume, WarcPlace, WarcRecord, read_at};
use crate::report::{Error, shown_path};
use crate::wordpress::{is_of_wordpress_com, rest_root};
use std::cell::Cell;
use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::path::Path;
use std::sync::Arc;

/// Routes of plugins that list the languages of a site: wp-fetch requests them, and they contain no items.
pub(crate) const LANGUAGE_LISTS: [&str; 2] = ["pll/v1/languages", "bogo/v1/languages"];

pub(super) struct Captured {
    volume: Arc<Volume>,
    place: WarcPlace,
    /// The name of the archive and the place in it.
    pub(super) name: String,
    pub(super) age: Age,
}

/// When a response was captured, and which items have become outdated since.
#[derive(Clone, Default)]
pub(super) struct Age {
    time: String,
    outdated: Arc<Outdated>,
}

impl Age {
    /// Whether an item of the response is outdated.
    pub(super) fn is_outdated(&self, item: &Item) -> bool {
        self.outdated.has_item(&item.r#type, item.id, &self.time)
    }
}

#[derive(Default)]
pub(super) struct Answers {
    /// The responses that may contain items, in order, each as the newest capture of its URL.
    pub(super) list: Vec<Captured>,
    /// The number of captures that are not read: errors, inventories by `_fields`, lists of languages, and older
    /// captures.
    pub(super) left_out: u64,
    /// The records that cannot be read: their addresses and errors.
    pub(super) faults: Vec<(String, String)>,
}

impl Answers {
    /// Lists the responses in the archive `path`.
    pub(super) fn in_archive(path: &Path) -> Result<Self, Error> {
        let name = shown_path(path);
        let fail = |e| Error::io(&*name, e);
        let mut answers = Answers::default();
        let mut newest: HashMap<String, (String, usize)> = HashMap::new();
        let mut outdated = Outdated::default();
        for volume in Volume::open(&name, File::open(path).map_err(fail)?).map_err(fail)? {
            answers.add(&Arc::new(volume), &mut newest, &mut outdated);
        }
        let outdated = Arc::new(outdated);
        answers.list.iter_mut().for_each(|answer| answer.age.outdated = outdated.clone());
        answers.left_out += (answers.list.len() - newest.len()) as u64;
        let kept: HashSet<usize> = newest.into_values().map(|(_, at)| at).collect();
        let mut at = 0..;
        answers.list.retain(|_| at.next().is_some_and(|at| kept.contains(&at)));
        Ok(answers)
    }

    fn add(&mut self, volume: &Arc<Volume>, newest: &mut HashMap<String, (String, usize)>, outdated: &mut Outdated) {
        let (mut records, mut block) = (Records::new(volume, Outdated::MOST), Vec::new());
        let kind = Cell::new(WarcKind::Other);
        let look = |record: &WarcRecord, start: &[u8]| {
            kind.set(WarcKind::of(record, start));
            record.is_notice()
        };
        while let Some(record) = records.next(look, &mut block) {
            let record = match record {
                Ok(record) => record,
                Err(fault) => {
                    self.faults.push((format!("{}#{}", volume.name, fault.place), fault.what));
                    continue;
                }
            };
            match kind.get() {
                WarcKind::Other if record.is_notice() => {
                    if let Err(what) = outdated.add(&block) {
                        self.faults.push((format!("{}#{}", volume.name, record.place), what));
                    }
                }
                WarcKind::Other => {}
                WarcKind::Passed => self.left_out += 1,
                WarcKind::Answer => {
                    let time = record.get("warc-date").unwrap_or_default().trim_end_matches('Z').to_owned();
                    let best = newest.entry(record.uri().unwrap_or_default().to_owned()).or_default();
                    if best.0 <= time {
                        *best = (time.clone(), self.list.len());
                    }
                    let name = format!("{}#{}", volume.name, record.place);
                    let age = Age { time, ..Age::default() };
                    self.list.push(Captured { volume: volume.clone(), place: record.place, name, age });
                }
            }
        }
    }
}

impl Captured {
    /// The body of the response; an error if it has more than `most` bytes.
    pub(super) fn body(&self, most: usize) -> Result<Vec<u8>, String> {
        let mut block = Vec::new();
        let record = read_at(&self.volume, self.place, most, &mut block).map_err(|e| e.to_string())?;
        match record.payload(&block, most)? {
            Payload::Body(body) => Ok(body.bytes.into_owned()),
            _ => Err("the record there has no body".to_owned()),
        }
    }
}

/// The kind of a record, determined from its first bytes.
#[derive(Clone, Copy)]
enum WarcKind {
    /// A response that may contain items.
    Answer,
    /// A response of the API without items.
    Passed,
    Other,
}

impl WarcKind {
    fn of(record: &WarcRecord, start: &[u8]) -> Self {
        if record.kind() != "response" || !record.has_payload() {
            return WarcKind::Other;
        }
        let Some((head, _)) = ResponseHead::read(start) else { return WarcKind::Other };
        let url = record.uri().unwrap_or_default();
        let is_json = head.media_type().is_some_and(|name| name.contains("json"));
        let is_of_rest = || is_route(url) || rest_root(url).is_some() || is_of_wordpress_com(url);
        if !is_json || !is_of_rest() {
            return WarcKind::Other;
        }
        if head.status == 200 && !is_inventory(url) && !lists_languages(url) {
            WarcKind::Answer
        } else {
            WarcKind::Passed
        }
    }
}

/// Whether a response is only an inventory of existing items, as wp-fetch requests it: `_fields` selects no text
/// fields.
fn is_inventory(url: &str) -> bool {
    let parameters = url.split(['?', '&']).filter_map(|parameter| parameter.split_once('='));
    let lists = parameters.filter(|(name, _)| matches!(name.get(..7), Some("_fields")));
    let asked = lists.map(|(_, list)| list.replace("%2C", ",").replace("%2c", ",")).collect::<Vec<_>>().join(",");
    // An update requests further fields, with any names.
    let is_update = asked.starts_with("id,link,modified_gmt,");
    !asked.is_empty()
        && asked.split(',').all(|field| match field {
            "id" | "type" | "link" | "url" | "modified_gmt" => true,
            "content" | "title" | "excerpt" | "caption" | "description" | "name" | "slug" | "date" => false,
            _ => is_update,
        })
}

fn lists_languages(url: &str) -> bool {
    let url = url.replace("%2F", "/").replace("%2f", "/");
    let ends = |route: &str| url.split(['?', '&']).any(|part| part.trim_end_matches('/').ends_with(route));
    LANGUAGE_LISTS.into_iter().any(ends)
}

/// Whether an argument is an archive.
pub(super) fn is_archive(argument: &Path) -> bool {
    archive::is_archive(argument) && argument.is_file()
}

#[cfg(test)]
mod tests {
    use super::is_inventory;

    #[test]
    fn an_inventory_asks_for_no_contents() {
        let list = "https://a.example/wp-json/wp/v2/posts";
        for fields in [
            "_fields=id",
            "_fields=id,type",
            "per_page=9&_fields=id,link,modified_gmt",
            "_fields=id,link,modified_gmt,author,categories,genre",
            "_fields[]=id&_fields%5B%5D=link",
        ] {
            assert!(is_inventory(&format!("{list}?{fields}")), "{fields}");
        }
        for fields in [
            "",
            "_fields=id,link,content",
            "_fields=id%2Ctitle",
            "_fields[]=id&_fields[]=content",
            "_fields=id,source_url,alt_text",
            "_fields=id,link,modified_gmt,author,title",
        ] {
            assert!(!is_inventory(&format!("{list}?{fields}")), "{fields}");
        }
    }
}
