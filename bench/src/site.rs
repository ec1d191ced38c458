//! The plan of a site: every post, page, file, term and user as a function of its number, so that the site needs no
//! memory however large it is. What the things contain is written by the other modules.

use crate::chance::Chance;
use crate::words::{self, Language};
use std::ops::Range;

/// The site's host.
pub const HOST: &str = "journal.example.org";
/// What all URLs of the site begin with.
pub const BASE: &str = "https://journal.example.org";
/// How many users write it.
pub const USERS: u64 = 15;
/// How many categories it has.
pub const CATEGORIES: u64 = 24;
/// The sizes in which WordPress keeps an image, but for the full one.
pub const SIZES: [(&str, u64, u64); 5] = [
    ("thumbnail", 150, 150),
    ("medium", 300, 200),
    ("medium_large", 768, 512),
    ("large", 1024, 683),
    ("1536x1536", 1536, 1024),
];

/// Posts come in blocks of this size, each cut into groups of translations in the same way.
const BLOCK: u64 = 16;

/// What chance is asked for; one sequence for each.
#[derive(Clone, Copy)]
pub enum Draw {
    Post = 1,
    Group,
    Page,
    Media,
    Term,
    User,
    Comment,
    Body,
    Theme,
    Scraped,
    Record,
}

/// The plan.
pub struct Site {
    pub seed: u64,
    /// How many posts.
    pub posts: u64,
    pub languages: Vec<Language>,
    /// Small contents and small pages, for many records.
    pub lean: bool,
    /// For each post of a block: the first of its group and the group's size.
    groups: Vec<(u64, u64)>,
}

/// A post or a page.
pub struct Article {
    pub number: u64,
    pub id: u64,
    /// Index into [`Site::languages`].
    pub language: usize,
    pub title: String,
    pub slug: String,
    pub path: String,
    /// As REST has it: `YYYY-MM-DDTHH:MM:SS`.
    pub date: String,
    /// The numbers of the posts that are its translations, itself included.
    pub group: Range<u64>,
}

/// An image of the library.
pub struct Media {
    pub id: u64,
    /// URL of its folder.
    pub folder: String,
    pub stem: String,
    pub extension: &'static str,
    /// Larger than 2560 pixels when it was uploaded: WordPress shows a `-scaled` copy.
    pub scaled: bool,
    pub width: u64,
}

/// A category or a tag.
pub struct Term {
    pub id: u64,
    pub language: usize,
    pub name: String,
    pub slug: String,
    pub path: String,
    pub parent: u64,
}

impl Site {
    /// A site of `posts` posts in up to six languages.
    pub fn new(seed: u64, posts: u64, languages: usize, lean: bool) -> Self {
        let languages = words::languages(languages);
        let mut groups = Vec::new();
        for size in [4, 3, 2, 2, 1, 1, 1, 1, 1] {
            // Fewer languages: smaller groups, more of them.
            let size = size.min(languages.len() as u64);
            let first = groups.len() as u64;
            groups.extend((0..size).map(|_| (first, size)));
        }
        for alone in groups.len() as u64..BLOCK {
            groups.push((alone, 1));
        }
        Site { seed, posts, languages, lean, groups }
    }

    /// Chance for one thing of the site.
    pub fn chance(&self, draw: Draw, number: u64) -> Chance {
        Chance::of(self.seed, draw as u64, number)
    }

    pub fn pages(&self) -> u64 {
        (self.posts / 20).max(5)
    }

    pub fn media(&self) -> u64 {
        (self.posts * 3 / 5).max(20)
    }

    pub fn tags(&self) -> u64 {
        (self.posts / 20).clamp(20, 20_000)
    }

    pub fn comments(&self) -> u64 {
        self.posts / 2
    }

    /// What paths in this language begin with.
    pub fn prefix(&self, language: usize) -> String {
        if language == 0 { String::new() } else { format!("/{}", self.languages[language].code) }
    }

    /// The post of that number.
    pub fn post(&self, number: u64) -> Article {
        let (first, size) = self.groups[(number % BLOCK) as usize];
        let first = number - number % BLOCK + first;
        let group = first..(first + size).min(self.posts);
        let mut of_group = self.chance(Draw::Group, first);
        let (year, month, day) = (of_group.between(2016, 2024), of_group.between(1, 12), of_group.between(1, 28));
        let language = self.language_in_group(number - first, size, &mut of_group);
        let mut chance = self.chance(Draw::Post, number);
        let id = 1001 + number;
        let title = self.languages[language].title(&mut chance);
        let slug = format!("{}-{id}", words::slug(&title));
        let path = format!("{}/{year}/{month:02}/{day:02}/{slug}/", self.prefix(language));
        let (hour, minute, second) = (chance.below(24), chance.below(60), chance.below(60));
        let date = format!("{year}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}");
        Article { number, id, language, title, slug, path, date, group }
    }

    /// The first of a group is in the site's first language, the others in different ones; a post alone in any.
    fn language_in_group(&self, member: u64, size: u64, chance: &mut Chance) -> usize {
        let others = self.languages.len() as u64 - 1;
        if others == 0 || (member == 0 && (size > 1 || chance.percent(85))) {
            return 0;
        }
        (1 + (chance.below(others) + member) % others) as usize
    }

    /// Some post.
    pub fn any_post(&self, chance: &mut Chance) -> Article {
        self.post(chance.below(self.posts))
    }

    /// The page of that number.
    pub fn page(&self, number: u64) -> Article {
        let mut chance = self.chance(Draw::Page, number);
        let language = chance.below(self.languages.len() as u64) as usize;
        let title = self.languages[language].title(&mut chance);
        let slug = format!("{}-pg{number}", words::slug(&title));
        let path = format!("{}/{slug}/", self.prefix(language));
        let date = format!("2020-01-{:02}T08:00:00", 1 + number % 28);
        Article { number, id: 50_000_000 + number, language, title, slug, path, date, group: number..number + 1 }
    }

    /// The image of that number.
    pub fn medium(&self, number: u64) -> Media {
        let mut chance = self.chance(Draw::Media, number);
        let folder = format!("{BASE}/wp-content/uploads/{}/{:02}", chance.between(2016, 2024), chance.between(1, 12));
        let stem = format!("{:08x}-{number}", chance.draw() as u32);
        let extension = chance.one_of(&["jpg", "jpg", "jpg", "png"]);
        let scaled = chance.percent(12);
        let width = if scaled { 2560 } else { *chance.one_of(&[1600, 1800, 2048]) };
        Media { id: 100_000_000 + number, folder, stem, extension, scaled, width }
    }

    /// Some image.
    pub fn any_medium(&self, chance: &mut Chance) -> Media {
        self.medium(chance.below(self.media()))
    }

    /// The category of that number.
    pub fn category(&self, number: u64) -> Term {
        let parent = if number < CATEGORIES / 2 { 0 } else { 10 + number % (CATEGORIES / 2) };
        self.term("category", number, 10 + number, number as usize % self.languages.len(), parent)
    }

    /// The tag of that number.
    pub fn tag(&self, number: u64) -> Term {
        let mut chance = self.chance(Draw::Term, 1_000_000 + number);
        let language = chance.below(self.languages.len() as u64) as usize;
        self.term("tag", number, 200_000_000 + number, language, 0)
    }

    fn term(&self, base: &str, number: u64, id: u64, language: usize, parent: u64) -> Term {
        let mut chance = self.chance(Draw::Term, id);
        let count = chance.between(1, 2);
        let name = self.languages[language].words(&mut chance, count);
        let slug = format!("{}-{}{number}", words::slug(&name), &base[..1]);
        let path = format!("{}/{base}/{slug}/", self.prefix(language));
        Term { id, language, name, slug, path, parent }
    }

    /// The name of a user, from 1.
    pub fn user(&self, id: u64) -> String {
        self.languages[0].title(&mut self.chance(Draw::User, id)).split(' ').take(2).collect::<Vec<_>>().join(" ")
    }

    /// The post that a comment of that number (from 0) stands under.
    pub fn commented(&self, number: u64) -> u64 {
        self.chance(Draw::Comment, number).below(self.posts)
    }
}

impl Article {
    /// Its permalink.
    pub fn url(&self) -> String {
        format!("{BASE}{}", self.path)
    }
}

impl Media {
    /// Name of the file that is shown in full size.
    pub fn file(&self) -> String {
        format!("{}{}.{}", self.stem, if self.scaled { "-scaled" } else { "" }, self.extension)
    }

    /// Name of a smaller file.
    pub fn sized(&self, width: u64, height: u64) -> String {
        format!("{}-{width}x{height}.{}", self.stem, self.extension)
    }

    /// URL of the file that is shown in full size.
    pub fn url(&self) -> String {
        format!("{}/{}", self.folder, self.file())
    }

    /// URL of a smaller file.
    pub fn sized_url(&self, width: u64, height: u64) -> String {
        format!("{}/{}", self.folder, self.sized(width, height))
    }

    /// URL of its attachment page.
    pub fn page(&self) -> String {
        format!("{BASE}/{}/", self.stem)
    }
}
