//! Replaces quotes and dashes by typographic ones, as WordPress does in the language of the site. Source:
//! [`wptexturize()`](https://developer.wordpress.org/reference/functions/wptexturize/), its translations, and
//! [`convert_smilies()`](https://developer.wordpress.org/reference/functions/convert_smilies/).

use crate::html::shortcodes::tags;
use std::collections::HashMap;
use std::sync::LazyLock;

/// The shortcodes of WordPress itself.
pub(super) const OWN: [&str; 7] = ["caption", "wp_caption", "gallery", "audio", "video", "playlist", "embed"];

/// Whether WordPress itself has a shortcode of that name.
pub(super) fn is_own(name: &str) -> bool {
    OWN.contains(&name)
}

/// The replacements for quotes, apostrophes, dashes and primes.
pub(super) struct Marks {
    open: &'static str,
    close: &'static str,
    open_single: &'static str,
    close_single: &'static str,
    apostrophe: &'static str,
    en_dash: &'static str,
}

/// The marks in a row of the table: quotes, single quotes, apostrophe and en dash.
const fn marks(double: [&'static str; 2], single: [&'static str; 2], rest: [&'static str; 2]) -> Marks {
    let ([open, close], [open_single, close_single], [apostrophe, en_dash]) = (double, single, rest);
    Marks { open, close, open_single, close_single, apostrophe, en_dash }
}

const SINGLE: [&str; 2] = ["&#8216;", "&#8217;"];
const REST: [&str; 2] = ["&#8217;", "&#8211;"];
const EM_DASH: &str = "&#8212;";

/// The marks by language, from the translations of WordPress; the last row is for all other languages.
static MARKS: [(&str, Marks); 9] = [
    ("de", marks(["&#8222;", "&#8220;"], ["&#8218;", "&#8216;"], REST)),
    ("cs sr", marks(["&#8222;", "&#8220;"], SINGLE, REST)),
    ("pl hu", marks(["&#8222;", "&#8221;"], SINGLE, REST)),
    ("fr", marks(["&laquo;&nbsp;", "&nbsp;&raquo;"], ["&lsquo;", "&rsquo;"], ["&rsquo;", "&#8211;"])),
    ("ru", marks(["&#171;", "&#187;"], SINGLE, ["&#8217;", EM_DASH])),
    ("el", marks(["«", "»"], ["“", "”"], REST)),
    ("fi", marks(["&#8221;", "&#8221;"], ["&#8217;", "&#8217;"], REST)),
    ("sv", marks(["&#8221;", "&#8221;"], SINGLE, REST)),
    ("", marks(["&#8220;", "&#8221;"], SINGLE, REST)),
];

/// A placeholder for an opening quote during the search for others: a noncharacter, which does not occur in texts.
const OPEN: char = '\u{fdd2}';
/// A placeholder for an apostrophe, likewise.
const APOSTROPHE: char = '\u{fdd3}';
/// A placeholder for a quote that may close a quotation, likewise.
const CANDIDATE: char = '\u{fdd4}';

/// Elements whose text is left unchanged.
const VERBATIM: [&str; 6] = ["pre", "code", "kbd", "style", "script", "tt"];
/// Elements in which smilies are left unchanged.
const WITHOUT_SMILIES: [&str; 5] = ["code", "pre", "style", "script", "textarea"];

/// Words that begin with an apostrophe.
const COCKNEY: [&str; 11] = ["tain't", "twere", "twas", "tis", "twill", "til", "bout", "nuff", "round", "cause", "em"];

impl Marks {
    /// The marks for a language, given its tag as the site states it.
    pub(super) fn of(language: &str) -> &'static Self {
        let language = language.split(['-', '_']).next().unwrap_or_default();
        let row = MARKS.iter().find(|(names, _)| names.split(' ').any(|name| name == language));
        &row.unwrap_or(&MARKS[MARKS.len() - 1]).1
    }

    /// Replaces the marks in the text of HTML.
    pub(super) fn texturize(&self, html: &str) -> String {
        map_text(html, &VERBATIM, true, |text, out| *out += &self.text(text))
    }

    /// Corrects the spelling of the word WordPress, as `capital_P_dangit()` does.
    pub(super) fn capital_p(&self, html: String) -> String {
        let starts = [" ", "&#8216;", self.open, ">", "("];
        let corrected =
            |html: String, start: &str| html.replace(&format!("{start}Wordpress"), &format!("{start}WordPress"));
        if html.contains("Wordpress") { starts.into_iter().fold(html, corrected) } else { html }
    }

    fn text(&self, text: &str) -> String {
        let mut text = text.replace("...", "&#8230;").replace("``", self.open).replace("''", self.close);
        text = text.replace(" (tm)", " &#8482;");
        if text.contains('\'') {
            for word in COCKNEY {
                let with = format!("{0}{1}", self.apostrophe, word.replace('\'', self.apostrophe));
                text = text.replace(&format!("'{word}"), &with);
            }
            text = self.single(text);
            text = self.primes(&text, '\'', "&#8242;", self.close_single);
            text = text.replace(APOSTROPHE, self.apostrophe).replace(OPEN, self.open_single);
        }
        if text.contains('"') {
            text = self.double(text);
            text = self.primes(&text, '"', "&#8243;", self.close).replace(OPEN, self.open);
        }
        if text.contains('-') {
            text = self.dashes(&text);
        }
        escape_ampersands(&times(text))
    }

    fn single(&self, text: String) -> String {
        let year = |after: &str| {
            after.len() >= 2
                && after.bytes().take(2).all(|b| b.is_ascii_digit())
                && match after.as_bytes()[2..] {
                    [] => true,
                    [b'%' | b'0'..=b'9', ..] | [b'.' | b',', b'0'..=b'9', ..] => false,
                    _ => true,
                }
        };
        let abbreviated = |after: &str, quote: u8| {
            let bytes = after.as_bytes();
            bytes.len() >= 3
                && bytes[..2].iter().all(u8::is_ascii_digit)
                && bytes[2] == quote
                && may_follow_quote(&after[3..])
        };
        let text = pass(&text, "'", |_, after| {
            let close = [(b'\'', self.close_single), (b'"', self.close)];
            let (_, close) = close.into_iter().find(|(quote, _)| abbreviated(after, *quote))?;
            Some((3, format!("{APOSTROPHE}{}{close}", &after[..2])))
        });
        let text = pass(&text, "'", |_, after| year(after).then(|| (0, APOSTROPHE.into())));
        let text = pass(&text, "'", |before, after| quoted_number(before, after, '\'', self.close_single));
        let text = pass(&text, "'", |before, _| {
            let opens = before.is_empty() || before.ends_with(['(', '[', '{', '"', '-']) || before.ends_with("&lt;");
            (opens || ends_with_space(before)).then(|| (0, OPEN.into()))
        });
        pass(&text, "'", |before, after| {
            let ends = after.is_empty()
                || after.starts_with(['.', ',', ':', ';', '!', '?', '"', '\'', '(', ')', '{', '}', '[', ']', '-'])
                || after.starts_with("&lt;")
                || after.starts_with("&gt;")
                || starts_with_space(after);
            (!ends && !ends_with_space(before)).then(|| (0, APOSTROPHE.into()))
        })
    }

    fn double(&self, text: String) -> String {
        let text = pass(&text, "\"", |before, after| quoted_number(before, after, '"', self.close));
        pass(&text, "\"", |before, after| {
            let opens = before.is_empty() || before.ends_with(['(', '[', '{', '-']) || before.ends_with("&lt;");
            ((opens || ends_with_space(before)) && !starts_with_space(after)).then(|| (0, OPEN.into()))
        })
    }

    /// Handles the remaining quotes, as `wptexturize_primes()` does: they close a quotation, or are primes after a number.
    fn primes(&self, text: &str, quote: char, prime: &str, close: &str) -> String {
        let needle = quote.to_string();
        let after_digit = |text: &str, needle: &str| {
            pass(text, needle, |before, _| {
                before.ends_with(|c: char| c.is_ascii_digit()).then(|| (0, prime.to_owned()))
            })
        };
        let closing = |text: &str, with: &str| {
            pass(text, &needle, |_, after| may_follow_quote(after).then(|| (0, with.to_owned())))
        };
        let sentence = |(key, sentence): (usize, &str)| {
            if !sentence.contains(quote) {
                return sentence.to_owned();
            }
            let mut text = if key > 0 && !sentence.contains(close) {
                let candidate = CANDIDATE.to_string();
                let mut text = closing(sentence, &candidate);
                let candidates = text.matches(CANDIDATE).count();
                if candidates > 1 {
                    let settled = pass(&text, &candidate, |before, _| {
                        (!before.ends_with(|c: char| c.is_ascii_digit())).then(|| (0, close.to_owned()))
                    });
                    text = if settled == text { close_last(&text, close) } else { settled };
                    text = after_digit(&after_digit(&text, &needle), &candidate).replace(CANDIDATE, close);
                } else {
                    text = after_digit(&text.replace(CANDIDATE, close), &needle);
                }
                text
            } else {
                closing(&after_digit(sentence, &needle), close)
            };
            if quote == '"' {
                text = text.replace('"', close);
            }
            text
        };
        text.split(OPEN).enumerate().map(sentence).collect::<Vec<_>>().join(&OPEN.to_string())
    }

    fn dashes(&self, text: &str) -> String {
        let is_apart = |before: &str, after: &str| {
            (before.is_empty() || ends_with_space(before)) && (after.is_empty() || starts_with_space(after))
        };
        let text = text.replace("---", EM_DASH);
        let text = pass(&text, "--", |before, after| is_apart(before, after).then(|| (0, EM_DASH.to_owned())));
        let text = pass(&text, "--", |before, _| (!before.ends_with("xn")).then(|| (0, self.en_dash.to_owned())));
        pass(&text, "-", |before, after| is_apart(before, after).then(|| (0, self.en_dash.to_owned())))
    }
}

/// Closes the quotation with the last candidate before a full stop or, if there is none, with the last of all.
fn close_last(text: &str, close: &str) -> String {
    let at = text.rfind(&format!("{CANDIDATE}.")).or_else(|| text.rfind(CANDIDATE)).unwrap_or_default();
    [&text[..at], close, &text[at + CANDIDATE.len_utf8()..]].concat()
}

/// Replaces each `needle` for which `with`, given the text before and after it, returns a replacement and the number of
/// further bytes to remove.
fn pass(text: &str, needle: &str, with: impl Fn(&str, &str) -> Option<(usize, String)>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    while let Some(at) = text[from..].find(needle).map(|at| from + at) {
        let end = at + needle.len();
        out += &text[from..at];
        from = match with(&text[..at], &text[end..]) {
            Some((more, with)) => {
                out += &with;
                end + more
            }
            None => {
                out += needle;
                end
            }
        };
    }
    out + &text[from..]
}

/// A number in quotes, `'0.42'`: the length of what follows the first quote, and the replacement for both; `None` if it is something else.
fn quoted_number(before: &str, after: &str, quote: char, close: &str) -> Option<(usize, String)> {
    let length = after.bytes().take_while(|b| b.is_ascii_digit() || matches!(b, b'.' | b',')).count();
    let is_number = after.starts_with(|c: char| c.is_ascii_digit()) && after[length..].starts_with(quote);
    let is_apart = before.is_empty() || ends_with_space(before);
    (is_number && is_apart).then(|| (length + 1, format!("{OPEN}{}{close}", &after[..length])))
}

fn ends_with_space(text: &str) -> bool {
    text.ends_with(['\r', '\n', '\t', ' ', '\u{a0}']) || text.ends_with("&nbsp;")
}

fn starts_with_space(text: &str) -> bool {
    text.starts_with(['\r', '\n', '\t', ' ', '\u{a0}']) || text.starts_with("&nbsp;")
}

fn may_follow_quote(after: &str) -> bool {
    after.is_empty()
        || after.starts_with(['.', ',', ':', ';', '!', '?', ')', '}', '-', ']'])
        || after.starts_with("&gt;")
        || starts_with_space(after)
}

/// Replaces the x in `9x9` by a multiplication sign, but never the one in `0x9`.
fn times(text: String) -> String {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    pass(&text, "x", |before, after| {
        let start = before.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ',')).len();
        let number = &before[start..];
        let begins = |(at, c): (usize, char)| {
            c.is_ascii_digit() && (c != '0' || at + 1 < number.len()) && !before[..start + at].ends_with(is_word)
        };
        let tail = after.trim_start_matches(|c: char| c.is_ascii_digit());
        let ends = tail.len() < after.len() && !tail.starts_with(is_word);
        (ends && number.char_indices().any(begins)).then(|| (0, "&#215;".to_owned()))
    })
}

/// Escapes each `&` that does not begin a reference.
fn escape_ampersands(text: &str) -> String {
    pass(text, "&", |_, after| {
        let end = after.bytes().take(12).position(|b| b == b';');
        let is_reference = end.is_some_and(|end| match after[..end].strip_prefix('#') {
            Some(number) => match number.strip_prefix(['x', 'X']) {
                Some(digits) => !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_hexdigit()),
                None => !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()),
            },
            None => {
                (1..=8).contains(&end)
                    && after[..end].bytes().all(|b| b.is_ascii_alphabetic() || (b'1'..=b'4').contains(&b))
            }
        });
        (!is_reference).then(|| (0, "&#038;".to_owned()))
    })
}

/// Calls `map` for the text of HTML outside of its tags and, if `but_shortcodes`, outside of WordPress' own shortcodes.
fn map_text(html: &str, verbatim: &[&str], but_shortcodes: bool, map: impl Fn(&str, &mut String)) -> String {
    let mut out = String::with_capacity(html.len() + html.len() / 16);
    let mut open: Vec<&str> = Vec::new();
    let mut rest = html;
    let take = |text: &str, is_open: bool, out: &mut String| {
        if is_open || text.trim().is_empty() { *out += text } else { map(text, out) }
    };
    while !rest.is_empty() {
        let text = &rest[..rest.find('<').unwrap_or(rest.len())];
        let mut from = 0;
        for (at, tag) in tags(text).filter(|(_, tag)| but_shortcodes && is_own(tag.name)) {
            take(&text[from..at], !open.is_empty(), &mut out);
            out += &text[at..tag.end];
            from = tag.end;
        }
        take(&text[from..], !open.is_empty(), &mut out);
        rest = &rest[text.len()..];
        // In the search for smilies, a tag must end in its line.
        let inside = rest.get(1..).filter(|_| !but_shortcodes);
        if inside
            .is_some_and(|inside| !inside[inside.find(['<', '>', '\n']).unwrap_or(inside.len())..].starts_with('>'))
        {
            out.push('<');
            rest = &rest[1..];
            continue;
        }
        let end =
            if rest.starts_with("<!--") { rest.find("-->").map(|at| at + 3) } else { rest.find('>').map(|at| at + 1) };
        let (tag, after) = rest.split_at(end.unwrap_or(rest.len()));
        if tag.starts_with("<!--") {
            out += tag;
        } else {
            out += &if but_shortcodes { escape_ampersands(tag) } else { tag.to_owned() };
            let name = tag.trim_start_matches(['<', '/']).split([' ', '>', '\n', '\t']).next().unwrap_or_default();
            if !tag.starts_with("</") && verbatim.contains(&name) {
                open.push(name);
            } else if tag.starts_with("</") && open.last() == Some(&name) {
                open.pop();
            }
        }
        rest = after;
    }
    out
}

/// Smilies and the characters that WordPress shows for them; two are images.
const SMILIES: &str = ":neutral: 😐 :twisted: 😈 :arrow: ➡ :shock: 😯 :smile: 🙂 :???: 😕 :cool: 😎 :evil: 👿 :grin: 😀 \
    :idea: 💡 :oops: 😳 :razz: 😛 :wink: 😉 :cry: 😥 :eek: 😮 :lol: 😆 :mad: 😡 :sad: 🙁 8-) 😎 8-O 😯 :-( 🙁 :-) 🙂 \
    :-? 😕 :-D 😀 :-P 😛 :-o 😮 :-x 😡 :-| 😐 ;-) 😉 8O 😯 :( 🙁 :) 🙂 :? 😕 :D 😀 :P 😛 :o 😮 :x 😡 :| 😐 ;) 😉 :!: ❗ :?: ❓";

static BY_SMILEY: LazyLock<HashMap<&str, &str>> = LazyLock::new(|| {
    let words: Vec<&str> = SMILIES.split_whitespace().collect();
    words.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect()
});

/// Replaces the smilies in the text of HTML.
pub(super) fn smilies(html: &str) -> String {
    if !html.contains([':', ';', '8']) {
        return html.to_owned();
    }
    map_text(html, &WITHOUT_SMILIES, false, |text, out| {
        for word in text.split_inclusive(|c: char| c.is_whitespace()) {
            for (number, part) in word.split("&nbsp;").enumerate() {
                let own = part.trim_end();
                *out += if number > 0 { "&nbsp;" } else { "" };
                out.extend([*BY_SMILEY.get(own).unwrap_or(&own), &part[own.len()..]]);
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The expected values come from `wptexturize()` of WordPress 6; most texts are from its own tests
    /// (trac.wordpress.org).
    #[test]
    fn quotes_and_dashes_are_those_of_wordpress() {
        for (text, want) in [
            ("\"Hi,\" she said.", "“Hi,” she said."),
            ("it's 'so' and 'til '99", "it’s ‘so’ and ’til ’99"),
            ("a -- b --- c--d - e x-y", "a — b — c–d – e x-y"),
            ("6'2\" and \"6'2\"\"", "6’2″ and “6’2″”"),
            ("(\"x\") [\"y\"]", "(“x”) [“y”]"),
            ("<p class=\"a\">\"b\"</p><code>\"c\"</code>", "<p class=\"a\">“b”</p><code>\"c\"</code>"),
            ("a & b &amp; c &eacute; &#38;", "a &#038; b &amp; c &eacute; &#38;"),
            ("2x3 0x12 ax3 16x16.gif 2x3d", "2×3 0x12 ax3 16×16.gif 2x3d"),
            ("Wait... (tm)", "Wait… ™"),
            ("[gallery ids=\"1,2\"] \"x\"", "[gallery ids=\"1,2\"] “x”"),
            ("\"42\" '0.5' \"12\"", "“42” ‘0.5’ “12”"),
            ("'Twas the 'word\u{a0}'", "‘Twas the ‘word\u{a0}‘"),
        ] {
            let got = Marks::of("en-US").texturize(text);
            let got = [
                "8220 “", "8221 ”", "8216 ‘", "8217 ’", "8211 –", "8212 —", "8242 ′", "8243 ″", "215 ×", "8230 …",
                "8482 ™",
            ]
            .iter()
            .map(|pair| pair.split_once(' ').unwrap())
            .fold(got, |got, (code, mark)| got.replace(&format!("&#{code};"), mark));
            assert_eq!(got, want, "{text}");
        }
    }

    #[test]
    fn smilies_are_between_blanks() {
        assert_eq!(smilies("a :) b:) <p>:-D</p> <code>;)</code>"), "a 🙂 b:) <p>😀</p> <code>;)</code>");
    }
}
