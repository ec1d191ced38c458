//! Tests parts that plugins and themes add to an element that holds content, and parts of the content that only look like those.

use super::{PROSE, SCORED, main};

#[test]
fn what_plugins_and_themes_put_into_a_place_of_content_is_left_out() {
    let page = |beside: &str| format!("<div class=entry-content>{beside}{PROSE}{PROSE}</div>");
    for gone in [
        "<div class=postmeta><div class=post-date>16 May 2023</div></div>",
        "<div class=entry-header><h1 class=entry-title>The pier</h1></div>",
        "<div class=et_pb_row><div class='et_pb_module et_pb_menu'><div class=et_pb_menu__menu><ul><li>The mill</ul></div></div></div>",
        "<div id=uab-frontend-wrapper class=uab-frontend-wrapper><div class=uab-tab-content><p>Ann mends boats.</p></div></div>",
        "<div class='n2-ss-slide'><div class=n2-ss-slide--focus role=note tabindex=-1>The pier</div></div>",
        "<table class=crayon-table><tr><td class='crayon-nums '><div class=crayon-num>A</div></td></tr></table>",
        "<div class=rs_error_message_box><div class=rs_error_message_oops>Oops.</div></div>",
        "<div class=wpcnt><div class='wpa wpmrec'><span class=wpa-about>Advertisements</span></div></div>",
        "<p class=powerpress_links>Podcast: <a href=/f.mp3>Play in new window</a></p>",
        "<div class=podPress_content><a class=podpress_playlink href=#>Play now</a> | (73)</div>",
        "<section class='em-event-section em-event-bookings'><h2>Places</h2><p>No place is left on this boat.</p></section>",
        "<ul class=meta-list><li><span>Filed:</span> <a rel='category tag' href=/c/oars>Oars</a></li></ul>",
        "<div class='wpulike wpulike-default'><div class=wp_ulike_general_class><span class=count-box>A</span></div></div>",
        "<div class=ult_acord><dl><dt>+ Oars</dt><dd>Of ash.</dd></dl></div>",
        "<span class=bt_bb_counter><span class=onedigit>A</span></span>",
        "<div class='thrv_wrapper thrv_widget_menu'><ul><li>The mill</ul></div>",
        "<span class=hidden><span class=av-structured-data>Ann2021-04-07</span></span>",
        "<div class='g g-1'><div class='g-single a-3'><strong>Stay in touch!</strong></div></div>",
        "<div class='elementor-widget elementor-widget-breadcrumbs'><p id=breadcrumbs><a href=/>The mill</a> » Oars</p></div>",
        "<div class=helpful-block><div class=wth-question>Was this tutorial helpful ?</div></div>",
        "<div class=tweetmeme_button><iframe src='https://api.tweetmeme.com/button.js?url=x'></iframe></div>",
    ] {
        let left = main(&page(gone)).unwrap().1;
        assert!(left.ends_with(&format!("{PROSE}{PROSE}")), "{gone}");
        let before = &left[..left.len() - 2 * PROSE.len()];
        assert!(!before.contains(|c: char| c.is_uppercase()), "{gone}: {before}");
    }
    // a block of the author
    let kept = "<div class='taxonomy-post_tag wp-block-post-terms'><a rel=tag href=/t/oars>Oars</a></div>";
    assert_eq!(main(&page(kept)).unwrap().1, format!("{kept}{PROSE}{PROSE}"));
}

/// In the default theme of WordPress' first years, the note below a post is more than half of a short one.
#[test]
fn a_paragraph_on_the_post_is_left_out_however_short_that_is() {
    let meta = "<p class='postmetadata alt'><small>This entry was posted on Sunday, February 23rd, 2014 at 9:58 pm and is filed under <a href=/c/ rel='category tag'>Oars</a>. You can follow any responses to this entry through the <a href=/x/feed/>RSS 2.0</a> feed. You can leave a response.</small></p>";
    let page = format!(
        "<body class='single postid-7'><div class=post><h2>Oars</h2><div class=entry>{PROSE}{meta}</div></div>"
    );
    assert_eq!(main(&page).unwrap(), (None, PROSE.to_owned(), SCORED.to_owned()));
}

#[test]
fn of_a_product_the_description_is_the_text() {
    let page = format!(
        "<article class='entry-content post-7'><div class='product type-product'><h1 class=product_title>The oar</h1><p class=price>7</p>
         <div class=woocommerce-tabs><ul class=tabs><li>Description</ul><div class='woocommerce-Tabs-panel woocommerce-Tabs-panel--description'>{PROSE}</div>
         <div class=woocommerce-Tabs-panel><h2>Reviews</h2></div></div></div></article>"
    );
    assert_eq!(main(&page).unwrap().1, PROSE);
}

/// The heading was left out because of its id, which plugins make from its words.
#[test]
fn a_heading_stays_whatever_place_in_the_text_it_names() {
    for name in ["recommendations", "promotion", "subscription", "sponsors"] {
        let text = format!("{PROSE}<h2 id={name}>The {name} of the pier</h2>{PROSE}");
        assert_eq!(main(&format!("<div class=entry-content>{text}</div>")).unwrap().1, text);
    }
    let page = format!("<div class=y>{PROSE}{PROSE}<h3 id=comments>Seven of them</h3></div>");
    assert_eq!(main(&page).unwrap().1, format!("{PROSE}{PROSE}"));
}

/// It was left out like links to other pages.
#[test]
fn a_telephone_number_and_an_address_are_text() {
    for link in ["tel:+49-30-1234567", "MAILTO:ann@quay.example"] {
        let text = format!("{PROSE}<h3><a href='{link}'>{link}</a></h3>{PROSE}");
        assert_eq!(main(&format!("<body><div class=y>{text}</div></body>")).unwrap().1, text);
    }
}

#[test]
fn the_labels_of_a_form_are_no_text_though_nothing_else_is_there() {
    let labels = "<p><label>The name of your harbour<input></label></p>".repeat(3);
    let page = format!("<body><main><article><h1>Contact</h1><form>{labels}</form></article></main></body>");
    assert!(main(&page).is_none_or(|(_, html, _)| !html.contains("harbour")));
    // a page in a form that was never closed
    let page = format!("<body><form><div class=y>{}</div></body>", PROSE.repeat(9));
    let (_, html, rule) = main(&page).unwrap();
    assert_eq!((html, rule.as_str()), (PROSE.repeat(9), SCORED));
}

/// Enfold writes each section of a page into an element of its own: only the first was chosen, or one of the posts that the page
/// lists.
#[test]
fn all_sections_of_a_document_are_its_text() {
    let section = |text: &str| {
        format!(
            "<div class='avia-section main_color'><div class=container><div class=template-page><div class='post-entry post-entry-type-page post-entry-7'>
             <div class=entry-content-wrapper>{text}</div></div></div></div></div>"
        )
    };
    let posts =
        format!("<article class=av-masonry-entry><h3>Oars</h3><div class=entry-content>{PROSE}</div></article>");
    let page = |sections: &str| {
        format!(
            "<body class='page page-id-7'><div id=main>{sections}<div class='container_wrap footer_color footer'><p>Quay Lane</p></div></div></body>"
        )
    };
    let sections = [section("<h2>Boats</h2><p>Of ash.</p>"), section(&posts), section("<p>The end</p>")];
    let (_, html, rule) = main(&page(&sections.concat())).unwrap();
    for text in ["Boats", "Of ash.", PROSE, "The end"] {
        assert!(html.contains(text), "{text}: {html}");
    }
    assert!(!html.contains("Quay Lane"), "{html}");
    assert_eq!(rule, "div.post-entry.post-entry-type-page");
    let one = main(&page(&section("<p>Of ash.</p>"))).unwrap().1;
    assert_eq!(one, "<div class=entry-content-wrapper><p>Of ash.</p></div>");
}

/// Code is highlighted with the names of the language's parts as classes: comments in code were taken for readers' comments.
#[test]
fn the_comments_of_code_are_text() {
    let code =
        "<pre><span class=comment>// of the pier</span><ol><li><div class=comment>// of oars</div></li></ol></pre>";
    let text = format!("{PROSE}{code}{PROSE}");
    for page in [format!("<div class=y>{text}</div>"), format!("<div class=entry-content>{text}</div>")] {
        assert_eq!(main(&page).unwrap().1, text);
    }
    // an element that is never closed ends with the one around it
    let open =
        format!("<div class=entry-content>{PROSE}<div><pre><i>a</i></div>{PROSE}<div class=comment>Oars</div></div>");
    assert!(!main(&open).unwrap().1.contains("Oars"));
}

#[test]
fn code_of_one_line_that_may_be_printed_stays() {
    let code = "<div class='crayon-syntax print-yes'><div class=crayon-pre>mend -f boat.raw</div></div>";
    let text = format!("{PROSE}{code}{PROSE}");
    assert_eq!(main(&format!("<div class=post-content>{text}</div>")).unwrap().1, text);
}

/// On a page of headings, the best text was in a widget next to them.
#[test]
fn rows_are_the_text_where_only_a_widget_has_prose() {
    let rows = "<div class='vc_row wpb_row'><h6>The boatyard</h6><h2>Quay Lane 2</h2></div><div class='vc_row wpb_row'><h2>Open daily</h2></div>";
    let page = |widget: &str| {
        format!(
            "<body class='page page-id-9'><div class=main-content>{rows}</div><div id=slide-out><div class={widget}><div class=t>{PROSE}</div></div></div></body>"
        )
    };
    let (_, html, rule) = main(&page("widgetarea")).unwrap();
    assert_eq!((html.as_str(), rule.as_str()), (rows, ".wpb_row"));
    let story = main(&page("story")).unwrap().1;
    assert!(story.contains(PROSE) && !story.contains("boatyard"), "{story}");
}

#[test]
fn of_an_event_the_description_is_the_text() {
    let page = format!(
        "<body class='single postid-9'><h1>The quay</h1><article class='post-0 page hentry'><div class=page-content><div id=tribe-events-content class=tribe-events-single>
         <p class=tribe-events-back><a href=/events/>« All Events</a></p><div class=tribe-events-notices><ul><li>This event has passed.</li></ul></div>
         <h1 class=tribe-events-single-event-title>Regatta</h1><div class=tribe-events-schedule><span class=tribe-events-cost>7</span></div>
         <div class=tribe-events-single-event-description>{PROSE}</div></div></div></article>"
    );
    assert_eq!(main(&page).unwrap().1, PROSE);
}

/// A footer that is a section of an Elementor document is left out, and so is a text that Semplice repeats for mobile phones.
#[test]
fn a_footer_and_a_second_version_go() {
    let document = format!(
        "<div data-elementor-type=wp-page><section class=elementor-section>{PROSE}</section><footer class='elementor-section elementor-top-section'><h2>Quay Lane</h2></footer></div>"
    );
    assert!(!main(&document).unwrap().1.contains("Quay Lane"));
    let versions = format!(
        "<div class='is-content has-xs'><div data-content-for=xl>{PROSE}</div><div data-content-for=xs>{PROSE}</div></div>"
    );
    assert_eq!(main(&versions).unwrap().1.matches(PROSE).count(), 1);
}

/// If no selector knew the document, the score kept only the best paragraph, or nothing.
#[test]
fn builders_of_whole_pages_have_their_document_in_a_place_of_its_own() {
    let texts = [format!("<h2>Boats</h2>{PROSE}"), "<h3>143</h3><ul><li><a href=/o/>Oars</a></li></ul>".to_owned()];
    let sections =
        |tag: &str| texts.iter().map(|text| format!("<section {tag}><div>{text}</div></section>")).collect::<String>();
    let footer = "<h2>Quay Lane</h2><p>All of the boats are mended here, and all of the oars, by hand.</p>";
    for (rule, page) in [
        (
            ".bde-section",
            format!(
                "<header class='bde-header-builder-3-1 bde-header-builder'><h1>The quay</h1></header>{}<section class='bde-section-4-1 bde-section'>{footer}</section>",
                sections("id=social class='bde-section-7-1 bde-section'")
            ),
        ),
        (
            ".page .ct-inner-content",
            format!(
                "<section id=section-1-2 class=ct-section>{footer}</section><div id=inner_content-3-2 class=ct-inner-content>{}</div><section id=foot class=ct-section>{footer}</section>",
                sections("id=section-2-7 class=ct-section")
            ),
        ),
        (
            ".ct-section",
            format!(
                "<section id=section-1-2 class=ct-section>{footer}</section>{}<section id=foot class=ct-section>{footer}</section>",
                sections("id=section-2-7 class=ct-section")
            ),
        ),
        (
            ".page #brx-content",
            format!(
                "<header id=brx-header>The quay</header><main id=brx-content>{}</main><footer id=brx-footer>{footer}</footer>",
                sections("class=brxe-section")
            ),
        ),
        (
            ".btContent .bt_bb_wrapper",
            format!(
                "<div class=btContent><div class=bt_bb_wrapper>{}</div></div><div class=btSiteFooter><div class=bt_bb_wrapper>{footer}</div></div>",
                sections("class=bt_bb_section")
            ),
        ),
        (
            ".page #wrapper > #main > #content[role=main]",
            format!(
                "<div id=wrapper><header id=header>The quay</header><main id=main><div id=content role=main>{}<section id=section_9 class='section show-for-small'>{footer}</section></div></main><footer>{footer}</footer></div>",
                sections("class=section")
            ),
        ),
        (
            "#tve_editor",
            format!("<article><div id=tve_editor>{}</div></article><footer>{footer}</footer>", sections("")),
        ),
        (
            ".vce-row-container",
            format!("<div id=head>The quay</div><div>{}</div><div>{footer}</div>", sections("class=vce-row-container")),
        ),
        (".kc_row", format!("<div id=head>The quay</div><div>{}</div><div>{footer}</div>", sections("class=kc_row"))),
        (
            ".page #nimble-page",
            format!("<header>The quay</header><div id=nimble-page>{}</div><footer>{footer}</footer>", sections("")),
        ),
        (
            ".post-content.un-no-sidebar-layout",
            format!(
                "<article class='page-body post-7'><div class='post-content un-no-sidebar-layout'>{}</div></article><footer>{footer}</footer>",
                sections("class='vc_row row-container'")
            ),
        ),
    ] {
        let (_, html, found) = main(&format!("<body class='page page-id-7'>{page}</body>")).unwrap();
        assert_eq!(found, rule, "{html}");
        assert!(texts.iter().all(|text| html.contains(text)), "{rule}: {html}");
        assert!(!html.contains("Quay Lane") && !html.contains("The quay"), "{rule}: {html}");
    }
}

/// Builders use names like these for an element's neighbours, and for the parts of a cookie policy.
#[test]
fn names_of_builders_that_sound_like_advertisements_are_content() {
    let about = "<h4>Email</h4><p><a href=/mail/>ann at quay.example</a></p>";
    let document = |text: &str| format!("<div data-elementor-type=wp-page>{PROSE}{text}{PROSE}</div>");
    for text in [
        "<div class='flex_column el_before_av_promobox el_after_av_share'><p>Of ash.</p></div>",
        "<div class=av_promobox><p>Of ash.</p></div>",
        "<div id=cmplz-document class=cookie-statement><div id=cmplz-cookies-overview><p>Of the days.</p><div class=cookies-per-purpose><p>Of nights.</p></div></div></div>",
        about,
    ] {
        assert_eq!(main(&document(text)).unwrap().1, format!("{PROSE}{text}{PROSE}"));
    }
    let page = format!("<div class=entry-content>{PROSE}{PROSE}{about}</div>");
    assert!(!main(&page).unwrap().1.contains("ann at"));
}

/// Divi shows other posts below each, in elements that other themes use for the content.
#[test]
fn a_place_in_another_post_is_no_place_of_content() {
    let card = |n: usize| {
        format!("<article class='et_pb_post post-{n} post hentry'><div class=post-content>{PROSE}</div></article>")
    };
    let page = |own: &str| {
        format!(
            "<body class='single single-post postid-7'><div class=et-l>{own}<div class=et_pb_posts>{}</div></div>",
            card(8)
        )
    };
    let own = "<p>Ann mends boats, and Bob mends nets.</p>";
    let module = page(&format!("<h1>Boats</h1><div class='et_pb_module et_pb_post_content'>{own}</div>"));
    assert_eq!(main(&module).unwrap().1, own);
    // a theme's template is stored as a post, too
    let template = page(&card(9)).replace("postid-7", "postid-7 tdb_template_9");
    assert_eq!(main(&template).unwrap().1, PROSE);
    // the element may be in the page's own post, or in one on a page that does not state its number
    assert_eq!(main(&page(&card(7))).unwrap().2, ".post-content");
    let unnumbered = format!("<body class=single><h1>Boats</h1>{}", card(8));
    assert_eq!(main(&unnumbered).unwrap().1, PROSE);
}

/// Blocksy's header has text in an element meant for content; a page may lack the end of its header.
#[test]
fn a_place_of_content_in_the_header_counts_where_no_other_one_is() {
    let place = |text: &str| format!("<div class=entry-content><p>{text}</p></div>");
    let header = format!("<header><div class=ct-header-text>{}</div></header>", place("Sample text"));
    let main_part = format!("<main><h1>Boats</h1>{}</main>", place("Ann mends boats."));
    assert_eq!(main(&format!("<body>{header}{main_part}")).unwrap().1, "<p>Ann mends boats.</p>");
    assert_eq!(main(&format!("<body><header>{main_part}</header>")).unwrap().1, "<p>Ann mends boats.</p>");
}

#[test]
fn pictures_that_an_author_placed_in_a_row_stay() {
    let row = "<div class='elementor-element elementor-pagination-position-outside elementor-widget elementor-widget-image-carousel'>\
        <div class='elementor-image-carousel-wrapper swiper'><img class=swiper-lazy data-src=/a.jpg></div></div>";
    let page = format!("<div data-elementor-type=wp-page>{PROSE}{row}</div>");
    assert_eq!(main(&page).unwrap().1, format!("{PROSE}{row}"));
}
