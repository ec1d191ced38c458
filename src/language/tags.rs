//! Parses language tags: turns what sites write (`pt_BR`, `iw`, `de_DE_formal`, `zh-hant`) into the canonical form of
//! BCP 47. [`super::evidence`] decides where to find a tag and whether to believe it.

use crate::urls::QuickMap;
use icu_locale::subtags::{Language, Script};
use icu_locale::{LanguageIdentifier, Locale, LocaleCanonicalizer, LocaleExpander};
use std::cell::RefCell;
use std::fmt;

/// A language tag in the canonical form of [BCP 47](https://www.rfc-editor.org/info/bcp47) and UTS 35: `pt-BR`,
/// `zh-Hant`, `de-DE-formal`. Its language is registered and never `und`, `mul`, `zxx` or `x-…`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct LanguageTag(String);

thread_local! {
    // These are views of tables in the program, which cost next to nothing to create. They are not Sync, so each thread
    // has its own.
    static CANONICALIZER: LocaleCanonicalizer = const { LocaleCanonicalizer::new_extended() };
    static EXPANDER: LocaleExpander = const { LocaleExpander::new_extended() };
    /// Texts parsed before: a site writes the same few tags on all its pages.
    static READ: RefCell<QuickMap<String, Option<LanguageTag>>> = RefCell::default();
}

fn canonicalize(locale: &mut Locale) {
    CANONICALIZER.with(|canonicalizer| canonicalizer.canonicalize(locale));
}

/// Adds the likely language, script and region; a tag that CLDR does not know is unchanged.
fn maximize(id: &mut LanguageIdentifier) {
    EXPANDER.with(|expander| expander.maximize(id));
}

/// The length of the longest text that is parsed; locales with extensions are much shorter.
const LONGEST: usize = 60;

/// The number of remembered texts: enough for the switchers of some sites, a few 100 KB.
const REMEMBERED: usize = 1024;

/// Country codes that sites write for the language spoken there. Only codes that are not languages themselves (`se` and
/// `br` are), and only if the intended language is beyond doubt.
const COUNTRY_FOR_LANGUAGE: [(&str, &str); 6] =
    [("ua", "uk"), ("jp", "ja"), ("cz", "cs"), ("gr", "el"), ("dk", "da"), ("cn", "zh")];

/// Registered codes that CLDR would replace by a macrolanguage or a close relative. BCP 47 keeps them, and WordPress
/// has locales for several (kmr, ory, fuc, twd): normalisation must not change a record's language.
const KEPT: &str = "bh tw ajp ajt aju als arb ayr azj bcc bcl bxk bxr cld cmn cwd dek dgo dhd dik diq ekk emk esk fuc \
    gaz gbo gno gom gug gya hdn hea him ike kgm khk kmr knc kng kpv lak lbk lvs mhr mrd mup nom npi nte ojg ory pbu \
    pes plt pmk pnb prp quz rmy shl smd snb spy src swh szd tmk tpw ttq umu uzn xpe xsl xss ydd yol zai zkb zsm zyb";

/// The script that is implied, by language: `Suppress-Script` of the IANA language subtag registry.
const SUPPRESSED_SCRIPTS: [(&str, &str); 26] = [
    ("Cyrl", "ab be bg kk mk ru uk"),
    (
        "Latn",
        "af ay bs ca ch cs cy da de en eo es et eu fi fj fo fr fy ga gl gn gv hr ht hu id in is it kl la lb ln lt lv \
         mg mh mo ms mt na nb nd nl nn no nr ny om pl pt qu rm rn ro rw sg sk sl sm so sq ss st sv sw tl tn to tr ts \
         ve vi xh zu dsb frr frs gsw hsb men nds niu nso tem tkl tmh tpi tvl fil",
    ),
    ("Ethi", "am ti"),
    ("Arab", "ar fa ps ur"),
    ("Beng", "as bn"),
    ("Thaa", "dv"),
    ("Tibt", "dz"),
    ("Grek", "el"),
    ("Gujr", "gu"),
    ("Hebr", "he iw yi"),
    ("Deva", "hi mr ne kok mai"),
    ("Armn", "hy"),
    ("Jpan", "ja"),
    ("Geor", "ka"),
    ("Khmr", "km"),
    ("Knda", "kn"),
    ("Kore", "ko"),
    ("Laoo", "lo"),
    ("Mlym", "ml"),
    ("Mymr", "my"),
    ("Orya", "or"),
    ("Guru", "pa"),
    ("Sinh", "si"),
    ("Taml", "ta"),
    ("Telu", "te"),
    ("Thai", "th"),
];

/// Languages written with a prefix language (BCP 47, extlang): `zh-yue` is `yue`.
const EXTENDED_BY: &str = "zh ar ms sw uz lv kok sgn";

impl LanguageTag {
    /// Parses a tag as plugins, themes and locales write it. Returns `None` for anything that is not a language:
    /// `x-default`, words (`english`), unregistered codes, `und`. Locale suffixes that are not subtags are dropped
    /// (`ja_JP_mac`).
    pub(crate) fn parse(raw: &str) -> Option<Self> {
        let raw = raw.trim();
        if raw.len() < 2 || raw.len() > LONGEST || !raw.is_ascii() {
            return None;
        }
        if let Some(known) = READ.with_borrow(|read| read.get(raw).cloned()) {
            return known;
        }
        let tag = Self::read(raw);
        READ.with_borrow_mut(|read| {
            if read.len() >= REMEMBERED {
                read.clear();
            }
            read.insert(raw.to_owned(), tag.clone());
        });
        tag
    }

    fn read(raw: &str) -> Option<Self> {
        let (tag, modifier) = raw.split_once('@').unwrap_or((raw, ""));
        let tag = tag.split_once('.').map_or(tag, |(tag, _charset)| tag);
        let lower = tag.to_ascii_lowercase();
        let mut subtags = lower.split(['-', '_']).peekable();
        let written = language(&mut subtags)?;
        let mut text = written.to_owned();
        append_rest(&mut text, subtags)?;
        append_modifier(&mut text, &modifier.to_ascii_lowercase());
        let mut locale: Locale = text.parse().ok()?;
        canonicalize(&mut locale);
        if KEPT.split(' ').any(|kept| kept == written) {
            locale.id.language = written.parse().ok()?;
        }
        drop_suppressed_script(&mut locale.id);
        Some(LanguageTag(locale.to_string()))
    }

    /// The tag.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// The primary language subtag: `pt` of `pt-BR`.
    pub(crate) fn primary(&self) -> &str {
        self.0.split('-').next().unwrap_or(&self.0)
    }

    /// Whether both have the same primary language: `pt` and `pt-BR`, `en-US` and `en-GB`.
    pub(crate) fn same_language(&self, other: &LanguageTag) -> bool {
        self.primary() == other.primary()
    }

    /// Whether this tag is a more specific form of `other`: `pt-BR` of `pt`.
    pub(crate) fn refines(&self, other: &LanguageTag) -> bool {
        self.0.strip_prefix(other.as_str()).is_some_and(|rest| rest.starts_with('-'))
    }
}

impl fmt::Display for LanguageTag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The registered primary language at the start of `subtags`; an extlang replaces its prefix.
fn language<'a>(subtags: &mut std::iter::Peekable<impl Iterator<Item = &'a str>>) -> Option<&'a str> {
    let first = subtags.next()?;
    let first = COUNTRY_FOR_LANGUAGE.iter().find(|(country, _)| *country == first).map_or(first, |(_, code)| code);
    if EXTENDED_BY.split(' ').any(|prefix| prefix == first) {
        // zh-min-nan is grandfathered: min is not a language here
        subtags.next_if_eq(&"min");
        if let Some(extended) = subtags.next_if(|next| next.len() == 3 && is_language(next)) {
            return Some(if extended == "cmn" { "zh" } else { extended });
        }
    }
    is_language(first).then_some(first)
}

/// Whether ISO 639 and CLDR know the code as a written language, excluding collections (`art`, `ber`) and special codes
/// (`und`, `mul`).
fn is_language(code: &str) -> bool {
    if !matches!(code.len(), 2 | 3) || !code.bytes().all(|byte| byte.is_ascii_lowercase()) || code == "und" {
        return false;
    }
    let Ok(language) = code.parse::<Language>() else {
        return false;
    };
    let mut locale = Locale { id: language.into(), extensions: Default::default() };
    canonicalize(&mut locale);
    maximize(&mut locale.id);
    locale.id.script.is_some()
}

/// Appends script, region, variants and extensions; `None` if the text after the language consists of other words.
fn append_rest<'a>(text: &mut String, subtags: impl Iterator<Item = &'a str>) -> Option<()> {
    let (mut place, mut recognised) = (0, false);
    let mut subtags = subtags.peekable();
    while let Some(subtag) = subtags.next() {
        let subtag = match subtag {
            "ao90" => "ao1990",
            "uk" => "gb",
            "oed" => "oxendict",
            other => other,
        };
        let Some(now) = place_of(subtag) else {
            // en-home: not a tag; zh-hant-old, ja-jp-mac: a tag with the site's own suffix
            return recognised.then_some(());
        };
        if now < place || (now == place && now < VARIANT) {
            return recognised.then_some(());
        }
        if now == EXTENSION {
            let mut longer = format!("{text}-{subtag}");
            subtags.by_ref().for_each(|rest| longer.extend(["-", rest]));
            if longer.parse::<Locale>().is_ok() {
                *text = longer;
            }
            return Some(());
        }
        text.extend(["-", subtag]);
        (place, recognised) = (now, true);
    }
    Some(())
}

const VARIANT: u8 = 3;
const EXTENSION: u8 = 4;

/// The kind of subtag this can be after the language: 1 script, 2 region, 3 variant, 4 start of an extension.
fn place_of(subtag: &str) -> Option<u8> {
    let bytes = subtag.as_bytes();
    let digit_first = bytes.first()?.is_ascii_digit();
    let alphanumeric = bytes.iter().all(u8::is_ascii_alphanumeric);
    match bytes.len() {
        1 if alphanumeric => Some(EXTENSION),
        2 => bytes.iter().all(u8::is_ascii_alphabetic).then_some(2),
        3 if bytes.iter().all(u8::is_ascii_digit) => Some(2),
        4 if digit_first && alphanumeric => Some(VARIANT),
        4 => is_script(subtag).then_some(1),
        5..=8 if alphanumeric => Some(VARIANT),
        _ => None,
    }
}

fn is_script(subtag: &str) -> bool {
    // some tables have no language for zh-Hans and zh-Hant, but one for all others
    let Ok(script) = subtag.parse::<Script>() else {
        return false;
    };
    let mut id = LanguageIdentifier { script: Some(script), ..LanguageIdentifier::UNKNOWN };
    maximize(&mut id);
    !id.language.is_unknown()
}

/// POSIX modifiers: `sr@latin`, `ca@valencia`; the others (`de@euro`) do not concern the language.
fn append_modifier(text: &mut String, modifier: &str) {
    let script = match modifier {
        "latin" | "latn" => "Latn",
        "cyrillic" | "cyrl" => "Cyrl",
        "arabic" => "Arab",
        "devanagari" => "Deva",
        "valencia" => return text.push_str("-valencia"),
        _ => return,
    };
    let language_end = text.find('-').unwrap_or(text.len());
    let has_script = text[language_end..].split('-').nth(1).is_some_and(|next| next.len() == 4);
    if !has_script {
        text.insert_str(language_end, &format!("-{script}"));
    }
}

/// `en-Latn-US` is `en-US` (BCP 47 section 4.1: a suppressed script should not be used).
fn drop_suppressed_script(id: &mut LanguageIdentifier) {
    let Some(script) = id.script else { return };
    let language = id.language.as_str();
    let mut suppressed = SUPPRESSED_SCRIPTS.iter().filter(|(name, _)| *name == script.as_str());
    if suppressed.any(|(_, languages)| languages.split(' ').any(|code| code == language)) {
        id.script = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tag(raw: &str) -> String {
        LanguageTag::parse(raw).map_or_else(|| "none".to_owned(), |tag| tag.to_string())
    }

    /// Expected values are those of langcodes 3.5 `standardize_tag`, where it accepts the tag.
    #[test]
    fn canonical_form_of_what_sites_write() {
        let cases = "pt_BR pt-BR|iw he|de_DE_formal de-DE-formal|zh-hant zh-Hant|zh_CN zh-CN|en_us en-US|en-UK en-GB|\
            eng_US en-US|mo ro|tl fil|tl_PH fil-PH|sh sr-Latn|no no|nb-NO nb-NO|zh-min-nan nan|zh-cmn-Hans zh-Hans|\
            en-Latn-US en-US|arb arb|cmn cmn|zh-TW zh-TW|sr-Latn-RS sr-Latn-RS|es-419 es-419|ckb ckb|kmr kmr|\
            prs fa-AF|tuk tk|bel be|fuc fuc|ory ory|in id|ji yi|jw jv|gsw gsw|de-1996 de-1996|tw tw|aka ak|bre br|\
            en-GB-oed en-GB-oxendict|fr-FR-u-nu-latn fr-FR-u-nu-latn|uz-UZ uz-UZ|ar ar|zh-HK zh-HK|SR-cyrl sr-Cyrl";
        for case in cases.split('|') {
            let (raw, want) = case.trim().split_once(' ').unwrap();
            assert_eq!(tag(raw), want, "{raw}");
        }
    }

    #[test]
    fn locales_that_are_no_tags_by_themselves() {
        let cases = "pt_PT_ao90 pt-PT-ao1990|sr@latin sr-Latn|sr_RS@latin sr-Latn-RS|uz@cyrillic uz-Cyrl|ua uk|ua-UA uk-UA|\
            jp ja|ca@valencia ca-valencia|ca_ES@valencia ca-ES-valencia|de_DE@euro de-DE|en_US.UTF-8 en-US|\
            ja_JP_mac ja-JP|zh-hant-old zh-Hant|de_CH_informal de-CH-informal|zh-yue yue";
        for case in cases.split('|') {
            let (raw, want) = case.trim().split_once(' ').unwrap();
            assert_eq!(tag(raw), want, "{raw}");
        }
        assert_eq!(tag("  fr "), "fr");
    }

    #[test]
    fn rubbish_is_no_language() {
        for raw in [
            "",
            "x",
            "x-default",
            "x_default",
            "english",
            "francais",
            "und",
            "mul",
            "zxx",
            "zz",
            "12",
            "2",
            "first",
            "art",
            "en-",
            "en--us",
            "en-home",
            "français",
            "legacy-list-horizontal",
            "i-klingon",
            "-fr",
            "{code}",
            "en us",
            "../en",
            "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        ] {
            assert_eq!(tag(raw), "none", "{raw}");
        }
    }

    #[test]
    fn tags_are_compared_by_their_language() {
        let parse = |raw| LanguageTag::parse(raw).unwrap();
        assert!(parse("pt").same_language(&parse("pt_BR")));
        assert!(!parse("pt").same_language(&parse("ptt")));
        assert!(parse("pt_BR").refines(&parse("pt")));
        assert!(!parse("pt").refines(&parse("pt")));
        assert!(!parse("ptt").refines(&parse("pt")));
        assert_eq!(parse("zh-hant-TW").primary(), "zh");
    }

    /// A canonical tag is its own canonical form: normalising twice changes nothing.
    #[test]
    fn parsing_is_idempotent() {
        for raw in ["pt_BR", "sr@latin", "de_DE_formal", "pt_PT_ao90", "kmr", "zh-hant-old", "en-GB-oed"] {
            assert_eq!(tag(&tag(raw)), tag(raw));
        }
    }
}
