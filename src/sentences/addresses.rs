//! Finds URLs and e-mail addresses in a text: sentences and words do not end within them.

use std::ops::Range;

/// The ranges of the addresses, in order.
pub(crate) fn addresses(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    if !text.contains("://") && !text.contains('@') && !text.contains("www.") {
        return found;
    }
    let mut at = 0;
    for run in text.split(is_outside) {
        let start = at;
        at += run.len();
        at += text[at..].chars().next().map_or(0, char::len_utf8);
        let begin = match run.find("://") {
            Some(colon) => run[..colon]
                .rfind(|c: char| !c.is_ascii_alphanumeric())
                .map_or(0, |before| before + run[before..].chars().next().map_or(0, char::len_utf8)),
            None => run.len() - run.trim_start_matches(|c: char| !c.is_alphanumeric()).len(),
        };
        let address = run[begin..].trim_end_matches(is_closing);
        if is_url(address) || is_mail(address) {
            found.push(start + begin..start + begin + address.len());
        }
    }
    found
}

/// Whether no address contains this character.
fn is_outside(c: char) -> bool {
    c.is_whitespace()
        || c.is_control()
        || matches!(c, '<' | '>' | '"' | '“' | '”' | '„' | '«' | '»' | '、' | '。' | '，' | '（' | '）' | '「' | '」')
}

/// Whether this character, at the end of an address, belongs to the sentence.
fn is_closing(c: char) -> bool {
    matches!(c, '.' | ',' | ';' | ':' | '!' | '?' | ')' | ']' | '\'' | '’' | '…')
}

fn is_url(text: &str) -> bool {
    match text.split_once("://") {
        Some((scheme, rest)) => !scheme.is_empty() && !rest.is_empty(),
        None => text.strip_prefix("www.").is_some_and(|host| host.contains('.')),
    }
}

fn is_mail(text: &str) -> bool {
    let Some((name, host)) = text.split_once('@') else { return false };
    let of = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_' | '+');
    !name.is_empty() && host.trim_end_matches('.').contains('.') && name.chars().chain(host.chars()).all(of)
}
