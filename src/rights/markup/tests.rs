use super::super::settle;
use super::*;

/// Kind, scope and value (else URL) of what HTML says.
fn said(html: &str, of: Where) -> Vec<String> {
    let page = PageUrl::parse("https://a.example/b/");
    let entries = settle(Markup::default().read(html, of, page.as_ref()), page.as_ref()).into_iter();
    entries
        .map(|one| [one.kind, one.scope, one.value.or(one.url)].map(|text| text.unwrap().to_string()).join(" "))
        .collect()
}

const BY: &str = "https://creativecommons.org/licenses/by/4.0/";

/// What Creative Commons' chooser gives.
const CHOSEN: &str = r#"<a rel="license" href="http://creativecommons.org/licenses/by/4.0/"><img alt="Creative Commons License" src="https://i.creativecommons.org/l/by/4.0/88x31.png" /></a><br />This work is licensed under a <a rel="license" href="http://creativecommons.org/licenses/by/4.0/">Creative Commons Attribution 4.0 International License</a>."#;

#[test]
fn what_a_content_says_of_itself() {
    let plain = |text: &str| text.replace("CC", &format!("<a href='{BY}'>CC BY</a>"));
    for (html, want) in [
        (CHOSEN.to_owned(), vec!["licence record CC-BY-4.0"]),
        (format!("<p>Text.</p><p>{CHOSEN}</p>"), vec!["licence record CC-BY-4.0"]),
        (plain("<p>This post is licensed under CC.</p>"), vec!["licence record CC-BY-4.0"]),
        (plain("<p>All content of this site is licensed under CC.</p>"), vec!["licence site CC-BY-4.0"]),
        (plain("<p>Some content on this blog is licensed under CC.</p>"), vec!["licence part CC-BY-4.0"]),
        (
            plain("<p>Unless otherwise noted, this work is available under CC, images are not.</p>"),
            vec!["licence record CC-BY-4.0"],
        ),
        ("<p>This article is available under CC BY-SA 3.0.</p>".to_owned(), vec!["licence record CC-BY-SA-3.0"]),
        (
            "<p><a rel='license' href='/terms/'>Terms</a></p>".to_owned(),
            vec!["licence record https://a.example/terms/"],
        ),
        (
            format!("<span about='' property='dct:title'>X</span><link property='cc:license' href='{BY}'>"),
            vec!["licence record CC-BY-4.0"],
        ),
        (format!("<a itemprop='license' href='{BY}'>x</a>"), vec!["licence record CC-BY-4.0"]),
        (
            "<p>© 2024 Ann Lee. All rights reserved.</p>".to_owned(),
            vec!["copyright record © 2024 Ann Lee. All rights reserved."],
        ),
    ] {
        assert_eq!(said(&html, Where::Content), want, "{html}");
    }
}

#[test]
fn what_a_content_says_of_other_things() {
    let plain = |text: &str| text.replace("CC", &format!("<a href='{BY}'>CC BY</a>"));
    for (html, want) in [
        (format!("<blockquote>{CHOSEN}</blockquote>"), vec![]),
        (
            format!("<figure><img src=a.jpg><figcaption>Ann, <a href='{BY}'>CC BY</a></figcaption></figure>"),
            vec!["licence image CC-BY-4.0"],
        ),
        (
            format!("<div class=wp-caption><img src=a.jpg><p>Ann, <a rel=license href='{BY}'>CC BY</a></p></div>"),
            vec!["licence image CC-BY-4.0"],
        ),
        (plain("<p>Photo by <a href='https://flickr.com/a'>Ann</a>, CC.</p>"), vec!["licence image CC-BY-4.0"]),
        (plain("<p>Images on this site are licensed under CC.</p>"), vec!["licence image CC-BY-4.0"]),
        (plain("<p>This theme is licensed under CC.</p>"), vec![]),
        (plain("<ul><li><a href='https://x.example/'>Foo</a>, CC</li><li>Bar, CC</li></ul>"), vec![]),
        (plain("<p>You can license your work under CC.</p>"), vec![]),
        (plain("<p>Read about CC in the news.</p>"), vec![]),
        (plain("<h2>Image credits</h2><p>Ann, CC.</p>"), vec![]),
        (
            format!(
                "<p>Music credits:</p><p>Waves (<a href='https://x.example/' rel='cc:attributionURL'>Ann</a>) / <a rel=license href='{BY}'>CC BY</a></p>"
            ),
            vec![],
        ),
        ("<p>This work is under CC BY-SA.</p><p>CC BY: 20%</p><p>CC BY-ND: 2%</p>".to_owned(), vec![]),
        (plain("<p><a href='https://x.example/'>\"Sunset\"</a> by Ann is licensed under CC.</p>"), vec![]),
        (format!("<div about='https://flickr.com/a'><a rel=license href='{BY}'>x</a></div>"), vec![]),
        ("<p>Copyright is a matter of 1886.</p>".to_owned(), vec![]),
    ] {
        assert_eq!(said(&html, Where::Content), want, "{html}");
    }
    let many = ["by", "by-sa", "by-nc"].map(|code| format!("<p>This work is under <a rel=license href='https://creativecommons.org/licenses/{code}/4.0/'>x</a> license.</p>"));
    assert!(said(&many.concat(), Where::Content).is_empty());
}

#[test]
fn pages_say_what_is_of_the_site_at_their_edges() {
    let page = |html: &str| said(&format!("<body>{html}</body>"), Where::WholePage);
    assert_eq!(page(&format!("<footer><p>{CHOSEN}</p></footer>")), ["licence site CC-BY-4.0"]);
    assert_eq!(page(&format!("<article><footer>{CHOSEN}</footer></article>")), ["licence record CC-BY-4.0"]);
    assert!(page(&format!("<ol class=comment-list><li>{CHOSEN}</li></ol>")).is_empty());
    assert_eq!(page("<footer>© 2012–2024 Ann</footer>"), ["copyright site © 2012–2024 Ann"]);
    assert_eq!(said(&format!("<body><footer>© 2024 Ann</footer>{CHOSEN}"), Where::Page), ["licence record CC-BY-4.0"]);
}

#[test]
fn forms_that_themes_and_authors_have() {
    let link = |text: &str| format!("<a href='{BY}'>{text}</a>");
    for (html, want) in [
        (format!("<div id=footer><p>Powered by X &bull; Lizenz: {}. SEO by Y</p></div>", link("CC BY")), "licence site CC-BY-4.0"),
        (format!("<footer class=footer><p>Boing is published under {} except where otherwise noted.</p></footer>", link("a Creative Commons license")), "licence site CC-BY-4.0"),
        (format!("<div id=sidebar><ul><li class=widget>{}</li></ul></div>", link("<img src=/by.png>")), "licence site CC-BY-4.0"),
        (format!("<aside><p>Alle Fotos auf diesem Blog sind als {} lizenziert.</p></aside>", link("CC BY")), "licence image CC-BY-4.0"),
        (format!("<div class=license>Content created by the Quay Libraries, {} unless otherwise noted.</div>", link("CC BY")), "licence record CC-BY-4.0"),
        (format!("<p>This story may be republished under {} as long as you credit us.</p>", link("CC BY")), "licence record CC-BY-4.0"),
        ("<footer><p>Contenidos bajo licencia Creative Commons (CC-BY-NC) salvo donde indique lo contrario.</p></footer>".to_owned(), "licence site CC BY-NC"),
        (format!("<div class=postfooter><div class=license>{}</div></div>", link("<img src=/by.png>")), "licence record CC-BY-4.0"),
        (format!("<article><p>Licensed under {}</p></article>", link("CC BY")), "licence record CC-BY-4.0"),
        (format!("<article><span class=isc-source>&copy; Ann / flickr.com | {}</span></article>", link("CC BY 2.0")), "licence image CC-BY-4.0"),
    ] {
        let found: Vec<_> = said(&format!("<body>{html}"), Where::Page);
        assert_eq!(found, [want], "{html}");
    }
    assert!(
        said(
            &format!("<body><p>Musik: <a href='https://x.example/'>prismatic</a> ({})</p>", link("CC BY")),
            Where::Page
        )
        .is_empty()
    );
}

#[test]
fn files_are_what_their_captions_are_about() {
    for (html, want) in [
        (format!("<p>Photo by Ann, <a href='{BY}'>CC BY</a></p>"), "licence record CC-BY-4.0"),
        ("<p>Ann / CC BY-SA 4.0</p>".to_owned(), "licence record CC-BY-SA-4.0"),
        ("<p>© Ann</p>".to_owned(), "copyright record © Ann"),
    ] {
        assert_eq!(said(&html, Where::Caption), [want], "{html}");
    }
}
