//! The sections on links and images: where they lead.

use super::super::charts::{Cell, bars, command, grouped, table};
use super::super::numbers::Targets;
use super::super::{Overview, Top};
use super::{heading, most};
use std::fmt::Write as _;

/// Where references lead, as a chart and as a table.
fn write_targets(what: &str, to: &Targets, html: &mut String) {
    let all = to.resolved() + to.dangling + to.external + to.other + to.unresolved;
    let kinds = [
        ("to a record of the site", to.resolved()),
        ("to the site, no record known", to.dangling),
        ("out of the site", to.external),
        ("no web address (mailto:, tel:)", to.other),
        ("not known before wp-resolve", to.unresolved),
    ];
    let kinds: Vec<_> = kinds.into_iter().filter(|(_, n)| *n > 0).map(|(name, n)| (name.to_owned(), n, all)).collect();
    if to.unresolved > 0 {
        html.push_str("<p class=\"note\">These records have not passed wp-resolve: links are not resolved.</p>\n");
    }
    html.push_str("<div class=\"two\"><div>\n");
    bars(&format!("{what} by where they lead"), &kinds, html);
    html.push_str("</div><div>\n");
    let rules = most(to.rules.iter().map(|(rule, n)| (rule.clone(), *n)).collect());
    let rules: Vec<Vec<Cell>> =
        rules.into_iter().map(|(rule, n)| vec![Cell::Text(rule), Cell::Share(n, all)]).collect();
    if !rules.is_empty() {
        let caption = format!("{what} to a record, by the rule that found it (see wp-resolve(1))");
        table(&caption, &["rule", &what.to_lowercase()], &rules, html);
    }
    html.push_str("</div></div>\n");
}

/// A list of the most frequent; nothing if it is empty.
fn write_top(caption: &str, column: &str, top: &Top, is_url: bool, see: &str, html: &mut String) {
    if top.list.is_empty() {
        return;
    }
    let cell = |text: &String| if is_url { Cell::Url(text.clone()) } else { Cell::Text(text.clone()) };
    let rows: Vec<_> = top.list.iter().map(|(text, n)| vec![Cell::Number(*n), cell(text)]).collect();
    table(caption, &["links", column], &rows, html);
    if top.missed > 0 {
        let missed = grouped(top.missed);
        let _ = writeln!(html, "<p>There are too many to count each: a number may be too low by up to {missed}.</p>");
    }
    command(see, html);
}

pub(super) fn write_links(of: &Overview, html: &mut String) {
    heading("Links", html);
    write_targets("Links", &of.links, html);
    command("jq -r '.links[]? | select(.target.type) | .rule' *.jsonl | sort | uniq -c | sort -rn", html);
    write_top(
        "Records that others link to most",
        "record",
        &of.most_linked,
        true,
        "jq -r '.link as $from | .links[]? | select(.target.link and .target.link != $from) | .target.link' *.jsonl | sort | uniq -c | sort -rn",
        html,
    );
    write_top(
        "Outside hosts that are linked to most",
        "host",
        &of.outside_hosts,
        false,
        "jq -r '.links[]? | select(.internal == false and .target.type == null and .url) | .url | split(\"/\")[2]' *.jsonl | sort | uniq -c | sort -rn",
        html,
    );
    write_top(
        "Addresses of the site where no record is known: dead, or not in the dump",
        "address",
        &of.dangling,
        true,
        "jq -r '.link as $from | .links[]? | select(.internal and .target.type == null) | [.url, $from] | @tsv' *.jsonl | sort",
        html,
    );
}

pub(super) fn write_images(of: &Overview, html: &mut String) {
    heading("Images", html);
    let alt = &of.alternatives;
    let all = alt.with_text + alt.empty + alt.missing;
    if all == 0 {
        html.push_str("<p>There are no images in texts.</p>\n");
        return;
    }
    let kinds = [
        ("with alternative text", alt.with_text),
        ("with an empty one (decoration)", alt.empty),
        ("without the attribute", alt.missing),
    ];
    bars("Images by alternative text", &kinds.map(|(name, n)| (name.to_owned(), n, all)), html);
    command(
        "jq -r '.link as $from | .images[]? | select(.alt == null) | [.url, $from] | @tsv' *.jsonl   # without the attribute",
        html,
    );
    write_targets("Images", &of.images, html);
}
