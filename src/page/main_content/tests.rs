mod plugins;

use super::super::tests::against_lol_html::{Random, damage};
use super::*;
use std::path::Path;

const SCORED: &str = "scored";
const LIST: &str = "list";

fn main(body: &str) -> Option<(Option<String>, String, String)> {
    let (found, stated) =
        main_content(body, ContentSelectors::builtin(), &mut ContentBuffer::default(), &mut (), || None);
    let (found, title) = (found?, stated.titles.into_iter().chain(stated.headings).next());
    Some((title, found.html.split_ascii_whitespace().collect::<Vec<_>>().join(" "), found.rule))
}

#[test]
fn a_classic_theme() {
    let page = "<body class=postid-7><main><article class='post hentry'><header class=entry-header><h1 class=entry-title>The <i>title</i></h1></header>
        <div class=entry-content><p>Text</p><div class='sharedaddy sd-x'><ul><li>Share</ul></div>
        <figure><img src=a.jpg></figure><nav class=toc>Kept: of the author</nav><div class=page-links>1 2</div></div>
        <footer class=entry-footer>Tags</footer></article><div id=comments>…</div></main>";
    let (title, html, selector) = main(page).unwrap();
    assert_eq!(title.unwrap(), "The <i>title</i>");
    assert_eq!(html, "<p>Text</p> <figure><img src=a.jpg></figure><nav class=toc>Kept: of the author</nav>");
    assert_eq!(selector, ".entry-content");
}

#[test]
fn a_theme_without_the_usual_classes() {
    let page = "<main><nav>Menu</nav><article><h1>Title</h1><p>One<p>Two<section class=related>More</section><script>x</script></article></main>";
    assert_eq!(main(page).unwrap(), (Some("Title".to_owned()), "<p>One<p>Two".to_owned(), SCORED.to_owned()));
    let short = "<main><h1>T</h1><div>Body<form>x</form></div><footer>y</footer></main>";
    assert_eq!(main(short).unwrap().1, "<div>Body</div>");
}

const PROSE: &str = "<p>Of the harbour, the ships that lay in it, and the men who mended them all through that long winter which nobody has forgotten since.</p>";

#[test]
fn of_headings_that_say_the_title_the_highest_is_first() {
    let page = format!(
        "<title>Oak and elm</title><h3>Oak <b>and</b> elm</h3><h2>Oak <u>and</u> elm</h2><h1>Oak <i>and</i> elm</h1>{PROSE}"
    );
    let stated = main_content(&page, ContentSelectors::builtin(), &mut ContentBuffer::default(), &mut (), || None).1;
    assert_eq!(stated.said, ["Oak <i>and</i> elm", "Oak <u>and</u> elm", "Oak <b>and</b> elm"]);
}

#[test]
fn a_notice_is_left_out_though_it_begins_as_a_heading_of_links() {
    let page = format!("<div class=entry-content>{PROSE}<p>Zum Newsletter anmelden</p>{PROSE}</div>");
    assert_eq!(main(&page).unwrap().1, format!("{PROSE}{PROSE}"));
}

#[test]
fn what_is_said_of_links_to_other_hosts_stays_at_the_end_of_a_place() {
    let after = |html: &str| {
        let page = format!(
            "<link rel=canonical href=https://a.example/b/><body class=single><div class=entry-content>{PROSE}{html}</div>"
        );
        main(&page).unwrap().1.replace(PROSE, "")
    };
    for kept in [
        "<div><b>Music:</b> <a href=https://songs.example/a>A long song by Ann</a>.</div>",
        "<div class=row><div class=day>Apr 22</div><div><a href=https://band.example/>The Two Cent Band</a></div></div>",
    ] {
        assert_eq!(after(kept), kept);
    }
    for gone in [
        "<div><a href=https://songs.example/a>A song</a> <a href=https://songs.example/b>Another one</a></div>",
        "<div>See <a href=https://a.example/c/>What we wrote in March</a></div>",
        "<div class=post-meta><span>Via</span> <a href=https://songs.example/a>Songs of all kinds</a></div>",
    ] {
        assert_eq!(after(gone), "", "{gone}");
    }
}

#[test]
fn headings_of_related_posts_and_labels_of_advertisements_in_other_languages() {
    for heading in ["Có thể bạn quan tâm", "Похожие записи", "関連記事", "İlgili yazılar"] {
        let posts = "<div class=row><a href=/x/><img src=x.jpg></a><a href=/x/>Another post</a></div>";
        let page = format!("<div class=entry-content>{PROSE}<h4 class=x> {heading}</h4>{posts}</div>");
        assert!(!main(&page).unwrap().1.contains(heading), "{heading}");
    }
    let label = "<div style='width:336px'><p>スポンサーリンク</p><ins class=x></ins></div>";
    let page = format!("<div class=entry-content>{PROSE}{label}{PROSE}</div>");
    assert!(!main(&page).unwrap().1.contains("スポンサー"));
}

#[test]
fn prose_is_found_where_no_name_tells_of_it() {
    let page = format!(
        "<body><div class=x1><a href=/>Home</a> <a href=/b>Bread</a></div><div class=x2><div><h1>T</h1><p>By me, 3 May</p>{PROSE}<h2>On</h2>
        {PROSE}<ul><li>a rope<li>a sail</ul>{PROSE}<p>The end.</p><ul><li><a href=/o>Other</a></ul></div><div class=x3><p>© me</p></div></div></body>"
    );
    let (_, html, rule) = main(&page).unwrap();
    let want = format!("{PROSE}<h2>On</h2> {PROSE}<ul><li>a rope<li>a sail</ul>{PROSE}<p>The end.</p>");
    assert_eq!((html.as_str(), rule.as_str()), (want.as_str(), SCORED));
}

#[test]
fn a_place_with_a_fraction_of_the_page_is_doubted() {
    let story = PROSE.repeat(20);
    let page = format!("<body><main>{story}<div id=reviews><div class=entry-content>Nice!</div></div></main></body>");
    let (_, html, rule) = main(&page).unwrap();
    assert_eq!((html.contains(PROSE), rule.as_str()), (true, SCORED));
    // comments are no content, however long they are
    let page = format!("<body><div class=entry-content>Short.</div><ol class=commentlist><li>{story}</ol></body>");
    assert_eq!(main(&page).unwrap().1, "Short.");
    // nor is the heading of their form in WordPress' first themes
    let form = "<h2 id=postcomment>Your words</h2><form id=commentform><p>Be kind, please.</p></form>";
    let page = format!("<body><div>{PROSE}{form}<div><p>By me, of me</p>{PROSE}</div></div></body>");
    assert!(!main(&page).unwrap().1.contains("Your words"));
}

#[test]
fn boilerplate_in_a_known_place_goes_but_no_block_of_an_author() {
    let block = "<div class=wp-block-group><ul class=related><li>mine</ul></div>";
    let boilerplate = [
        "<div class='td-post-sharing'>Share</div>",
        "<section class='authorBox'>I am</section>",
        "<div id=newsletter_2>Send me</div>",
        "<div class=mailerlite-form><form><h3>Letters</h3><p>One a month.</p></form></div>",
        "<div class=post-outdated-info>Written 366 days ago, and things may have changed since then.</div>",
        "<h3>Related posts:</h3><ul><li><a href=/x>X</a></ul>",
        "<p>© 2020 me</p>",
        "<p>This post contains affiliate links.</p>",
    ];
    for dropped in boilerplate {
        let page = format!("<div class=entry-content>{PROSE}{dropped}{block}</div>");
        assert_eq!(main(&page).unwrap().1, format!("{PROSE}{block}"), "{dropped}");
    }
    let links = "<div><a href=/x>Of ropes and sails</a></div>";
    let page = format!("<div class=entry-content><div>{PROSE}<p>Mehr zum Thema:</p></div>{links}</div>");
    assert_eq!(main(&page).unwrap().1, format!("<div>{PROSE}</div>"));
    for kept in ["<h3>Share</h3><p>of the catch</p>", "<p>Read more</p>", "<div class=has-related>kept</div>"] {
        let page = format!("<div class=entry-content>{PROSE}{kept}</div>");
        assert_eq!(main(&page).unwrap().1, format!("{PROSE}{kept}"), "{kept}");
    }
}

#[test]
fn posts_of_a_list_are_taken_together() {
    let post = |n: u32, text: &str| {
        format!(
            "<article class='post-{n} hentry'><h2><a href=/{n}>Title {n}</a></h2>{text}<a href=/{n}>Read more</a></article>"
        )
    };
    let short = "<div class=entry-content><p>Of the harbour.</p></div>";
    let form = "<form class=post-password-form>Password</form>";
    // posts whose content a selector finds, or not; the third one needs a password
    for text in [short, "<p class=y>Of the harbour.</p>", PROSE] {
        let posts = [post(1, text), post(2, text), post(3, form)].concat();
        let page = format!("<body class=archive><main><h1>News</h1><div class=x>{posts}</div></main></body>");
        let (_, html, rule) = main(&page).unwrap();
        assert_eq!((html.matches(text).count(), rule.as_str()), (2, LIST), "{html}");
        assert!((1..=3).all(|n| html.contains(&format!("Title {n}"))), "{html}");
        assert!(!html.contains("Read more") && !html.contains("Password"), "{html}");
        // related posts are not the posts of a list
        let single =
            format!("<body class=single><div>{0}{1}{1}</div></body>", post(4, &PROSE.repeat(3)), post(5, text));
        assert_ne!(main(&single).unwrap().2, LIST);
    }
}

#[test]
fn widgets_of_page_builders_are_content() {
    for class in
        ["elementor-element elementor-widget elementor-widget-text-editor", "so-panel widget widget_sow-editor"]
    {
        let widget = format!("<div class='{class}'>{PROSE}</div>");
        let page = format!("<body class=page><div class=entry>{}</div></body>", widget.repeat(2));
        assert_eq!(main(&page).unwrap().1.matches(PROSE).count(), 2, "{class}");
    }
    let page = format!(
        "<div class=x>{PROSE}<div class='elementor-widget elementor-widget-share-buttons'>Share this with</div>{PROSE}</div>"
    );
    assert_eq!(main(&page).unwrap().1, PROSE.repeat(2));
}

#[test]
fn headings_of_what_was_left_out_go_with_it() {
    let links = "<p><a href=/r>Of ropes</a></p><p><a href=/s>Of sails</a></p>";
    let page = |heading: &str| format!("<main><article>{PROSE}<h2>{heading}</h2>{links}{PROSE}</article></main>");
    assert_eq!(main(&page("Weiterlesen:")).unwrap().1, format!("{PROSE}{PROSE}"));
    assert_eq!(main(&page("Ropes")).unwrap().1, format!("{PROSE}<h2>Ropes</h2>{links}{PROSE}"));
    let share = "<div class=sharing>Post it</div>";
    let place = |end: &str| main(&format!("<div class=entry-content>{PROSE}{end}</div>")).unwrap().1;
    assert_eq!(place(&format!("<h3>Alone at sea?</h3>{share}")), PROSE);
    for kept in [
        "<h3>Alone at sea?</h3>",
        "<h3>Fair winds, my friends!</h3>",
        "<h3>Ship</h3><img src=s.jpg>",
        "<h3>Ship</h3><p><img src=s.jpg></p>",
    ] {
        let end = if kept.contains('?') { String::new() } else { share.to_owned() };
        assert_eq!(place(&format!("{kept}{end}")), format!("{PROSE}{kept}"), "{kept}");
    }
}

#[test]
fn an_address_at_the_end_is_no_content_though_it_is_the_only_prose() {
    let address = "<footer><div><p>2010 Harbour Place, Suite 100, in the old town of Vik, Iceland</p></div></footer>";
    let cards = "<div><b>Ropes</b></div><div><b>Sails</b></div>";
    let found = main(&format!("<body><div>{cards}</div>{address}</body>")).unwrap();
    assert_eq!(found.1, format!("<div>{cards}</div>"));
    // the menu is never closed
    let page = format!("<body><nav><a href=/>Home</a><div>{}</div></body>", PROSE.repeat(9));
    assert_eq!(main(&page).unwrap().1, PROSE.repeat(9));
}

#[test]
fn a_post_without_content_has_none() {
    let page = |class: &str, text: &str| {
        format!(
            "<body class={class}><main><h1>T</h1><div class=entry-content>{text}</div><div class=x>Ropes</div></main></body>"
        )
    };
    assert_eq!(main(&page("single", "")), None);
    assert_eq!(main(&page("single", "Text")).unwrap().1, "Text");
    assert!(main(&page("home", "")).unwrap().1.contains("Ropes"));
    assert!(main(&page("single", "").replace("Ropes", PROSE)).unwrap().1.contains(PROSE));
}

#[test]
fn a_frame_with_the_title_in_it_is_no_place_of_content() {
    let menu = "<div class=x><a href=/a>Harbours</a> <a href=/b>Ships</a></div>";
    let body = format!("<div class=y>{}</div>", PROSE.repeat(2));
    let page = format!("<div class=page-content><p>Print</p><h1>T</h1>{menu}{body}<p>Other ships</p>{menu}</div>");
    assert_eq!(main(&page).unwrap().1, PROSE.repeat(2));
    // an author's heading of the first level, after that of the theme
    let content = format!("<h1>Of harbours</h1><p>Short.</p>{PROSE}<p>End</p>");
    let page = format!("<h1>T</h1><div class=page-content>{content}</div>");
    assert_eq!(main(&page).unwrap().1, content);
}

#[test]
fn posts_with_another_number_than_the_page_are_other_posts() {
    let post = |n: u32, inside: &str| format!("<article class='box post-{n} post hentry'>{inside}</article>");
    let others = [post(8, &PROSE.repeat(3)), post(9, &PROSE.repeat(3))].concat();
    for page in [post(7, &format!("{PROSE}{others}")), format!("{}{others}", post(7, PROSE))] {
        let page = format!("<body class='single postid-7'><div>{page}</div></body>");
        assert_eq!(main(&page).unwrap().1, PROSE);
    }
}

#[test]
fn captions_without_their_picture_are_left_out_where_a_name_did_not_tell_the_place() {
    let page = |class: &str| {
        format!("<div class={class}>{PROSE}<img src=x><div class=image-caption>A ship</div>{PROSE}</div>")
    };
    assert_eq!(main(&page("x")).unwrap().1, format!("{PROSE}<img src=x>{PROSE}"));
    assert!(main(&page("entry-content")).unwrap().1.contains("A ship"));
    // the classic editor's caption belongs to the picture, and so does a caption with the picture inside
    for caption in [
        "<div class=wp-caption><img src=x><p class=wp-caption-text>A ship</p></div>",
        "<div class=caption><img src=x>A ship</div>",
        "<figure><img src=x><figcaption class=caption>A ship</figcaption></figure>",
    ] {
        let page = format!("<div class=x>{PROSE}{caption}{PROSE}</div>");
        assert_eq!(main(&page).unwrap().1, format!("{PROSE}{caption}{PROSE}"));
    }
}

#[test]
fn captions_that_are_all_the_text_are_content() {
    let slide = format!("<div><img src=x></div><div class=caption>{PROSE}</div>");
    let page = format!("<body><div>{}</div></body>", slide.repeat(6));
    assert_eq!(main(&page).unwrap().1.matches(PROSE).count(), 6);
}

#[test]
fn a_title_does_not_make_a_long_text_boilerplate() {
    let page =
        format!("<div class=entry-content>{PROSE}<section id=sharing-a-ship>{}</section></div>", PROSE.repeat(9));
    assert_eq!(main(&page).unwrap().1.matches(PROSE).count(), 10);
    let page = format!("<body><div>{}<div id=sharing-a-ship>{}</div></div></body>", PROSE.repeat(20), PROSE.repeat(9));
    assert_eq!(main(&page).unwrap().1.matches(PROSE).count(), 29);
}

#[test]
fn links_after_the_last_prose_are_left_out_but_for_lists_and_blocks_of_an_author() {
    let links = "<a href=/a>Harbours</a> <a href=/b>Ships</a>";
    let [list, box_, block] = [
        format!("<ul><li>{links}</ul>"),
        format!("<div>{links}</div>"),
        format!("<div class=wp-block-x>{links}</div>"),
    ];
    let page = |class: &str| format!("<div class={class}>{PROSE}{box_}{PROSE}{list}{box_}{block}</div>");
    assert_eq!(main(&page("entry-content")).unwrap().1, format!("{PROSE}{box_}{PROSE}{list}{block}"));
    assert_eq!(main(&page("article-body")).unwrap().1, format!("{PROSE}{box_}{PROSE}{block}"));
}

#[test]
fn what_surrounds_content_is_left_out_of_a_named_place_if_it_has_no_prose() {
    let around = "<div class=dateline>Kiel, 3 May</div>";
    let section = format!("<div class=toc-section>{PROSE}</div>");
    let page = |class: &str| format!("<div class={class}>{around}{PROSE}{section}</div>");
    assert_eq!(main(&page("article-body")).unwrap().1, format!("{PROSE}{section}"));
    let page = |class: &str| format!("<div class={class}><div class=date>3 May</div>{PROSE}{section}</div>");
    assert!(main(&page("entry-content")).unwrap().1.contains("3 May"));
}

#[test]
fn a_field_whose_label_is_hidden_is_not() {
    let field = |text: &str| format!("<div class='field field--label-hidden'>{text}</div>");
    let page = format!("<body><div>{}{}</div></body>", field(PROSE), field(&PROSE.repeat(4)));
    assert_eq!(main(&page).unwrap().1.matches(PROSE).count(), 5);
}

#[test]
fn the_terms_of_a_post_do_not_make_it_boilerplate() {
    let class = "post-7 hentry tag-comments category-newsletter";
    let page = format!("<body><section class='{class}'><h2>T</h2>{PROSE}</section></body>");
    assert_eq!(main(&page).unwrap().1, format!("<h2>T</h2>{PROSE}"));
}

#[test]
fn the_share_is_that_of_the_visible_letters() {
    let page = "<body><div class=entry-content>1234567890</div><script>123</script><p hidden>12</p>12345 12345</body>";
    let (found, _) = main_content(page, ContentSelectors::builtin(), &mut ContentBuffer::default(), &mut (), || None);
    assert_eq!(found.unwrap().share, 0.5);
}

#[test]
fn empty_places_and_places_in_boilerplate_are_passed_over() {
    let page = "<div class=entry-content> <!-- nothing --> &nbsp; </div><div class=jp-relatedposts><div class=entry-content>Related</div></div>
        <div class=entry-content><p>Second</p></div>";
    assert_eq!(main(page).unwrap().1, "<p>Second</p>");
    assert_eq!(main("<div class=entry-content></div><p>x"), None);
    assert_eq!(main("<div class=entry-content><img src=x></div>").unwrap().1, "<img src=x>");
    assert_eq!(main(""), None);
}

#[test]
fn the_form_for_a_password_is_no_content() {
    let page = "<main><article><h1>T</h1><div class=entry-content><form class='post-password-form'>Password</form></div>By me</article></main>";
    assert_eq!(main(page), None);
}

#[test]
fn truncated_pages_and_unclosed_elements_give_what_there_is() {
    assert_eq!(main("<div class=entry-content><p>One<p>Tw").unwrap().1, "<p>One<p>Tw");
    assert_eq!(main("<article><div class=entry-content><p>One</article>Two").unwrap().1, "<p>One");
    assert_eq!(main("<div class=entry-content>\u{fffd}é<").unwrap().1, "\u{fffd}é<");
}

#[test]
fn a_users_selector_replaces_the_places() {
    let own = ContentSelectors::with_content(&["#story".to_owned(), ".b".to_owned()]).unwrap();
    let page =
        "<div class=entry-content>No</div><div class=b>Yes<div class=sharedaddy>x</div></div><div id=story></div>";
    let found = main_content(page, &own, &mut ContentBuffer::default(), &mut (), || None).0.unwrap();
    assert_eq!((found.html.as_str(), found.rule.as_str()), ("Yes", ".b"));
    let error = ContentSelectors::with_content(&["a + b".to_owned()]).err().unwrap();
    assert!(error.contains("a + b") && error.contains("unsupported combinator"), "{error}");
}

/// In such comments, the reader of the content found no end, or a wrong one.
#[test]
fn a_comment_that_ends_with_a_bang_ends() {
    let page = "<body><!-- ad --!><div class=entry-content><p>Bang</p></div>";
    assert_eq!(main(page).unwrap().1, "<p>Bang</p>");
}

#[test]
fn a_quote_within_an_unquoted_value_opens_none() {
    let page = "<body><nav>MENU</nav><div class=entry-content><div data-x=a=\"b>x</div></div><footer>FOOT</footer>";
    let (_, html, selector) = main(page).unwrap();
    assert_eq!((html.as_str(), selector.as_str()), ("<div data-x=a=\"b>x</div>", ".entry-content"));
}

#[test]
fn an_item_does_not_end_at_an_item_in_a_block_in_it() {
    let page = "<li class=entry-content><p>a</p><blockquote><p>q</p><li>inner</li></blockquote><p>tail</p></li>";
    let inner = "<p>a</p><blockquote><p>q</p><li>inner</li></blockquote><p>tail</p>";
    assert_eq!(main(page).unwrap().1, inner);
}

#[test]
fn content_does_not_end_with_elements_that_nest_deeply_in_it() {
    for depth in [600, 1100, 5000] {
        let deep = format!("{}x{}", "<div>".repeat(depth), "</div>".repeat(depth));
        let page = format!("<main><div class=entry-content>{deep}<p>the end</p></div>no</main>");
        assert_eq!(main(&page).unwrap().1, format!("{deep}<p>the end</p>"), "{depth}");
    }
}

#[test]
fn the_end_of_body_ends_no_content() {
    let pasted = "<html><body><p>a</p></body></html><p>b</p>";
    assert_eq!(main(&format!("<body><div class=entry-content>{pasted}</div></body></html>")).unwrap().1, pasted);
    let found = main("<html><head><title>T</title></head><body><p>a</p><div>b</body></html>").unwrap();
    assert_eq!((found.1.as_str(), found.2.as_str()), ("<p>a</p><div>b", SCORED));
}

#[test]
fn a_place_after_empty_ones_that_nest_is_found() {
    let empty = "<div class=entry-content><div class=entry-content> <div class=sharedaddy>Share</div></div></div>";
    let page =
        format!("<body>{empty}{empty}<div class=entry-content><div class=entry-content>{PROSE}</div></div></body>");
    assert_eq!(main(&page).unwrap().1, format!("<div class=entry-content>{PROSE}</div>"));
}

#[test]
fn a_line_of_a_themes_head_with_the_name_of_the_content_is_no_place_of_it() {
    let line = "<header><div class=entry-content>Advertiser</div></header>";
    for rest in ["", &format!("<table>{}</table>", "<tr><td>Rope<td>7<td>8</tr>".repeat(60))] {
        let text = format!("{}{rest}", PROSE.repeat(6));
        let page =
            format!("<body class=single>{line}<main><article><div class=entry-content>{text}</div></article></main>");
        assert_eq!(main(&page).unwrap().1, text);
    }
}

#[test]
fn what_a_server_sent_late_is_shown_and_what_is_hidden_is_not() {
    let page = |id: &str| {
        format!("<body><p>Short.</p><div hidden id='{id}'><main><article>{}</article></main></div>", PROSE.repeat(3))
    };
    assert_eq!(main(&page("S:2")).unwrap().1, PROSE.repeat(3));
    assert_ne!(main(&page("menu")).unwrap().1, PROSE.repeat(3));
}

#[test]
fn when_a_style_applies_does_not_name_an_element() {
    let class = "flex lg:hidden print:hidden chat-open:sidebar";
    let page = format!("<body><div>{}</div><div class='{class}'>{PROSE}</div>", PROSE.repeat(3));
    assert_eq!(main(&page).unwrap().1.matches(PROSE).count(), 4);
}

#[test]
fn links_that_are_all_of_a_known_place_stay() {
    let links = format!("<div><ul>{}</ul></div>", "<li><a href=/x>A rope, a sail and an oar</a>".repeat(30));
    let page = format!("<body><div class=entry-content>{PROSE}{links}</div></body>");
    assert_eq!(main(&page).unwrap().1, format!("{PROSE}{links}"));
}

/// Two posts of a thread: each is a text in an element, after the name of its author and before a signature.
fn thread(open: &str, close: &str) -> (String, [String; 2]) {
    let texts = ["Which rope holds a ship of forty tons?", "Hemp."].map(|text| format!("<p>{text}</p>{PROSE}"));
    let post = |text: &String| {
        format!("<div class=x1><b>A sailor</b>, 9 posts</div>{open}{text}{close}<div class=x2>Fair winds!</div>")
    };
    (texts.iter().map(post).collect(), texts)
}

#[test]
fn a_thread_is_the_texts_of_its_posts() {
    for (before, open, close) in [
        ("<body>", "<div class='topic-post'><div class=cooked>", "</div></div>"),
        ("<html id=XF><body>", "<article class='message-body x'><div class=bbWrapper>", "</div></article>"),
        ("<body class=ipsApp>", "<article class=cPost><div data-role=commentContent>", "</div></article>"),
        ("<body id=phpbb>", "<div class=postbody><div class=content>", "</div></div>"),
        ("<body>", "<div id=post_message_7>", "</div>"),
        ("<body class=question-page>", "<div class='s-prose js-post-body'>", "</div>"),
        ("<body class='x node-type-forum'>", "<div id=comments><div class='comment-content'>", "</div></div>"),
        ("<body><div itemtype=https://schema.org/DiscussionForumPosting>", "<div itemprop=text>", "</div>"),
        ("<body><div itemtype=http://schema.org/QAPage>", "<span itemprop=text>", "</span>"),
    ] {
        let (posts, texts) = thread(open, close);
        let (_, html, rule) = main(&format!("{before}<h1>Ropes</h1><div id=comments>{posts}</div>")).unwrap();
        let want = texts.map(|text| format!("<div>{text}</div>")).join(" ");
        assert_eq!((html.as_str(), rule.as_str()), (want.as_str(), "thread"), "{open}");
    }
}

#[test]
fn a_thread_that_scripts_would_show_is_read_without_them() {
    let (posts, texts) = thread("<div class=crawler-post><div class=post itemprop=text>", "</div></div>");
    let thread = format!("<div itemtype=http://schema.org/DiscussionForumPosting>{posts}</div>");
    let page =
        format!("<body><noscript><img src=x></noscript><p>Loading</p><noscript data-x>{thread}</noscript></body>");
    let (_, html, rule) = main(&page).unwrap();
    assert_eq!((html, rule.as_str()), (texts.map(|text| format!("<div>{text}</div>")).join(" "), "thread"));
}

/// The comments below a post, and the noscript of a picture, were taken for the post's text.
#[test]
fn a_thread_for_those_without_scripts_is_not_the_text_of_a_page_that_has_one() {
    let (posts, _) = thread("<div itemprop=text>", "</div>");
    let thread = format!("<noscript><div itemtype=http://schema.org/DiscussionForumPosting>{posts}</div></noscript>");
    for class in ["'post-template-default single postid-7'", "x"] {
        let page = format!("<body class={class}><div class=entry-content>{PROSE}{PROSE}</div>{thread}</body>");
        assert_eq!(main(&page).unwrap().1, format!("{PROSE}{PROSE}"), "{class}");
    }
    // a post of pictures whose comments are longer: only the class of the body shows that it is one
    let picture = "<img data-src=a.jpg><noscript><img src=a.jpg></noscript>";
    let page = format!(
        "<body class='single postid-7'><div class=entry-content><p>Two boats.</p>{picture}</div>{}</body>",
        thread.replace("</div></noscript>", &format!("<p>{PROSE}</div></noscript>"))
    );
    assert!(main(&page).unwrap().1.starts_with("<p>Two boats.</p><img"));
}

#[test]
fn the_share_of_a_thread_is_that_of_all_its_posts() {
    let page = format!("<body>{}", "<div id=post_message_7>x</div>".repeat(3000));
    let (found, _) = main_content(&page, ContentSelectors::builtin(), &mut ContentBuffer::default(), &mut (), || None);
    assert_eq!(found.unwrap().share, 1.0);
}

#[test]
fn comments_below_an_article_are_no_thread() {
    let (posts, texts) = thread("<div itemtype=http://schema.org/Comment><div itemprop=text>", "</div></div>");
    let page = format!(
        "<body><article itemtype=http://schema.org/BlogPosting>{}</article><div id=comments>{posts}</div>",
        PROSE.repeat(3)
    );
    assert!(!main(&page).unwrap().1.contains(&texts[0]));
    // a post of WordPress is not a topic, whichever plugin shows the comments on it
    for (before, open) in [
        ("<div itemtype=http://schema.org/QAPage>", "<div itemprop=text>"),
        ("", "<div class=topic-post><div class=cooked>"),
    ] {
        let posts = thread(open, "</div></div>").0;
        let page = format!(
            "<body class='single postid-7'>{before}<div class=entry-content>{PROSE}</div><div id=comments>{posts}</div>"
        );
        assert_eq!(main(&page).unwrap().1, PROSE);
    }
}

#[test]
fn what_a_post_quotes_of_the_thread_is_there_once() {
    let post = |text: &str| format!("<div id=post_message_7>{text}</div>");
    let other = "<blockquote>Of the mill, said another who had never seen a ship.</blockquote><p>He says.</p>";
    let quote = |said: &str| format!("<blockquote><div>A sailor:</div>{said}</blockquote><p>Not so.</p>");
    let page = format!("<body>{}{}{}</body>", post(PROSE), post(&quote(PROSE)), post(other));
    let want = format!("<div>{PROSE}</div> <div><p>Not so.</p></div> <div>{other}</div>");
    assert_eq!(main(&page).unwrap().1, want);
}

#[test]
fn a_page_that_is_invisible_before_its_scripts_run_has_its_text() {
    let page = |prose: &str| format!("<body><div style='visibility:hidden'><div>{prose}</div></div></body>");
    assert_eq!(main(&page(PROSE)).unwrap().1, PROSE);
    // next to visible text, invisible text is no content
    let page = page(&PROSE.repeat(2)).replace("<body>", &format!("<body><main>{PROSE}</main>"));
    assert_eq!(main(&page).unwrap().1, PROSE);
}

#[test]
fn a_place_of_documentation_keeps_its_lists_of_links() {
    let links = "<ul><li><a href=/a>Of ropes</a><li><a href=/b>Of sails</a></ul>";
    let text = format!("{PROSE}<h2>Tuning</h2>{links}<h2>Ships</h2>{links}");
    let section = "<span class=mw-editsection>edit</span>";
    for (open, close) in [
        ("<div id=mw-content-text><div class=mw-parser-output>", "</div></div>"),
        ("<div class=documentwrapper><div class=body role=main>", "</div></div>"),
        ("<article class=md-content__inner>", "</article>"),
        ("<div class=markdown-body>", "</div>"),
    ] {
        let page = format!("<body><ul class=x1>{links}</ul><div class=x2>{open}{text}{section}{close}</div></body>");
        assert_eq!(main(&page).unwrap().1, text, "{open}");
    }
}

/// A closed dialog was the text of a page of short lines.
#[test]
fn a_dialog_is_not_the_content() {
    let lines = "<h2>The house</h2><p>Open from May.</p><p>Twelve rooms, one boat.</p>";
    for (open, close) in [("<div role=dialog>", "</div>"), ("<div class='pum pum-overlay' role=alertdialog>", "</div>")]
    {
        let dialog = format!("{open}<div class=post-content>{}</div>{close}", PROSE.repeat(20));
        let page = format!("<body><main><article>{lines}</article></main>{dialog}");
        assert_eq!(main(&page).unwrap().1, lines, "{open}");
        // an author's
        let page = format!("<body><div class=entry-content>{PROSE}{dialog}</div>");
        assert_eq!(main(&page).unwrap().1, format!("{PROSE}{dialog}"), "{open}");
    }
    let page = format!("<body><div class=dialog-off-canvas-main-canvas><main><div>{PROSE}</div></main></div>");
    assert!(main(&page).unwrap().1.contains(PROSE));
}

#[test]
fn where_prose_is_next_to_nothing_of_a_page_its_main_part_is_the_content() {
    let table = format!("<table>{}</table>", "<tr><td>Rope<td>of hemp<td>7 fathoms</tr>".repeat(40));
    let table = format!("<div>{table}</div>");
    let cards = "<div><h3><a href=/r>Ropes of hemp</a></h3><p>Seven fathoms</p></div>".repeat(40);
    let page = |class: &str, of: &str, rest: &str| {
        let head =
            format!("<meta property=og:type content={of}><body class='{class}'><header><a href=/>Home</a></header>");
        format!("{head}<main><div>{PROSE}</div>{rest}<nav>1 2</nav></main>")
    };
    for (of, rest) in [("website", &table), ("article", &table), ("website", &cards)] {
        let (_, html, rule) = main(&page("", of, rest)).unwrap();
        assert_eq!((html, rule.as_str()), (format!("<div>{PROSE}</div>{rest}"), SCORED), "{of}");
    }
    // a post of WordPress has its content in a place of its own
    assert_eq!(main(&page("single", "article", &table)).unwrap().1, PROSE);
}

#[test]
fn a_heading_before_a_list_at_the_end_stays_with_it() {
    let page = format!(
        "<body><div><div>{PROSE}{PROSE}<h2>You need</h2><p>* * *</p><ul><li>a rope<li>a sail</ul></div><h3>Elsewhere</h3><ul><li><a href=/o>O</a></ul></div>"
    );
    let list = "<h2>You need</h2><p></p><ul><li>a rope<li>a sail</ul>";
    assert_eq!(main(&page).unwrap().1, format!("{PROSE}{PROSE}{list}"));
}

#[test]
fn short_paragraphs_in_scripts_without_marks_stay_at_the_edges() {
    for (short, long) in [
        ("เรือออกจากท่าเมื่อเช้า", "เรือลำหนึ่งออกจากท่าเมื่อเช้าวันนี้และกลับมาในตอนเย็นพร้อมกับปลาจำนวนมากที่ชาวบ้านรอคอยมาตลอดทั้งวัน"),
        ("ទូកចេញពីកំពង់ផែនៅពេលព្រឹក", "ទូកមួយបានចេញពីកំពង់ផែនៅព្រឹកនេះហើយត្រឡប់មកវិញនៅពេលល្ងាចជាមួយត្រីជាច្រើនដែលអ្នកភូមិរង់ចាំពេញមួយថ្ងៃ"),
    ] {
        let text = format!("<p>{short}</p><p>{long}</p><p>{long}</p><p>{short}</p>");
        let page = format!("<body><div><a href=/>x</a></div><div><h1>T</h1>{text}</div><div><p>2 {short}</p></div>");
        assert_eq!(main(&page).unwrap().1, text);
    }
}

#[test]
fn a_signature_and_a_dedication_at_the_end_stay() {
    let end = "<p>Ann Miller, of the Old Mill</p><p>For my mother</p>";
    let page = format!("<body><div><div>{PROSE}{PROSE}{end}</div><p>Posted by Bob</p><div><p>Bob</p></div></div>");
    assert_eq!(main(&page).unwrap().1, format!("{PROSE}{PROSE}{end}"));
    // texts of a theme
    for other in ["<p>Ann in 2003</p>", "<p><a href=/ann>Ann</a></p>", "<span class=tags><p>Boats</p></span>"] {
        let page = format!("<body><div>{PROSE}{PROSE}{other}</div>");
        assert_eq!(main(&page).unwrap().1, format!("{PROSE}{PROSE}"), "{other}");
    }
}

#[test]
fn a_list_of_sources_stays_and_one_of_links_to_the_site_goes() {
    let head = "<head><link rel=canonical href=https://q.example/a/></head>";
    let list = |host: &str| {
        format!(
            "<h2>Sources</h2><ul><li><a href={host}/a>The log of the harbour</a><li><a href={host}/b>A chart</a></ul>"
        )
    };
    let text = |host: &str| format!("{PROSE}{PROSE}{}", list(host));
    let away = text("https://b.example");
    assert_eq!(main(&format!("{head}<body><div>{away}</div>")).unwrap().1, away);
    assert_eq!(
        main(&format!("{head}<body><div>{}</div>", text("https://q.example"))).unwrap().1,
        format!("{PROSE}{PROSE}")
    );
    // a sidebar next to the text, with links to other sites
    let page = format!("{head}<body><div><div>{PROSE}{PROSE}</div><div>{}</div></div>", list("https://b.example"));
    assert_eq!(main(&page).unwrap().1, format!("{PROSE}{PROSE}"));
}

/// A mirror that rewrites links has no address of its own in its head.
#[test]
fn a_list_of_sources_stays_below_a_label_and_on_a_mirror() {
    let item = |host: &str| format!("<li><a href={host}/a>The log of the harbour, as it was kept</a>");
    let list = |host: &str| format!("<p><b>Sources :</b></p><ul>{0}{0}</ul>", item(host));
    let relative = "<link rel=canonical href=index.html>";
    let files = "<link rel=stylesheet href=https://q.example/wp-content/themes/x/style.css>";
    let stated = "<meta property=og:url content=https://q.example/a/>";
    for head in [relative, files, stated] {
        let page = |text: &str| main(&format!("<head>{head}</head><body><div>{text}</div>")).unwrap().1;
        let [away, own] = ["https://b.example", "."].map(list);
        // the label and the list may be in a block of their own
        for text in [format!("{PROSE}{PROSE}{away}"), format!("{PROSE}{PROSE}<div>{away}</div>")] {
            assert_eq!(page(&text), text, "{head}");
        }
        assert!(!page(&format!("{PROSE}{PROSE}{own}")).contains("log of the harbour"), "{head}");
    }
    // links to the host of WordPress' files stay within the site
    let head = format!("{relative}{files}");
    let own = list("https://www.q.example");
    let text = main(&format!("<head>{head}</head><body><div>{PROSE}{PROSE}{own}</div>")).unwrap().1;
    assert!(!text.contains("log of the harbour"), "{text}");
    // a sentence may introduce sources, too, but not a list with the site's accounts elsewhere
    let list = list("https://b.example").replace("Sources :", "These are all the books that I have read of late:");
    let page = |list: &str| main(&format!("<head>{stated}</head><body><div>{PROSE}{PROSE}{list}</div>")).unwrap().1;
    assert_eq!(page(&list), format!("{PROSE}{PROSE}{list}"));
    let text = page(&list.replace("</ul>", "<li><a href=https://c.example/x>Facebook</a></ul>"));
    assert!(!text.contains("log of the harbour"), "{text}");
}

/// An item that asks for something took the rest of the list with it.
#[test]
fn an_item_of_a_list_is_no_heading_of_the_items_after_it() {
    let item = |text: &str| format!("<li>{text} by the master of the <a href=https://a.example/>quay</a></li>");
    let list = |texts: [&str; 3]| format!("<ul>{}</ul>", texts.map(item).concat());
    let page = |list: &str| main(&format!("<body><div class=entry-content>{PROSE}{list}{PROSE}</div>")).unwrap().1;
    let own = list(["A history", "Sign up for the letter", "The tides"]);
    assert_eq!(page(&own), format!("{PROSE}{own}{PROSE}"));
    // before links it is one
    let links = "<li><a href=/a/>A history of the quay</a></li>".repeat(2);
    let headed = format!("<ul><li><a href=/b/>A map of the quay</a></li><li>Related posts</li>{links}</ul>");
    assert!(!page(&headed).contains("Related posts"));
}

#[test]
fn labels_of_forms_are_no_text_wherever_they_are() {
    let form = "<form action=/send><p><label>Your name<br><input></label></p>Subject<br><input>\
        <p>I agree that the harbour stores my name and my address, so that its master can answer me, until I ask for both to be deleted, \
        by letter or otherwise.</p><img src=/wheel.svg></form>";
    let block = format!("<div class=wp-block-contact-form-7-contact-form-selector>{form}</div>");
    for place in ["class=entry-content", "data-elementor-type=wp-page", "class=article-body", "class=x"] {
        for form in [form, &block] {
            let page = format!("<body class=page><div {place}>{PROSE}{form}{PROSE}</div></body>");
            let text = main(&page).unwrap().1;
            assert!(!text.contains("Your name") && text.matches(PROSE).count() == 2, "{place}: {text}");
        }
    }
    // a gallery in a form, a form of comments that the author placed as a block, and a form around the text
    let gallery = "<form id=gallery><img src=/a.jpg><p>The harbour</p><img src=/b.jpg></form>".to_owned();
    let comments = format!("<div class=wp-block-post-comments-form>{form}</div>");
    let whole = format!("<form>{PROSE}</form>");
    for kept in [gallery, comments, whole] {
        let page = format!("<body class=page><div class=entry-content>{PROSE}{kept}{PROSE}</div></body>");
        assert_eq!(main(&page).unwrap().1, format!("{PROSE}{kept}{PROSE}"));
    }
}

#[test]
fn the_heading_of_a_tab_is_the_theme_s() {
    let tab = |text: &str| format!("<div class=woocommerce-Tabs-panel--description id=tab-description>{text}</div>");
    let own = format!("<h3>Of oak</h3>{PROSE}");
    for around in ["product", "entry-content"] {
        let page = format!("<div class={around}>{}</div>", tab(&format!("<h2>Description</h2>{own}")));
        let text = main(&page).unwrap().1;
        assert!(!text.contains("Description") && text.contains(&own), "{around}: {text}");
    }
    // a heading after a text is the author's
    let text = main(&tab(&format!("<p>Short.</p>{own}"))).unwrap().1;
    assert!(text.contains("<p>Short.</p>") && text.contains(&own), "{text}");
}

#[test]
fn a_title_that_a_theme_puts_into_the_content_is_no_text() {
    let page = |heading: &str| {
        let text = main(&format!("<title>Of oak</title><div class=entry-content>{heading}{PROSE}</div>")).unwrap().1;
        text.contains("Of oak")
    };
    assert!(!page("<h2 class='post-title entry-title'><a href=/a>Of oak</a></h2>"));
    // a heading typed by the author, the title of another post, a title placed as a block
    assert!(page("<h2>Of oak</h2>"));
    assert!(page("<h2 class=entry-title>Of oak and elm</h2>"));
    assert!(page("<h2 class='wp-block-post-title'>Of oak</h2>"));
}

/// A menu made with Elementor was taken for the text of an attachment.
#[test]
fn a_place_that_shows_another_document_of_elementor_is_not_the_content() {
    let document = |number: u32, text: &str| {
        format!("<div data-elementor-type=wp-post data-elementor-id={number} class=elementor>{text}</div>")
    };
    let menu = document(591, "<ul><li>Portfolio<li>Projects</ul>");
    let page = |text: &str| {
        format!(
            "<body class='single postid-9'><nav><ul><li><a href=/>Pages</a>{menu}</ul></nav><div>{text}</div></body>"
        )
    };
    let (_, html, rule) = main(&page(&format!("<h1>T</h1>{PROSE}"))).unwrap();
    assert_eq!((html.as_str(), rule.as_str()), (PROSE, SCORED));
    let own = document(9, "<p>Short.</p>");
    let (_, html, rule) = main(&page(&own)).unwrap();
    assert_eq!((html.as_str(), rule.as_str()), ("<p>Short.</p>", "[data-elementor-type=wp-post]"));
    // the page does not state its number
    assert_eq!(main(&page(&own).replace("postid-9", "")).unwrap().2, "[data-elementor-type=wp-post]");
}

/// A shop's header, made with Elementor, was taken for the text of its products.
#[test]
fn a_header_that_is_made_with_a_page_builder_is_not_the_content() {
    let document = |text: &str| format!("<div data-elementor-type=wp-post class=elementor>{text}</div>");
    let page = |around: &str| {
        let header = document("<p>0 items</p><p>Sign in</p>");
        main(&format!("<body><{around}>{header}</{around}><div class=entry-content>{PROSE}</div></body>")).unwrap()
    };
    for around in ["header", "footer"] {
        assert_eq!(page(around).2, ".entry-content");
    }
    assert_eq!(page("div").2, "[data-elementor-type=wp-post]");
}

#[test]
fn what_begins_as_a_heading_of_others_stays_in_a_list_of_the_author_s() {
    let list = "<ul><li>“About me”: what all should know<li>“Subscribe” section: a form, which we set up for you.</ul>";
    let page = |list: &str| {
        let more = "<h3><a href=/next>On the next one</a></h3>";
        main(&format!("<body class=page><div class=entry-content>{PROSE}{list}{more}{PROSE}</div></body>")).unwrap().1
    };
    assert!(page(list).contains("Subscribe"));
    assert!(!page("<p>Subscribe</p>").contains("Subscribe"));
}

/// If links lead to a heading, its id is made of its words; the id of a theme's heading above the comments is short.
#[test]
fn a_heading_whose_words_are_its_id_is_not_that_of_the_comments() {
    let page = |heading: &str| {
        main(&format!("<body class=page><div class=entry-content>{PROSE}{heading}{PROSE}</div></body>")).unwrap().1
    };
    let own = "<h2 id=kommentare-und-beitraege>Kommentare und Beiträge</h2>";
    assert_eq!(page(own), format!("{PROSE}{own}{PROSE}"));
    assert_eq!(page("<h2 id=comments>Two thoughts</h2>"), format!("{PROSE}{PROSE}"));
}

/// What is remembered from earlier pages does not change the result for a page.
#[test]
fn damaged_pages_are_read_in_used_memory_as_in_new() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/switchers");
    let pages = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut pages: Vec<_> = pages.filter(|path| path.extension().is_some_and(|e| e == "html")).collect();
    pages.sort();
    let own = ContentSelectors::with_content(&["li.a, .lang-item, div".to_owned()]).unwrap();
    let (mut random, mut used) = (Random(11), ContentBuffer::default());
    for round in 0..6 {
        for page in &pages {
            let mut html = std::fs::read(page).unwrap();
            (0..round).for_each(|_| damage(&mut html, &mut random));
            let html = String::from_utf8_lossy(&html);
            for selectors in [ContentSelectors::builtin(), &own] {
                let again = main_content(&html, selectors, &mut used, &mut (), || None);
                assert_eq!(
                    again,
                    main_content(&html, selectors, &mut ContentBuffer::default(), &mut (), || None),
                    "{html}"
                );
            }
        }
    }
}

/// Swell writes the classes of the body on the first element in it.
#[test]
fn classes_of_the_body_may_be_those_of_its_first_element() {
    let page = format!(
        "<body><div id=body_wrap class='single single-post postid-7'><div><div class='post-8 hentry'><p>Other.</p></div>
        <div class=post_content><h2>On</h2>{PROSE}</div></div></div></body>"
    );
    let (_, html, rule) = main(&page).unwrap();
    assert_eq!((html, rule.as_str()), (format!("<h2>On</h2>{PROSE}"), ".post_content"));
    let list = "<body><div class='single postid-7'><div><div class=hentry><h2>a</h2></div></div></div>";
    let head = |html: &str| super::super::read_head(html.as_bytes(), &mut super::super::PageBuffer::default()).unwrap();
    assert_eq!(head(list).body_class.as_deref(), Some("single postid-7"));
    assert_eq!(head("<body>x<div class='single postid-7'>").body_class, None);
    assert_eq!(head("<body><p><div class='single postid-7'>").body_class, None);
    assert_eq!(head("<body class=a><div class='single postid-7'>").body_class.as_deref(), Some("a"));
}

/// The last part of a page lost its heading and its button.
#[test]
fn a_button_at_the_end_of_the_document_of_a_page_builder_is_the_author_s() {
    let text = format!(
        "{PROSE}<section><h3>Boats</h3></section><section><div class=elementor-widget-button><a href=/b>More of them</a></div></section>"
    );
    let page = |place: &str| format!("<body class='page page-id-9'><div {place}>{text}</div></body>");
    for place in
        ["data-elementor-type=wp-page data-elementor-id=9", "class='et-l et-l--post'", "class=mfn-builder-content"]
    {
        assert_eq!(main(&page(place)).unwrap().1, text, "{place}");
    }
    // the heading of a widget with other posts is left out with them
    let news = format!("{PROSE}<h2>News</h2><div class=related><h3><a href=/x>X</a></h3></div>");
    let news = format!("<body class='single postid-9'><h1>T</h1><div class='et-l et-l--post'>{news}</div></body>");
    assert_eq!(main(&news).unwrap().1, PROSE);
    // where plugins add links, links are left out
    assert_eq!(main(&page("class=entry-content")).unwrap().1, PROSE);
}

/// The theme's element for the content was taken in place of the document in it, which lost the headings and buttons at
/// its end.
#[test]
fn a_document_of_a_page_builder_is_taken_of_what_a_theme_calls_the_content() {
    let text = format!("{PROSE}<div><h3>Ropes</h3></div><div><a href=/r>All of them</a></div>");
    let own = [
        "data-elementor-type=wp-page data-elementor-id=9",
        "id=pl-9 class=panel-layout",
        "class=et_builder_inner_content",
    ];
    for document in own {
        let page = format!(
            "<body class='page page-id-9'><div class=entry-content><div {document}>{text}</div><ul><li><a href=/x>Share</a></ul></div>"
        );
        assert_eq!(main(&page).unwrap().1, text, "{document}");
    }
    // SiteOrigin's layout of a widget, and that of another post
    for other in ["id=pl-w5c1", "id=pl-8"] {
        let other = format!("<div {other} class=panel-layout><p>A box.</p></div>");
        let page = format!("<body class='page page-id-9'>{other}<div class=entry-content>{PROSE}</div>{other}</body>");
        assert_eq!(main(&page).unwrap().1, PROSE);
    }
}

/// The services on a front page were taken for boilerplate of the site.
#[test]
fn a_section_whose_id_says_services_is_content() {
    let page = |name: &str, more: &str| {
        let card = format!("<article><h3>Oars</h3>{PROSE}{more}</article>");
        format!(
            "<body><section id=about>{PROSE}{PROSE}{PROSE}</section><section {name}><h2>What we do</h2>{card}{card}</section>"
        )
    };
    let link = "<a href=/oars/>Oars</a>";
    assert!(main(&page("id=our-services", link)).unwrap().1.contains("What we do"));
    assert!(!main(&page("class=services", link)).unwrap().1.contains("What we do"));
    // without links they are no menu
    assert!(main(&page("class=services", "")).unwrap().1.contains("What we do"));
}

/// The questions on a page of questions were left out as links.
#[test]
fn a_heading_that_shows_and_hides_a_text_is_no_link() {
    let panel = |n: u32, attributes: &str| {
        format!(
            "<div><div><a href='/faq/#a{n}' {attributes}><h4>Do you mend boats {n}?</h4></a></div><div id=a{n}>{PROSE}</div></div>"
        )
    };
    for attributes in ["data-toggle=collapse", "aria-expanded=false aria-controls=a1"] {
        let panels: String = (0..4).map(|n| panel(n, attributes)).collect();
        let found = main(&format!("<main><div>{panels}</div></main>")).unwrap().1;
        assert_eq!(found.matches("Do you mend").count(), 4, "{attributes}");
    }
}

/// Only one or two pages of a story were taken for its text.
#[test]
fn all_pages_of_a_web_story_are_its_content() {
    let pages: String = ["Oak", "Elm", "Ash"].map(|wood| format!("<amp-story-page id=a><amp-story-grid-layer><h2><span>Boats of {wood}</span></h2></amp-story-grid-layer></amp-story-page>")).concat();
    let page = format!(
        "<body class=post-7><amp-story standalone title=Boats>{pages}<amp-story-social-share></amp-story-social-share></amp-story></body>"
    );
    let (_, html, rule) = main(&page).unwrap();
    assert!(["Oak", "Elm", "Ash"].iter().all(|wood| html.contains(wood)) && rule == "amp-story", "{html}");
}

/// Paragraphs about cookies and donations were left out if they had an id for links.
#[test]
fn the_id_of_a_paragraph_does_not_name_it() {
    let page = |name: &str| {
        format!("<body class=postid-7><div class=entry-content>{PROSE}<p {name}>Of cookies</p>{PROSE}</div>")
    };
    assert!(main(&page("id=cookies")).unwrap().1.contains("Of cookies"));
    assert!(!main(&page("class=cookies")).unwrap().1.contains("Of cookies"));
}

/// The date of a post without text was taken for its text.
#[test]
fn a_date_alone_is_no_text() {
    assert!(main("<body class='single postid-7'><div class=top><h1>T</h1><div class=sub>26 March 2022</div></div><div class=box></div></body>").is_none_or(|found| !found.1.contains("2022")));
}

/// Only the longest text of a page made with WPBakery was kept.
#[test]
fn the_rows_of_a_page_builder_are_one_text() {
    let card = |name: &str| {
        format!(
            "<div class='wpb_row vc_inner'><div><a href=/p>{name}</a></div><p>Warden</p><a href=/p>View Profile</a></div>"
        )
    };
    let rows = format!(
        "<div class='vc_row wpb_row'><h2>About</h2>{PROSE}</div><div class='vc_row wpb_row'><h4>Staff</h4>{}{}<p>The end.</p></div>",
        card("Ann Miller"),
        card("Bob Baker")
    );
    let page = |text: &str| {
        format!(
            "<body><div><a href=/>Home</a></div><div class=y><h1>T</h1></div><div class=x>{text}</div><div>© me</div></body>"
        )
    };
    let (_, html, rule) = main(&page(&rows)).unwrap();
    assert_eq!((html.as_str(), rule.as_str()), (rows.as_str(), ".wpb_row"));
    let one = format!("<section class=vc_section>{rows}</section>");
    assert_eq!(main(&page(&one)).unwrap().1, rows);
    // a page with nothing but links
    let links = "<div class='vc_row wpb_row'><h5>Forms</h5><ul><li><a href=/f>Of the first year</a><li><a href=/g>Of the second</a></ul></div>";
    assert_eq!(main(&page(links)).unwrap().1, links.replace("<div class='vc_row wpb_row'>", "").replace("</div>", ""));
}

/// Of a page made with WPBakery, only the paragraphs were kept if all of its rows had prose.
#[test]
fn rows_that_are_all_of_the_best_block_are_one_text() {
    let row = |n: u32| {
        format!(
            "<div class='vc_row wpb_row'><div class=wpb_column><p>Of {n}</p><h2>Talk {n}</h2>{PROSE}<a class=vc_btn3 href=/t/{n}>On the other site</a></div></div>"
        )
    };
    let rows = [row(1), row(2), row(3)].concat();
    let page = format!(
        "<body><div class=top><h1>T</h1></div><div class=x><div class=y>{rows}</div></div><div>© me</div></body>"
    );
    let (_, html, rule) = main(&page).unwrap();
    assert_eq!((html.as_str(), rule.as_str()), (rows.as_str(), ".wpb_row"));
}

#[test]
fn a_heading_at_the_end_that_is_a_link_stays_and_one_of_what_was_left_out_goes() {
    let related = "<div class=jp-relatedposts><h3>Related</h3><a href=/x>X</a></div>";
    let page = |end: &str| format!("<body class=postid-7><h1>T</h1><div class=entry-content>{PROSE}{end}</div></body>");
    let register = "<h2><a href=/r>Register</a></h2>";
    assert_eq!(main(&page(&format!("{register}{related}"))).unwrap().1, format!("{PROSE}{register}"));
    assert_eq!(main(&page(&format!("<h1>News</h1>{related}"))).unwrap().1, PROSE);
}

#[test]
fn what_a_page_builder_calls_a_promotion_is_the_author_s() {
    let promo = "<div class='et_pb_module et_pb_promo et_pb_cta_0'><div class=et_pb_promo_description><h2>Come</h2><p>Tell us.</p></div></div>";
    let page = format!("<div class=entry-content>{PROSE}{promo}{PROSE}</div>");
    assert_eq!(main(&page).unwrap().1, format!("{PROSE}{promo}{PROSE}"));
}

#[test]
fn messages_of_php_are_no_text() {
    let message = "<br />\n<b>Warning</b>:  Creating x from y in <b>/www/x.php</b> on line <b>82</b><br />";
    let xdebug =
        "<table class='xdebug-error xe-notice'><tr><td>Notice: Undefined index: x in /www/x.php on line 7</table>";
    let page = format!("<div class=entry-content>{PROSE}<div>{message}</div>{xdebug}</div>");
    assert_eq!(main(&page).unwrap().1, format!("{PROSE}<div></div>"));
}

#[test]
fn places_with_links_to_other_hosts_at_the_end_stay_and_views_and_links_to_the_site_go() {
    let places = "<p><a href=https://o.example/>Old mill</a> two minutes from platform 3 of the station</p><p><a href=https://o.example/b>Pier</a> beside the old market</p>";
    let page = |end: &str| {
        format!(
            "<head><link rel=canonical href=https://q.example/x/></head><body><div class=y><h1>T</h1>{PROSE}{PROSE}{end}</div></body>"
        )
    };
    assert_eq!(main(&page(places)).unwrap().1, format!("{PROSE}{PROSE}{places}"));
    for gone in [
        "<p>3 answers</p>",
        "<p><a href=/o>Other</a> boats</p>",
        "<p>Buy now <a href=https://o.example/>the book of all the boats</a></p>",
    ] {
        assert_eq!(main(&page(gone)).unwrap().1, format!("{PROSE}{PROSE}"), "{gone}");
    }
}

/// The heading was left out, while the prose below it stayed.
#[test]
fn a_heading_that_may_be_of_links_stays_with_the_prose_that_it_heads() {
    let page = |end: &str| format!("<body><div class=y>{PROSE}{PROSE}{end}</div></body>");
    let text = format!("<h2>Further reading</h2>{PROSE}<ol><li>The oar</ol>");
    assert_eq!(main(&page(&text)).unwrap().1, format!("{PROSE}{PROSE}{text}"));
    let other = format!("<h2>Comments</h2>{PROSE}");
    assert_eq!(main(&page(&other)).unwrap().1, format!("{PROSE}{PROSE}{PROSE}"));
    let links = "<h2>Further reading</h2><ul><li><a href=/oar>The oar</a></ul>";
    assert_eq!(main(&page(&format!("{links}{PROSE}"))).unwrap().1, format!("{PROSE}{PROSE}{PROSE}"));
}

/// The sentence was left out like a link to a form.
#[test]
fn a_sentence_that_begins_as_a_call_to_register_does_is_text() {
    let page = |line: &str| format!("<body><div class=y>{PROSE}<p>{line}</p>{PROSE}</div></body>");
    for kept in ["Register now for the fair at the quay!", "Registers of boats, old and new"] {
        assert_eq!(main(&page(kept)).unwrap().1, format!("{PROSE}<p>{kept}</p>{PROSE}"));
    }
    for gone in ["Register now!", "Register", "Register or log in", "Register to post a comment"] {
        assert_eq!(main(&page(gone)).unwrap().1, format!("{PROSE}{PROSE}"), "{gone}");
    }
}

/// The end of the sentence is in another paragraph, after an empty block.
#[test]
fn the_first_half_of_a_broken_paragraph_stays() {
    let half = "<p>The boats of the old harbour went out this morning though nobody had let </p>";
    let other = "<p> them know that the wind was against them. What a surprise, said the men.</p>";
    let page = format!(
        "<body><div><a href=/>x</a></div><div class=y>{half}<div style='display:none'></div>{other}{PROSE}</div></body>"
    );
    assert!(main(&page).unwrap().1.starts_with(half));
    // a name, and a date
    for gone in ["<p>Ann Miller of the Old Mill</p>", "<p>On the third day of May in the year 2003 by Ann Miller</p>"] {
        let page = format!("<body><div><a href=/>x</a></div><div class=y>{gone}{PROSE}{PROSE}</div></body>");
        assert_eq!(main(&page).unwrap().1, format!("{PROSE}{PROSE}"), "{gone}");
    }
}

#[test]
fn lines_of_tags_and_what_plugins_put_beside_a_post_are_left_out() {
    let tags = (0..12).map(|n| format!("<a rel='tag' href=/t{n}>quay number {n}</a>, ")).collect::<String>();
    let below = format!("<p>Seen: 2 May 2009<br><b>Tags:</b> {tags}</p>");
    let page = format!("<div class=left>{PROSE}{PROSE}{below}<p class=nocomments>Be the first.</p></div>");
    assert_eq!(main(&page).unwrap().1, format!("{PROSE}{PROSE}"));
    let beside = "<p><span>« <a rel=prev href=/a>tiles, blue and red</a></span><span><a rel=next href=/b>of oars</a> »</span></p>";
    assert_eq!(main(&format!("<div class=left>{PROSE}{PROSE}{beside}</div>")).unwrap().1, format!("{PROSE}{PROSE}"));
    // a sentence may contain tags, too
    let said = format!("<p>The pier and its ships are here, as in all that is filed under {tags}.</p>");
    let page = format!("<div class=left>{PROSE}{said}{PROSE}</div>");
    assert_eq!(main(&page).unwrap().1, format!("{PROSE}{said}{PROSE}"));
    let around = "<span class=wtr-time-wrap>2 minute read</span><div class='shared-counts-wrap before'>Tweet0</div>";
    let page =
        format!("<div class=entry-content>{around}{PROSE}<div class=wp-biographia-container-top>Ann</div></div>");
    assert_eq!(main(&page).unwrap().1, PROSE);
}

/// The ids of headings, and of elements in them, are made of their words: "toc-the-quay", "Werbung".
#[test]
fn an_anchor_is_no_name_and_an_item_of_a_list_no_label() {
    let text = format!(
        "{PROSE}<h2 id=toc-the-quay>The quay</h2>{PROSE}<h4><span id=Ziele_der_Werbung class=mw-headline>Ziele der Werbung</span></h4>{PROSE}\
         <h4><span id=Werbung>Werbung</span></h4>{PROSE}<ol><li>Domain</li><li>Email</li><li>Werbung</li></ol>{PROSE}"
    );
    assert_eq!(main(&format!("<div class=entry-content>{text}</div>")).unwrap().1, text);
    let scored = main(&format!("<div id=x>{text}</div>")).unwrap();
    assert_eq!(scored.2, SCORED);
    for kept in ["The quay", "Ziele der Werbung", "<li>Email</li>"] {
        assert!(scored.1.contains(kept), "{kept}: {}", scored.1);
    }
    let labels = "<ul><li><a href=/m>Email</a></li><li><a href=/t>Tweet</a></li></ul><p>Werbung</p>";
    let labelled = main(&format!("<div id=x>{PROSE}{labels}{PROSE}</div>")).unwrap().1;
    assert!(!labelled.contains("Email") && !labelled.contains("Werbung"), "{labelled}");
}
