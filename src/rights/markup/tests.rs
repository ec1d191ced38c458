//! Tests of the search for licences and copyright lines in HTML: each case is a sentence or a page, with the statements expected.

use super::super::settle;
use super::*;
use proptest::prelude::*;

/// Kind, scope and value (else URL) of each statement in HTML.
fn statements(html: &str, of: Where) -> Vec<String> {
    let page = PageUrl::parse("https://a.example/b/");
    let entries =
        settle(Markup::default().read(html, of, page.as_ref(), Some("Words of the quay")), page.as_ref()).into_iter();
    entries
        .map(|one| [one.kind, one.scope, one.value.or(one.url)].map(|text| text.unwrap().to_string()).join(" "))
        .collect()
}

const BY: &str = "https://creativecommons.org/licenses/by/4.0/";

/// The HTML that Creative Commons' licence chooser produces.
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
        // the first link leads to the site itself, not to another work
        (
            format!("<p><a href='/licences/'>Licence</a>: <a href='{BY}'>CC BY</a></p>"),
            vec!["licence record CC-BY-4.0"],
        ),
        (
            "<p>© 2024 Ann Lee. All rights reserved.</p>".to_owned(),
            vec!["copyright record © 2024 Ann Lee. All rights reserved."],
        ),
    ] {
        assert_eq!(statements(&html, Where::Content), want, "{html}");
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
        assert_eq!(statements(&html, Where::Content), want, "{html}");
    }
    let rows = ["by", "by-sa", "by-nc", "by-nc-sa"].map(|code| format!("<p><img src=a.png></p><p>For content we require a <a href='https://creativecommons.org/licenses/{code}/4.0/'>licence</a> that allows it.</p>"));
    assert!(statements(&rows.concat(), Where::Content).is_empty());
    assert!(
        statements(
            &format!("<figure class=wp-block-table><table><tr><td>{}</table></figure>", rows.concat()),
            Where::Content
        )
        .is_empty()
    );
    assert_eq!(
        statements(&format!("<h3>Related content</h3><ul><li><a href=/x/>X</a></ul><p>{CHOSEN}</p>"), Where::Content),
        ["licence record CC-BY-4.0"]
    );
    let many = ["by", "by-sa", "by-nc"].map(|code| format!("<p>This work is under <a rel=license href='https://creativecommons.org/licenses/{code}/4.0/'>x</a> license.</p>"));
    assert!(statements(&many.concat(), Where::Content).is_empty());
}

#[test]
fn pages_say_what_is_of_the_site_at_their_edges() {
    let page = |html: &str| statements(&format!("<body>{html}</body>"), Where::WholePage);
    assert_eq!(page(&format!("<footer><p>{CHOSEN}</p></footer>")), ["licence site CC-BY-4.0"]);
    assert_eq!(page(&format!("<article><footer>{CHOSEN}</footer></article>")), ["licence record CC-BY-4.0"]);
    assert!(page(&format!("<ol class=comment-list><li>{CHOSEN}</li></ol>")).is_empty());
    assert_eq!(page("<footer>© 2012–2024 Ann</footer>"), ["copyright site © 2012–2024 Ann"]);
    assert_eq!(
        statements(&format!("<body><footer>© 2024 Ann</footer>{CHOSEN}"), Where::Page),
        ["licence record CC-BY-4.0"]
    );
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
        let found: Vec<_> = statements(&format!("<body>{html}"), Where::Page);
        assert_eq!(found, [want], "{html}");
    }
    assert!(
        statements(
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
        assert_eq!(statements(&html, Where::Caption), [want], "{html}");
    }
}

/// The subject of the sentence decides, not other things that it names.
#[test]
fn a_licence_of_something_in_a_text_is_not_that_of_the_text() {
    let plain = |text: &str| format!("<p>{}</p>", text.replace("CC", &format!("<a href='{BY}'>CC BY</a>")));
    for (text, want) in [
        ("The photos in this article are licensed under CC.", vec!["licence image CC-BY-4.0"]),
        ("Die Fotos dieses Artikels stehen unter CC.", vec!["licence image CC-BY-4.0"]),
        ("Les photos de cet article sont sous licence CC.", vec!["licence image CC-BY-4.0"]),
        ("The software described in this article is licensed under CC.", vec![]),
        ("The data of this article are available under CC.", vec![]),
        ("All code in this post is released under CC.", vec![]),
        (
            "Photos by Ann are all rights reserved; the text of this post is licensed under CC.",
            vec!["licence record CC-BY-4.0"],
        ),
        ("Text and photos of this post are licensed under CC.", vec!["licence record CC-BY-4.0"]),
        ("In this article, all photos are licensed under CC.", vec!["licence image CC-BY-4.0"]),
        ("The license of this article is CC.", vec!["licence record CC-BY-4.0"]),
    ] {
        assert_eq!(statements(&plain(text), Where::Content), want, "{text}");
    }
}

#[test]
fn what_is_not_licensed_has_no_licence() {
    let plain = |text: &str| format!("<p>{}</p>", text.replace("CC", &format!("<a href='{BY}'>CC BY</a>")));
    for text in [
        "This article is not licensed under CC.",
        "This article isn't available under CC.",
        "This text is no longer licensed under CC.",
        "Dieser Artikel steht nicht unter der Lizenz CC.",
        "Cet article n'est pas publié sous licence CC.",
        "Este artículo no está bajo una licencia CC.",
        "Этот текст не распространяется по лицензии CC.",
    ] {
        assert!(statements(&plain(text), Where::Content).is_empty(), "{text}");
    }
    for text in [
        "Unless otherwise noted, this article is licensed under CC.",
        "Wenn nicht anders angegeben, stehen alle Texte unter der Lizenz CC.",
        "If not otherwise stated, this article is licensed under CC.",
        "Dieser Artikel steht unter der Namensnennung-Nicht kommerziell Lizenz CC.",
        "This post is available under the Non Commercial license CC.",
    ] {
        assert_eq!(statements(&plain(text), Where::Content), ["licence record CC-BY-4.0"], "{text}");
    }
}

#[test]
fn texts_about_licences_have_none_by_that() {
    let plain = |text: &str| format!("<p>{}</p>", text.replace("CC", &format!("<a href='{BY}'>CC BY</a>")));
    for text in [
        "The articles of PLoS are published under CC.",
        "The content on Wikipedia is licensed under CC.",
        "Many authors publish the texts of a journal under CC.",
        "If a work is licensed under CC, others can share it.",
        "For example, an article may be released under CC.",
        "What does it mean when this work is licensed under CC?",
        "Journals such as this one could publish under CC.",
    ] {
        assert!(statements(&plain(text), Where::Content).is_empty(), "{text}");
    }
}

/// The licence of a theme or a plugin is not the text's, however it is marked up.
#[test]
fn licences_of_programs_are_not_those_of_texts() {
    let page = |html: &str| statements(&format!("<body>{html}</body>"), Where::WholePage);
    for html in [
        "<footer><p>Theme by Ann, <a rel=license href='https://www.gnu.org/licenses/gpl-2.0.html'>GPL</a></p></footer>",
        "<footer><p><a rel=license href='https://opensource.org/licenses/MIT'>MIT</a></p></footer>",
        "<p><a rel=license href='https://github.com/ann/foo/blob/master/LICENSE'>LICENSE</a></p>",
        "<p>Built with Foo, licensed under the <a rel=license href='https://www.apache.org/licenses/LICENSE-2.0'>Apache License</a>.</p>",
        "<template><a rel=license href='https://creativecommons.org/licenses/by/4.0/'>x</a><link itemprop=license href='https://creativecommons.org/licenses/by/4.0/'></template>",
        "<template><script type='application/ld+json'>{\"license\":\"https://creativecommons.org/licenses/by/4.0/\"}</script></template>",
    ] {
        assert!(page(html).is_empty(), "{html}");
    }
    assert_eq!(
        page(
            "<footer><p>The content of this site is licensed under the <a href='https://www.gnu.org/licenses/fdl.html'>GFDL</a>.</p></footer>"
        ),
        ["licence site https://www.gnu.org/licenses/fdl.html"]
    );
}

#[test]
fn sentences_in_other_scripts() {
    let plain = |text: &str| format!("<p>{}</p>", text.replace("CC", &format!("<a href='{BY}'>CC BY</a>")));
    for (text, want) in [
        ("この記事は CC ライセンスの下に提供されています。", vec!["licence record CC-BY-4.0"]),
        ("当サイトのコンテンツは CC の下でライセンスされています。", vec!["licence site CC-BY-4.0"]),
        ("この記事の写真は CC でライセンスされています。", vec!["licence image CC-BY-4.0"]),
        ("本文采用 CC 许可协议进行许可。", vec!["licence record CC-BY-4.0"]),
        ("本站所有内容采用 CC 授权。", vec!["licence site CC-BY-4.0"]),
        ("本文图片采用 CC 许可协议。", vec!["licence image CC-BY-4.0"]),
        ("บทความนี้เผยแพร่ภายใต้สัญญาอนุญาต CC", vec!["licence record CC-BY-4.0"]),
        ("यह लेख CC लाइसेंस के तहत उपलब्ध है।", vec!["licence record CC-BY-4.0"]),
        ("इस वेबसाइट की सामग्री CC लाइसेंस के तहत है।", vec!["licence site CC-BY-4.0"]),
        ("هذا المقال مرخص بموجب رخصة CC.", vec!["licence record CC-BY-4.0"]),
        ("جميع محتويات هذا الموقع مرخصة بموجب CC.", vec!["licence site CC-BY-4.0"]),
        ("本文は CC ではライセンスされていません。", vec![]),
        ("本文未采用 CC 许可协议。", vec![]),
        ("您可以将您的作品以 CC 许可协议发布。", vec![]),
        ("很多博客的文章采用 CC 许可协议。", vec![]),
    ] {
        assert_eq!(statements(&plain(text), Where::Content), want, "{text}");
    }
}

/// Each of several texts on a page has its own licence, and licences in cards of other posts are not the page's.
#[test]
fn the_licence_of_another_text_on_a_page_is_not_the_page_s() {
    let page = |html: &str| statements(&format!("<body>{html}</body>"), Where::WholePage);
    let own = "Words of a text that goes on for long. ".repeat(20);
    let card = format!("<article class=card><h3>Other</h3><p>{CHOSEN}</p></article>");
    assert!(page(&format!("<article><h1>A</h1><p>{own}</p></article>{card}")).is_empty());
    assert_eq!(
        page(&format!("<article><h1>A</h1><p>{own}</p><p>{CHOSEN}</p></article>{card}")),
        ["licence record CC-BY-4.0"]
    );
    assert!(page(&format!("<p>{own}</p><div class=related-posts>{CHOSEN}</div>")).is_empty());
    assert!(page(&format!("<p>{own}</p><div class=wp-block-embed>{CHOSEN}</div>")).is_empty());
    let post = |html: &str| format!("<div class='post hentry'><h2>A</h2><p>{own}</p>{html}</div>");
    assert!(page(&[post(CHOSEN), post(""), post("")].concat()).is_empty(), "one of three");
    let all = post("<p>All contents of this site are licensed under CC BY 4.0.</p>");
    assert_eq!(page(&[all, post(""), post("")].concat()), ["licence site CC-BY-4.0"]);
    assert_eq!(page(&post(CHOSEN).repeat(3)), ["licence record CC-BY-4.0"], "all of them");
}

#[test]
fn a_link_that_a_block_is_misnested_with_ends_nothing_in_it() {
    let text = format!("<p>This text is under <a rel=license href='{BY}'>CC BY</a>.</p>");
    let comments =
        format!("<body><article class=hentry><p>x</article><a href=/x><div class=comments><b>Ann</b>{text}</div>");
    assert!(statements(&comments, Where::WholePage).is_empty());
    let edge = format!("<body><a class=footer href=/x><p>Ann</a><p>text</p>{text}");
    assert_eq!(statements(&edge, Where::WholePage), ["licence record CC-BY-4.0"]);
}

#[test]
fn forms_of_footers_and_of_named_works() {
    let page = |html: &str| statements(&format!("<body>{html}</body>"), Where::WholePage);
    let link = |text: &str| format!("<a href='{BY}'>{text}</a>");
    for (html, want) in [
        (
            format!(
                "<footer><p>Site design / logo X; user contributions licensed under {}.</p></footer>",
                link("CC BY")
            ),
            "licence site CC-BY-4.0",
        ),
        (format!("<div id=ft><div>Łukasz. {}.</div></div>", link("Pewne prawa zastrzeżone")), "licence site CC-BY-4.0"),
        ("<aside>此网站的所有内容都遵循 CC BY-NC-SA 4.0。</aside>".to_owned(), "licence site CC-BY-NC-SA-4.0"),
        (
            format!(
                "<aside class=widget><p>{}</p><p>Soweit nicht anders gekennzeichnet, sind die Texte unter einer <a href='https://creativecommons.org/'>Lizenz</a> veröffentlicht, die {} einsehbar ist.</p></aside>",
                link("<img src=/by.png>"),
                link("hier")
            ),
            "licence site CC-BY-4.0",
        ),
        (
            format!(
                "<footer><figure class=wp-block-image>{}</figure></footer>",
                link("<img alt='CC BY (Creative Commons Attribution License)' src='data:,'>")
            ),
            "licence site CC-BY-4.0",
        ),
    ] {
        assert_eq!(page(&html), [want], "{html}");
    }
    let of_another = format!("<footer><p>Text in the Help pages is available under {}.</p></footer>", link("CC BY"));
    assert!(page(&of_another).is_empty());
    let named = CHOSEN.replace(
        "This work is",
        "<span>Basic Invoice</span> by <a rel='cc:attributionURL' href='https://b.example'>Ann</a> is",
    );
    assert_eq!(
        statements(&format!("<p>{named}</p>"), Where::Content),
        Vec::<String>::new(),
        "a work of another name: {named}"
    );
    let page = PageUrl::parse("https://a.example/b/");
    let html = format!("<html><head><title> invoice</title></head><body><p>{named}</p></body></html>");
    let own = |html: &str| Markup::default().read(html, Where::WholePage, page.as_ref(), None);
    assert!(own(&html.replace("Basic", "Basic HTML/CSS")).is_empty());
    assert!(!own(&html).is_empty(), "half of it");
    assert_eq!(
        statements(&format!("<p>{}</p>", named.replace("Basic Invoice", "Words of the Quay")), Where::Content),
        ["licence record CC-BY-4.0"]
    );
}

/// Licences of other kinds, and words without a code, do not name a Creative Commons licence.
#[test]
fn licences_that_are_named_without_a_code() {
    let page = |html: &str| statements(&format!("<body>{html}</body>"), Where::WholePage);
    let open = "<p>This is an open access article distributed under the terms of the Creative Commons Attribution License, which permits use, provided the original author and source are credited.</p>";
    assert_eq!(page(open), ["licence record CC BY"]);
    for html in [
        "<p>All content on Wikimedia is released under a Creative Commons license.</p>",
        "<p>Creative Commons licenses are used by many.</p>",
        "<p>This plugin is released under the MIT License.</p>",
        "<p>I searched for clipart on Creative Commons ClipArt, and resized it in this text.</p>",
        "<p>I made a list of programs. The work is licensed under CC BY-SA 4.0.</p>",
        "<p>A groovy little thing under licence CC by-nc-nd-2.0.</p>",
        "<p>\"Content\" shall refer to all text and images available here under CC BY 4.0.</p>",
    ] {
        assert!(page(html).is_empty(), "{html} {:?}", page(html));
    }
}

#[test]
fn official_names_of_licences_in_other_languages() {
    for (text, want) in [
        (
            "本作品采用知识共享署名-非商业性使用-相同方式共享 4.0 国际许可协议进行许可。",
            "licence record CC-BY-NC-SA-4.0",
        ),
        ("本站所有文章采用 知识共享署名-相同方式共享 4.0 国际许可协议。", "licence site CC-BY-SA-4.0"),
        ("本著作係採用創用 CC 姓名標示-非商業性-禁止改作 3.0 台灣 授權條款授權。", "licence record CC-BY-NC-ND-3.0"),
        (
            "この記事はクリエイティブ・コモンズ 表示 4.0 国際 ライセンスの下に提供されています。",
            "licence record CC-BY-4.0",
        ),
        (
            "이 저작물은 크리에이티브 커먼즈 저작자표시-비영리 4.0 국제 라이선스에 따라 이용할 수 있습니다.",
            "licence record CC-BY-NC-4.0",
        ),
        (
            "Dieser Text steht unter Creative Commons Namensnennung - Weitergabe unter gleichen Bedingungen 4.0 International.",
            "licence record CC-BY-SA-4.0",
        ),
        (
            "Cet article est mis à disposition sous licence Creative Commons Attribution - Pas d’utilisation commerciale 4.0.",
            "licence record CC-BY-NC-4.0",
        ),
        (
            "Este texto tiene una licencia Creative Commons Reconocimiento-CompartirIgual 3.0.",
            "licence record CC-BY-SA-3.0",
        ),
        ("Este artigo está sob a licença Creative Commons Atribuição-NãoComercial 4.0.", "licence record CC-BY-NC-4.0"),
        (
            "Questo articolo è rilasciato sotto licenza Creative Commons Attribuzione - Condividi allo stesso modo 4.0.",
            "licence record CC-BY-SA-4.0",
        ),
        (
            "Этот текст доступен по лицензии Creative Commons С указанием авторства — Некоммерческая 4.0.",
            "licence record CC-BY-NC-4.0",
        ),
    ] {
        assert_eq!(statements(&format!("<p>{text}</p>"), Where::Content), [want], "{text}");
    }
    assert!(statements("<p>知识共享署名-相同方式共享 4.0 是一种许可协议。</p>", Where::Content).is_empty());
    assert_eq!(
        statements("<p>本文图片采用知识共享署名 4.0 国际许可协议。</p>", Where::Content),
        ["licence image CC-BY-4.0"]
    );
}

#[test]
fn a_licence_beside_an_image_is_that_of_the_image() {
    let html = format!(
        "<body><header><div class='teaser-image-copyright'><span>Bild: </span><div><a href='https://a.example'>Quay</a></div><div><a href='{BY}'>cc-by 4.0</a></div></div></header></body>"
    );
    assert_eq!(statements(&html, Where::WholePage), ["licence image CC-BY-4.0"]);
    let in_one_block = format!("<p><img src=a.jpg> Licence: <a href='{BY}'>CC BY</a></p>");
    assert_eq!(statements(&in_one_block, Where::Content), ["licence image CC-BY-4.0"]);
    let footer = format!(
        "<footer>Powered by <a href='https://x.example'>X</a> ♦ Copyright © <a href='{BY}'>CC BY</a> ♦ Contact</footer>"
    );
    assert!(statements(&footer, Where::WholePage).contains(&"licence site CC-BY-4.0".to_owned()));
}

/// The author of a work may come after its licence.
#[test]
fn the_licence_of_a_credit_is_not_the_text_s() {
    let own = "Words of a text that goes on for long. ".repeat(10);
    let page = |html: &str| statements(&format!("<p>{own}</p>{html}<p>{own}</p>"), Where::Content);
    let link = format!("<a rel=license href='{BY}'>CC BY</a>");
    let html = format!(
        "<p>The logo is <a href='https://b.example/'>here</a>. Anchor {link} by <a href='https://b.example/'>Ann Berg</a>.</p>"
    );
    assert!(page(&html).is_empty(), "{html}");
    for html in [
        format!("<p>Licence:<br>{link}</p>"),
        format!("<p>© Ann Berg<br>{link}</p>"),
        format!("<p>This post is {link} by Ann Berg.</p>"),
        format!("<p>{link}</p>"),
    ] {
        assert_eq!(
            page(&html).iter().filter(|one| one.starts_with("licence")).collect::<Vec<_>>(),
            ["licence record CC-BY-4.0"],
            "{html}"
        );
    }
}

/// In "This programme makes resources under a licence", the resources are not the writer's.
#[test]
fn a_word_makes_only_its_noun_the_writer_s() {
    let plain = |text: &str| format!("<p>{}</p>", text.replace("CC", &format!("<a href='{BY}'>CC BY</a>")));
    for text in [
        "This program shows how schools make good resources for lessons, which are free under CC.",
        "La persona che con questo atto ha dedicato un'opera al pubblico rinuncia ai diritti (licenza CC).",
        "A model for others who want to make open educational resources under CC.",
        "This project is licensed under CC.",
    ] {
        assert!(statements(&plain(text), Where::Content).is_empty(), "{text}");
    }
    let long = "A sentence on what the office of the port has made for its visitors over the years. ".repeat(5);
    assert!(
        statements(
            &plain(&format!("{long}All the contents are open and distributed under CC. {long}")),
            Where::Content
        )
        .is_empty()
    );
    for text in [
        "All contents are distributed under CC.",
        "All images and texts are licensed under CC.",
        "Except where it is otherwise noted, contents are licensed under CC.",
        "The text of this project is licensed under CC.",
    ] {
        assert_eq!(statements(&plain(text), Where::Content).len(), 1, "{text}");
    }
}

/// The indentation of a line does not matter; before the word for a licence, a code does not need "CC".
#[test]
fn forms_of_lines_at_the_end_of_a_page() {
    let indent = " ".repeat(40);
    let line = format!(
        "<p>\n{indent}© 2007 and later, Ann Berg, licensed under <a href='{BY}'>CC-BY</a>\n{indent}unless stated otherwise.\n{indent}</p>"
    );
    let page = |html: &str| statements(&format!("<body><p>© Ann Berg</p>{html}</body>"), Where::WholePage);
    let licences = |html: &str| page(html).into_iter().filter(|one| one.starts_with("licence")).collect::<Vec<_>>();
    assert_eq!(licences(&line), ["licence record CC-BY-4.0"]);
    for text in [
        "<p>版权声明：本博客所有文章除特别声明外，均采用 BY-NC-SA 许可协议。</p>",
        "<p>All posts of this blog are under the BY-NC-SA license.</p>",
    ] {
        assert_eq!(licences(text), ["licence site CC BY-NC-SA"], "{text}");
    }
    for text in
        ["<p>All posts of this blog are sorted by nc-sa.</p>", "<p>All posts of this blog, licensed BY-SALLY.</p>"]
    {
        assert!(licences(text).is_empty(), "{text}");
    }
}

#[test]
fn a_licence_of_a_reader_or_of_another_post_became_the_records() {
    let table: toml::Table = toml::from_str(include_str!("../../boilerplate.toml")).unwrap();
    let names = ["comments", "others", "quoted"].iter().flat_map(|row| table[*row].as_array().unwrap());
    let names: Vec<&str> = names.map(|name| name.as_str().unwrap().trim_end_matches('*')).collect();
    assert!(names.len() > 70 && names.contains(&"wpdiscuz"));
    let page = |class: &str, end: &str| {
        let text = format!("<p>This text is licensed under <a rel=license href='{BY}'>CC BY</a>.</p>");
        statements(
            &format!("<body><article class=hentry><p>Boats.{end}<div class='{class}'>{text}</div>"),
            Where::WholePage,
        )
    };
    for name in names {
        let all = [page(name, ""), page(&format!("my-{name}_list"), ""), page(name, "</article>")];
        assert_eq!(all, [const { Vec::<String>::new() }; 3], "{name}");
    }
    for name in ["entry-footer", "post-footer", "entry-meta", "copyright", "cc-block", "author-box"] {
        assert_eq!(page(name, ""), ["licence record CC-BY-4.0"], "{name}");
    }
    // elements around the whole page do not show whose words these are
    let body = format!("<body class=comments-open><main class=infinite-scroll><h2 id=popular>Boats</h2>{CHOSEN}");
    assert_eq!(statements(&body, Where::WholePage), ["licence record CC-BY-4.0"]);
}

/// The last three leave an element open before the body tag.
const HEADS: [&str; 8] = [
    "",
    "<html><head><title>Waves</title></head><body>",
    "<title>Waves</title><body class=a>",
    "<head><script>'<body>'</script><style></head><body></style><body>",
    "<head><noscript><img></noscript><link><body>",
    "<html><head><meta name=a><body><div>",
    "<div>© 2011 Above<body>",
    "<a href=/above><body id=a>",
];

const PIECES: [&str; 26] = [
    "<p>This text is under <a rel=license href='https://creativecommons.org/licenses/by/4.0/'>CC BY</a>.</p>",
    "<footer>© 2020 Ann Berg. All rights reserved.",
    "</footer>",
    "<p>Photo: Ann, CC BY-SA 2.0",
    "<script type='application/ld+json'>{\"license\":\"https://creativecommons.org/licenses/by/2.0/\"}</script>",
    "<article class=hentry>",
    "</article>",
    "<noscript><p>© 2019 No Script</p></noscript>",
    "<div class='comments'>",
    "</div>",
    "<a href=/x>",
    "</a>",
    "<table><tr><td>© 2018 Cell",
    "</table>",
    "<svg><title>Licence CC0</title>",
    "</svg>",
    "<!-- © 2017 -->",
    "<p property='dct:title'>Waves",
    "<blockquote>Licensed under CC BY-NC 3.0",
    "</blockquote>",
    "</body>",
    "&copy; 2016 <b>Bold</b>",
    "<!--",
    "<title>",
    "<style>",
    "<",
];

fn beside(html: &str, body: usize) -> Vec<RawStatement> {
    let mut markup = Markup::default();
    let mut listener = markup.listener(None, Some("Waves"));
    listener.begin(html, body);
    // with the events that other readers need
    read(html, ParseOptions { page: true, ..ParseOptions::default() }, &mut Buffers::default(), &mut listener);
    listener.finish().unwrap()
}

proptest! {
    #[test]
    fn what_is_heard_is_what_a_reading_of_its_own_finds(
        head in 0..HEADS.len(),
        body in prop::collection::vec(prop::sample::select(PIECES.to_vec()), 0..12),
        cut in 0..2000_usize,
    ) {
        let mut html = HEADS[head].to_owned() + &body.concat();
        html.truncate((cut.min(html.len())..).find(|at| html.is_char_boundary(*at)).unwrap_or_default());
        let start = HEADS[head].rfind("<body").filter(|start| *start < html.len()).unwrap_or_default();
        let heard = beside(&html, start);
        prop_assert_eq!(&heard, &Markup::default().read_from(&html, start, Where::WholePage, None, Some("Waves")));
        if head < 5 {
            let alone = Markup::default().read(&html[start..], Where::WholePage, None, Some("Waves"));
            prop_assert_eq!(heard, alone);
        }
    }
}
