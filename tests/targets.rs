//! Tests on generated sites that no link has a wrong target: records on hosts of others change no target of another record, and no URL on
//! such a host leads to a record of the site.

use crate::workdir::Workdir;
use serde_json::{Value, json};
use std::collections::{HashMap, HashSet};

/// Pseudo-random numbers, the same in every run.
pub struct Chance(pub u64);

impl Chance {
    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % n as u64) as usize
    }

    pub fn one_of<'t>(&mut self, list: &[&'t str]) -> &'t str {
        list[self.below(list.len())]
    }

    pub fn is(&mut self, one_in: usize) -> bool {
        self.below(one_in) == 0
    }
}

/// Parent domains of the hosts of a site and of its neighbours; they do not belong to the site.
const PARENTS: [&str; 5] = ["uni.example", "ac.uk", "wordpress.com", "council.gov.au", "example"];
const NAMES: [&str; 6] = ["cs", "physics", "library", "news", "art", "law"];
const SLUGS: [&str; 6] = ["about", "news", "jobs", "team", "contact", "2023"];
const TONGUES: [&str; 3] = ["en", "de", "fr"];

/// A site being built: its records, and which of them are on hosts of others.
struct Site {
    chance: Chance,
    label: String,
    /// The first host has the API; the pages name the others, and those name it back.
    own: Vec<String>,
    guests: Vec<String>,
    /// Whether each language has a host of its own; otherwise a directory, or there is one language.
    has_hosts: bool,
    has_folders: bool,
    states_rest: bool,
    records: Vec<(Value, bool)>,
}

impl Site {
    fn new(seed: u64) -> Self {
        let mut chance = Chance(seed.wrapping_mul(0x2545_f491_4f6c_dd1d));
        let parent = chance.one_of(&PARENTS);
        let mut names: Vec<String> = NAMES.iter().map(|name| format!("{name}.{parent}")).collect();
        let by = chance.below(3);
        let own: Vec<String> = names.drain(..if by == 1 { 3 } else { 1 }).collect();
        names.extend(["partner.net", "blog.cs.uni.example", "uni.example"].map(str::to_owned));
        let mut site = Site {
            states_rest: by == 1 || !chance.is(4),
            chance,
            label: format!("s{seed}"),
            own,
            guests: names,
            has_hosts: by == 1,
            has_folders: by == 2,
            records: Vec::new(),
        };
        let count = 4 + site.chance.below(16);
        for n in 0..count {
            site.add(n, false);
        }
        // Without evidence in the records, the host with most records is the site's.
        let guests = if site.states_rest { site.chance.below(3 * count) } else { site.chance.below(count / 2) };
        for n in count..count + guests {
            site.add(n, true);
        }
        site
    }

    fn add(&mut self, n: usize, is_guest: bool) {
        let chance = &mut self.chance;
        let tongue = chance.below(if self.has_hosts || self.has_folders { 3 } else { 1 });
        let guest = chance.below(self.guests.len());
        let host = if is_guest { &self.guests[guest] } else { &self.own[if self.has_hosts { tongue } else { 0 }] };
        let folder = if self.has_folders && tongue > 0 { format!("/{}", TONGUES[tongue]) } else { String::new() };
        let slug = chance.one_of(&SLUGS).to_owned();
        let (kind, r#type, path) = match chance.below(8) {
            0 => ("user", "user", format!("/author/{slug}/")),
            1 => ("term", "category", format!("/category/{slug}/")),
            2 => ("media", "attachment", format!("/{slug}-picture/")),
            3 => ("post", "post", format!("/{}/{slug}/", 2000 + chance.below(3))),
            4 => ("post", "book", format!("/book/{slug}/")),
            5 if is_guest => ("post", "page", "/".to_owned()),
            _ => ("post", "page", format!("/{slug}/")),
        };
        let (id, states) = (n / 2 * 2 + usize::from(is_guest), self.states_rest);
        let link = format!("https://{host}{folder}{path}");
        let mut record = json!({"site": self.label, "kind": kind, "type": r#type, "id": id, "link": link, "slug": slug,
            "language": if chance.is(5) { None } else { Some(TONGUES[tongue]) }, "language_source": "hreflang",
            "guid": format!("https://{}/?p={id}", if is_guest { "old.example" } else { "first.example" }),
            "source": {"rest": states.then(|| format!("https://{}/wp-json/", self.own[0]))},
            "categories": [chance.below(9)], "tags": [], "aliases": [], "links": [], "images": [], "translations": [],
            "translation_group": null, "scrape": {"file": null}, "content": {"text": "", "html": ""}});
        if kind == "media" {
            record["source_url"] = json!(format!("https://{host}/wp-content/uploads/{slug}.jpg"));
        }
        let mut named: Vec<&str> = Vec::new();
        if self.has_hosts && !is_guest {
            named.extend(self.own.iter().map(String::as_str));
        } else if chance.is(2) && (!is_guest || guest % 2 == 1) {
            named.push(&self.own[chance.below(self.own.len())]);
        }
        if self.has_folders && !is_guest && chance.is(2) {
            named.push(&self.own[0]);
        }
        if !is_guest && chance.is(6) {
            // A page with a translation elsewhere, on a host without a link back to this site: that is no evidence.
            named.push(&self.guests[guest / 2 * 2]);
        }
        let other = |(at, host): (usize, &&str)| {
            let tongue = (tongue + at) % 3;
            let folder = if self.has_folders && tongue > 0 { format!("/{}", TONGUES[tongue]) } else { String::new() };
            json!({"language": TONGUES[tongue], "language_raw": TONGUES[tongue], "href": format!("https://{host}{folder}{path}"),
                "id": null, "type": null, "source": if is_guest { "rest" } else { "hreflang" },
                "target": {"type": null, "id": null, "link": null}, "rule": null})
        };
        // Records of another site name this one only through the plugin on this site, never through a page there.
        let translations: Vec<Value> =
            named.iter().enumerate().filter(|_| !is_guest || !self.has_hosts).map(other).collect();
        record["translations"] = json!(translations);
        self.records.push((record, is_guest));
    }

    /// A record with links to every possible target on each host.
    fn asking(&self) -> Value {
        let mut urls: Vec<String> = Vec::new();
        for host in self.own.iter().chain(&self.guests) {
            for slug in SLUGS.iter().skip(self.records.len() % 2).step_by(2) {
                let paths = [
                    format!("/{slug}/"),
                    format!("/{slug}/2/"),
                    format!("/{slug}/2023/"),
                    format!("/{slug}/?x=1"),
                    format!("/de/{slug}/"),
                    format!("/author/{slug}/"),
                    format!("/fr/author/{slug}/"),
                    format!("/category/{slug}/"),
                    format!("/category/{slug}/page/2/"),
                    format!("/{slug}-picture/"),
                    format!("/news/{slug}/"),
                    format!("/2000/{slug}/"),
                    format!("/?book={slug}"),
                    format!("/?category_name={slug}"),
                    format!("/?author_name={slug}"),
                    format!("/wp-content/uploads/{slug}-300x200.jpg"),
                    format!("/{slug}/?utm_source=x"),
                    format!("/{slug}/embed/"),
                    format!("/{slug}/#comment-3"),
                ];
                urls.extend(paths.map(|path| format!("https://{host}{path}")));
            }
            urls.extend((0..12).map(|id| format!("https://{host}/?p={id}")));
            urls.extend((0..12).map(|id| format!("https://{host}/?cat={id}")));
        }
        for old in ["first.example", "old.example"] {
            urls.extend(SLUGS.iter().map(|slug| format!("https://{old}/{slug}/")));
        }
        let links: Vec<Value> = urls
            .iter()
            .map(|url| {
                json!({"href": url, "url": url, "rel": null, "internal": null, "comment": null,
            "target": {"type": null, "id": null, "link": null}, "rule": null})
            })
            .collect();
        let images: Vec<&Value> =
            links.iter().filter(|link| link["url"].as_str().is_some_and(|url| url.contains("/uploads/"))).collect();
        json!({"site": self.label, "kind": "post", "type": "page", "id": 100_000, "link": format!("https://{}/asking/", self.own[0]),
            "slug": "asking", "language": null, "language_source": null, "translations": [], "translation_group": null, "links": links,
            "images": images, "aliases": [], "scrape": {"file": null}, "content": {"text": "", "html": ""},
            "source": {"rest": self.states_rest.then(|| format!("https://{}/wp-json/", self.own[0]))}})
    }
}

/// The references of each record of the site: the record, the list, the reference, and the link of its target.
fn targets(out: &[&Value], own: &HashSet<&str>) -> HashMap<String, Option<String>> {
    let mut found = HashMap::new();
    for record in out.iter().filter(|record| own.contains(record["link"].as_str().unwrap())) {
        for (list, key) in [("links", "url"), ("images", "url"), ("translations", "href")] {
            for element in record[list].as_array().into_iter().flatten() {
                let name = format!("{} {} {list} {}", record["type"], record["link"], element[key]);
                found.insert(name, element["target"]["link"].as_str().map(str::to_owned));
            }
        }
    }
    found
}

fn host(url: &str) -> &str {
    url.split('/').nth(2).unwrap_or_default()
}

/// 16 sites (more with WPIPE_SITES), each with all of the records on hosts of others, with half of them, and with none.
#[test]
fn records_on_hosts_of_others_change_no_target() {
    let seeds = std::env::var("WPIPE_SITES").map_or(16, |count| count.parse().unwrap());
    let sites: Vec<Site> = (1..=seeds).map(Site::new).collect();
    let mut input = String::new();
    for site in &sites {
        for part in 0..3 {
            let kept = site
                .records
                .iter()
                .enumerate()
                .filter(|(n, (_, is_guest))| !is_guest || part == 0 || part == 1 && n % 2 == 0);
            for record in kept.map(|(_, (record, _))| record).chain([&site.asking()]) {
                let mut record = record.clone();
                record["site"] = json!(format!("{}-{part}", site.label));
                input += &format!("{record}\n");
            }
        }
    }
    let out = Workdir::new().program("wp-resolve", "-q", input).expect(0).records();
    let (mut checked, mut wrong) = (0, Vec::new());
    for site in &sites {
        let own: Vec<Value> =
            site.records.iter().filter(|(_, is_guest)| !is_guest).map(|(record, _)| record.clone()).collect();
        let asking = site.asking();
        let own: HashSet<&str> = own.iter().chain([&asking]).map(|record| record["link"].as_str().unwrap()).collect();
        let [all, half, none] = [0, 1, 2].map(|part| {
            let label = format!("{}-{part}", site.label);
            targets(&out.iter().filter(|record| record["site"] == label.as_str()).collect::<Vec<_>>(), &own)
        });
        for (name, target) in &none {
            for with in [&all, &half] {
                let other = &with[name];
                checked += 1;
                let is_guest = other.as_deref().is_some_and(|link| !own.contains(link));
                if !is_guest && other != target {
                    wrong.push(format!("{}: {name}: {other:?}, without guests {target:?}", site.label));
                }
                let url = name.rsplit(' ').next().unwrap().trim_matches('"');
                let is_elsewhere = !site.own.iter().any(|own| own == host(url)) && host(url) != "first.example";
                if is_elsewhere && other.as_deref().is_some_and(|link| own.contains(link)) {
                    wrong.push(format!("{}: {name} leads to {other:?}", site.label));
                }
            }
        }
    }
    assert!(
        checked > 10_000 && wrong.is_empty(),
        "{} of {checked} wrong:\n{}",
        wrong.len(),
        wrong[..wrong.len().min(20)].join("\n")
    );
}
