//! Tests of the XML reader with good, unusual, damaged and malicious documents.

use super::*;
use proptest::prelude::*;

const NAMES: Names =
    Names { entries: &["item", "wp:author"], fields: &["title", "image"], texts: &["b"], namespaces: &[] };

fn read_bounded(text: &[u8], most: usize) -> Vec<(u64, Parsed)> {
    let mut entries = Entries::new(text, NAMES, most);
    let mut found = Vec::new();
    while let Some(one) = entries.next().unwrap() {
        found.push((entries.begins_at, one));
    }
    assert_eq!(entries.passed(), text.len() as u64);
    found
}

/// The entries of a document, each with its line: its text and that of its children, or the error.
fn read(text: &[u8]) -> Vec<(u64, String)> {
    let shown = |found| match found {
        Parsed::Broken(what, _) => format!("! {what}"),
        Parsed::Element(element) => {
            let children = element.children.iter().map(|child| format!("{}={}", child.name, child.text));
            [element.name.clone(), element.text.trim().to_owned()]
                .into_iter()
                .chain(children)
                .collect::<Vec<_>>()
                .join(" ")
        }
    };
    read_bounded(text, 1 << 20).into_iter().map(|(line, found)| (line, shown(found))).collect()
}

fn lines(text: &str) -> Vec<String> {
    read(text.as_bytes()).into_iter().map(|(_, shown)| shown).collect()
}

#[test]
fn entries_come_with_their_places() {
    let text = "\u{feff}Notice: x in <b>y.php</b>\n<?xml version='1.0'?><!DOCTYPE r [<!ENTITY a 'b'>]>\n<rss a='<'><title>T &amp; U</title>
        <image><title>no</title></image><!-- <item>no</item> --><x/>\n<item><a b='1&quot;>' c>1 &lt; 2 &eacute;&#233;&x; & </a><d/></item><item/>";
    let found = read(text.as_bytes());
    let wanted = [(3, "title T & U"), (4, "image  title=no"), (5, "item  a=1 < 2 éé&x; & d="), (5, "item ")];
    assert_eq!(found, wanted.map(|(line, shown)| (line, shown.to_owned())));
    let mut entries = Entries::new(&b"<item a=\"x &amp; y\"/>"[..], NAMES, 100);
    let Some(Parsed::Element(item)) = entries.next().unwrap() else { panic!("no item") };
    assert_eq!((item.attribute("a"), item.attribute("b"), item.get("c")), ("x & y", "", ""));
}

#[test]
fn sections_are_joined_as_wordpress_cuts_them() {
    let text = "<item><a><![CDATA[x ]]]]><![CDATA[> </item> <b> &amp; ]]>.</a></item>";
    assert_eq!(lines(text), ["item  a=x ]]> </item> <b> &amp; ."]);
}

/// Browsers and formatters put each CDATA section on a line of its own, which is no part of its text.
#[test]
fn white_space_that_indents_is_no_text() {
    let text = "<item><a>\n <![CDATA[ x ]]>\n</a><b>\n <![CDATA[ x ]]]]><![CDATA[>\n]]>\n</b><b> y\n</b><a> y <![CDATA[ z ]]> </a></item>";
    assert_eq!(lines(text), ["item  a=x b= x ]]>\n b= y\n a=y  z"]);
    // a browser shows an empty section as a blank; a password may be one
    assert_eq!(lines("<item><b>\n<![CDATA[ ]]>\n</b><b><![CDATA[ ]]></b></item>"), ["item  b= b= "]);
}

#[test]
fn other_encodings_are_read_as_they_are_declared() {
    let text = b"<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><item><a>caf\xe9 \x80</a></item>";
    assert_eq!(read(text), [(1, "item  a=café €".to_owned())]);
    assert_eq!(read(b"<item><a>\xff\0</a></item>"), [(1, "item  a=\u{fffd}\0".to_owned())]);
}

#[test]
fn what_is_damaged_costs_its_own_entry() {
    let good = "<item><a><![CDATA[1]]></a></item>\n";
    for (damaged, what) in [
        ("<item><a><![CDATA[x</a><b><![CDATA[y]]></b></item>", "! a CDATA section has no end"),
        ("<item><b/><a><![CDATA[x</a></item>", "! a CDATA section has no end"),
        ("<item><a>x</a>", "! this element has no end"),
        ("<a>x</a></item>", "! the beginning of this item is missing"),
        ("<wp:author><a>x</a>", "! this element has no end"),
        ("<title>x", "! this element has no end"),
    ] {
        assert_eq!(
            lines(&[good, damaged, good, good].concat()),
            ["item  a=1", what, "item  a=1", "item  a=1"],
            "{damaged}"
        );
    }
    for ill_formed in ["<item><a>x</b></item>", "<item><a><br>x</a></item>", "<item><a b=\"x>y</a></item>"] {
        let found = lines(&[good, ill_formed, good].concat());
        assert!(found.len() == 3 && found[1].starts_with("! not well-formed XML"), "{found:?}");
    }
    assert_eq!(lines(&[good, "<item><a>x"].concat()), ["item  a=1", "! the file ends within this element"]);
    assert_eq!(lines(&[good, "<!-- lost <item><a>&lt;!--more--></a></item>", good].concat()).len(), 3);
}

#[test]
fn bombs_and_towers_are_rejects() {
    let tower = "<a>".repeat(1_000_000);
    for hostile in [format!("<item>{tower}</item>"), format!("<item><a>{}</a></item>", "x".repeat(3 << 20))] {
        let found = lines(&[&hostile, "<item>1</item>"].concat());
        assert!(found[0].starts_with("! ") && found[1..] == ["item 1"], "{:?}", &found[..1]);
    }
    let bomb = "<!DOCTYPE x [<!ENTITY a 'ha'><!ENTITY b '&a;&a;&a;'>]><item>&b;</item>";
    assert_eq!(lines(bomb), ["item &b;"]);
    // Each of these makes the reader search for an end that is far away or missing.
    for many in [
        "<item><a><![CDATA[ ",
        "<![CDATA[",
        "<!--",
        "<item a=\"",
        "<item>",
        "<item><a><![CDATA[ </item>",
        "<",
        "</item>",
    ] {
        let text = many.repeat(200_000);
        read(text.as_bytes());
        read([&text, "]]>"].concat().as_bytes());
    }
}

proptest! {
    #![proptest_config(crate::cases::cases(200))]

    /// Damage in one place costs at most the entries that it touches, and no byte is lost.
    #[test]
    fn a_damage_costs_the_entries_that_it_touches(at in 0..4000_usize, cut in 0..30_usize, with in "[<>!\\]\\[\"' -]{0,3}") {
        let item = |n: usize| format!(
            "\t<item>\n\t\t<title><![CDATA[No. {n}]]></title>\n\t\t<guid isPermaLink=\"false\">http://a.example/?p={n}</guid>\n\t\t\
             <content><![CDATA[<!-- wp:p --><p class=\"a\">x ]]]]><![CDATA[> {n}</p>\n]]></content>\n\t\t<id>{n}</id>\n\t</item>\n");
        let mut text = "<rss>\n\t<title>T</title>\n".to_owned();
        let places: Vec<_> = (0..20).map(|n| { let from = text.len(); text += &item(n); from..text.len() }).collect();
        text += "</rss>";
        let damage = at.min(text.len())..(at + cut).min(text.len());
        let touched = places.iter().filter(|p| p.start <= damage.end && damage.start <= p.end).count().max(1);
        let damaged = [&text[..damage.start], &with, &text[damage.end..]].concat();
        let found = read(damaged.as_bytes());
        let good = found.iter().filter(|(_, shown)| shown.starts_with("item ")).count();
        prop_assert!(good + touched >= 20, "{good} of 20, {touched} touched: {found:?}");
    }
}

/// XHTML outside of a `div` ended the run.
#[test]
fn xhtml_is_what_its_div_holds() {
    let of = |text: &str| lines(&format!("<item><b type='xhtml'>{text}</b></item>"));
    for (text, markup) in [
        ("1 > 0 <i>x</i>", "1 > 0 <i>x</i>"),
        ("<p>x</p><p>y</p>", "<p>x</p><p>y</p>"),
        (" <div xmlns='x'>1 > 0 <i>x</i></div> ", "1 > 0 <i>x</i>"),
        ("<h:div>x<h:br/></h:div>", "x<br/>"),
        ("<xdiv>x</xdiv>", "<xdiv>x</xdiv>"),
        ("<div/>", "<div></div>"),
        ("<p>1</p><script src='/x.js?a/>'/><p>2</p>", "<p>1</p><script src='/x.js?a/>'></script><p>2</p>"),
        ("<div>1<h:iframe x='1' /><br/><IMG src='a'/>2</div>", "1<h:iframe x='1' ></h:iframe><br/><IMG src='a'/>2"),
        ("<b><![CDATA[<i>&amp;]]></b><!-- <a/> -->", "<b>&lt;i>&amp;amp;</b><!-- <a/> -->"),
        ("", ""),
    ] {
        assert_eq!(of(text), [format!("item  b={markup}")]);
    }
}
