//! Complete records without a site behind them, for the largest inputs of wp-resolve: small contents, ten URLs a
//! record by which it can be meant. Streams; a million need no memory.

use crate::chance::Chance;
use crate::counts::Counts;
use crate::site::{BASE, Draw};
use std::io::{self, Write};
use wpipe::record::{Content, Image, Link, Media, Post, Rendered, Size, Str, Translation};

/// Of five records two are posts (link, three aliases) and three media (page, file, twelve sizes): 50 URLs.
const URLS: [u64; 2] = [4, 14];

fn is_post(number: u64) -> bool {
    number % 5 < 2
}

/// Posts of one block of five translate each other.
fn post_link(number: u64) -> String {
    let language = if number.is_multiple_of(5) { "" } else { "fr/" };
    let id = number + 1;
    format!("{BASE}/{language}{}/{:02}/an-article-about-something-{id}/", 2010 + id % 15, 1 + id % 12)
}

fn folder(number: u64) -> String {
    format!("{BASE}/wp-content/uploads/{}/{:02}", 2010 + number % 15, 1 + number % 12)
}

fn some(text: String) -> Option<Str<'static>> {
    Some(Str::from(text))
}

fn word(text: &'static str) -> Option<Str<'static>> {
    Some(Str::from(text))
}

/// Writes `count` records; gives their counts as they are after wp-resolve, and how many URLs they own.
pub fn write(out: &mut impl Write, seed: u64, count: u64) -> io::Result<(Counts, u64)> {
    let mut counts = Counts::default();
    let mut urls = 0;
    let mut line = Vec::new();
    for number in 0..count {
        let mut chance = Chance::of(seed, Draw::Record as u64, number);
        line.clear();
        if is_post(number) {
            urls += URLS[0];
            serde_json::to_writer(&mut line, &post(number, count, &mut chance, &mut counts))
                .expect("a Vec takes everything");
        } else {
            urls += URLS[1];
            serde_json::to_writer(&mut line, &medium(number, &mut counts)).expect("a Vec takes everything");
        }
        line.push(b'\n');
        out.write_all(&line)?;
    }
    Ok((counts, urls))
}

fn post(number: u64, count: u64, chance: &mut Chance, counts: &mut Counts) -> Post<'static> {
    counts.record("post");
    counts.language(language(number));
    let link = post_link(number);
    let mut links = Vec::new();
    for dead in [false, false, false, true] {
        let target = chance.below(count.div_ceil(5)) * 5;
        let href = if dead { format!("{BASE}/gone/{target}/") } else { post_link(target) };
        counts.link(!dead);
        links.push(Link {
            element: word("a"),
            href: some(href.clone()),
            url: some(href),
            text: word("some words"),
            ..Link::default()
        });
    }
    let mut images = Vec::new();
    // The first file of any block but one that is cut short.
    if count >= 5 {
        let target = chance.below(count / 5) * 5 + 2;
        let src = format!("{}/photo-{target}-300x200.jpg", folder(target));
        counts.image(true);
        images.push(Image { src: some(src.clone()), url: some(src), id: None, ..Image::default() });
    }
    let other = if number.is_multiple_of(5) { number + 1 } else { number - 1 };
    let mut translations = Vec::new();
    if other < count {
        counts.translations += 1;
        counts.groups += u64::from(other > number);
        translations.push(Translation {
            language: word(language(other)),
            language_raw: word(language(other)),
            href: some(post_link(other)),
            source: word("hreflang"),
            ..Translation::default()
        });
    }
    Post {
        site: word("journal.example.org"),
        kind: word("post"),
        r#type: word("post"),
        id: Some(number as i64 + 1),
        slug: some(format!("an-article-about-something-{}", number + 1)),
        status: word("publish"),
        date_gmt: word("2020-01-02T03:04:05Z"),
        guid: some(format!("{BASE}/?p={}", number + 1)),
        title: Rendered { html: word("An article about something"), text: word("An article about something") },
        content: Content {
            html: some(format!("<p>What article {number} is about, in few words.</p>")),
            text: some(format!("What article {number} is about, in few words.")),
            protected: Some(false),
            hash: word("00000000000000000000000000000000"),
        },
        content_source: word("api"),
        language: word(language(number)),
        language_source: word("html"),
        translations,
        links,
        images,
        aliases: ["amp/", "feed/", "embed/"].iter().map(|end| Str::from(format!("{link}{end}"))).collect(),
        link: some(link),
        ..Post::default()
    }
}

fn language(number: u64) -> &'static str {
    if number.is_multiple_of(5) { "en" } else { "fr" }
}

fn medium(number: u64, counts: &mut Counts) -> Media<'static> {
    counts.record("media");
    let (folder, stem) = (folder(number), format!("photo-{number}"));
    let size = |i: i64| {
        let (width, height) = (300 * i, 200 * i);
        Size {
            name: some(format!("size-{i}")),
            url: some(format!("{folder}/{stem}-{width}x{height}.jpg")),
            width: Some(width),
            height: Some(height),
            mime_type: word("image/jpeg"),
        }
    };
    Media {
        site: word("journal.example.org"),
        kind: word("media"),
        r#type: word("media"),
        id: Some(number as i64 + 1),
        link: some(format!("{BASE}/{stem}/")),
        slug: some(stem.clone()),
        guid: some(format!("{folder}/{stem}.jpg")),
        media_type: word("image"),
        mime_type: word("image/jpeg"),
        source_url: some(format!("{folder}/{stem}.jpg")),
        sizes: (1..=12).map(size).collect(),
        ..Media::default()
    }
}
