//! Tests statements of a page on itself that are hard to read: titles, dates, encodings; the sentences of all scripts, threads of forums,
//! lists without content.

use crate::workdir::{Run, Workdir};
use serde_json::{Value, json};

/// The records of a scrape without a dump.
fn run(dir: &Workdir) -> Run {
    dir.sh("wp-index -q --no-dump --scrape scrape | wp-parse | wp-translations --stats stats").expect(0)
}

fn write(dir: &Workdir, place: &str, page: impl AsRef<[u8]>) {
    dir.write(&format!("scrape/{place}index.html"), page);
}

/// The record of a page on its own.
fn record(page: impl AsRef<[u8]>) -> Value {
    let dir = Workdir::new();
    write(&dir, "a.example/x/", page);
    run(&dir).records().remove(0)
}

fn titles(dir: &Workdir) -> Vec<String> {
    let records = run(dir).records();
    records.iter().map(|record| record["title"]["text"].as_str().unwrap_or("-").to_owned()).collect()
}

const TEXT: &str = "<div class=entry-content><p>Text of the harbour, and the ships in it.</p></div>";

/// One sentence of English, in a theme without a known place of content, outweighed any text in another script.
#[test]
fn sentences_of_all_scripts_are_prose() {
    // Armenian, Hebrew and Greek as they are written today, and with their own marks
    for (script, sentences) in [
        (
            "Deva",
            [
                "सुबह हम नदी के किनारे गए और वहाँ मछुआरों से बहुत देर तक बात की।",
                "उन्होंने हमें अपनी पुरानी नावें और नए जाल दिखाए जो सबने मिलकर बनाए थे।",
            ],
        ),
        (
            "Beng",
            [
                "সকালে আমরা নদীর ধারে গিয়েছিলাম এবং জেলেদের সঙ্গে অনেকক্ষণ কথা বলেছিলাম।",
                "তারা আমাদের পুরানো নৌকা আর নতুন জাল দেখিয়েছিল যা সবাই মিলে বানিয়েছে।",
            ],
        ),
        (
            "Arab",
            [
                "ذهبنا في الصباح إلى ضفة النهر وتحدثنا طويلا مع الصيادين الذين كانوا هناك؟",
                "أرونا قواربهم القديمة والشباك الجديدة التي صنعوها معا في الشتاء الماضي؛",
            ],
        ),
        (
            "Urdu",
            [
                "صبح ہم دریا کے کنارے گئے اور وہاں مچھیروں سے بہت دیر تک باتیں کرتے رہے۔",
                "انہوں نے ہمیں اپنی پرانی کشتیاں اور نئے جال دکھائے جو سب نے مل کر بنائے تھے۔",
            ],
        ),
        ("Thai", ["ตอนเช้าเราไปที่ริมแม่น้ำและคุยกับชาวประมงอยู่นานมาก", "พวกเขาให้เราดูเรือเก่าและอวนใหม่ที่ทุกคนช่วยกันทำเมื่อฤดูหนาวที่แล้ว"]),
        ("Khmr", ["នៅពេលព្រឹកយើងបានទៅមាត់ទន្លេហើយបាននិយាយជាមួយអ្នកនេសាទយូរណាស់", "ពួកគេបានបង្ហាញទូកចាស់និងសំណាញ់ថ្មីដែលពួកគេបានធ្វើជាមួយគ្នា។"]),
        (
            "Mymr",
            ["မနက်မှာ ငါတို့ မြစ်ကမ်းကို သွားပြီး ငါးဖမ်းသမားတွေနဲ့ အကြာကြီး စကားပြောခဲ့တယ်။", "သူတို့က လှေအဟောင်းတွေနဲ့ ပိုက်အသစ်တွေကို ငါတို့ကို ပြခဲ့တယ်။"],
        ),
        (
            "Ethi",
            [
                "ጠዋት ወደ ወንዙ ዳር ሄደን እዚያ ካሉት ዓሣ አጥማጆች ጋር ለረጅም ጊዜ ተነጋገርን።",
                "አሮጌ ጀልባዎቻቸውን እና አብረው የሠሩትን አዲስ መረቦች አሳዩን፣ እኛም ደስ አለን።",
            ],
        ),
        (
            "Jpan",
            [
                "朝、私たちは川岸へ行き漁師たちと長いあいだ話をしたのです．",
                "彼らは古い船と冬のあいだに皆で作った新しい網を見せてくれた！",
            ],
        ),
        (
            "Hans",
            [
                "早上我们去了河边和那里的渔民聊了很久很久直到中午才离开．",
                "他们给我们看了旧船和去年冬天大家一起做的新渔网；",
            ],
        ),
        (
            "Hebr",
            [
                "בבוקר הלכנו אל גדת הנהר ודיברנו שם זמן רב עם הדייגים׃",
                "הם הראו לנו את הסירות הישנות ואת הרשתות החדשות שעשו יחד בחורף׃",
            ],
        ),
        (
            "Grek",
            [
                "Το πρωί πήγαμε στην όχθη του ποταμού και μιλήσαμε πολλή ώρα με τους ψαράδες\u{387}",
                "Μας έδειξαν τις παλιές βάρκες και τα καινούρια δίχτυα που έφτιαξαν μαζί\u{37e}",
            ],
        ),
        (
            "Armn",
            [
                "Առավոտյան մենք գնացինք գետի ափը և երկար խոսեցինք ձկնորսների հետ։",
                "Նրանք մեզ ցույց տվեցին իրենց հին նավակները և նոր ցանցերը։",
            ],
        ),
    ] {
        let text = sentences.map(|sentence| format!("<p>{sentence}</p>")).concat();
        let record = record(format!(
            "<body><div class=q1><a href=/>Home</a></div><div class=q2>{text}</div><div class=q3><p>All the words on these pages
             belong to those who wrote them, as they should.</p></div></body>"
        ));
        let text = record["content"]["text"].as_str().unwrap_or("-");
        assert!(text.starts_with(&sentences.join("\n")), "{script}: {text}");
    }
}

/// A second installation got the name of the first, although none of its titles has that name.
#[test]
fn an_install_in_a_directory_has_a_name_of_its_own() {
    let dir = Workdir::new();
    for n in 1..=8 {
        write(&dir, &format!("a.example/p{n}/"), format!("<title>Boat {n} - Quay</title><body class=single>{TEXT}"));
        if n > 4 {
            let page = format!("<title>Day {n} - Log of the keeper</title><body class=single>{TEXT}");
            write(&dir, &format!("a.example/blog/p{n}/"), page);
        }
    }
    let titles = titles(&dir);
    assert_eq!(titles[..5], ["Day 5", "Day 6", "Day 7", "Day 8", "Boat 1"]);
    assert!(titles.iter().all(|title| !title.contains('-')), "{titles:?}");
}

#[test]
fn a_topic_that_begins_as_the_host_does_is_not_the_site_s_name() {
    let dir = Workdir::new();
    for n in 1..=6 {
        let party = if n > 4 { "Greens" } else { "Party" };
        let page = format!("<title>{party}: Story {n} | party.example</title><body class=single>{TEXT}");
        write(&dir, &format!("party.example/p{n}/"), page);
    }
    assert_eq!(titles(&dir)[3..5], ["Party: Story 4", "Greens: Story 5"]);
    let alone = Workdir::new();
    write(&alone, "party.example/x/", format!("<title>Party: Story | party.example</title><body class=single>{TEXT}"));
    assert_eq!(titles(&alone), ["Party: Story"]);
}

#[test]
fn a_heading_that_nearly_says_what_the_head_says_is_the_title() {
    let head =
        "<title>Of boats & men: a story - Quay</title><meta property=og:title content='Of boats & men: a story'>";
    let other = "<footer><header class=entry-header><h4 class=entry-title>Other tale</h4></header></footer>";
    let page = format!("{head}<body class=single><article><h1>Of boats and men, a story</h1>{TEXT}</article>{other}");
    assert_eq!(record(page)["title"]["text"], "Of boats and men, a story");
    // the headline of the article is not the title that a plugin writes for search engines
    let json = r#"<script type="application/ld+json">{"@context":"https://schema.org","@type":"Article","headline":"The essential story of boats","datePublished":"2024-03-19T16:09:22+00:00"}</script>"#;
    let page = format!(
        "<title>Story of boats</title><meta property=og:title content='Story of boats'>{json}<body class=single>
         <article class=hentry><h1 class=entry-title>The essential story of boats</h1>{TEXT}</article>"
    );
    assert_eq!(record(page)["title"]["text"], "The essential story of boats");
    // without such a heading, the theme is believed
    let page = format!(
        "{head}<body class=single><header class=entry-header><h2 class=entry-title>Von Booten</h2></header>{TEXT}"
    );
    assert_eq!(record(page)["title"]["text"], "Von Booten");
}

#[test]
fn a_word_that_ends_as_the_title_of_a_feed_does_is_not_the_title() {
    let feed =
        "<link rel=alternate type=application/rss+xml title='Quay &raquo; Of boats Comments Feed' href=/x/feed/>";
    let page = format!("<title>Of boats - Quay</title>{feed}<body class=single><span>ED</span><span>Feed</span>{TEXT}");
    assert_eq!(record(page)["title"]["text"], "Of boats");
}

/// A title in the head that an SEO plugin had shortened, and that ends with the separator before a missing site name, became the
/// title.
#[test]
fn a_topic_before_the_title_of_the_head_is_a_part_of_it() {
    let page = |title: &str, heading: &str| {
        format!(
            "<title>{title}</title><meta property=og:title content='{title}'><body class='single postid-7'>{heading}{TEXT}"
        )
    };
    let heading = "<h1 class=post-title>Harbour day 3: Of the ropes of old ships</h1>";
    let title = |page: String| record(page)["title"]["text"].clone();
    assert_eq!(title(page("Of the ropes of old ships -", heading)), "Harbour day 3: Of the ropes of old ships");
    assert_eq!(title(page("Of the ropes of old ships -", "")), "Of the ropes of old ships");
}

/// WordPress' first themes write `SITE » Blog Archive » TITLE`.
#[test]
fn what_old_themes_write_before_the_title_of_a_post_is_no_part_of_it() {
    let page = |title: &str| {
        format!("<title>{title}</title><meta property=og:site_name content=Quay><body class=single>{TEXT}")
    };
    assert_eq!(record(page("Quay &raquo; Blog Archive   &raquo; Of boats"))["title"]["text"], "Of boats");
    assert_eq!(record(page("Quay &raquo; Blog Archives of the port"))["title"]["text"], "Blog Archives of the port");
}

/// A text of the page that is only part of the title became the title, because the link to the comments' feed contains it; the head
/// has the whole title.
#[test]
fn a_part_of_the_title_of_a_feed_is_not_the_title_where_the_head_has_all_of_it() {
    let whole = "Of the ropes of old ships in the harbour &#8211; Rope works";
    let page = format!(
        "<title>{whole} | Quay</title><link rel=alternate type=application/rss+xml title='Quay &raquo; {whole} Comments Feed' href=/x/feed/>
         <body class='single postid-7'><h1>Rope works</h1><span>Of the ropes of old ships in the harbour.</span>{TEXT}"
    );
    assert_eq!(record(page)["title"]["text"], "Rope works");
}

#[test]
fn a_date_without_a_zone_is_the_site_s_own_and_nothing_is_added_to_it() {
    let dates = |page: String| ["date", "date_gmt", "modified_gmt"].map(|key| record(&page)[key].clone());
    let published = |date: &str| {
        format!(
            "<title>X</title><meta property=article:published_time content='{date}'><body class=single><h1>X</h1>{TEXT}"
        )
    };
    let null = Value::Null;
    assert_eq!(dates(published("2026-01-06T11:54:46")), [json!("2026-01-06T11:54:46"), null.clone(), null.clone()]);
    assert_eq!(dates(published("2026-01-06")), [json!("2026-01-06"), null.clone(), null.clone()]);
    assert_eq!(
        dates(published("2026-01-06T11:54:46+01:00")),
        [null.clone(), json!("2026-01-06T10:54:46Z"), null.clone()]
    );
    assert_eq!(dates(published("2026-02-30T11:54:46")), [null.clone(), null.clone(), null.clone()]);
    // the date of an event
    let event = "<abbr class='tribe-events-start-date published dtstart' title=2017-11-25>25 November</abbr>";
    let page = format!("<title>X</title><body class=single><div class=entry-content>{event}{TEXT}</div>");
    assert_eq!(dates(page), [null.clone(), null.clone(), null.clone()]);
    // an element of the post states the date as well; the one with a time zone is used first
    let time = "<time class='entry-date published' datetime='2025-05-04 10:11'>May</time>";
    let page = format!("<title>X</title><body class=single><article class=hentry><h1>X</h1>{time}{TEXT}</article>");
    assert_eq!(dates(page.clone()), [json!("2025-05-04T10:11:00"), null.clone(), null.clone()]);
    let zoned = page.replace("10:11", "10:11Z");
    assert_eq!(dates(zoned.clone()), [null.clone(), json!("2025-05-04T10:11:00Z"), null]);
}

/// A line above the text in the same block, which is not part of the text, states the date just as a line above the block does.
#[test]
fn a_day_between_the_title_and_the_text_in_one_block_is_that_of_the_post() {
    let prose = "<p>Text of the harbour, and the ships in it, and of all the men who mended them there.</p>".repeat(4);
    let page = |line: &str| {
        format!(
            "<title>Boats</title><link rel=stylesheet href=/wp-content/x.css><body class=single>
            <div id=x><div><h2><a href=./>Boats</a></h2><p class=meta-line>{line}</p>{prose}</div></div>"
        )
    };
    for (line, want) in [
        ("Ann Berg Posted on 2008.05.21 23:35 // No Comments", json!("2008-05-21")),
        ("8th January 2013, 08:18 am", json!("2013-01-08")),
        ("Last updated: July 23, 2020", Value::Null),
        ("Get Issue 27, July 2017", Value::Null),
    ] {
        let record = record(page(line));
        assert_eq!((&record["date"], &record["content_rule"]), (&want, &json!("scored")), "{line}");
    }
}

#[test]
fn the_day_in_a_permalink_is_that_of_the_post() {
    let dir = Workdir::new();
    let page = |body: &str| format!("<title>X</title><body class='{body}'><h1>X</h1>{TEXT}");
    for (place, body) in [
        ("2009/06/27/paint/", "single postid-1"),
        ("2009/06/27/paint/jar/", "attachment attachmentid-2"),
        ("2009/06/28/12/", "single postid-3"),
        ("2009/06/31/paint/", "single postid-4"),
        ("2009/07/paint/", "single postid-5"),
        ("2009/07/01/no-wordpress/", ""),
    ] {
        write(&dir, &format!("a.example/{place}"), page(body));
    }
    // an early theme, without classes and without the elements that WordPress writes into heads today
    let style = "<link rel=stylesheet href=/wp-content/themes/a/style.css>";
    write(&dir, "a.example/2009/07/02/paint/", format!("{style}{}", page("")));
    let found = run(&dir).records();
    let dated: Vec<&Value> = found.iter().filter(|record| !record["date"].is_null()).collect();
    let dates: Vec<&Value> = dated.iter().map(|record| &record["date"]).collect();
    assert_eq!(dates, ["2009-06-27", "2009-06-28", "2009-07-02"], "{dated:?}");
}

#[test]
fn the_day_that_is_shown_before_the_text_is_that_of_the_post() {
    let date = |head: &str, text: &str| {
        let page = format!(
            "<title>X</title><body class='single postid-7'><article class=hentry><h1>X</h1>{head}
             <div class=entry-content><p>Text of the harbour, and the ships in it.</p>{text}</div></article>
             <aside><span class=post-date>May 9, 2019</span></aside>"
        );
        record(page)["date"].clone()
    };
    assert_eq!(date("<span class=post-date>Posted on May 3rd, 2009</span>", ""), "2009-05-03");
    assert_eq!(date("<div class='meta date'>3 de mayo de 2009</div><time>2009-05-03</time>", ""), "2009-05-03");
    // in an element without a relevant name
    assert_eq!(date("<span class=a>May 3, 2009</span>", ""), "2009-05-03");
    assert_eq!(date("<ul><li>Mayo 3rd, 2009</li><li><a rel=category href=/a/>A</a></li></ul>", ""), "2009-05-03");
    assert_eq!(date("<time class=published datetime='3. Mai 2009'>3. Mai 2009</time>", ""), "2009-05-03");
    // without an attribute, in a line with the author, in an attribute that states another day
    let marked =
        "<span class=published itemprop=datePublished> 3. May 2009</span><span class=updated>4. May 2019</span>";
    assert_eq!(date(marked, ""), "2009-05-03");
    assert_eq!(date("<time class=entry-date datetime=2012-11-09T23:15:57>May 3, 2009</time>", ""), "2009-05-03");
    assert_eq!(
        date("<time class=entry-date datetime=2009-05-04T01:15:57>May 3, 2009</time>", ""),
        "2009-05-04T01:15:57"
    );
    assert_eq!(
        date("<time class=entry-date datetime=2009-05-04T01:15:57>Updated May 3, 2010</time>", ""),
        "2009-05-04T01:15:57"
    );
    assert_eq!(date("<div class=entry-meta>Updated on May 3, 2009</div>", ""), Value::Null);
    // ambiguous order of day and month, two dates, a date in the text
    assert_eq!(date("<span class=post-date>03/05/2009</span>", ""), Value::Null);
    assert_eq!(date("<span class=date>May 3, 2009</span> <span class=date>May 4, 2009</span>", ""), Value::Null);
    assert_eq!(date("<p>May 3, 2009</p><p>May 4, 2009</p>", ""), Value::Null);
    assert_eq!(date("", "<p class=date>May 3, 2009</p>"), Value::Null);
}

#[test]
fn a_day_in_the_line_of_the_author_above_the_title_is_that_of_the_post() {
    let page = format!(
        "<title>X</title><link rel=stylesheet href=/wp-content/themes/a/style.css><body class='single postid-7'><article class=hentry>
         <div class=entry-meta>Published February 10, 2013 by <a rel=author href=/author/ann/>Ann</a></div><h1 class=entry-title>X</h1>
         <div class=entry-content>{TEXT}</div></article>"
    );
    assert_eq!(record(page)["date"], "2013-02-10");
}

/// Themes of 2005 to 2010 state the date in a sentence after the text.
#[test]
fn the_day_in_the_line_of_the_terms_is_that_of_the_post() {
    let date = |classes: &str, after: &str| {
        let page = format!(
            "<title>X</title><link rel=stylesheet href=/wp-content/themes/a/style.css><body class='{classes}'>
             <div class=post><h2>X</h2><div class=entry><p>Text of the harbour, and the ships in it, since May 9, 2001.</p>
             <p>Ropes are made of hemp, and of nothing else, as all who sail will say.</p>
             <p class='postmetadata alt'><small>{after}</small></p></div></div>"
        );
        record(page)["date"].clone()
    };
    let link = "<a href=/a/ rel='category tag'>Ropes</a>";
    assert_eq!(date("", &format!("It was put here on Sunday, May 3rd, 2009 at 9:12 and is in {link}.")), "2009-05-03");
    assert_eq!(date("", &format!("May 3rd, 2009<br>In {link}")), Value::Null);
    assert_eq!(date("single single-event", &format!("On Sunday, May 3rd, 2009, in {link}")), Value::Null);
}

#[test]
fn an_archive_is_not_dated_by_its_only_post() {
    let dir = Workdir::new();
    let page = |href: &str| {
        format!(
            "<title>Ropes</title><link rel=stylesheet href=/wp-content/themes/a/style.css><body><div class=post>
             <h1>Of hemp</h1><small>May 3rd, 2009, in <a rel='category tag' href='{href}'>Ropes</a></small>{TEXT}</div>"
        )
    };
    for (place, href) in [("ropes/", "../ropes/"), ("of-hemp/", "../ropes/"), ("", "ropes/")] {
        write(&dir, &format!("a.example/{place}"), page(href));
    }
    let dates: Vec<Value> = run(&dir).records().iter().map(|record| record["date"].clone()).collect();
    assert_eq!(dates, [Value::Null, json!("2009-05-03"), Value::Null]);
}

#[test]
fn an_event_is_not_dated_by_the_day_below_its_title() {
    let date = |body: &str, post: &str| {
        let page = format!(
            "<title>X</title><body class='postid-7 {body}'><article class='hentry {post}'><h1>X</h1>
             <p>May 3, 2009</p>{TEXT}</article>"
        );
        record(page)["date"].clone()
    };
    assert_eq!(date("single", ""), "2009-05-03");
    assert_eq!(date("single single-post single-format-video", "type-post"), "2009-05-03");
    assert_eq!(date("single single-event", ""), Value::Null);
    assert_eq!(date("single", "type-event"), Value::Null);
}

/// A plugin wrote a shorter title for search engines; another wrote that in capitals.
#[test]
fn the_heading_of_a_post_comes_before_what_a_plugin_makes_of_it() {
    let title = |head: &str, body: &str| {
        record(format!("<title>{head}<body class=single>{body}{TEXT}"))["title"]["text"].clone()
    };
    let head = "Boats: What the ropes are for | Quay</title><meta property=og:site_name content=Quay>";
    let heading = "<h1 class=entry-title>On boats: What the ropes are for</h1>";
    let shared = "<meta property=og:title content='On boats: What the ropes are for'>";
    assert_eq!(title(&format!("{head}{shared}"), heading), "On boats: What the ropes are for");
    assert_eq!(title(head, heading), "Boats: What the ropes are for");
    let head = "What The Ropes Are For</title>";
    assert_eq!(title(head, "<h1>Quay</h1><h2>What the ropes are for</h2>"), "What the ropes are for");
    assert_eq!(title(head, "<h1>Quay</h1><h2>WHAT THE ROPES ARE FOR</h2>"), "What The Ropes Are For");
}

#[test]
fn what_links_to_its_own_page_is_the_title() {
    let dir = Workdir::new();
    let link = |place: &str, text: &str| format!("<a rel=bookmark href='/{place}/'>{text}</a>");
    // the head and the first heading give the name of the site
    let head = "<title>Quay &raquo; Of the port</title><meta property=og:site_name content=Quay><meta property=og:title content=Quay>";
    let headings = |own: &str| format!("<h2><a href=/>Quay</a></h2><h2>{}</h2><h2>{own}</h2>", link("b", "Ropes"));
    write(&dir, "a.example/a/", format!("{head}<body class=single>{}{TEXT}", headings(&link("a", "Of boats"))));
    // the title is not in a heading, only in the head
    let paragraphs = format!("<p>{}</p><p>{}</p>", link("c", "3 May"), link("c", "Of nets"));
    let works = "<title>Quay-Works &raquo; Of nets</title><body class=single><h1>Quay-Works</h1>";
    write(&dir, "a.example/c/", format!("{works}{paragraphs}{TEXT}"));
    let comment = "<h3><a rel=bookmark href='/d/#comment-1'>A word</a></h3>";
    write(&dir, "a.example/d/", format!("<title>Of sails</title><body class=single>{TEXT}{comment}"));
    // the link in the heading is the day
    let day = |title: &str| format!("<h1>{title}</h1><h2>{}</h2>", link("e", "<time>2 Febbraio 2018</time>"));
    write(&dir, "a.example/e/", format!("<title>Of oars - Quay</title><body class=single>{}{TEXT}", day("Of oars")));
    // a title with a day in it
    let minutes = format!("<h2>{}</h2>", link("f", "Minutes, 2 May 2019"));
    write(&dir, "a.example/f/", format!("<title>Quay</title><body class=single>{minutes}{TEXT}"));
    assert_eq!(titles(&dir), ["Of boats", "Of nets", "Of sails", "Of oars", "Minutes, 2 May 2019"]);
}

/// The name of the site was the title of each page: a theme gives it for sharing in place of the page's title.
#[test]
fn the_name_of_the_site_that_a_page_shares_is_not_its_title() {
    let dir = Workdir::new();
    let feed = "<link rel=alternate type=application/rss+xml title='Quay &raquo; Feed' href=/feed/>";
    let head = |title: &str| format!("<title>{title}</title>{feed}<meta property=og:title content=Quay>");
    write(&dir, "a.example/boats/", format!("{}<body class=page><h1>SAIL ON</h1>{TEXT}", head("Boats &#8211; Quay")));
    write(&dir, "a.example/", format!("{}<body class=home>{TEXT}", head("All of its boats &#8211; Quay")));
    assert_eq!(titles(&dir), ["Boats", "Quay"]);
}

/// A slogan in three lines became the title, including its line breaks.
#[test]
fn a_slogan_is_no_title_where_the_slug_is_made_of_that_of_the_head() {
    let dir = Workdir::new();
    let page = |title: &str| {
        let head = format!("<title>{title} | Quay</title><meta property=og:site_name content=Quay>");
        format!("{head}<body class=page><h1>No boats,<br>but ropes<br>and nets.</h1>{TEXT}")
    };
    write(&dir, "a.example/boats/", page("Boats"));
    write(&dir, "a.example/our-works/", page("What the boats do"));
    // slugs have no accents, and plugins for searchers add words to titles
    write(&dir, "a.example/peniches/", page("Péniches"));
    write(&dir, "a.example/voiles/", page("Voiles : à la rame ou au vent"));
    let want = ["Boats", "No boats, but ropes and nets.", "Péniches", "Voiles : à la rame ou au vent"];
    assert_eq!(titles(&dir), want);
}

#[test]
fn a_name_that_stands_after_a_comma_is_the_site_s() {
    let dir = Workdir::new();
    for n in 1..=4 {
        let page = format!("<title>Boat {n}, red, Quay</title><body class=single><h2>Boat {n}, red</h2>{TEXT}");
        write(&dir, &format!("a.example/p{n}/"), page);
    }
    assert_eq!(titles(&dir), ["Boat 1, red", "Boat 2, red", "Boat 3, red", "Boat 4, red"]);
}

#[test]
fn an_author_is_named_where_the_head_of_the_article_links_to_one() {
    let author = |head: &str| {
        let (meta, head) = if head.starts_with("<meta") { (head, "") } else { ("", head) };
        let page = format!(
            "<title>X</title>{meta}<body class='single postid-7'><article class=hentry><h1>X</h1>{head}{TEXT}</article>"
        );
        record(page)["author_name"].clone()
    };
    let link = "<a href='/author/ann/'>Ann Boatwright</a>";
    let own = "<aside class=entry-meta><a rel=author href=/author/ann/>Ann Boatwright</a></aside>";
    assert_eq!(author(own), "Ann Boatwright");
    assert_eq!(author(&format!("<ul><li class=post-author>Post author: {link}</li></ul>")), "Ann Boatwright");
    // an address
    assert_eq!(author("<meta name=author content='Ann - www.ann.example'>"), Value::Null);
    // authors of other posts, and links to no author
    assert_eq!(author(&format!("<aside>{link}</aside>")), Value::Null);
    assert_eq!(author("<p class=post-author><a href=/about/>About us</a></p>"), Value::Null);
    // in the metadata of any theme, with a label
    assert_eq!(author(&format!("<div class=blog-meta><ul><li>{link}</li></ul></div>")), "Ann Boatwright");
    let labelled =
        "<div class=entry-meta><a class=author rel=author href=/author/ann/>Autor: <span>Ann</span></a></div>";
    assert_eq!(author(labelled), "Ann");
    // in words between title and text
    assert_eq!(author("<p>19 December 2007 by Ann</p>"), "Ann");
    assert_eq!(author("<p>Posted by <b>Ann Boatwright</b> | 3 comments</p>"), "Ann Boatwright");
    assert_eq!(author("<p>Boats that were built by Ann</p>"), Value::Null);
    // microformats
    let block = format!(
        "<title>X</title><body><main class=h-feed><article class=h-entry><header><h1>X</h1>By <a class='p-author h-card' href=/author/ann/>Ann</a></header>{TEXT}</article></main>"
    );
    assert_eq!(record(block)["author_name"], "Ann");
    // a theme's header above the article; the body's classes and attributes also mention the footer
    let above = format!("<div class=hero><h1>X</h1><ul class=entry-meta><li>{link}</li></ul></div>");
    let page = format!("<title>X</title><body class='page footer-on-bottom' data-footer=a>{above}<main>{TEXT}</main>");
    assert_eq!(record(page)["author_name"], "Ann Boatwright");
}

/// The theme's header is outside of the article, which has its title once more, hidden.
#[test]
fn the_only_date_above_an_article_is_its_own() {
    let date = |above: &str| {
        let article = format!("<article class=hentry><h1 class=entry-title>X</h1>{TEXT}</article>");
        let page = format!("<title>X</title><body class='single postid-7'><div><h1>X</h1>{above}</div>{article}");
        record(page)["date"].clone()
    };
    let time = |day: u32| format!("<time class='entry-date published' datetime=2020-07-0{day}>Jul {day}</time>");
    assert_eq!(date(&time(6)), "2020-07-06");
    // the date of a list above it
    assert_eq!(date(&(time(6) + &time(7))), Value::Null);
}

/// WordPress' own `date` is kept, in all tables and documents.
#[test]
fn the_time_of_the_site_is_in_records_tables_and_documents() {
    let dir = Workdir::new();
    let content = json!({"rendered": "<p>Words.</p>"});
    let post = |id: u32, gmt: Value| {
        json!({"id": id, "type": "post", "link": format!("https://a.example/{id}/"), "slug": id.to_string(), "date": "2024-03-01T11:00:00",
               "date_gmt": gmt, "content": content})
    };
    let posts = [post(1, json!("2024-03-01T10:00:00")), post(2, Value::Null)];
    dir.write("dump.json", json!(posts).to_string());
    dir.sh("wp-index dump.json | wp-parse > parse; wp-export -d csv --format csv parse; wp-export -d md --format markdown parse")
        .expect(0);
    let records: Vec<Value> = dir.read("parse").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!([&records[0]["date"], &records[1]["date"]], [&json!("2024-03-01T11:00:00"); 2]);
    let table = dir.read("csv/records.csv");
    assert!(table.lines().next().unwrap().contains(",date,date_gmt,"), "{table}");
    assert!(table.contains(",2024-03-01T11:00:00,2024-03-01T10:00:00Z,"), "{table}");
    let front = |name: &str| dir.sh(&format!("grep -h '^date:' $(find md -name '*{name}*.md')")).stdout;
    assert!(
        front("1").contains("2024-03-01T10:00:00Z") && front("2").contains("2024-03-01T11:00:00"),
        "{}",
        front("2")
    );
}

#[test]
fn what_is_utf_8_is_read_as_that_whatever_the_page_says() {
    for charset in ["gb2312", "iso-8859-1", "euc-jp"] {
        let dir = Workdir::new();
        let page =
            format!("<meta charset={charset}><title>Café 日本</title><body class=single><h1>Café 日本</h1>{TEXT}");
        write(&dir, "a.example/x/", page);
        let run = run(&dir);
        assert_eq!(run.records()[0]["title"]["text"], "Café 日本", "{charset}");
        assert!(run.stderr.contains("names is ") && run.stderr.contains("but it is UTF-8"), "{}", run.stderr);
        assert!(dir.read("stats").contains("\"charset\":1"), "{}", dir.read("stats"));
    }
    let latin =
        b"<meta charset=iso-8859-1><title>Caf\xe9</title><body class=single><h1>Caf\xe9</h1><p>Text, with words.</p>";
    assert_eq!(record(latin)["title"]["text"], "Café");
    // wrong bytes are reported
    let dir = Workdir::new();
    write(&dir, "a.example/x/", &b"<meta charset=utf-8><title>Caf\xe9</title><body class=single><p>Text."[..]);
    let run = run(&dir);
    assert!(run.stderr.contains("it is read as UTF-8, and has bytes that are not"), "{}", run.stderr);
    assert!(dir.read("stats").contains("\"charset\":1"), "{}", dir.read("stats"));
}

/// bbPress makes each reply a post, shown in the page of its topic.
#[test]
fn replies_are_text_where_the_page_is_the_topic_and_comments_elsewhere() {
    const ASKED: &str = "<p>Of the harbour, the ships that lay in it, and the men who mended them.</p>";
    const SAID: &str = "<p>And I say that the ships were mended by women, as my mother was one of them.</p>";
    let page = |body: &str, own: &str| {
        format!(
            "<!doctype html><title>T</title><body class='{body}'><div class=entry-content><div class='{own} hentry post-7'>{ASKED}</div>
             <div class='reply type-reply hentry post-8'>{SAID}</div></div>"
        )
    };
    let text = |page: String| record(page)["content"]["text"].as_str().unwrap_or("-").to_owned();
    let both = ["Of the harbour", "And I say"];
    for thread in [
        page("single postid-7", "topic"),
        page("single single-topic postid-7", ""),
        page("single bbpress postid-7", "x"),
    ] {
        let text = text(thread);
        assert!(both.iter().all(|part| text.contains(part)), "{text}");
    }
    let article = text(page("single single-post postid-7", "type-post"));
    assert!(article.contains(both[0]) && !article.contains(both[1]), "{article}");
    // other topics below a topic are other posts
    let other = page("single single-topic postid-7", "topic").replace("reply type-reply", "topic type-topic");
    assert!(!text(other).contains(both[1]));
}

/// The markup of bbPress' own templates: only the posts of a thread are text, not the elements around them.
#[test]
fn a_thread_of_bbpress_is_its_posts() {
    let post = |id: u32, class: &str, text: &str| {
        format!(
            "<div id=post-{id} class=bbp-reply-header><div class=bbp-meta><span class=bbp-reply-post-date>March 1, 2020 at 10:00 am</span>
             <a href='#post-{id}' class=bbp-reply-permalink>#{id}</a></div></div>
             <div class='loop-item-0 user-id-1 odd topic-author post-{id} {class} status-publish hentry'><div class=bbp-reply-author>
             <a href=/u/ann/ class=bbp-author-link><span class=bbp-author-name>Ann</span></a><div class=bbp-author-role>Keymaster</div></div>
             <div class=bbp-reply-content><p>{text}</p></div></div>"
        )
    };
    let posts = post(7, "topic type-topic", "How do you mend a net?") + &post(8, "reply type-reply", "With twine.");
    let page = format!(
        "<!doctype html><title>Nets</title><body class='topic bbpress single single-topic postid-7'><h1 class=entry-title>Nets</h1>
         <div class=entry-content><div id=bbpress-forums class=bbpress-wrapper><div class=bbp-breadcrumb><p><a href=/>Home</a> › Nets</p></div>
         <div class='bbp-template-notice info'><ul><li>This topic has 1 reply, and was last updated by Ann.</ul></div>
         <div class=bbp-pagination><div class=bbp-pagination-count>Viewing 2 posts - 1 through 2 (of 2 total)</div></div>
         <ul id=topic-7-replies class='forums bbp-replies'><li class=bbp-header><div class=bbp-reply-author>Author</div>
         <div class=bbp-reply-content>Posts</div></li><li class=bbp-body>{posts}</li><li class=bbp-footer>Author Posts</li></ul>
         <div id=new-reply-7 class=bbp-reply-form><form><p>You must be logged in, to reply to this topic.</p></form></div></div></div>"
    );
    assert_eq!(record(page)["content"]["text"], "How do you mend a net?\nWith twine.");
}

#[test]
fn a_thread_of_wpforo_is_its_posts() {
    let post = |id: u32, text: &str| {
        format!(
            "<div id=post-{id} data-postid={id} class='post-wrap wpfn-{id}'><div class='wpforo-post wpfcl-1'><div class=wpf-left><div class=author-name>
             Ann</div><div class=author-posts>Posts: 12</div></div><div class=wpf-right><div class=wpforo-post-content-top><span>01/03/2020
             10:00 am</span></div><div class=wpforo-post-content><p>{text}</p></div><div class=wpforo-post-signature><p>Fair winds, and
             following seas.</p></div></div><div class=bottom><div class=bleft>Bob liked</div></div></div></div>"
        )
    };
    let page = format!(
        "<!doctype html><title>Nets</title><body class='page page-id-9 wpf-default'><article id=post-9 class='page type-page hentry'>
         <div class=entry-content><div id=wpforo-wrap class=wpf-topic><div id=wpforo-menu><ul><li><a href=/f/>Forums</a></ul></div>
         <div class=wpf-breadcrumb><a href=/>Home</a></div><h1 id=wpforo-title>Nets</h1><div class='wpfl-2 wpforo-section'>{}{}</div>
         <div id=wpforo-footer><p>All forum topics, and posts, of this board.</p></div></div></div></article>",
        post(1, "How do you mend a net, if it is old?"),
        post(2, "With twine, and with patience.")
    );
    let text = record(page)["content"]["text"].as_str().unwrap().to_owned();
    assert!(text.ends_with("How do you mend a net, if it is old?\nWith twine, and with patience."), "{text}");
    assert!(!["Ann", "10:00", "Fair winds", "liked", "topics"].iter().any(|part| text.contains(part)), "{text}");
}

/// A folder that names no host: canonical URLs are believed; otherwise the message names the option.
#[test]
fn a_plain_directory_is_read_without_a_dump() {
    let dir = Workdir::new();
    let page = |name: &str, canonical: &str| {
        format!("<title>{name}</title>{canonical}<body class=single><h1>{name}</h1>{TEXT}<a href=../y/index.html>y</a>")
    };
    for name in ["x", "y"] {
        let canonical = format!("<link rel=canonical href=https://b.example/{name}/>");
        dir.write(&format!("scrape/{name}/index.html"), page(name, &canonical));
        dir.write(&format!("plain/{name}/index.html"), page(name, ""));
    }
    let links = |arguments: &str| {
        let run = dir
            .sh(&format!("wp-index -q --no-dump {arguments} | wp-parse | wp-translations -q | wp-resolve -q"))
            .expect(0);
        run.records().iter().map(|record| format!("{} {}", record["site"], record["link"])).collect::<Vec<_>>()
    };
    let want = ["\"b.example\" \"https://b.example/x/\"", "\"b.example\" \"https://b.example/y/\""];
    assert_eq!(links("--scrape scrape"), want);
    assert_eq!(links("--scrape plain --scrape-base https://b.example/"), want);
}

/// Of 60 mirrors, 24 gave no records at the first run, and 10 more left pages out, because the site's name was unknown.
#[test]
fn a_mirror_without_a_host_gives_a_dataset_at_the_first_run() {
    let dir = Workdir::new();
    let page = |name: &str| {
        format!(
            "<title>{name}</title><link rel=canonical href=/{name}/><body class='single postid-1'><h1>{name}</h1><div class=entry-content>{TEXT}\
             <p>See <a href=../y/>the other</a> and <a href=/x/index.html>this one</a>, of which more is known.</div>"
        )
    };
    for name in ["x", "y"] {
        dir.write(&format!("raw/boats/{name}/index.html"), page(name));
    }
    let run = dir.sh("ln -s raw/boats link && cd link && wpipe --no-dump --scrape . -d ../../ds").expect(0);
    let said = &run.stderr;
    assert!(["--site NAME", "--scrape-base URL", "called boats"].iter().all(|part| said.contains(part)), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
    let records = |folder: &str| -> Vec<Value> {
        dir.read(&format!("{folder}/html.jsonl")).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let here = records("ds");
    assert_eq!(
        here.iter().map(|r| (&r["site"], &r["link"])).collect::<Vec<_>>(),
        [(&json!("boats"), &json!("http://site.invalid/x/")), (&json!("boats"), &json!("http://site.invalid/y/"))]
    );
    let links = here[0]["links"].as_array().unwrap();
    let led: Vec<&Value> = links.iter().map(|link| &link["target"]["link"]).collect();
    assert_eq!(led, [&json!("http://site.invalid/y/"), &json!("http://site.invalid/x/")]);
    // Given the address, the records are the same except for the host.
    dir.sh("cd raw/boats && wpipe --no-dump --scrape . --site boats --scrape-base http://b.example/ -d ../../named")
        .expect(0);
    let named: Vec<String> =
        records("named").iter().map(|r| without_ways(r).to_string().replace("b.example", "site.invalid")).collect();
    assert_eq!(here.iter().map(|r| without_ways(r).to_string()).collect::<Vec<_>>(), named);
}

fn without_ways(record: &Value) -> Value {
    let mut record = record.clone();
    record["source"]["steps"] = Value::Null;
    // Which pages show the template depends on their full addresses.
    record["scrape"]["sample"] = Value::Null;
    record
}

/// Old themes do not write classes of the body.
#[test]
fn archives_of_themes_without_body_classes_are_no_records() {
    let dir = Workdir::new();
    let post = |n: u32| {
        format!(
            "<div class=post id=post-{n}><h2><a href=/2009/09/boat-{n}/ rel=bookmark>Boat {n}</a></h2><p>Words, of boats.</p></div>"
        )
    };
    let page = |posts: &str| format!("<title>Quay</title><link rel=stylesheet href=/wp-content/t.css><body>{posts}");
    for place in ["2009/", "2009/09/", "category/boats/", "category/boats/page/2/", "author/ann/"] {
        write(&dir, &format!("a.example/{place}"), page(&(post(1) + &post(2))));
    }
    // for the archive of a term or an author, one post is enough, even an article without a number
    write(&dir, "a.example/tag/oak/", page(&post(1)));
    write(&dir, "a.example/category/elm/", page("<article><h2><a href=/2009/09/boat-1/>Boat 1</a></h2></article>"));
    // a page that names its term in the API
    let term = "<link rel=alternate type=application/json href=/wp-json/wp/v2/categories/7>";
    write(
        &dir,
        "a.example/woods/ash/",
        format!("{term}<title>Quay</title><body><p>Of ash, and what is made of it.</p>"),
    );
    // a theme that writes the class on the first element
    write(
        &dir,
        "a.example/elsewhere/",
        page("<div id=body_wrap class='archive category category-oak'><p>Words.</p></div>"),
    );
    write(&dir, "a.example/2009/09/boat-1/", page(&post(1)));
    // not at the place of a list, or not a list of posts
    write(&dir, "a.example/boats/", page(&(post(1) + &post(2))));
    write(&dir, "a.example/2010/", page("<p>The year, as it was, with all that came of it.</p>"));
    let links: Vec<Value> = run(&dir).records().iter().map(|record| record["link"].clone()).collect();
    assert_eq!(links, ["http://a.example/2009/09/boat-1/", "http://a.example/2010/", "http://a.example/boats/"]);
    let kept = dir.sh("wp-index -q --no-dump --all-pages --scrape scrape").expect(0);
    assert_eq!(kept.records().len(), 12);
}

const PROSE: &str = "<p>Of the harbour, the ships that lay in it, and the men who mended them all through that long winter which nobody has forgotten.</p>";

fn text(page: String) -> String {
    record(page)["content"]["text"].as_str().unwrap_or("-").to_owned()
}

/// Blocksy marks up an advertisement in this way.
#[test]
fn a_place_with_next_to_nothing_loses_against_one_of_the_same_name() {
    let rows: String = (0..40).map(|n| format!("<tr><td>a{n}<td>b{n}")).collect();
    for story in [PROSE.repeat(7), PROSE.repeat(14), PROSE.repeat(12) + &format!("<table>{rows}</table>")] {
        let page = format!(
            "<!doctype html><title>T - Quay</title><body class='single postid-4'><header><div class=entry-content>Advertiser</div></header>
             <main><article><h1>T</h1><div class=entry-content>{story}</div></article></main>"
        );
        assert!(text(page.clone()).starts_with("Of the harbour"), "{}", story.len());
        // a longer text in a comment or another post is not the page's text
        let other =
            page.replace("<main>", "<main class=comments>").replace("<article>", "<article class='hentry post-9'>");
        assert_eq!(text(other), "-");
    }
}

#[test]
fn what_react_sends_after_its_place_is_seen() {
    let page = format!(
        "<!doctype html><title>T - Quay</title><body><main><template id=B:1></template></main>
         <div hidden id='S:2'><article><h1>T</h1>{PROSE}{PROSE}</article></div><div hidden id=x><p>Not seen, by anybody.</p></div>"
    );
    assert!(text(page.clone()).starts_with("Of the harbour") && !text(page).contains("Not seen"));
}

#[test]
fn a_copyright_line_is_no_title_though_it_is_the_only_heading() {
    let head = "<title>Apply - Quay of the North</title><meta property=og:title content='Apply - Quay of the North'>";
    let page = format!(
        "{head}<body class=page><main>{TEXT}</main><footer><h1>© 2026 <a href=/>Quay of the North</a>, Hull</h1></footer>"
    );
    assert_eq!(record(page)["title"]["text"], "Apply - Quay of the North");
}

/// If a site writes its tagline into the title of its front page, the tagline is not the page's title.
#[test]
fn the_tagline_is_not_the_title_of_the_front_page() {
    let front = |title: &str, text: &str| {
        let dir = Workdir::new();
        for n in 1..=8 {
            write(
                &dir,
                &format!("a.example/p{n}/"),
                format!("<title>Boat {n} – Quay</title><body class=single>{TEXT}"),
            );
        }
        write(&dir, "a.example/", format!("<title>{title}</title><body class='home page page-id-9'>{text}{TEXT}"));
        let records = run(&dir).records();
        let front = records.iter().find(|record| record["scrape"]["file"] == "a.example/index.html").unwrap();
        front["title"]["text"].clone()
    };
    assert_eq!(front("Quay – Boats for all", ""), "Quay");
    assert_eq!(front("Quay – Boats for all", "<h1 class=entry-title>Welcome</h1>"), "Welcome");
    assert_eq!(front("Boats for all – Quay", ""), "Boats for all");
}

/// A list of products has the title of each, in headings of another level.
#[test]
fn the_theme_s_title_is_that_of_the_page_though_lists_have_it_too() {
    let dir = Workdir::new();
    let cards: String =
        (1..=8).map(|n| format!("<li><h2>Boat of wood{n} (B{n})</h2><a href=/p{n}/>Look</a></li>")).collect();
    for n in 1..=8 {
        let own = format!(
            "<h1 class='product_title entry-title'>Boat of wood{n} (B{n})</h1><div class=tabs><h1>Boat of wood{n}</h1>{PROSE}<p>Number {n} has {} oars, a mast and a sail.</p></div>",
            n + 2
        );
        let page = format!(
            "<title>Boat of wood{n} (B{n}) - Quay</title><body class='single single-product postid-{n}'><div class=q1>{own}</div><ul class=q2>{cards}</ul>"
        );
        write(&dir, &format!("a.example/p{n}/"), page);
    }
    let want: Vec<String> = (1..=8).map(|n| format!("Boat of wood{n} (B{n})")).collect();
    assert_eq!(titles(&dir), want);
}

/// What decided on titles, dates and authors was in no count.
#[test]
fn rules_of_titles_days_and_authors_are_counted() {
    let dir = Workdir::new();
    let by = "<p class=byline>by <span class=author><a rel=author href=/author/ann/>Ann Quay</a></span></p>";
    let page = |title: &str, more: &str| {
        format!(
            "<title>{title}</title><meta name=generator content='WordPress 6.8'><body class='single single-post'>{more}{TEXT}"
        )
    };
    write(&dir, "a.example/2026/01/06/boats/", page("Boats", &format!("<h1>Boats</h1>{by}")));
    write(&dir, "a.example/nets/", page("Nets", "<h2><a rel=bookmark href='/nets/'>Of nets</a></h2>"));
    run(&dir);
    let rules: Value = serde_json::from_str::<Value>(&dir.read("stats")).unwrap()["rules"].take();
    for rule in ["title_stated", "title_linked", "day_in_permalink", "author_of_element"] {
        assert_eq!(rules[rule], 1, "{rule}: {rules}");
    }
}
