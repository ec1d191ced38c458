//! Charts and tables in HTML. Lengths are shares of the width and letters keep their size, so that a chart is as
//! readable on a telephone as on paper; every number is in a table, too.

use crate::export::xml;
use std::fmt::Write as _;

/// A cell of a table.
pub(super) enum Cell {
    Text(String),
    Number(u64),
    /// A number that nobody knows.
    Unknown,
    /// The address of a page: a link if a browser may follow it.
    Url(String),
    /// A number and its share of a whole.
    Share(u64, u64),
}

/// A number with a comma before each group of three digits.
pub(super) fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (at, digit) in digits.char_indices() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A share in percent.
pub(super) fn percent(part: u64, whole: u64) -> String {
    match whole {
        0 => "–".to_owned(),
        _ => format!("{:.1} %", 100.0 * part as f64 / whole as f64),
    }
}

/// Text that keeps its own direction.
fn words(text: &str, html: &mut String) {
    html.push_str("<bdi>");
    xml::text(text, html);
    html.push_str("</bdi>");
}

/// A table below its caption. What is wider than the page can be scrolled.
pub(super) fn table(caption: &str, columns: &[&str], rows: &[Vec<Cell>], html: &mut String) {
    html.push_str("<div class=\"wide\"><table><caption>");
    xml::text(caption, html);
    html.push_str("</caption>\n<thead><tr>");
    for (number, column) in columns.iter().enumerate() {
        let is_number = rows.first().is_some_and(|row| !matches!(row.get(number), Some(Cell::Text(_) | Cell::Url(_))));
        html.push_str(if is_number { "<th class=\"n\" scope=\"col\">" } else { "<th scope=\"col\">" });
        words(column, html);
        html.push_str("</th>");
    }
    html.push_str("</tr></thead>\n<tbody>\n");
    for row in rows {
        html.push_str("<tr>");
        row.iter().for_each(|cell| write_cell(cell, html));
        html.push_str("</tr>\n");
    }
    html.push_str("</tbody></table></div>\n");
}

fn write_cell(cell: &Cell, html: &mut String) {
    match cell {
        Cell::Text(text) => {
            html.push_str("<td>");
            words(text, html);
        }
        Cell::Number(n) => {
            let _ = write!(html, "<td class=\"n\">{}", grouped(*n));
        }
        Cell::Unknown => html.push_str("<td class=\"n\">–"),
        Cell::Share(part, whole) => {
            let share = if *whole == 0 { 0.0 } else { 100.0 * *part as f64 / *whole as f64 };
            let _ = write!(html, "<td class=\"n\" style=\"--share:{share:.0}%\">{}", grouped(*part));
        }
        Cell::Url(url) => {
            html.push_str("<td class=\"url\">");
            let leads = url.starts_with("http://") || url.starts_with("https://");
            if leads {
                html.push_str("<a rel=\"noreferrer\"");
                xml::attribute("href", url, html);
                html.push('>');
            }
            words(&readable(url), html);
            html.push_str(if leads { "</a>" } else { "" });
        }
    }
    html.push_str("</td>");
}

/// A URL whose words in other alphabets are letters instead of `%XX`.
fn readable(url: &str) -> String {
    let mut bytes = Vec::with_capacity(url.len());
    let mut rest = url.as_bytes();
    while let [first, tail @ ..] = rest {
        let hex = |byte: &u8| char::from(*byte).to_digit(16);
        match (first, tail) {
            (b'%', [high @ b'8'..=b'f', low, after @ ..]) if hex(high).is_some() && hex(low).is_some() => {
                bytes.push((hex(high).unwrap_or(0) * 16 + hex(low).unwrap_or(0)) as u8);
                rest = after;
            }
            _ => {
                bytes.push(*first);
                rest = tail;
            }
        }
    }
    match String::from_utf8(bytes) {
        Ok(text) if !text.chars().any(|c| c.is_control() || c.is_whitespace()) => text,
        _ => url.to_owned(),
    }
}

/// A label that is not longer than a line.
fn short(label: &str) -> String {
    const LONGEST: usize = 36;
    match label.char_indices().nth(LONGEST) {
        Some((end, _)) => label[..end].to_owned() + "…",
        None => label.to_owned(),
    }
}

fn begin_chart(class: &str, title: &str, height: usize, html: &mut String) {
    let _ = write!(html, "<svg class=\"{class}\" role=\"img\" width=\"100%\" height=\"{height}\"><title>");
    xml::text(title, html);
    html.push_str("</title>\n");
}

/// Bars that lie below each other, with their labels and numbers above them.
pub(super) fn bars(title: &str, rows: &[(String, u64, u64)], html: &mut String) {
    const ROW: usize = 36;
    begin_chart("bars", title, ROW * rows.len(), html);
    for (number, (label, part, whole)) in rows.iter().enumerate() {
        let top = ROW * number;
        let width = if *whole == 0 { 0.0 } else { 100.0 * *part as f64 / *whole as f64 };
        let _ = write!(html, "<text x=\"0\" y=\"{}\">", top + 14);
        xml::text(&short(label), html);
        let _ = writeln!(
            html,
            "</text><text class=\"n\" x=\"100%\" y=\"{}\">{}</text><rect class=\"ground\" y=\"{2}\" width=\"100%\" height=\"9\" \
             rx=\"2\"/><rect class=\"bar\" y=\"{2}\" width=\"{width:.2}%\" height=\"9\" rx=\"2\"/>",
            top + 14,
            grouped(*part),
            top + 20
        );
    }
    html.push_str("</svg>\n");
}

/// Columns side by side, some of them with labels below.
pub(super) fn columns(title: &str, values: &[(String, u64)], html: &mut String) {
    const HEIGHT: f64 = 160.0;
    const LABELS: usize = 6;
    let most = values.iter().map(|(_, n)| *n).max().unwrap_or(0).max(1);
    begin_chart("columns", title, 200, html);
    let width = 100.0 / values.len().max(1) as f64;
    let step = values.len().div_ceil(LABELS).max(1);
    let _ = writeln!(html, "<text x=\"0\" y=\"12\">{}</text>", grouped(most));
    html.push_str(
        "<line x1=\"0\" x2=\"100%\" y1=\"18.5\" y2=\"18.5\"/><line x1=\"0\" x2=\"100%\" y1=\"178.5\" y2=\"178.5\"/>\n",
    );
    for (number, (label, n)) in values.iter().enumerate() {
        let (x, height) = (width * number as f64, HEIGHT * *n as f64 / most as f64);
        let _ = write!(html, "<rect class=\"bar\" x=\"{:.2}%\" y=\"{:.1}\" ", x + width * 0.1, 178.0 - height);
        let _ = write!(html, "width=\"{:.2}%\" height=\"{height:.1}\"><title>", width * 0.8);
        xml::text(label, html);
        let _ = writeln!(html, ": {}</title></rect>", grouped(*n));
        if number % step == 0 {
            let _ = write!(html, "<text x=\"{:.2}%\" y=\"196\">", x + width * 0.1);
            xml::text(label, html);
            html.push_str("</text>\n");
        }
    }
    html.push_str("</svg>\n");
}

/// A command to see what is counted, for the folder of a dataset in jsonl.
pub(super) fn command(text: &str, html: &mut String) {
    html.push_str("<pre><code>");
    xml::text(text, html);
    html.push_str("</code></pre>\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped() {
        assert_eq!([0, 999, 1000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!([percent(1, 3), percent(0, 0)], ["33.3 %", "–"]);
    }

    #[test]
    fn urls_are_readable_and_only_what_is_one_is_a_link() {
        assert_eq!(readable("http://a/%d8%b3/%20%zz"), "http://a/س/%20%zz");
        assert_eq!(readable("http://a/%ff%e2%80"), "http://a/%ff%e2%80");
        assert_eq!(readable("http://a/%c2%85"), "http://a/%c2%85");
        let mut html = String::new();
        write_cell(&Cell::Url("javascript:x\"<".into()), &mut html);
        assert_eq!(html, "<td class=\"url\"><bdi>javascript:x\"&lt;</bdi></td>");
    }
}
