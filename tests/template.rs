//! Tests the template of a site: text that repeats over its pages is not part of a page's own text, and the result for a page does not
//! depend on which other records are read.

use crate::workdir::Workdir;
use serde_json::Value;
use std::fmt::Write as _;

/// The text that a theme without known names puts around each post.
const BANNER: &str = "<div class=q1><p>Welcome to the quay, where all who mend nets, ropes and sails find what they need, on any day of the year.</p></div>";
const POPUP: &str = "<div class=q9><p>Do not miss the fair, the market and the dance, which begin at noon, and bring your friends with you, all of them.</p>
    <p>Those who come late, as some do each year, find the doors closed, and hear the music from outside, which is a pity.</p></div>";

/// The page of a post: its head, the heading of its section, its own title, its text.
fn page(n: usize, text: &str) -> String {
    format!(
        "<!doctype html><html lang=en><head><title>Boat number {n} - Quay</title><link rel=canonical href=https://q.example/boat-{n}/>
         <meta name=generator content='WordPress 6.5'></head><body class='single single-post postid-{n}'><h1>Missions</h1>{BANNER}<div class=q2>
         <h2>Boat number {n}</h2><div class=q3>{text}</div></div>{POPUP}</body></html>"
    )
}

/// The text of the page with this number; its sentences are on no other page.
fn text(n: usize) -> String {
    let words = ["oak", "elm", "tar", "oar", "rib", "keel", "mast", "deck"];
    let word = |at: usize| words[(n * 7 + at * 3 + n * at) % words.len()];
    let mut text = String::new();
    for at in 0..3 {
        let _ = write!(
            text,
            "<p>In {n} and {at} the {} was set on the {}, and the {} held.</p>",
            word(at),
            word(at + 1),
            word(at + 2)
        );
    }
    text
}

/// A site of pages, most of them with a text.
fn site(pages: usize) -> Workdir {
    let dir = Workdir::new();
    for n in 1..=pages {
        dir.write(&format!("scrape/q.example/boat-{n}/index.html"), page(n, &text(n)));
    }
    dir
}

fn parsed(dir: &Workdir) {
    dir.sh("wp-index -q --no-dump --scrape scrape | wp-parse > parse").expect(0);
}

fn text_of(dir: &Workdir, n: usize) -> Option<String> {
    let run = dir.sh(&format!("grep 'boat-{n}/\"' parse | wp-translations")).expect(0);
    run.records()[0]["content"]["text"].as_str().map(str::to_owned)
}

/// A block whose name is also a word is a text where only this page has its words; a menu, and what all pages have, is none.
#[test]
fn a_name_that_is_a_word_needs_words_of_other_pages() {
    let offers = ["nets", "ropes", "sails", "masts", "keels", "oars", "pumps", "bells"];
    let (dir, names) =
        (Workdir::new(), ["services", "meta", "job-date", "widgets", "box-widget", "icons", "alert", "credits"]);
    for (n, (offer, name)) in offers.into_iter().zip(names).enumerate() {
        let block = |class: &str, text: &str| format!("<div class={class}><p>{text}</p></div>");
        let own = block(
            name,
            &format!("We mend {offer} on Mondays, and sell them at the gate of the harbour on all other days."),
        );
        let menu = block(
            "slider",
            &format!("<a href=/boat-1/>All {offer} of the year</a> <a href=/boat-2/>{offer} on sale</a>"),
        );
        let all = block("banner", "Free parking behind the church, on every day of the week, for all who come by car.");
        let byline = format!("<div class=author>By Ann of the {offer}</div>");
        let aside =
            block("sidebar", &format!("The {offer} of this year are made by two brothers who live across the river."));
        let day =
            block("post-date", &format!("On a Monday in May, when the {offer} were new and all of us were young."));
        dir.write(
            &format!("scrape/q.example/boat-{n}/index.html"),
            page(n, &[byline, text(n), own, menu, all, aside, day].concat()),
        );
    }
    parsed(&dir);
    for (n, offer) in offers.into_iter().enumerate() {
        let text = text_of(&dir, n).unwrap();
        assert!(text.contains(&format!("We mend {offer} on Mondays")), "{text}");
        assert!(
            ["on sale", "parking", "By Ann", "brothers", "Monday in May"].iter().all(|left| !text.contains(left)),
            "{text}"
        );
    }
}

/// A short text between two unique ones may be the author's, except for the heading of the comments.
#[test]
fn the_heading_of_comments_is_not_the_end_of_a_text() {
    let dir = Workdir::new();
    for n in 1..=12 {
        let comments = format!("<ol class=commentlist><li>Ann {n} has seen that {} boat, too.</li></ol>", n * n);
        let end = format!("{}<h4>Parts</h4>{}<h4>Talk</h4>{comments}", text(n), text(n + 40));
        dir.write(&format!("scrape/q.example/boat-{n}/index.html"), page(n, &end));
    }
    parsed(&dir);
    let text = text_of(&dir, 3).unwrap();
    assert!(text.contains("\nParts\n") && !text.contains("Talk") && !text.contains("Ann"), "{text}");
}

#[test]
fn what_repeats_is_not_the_text_of_a_page() {
    let dir = site(12);
    dir.write("scrape/q.example/boat-3/index.html", page(3, ""));
    let short = "<p>Ann</p><p>Bob, of the mill</p><pre>ls -la /srv/boats</pre><ul><li>rope<li>sail</ul>";
    dir.write("scrape/q.example/boat-5/index.html", page(5, short));
    parsed(&dir);
    assert_eq!(text_of(&dir, 3), None, "a post without a text");
    assert_eq!(text_of(&dir, 5).as_deref(), Some("Ann\nBob, of the mill\nls -la /srv/boats\nrope\nsail"));
    let own = text_of(&dir, 7).unwrap();
    assert!(own.starts_with("In 7 and 0") && own.lines().count() == 3, "{own}");
}

/// One sentence was the text of a front page of headings and buttons.
#[test]
fn a_page_of_short_lines_is_a_text_as_a_whole() {
    let dir = site(8);
    let things = ["nets", "ropes", "sails", "masts", "keels", "oars"];
    let tile = |what: &&str| {
        format!(
            "<div class=z2><h3>The best {what} that are made on this coast</h3><a href=/{what}/>All our {what}, and what they cost this year</a></div>"
        )
    };
    let tiles: String = things.iter().map(tile).collect();
    dir.write(
        "scrape/q.example/index.html",
        format!(
            "<!doctype html><html lang=en><head><title>Quay</title><link rel=canonical href=https://q.example/>
             <meta name=generator content='WordPress 6.5'></head><body class=home>{BANNER}<div class=z1><div><p>We make all that a boat needs, by hand.</p>
             </div></div><div class=z3>{tiles}</div>{POPUP}</body></html>"
        ),
    );
    parsed(&dir);
    let run = dir.sh("grep 'q.example/\",' parse | wp-translations").expect(0);
    let text = run.records()[0]["content"]["text"].as_str().unwrap().to_owned();
    assert!(text.starts_with("We make all that a boat needs, by hand.\nThe best nets that"), "{text}");
    assert!(text.ends_with("All our oars, and what they cost this year"), "{text}");
}

#[test]
fn a_short_text_that_an_author_repeats_stays() {
    let dir = Workdir::new();
    for n in 1..=9 {
        let parts = text(n).replacen("</p>", "</p><h3>Details</h3>", 2);
        dir.write(&format!("scrape/q.example/boat-{n}/index.html"), page(n, &parts));
    }
    parsed(&dir);
    assert_eq!(text_of(&dir, 4).unwrap().matches("Details").count(), 2);
    // three in a row, such as the time for a recipe and a heading
    for n in 1..=9 {
        let parts = text(n).replacen("</p>", "</p><h2>Time</h2><p>30 minutes</p><h2>Method</h2>", 1);
        dir.write(&format!("scrape/q.example/boat-{n}/index.html"), page(n, &parts));
    }
    parsed(&dir);
    assert_eq!(text_of(&dir, 4).unwrap().lines().skip(1).take(3).collect::<Vec<_>>(), ["Time", "30 minutes", "Method"]);
}

/// The author's name below each letter; lines that a theme adds there have a label, a number, a link or an element of their own.
#[test]
fn the_last_lines_of_a_text_stay_though_all_have_them() {
    for (end, want) in [
        ("<p>Kisses,</p><p>Ann</p>", vec!["Kisses,", "Ann"]),
        ("<p>Kisses,</p><p>Posted in:</p>", vec![]),
        ("<p>3 people like this</p>", vec![]),
        ("<p><a href=/about/>About me</a></p>", vec![]),
        (
            "<p>Thanks to all</p><p>Of the harbour and of its boats we write each week, in this place, for all who read it.</p>",
            vec![],
        ),
    ] {
        let dir = Workdir::new();
        for n in 1..=9 {
            dir.write(&format!("scrape/q.example/boat-{n}/index.html"), page(n, &format!("{}{end}", text(n))));
        }
        parsed(&dir);
        let own = text_of(&dir, 4).unwrap();
        assert_eq!(own.lines().skip(3).collect::<Vec<_>>(), want, "{end}");
    }
}

/// A site says what its boats are for in a few of its texts; a plugin asks for donations in each.
#[test]
fn paragraphs_that_an_author_repeats_between_others_stay() {
    let again = "<h3>Of the boats</h3><p>All boats of the quay are made of oak, as they were when the old king came to see them.</p><p>None of them has a motor, since none is allowed on the river.</p>";
    let plugin = "<p>Give what you can, so that the boats of the quay are here in a hundred years, too.</p>";
    let dir = Workdir::new();
    for n in 1..=12 {
        let again = if n % 4 == 0 { again } else { "" };
        let parts = text(n).replacen("</p>", &format!("</p>{again}"), 1);
        let parts = parts.replacen("<p>In", &format!("{plugin}<p>In"), 3).replacen(plugin, "", 2);
        dir.write(&format!("scrape/q.example/boat-{n}/index.html"), page(n, &parts));
    }
    parsed(&dir);
    for n in [4, 8] {
        let text = text_of(&dir, n).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 6, "{text}");
        assert_eq!(lines[1], "Of the boats");
        assert!(lines[3].starts_with("None of them has a motor") && !text.contains("Give what you can"), "{text}");
    }
    assert_eq!(text_of(&dir, 5).unwrap().lines().count(), 3);
}

/// Any line with the first words of the title was taken for the title.
#[test]
fn a_line_with_the_first_words_of_the_title_stays() {
    let dir = site(9);
    dir.write("scrape/q.example/boat-4/index.html", page(4, &format!("<p>Boat</p>{}", text(4))));
    parsed(&dir);
    assert!(text_of(&dir, 4).unwrap().starts_with("Boat\nIn 4 and 0"));
}

/// Cells lost their words, and lists their items, if other pages had the same short text.
#[test]
fn a_cell_of_a_table_and_an_item_of_a_list_that_other_pages_have_stay() {
    let menu = "<div class=q8><p>Rope making in winter</p><p>Sail making in spring, with all tools and a coat of your own, every second evening of the week</p></div>";
    let dir = site(9);
    for n in 1..=4 {
        dir.write(&format!("scrape/q.example/boat-{n}/index.html"), page(n, &format!("{}{menu}", text(n))));
    }
    let item = "Sail making in spring, with all tools and a coat of your own, every second evening of the week";
    let list =
        format!("<ul><li>In boat five we begin anew.</li><li>{item}</li><li>Boat five then goes to sea.</li></ul>");
    let table = "<table><tr><td>Rope making in winter<td>Rope making in winter<td>Rope making in winter<tr><td>Of boat five on a Monday<td>Of boat five on a Tuesday<td>Of boat five on a Friday evening</table>";
    dir.write("scrape/q.example/boat-5/index.html", page(5, &format!("{}{table}{}{list}", text(5), text(50))));
    // labels and values of fields also occur on other pages
    let field = |name: &str, value: &str| format!("<dt>{name}</dt><dd>{value}</dd>");
    for n in 6..=9 {
        let fields = [
            field("Harbour of the boat", if n == 9 { "Oxmouth" } else { "Seaport" }),
            field("Price of the boat", "1,400 a day"),
        ]
        .concat();
        dir.write(&format!("scrape/q.example/boat-{n}/index.html"), page(n, &format!("<dl>{fields}</dl>")));
    }
    parsed(&dir);
    assert_eq!(text_of(&dir, 9).as_deref(), Some("Harbour of the boat\nOxmouth\nPrice of the boat\n1,400 a day"));
    let text = text_of(&dir, 5).unwrap();
    assert_eq!((text.matches("Rope making").count(), text.matches(item).count()), (3, 1), "{text}");
    assert!(!text.contains("Welcome"));
}

#[test]
fn the_line_with_author_and_day_and_the_heading_of_comments_are_no_text() {
    let dir = Workdir::new();
    for n in 1..=9 {
        let day = format!(
            "<div><p>By <a href=/ann rel=author>Ann of the Old Mill and Bakery</a>, Thursday 2{n} May 2010 · <a href=#c>1 answer</a></p></div>"
        );
        let answers = format!(
            "<div><b>One answer to “Boat number {n}”</b></div><div><b>{n} answers, of them none to “Boat number {n}”</b></div>"
        );
        dir.write(&format!("scrape/q.example/boat-{n}/index.html"), page(n, &format!("{day}{}{answers}", text(n))));
    }
    parsed(&dir);
    let own = text_of(&dir, 4).unwrap();
    assert!(own.starts_with("In 4 and 0") && own.lines().count() == 3, "{own}");
}

/// A list item that was mostly a link to another host was taken for an item of a list of links.
#[test]
fn a_link_in_a_list_that_says_more_stays() {
    let item = "<li>Go to <a href=https://rope.example/projects/p/boats-of-the-north/>https://rope.example/projects/p/boats-of-the-north/</a> and ask</li>";
    let dir = site(9);
    let list = format!(
        "<ul><li>Write down the name of boat four and of its owner.</li>{item}<li>Wait until the warden of boat four has an answer for you.</li></ul>"
    );
    dir.write("scrape/q.example/boat-4/index.html", page(4, &format!("{}{list}{}", text(4), text(44))));
    parsed(&dir);
    assert!(text_of(&dir, 4).unwrap().contains("Go to https"), "{:?}", text_of(&dir, 4));
}

/// A site whose pages all have its name as the title, and whose menus contain the headings: all pages got that name.
#[test]
fn the_only_h1_is_the_title_where_the_head_has_the_name_of_the_site_alone() {
    let dir = Workdir::new();
    let menu: String = (1..=9).map(|n| format!("<a href=/boat-{n}/>Boat number {n}</a> ")).collect();
    for n in 1..=9 {
        let page = format!(
            "<title>Quay</title><meta name=generator content='WordPress 4.6'><body><div>{menu}</div><div><h1>Boat number {n}</h1>{}</div>",
            text(n)
        );
        dir.write(&format!("scrape/q.example/boat-{n}/index.html"), page);
    }
    parsed(&dir);
    let title = |n: usize| {
        let run = dir.sh(&format!("grep 'boat-{n}/\"' parse | wp-translations")).expect(0);
        run.records()[0]["title"]["text"].clone()
    };
    assert_eq!(title(4), "Boat number 4");
    // the heading of the site with its description
    for n in 5..=8 {
        let page = format!(
            "<title>Quay</title><body><div>{menu}</div><div><h1>Quay<span>of boats</span></h1>{}</div>",
            text(n)
        );
        dir.write(&format!("scrape/q.example/boat-{n}/index.html"), page);
    }
    assert_eq!(title(5), "Quay");
}

/// Any short line with a year before the text was taken for its date.
#[test]
fn a_first_line_with_a_year_is_text_and_a_date_is_not() {
    let dir = Workdir::new();
    for n in 1..=9 {
        let day = format!("<p>2{n} May 2011</p><p>March 2011</p>");
        let line = format!("<p>Bought boat {n}{n}0 (the one of 2011)</p>");
        dir.write(&format!("scrape/q.example/boat-{n}/index.html"), page(n, &format!("{day}{line}{}", text(n))));
    }
    parsed(&dir);
    let own = text_of(&dir, 4).unwrap();
    assert!(own.starts_with("Bought boat 440") && own.lines().count() == 4, "{own}");
}

/// The beginning of a title that menus have, too, was taken for the site's, and the page had its tagline as well.
#[test]
fn a_heading_that_begins_the_title_of_the_head_is_the_title_though_menus_have_it() {
    let dir = Workdir::new();
    let menu = "<ul><li><a href=/prices/>Prices</a><li><a href=/boat-1/>Boat number 1</a></ul>";
    for n in 1..=8 {
        dir.write(&format!("scrape/q.example/boat-{n}/index.html"), page(n, &format!("{menu}{}", text(n))));
    }
    let prices =
        format!("<title>Prices | Boats on the lake | Fair and cheap</title><body>{menu}<h1>Prices</h1>{}", text(40));
    dir.write("scrape/q.example/prices/index.html", prices);
    parsed(&dir);
    let run = dir.sh("grep 'prices/\"' parse | wp-translations").expect(0);
    assert_eq!(run.records()[0]["title"]["text"], "Prices");
}

/// The title of a page that is in the menus of all pages was taken for the site's.
#[test]
fn the_only_h1_of_a_page_is_its_title_though_menus_have_it() {
    let dir = site(8);
    let title = |class: &str| {
        let page = format!(
            "<title>Rope works &gt; Articles | All of the boats</title><meta name=generator content='WordPress 6.5'><body class='{class}'>
             <h1 class=page-title>Missions</h1>{}",
            text(40)
        );
        dir.write("scrape/q.example/missions/index.html", page);
        dir.sh("wp-index -q --no-dump --scrape scrape | wp-parse > parse").expect(0);
        dir.sh("grep 'missions/\"' parse | wp-translations").expect(0).records()[0]["title"]["text"].clone()
    };
    assert_eq!(title("page page-id-40"), "Missions");
    // on a post, it may be the section
    assert_ne!(title("single postid-40"), "Missions");
}

#[test]
fn the_heading_of_a_section_is_not_the_title_and_one_that_says_what_the_head_says_is() {
    let dir = site(8);
    parsed(&dir);
    let run = dir.sh("wp-translations parse").expect(0);
    let titles: Vec<Value> = run.records().iter().map(|record| record["title"]["text"].clone()).collect();
    assert!(titles.iter().all(|title| title.as_str().unwrap().starts_with("Boat number")), "{titles:?}");
    // also if no template is known
    let dir = Workdir::new();
    let one = "<title>Guinea - Bio</title><body class=page-id-3><h1>Missions</h1><h2>Guinea</h2><p>Text.</p>";
    dir.write("scrape/q.example/mission/guinee/index.html", one);
    parsed(&dir);
    assert_eq!(dir.sh("wp-translations parse").expect(0).records()[0]["title"]["text"], "Guinea");
}

#[test]
fn what_a_page_gives_does_not_depend_on_which_records_pass() {
    let dir = site(20);
    parsed(&dir);
    let all = dir.sh("wp-translations -j1 parse").expect(0).stdout;
    assert_eq!(dir.sh("wp-translations -j8 parse").expect(0).stdout, all);
    let mut lines: Vec<&str> = all.lines().collect();
    assert_eq!(lines.len(), 20);
    for part in 1..=20 {
        let alone = dir.sh(&format!("sed -n {part}p parse | wp-translations")).expect(0).stdout;
        assert_eq!(alone.trim_end(), lines[part - 1], "record {part} alone");
    }
    let again = dir.sh("split -n l/7 parse part. && for p in part.*; do wp-translations $p; done").expect(0).stdout;
    assert_eq!(again, all, "split in seven");
    let reversed = dir.sh("tac parse | jq -c . | wp-translations -j3").expect(0).stdout;
    lines.reverse();
    assert_eq!(reversed.lines().collect::<Vec<_>>(), lines, "in another order, with jq between");
    // from another directory, given the scrape
    let moved =
        dir.sh("mkdir far; mv scrape far/moved; wp-translations --scrape-root far/moved parse").expect(0).stdout;
    assert_eq!(moved, all);
}

#[test]
fn a_page_more_changes_one_place_of_the_sample_at_most() {
    let samples = |pages: usize| {
        let dir = site(pages);
        parsed(&dir);
        let run = dir.sh("head -1 parse").expect(0);
        let list = run.records()[0]["scrape"]["sample"].as_array().unwrap().clone();
        list.into_iter().map(|file| file.as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let mut last = samples(20);
    assert_eq!(last.len(), 16);
    for pages in 21..26 {
        let next = samples(pages);
        let new = next.iter().filter(|file| !last.contains(file)).count();
        assert!(next.len() == 16 && new <= 1, "{pages} pages: {new} new");
        last = next;
    }
}

#[test]
fn pages_of_the_sample_that_cannot_be_read_are_counted() {
    let dir = site(9);
    parsed(&dir);
    let whole = dir.sh("grep 'boat-9/\"' parse | wp-translations").expect(0).stdout;
    dir.sh("rm scrape/q.example/boat-1/index.html").expect(0);
    let run = dir.sh("grep 'boat-9/\"' parse | wp-translations --stats stats").expect(0);
    assert_eq!(run.stdout, whole, "eight are enough");
    assert!(
        run.stderr
            .contains("1 of 9 pages that show what repeats on the site are not read: page scrape/q.example/boat-1"),
        "{}",
        run.stderr
    );
    // with fewer than five pages there is no template: three may show one untranslated text
    dir.sh("rm scrape/q.example/boat-[2345]/index.html").expect(0);
    let run = dir.sh("grep 'boat-9/\"' parse | wp-translations").expect(0);
    assert!(run.records()[0]["content"]["text"].as_str().unwrap().contains("Welcome to the quay"));
    // nor without a sample, as in records that other programs make
    let alone = dir.sh("grep 'boat-9/\"' parse | jq -c 'del(.scrape.sample)' | wp-translations").expect(0);
    assert_eq!(alone.records()[0]["content"]["text"], run.records()[0]["content"]["text"]);
    assert_eq!(alone.stderr, "");
}

/// With a template made of three pages, none of these had a text.
#[test]
fn a_text_that_nobody_has_translated_is_that_of_each_of_its_pages() {
    for pages in [3, 6] {
        let dir = site(pages);
        for n in 1..=3 {
            dir.write(&format!("scrape/q.example/boat-{n}/index.html"), page(n, &text(1)));
        }
        parsed(&dir);
        assert!((1..=3).all(|n| text_of(&dir, n).is_some_and(|found| found.contains("was set on the"))), "{pages}");
    }
}

/// All posts of a site that demonstrates a theme may have the same text: they had none.
#[test]
fn a_text_that_all_posts_have_is_theirs_and_what_a_footer_says_is_not() {
    let same = |n: usize, place: &str, beside: &str| {
        let texts = text(1).repeat(30);
        page(n, &format!("<div class={place}>{texts}{beside}</div>"))
    };
    let dir = site(0);
    for n in 1..=8 {
        dir.write(&format!("scrape/q.example/boat-{n}/index.html"), same(n, "single-boat-content", ""));
    }
    parsed(&dir);
    assert!((1..=8).all(|n| text_of(&dir, n).is_some_and(|text| text.contains("In 1 and 0 the"))));
    // without a name for it, or around the footer of the site
    for (place, beside) in [("x", ""), ("main", "<footer><p>All of us, each day.</p></footer>")] {
        for n in 1..=8 {
            dir.write(&format!("scrape/q.example/boat-{n}/index.html"), same(n, place, beside));
        }
        parsed(&dir);
        assert_eq!(text_of(&dir, 3).filter(|text| text.contains("In 1 and 0 the")), None, "{place}");
    }
}

#[test]
fn only_records_that_have_rights_name_a_sample() {
    let dir = site(9);
    let post = |n: usize, content: &str| {
        format!(
            "{{\"id\":{n},\"type\":\"post\",\"link\":\"https://q.example/boat-{n}/\",\"content\":{{\"rendered\":\"{content}\"}}}}\n"
        )
    };
    dir.write("dump.ndjson", post(1, &"long ".repeat(100)) + &post(2, ""));
    let term = "{\"id\":3,\"taxonomy\":\"category\",\"link\":\"https://q.example/boat-3/\",\"name\":\"x\"}\n";
    dir.write("dump.ndjson", dir.read("dump.ndjson") + term);
    let run = dir.sh("wp-index -q dump.ndjson --scrape scrape").expect(0);
    let named: Vec<usize> =
        run.records().iter().map(|record| record["scrape"]["sample"].as_array().unwrap().len()).collect();
    assert_eq!(named, [9, 9, 0, 9, 9, 9, 9, 9, 9, 9]);
}

/// Interviews repeat the same questions, and a page of places lists the same as the menu: if the theme names the place of the
/// content, repeated text there is the author's.
#[test]
fn a_place_that_a_selector_knows_keeps_what_repeats() {
    let dir = Workdir::new();
    let questions = "<h3>What do you mend in the winter, where do you mend it, and with what tools do you begin the work of the year?</h3>";
    for n in 1..=12 {
        let text = format!("<div class=entry-body><h4>Boat number {n}</h4>{questions}{}{questions}</div>", text(n));
        dir.write(&format!("scrape/q.example/boat-{n}/index.html"), page(n, &text));
    }
    parsed(&dir);
    let own = text_of(&dir, 7).unwrap();
    assert!(own.starts_with("What do you mend") && own.lines().count() >= 4, "{own}");
}

/// A menu on all pages has the titles of some pages.
#[test]
fn a_title_that_menus_have_is_still_the_title() {
    let dir = Workdir::new();
    for n in 1..=12 {
        let title = |n: usize| format!("The shed of row {n}");
        let menu: String = (1..=12).map(|n| format!("<div class=m{n}>{}</div>", title(n))).collect();
        let page = page(n, &text(n)).replace("<h1>Missions</h1>", &format!("{menu}<h1>{}</h1>", title(n)));
        let page = page.replace(&format!("<h2>Boat number {n}</h2>"), "");
        let page = page.replace(&format!("<title>Boat number {n} - Quay"), &format!("<title> » {}", title(n)));
        dir.write(&format!("scrape/q.example/boat-{n}/index.html"), page);
    }
    parsed(&dir);
    let run = dir.sh("wp-translations parse").expect(0);
    let titles: Vec<String> = run.records().iter().map(|r| r["title"]["text"].as_str().unwrap().to_owned()).collect();
    assert!(titles.iter().all(|title| title.starts_with("The shed of row ")), "{titles:?}");
}

/// How themes show a post in a list: given its number and the quoted text.
type Card = fn(usize, &str) -> String;

const CARDS: [(&str, Card); 8] = [
    ("a block with a linked heading", |n, quote| {
        format!(
            "<div class=i><h2><a href=/boat-{n}/>Boat number {n}</a></h2><p>May {n}</p><div class=e>{quote}</div></div>"
        )
    }),
    ("a header with a line of its own", |n, quote| {
        format!(
            "<section><header><h3><a href=/boat-{n}/>Boat number {n}</a></h3><p>{n} May, by Ann and by Bob</p></header><div>{quote}</div></section>"
        )
    }),
    ("headings and texts beside each other", |n, quote| {
        format!("<h2><a href=https://q.example/boat-{n}/>Boat number {n}</a></h2>{quote}")
    }),
    ("a title that is not a heading", |n, quote| {
        format!("<div class=i><div class=t><a href=/boat-{n}/>Boat number {n}</a></div><div>{quote}</div></div>")
    }),
    ("a link after the quotation", |n, quote| {
        format!("<ul><li><b>Boat number {n}</b>{quote}<div><a href=/boat-{n}/>Onwards</a></div></ul>")
    }),
    ("a list of terms", |n, quote| format!("<dl><dt><a href=/boat-{n}/>Boat number {n}</a><dd>{quote}</dl>")),
    ("lines without blocks around", |n, quote| format!("<p><a href=/boat-{n}/>Boat number {n}</a></p>{quote}")),
    ("one link around all", |n, quote| format!("<a href=/boat-{n}/><div class=t>Boat number {n}</div>{quote}</a>")),
];

/// A page of a theme without classes of the body and without known names.
fn nameless(place: &str, title: &str, text: &str) -> String {
    format!(
        "<!doctype html><html lang=en><head><title>{title} - Quay</title><link rel=canonical href=https://q.example/{place}/>
         <meta name=generator content='WordPress 6.5'></head><body><div class=q0><h1><a href=/>Quay</a></h1></div>{BANNER}<div class=q2>{text}</div>
         {POPUP}</body></html>"
    )
}

/// A post of that theme, with `beside` next to its text.
fn nameless_post(n: usize, beside: &str) -> String {
    let text = format!("<h2>Boat number {n}</h2><div class=q3>{}</div></div><div class=q4>{beside}", text(n));
    nameless(&format!("boat-{n}"), &format!("Boat number {n}"), &text)
}

fn first_paragraph(n: usize) -> String {
    let text = text(n);
    text[..text.find("</p>").unwrap() + 4].to_owned()
}

/// The posts of a list, as cards.
fn cards(card: Card, posts: impl IntoIterator<Item = usize>, quote: fn(usize) -> String) -> String {
    posts.into_iter().map(|n| card(n, &quote(n))).collect()
}

/// Two lists quote each post, a third one some of them, and archives one each.
fn write_lists(dir: &Workdir, posts: usize, card: Card, quote: fn(usize) -> String) {
    let list = |place: &str, title: &str, posts: Vec<usize>| {
        dir.write(&format!("scrape/q.example/{place}/index.html"), nameless(place, title, &cards(card, posts, quote)));
    };
    list("", "Quay", (1..=posts).collect());
    list("news", "News", (1..=posts).rev().collect());
    list("news/page/2", "News", (1..=posts / 2).collect());
    list("category/oak", "Oak", (1..=posts).filter(|n| n % 2 == 0).collect());
}

#[test]
fn what_lists_quote_of_a_post_is_still_its_text() {
    for (shape, card) in CARDS {
        for quote in [first_paragraph as fn(usize) -> String, text] {
            let dir = Workdir::new();
            for n in 1..=7 {
                dir.write(&format!("scrape/q.example/boat-{n}/index.html"), nameless_post(n, ""));
            }
            write_lists(&dir, 7, card, quote);
            parsed(&dir);
            for n in [2, 5, 7] {
                let own = text_of(&dir, n).unwrap_or_default();
                assert!(own.starts_with(&format!("In {n} and 0")) && own.lines().count() == 3, "{shape}: {n}: {own}");
            }
        }
    }
}

/// Archives of one post: nothing else on the page shows that it is a list.
#[test]
fn what_lists_of_one_post_quote_is_still_its_text() {
    let dir = Workdir::new();
    let (_, card) = CARDS[0];
    for n in 1..=7 {
        dir.write(&format!("scrape/q.example/boat-{n}/index.html"), nameless_post(n, ""));
    }
    for kind in ["oak", "elm", "tar", "oar"] {
        let list = nameless(&format!("wood/{kind}"), kind, &cards(card, [3], first_paragraph));
        dir.write(&format!("scrape/q.example/wood/{kind}/index.html"), list);
    }
    parsed(&dir);
    let own = text_of(&dir, 3).unwrap_or_default();
    assert!(own.starts_with("In 3 and 0") && own.lines().count() == 3, "{own}");
}

/// The list of newest posts beside each text belongs to the site, and the quoted posts have texts of their own.
#[test]
fn what_a_widget_quotes_on_all_pages_is_not_their_text() {
    for (shape, card) in CARDS {
        let dir = Workdir::new();
        let newest = format!("<div>Newest</div>{}", cards(card, 5..=8, first_paragraph));
        for n in 1..=8 {
            dir.write(&format!("scrape/q.example/boat-{n}/index.html"), nameless_post(n, &newest));
        }
        write_lists(&dir, 8, card, first_paragraph);
        parsed(&dir);
        for n in [2, 5, 8] {
            let own = text_of(&dir, n).unwrap_or_default();
            assert!(own.starts_with(&format!("In {n} and 0")) && own.lines().count() == 3, "{shape}: {n}: {own}");
        }
    }
}
