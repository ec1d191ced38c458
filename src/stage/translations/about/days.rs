//! Reads the day of a post that a page shows in words: the year first (`2009-05-03`, `2009年5月3日`), the month in letters (`May 3rd,
//! 2009`, `3 de mayo de 2009`), or two numbers, one of which cannot be a month (`13.05.2009`). `03/05/2009` is ambiguous and is not
//! read.

use crate::rest::dates;
use std::collections::HashMap;
use std::sync::LazyLock;

/// The most bytes of a text that is read.
const LONGEST: usize = 200;

/// The names of the months in dates, a line for each month, in the languages of many sites. (`listopad` is missing: it is October in
/// one language, November in others.)
const MONTHS: &str = include_str!("months.txt");

/// Words between a day, a month and a year: prepositions, and the ends of ordinal numbers.
const BETWEEN: [&str; 13] = ["of", "de", "del", "di", "den", "the", "st", "nd", "rd", "th", "er", "º", "d"];

/// Words before the number of an issue, which is not a day: "Issue 27, July 2017".
const ISSUES: &str = "issue no nr number vol volume heft ausgabe band numéro número numero выпуск номер";

/// Words of a line that states when a text was changed.
const CHANGED: &str = "\
    updated update modified revised aktualisiert geändert überarbeitet actualisé modifié actualizado modificado \
    atualizado aggiornato aggiornamento modificato bijgewerkt gewijzigd zaktualizowano обновлено güncelleme";

/// A number, a word in lower case, or a single sign.
enum Token<'t> {
    Number(&'t str),
    Word(String),
    Sign(char),
}

/// The only day that a text names, as `YYYY-MM-DD`; [`None`] if there are two.
pub(super) fn day(text: &str) -> Option<String> {
    if text.len() > LONGEST {
        return None;
    }
    let parts = parts(text);
    let numbers = || {
        let starts = (0..parts.len()).map(|start| &parts[start..]);
        let readers = [year_first, year_last, in_signs, month_in_signs];
        starts.filter_map(move |parts| readers.iter().find_map(|read| read(parts)))
    };
    let words: Vec<&Token<'_>> = parts.iter().filter(|part| !matches!(part, Token::Sign(_))).collect();
    let in_letters = || (0..words.len()).filter_map(|at| around_month(&words, at));
    let mut days = numbers().chain(in_letters()).filter_map(|(year, month, day)| {
        let is_year = year.len() == 4 && (year.starts_with("19") || year.starts_with("20"));
        dates::local(&format!("{year}-{month:0>2}-{day:0>2}")).filter(|_| is_year)
    });
    let first = days.next()?;
    days.all(|day| day == first).then_some(first)
}

/// Whether a line states when a text was changed, not when it was published.
pub(super) fn is_change(line: &str) -> bool {
    let is_one = |word: String| CHANGED.split(' ').any(|changed| changed == word);
    line.split(|c: char| !c.is_alphabetic()).any(|word| is_one(word.to_lowercase()))
}

/// Whether a word in lower case is the name of a month.
pub(super) fn is_month(word: &str) -> bool {
    month(word).is_some()
}

fn parts(text: &str) -> Vec<Token<'_>> {
    let kind = |c: char| (c.is_ascii_digit(), c.is_alphabetic());
    let (mut parts, mut rest) = (Vec::new(), text);
    while let Some(first) = rest.chars().next() {
        let is_sign = kind(first) == (false, false);
        let end = rest.find(|c| is_sign || kind(c) != kind(first)).filter(|_| !is_sign).unwrap_or(rest.len());
        let end = if is_sign { first.len_utf8() } else { end };
        let (part, more) = rest.split_at(end);
        match kind(first) {
            (true, _) => parts.push(Token::Number(part)),
            (_, true) => parts.push(Token::Word(part.to_lowercase())),
            _ => parts.push(Token::Sign(first)),
        }
        rest = more;
    }
    parts
}

type Day<'t> = (&'t str, String, &'t str);

/// The day in `2009-05-03`, `2009/5/3` or `2009.05.03`.
fn year_first<'t>(parts: &[Token<'t>]) -> Option<Day<'t>> {
    let [Token::Number(year), Token::Sign(a), Token::Number(month), Token::Sign(b), Token::Number(day), ..] = parts
    else {
        return None;
    };
    (a == b && matches!(a, '-' | '/' | '.') && month.len() <= 2 && day.len() <= 2)
        .then(|| (*year, (*month).to_owned(), *day))
}

/// The day in `13.05.2009` or `05/13/2009`: only one of the numbers can be the month, or both are equal.
fn year_last<'t>(parts: &[Token<'t>]) -> Option<Day<'t>> {
    let [Token::Number(a), Token::Sign(before), Token::Number(b), Token::Sign(after), Token::Number(year), ..] = parts
    else {
        return None;
    };
    let is_month = |number: &str| number.parse().is_ok_and(|number: u8| (1..=12).contains(&number));
    let (day, month) = match (is_month(a), is_month(b)) {
        (false, true) => (a, b),
        (true, false) => (b, a),
        (true, true) if a.trim_start_matches('0') == b.trim_start_matches('0') => (a, b),
        _ => return None,
    };
    let is_form = before == after && matches!(before, '-' | '/' | '.') && a.len() <= 2 && b.len() <= 2;
    is_form.then(|| (*year, (*month).to_owned(), *day))
}

/// The day in `2009年5月3日` or `2009년 5월 3일`.
fn in_signs<'t>(parts: &[Token<'t>]) -> Option<Day<'t>> {
    let mut parts = parts.iter().filter(|part| !matches!(part, Token::Sign(' ')));
    let mut numbered = |signs: [char; 2]| {
        let Some(Token::Number(number)) = parts.next() else { return None };
        matches!(parts.next(), Some(Token::Word(sign)) if sign.starts_with(signs)).then_some(*number)
    };
    Some((numbered(['年', '년'])?, numbered(['月', '월'])?.to_owned(), numbered(['日', '일'])?))
}

/// The day in `10月 4, 2020`, which has the order of one language and the month of another.
fn month_in_signs<'t>(parts: &[Token<'t>]) -> Option<Day<'t>> {
    let mut parts = parts.iter().filter(|part| !matches!(part, Token::Sign(' ' | ',')));
    let (Token::Number(month), Token::Word(sign)) = (parts.next()?, parts.next()?) else { return None };
    let (Token::Number(day), Token::Number(year)) = (parts.next()?, parts.next()?) else { return None };
    (matches!(sign.as_str(), "月" | "월") && day.len() <= 2).then(|| (*year, (*month).to_owned(), *day))
}

/// The day around a month in letters, which is the word at `at`: day, month, year; month, day, year; year, month, day.
fn around_month<'t>(words: &[&Token<'t>], at: usize) -> Option<Day<'t>> {
    let Token::Word(word) = words[at] else { return None };
    let month = month(word)?.to_string();
    let is_between = |part: &Token<'_>| matches!(part, Token::Word(word) if BETWEEN.contains(&word.as_str()));
    let number = |part: Option<&&Token<'t>>| if let Some(Token::Number(number)) = part { Some(*number) } else { None };
    let before = || words[..at].iter().rev();
    let skipped = before().take(2).take_while(|part| is_between(part)).count();
    let is_issue =
        matches!(before().nth(skipped + 1), Some(Token::Word(word)) if ISSUES.split(' ').any(|issue| issue == word));
    let before = number(before().nth(skipped)).filter(|_| !is_issue);
    let mut after = words[at + 1..].iter().skip_while(|part| is_between(part));
    let (next, last) = (number(after.next()), number(after.find(|part| !is_between(part))));
    let is_day = |number: &&str| number.len() <= 2;
    let is_year = |number: &&str| number.len() == 4;
    let day_first = || Some((next.filter(is_year)?, before.filter(is_day)?));
    let month_first = || Some((last.filter(is_year)?, next.filter(is_day)?));
    let year_first = || Some((before.filter(is_year)?, next.filter(is_day)?));
    let (year, day) = day_first().or_else(month_first).or_else(year_first)?;
    Some((year, month, day))
}

fn month(word: &str) -> Option<usize> {
    static BY_NAME: LazyLock<HashMap<&str, usize>> = LazyLock::new(|| {
        let named =
            MONTHS.lines().zip(1..).flat_map(|(names, month)| names.split_whitespace().map(move |name| (name, month)));
        named.collect()
    });
    BY_NAME.get(word).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_is_read_where_its_form_is_certain() {
        for (text, want) in [
            ("Monday, November 15, 2010", Some("2010-11-15")),
            ("May 5, 2012 at 8:05 am", Some("2012-05-05")),
            ("Posted on the 1st of October 2009 by Ann", Some("2009-10-01")),
            ("3. August 2017", Some("2017-08-03")),
            ("Miércoles 18 de junio de 2008", Some("2008-06-18")),
            ("mar 5 mai 2009", Some("2009-05-05")),
            ("le 1er août 2011 à 10 h 12", Some("2011-08-01")),
            ("2009. május 5.", Some("2009-05-05")),
            ("5 мая 2009 г.", Some("2009-05-05")),
            ("2010-08-22", Some("2010-08-22")),
            ("2010/8/2 12:30", Some("2010-08-02")),
            ("2010年8月22日(日)", Some("2010-08-22")),
            ("2010년 8월 22일", Some("2010-08-22")),
            ("8月 22, 2010", Some("2010-08-22")),
            ("8월 22, 2010", Some("2010-08-22")),
            ("22, Aug 2010", Some("2010-08-22")),
            ("Agosto 22nd, 2010", Some("2010-08-22")),
            ("May 5, 2012 (May 5, 2012)", Some("2012-05-05")),
            ("26.09.2009", Some("2009-09-26")),
            ("09/26/2009", Some("2009-09-26")),
            ("5-05-2009", Some("2009-05-05")),
            // ambiguous: day or month first
            ("01/02/2003", None),
            ("13.13.2003", None),
            ("3.13/2003", None),
            ("113.05.2003", None),
            ("May 5, 12", None),
            ("May 2012", None),
            ("31 June 2012", None),
            ("5 listopada 2009", None),
            ("5 Boats 2009", None),
            ("Published May 5, 2012, updated June 6, 2013", None),
            ("2009-13-01", None),
            ("2009-05/03", None),
            ("Magazine: Issue 27, July 2017 | View All Issues", None),
            ("Heft Nr. 3, Mai 2009", None),
            ("", None),
        ] {
            assert_eq!(day(text).as_deref(), want, "{text}");
        }
        assert_eq!(day(&format!("{} May 5, 2012", "a".repeat(LONGEST))), None);
    }

    #[test]
    fn a_line_about_a_change_is_told_by_its_words() {
        assert!(is_change("Last updated: July 23, 2020") && is_change("Zuletzt aktualisiert am 3. Mai 2020"));
        assert!(!is_change("Posted on July 23, 2020 by Ann") && !is_change(""));
    }

    #[test]
    fn no_word_is_two_months() {
        let mut words: Vec<&str> = MONTHS.split_whitespace().collect();
        let count = words.len();
        words.sort_unstable();
        words.dedup();
        assert_eq!(words.len(), count);
    }
}
