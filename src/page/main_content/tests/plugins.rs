//! What plugins and themes put into a place that holds content, and what only looks like it.

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
    ] {
        let left = main(&page(gone)).unwrap().1;
        assert!(left.ends_with(&format!("{PROSE}{PROSE}")), "{gone}");
        let before = &left[..left.len() - 2 * PROSE.len()];
        assert!(!before.contains(|c: char| c.is_uppercase()), "{gone}: {before}");
    }
    // the blocks of an author
    let kept = "<div class='taxonomy-post_tag wp-block-post-terms'><a rel=tag href=/t/oars>Oars</a></div>";
    assert_eq!(main(&page(kept)).unwrap().1, format!("{kept}{PROSE}{PROSE}"));
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

/// It was left out, since plugins make the name of a heading of its words.
#[test]
fn a_heading_stays_whatever_place_in_the_text_it_names() {
    for name in ["recommendations", "promotion", "subscription", "sponsors"] {
        let text = format!("{PROSE}<h2 id={name}>The {name} of the pier</h2>{PROSE}");
        assert_eq!(main(&format!("<div class=entry-content>{text}</div>")).unwrap().1, text);
    }
    let page = format!("<div class=y>{PROSE}{PROSE}<h3 id=comments>Seven of them</h3></div>");
    assert_eq!(main(&page).unwrap().1, format!("{PROSE}{PROSE}"));
}

/// It was left out as links to other pages are.
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
