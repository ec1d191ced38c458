//! Weighs the evidence for the language and translations of a record, from its page and from REST. It considers one
//! record and its page; wp-resolve does what requires the whole site (home pages, groups).

use super::switchers::{Item, SwitcherFinding, Switchers};
use super::tags::LanguageTag;
use crate::page::{Head, PageReader};
use crate::record::{Str, Target, Translation};
use crate::urls::{self, PageUrl, QuickMap, QuickSet};
use memchr::{memchr, memchr_iter};
use std::borrow::Cow;
use std::io::{self, Read};

/// A site does not have this many languages; longer lists are broken or malicious, and are not evaluated.
const MOST_ALTERNATES: usize = 1000;

/// The sources that may be used. This restricts the evidence without changing its precedence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sources {
    /// Whether the REST API may be used, including its hints (Yoast, `_links`).
    pub rest: bool,
    /// Whether `link[rel~=alternate][hreflang]` of the head may be used.
    pub hreflang: bool,
    /// Whether language switchers in the body may be used.
    pub switcher: bool,
    /// Whether `<html lang>` and `og:locale` may be used.
    pub html: bool,
}

impl Sources {
    /// All sources.
    pub const ALL: Sources = Sources { rest: true, hreflang: true, switcher: true, html: true };

    /// Parses a list such as `rest,hreflang`. The error names the word that is not one of the four.
    pub fn parse(list: &str) -> Result<Self, String> {
        let mut sources = Sources { rest: false, hreflang: false, switcher: false, html: false };
        for word in list.split(',').map(str::trim) {
            let source = match word {
                "rest" => &mut sources.rest,
                "hreflang" => &mut sources.hreflang,
                "switcher" => &mut sources.switcher,
                "html" => &mut sources.html,
                other => return Err(format!("{other:?} is not one of rest, hreflang, switcher, html")),
            };
            *source = true;
        }
        Ok(sources)
    }
}

impl std::fmt::Display for Sources {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let all = [("rest", self.rest), ("hreflang", self.hreflang), ("switcher", self.switcher), ("html", self.html)];
        let used: Vec<&str> = all.iter().filter(|(_, is_used)| *is_used).map(|(name, _)| *name).collect();
        f.write_str(&used.join(","))
    }
}

impl Default for Sources {
    fn default() -> Self {
        Sources::ALL
    }
}

/// The facts about a record that are known before its page is opened.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Known<'a> {
    /// Its language so far.
    pub(crate) language: Option<&'a str>,
    /// Its source: `rest` is final, anything else (`yoast`, `links`) is a hint that the page may override.
    pub(crate) language_source: Option<&'a str>,
    /// Whether it has translations from REST, which are then used as they are.
    pub(crate) translations: bool,
    /// URLs by which the page may refer to itself in its lists: `scrape.url`, `link`, aliases.
    pub(crate) own: &'a [&'a str],
    /// The record's link.
    pub(crate) link: Option<&'a str>,
}

/// The language of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OwnLanguage {
    /// The tag.
    pub(crate) tag: LanguageTag,
    /// The original spelling.
    pub(crate) raw: String,
    /// The source: rest, html, hreflang, switcher, yoast or links.
    pub(crate) source: &'static str,
}

/// The result for a record.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Finding {
    /// Its language; `None` if no evidence gives a valid tag.
    pub(crate) language: Option<OwnLanguage>,
    /// Its translations; empty if REST has given them ([`Known::translations`]), which stay as they are.
    pub(crate) translations: Vec<Translation<'static>>,
    /// The page that its head names for readers of other languages (x-default).
    pub(crate) x_default: Option<String>,
    /// Whether the page's hreflang link to itself contradicted `<html lang>` and won.
    pub(crate) contradiction: bool,
    /// Whether the body had to be read.
    pub(crate) body_read: bool,
    /// The switchers found in it.
    pub(crate) switchers: Vec<SwitcherFinding>,
    /// The page's head.
    pub(crate) head: Head,
}

/// Evaluates pages, one after the other.
#[derive(Clone, Copy)]
pub(crate) struct Judge<'a> {
    /// The sources that may be used.
    pub(crate) sources: Sources,
    /// The switchers to look for; by default the built-in ones.
    pub(crate) switchers: Option<&'a Switchers>,
}

impl Judge<'_> {
    /// Evaluates a record without a page.
    pub(crate) fn without_page(&self, known: &Known<'_>) -> Finding {
        Finding { language: self.rest_language(known).or_else(|| self.hint(known, None)), ..Finding::default() }
    }

    /// Evaluates a record and its page at `url`, against which relative URLs are resolved. Reads beyond the head only
    /// if the head does not give the answer. Fails only if reading fails.
    pub(crate) fn judge<R: Read>(
        &self,
        page: &mut PageReader<R>,
        url: Option<&PageUrl>,
        known: &Known<'_>,
    ) -> io::Result<Finding> {
        let head = page.head()?;
        let list = Alternates::new(&head, url, known);
        let (from_head, contradiction) = self.head_language(&head, &list);
        let mut finding = Finding { language: self.rest_language(known), ..Finding::default() };
        if finding.language.is_none() {
            (finding.language, finding.contradiction) = (from_head, contradiction);
        }
        finding.x_default = list.x_default.clone().filter(|_| self.sources.hreflang);
        let rest_translations = self.sources.rest && known.translations;
        if self.sources.hreflang && !rest_translations {
            finding.translations = list.translations();
        }
        let answered = finding.language.is_some() && (rest_translations || !finding.translations.is_empty());
        if self.sources.switcher && !answered {
            finding.body_read = true;
            let switchers = self.switchers.unwrap_or_else(|| Switchers::builtin());
            finding.switchers = page.body(|body| switchers.scan(body))?;
            finding.language = finding.language.or_else(|| current_language(&finding.switchers, url, &list.own));
            if !rest_translations && finding.translations.is_empty() {
                finding.translations = switcher_translations(&finding.switchers, url, &list.own);
            }
        }
        finding.language = finding.language.or_else(|| self.hint(known, Some(&head)));
        finding.head = head;
        Ok(finding)
    }

    fn rest_language(&self, known: &Known<'_>) -> Option<OwnLanguage> {
        let raw = known.language.filter(|_| self.sources.rest && known.language_source == Some("rest"))?;
        own_language(raw, "rest")
    }

    /// `<html lang>`, or the page's hreflang link to itself if that has another primary subtag or there is no `<html
    /// lang>`.
    fn head_language(&self, head: &Head, list: &Alternates) -> (Option<OwnLanguage>, bool) {
        let html = head.html_lang.as_deref().filter(|_| self.sources.html);
        let html = html.and_then(|raw| own_language(raw, "html"));
        let itself = list.itself(html.as_ref()).filter(|_| self.sources.hreflang);
        match (html, itself) {
            (Some(html), Some(itself)) if !html.tag.same_language(&itself.tag) => (Some(itself), true),
            (html, itself) => (html.or(itself), false),
        }
    }

    /// The weakest evidence: hints from REST, and the page's `og:locale`, which SEO plugins write.
    fn hint(&self, known: &Known<'_>, head: Option<&Head>) -> Option<OwnLanguage> {
        let source = match known.language_source {
            Some("links") => "links",
            _ => "yoast",
        };
        let rest = known.language.filter(|_| self.sources.rest && known.language_source != Some("rest"));
        let page = head.and_then(|head| head.og_locale.as_deref()).filter(|_| self.sources.html);
        let rest = rest.and_then(|raw| own_language(raw, source));
        match rest {
            Some(rest) if rest.source == "yoast" => Some(rest),
            rest => page.and_then(|raw| own_language(raw, "yoast")).or(rest),
        }
    }
}

fn own_language(raw: &str, source: &'static str) -> Option<OwnLanguage> {
    Some(OwnLanguage { tag: LanguageTag::parse(raw)?, raw: raw.to_owned(), source })
}

/// The language of the first item marked as current; not one to which another item of its switcher leads elsewhere, as
/// TranslatePress does when it shows the opposite language.
fn current_language(
    switchers: &[SwitcherFinding],
    url: Option<&PageUrl>,
    own: &QuickSet<String>,
) -> Option<OwnLanguage> {
    let leads_away = |item: &Item| {
        let goal = item.href.as_deref().and_then(|href| join_unmirrored(url, href));
        goal.is_some_and(|goal| !own.contains(&page_key(&goal)))
    };
    let current = |finding: &SwitcherFinding| {
        let elsewhere = |item: &Item| {
            finding.items.iter().any(|other| !other.current && other.language == item.language && leads_away(other))
        };
        let mut items = finding.items.iter().filter(|item| item.current && !elsewhere(item));
        items.find_map(|item| own_language(item.language_raw.as_deref()?, "switcher"))
    };
    switchers.iter().find_map(current)
}

/// The list in a head: absolute URLs, one entry per URL, x-default apart.
struct Alternates {
    entries: Vec<HreflangEntry>,
    x_default: Option<String>,
    own: QuickSet<String>,
}

/// A list with one entry per URL. Entries are found by the keys of their URLs, because a page may have any number of them.
#[derive(Default)]
struct Entries {
    list: Vec<HreflangEntry>,
    places: QuickMap<String, usize>,
}

struct HreflangEntry {
    url: String,
    key: String,
    raw: Option<String>,
    language: Option<LanguageTag>,
}

impl Alternates {
    fn new(head: &Head, url: Option<&PageUrl>, known: &Known<'_>) -> Self {
        let mut own: QuickSet<String> =
            known.own.iter().filter_map(|own| urls::join(url, own)).map(|own| page_key(&own)).collect();
        own.extend(url.map(|url| page_key(url.as_str())));
        let (mut entries, mut x_default) = (Entries::default(), None);
        for alternate in head.alternates.iter().take(MOST_ALTERNATES) {
            if alternate.hreflang.eq_ignore_ascii_case("x-default") {
                x_default = x_default.or_else(|| join_unmirrored(url, &alternate.href));
                continue;
            }
            if let Some(href) = join_unmirrored(url, &alternate.href) {
                entries.add(href, Some(&alternate.hreflang), LanguageTag::parse(&alternate.hreflang));
            }
        }
        let entries = entries.list;
        // A copy of the site at another address still refers to itself by its canonical URL. A page at its record's link
        // that gives another one quotes it: plugins do where a translation is missing.
        let is_at_link = || known.link.zip(url).is_some_and(|(link, url)| page_key(link) == page_key(url.as_str()));
        if !is_at_link() && !entries.iter().any(|entry| own.contains(&entry.key)) {
            let canonical = head.canonical.as_deref().and_then(|href| join_unmirrored(url, href));
            own.extend(canonical.map(|canonical| page_key(&canonical)));
        }
        Alternates { entries, x_default, own }
    }

    /// The entry for the page itself. If there are several, because the page was saved at the URL of another language, too, it is the one
    /// in the language of `html`.
    fn itself(&self, html: Option<&OwnLanguage>) -> Option<OwnLanguage> {
        let own = || self.entries.iter().filter(|entry| self.own.contains(&entry.key));
        let agrees = |entry: &&HreflangEntry| {
            html.zip(entry.language.as_ref()).is_some_and(|(html, tag)| html.tag.same_language(tag))
        };
        let entry = own().find(agrees).or_else(|| own().next())?;
        Some(OwnLanguage { tag: entry.language.clone()?, raw: entry.raw.clone()?, source: "hreflang" })
    }

    fn translations(&self) -> Vec<Translation<'static>> {
        translations(self.entries.iter().filter(|entry| !self.own.contains(&entry.key)), "hreflang")
    }
}

impl Entries {
    /// Adds an entry, or gives the entry of the same URL the more specific of both languages: TranslatePress lists a page
    /// as `en-US` and as `en`. If they contradict each other, the first is kept.
    fn add(&mut self, url: String, raw: Option<&str>, language: Option<LanguageTag>) {
        let key = page_key(&url);
        let Some(&place) = self.places.get(&key) else {
            self.places.insert(key.clone(), self.list.len());
            return self.list.push(HreflangEntry { url, key, raw: raw.map(str::to_owned), language });
        };
        let known = &mut self.list[place];
        let better = match (&known.language, &language) {
            (None, Some(_)) => true,
            (Some(known), Some(language)) => language.refines(known),
            (_, None) => false,
        };
        if better {
            (known.raw, known.language) = (raw.map(str::to_owned), language);
        }
    }
}

fn translations<'e>(
    entries: impl Iterator<Item = &'e HreflangEntry>,
    source: &'static str,
) -> Vec<Translation<'static>> {
    let translation = |entry: &HreflangEntry| Translation {
        language: entry.language.as_ref().map(|language| Str::from(language.to_string())),
        language_raw: entry.raw.clone().map(Str::from),
        href: Some(Str::from(entry.url.clone())),
        id: None,
        r#type: None,
        source: Some(Str::from(source)),
        target: Target::default(),
        rule: None,
        reason: None,
    };
    entries.map(translation).collect()
}

/// The translations from the first kind of switcher that leads to another page. URLs that any switcher of the page
/// marks as untranslated are excluded: they are the home page of that language, and another kind may show them
/// unmarked.
fn switcher_translations(
    switchers: &[SwitcherFinding],
    url: Option<&PageUrl>,
    own: &QuickSet<String>,
) -> Vec<Translation<'static>> {
    let address = |item: &Item| item.href.as_deref().and_then(|href| join_unmirrored(url, href));
    let all = switchers.iter().flat_map(|finding| &finding.items);
    let untranslated: QuickSet<String> =
        all.filter(|item| item.untranslated).filter_map(address).map(|url| page_key(&url)).collect();
    for finding in switchers {
        let mut entries = Entries::default();
        for item in finding.items.iter().filter(|item| !item.current && !item.untranslated) {
            if let Some(href) = address(item) {
                entries.add(href, item.language_raw.as_deref(), item.language.clone());
            }
        }
        let mut entries = entries.list;
        entries.retain(|entry| !own.contains(&entry.key) && !untranslated.contains(&entry.key));
        if !entries.is_empty() {
            return translations(entries.iter(), "switcher");
        }
    }
    Vec::new()
}

/// Two URLs with the same key are the same page: scheme, fragment, trailing slash, `index.html` and the case of percent
/// escapes do not matter.
fn page_key(url: &str) -> String {
    let scheme = ["https://", "http://"].iter().find(|scheme| url.starts_with(**scheme)).map_or(0, |s| s.len());
    let url = &url[scheme..];
    let url = &url[..memchr(b'#', url.as_bytes()).unwrap_or(url.len())];
    let (path, query) = url.split_at(memchr(b'?', url.as_bytes()).unwrap_or(url.len()));
    let path = path.strip_suffix("index.html").or_else(|| path.strip_suffix("index.htm")).unwrap_or(path);
    let path = path.strip_suffix('/').unwrap_or(path).as_bytes();
    let mut key = Vec::with_capacity(url.len());
    key.extend_from_slice(path);
    for at in memchr_iter(b'%', path).take_while(|at| at + 2 < path.len()) {
        key[at + 1..at + 3].make_ascii_lowercase();
    }
    key.extend_from_slice(query.as_bytes());
    String::from_utf8(key).expect("nothing but ASCII letters was changed")
}

/// The URL that `href` refers to on the page at `url`.
fn join_unmirrored(url: Option<&PageUrl>, href: &str) -> Option<String> {
    urls::join(url, &unmirrored(href)).map(Cow::into_owned)
}

/// HTTrack stores `/?p=217` as `index.html?p=217.html`, with the `?` escaped in links: restores the original URL.
fn unmirrored(href: &str) -> Cow<'_, str> {
    let (path, fragment) = href.split_once('#').map_or((href, None), |(path, fragment)| (path, Some(fragment)));
    if !path.ends_with(".html") {
        return Cow::Borrowed(href);
    }
    let escaped = path.find("%3F").or_else(|| path.find("%3f"));
    let Some(at) = escaped.filter(|&at| !path.contains('?') && path[at + 3..].contains('=')) else {
        return Cow::Borrowed(href);
    };
    let query = path[at + 3..].strip_suffix(".html").unwrap_or_default();
    let file = path[..at].strip_suffix("index.html").unwrap_or(&path[..at]);
    let fragment = fragment.map_or(String::new(), |fragment| format!("#{fragment}"));
    Cow::Owned(format!("{file}?{query}{fragment}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::PageBuffer;
    use serde_json::{Value, json};
    use std::path::{Path, PathBuf};

    fn judge(html: &[u8], url: &str, known: &Known<'_>, sources: Sources) -> Finding {
        let judge = Judge { sources, switchers: None };
        judge.judge(&mut PageReader::new(html, PageBuffer::default()), PageUrl::parse(url).as_ref(), known).unwrap()
    }

    fn fixtures() -> Vec<PathBuf> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/switchers");
        let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let mut files: Vec<PathBuf> =
            entries.filter(|path| path.extension().is_some_and(|ext| ext == "html")).collect();
        files.sort();
        files
    }

    fn shown(finding: &Finding) -> Value {
        let pairs =
            finding.translations.iter().map(|t| json!([t.language, t.language_raw, t.href])).collect::<Vec<_>>();
        json!({
            "language": finding.language.as_ref().map(|language| language.tag.as_str()),
            "language_source": finding.language.as_ref().map(|language| language.source),
            "kinds": finding.switchers.iter().map(|found| found.kind.as_str()).collect::<Vec<_>>(),
            "source": finding.translations.first().map(|t| t.source.clone()),
            "translations": pairs,
        })
    }

    /// Every kind and variant of switcher, including broken ones: pages with their expected results.
    #[test]
    fn fixture_pages_give_their_expected_findings() {
        let files = fixtures();
        assert!(files.len() > 40);
        for file in files {
            let html = std::fs::read(&file).unwrap();
            let mut want: Value = serde_json::from_slice(&std::fs::read(file.with_extension("json")).unwrap()).unwrap();
            let url = want["url"].as_str().unwrap().to_owned();
            let map = want.as_object_mut().unwrap();
            map.retain(|key, _| key != "about" && key != "url");
            let got = shown(&judge(&html, &url, &Known::default(), Sources::ALL));
            assert_eq!(got, want, "{}", file.display());
        }
    }

    /// The evidence of a page does not depend on how its bytes arrive, and truncated pages are not errors.
    #[test]
    fn any_cut_of_a_page_is_read() {
        for file in fixtures() {
            let html = std::fs::read(&file).unwrap();
            for end in (0..html.len()).step_by(7) {
                judge(&html[..end], "https://site.example/en/about/", &Known::default(), Sources::ALL);
            }
        }
    }

    const PAGE: &[u8] = br#"<html lang="de-DE"><head><meta property="og:locale" content="it_IT">
        <link rel="alternate" hreflang="de" href="/de/a/"><link rel="alternate" hreflang="en" href="/en/a/">
        </head><body><ul><li class="lang-item lang-item-de current-lang"><a hreflang="de-AT" href="/de/a/">De</a></li>
        <li class="lang-item lang-item-fr"><a hreflang="fr" href="/fr/a/">Fr</a></li></ul>"#;

    fn own_by(list: &str, known: &Known<'_>) -> String {
        let finding = judge(PAGE, "https://x.example/de/a/", known, Sources::parse(list).unwrap());
        let languages = finding.translations.iter().map(|t| t.language_raw.clone().unwrap().to_string());
        let own = finding.language.map_or("none".to_owned(), |own| format!("{} {}", own.tag, own.source));
        format!("{own}: {}", languages.collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn sources_restrict_and_never_reorder() {
        let rest = Known { language: Some("nl_NL"), language_source: Some("rest"), ..Known::default() };
        assert_eq!(own_by("rest,hreflang,switcher,html", &rest), "nl-NL rest: en");
        assert_eq!(own_by("switcher,html,hreflang,rest", &Known { translations: true, ..rest }), "nl-NL rest: ");
        assert_eq!(own_by("html,hreflang", &rest), "de-DE html: en");
        assert_eq!(own_by("hreflang", &rest), "de hreflang: en");
        assert_eq!(own_by("switcher", &rest), "de-AT switcher: fr");
        let hint = Known { language: Some("pt_BR"), language_source: Some("yoast"), ..Known::default() };
        assert_eq!(own_by("html", &hint), "de-DE html: ");
        assert_eq!(own_by("rest", &hint), "pt-BR yoast: ");
        assert!(Sources::parse("rest,head").unwrap_err().contains("\"head\""));
    }

    #[test]
    fn the_body_is_read_only_when_the_head_does_not_answer() {
        assert!(!judge(PAGE, "https://x.example/de/a/", &Known::default(), Sources::ALL).body_read);
        let known = Known { translations: true, ..Known::default() };
        assert!(!judge(b"<html lang=fr><body>", "https://x.example/", &known, Sources::ALL).body_read);
        assert!(judge(b"<html lang=fr><body>", "https://x.example/", &Known::default(), Sources::ALL).body_read);
        let no_switcher = Sources { switcher: false, ..Sources::ALL };
        assert!(!judge(b"<html lang=fr><body>", "https://x.example/", &Known::default(), no_switcher).body_read);
    }

    #[test]
    fn a_self_hreflang_wins_only_over_another_language() {
        let page = |html: &str| {
            format!(
                "<html lang={html}><link rel=alternate hreflang=pt href=/a/><link rel=alternate hreflang=en href=/b/>"
            )
        };
        let own = |html: &str| {
            let finding = judge(page(html).as_bytes(), "http://x.example/a", &Known::default(), Sources::ALL);
            (finding.language.unwrap().tag.to_string(), finding.contradiction)
        };
        assert_eq!(own("pt_BR"), ("pt-BR".to_owned(), false));
        assert_eq!(own("en-US"), ("pt".to_owned(), true));
        assert_eq!(own("nonsense"), ("pt".to_owned(), false));
    }

    /// A mirror at another host and with relative URLs: the page is recognised by its link.
    #[test]
    fn a_page_is_known_by_any_of_its_addresses() {
        let html = b"<link rel=alternate hreflang=en href=https://live.example/a/><link rel=alternate hreflang=fr href=https://live.example/fr/a/>";
        let hrefs = |own: &[&str]| {
            let finding =
                judge(html, "http://mirror.example/a/index.html", &Known { own, ..Known::default() }, Sources::ALL);
            finding.translations.len()
        };
        assert_eq!(hrefs(&["http://live.example/a/index.html#top"]), 1);
        assert_eq!(hrefs(&[]), 2);
        let canonical = [b"<link rel=canonical href=https://live.example/fr/a/>".as_slice(), html].concat();
        let finding = judge(&canonical, "http://mirror.example/a/", &Known::default(), Sources::ALL);
        assert_eq!(finding.translations.len(), 1);
    }

    #[test]
    fn keys_and_mirrored_names() {
        assert_eq!(page_key("https://A.example/%C3%A9/index.html#x"), page_key("http://A.example/%c3%a9"));
        assert_ne!(page_key("https://a.example/?p=1"), page_key("https://a.example/?p=2"));
        assert_ne!(page_key("https://a.example/Ab"), page_key("https://a.example/ab"));
        assert_eq!(unmirrored("../../index.html%3Fp=217.html"), "../../?p=217");
        assert_eq!(unmirrored("x.html%3flang=fr.html#a"), "x.html?lang=fr#a");
        assert_eq!(unmirrored("/what%3F/a.html"), "/what%3F/a.html");
        assert_eq!(unmirrored("/a%3Fb=c"), "/a%3Fb=c");
    }
}
