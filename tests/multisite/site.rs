//! Generates a site of one to four blogs, and the meaning of each URL in it by WordPress' own rules: it belongs to the blog in whose
//! folder it lies. The records, their pages and the truth come from one list of objects, without using the programs' code.

use crate::targets::Chance;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::fmt::Write;

pub const TONGUES: [&str; 4] = ["en", "de", "ja", "fr"];
const SLUGS: [&str; 9] = ["about", "news", "boats", "harbour", "contact", "storm", "ropes", "masts", "quay"];
const FILES: [&str; 3] = ["pic", "map", "boat"];
const NAMES: [&str; 4] = ["ann", "ben", "cleo", "dan"];
const SYLLABLES: [&str; 16] =
    ["ba", "ke", "ri", "no", "shu", "tel", "mar", "gol", "fin", "ost", "hav", "ler", "quin", "dor", "wes", "pal"];
const ROOTS_OF_LANGUAGES: usize = 3;

/// The home of a blog, or of a language that has its own REST root.
pub struct Place {
    /// Without a trailing slash.
    pub home: String,
    pub tongue: &'static str,
    /// The number of the blog.
    blog: usize,
    uploads: String,
    pub has_dump: bool,
    pub has_pages: bool,
    /// Whether items state their REST root, and whether pages do.
    items_state: bool,
    pages_state: bool,
    /// The path above the slugs of posts.
    dates: &'static str,
}

/// An object in the database of a blog.
pub struct Object {
    place: usize,
    pub kind: &'static str,
    pub r#type: &'static str,
    pub id: i64,
    slug: String,
    pub link: String,
    pub author: i64,
    pub parent: i64,
    pub post: i64,
    pub featured: i64,
    pub terms: Vec<(&'static str, i64)>,
    /// The URLs of its file and of the file's other sizes.
    files: Vec<String>,
    /// The number of the article that this is a translation of.
    pub article: Option<usize>,
    content: String,
    pub has_page: bool,
}

/// The blog's number, and kind, type and id of an object.
pub type Identity = (usize, &'static str, &'static str, i64);

/// The meaning of an address: an object or none. If only a page shows the object and the address alone has no owner, programs need
/// not know it (`is_sure` is false).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Meaning {
    pub of: Option<Identity>,
    pub is_sure: bool,
}

pub struct Site {
    chance: Chance,
    pub label: String,
    layout: usize,
    pub places: Vec<Place>,
    pub objects: Vec<Object>,
    /// The meanings of the URLs in the contents.
    pub truth: HashMap<String, Meaning>,
}

impl Site {
    /// The site for a seed: the first random site whose blogs can be told apart.
    pub fn new(seed: u64) -> Self {
        let drawn = (0..).map(|n| Site::draw(seed, seed + 1000 * n));
        let mut site = drawn.into_iter().find(Site::tells_blogs).unwrap();
        for at in 0..site.objects.len() {
            site.objects[at].content = site.write(at);
        }
        site
    }

    fn draw(seed: u64, chance: u64) -> Self {
        let chance = Chance(chance.wrapping_mul(0x2545_f491_4f6c_dd1d));
        let (places, objects, truth) = (Vec::new(), Vec::new(), HashMap::new());
        let label = format!("s{seed}");
        let mut site = Site { chance, label, layout: seed as usize % 4, places, objects, truth };
        site.add_places();
        for place in 0..site.places.len() {
            site.add_objects(place);
        }
        site.translate();
        site.add_terms();
        site.choose_pages();
        site
    }

    /// Whether the blogs can be told apart: pages of each blog without a dump must contradict the dumps, by ids of records other
    /// than their translations, in at least two more cases than agree by chance; and if pages do not state the API, the folder of
    /// such a blog must not lie in that of another blog, or the reverse.
    fn tells_blogs(&self) -> bool {
        let is_seen = |place: usize| !self.places[place].has_dump && self.places[place].has_pages;
        let tells = |place: usize| {
            let pages = self.objects.iter().filter(|o| o.place == place && o.has_page && o.article.is_some());
            let (mut same, mut others) = (0, 0);
            for page in pages.filter(|o| o.kind == "post") {
                let of_dump = |o: &&Object| self.places[o.place].has_dump && matches!(o.kind, "post" | "media");
                let is_id = |o: &Object| o.id == page.id;
                let led = |o: &Object| o.article == page.article;
                let mut in_dumps = self.objects.iter().filter(of_dump);
                if in_dumps.clone().any(|o| is_id(o) && led(o)) {
                    same += 1;
                } else if in_dumps.clone().any(led) && in_dumps.any(is_id) {
                    others += 1;
                }
            }
            others > same + 1
        };
        let is_nested =
            self.layout == 0 && self.places.len() > 3 && (is_seen(1) || is_seen(3)) && !self.places[1].pages_state;
        self.layout == ROOTS_OF_LANGUAGES
            || !is_nested && (0..self.places.len()).filter(|&place| is_seen(place)).all(tells)
    }

    fn add_places(&mut self) {
        let main = ["https://x.example", "https://www.x.example", "http://x.example"][self.chance.below(3)];
        let bare = main.replace("www.", "");
        let count = 1 + self.chance.below(4);
        let style = self.chance.below(3);
        let dates = ["", "/2021/05", "/archives"][self.chance.below(3)];
        let (items_state, pages_state) = (!self.chance.is(4), !self.chance.is(4));
        for at in 0..count {
            let home = match self.layout {
                _ if at == 0 => main.to_owned(),
                0 | ROOTS_OF_LANGUAGES => {
                    main.to_owned() + ["/de", "/ja", if self.layout == 0 { "/de/lab" } else { "/fr" }][at - 1]
                }
                1 => bare.replace("x.example", ["de.x.example", "ja.x.example", "lab.x.example"][at - 1]),
                _ => ["https://hafen.example", "https://www.minato.example", "https://port.example/lab"][at - 1]
                    .to_owned(),
            };
            let blog = if self.layout == ROOTS_OF_LANGUAGES { 0 } else { at };
            let uploads = match style {
                _ if blog == 0 => format!("{main}/wp-content/uploads/2021/05"),
                0 => format!("{home}/wp-content/uploads/sites/{}/2021/05", blog + 1),
                1 => format!("{home}/files/2021/05"),
                _ => format!("{main}/wp-content/uploads/sites/{}/2021/05", blog + 1),
            };
            let has_dump = at == 0 && !self.chance.is(5) || at > 0 && !self.chance.is(3);
            self.places.push(Place {
                home,
                tongue: TONGUES[at],
                blog,
                uploads,
                has_dump,
                has_pages: !has_dump || !self.chance.is(3),
                items_state,
                pages_state,
                // In a network with folders, WordPress puts this before the paths of the first blog's posts.
                dates: if self.layout == 0 && at == 0 && !dates.is_empty() { "/blog" } else { dates },
            });
        }
        if self.places.iter().all(|place| !place.has_dump) {
            self.places[0].has_dump = true;
        }
    }

    /// A slug that is unique within the blog.
    fn slug(&mut self, place: usize, kinds: &[&str], names: &[&str]) -> String {
        let name = self.chance.one_of(names).to_owned();
        let blog = self.places[place].blog;
        let is_taken = |slug: &str| {
            self.objects.iter().any(|o| self.places[o.place].blog == blog && kinds.contains(&o.kind) && o.slug == slug)
        };
        let numbered = (2..).map(|n| format!("{name}-{n}"));
        std::iter::once(name.clone()).chain(numbered).find(|slug| !is_taken(slug)).unwrap()
    }

    fn add(
        &mut self,
        place: usize,
        kind: &'static str,
        r#type: &'static str,
        id: i64,
        slug: String,
        link: String,
    ) -> usize {
        self.objects.push(Object {
            place,
            kind,
            r#type,
            id,
            slug,
            link,
            author: 0,
            parent: 0,
            post: 0,
            featured: 0,
            terms: Vec::new(),
            files: Vec::new(),
            article: None,
            content: String::new(),
            has_page: false,
        });
        self.objects.len() - 1
    }

    fn add_objects(&mut self, place: usize) {
        let home = self.places[place].home.clone();
        // Languages of one blog share its users, files and ids.
        let is_first = self.layout != ROOTS_OF_LANGUAGES || place == 0;
        for id in 1..=3 {
            let slug = if is_first {
                self.slug(place, &["user"], &NAMES)
            } else {
                self.objects.iter().find(|o| o.kind == "user" && o.id == id).unwrap().slug.clone()
            };
            let link = format!("{home}/author/{slug}/");
            self.add(place, "user", "user", id, slug, link);
        }
        let after = if is_first { 0 } else { 20 * place as i64 };
        for (r#type, first) in [("category", 1), ("tag", 4)] {
            for nth in 0..3 {
                let slug = self.slug(place, &["term"], &SLUGS[..4]);
                let link = format!("{home}/{type}/{slug}/");
                let at = self.add(place, "term", r#type, after + first + (nth + place as i64) % 3, slug, link);
                // The objects of other blogs mean the same, with other ids.
                self.objects[at].article = Some((first + nth) as usize);
            }
        }
        let after = if is_first { self.chance.below(4) as i64 } else { 100 * place as i64 };
        let mut id = after;
        for _ in 0..14 + self.chance.below(12) {
            id += 1 + self.chance.below(2) as i64;
            let pages: Vec<usize> = self.of(place, "page").collect();
            let r#type = match self.chance.below(8) {
                0 | 1 => "page",
                2 if is_first => "attachment",
                3 => "book",
                _ => "post",
            };
            let slug = self.slug(place, &["post", "media"], if r#type == "attachment" { &FILES } else { &SLUGS });
            let parent = if r#type == "page" && self.chance.is(2) { pages.last().copied() } else { None };
            let above = match (r#type, parent) {
                ("page", Some(parent)) => self.objects[parent].link.trim_end_matches('/').to_owned(),
                ("book", _) => format!("{home}/book"),
                ("post", _) => format!("{home}{}", self.places[place].dates),
                _ => home.clone(),
            };
            let kind = if r#type == "attachment" { "media" } else { "post" };
            let at = self.add(place, kind, r#type, id, slug.clone(), format!("{above}/{slug}/"));
            self.objects[at].parent = parent.map_or(0, |parent| self.objects[parent].id);
            self.objects[at].author = 1 + self.chance.below(4) as i64;
            if kind == "media" {
                // File names collide between blogs; within one, WordPress numbers them.
                let file = format!("{}/{slug}", self.places[place].uploads);
                self.objects[at].files = vec![format!("{file}.png"), format!("{file}-300x200.png")];
                self.objects[at].post = if self.chance.is(2) { 1 + self.chance.below(20) as i64 } else { 0 };
            } else {
                self.objects[at].featured = if self.chance.is(2) { 1 + self.chance.below(20) as i64 } else { 0 };
            }
        }
        for id in 1..=3 {
            let posts: Vec<usize> = self.of(place, "post").collect();
            if let Some(&on) = posts.get(self.chance.below(posts.len() + 1)) {
                let id = id + 50 * place as i64 * i64::from(!is_first);
                let link = format!("{}#comment-{id}", self.objects[on].link);
                let at = self.add(place, "comment", "comment", id, String::new(), link);
                self.objects[at].post = self.objects[on].id;
                self.objects[at].author = self.chance.below(4) as i64;
            }
        }
    }

    fn of(&self, place: usize, r#type: &'static str) -> impl Iterator<Item = usize> + '_ {
        (0..self.objects.len()).filter(move |&at| self.objects[at].place == place && self.objects[at].r#type == r#type)
    }

    /// Makes posts and pages of several blogs translations of each other, whatever their ids.
    fn translate(&mut self) {
        let mut article = 10;
        for r#type in ["post", "page"] {
            let mut left: Vec<Vec<usize>> =
                (0..self.places.len()).map(|place| self.of(place, r#type).collect()).collect();
            while left.iter().filter(|of| !of.is_empty()).count() > 1 {
                for of in &mut left {
                    if !of.is_empty() && !self.chance.is(4) {
                        let at = of.remove(self.chance.below(of.len()));
                        self.objects[at].article = Some(article);
                    }
                }
                article += 1;
            }
        }
    }

    /// Gives translations terms that mean the same; some get a term that does not exist.
    fn add_terms(&mut self) {
        for at in 0..self.objects.len() {
            let Object { place, r#type, article, .. } = self.objects[at];
            if r#type != "post" {
                continue;
            }
            let nth = article.unwrap_or_else(|| self.chance.below(9));
            let of = |t: &'static str, article: usize| {
                self.of(place, t)
                    .find(|&term| self.objects[term].article == Some(article))
                    .map(|at| (t, self.objects[at].id))
            };
            let mut terms: Vec<_> =
                [of("category", 1 + nth % 3), of("tag", 4 + nth / 3 % 3)].into_iter().flatten().collect();
            if self.chance.is(6) {
                terms.push(("tag", 7));
            }
            self.objects[at].terms = terms;
        }
    }

    /// For a blog without a dump, mostly the pages that hreflang names were fetched.
    fn choose_pages(&mut self) {
        for at in 0..self.objects.len() {
            let Object { place, kind, article, .. } = self.objects[at];
            let place = &self.places[place];
            let (has_pages, has_dump) = (place.has_pages, place.has_dump);
            self.objects[at].has_page = has_pages
                && match kind {
                    "post" => {
                        article.is_some() && !self.chance.is(12) || has_dump && !self.chance.is(4) || self.chance.is(6)
                    }
                    "comment" => false,
                    _ => has_dump && self.chance.is(2),
                };
        }
    }

    pub fn identity(&self, at: usize) -> Identity {
        let Object { place, kind, r#type, id, .. } = self.objects[at];
        (self.places[place].blog, kind, r#type, id)
    }

    /// The place that a URL belongs to: the one with the longest home.
    fn place_of(&self, url: &str) -> Option<usize> {
        let bare_url = bare(url);
        let is_below = |home: &str| {
            bare_url.strip_prefix(home).is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '?']))
        };
        (0..self.places.len())
            .filter(|&at| is_below(bare(&self.places[at].home)))
            .max_by_key(|&at| self.places[at].home.len())
    }

    /// The object that WordPress shows at a URL.
    pub fn meaning(&self, url: &str) -> Meaning {
        let none = Meaning { of: None, is_sure: true };
        let url = url.split('#').next().unwrap().trim_end_matches("embed/");
        let Some(place) = self.place_of(url) else { return none };
        let Place { blog, home, .. } = &self.places[place];
        let sure = |at: Option<usize>| Meaning { of: at.map(|at| self.identity(at)), is_sure: true };
        let find = |fits: &dyn Fn(&Object) -> bool| {
            (0..self.objects.len())
                .find(|&at| self.places[self.objects[at].place].blog == *blog && fits(&self.objects[at]))
        };
        let rest = &bare(url)[bare(home).len()..];
        if let Some(query) = rest.strip_prefix("/?") {
            let (name, value) = query.split_once('=').unwrap();
            let id: i64 = value.parse().unwrap_or(0);
            return sure(match name {
                // Whatever its type: redirect_canonical() redirects to it.
                "p" | "page_id" | "attachment_id" => find(&|o| matches!(o.kind, "post" | "media") && o.id == id),
                "cat" => find(&|o| o.r#type == "category" && o.id == id),
                "author" => find(&|o| o.kind == "user" && o.id == id),
                "category_name" => find(&|o| o.r#type == "category" && o.slug == value),
                "tag" => find(&|o| o.r#type == "tag" && o.slug == value),
                "author_name" => find(&|o| o.kind == "user" && o.slug == value),
                _ => None,
            });
        }
        let same = |other: &str| bare(other) == bare(url);
        if let Some(at) = (0..self.objects.len()).find(|&at| self.objects[at].files.iter().any(|file| same(file))) {
            return sure(Some(at));
        }
        // A file of the network is served below all of its homes.
        if let Some(file) = rest.strip_prefix("/wp-content/uploads/") {
            let is_it = |o: &Object| o.files.iter().any(|own| own.ends_with(&format!("/wp-content/uploads/{file}")));
            let of = self.objects.iter().position(is_it).map(|at| self.identity(at));
            return Meaning { of, is_sure: of.is_none() };
        }
        let at = find(&|o| o.kind != "comment" && same(&o.link));
        // Plugins link from one language to another, and redirect_guess_404_permalink() redirects to a post with the slug.
        let rest_of = |o: &Object| key(&o.link)[key(&self.places[o.place].home).len()..].to_owned();
        let last = rest.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
        let guessed = || find(&|o| o.kind == "post" && o.slug == last);
        match at.or_else(|| find(&|o| o.kind != "comment" && rest_of(o) == *rest)).or_else(guessed) {
            Some(guess) if at.is_none() => Meaning { of: Some(self.identity(guess)), is_sure: false },
            at => sure(at),
        }
    }

    /// A sequence of words that is unique within this site.
    fn words(&mut self, count: usize) -> String {
        let mut text = String::new();
        for n in 0..count {
            let word: String = (0..2 + self.chance.below(2)).map(|_| self.chance.one_of(&SYLLABLES)).collect();
            text.push_str(if n == 0 { "" } else { " " });
            text.push_str(&word);
        }
        text
    }

    /// An address of an object in some blog, or of none.
    fn address(&mut self, asker: usize) -> String {
        let own = self.objects[asker].place;
        let place = if self.chance.is(2) { own } else { self.chance.below(self.places.len()) };
        let home = self.places[place].home.clone();
        let id = 1 + self.chance.below(30);
        let any = self.chance.below(self.objects.len());
        match self.chance.below(16) {
            0 | 1 => format!("{home}/?p={id}"),
            2 => format!("{home}/?page_id={id}"),
            3 => format!("{home}/?attachment_id={id}"),
            4 => format!("{home}/?cat={}", 1 + id % 7),
            5 => format!("{home}/?author={}", 1 + id % 4),
            6 => format!("{home}/category/{}/", self.chance.one_of(&SLUGS[..4])),
            7 => format!("{home}/author/{}/", self.chance.one_of(&NAMES)),
            8 if self.chance.is(4) => {
                let name = self.chance.one_of(&["category_name", "tag"]);
                format!("{home}/?{name}={}", self.chance.one_of(&SLUGS[..4]))
            }
            8 if self.chance.is(4) => format!("{home}/?author_name={}", self.chance.one_of(&NAMES)),
            // A path of one blog, in another.
            9 | 10 => {
                let theirs = &self.places[self.objects[any].place].home;
                format!("{home}{}", &self.objects[any].link[theirs.len()..])
            }
            _ => self.objects[any].link.clone(),
        }
    }

    /// A file of some blog, or a file with the same name in another.
    fn file(&mut self) -> String {
        let with_files: Vec<usize> = (0..self.objects.len()).filter(|&at| !self.objects[at].files.is_empty()).collect();
        let place = self.chance.below(self.places.len());
        if with_files.is_empty() || self.chance.is(4) {
            return format!("{}/{}.png", self.places[place].uploads, self.chance.one_of(&FILES));
        }
        let at = with_files[self.chance.below(with_files.len())];
        let file = self.objects[at].files[self.chance.below(2)].clone();
        let own = &self.places[self.objects[at].place].home;
        let below = file.strip_prefix(&**own).map(str::to_owned);
        below.filter(|_| self.chance.is(8)).map_or(file, |below| self.places[place].home.clone() + &below)
    }

    /// An HTML fragment with references, whose meanings are recorded.
    fn write(&mut self, at: usize) -> String {
        let mut html = format!("<p>{}.</p>\n", self.words(30));
        if matches!(self.objects[at].kind, "media" | "user") {
            return html;
        }
        for _ in 0..2 + self.chance.below(4) {
            let url = self.address(at);
            self.note(&url);
            let own = self.objects[at].link.split('/').nth(2).unwrap().to_owned();
            let path = url.split_once(&*own).map(|(_, path)| path.to_owned());
            let href = match (path, self.chance.below(4)) {
                (Some(path), 0) if path.starts_with('/') => path,
                (_, 1) => url.split_once(':').unwrap().1.to_owned(),
                _ => url,
            };
            writeln!(html, "<p>{} <a href=\"{href}\">{}</a>.</p>", self.words(6), self.words(1)).unwrap();
        }
        for _ in 0..self.chance.below(2) {
            let url = self.file();
            self.note(&url);
            let meant = self.meaning(&url).of;
            let id = meant.filter(|_| !self.chance.is(4)).map_or(1 + self.chance.below(12) as i64, |(.., id)| id);
            writeln!(html, "<figure><img class=\"wp-image-{id}\" src=\"{url}\" alt=\"\"></figure>").unwrap();
        }
        if self.objects[at].kind == "post" && self.chance.is(2) {
            let embedded = self.chance.below(self.objects.len());
            if self.objects[embedded].kind == "post" {
                let url = format!("{}embed/#?secret=a{at}", self.objects[embedded].link);
                self.note(&url);
                writeln!(html, "<p><iframe src=\"{url}\"></iframe></p>").unwrap();
            }
        }
        html
    }

    fn note(&mut self, url: &str) {
        let meaning = self.meaning(url);
        self.truth.insert(key(url), meaning);
    }

    /// The items of a dump, in files with these names.
    pub fn dump(&self, place: usize) -> Vec<(&'static str, Vec<Value>)> {
        let file = |name, kind: &str, r#type: &str| {
            let of = self.objects.iter().filter(|o| o.place == place && o.kind == kind && o.r#type == r#type);
            let mut items: Vec<Value> = of.map(|object| self.item(object)).collect();
            // In a language, the API lists all files, at addresses of that language.
            if self.layout == ROOTS_OF_LANGUAGES && place > 0 && kind == "media" {
                items = self.objects.iter().filter(|o| o.kind == "media").map(|object| self.item(object)).collect();
            }
            (name, items)
        };
        [
            file("posts", "post", "post"),
            file("pages", "post", "page"),
            file("books", "post", "book"),
            file("media", "media", "attachment"),
            file("categories", "term", "category"),
            file("tags", "term", "tag"),
            file("users", "user", "user"),
            file("comments", "comment", "comment"),
        ]
        .into_iter()
        .filter(|(_, items)| !items.is_empty())
        .collect()
    }

    fn item(&self, o: &Object) -> Value {
        let place = &self.places[o.place];
        let main = self.places.iter().find(|other| other.blog == place.blog).unwrap();
        let base = match o.r#type {
            "attachment" => "media",
            "category" => "categories",
            "post" | "page" | "tag" | "user" | "comment" | "book" => &format!("{}s", o.r#type),
            _ => unreachable!(),
        };
        let mut item = json!({"id": o.id, "link": o.link});
        let mut put = |name: &str, value: Value| item[name] = value;
        if !matches!(o.kind, "comment") {
            put("slug", json!(o.slug));
        }
        let rendered = json!({"rendered": o.content, "protected": false});
        match o.kind {
            "user" => put("name", json!(o.slug)),
            "term" => {
                put("name", json!(o.slug));
                put("taxonomy", json!(if o.r#type == "tag" { "post_tag" } else { "category" }));
                put("description", json!(o.content));
                put("count", json!(1));
                put("parent", json!(0));
            }
            "comment" => {
                put("content", rendered);
                put("post", json!(o.post));
                put("parent", json!(0));
                put("author", json!(o.author));
                put("author_name", json!("x"));
                put("date_gmt", json!("2021-05-01T10:00:00"));
                put("status", json!("approved"));
                put("type", json!("comment"));
            }
            _ => {
                let guid = match o.r#type {
                    "attachment" => o.files[0].clone(),
                    "page" => format!("{}/?page_id={}", main.home, o.id),
                    "book" => format!("{}/?post_type=book&#038;p={}", main.home, o.id),
                    _ => format!("{}/?p={}", main.home, o.id),
                };
                put("guid", json!({"rendered": guid}));
                put("type", json!(o.r#type));
                put("status", json!(if o.kind == "media" { "inherit" } else { "publish" }));
                put("date_gmt", json!("2021-05-01T10:00:00"));
                put("modified_gmt", json!("2021-05-02T10:00:00"));
                put("title", json!({"rendered": format!("{} {}", o.slug, place.tongue)}));
                put("author", json!(o.author));
                if o.kind == "media" {
                    put("media_type", json!("image"));
                    put("mime_type", json!("image/png"));
                    put("source_url", json!(o.files[0]));
                    put("post", json!(o.post));
                    put("description", json!({"rendered": o.content}));
                    put(
                        "media_details",
                        json!({"width": 900, "height": 600, "file": format!("2021/05/{}.png", o.slug),
                        "sizes": {"medium": {"file": format!("{}-300x200.png", o.slug), "width": 300, "height": 200,
                            "mime_type": "image/png", "source_url": o.files[1]}}}),
                    );
                } else {
                    put("content", rendered);
                    put("featured_media", json!(o.featured));
                }
                if o.r#type == "page" {
                    put("parent", json!(o.parent));
                }
                if o.r#type == "post" {
                    let of = |wanted: &str| {
                        o.terms.iter().filter(|(t, _)| *t == wanted).map(|(_, id)| id).collect::<Vec<_>>()
                    };
                    put("categories", json!(of("category")));
                    put("tags", json!(of("tag")));
                }
            }
        }
        if place.items_state {
            let api = format!("{}/wp-json/wp/v2/{base}", place.home);
            put("_links", json!({"self": [{"href": format!("{api}/{}", o.id)}], "collection": [{"href": api}]}));
        }
        item
    }

    /// The file of an object's page in a mirror, and the page.
    pub fn page(&self, at: usize) -> (String, String) {
        let o = &self.objects[at];
        let place = &self.places[o.place];
        let (home, base) = (&place.home, format!("{}s", o.r#type));
        let mut head = format!("<title>{} {} - Quay</title>\n", o.slug, place.tongue);
        writeln!(head, "<meta name=generator content='WordPress 6.5'>\n<link rel=canonical href='{}'>", o.link)
            .unwrap();
        if o.kind == "post" && o.article.is_some() {
            for other in self.objects.iter().filter(|other| other.article == o.article) {
                let tongue = self.places[other.place].tongue;
                writeln!(head, "<link rel=alternate hreflang={tongue} href='{}'>", other.link).unwrap();
            }
        }
        if o.kind == "post" {
            writeln!(head, "<link rel=shortlink href='{home}/?p={}'>", o.id).unwrap();
        }
        if place.pages_state {
            writeln!(head, "<link rel='https://api.w.org/' href='{home}/wp-json/'>").unwrap();
            if o.kind == "post" {
                let api = format!("{home}/wp-json/wp/v2/{base}/{}", o.id);
                writeln!(head, "<link rel=alternate type=application/json href='{api}'>").unwrap();
            }
        }
        let (slug, id) = (&o.slug, o.id);
        let class = match o.r#type {
            "page" => format!("page-template-default page page-id-{id}"),
            "attachment" => {
                format!("attachment attachment-template-default single single-attachment postid-{id} attachmentid-{id}")
            }
            "category" => format!("archive category category-{slug} category-{id}"),
            "tag" => format!("archive tag tag-{slug} tag-{id}"),
            "user" => format!("archive author author-{slug} author-{id}"),
            r#type => format!("{type}-template-default single single-{type} postid-{id}"),
        };
        let article = format!(
            "<article id='post-{id}' class='post-{id} {} type-{} status-publish hentry'><h1 class='entry-title'>{slug} {}</h1>
             <div class='entry-content'>{}</div></article>",
            o.r#type, o.r#type, place.tongue, o.content
        );
        let list = format!("<article class='post hentry'><h2><a href='{home}/'>x</a></h2></article>");
        let main = if matches!(o.kind, "post" | "media") { article } else { list };
        let page = format!(
            "<!DOCTYPE html><html lang={}><head>{head}</head><body class='{class}'><header><a href='{home}/'>Quay</a></header>
             <main>{main}</main><footer><p>Quay</p></footer></body></html>",
            place.tongue
        );
        (format!("{}index.html", o.link.split_once("//").unwrap().1), page)
    }
}

/// The form in which addresses are compared here.
pub fn key(url: &str) -> String {
    bare(url).to_owned()
}

fn bare(url: &str) -> &str {
    let url = url.split_once("//").map_or(url, |(_, rest)| rest);
    url.strip_prefix("www.").unwrap_or(url)
}
