//! Cuts PHP's error messages out of a page's content: a server that displays errors writes them wherever they occur.

use crate::rule::Rule;
use memchr::memmem;

/// The text between the file of a message and its line number.
const LINE: &str = "</b> on line <b>";

/// The names of PHP's kinds of messages.
const KINDS: [&str; 9] = [
    "Warning",
    "Notice",
    "Deprecated",
    "Strict Standards",
    "Fatal error",
    "Parse error",
    "Recoverable fatal error",
    "Core error",
    "Catchable fatal error",
];

/// The text before a message of PHP.
const BEFORE: &str = "<br />\n";
/// The text after a message. A text about PHP that quotes a message has neither.
const AFTER: &str = "</b><br />";

/// The content without PHP's messages: `<br />`, a line feed, `<b>Warning</b>:  text in <b>file</b> on line <b>7</b><br />`.
pub(super) fn cut(html: String) -> String {
    let mut lines = memmem::find_iter(html.as_bytes(), LINE).peekable();
    if !Rule::Message.holds(lines.peek().is_some()) {
        return html;
    }
    // the kept text, and the positions up to which the content was kept or cut, and inspected
    let (mut kept, mut from, mut seen) = (String::new(), 0, 0);
    for line in lines {
        let after = line + LINE.len();
        let number = html[after..].bytes().take_while(u8::is_ascii_digit).count();
        let is_whole = number > 0 && html[after + number..].starts_with(AFTER);
        if let Some(start) = start(&html[seen..line]).filter(|_| is_whole) {
            kept.push_str(&html[from..seen + start]);
            from = after + number + AFTER.len();
        }
        seen = from.max(after);
    }
    kept + &html[from..]
}

/// The start of the last message in a text.
fn start(text: &str) -> Option<usize> {
    let (before, _) = text.rsplit_once("</b>:  ")?;
    let (before, kind) = before.rsplit_once("<b>")?;
    let before = before.strip_suffix(BEFORE).filter(|_| KINDS.contains(&kind))?;
    Some(before.len())
}

#[cfg(test)]
mod tests {
    use super::cut;

    #[test]
    fn messages_of_php_are_cut_out() {
        let message = |kind: &str| {
            format!("<br />\n<b>{kind}</b>:  Creating x from y in <b>/www/x.php</b> on line <b>82</b><br />")
        };
        let all = format!("<p>a</p>{}<p>b</p>{}c", message("Warning"), message("Deprecated"));
        assert_eq!(cut(all), "<p>a</p><p>b</p>c");
        let shown = "<p><b>Warning</b>:  Creating x from y in <b>/www/x.php</b> on line <b>82</b></p>";
        for kept in [
            "<p>Warning: boats.</p>".to_owned(),
            message("Storm"),
            shown.to_owned(),
            "<b>Notice</b>:  <b>x</b> on line <b>y</b>".to_owned(),
        ] {
            assert_eq!(cut(kept.clone()), kept);
        }
    }
}
