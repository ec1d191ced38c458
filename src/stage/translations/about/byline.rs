//! Reads the author of a post from the words between title and text: `Posted by Ann Boatwright on May 3, 2009`, `19 December 2007
//! by Ann`, `Autor: Ann Boatwright`. Words are less reliable than markup, and a standfirst may begin with "by", so only these
//! forms are read: the line has a day right before "by" or after the name, or it begins with "Posted by" or a label with a colon.

use super::days;
use crate::page::title::BY;

/// The most bytes of a line that is read.
const LONGEST: usize = 160;

/// The most words of a name.
const MOST_WORDS: usize = 5;

/// The most bytes of an abbreviation with a full stop: "St.".
const LONGEST_SHORT: usize = 5;

/// Words before BY at the beginning of a line, and before a day: "Posted by".
const POSTED: [&str; 6] = ["posted", "written", "geschrieben", "escrito", "scritto", "écrit"];
/// Words before a day only: "Published by" may name a publisher of books.
const PUBLISHED: [&str; 8] =
    ["published", "veröffentlicht", "publié", "publicado", "pubblicato", "geplaatst", "on", "am"];

/// Words before a colon and a name, separated by commas.
const AUTHOR: &str = "author, autor, autora, auteur, autore, автор, yazar, yazan, oleh, penulis, tác giả, 作者, 文, 投稿者, by, posted by";

/// Words between a name and the rest of a line. With a capital, they are part of the name: Le Guin.
const AFTER: [&str; 14] = ["on", "in", "am", "le", "el", "il", "op", "at", "em", "en", "i", "under", "na", "|"];

/// English words that may accompany a date.
const WEEKDAYS: [&str; 7] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

/// The author of a post named in a line.
pub(super) fn author(line: &str) -> Option<&str> {
    let line = line.trim();
    if line.len() > LONGEST || days::is_change(line) {
        return None;
    }
    labelled(line).or_else(|| by(line)).filter(|name| is_name(name))
}

/// The name after "Author:", at the beginning of a line or after its day.
fn labelled(line: &str) -> Option<&str> {
    let (before, rest) = line.split_once([':', '：'])?;
    let start = before.rfind(SIGNS).map_or(0, |sign| sign + before[sign..].chars().next().map_or(1, char::len_utf8));
    let label = before[start..].trim().to_lowercase();
    let may_begin = start == 0 || days::day(&before[..start]).is_some();
    // details of a book or a film have more labels
    let is_alone = !rest.contains([':', '：']);
    (AUTHOR.split(", ").any(|author| author == label) && may_begin && is_alone).then(|| name(rest))
}

/// The name after "by" at the beginning of a line, or right after its day.
fn by(line: &str) -> Option<&str> {
    let words: Vec<(usize, String)> = words(line).map(|(start, word)| (start, word.to_lowercase())).collect();
    let at = words.iter().position(|(_, word)| BY.contains(&word.as_str()))?;
    let start = words[at].0;
    let name = name(&line[start + words[at].1.len()..]);
    let has_day = |text: &str| days::day(text).is_some();
    let before = words[..at].last().map(|(_, word)| word.trim_matches(|c: char| !c.is_alphanumeric()));
    let is_dated = || before.is_some_and(is_of_day) && has_day(&line[..start]);
    let is_posted = || at == 1 && POSTED.contains(&words[0].1.as_str());
    let is_followed = || at == 0 && has_day(&line[start..]);
    (is_posted() || is_followed() || is_dated()).then_some(name)
}

/// Whether a word right before "by" may end the statement of a day: a year, an hour, a month, "posted".
fn is_of_day(word: &str) -> bool {
    let is_number = word.starts_with(|c: char| c.is_ascii_digit());
    let is_said = ["am", "pm", "uhr", ""].contains(&word) || POSTED.contains(&word) || PUBLISHED.contains(&word);
    is_number || is_said || days::is_month(word)
}

/// The words of a line with their positions.
fn words(line: &str) -> impl Iterator<Item = (usize, &str)> {
    line.split_whitespace().map(|word| (word.as_ptr() as usize - line.as_ptr() as usize, word))
}

/// Signs that separate the parts of a line.
const SIGNS: [char; 9] = ['|', '·', '•', '—', '–', '/', '»', ',', '\t'];

/// The beginning of a text, up to the end of a possible name.
fn name(text: &str) -> &str {
    let text = &text[..text.find(SIGNS).unwrap_or(text.len())];
    let words: Vec<(usize, &str)> = words(text).collect();
    let is_number =
        |word: Option<&(usize, &str)>| word.is_some_and(|(_, word)| word.starts_with(|c: char| c.is_ascii_digit()));
    let is_end = |at: usize| {
        let word = words[at].1.to_lowercase();
        let is_month = || days::is_month(&word) && is_number(words.get(at + 1));
        let is_weekday = || at > 0 && WEEKDAYS.contains(&word.as_str());
        AFTER.contains(&words[at].1) || is_number(words.get(at)) || is_month() || is_weekday()
    };
    let end = (0..words.len()).find(|&at| is_end(at)).map_or(text.len(), |at| words[at].0);
    text[..end].trim().trim_end_matches('-').trim_end()
}

/// Whether a text has the form of a name: few words; in a script with capitals, the last of several words has a capital.
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
            ("19 December 2007 by cat", "cat"),
            ("Published on February 26, 2009 by viktus", "viktus"),
            ("By Sarah Birkby on 7 February, 2013 in HR, Management", "Sarah Birkby"),
            ("By Ann April Boatwright July 4, 2019", "Ann April Boatwright"),
            ("By Ann Boatwright Monday, May 3, 2009", "Ann Boatwright"),
            ("Posted by Ann Boatwright", "Ann Boatwright"),
            ("Posted by: Ann Boatwright", "Ann Boatwright"),
            ("By: Ann Boatwright", "Ann Boatwright"),
            ("Posted on May 3, 2009 by Ann B. Boatwright | 3 comments", "Ann B. Boatwright"),
            ("21. May 2009 – 12:21 by Ann Boatwright -", "Ann Boatwright"),
            ("May 3, 2009 by Ursula K. Le Guin", "Ursula K. Le Guin"),
            ("3 mai 2009 par Marine Le Pont", "Marine Le Pont"),
            ("3 de mayo de 2009 por admin en Noticias", "admin"),
            ("16 Aralık 2025 | Yazar: ann", "ann"),
            ("Автор: Анна Лодкина", "Анна Лодкина"),
            ("作者：安娜", "安娜"),
            ("von Ann Boatwright am 3. Mai 2009", "Ann Boatwright"),
            ("Geschrieben von Ann, 3. Mai 2009", "Ann"),
        ] {
            assert_eq!(author(line), Some(want), "{line}");
        }
    }

    #[test]
    fn a_line_that_begins_with_by_or_has_a_day_is_not_yet_a_byline() {
        for line in [
            "A boat that was built by Ann",
            "By the harbour there is a boat",
            "By contrast, the boats of the north were built of elm.",
            "By Friday, the boats were gone.",
            "Por eso, los barcos",
            "Par hasard le bateau est parti.",
            "Von Berlin nach Hamburg",
            "By Popular Demand",
            "By the Sea",
            "Di Caprio, De Niro and Pacino came",
            "3 May 2009 Directed by Stanley Boatwright",
            "May 3, 2009 Photo by Ann Boatwright",
            "On 3 May 2009 the castle was taken by Wallenstein",
            "25 maggio 2009 Consiglio di Stato",
            "Last updated 3 May 2009 by Ann",
            "Titel: Der Name der Rose, Autor: Ann Boatwright",
            "Title: Boats | Author: Ann Boatwright | Publisher: Quay",
            "Author: Ann Boatwright, Publisher: Quay",
            "Published by Quay Books, 2009",
            "Sorted by",
            "Photo: Ann",
            "May 3, 2009",
            "May 3, 2009 by ann@boats.example",
            "",
        ] {
            assert_eq!(author(line), None, "{line}");
        }
    }
}
