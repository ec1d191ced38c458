use super::*;

use proptest::prelude::*;

proptest! {
    #[test]
    fn a_scheme_ends_where_its_first_sign_does(url in "[:/aé]{0,12}") {
        prop_assert_eq!(scheme_end(&url), url.find("://").map(|at| at + 3));
    }
}

fn key(url: &str) -> String {
    UrlKey::new(url).map(|key| key.as_str().to_owned()).unwrap_or_else(|| "none".into())
}

#[test]
fn one_key_for_all_forms_of_a_url() {
    for url in [
        "https://example.org/été/a-b/",
        "http://example.org/%c3%A9t%c3%a9/a-b",
        "https://www.example.org/%C3%A9t%C3%A9//a-b/#top",
        "https://EXAMPLE.org:443/x/../%e9/./../%C3%A9t%C3%A9/a%2db/?",
        "http://example.org:80/index.php/\u{65}\u{301}te\u{301}/a-b/index.html",
        "  https://user:word@example.org./été/a-b/index.php ",
        "https:\\\\example.org\\été\\a-b",
        "https://example.org/%65%cc%81t%65%CC%81/a-b/",
        "https://example.org/%C3%A9t%C3%A9/a-b/index.html/",
        "https://example.org/%C3%A9t%C3%A9/a-b/index.html/index.php/index.htm?",
    ] {
        assert_eq!(key(url), "example.org/%C3%A9t%C3%A9/a-b", "{url}");
    }
    assert_eq!(key("https://bücher.example/"), "xn--bcher-kva.example");
    assert_eq!(key("https://xn--bcher-kva.example"), "xn--bcher-kva.example");
}

#[test]
fn differences_that_may_matter_stay_in_the_key() {
    assert_eq!(key("https://e.org/A?p=1&x=%2f"), "e.org/A?p=1&x=%2F");
    assert_eq!(key("https://e.org/a%2Fb"), "e.org/a%2Fb");
    assert_eq!(key("https://e.org:8080/a"), "e.org:8080/a");
    assert_eq!(key("https://e.org/index.php?p=12"), "e.org?p=12");
    assert_eq!(key("https://e.org/100%"), "e.org/100%25");
    assert_eq!(key("https://e.org/index.html/a"), "e.org/index.html/a");
    for end in ["", "/", "//", "/index.php", "/index.html/", "?x", "/#x"] {
        assert_eq!(key(&format!("https://e.org/a%3Fp=5.html{end}")), "e.org/a?p=5", "{end}");
        assert_eq!(key(&format!("https://e.org/a/index.html@p=5.html{end}")), "e.org/a?p=5", "{end}");
    }
    assert_eq!(key("https://e.org/index.html@p=5&x=%2f"), "e.org?p=5&x=%2F");
    for file in ["index.html@p", "index.html@a,b=5", "myindex.html@p=5", "index.html@=5", "index.html@p=5/b"] {
        assert_eq!(key(&format!("https://e.org/{file}")), format!("e.org/{file}"));
    }
    // Each name is looked at once: 400 kB take no minutes.
    for name in ["index.html@|", "%3F|"] {
        assert!(key(&format!("https://e.org/{}", name.repeat(40_000))).starts_with("e.org/"));
    }
    for none in ["", "a/b", "mailto:a@e.org", "ftp://e.org/", "https://", "http://[bad", "//e.org/"] {
        assert_eq!(key(none), "none", "{none}");
    }
}

#[test]
fn a_key_comes_apart() {
    let key = UrlKey::new("https://www.e.org:81/a/b/?x=1").unwrap();
    assert_eq!((key.host(), key.tail(), key.path(), key.query()), ("e.org:81", "/a/b?x=1", "/a/b", Some("x=1")));
    let home = UrlKey::new("https://e.org/").unwrap();
    assert_eq!((home.host(), home.tail(), home.path(), home.query()), ("e.org", "", "", None));
}

#[test]
fn only_noise_is_cleaned() {
    let clean = |url: &str| UrlKey::new(url).unwrap().without_noise().map(|key| key.as_str().to_owned());
    assert_eq!(clean("https://e.org/a/?utm_source=x&UTM_medium=y&lang=fr").as_deref(), Some("e.org/a?lang=fr"));
    assert_eq!(clean("https://e.org/?preview=true&p=5&fbclid=1").as_deref(), Some("e.org?p=5"));
    assert_eq!(clean("https://e.org/a/?replytocom=3#respond").as_deref(), Some("e.org/a"));
    assert_eq!(clean("https://e.org/a/?query-1-page=2&per_page=100").as_deref(), Some("e.org/a"));
    for stays in ["https://e.org/a/?lang=fr", "https://e.org/?p=5", "https://e.org/a", "https://e.org/?query-my-page=1"]
    {
        assert_eq!(clean(stays), None, "{stays}");
    }
}

/// The result of the url crate, without our fast path.
fn join_by_parser(page: Option<&PageUrl>, reference: &str) -> Option<String> {
    let reference = reference.trim_matches(|c: char| c <= ' ');
    let url = match page {
        Some(page) => page.parts().join(reference).ok()?,
        None => Url::parse(reference).ok()?,
    };
    is_web(&url).then(|| String::from(url))
}

#[test]
fn a_plain_url_is_borrowed() {
    for url in ["https://e.org/", "http://e.org/2020/01/a-b_c/?x=1&y=%20#c-1", "https://a-b.e.org/%D0%B0/f.jpg"] {
        assert!(matches!(join(None, url), Some(Cow::Borrowed(_))), "{url}");
    }
    for url in ["https://e.org/%2e%2E/a", "https://e.org/a/../b", "https://e.org/a/%2e", "https://e.org"] {
        assert!(matches!(join(None, url), Some(Cow::Owned(_))), "{url}");
    }
}

/// Pieces of difficult URLs.
fn url_text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("http"),
        Just("https"),
        Just("HTTP"),
        Just("://"),
        Just(":"),
        Just("/"),
        Just("//"),
        Just("\\"),
        Just("e.org"),
        Just("E.org"),
        Just("www."),
        Just("xn--"),
        Just("b\u{fc}cher"),
        Just("127.1"),
        Just("0x7f"),
        Just("."),
        Just(".."),
        Just("%2e"),
        Just("%2E"),
        Just("%"),
        Just("%c3%a9"),
        Just("%41"),
        Just("é"),
        Just("\u{301}"),
        Just("?"),
        Just("#"),
        Just("&"),
        Just("="),
        Just("'"),
        Just("\""),
        Just("<"),
        Just("^"),
        Just("|"),
        Just("["),
        Just("]"),
        Just(" "),
        Just("\t"),
        Just("\n"),
        Just("@"),
        Just(":80"),
        Just(":8080"),
        Just("index.php"),
        Just("index.html"),
        Just("/index.htm"),
        Just("a"),
        Just("B"),
        Just("1"),
        Just("mailto:"),
        Just("javascript:"),
        Just("-"),
        Just("_"),
        Just("~"),
        Just("`"),
        Just("{"),
        Just("\u{0}"),
    ];
    let tail = proptest::collection::vec(piece, 0..10).prop_map(|pieces| pieces.concat());
    (prop_oneof![Just(""), Just("https://e.org/"), Just("http://www.e.org"), Just("https://")], tail)
        .prop_map(|(head, tail)| format!("{head}{tail}"))
}

proptest! {
    #![proptest_config(crate::cases::cases(3000))]

    #[test]
    fn the_short_cut_joins_as_the_parser_does(text in url_text()) {
        let page = PageUrl::parse("https://e.org/x/y?z");
        for page in [None, page.as_ref()] {
            prop_assert_eq!(join(page, &text).map(Cow::into_owned), join_by_parser(page, &text));
        }
    }

    #[test]
    fn the_host_is_that_of_the_parser(text in url_text()) {
        let url = join_by_parser(None, &text).unwrap_or(text);
        prop_assert_eq!(host_of(&url).map(Cow::into_owned), PageUrl::parse(&url).map(|url| url.host().to_owned()));
    }

    /// A URL normalised by the parser has the same key, and a key is its own key.
    #[test]
    fn parsing_does_not_change_the_key(text in url_text()) {
        let key = UrlKey::new(&text);
        match (join_by_parser(None, &text), key) {
            (Some(url), Some(key)) => {
                prop_assert_eq!(UrlKey::new(&url), Some(key.clone()));
                prop_assert_eq!(UrlKey::new(&format!("https://{}", key.as_str())), Some(key));
            }
            (Some(url), None) => prop_assert!(url.contains("://.") || url.contains("@.") || url.contains(".."), "{}", url),
            (None, key) => prop_assert_eq!(key, None),
        }
    }
}

/// Only Latin, Cyrillic and Greek letters were composed; links in Korean, Japanese or Vietnamese written on a Mac were
/// dead.
#[test]
fn every_character_has_one_key_however_it_is_composed() {
    let (nfc, nfd) = (
        icu_normalizer::ComposingNormalizerBorrowed::new_nfc(),
        icu_normalizer::DecomposingNormalizerBorrowed::new_nfd(),
    );
    let (mut several, mut others) = (0, Vec::new());
    for c in '\u{a1}'..=char::MAX {
        let text = c.to_string();
        let [composed, decomposed] = [nfc.normalize(&text).to_string(), nfd.normalize(&text).to_string()];
        if composed == decomposed && text == composed {
            continue;
        }
        several += 1;
        let of = |text: &String| key(&format!("https://example.org/{text}x/"));
        if of(&decomposed) != of(&composed) || of(&text) != of(&composed) {
            others.push(c);
        }
    }
    // Punctuation, which does not occur in slugs.
    assert_eq!(others, ['\u{387}', '\u{1fef}', '≮', '≯']);
    assert!(several > 13_000, "{several}");
}
