//! Reads who wrote a post where a page says it in words between title and text: `Posted by Ann Boatwright on May 3, 2009`,
//! `19 December 2007 by Ann`, `Autor: Ann Boatwright`. Words are no markup, so that only these forms are read: a line that begins
//! with the label, and one with a day before it.

use super::days;
use crate::page::title::BY;

/// Bytes of a line that is looked at.
const LONGEST: usize = 160;

/// Words of a name.
const MOST_WORDS: usize = 4;

/// Bytes of a word that a stop may shorten: "St.".
const LONGEST_SHORT: usize = 4;

/// What comes before BY at the beginning of a line: "Posted by".
const DONE: [&str; 9] =
    ["posted", "written", "published", "geschrieben", "veröffentlicht", "publié", "publicado", "escrito", "scritto"];

/// What comes before a colon and a name.
const AUTHOR: [&str; 14] = [
    "author",
    "autor",
    "autora",
    "auteur",
    "autore",
    "автор",
    "yazar",
    "yazan",
    "oleh",
    "penulis",
    "tác giả",
    "作者",
    "文",
    "投稿者",
];

/// What may stand between a name and the rest of a line.
const AFTER: [&str; 8] = ["on", "in", "am", "le", "el", "il", "op", "at"];

/// Whom a line names as the author of a post.
pub(super) fn author(line: &str) -> Option<&str> {
    let line = line.trim();
    if line.len() > LONGEST {
        return None;
    }
    labelled(line).or_else(|| by(line)).map(name).filter(|name| is_name(name))
}

/// What follows "Author:", at the beginning of a line or after a sign that separates.
fn labelled(line: &str) -> Option<&str> {
    let mut parts = line.split(SIGNS);
    parts.find_map(|part| {
        let (label, name) = part.split_once([':', '：'])?;
        AUTHOR.contains(&label.trim().to_lowercase().as_str()).then_some(name)
    })
}

/// What follows "by" at the beginning of a line or after its day.
fn by(line: &str) -> Option<&str> {
    let mut words = words(line);
    let mut before = 0;
    let (start, end) = loop {
        let (start, word) = words.next()?;
        let lower = word.to_lowercase();
        if BY.contains(&lower.as_str()) {
            break (start, start + word.len());
        }
        before += usize::from(!DONE.contains(&lower.as_str()));
    };
    (before == 0 || days::day(&line[..start]).is_some()).then(|| &line[end..])
}

/// The words of a line with their places.
fn words(line: &str) -> impl Iterator<Item = (usize, &str)> {
    line.split_whitespace().map(|word| (word.as_ptr() as usize - line.as_ptr() as usize, word))
}

/// What separates the parts of a line.
const SIGNS: [char; 9] = ['|', '·', '•', '—', '–', '/', '»', ',', '\t'];

/// The beginning of a text that may be a name.
fn name(text: &str) -> &str {
    let text = &text[..text.find(SIGNS).unwrap_or(text.len())];
    let words: Vec<(usize, &str)> = words(text).collect();
    let is_number =
        |word: Option<&(usize, &str)>| word.is_some_and(|(_, word)| word.starts_with(|c: char| c.is_ascii_digit()));
    let is_end = |at: usize| {
        let word = words[at].1.to_lowercase();
        let is_month = || days::is_month(&word) && is_number(words.get(at + 1));
        AFTER.contains(&word.as_str()) || is_number(words.get(at)) || is_month()
    };
    let end = (0..words.len()).find(|&at| is_end(at)).map_or(text.len(), |at| words[at].0);
    text[..end].trim().trim_end_matches('-').trim_end()
}

/// Whether it has the form of a name: few words, in a script with capitals the last one with a capital, if there are several.
fn is_name(name: &str) -> bool {
    let count = name.split_whitespace().count();
    let is_plain = !name.contains(['!', '?', ':', '"', '“', '@'])
        && name.split_whitespace().all(|word| word.len() <= LONGEST_SHORT || !word.contains('.'));
    let last = name.split_whitespace().next_back().and_then(|word| word.chars().next());
    let is_capital = |c: char| !c.is_lowercase();
    (1..=MOST_WORDS).contains(&count) && is_plain && (count == 1 || last.is_some_and(is_capital))
}

#[cfg(test)]
mod tests {
    use super::author;

    #[test]
    fn an_author_is_read_where_a_line_has_the_form_of_a_byline() {
        for (line, want) in [
            ("19 December 2007 by cat", Some("cat")),
            ("By Sarah Birkby on 7 February, 2013 in HR, Management", Some("Sarah Birkby")),
            ("Posted by Ann Boatwright", Some("Ann Boatwright")),
            ("Posted on May 3, 2009 by Ann B. Boatwright | 3 comments", Some("Ann B. Boatwright")),
            ("16 Aralık 2025 | Yazar: ann", Some("ann")),
            ("Автор: Анна Лодкина", Some("Анна Лодкина")),
            ("作者：安娜", Some("安娜")),
            ("21. May 2009 – 12:21 by Ann Boatwright -", Some("Ann Boatwright")),
            ("By Ann April Boatwright July 4, 2019", Some("Ann April Boatwright")),
            ("von Ann Boatwright am 3. Mai 2009", Some("Ann Boatwright")),
            ("Geschrieben von Ann, 3. Mai 2009", Some("Ann")),
            // no byline
            ("A boat that was built by Ann", None),
            ("By the harbour there is a boat", None),
            ("By sunset the boats are in the harbour", None),
            ("Sorted by", None),
            ("Photo: Ann", None),
            ("May 3, 2009", None),
            ("by ann@boats.example", None),
            ("Updated by the harbour, May 3, 2009", None),
            ("", None),
        ] {
            assert_eq!(author(line), want, "{line}");
        }
    }
}
