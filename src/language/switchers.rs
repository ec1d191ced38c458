//! Recognises language switchers by tables (`switchers.toml`, a user's own file), and lists what these find in a page.
//! [`super::evidence`] draws the conclusions; [`crate::page`] matches the selectors.

use super::code::{Code, CodeSource, Of};
use super::tables::{SwitchersError, Table, tables, unusable};
use super::tags::LanguageTag;
use crate::page::{Event, Prefilter, Selectors, StartTag, Wanted, below, select};
use std::collections::HashSet;
use std::sync::LazyLock;
use toml::Spanned;

/// Up to this number, the items of a switcher are compared with each other; more are put into a set.
const FEW: usize = 32;

/// One language in a switcher.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Item {
    /// The URL as written, without parameters that do not belong to it; `None` if it cannot be followed.
    pub(crate) href: Option<String>,
    /// The language.
    pub(crate) language: Option<LanguageTag>,
    /// The language as written; `None` if no tag was found.
    pub(crate) language_raw: Option<String>,
    /// Whether the switcher marks it as the language of the page.
    pub(crate) current: bool,
    /// Whether the switcher marks the page as untranslated into it.
    pub(crate) untranslated: bool,
}

/// The languages that one kind of switcher shows on a page. Several switchers of a kind are one finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SwitcherFinding {
    /// The name of the kind.
    pub(crate) kind: String,
    /// Whether all languages of a post share one id with this plugin.
    pub(crate) shared_ids: bool,
    /// The languages, in document order.
    pub(crate) items: Vec<Item>,
}

/// The kinds of switchers to look for.
pub struct Switchers {
    kinds: Vec<SwitcherKind>,
    selectors: Selectors,
    /// Selectors that show which kinds a page may contain: those of the items, then those of roots with a code.
    prefilter: Prefilter,
    /// How many kinds, from the first, are the user's.
    own: usize,
}

struct SwitcherKind {
    name: String,
    href: String,
    strip: Vec<String>,
    shared_ids: bool,
    roles: Vec<(Wanted, Role)>,
    sources: Vec<CodeSource>,
}

/// The role of a matched element in its switcher. Events for the same element arrive in this order.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Root,
    Item,
    Link,
    Current,
    Untranslated,
    /// An element below the item with the code, and the number of the source.
    Inside(usize),
}

const BUILTIN: &str = include_str!("switchers.toml");

impl Switchers {
    /// The built-in kinds.
    pub(crate) fn builtin() -> &'static Self {
        static COMPILED: LazyLock<Switchers> =
            LazyLock::new(|| Switchers::from_toml(BUILTIN).expect("the tests compile this table"));
        &COMPILED
    }

    /// The kinds in a user's file only; the top of `switchers.toml` describes the format.
    pub(crate) fn from_toml(text: &str) -> Result<Self, SwitchersError> {
        Self::compile(&tables(text)?, text)
    }

    /// The kinds in a user's file before the built-in ones; a kind with the same name replaces the built-in one.
    pub(crate) fn with_builtin(text: &str) -> Result<Self, SwitchersError> {
        let own = tables(text)?;
        // checked separately first, so that positions in messages are those in the user's file
        Self::compile(&own, text)?;
        let replaced = |table: &Table| own.iter().any(|mine| mine.name.get_ref() == table.name.get_ref());
        let builtin: Vec<Table> = tables(BUILTIN)?.into_iter().filter(|table| !replaced(table)).collect();
        let all: Vec<Table> = own.iter().cloned().chain(builtin).collect();
        Ok(Switchers { own: own.len(), ..Self::compile(&all, text)? })
    }

    /// Whether a kind is one of the user's.
    pub(crate) fn is_own(&self, kind: &str) -> bool {
        self.kinds[..self.own].iter().any(|own| own.name == kind)
    }

    fn compile(tables: &[Table], text: &str) -> Result<Self, SwitchersError> {
        let (mut kinds, mut selectors, mut places) = (Vec::new(), Vec::new(), Vec::new());
        let (mut items, mut roots) = (Vec::new(), Vec::new());
        for table in tables {
            let mut kind = SwitcherKind::new(table, text)?;
            if let Some(root) = &table.root {
                // separately first: joined with the item's selector, an error would be reported at the item
                Selectors::parse([root.get_ref().as_str()])
                    .map_err(|(_, why)| unusable(text, root.span().start, &why))?;
            }
            for (role, place, selector) in table.selectors(&kind) {
                let of_text = matches!(role, Role::Inside(at) if kind.sources[at].is_text());
                let of_item =
                    role == Role::Item && kind.sources.iter().any(|source| source.is_text() && source.of == Of::Item);
                kind.roles.push((Wanted { selector: selectors.len(), text: of_text || of_item }, role));
                if role == Role::Item {
                    items.push(selector.clone());
                }
                selectors.push(selector);
                places.push(place);
            }
            let root = table.root.as_ref().filter(|_| kind.sources.iter().any(|source| source.of == Of::Root));
            roots.extend(root.map(|root| root.get_ref().clone()).or_else(|| items.last().cloned()));
            kinds.push(kind);
        }
        let selectors = Selectors::parse(selectors.iter().map(String::as_str))
            .map_err(|(at, why)| unusable(text, places[at], &why))?;
        let prefilter = Prefilter::new(items.iter().chain(&roots).map(String::as_str));
        Ok(Switchers { kinds, selectors, prefilter, own: 0 })
    }

    /// The switchers of a page in the order of the kinds, without empty ones.
    pub(crate) fn scan(&self, html: &str) -> Vec<SwitcherFinding> {
        let seen = self.prefilter.look(html.as_bytes());
        let present = seen.present();
        let mut roles = vec![None; self.kinds.iter().map(|kind| kind.roles.len()).sum()];
        let mut wanted = Vec::new();
        for (number, kind) in self.kinds.iter().enumerate().filter(|(number, _)| present[*number]) {
            for &(want, role) in &kind.roles {
                roles[want.selector] = Some((number, role));
                wanted.push(want);
            }
        }
        if wanted.is_empty() {
            return Vec::new();
        }
        // no switcher begins after the last of them: pages with switchers at the top are not read to their end
        let until = seen.last(|number| present[number % self.kinds.len()]);
        let mut readings: Vec<SwitcherState> = self.kinds.iter().map(|_| SwitcherState::default()).collect();
        select(html, &self.selectors, &wanted, until, |selector, event| {
            let (number, role) = roles[selector].expect("only wanted selectors are reported");
            readings[number].see(&self.kinds[number], role, event);
        });
        let findings = self.kinds.iter().zip(readings).map(|(kind, reading)| reading.finish(kind));
        findings.filter(|finding| !finding.items.is_empty()).collect()
    }
}

impl Table {
    /// The selectors of the kind in the order of [`Role`], with their positions in the file.
    fn selectors(&self, kind: &SwitcherKind) -> Vec<(Role, usize, String)> {
        let root = self.root.as_ref().map_or("", |root| root.get_ref());
        let item = below(root, self.item.get_ref());
        let mut found = Vec::new();
        if let Some(root) = self.root.as_ref().filter(|_| kind.sources.iter().any(|source| source.of == Of::Root)) {
            found.push((Role::Root, root.span().start, root.get_ref().clone()));
        }
        found.push((Role::Item, self.item.span().start, item.clone()));
        let mut push = |role, selector: Option<&Spanned<String>>, above: &str| {
            found.extend(selector.map(|text| (role, text.span().start, below(above, text.get_ref()))));
        };
        push(Role::Link, self.link.as_ref(), &item);
        push(Role::Current, self.current.as_ref(), root);
        push(Role::Untranslated, self.untranslated.as_ref(), root);
        for (at, (table, source)) in self.code.iter().zip(&kind.sources).enumerate() {
            if source.of == Of::Inside {
                push(Role::Inside(at), Some(&table.get_ref().of), &item);
            }
        }
        found
    }
}

impl SwitcherKind {
    fn new(table: &Table, text: &str) -> Result<Self, SwitchersError> {
        let sources = table.code.iter().map(|code| {
            CodeSource::new(code.get_ref()).map_err(|what| SwitchersError::at(text, code.span().start, what))
        });
        Ok(SwitcherKind {
            name: table.name.get_ref().clone(),
            href: table.href.clone(),
            strip: table.strip.clone(),
            shared_ids: table.shared_ids,
            roles: Vec::new(),
            sources: sources.collect::<Result<_, _>>()?,
        })
    }

    /// Whether the item itself is the link.
    fn item_is_link(&self) -> bool {
        !self.roles.iter().any(|(_, role)| *role == Role::Link)
    }
}

/// The state of reading one kind of switcher.
#[derive(Default)]
struct SwitcherState {
    items: Vec<ItemReading>,
    roots: Vec<Code>,
}

#[derive(Default)]
struct ItemReading {
    start: usize,
    link_start: Option<usize>,
    href: Option<String>,
    current: bool,
    untranslated: bool,
    /// The best code, with the number of its source.
    code: Option<(usize, Code)>,
    text: Vec<(usize, String)>,
}

impl SwitcherState {
    fn see(&mut self, kind: &SwitcherKind, role: Role, event: &Event<'_>) {
        let tag = match event {
            Event::Start(tag) => tag,
            Event::Text(text) => return self.see_text(kind, role, text),
            Event::End(_) => return,
        };
        match role {
            Role::Root => {
                self.roots.extend(kind.sources.iter().filter(|source| source.of == Of::Root).find_map(|s| s.read(tag)));
            }
            Role::Item => {
                self.items.push(ItemReading { start: tag.start(), ..ItemReading::default() });
                self.read_codes(kind, &Of::Item, tag);
                if kind.item_is_link() {
                    self.see_link(kind, tag);
                }
            }
            Role::Link => self.see_link(kind, tag),
            Role::Current => self.mark(tag, |item| item.current = true),
            Role::Untranslated => self.mark(tag, |item| item.untranslated = true),
            Role::Inside(at) => {
                if let Some(item) = self.items.last_mut() {
                    item.offer(at, || kind.sources[at].read(tag));
                }
            }
        }
    }

    fn see_text(&mut self, kind: &SwitcherKind, role: Role, piece: &str) {
        let Some(item) = self.items.last_mut() else { return };
        let sources = kind.sources.iter().enumerate().filter(|(at, source)| {
            source.is_text() && (role == Role::Inside(*at) || role == Role::Item && source.of == Of::Item)
        });
        for (at, _) in sources {
            match item.text.iter_mut().find(|(of, _)| *of == at) {
                Some((_, text)) => text.push_str(piece),
                None => item.text.push((at, piece.to_owned())),
            }
        }
    }

    /// Takes a link of an item; only the first one counts.
    fn see_link(&mut self, kind: &SwitcherKind, tag: &StartTag<'_>) {
        let Some(item) = self.items.last_mut().filter(|item| item.link_start.is_none()) else { return };
        item.link_start = Some(tag.start());
        item.href = tag.attribute(&kind.href).and_then(|href| address(&href, &kind.href, &kind.strip));
        self.read_codes(kind, &Of::Link, tag);
    }

    fn read_codes(&mut self, kind: &SwitcherKind, of: &Of, tag: &StartTag<'_>) {
        let Some(item) = self.items.last_mut() else { return };
        for (at, source) in kind.sources.iter().enumerate().filter(|(_, source)| source.of == *of) {
            item.offer(at, || source.read(tag));
        }
    }

    /// Marks the item whose element or link is `tag`.
    fn mark(&mut self, tag: &StartTag<'_>, mark: impl FnOnce(&mut ItemReading)) {
        let start = tag.start();
        if let Some(item) = self.items.last_mut().filter(|item| item.start == start || item.link_start == Some(start)) {
            mark(item);
        }
    }

    fn finish(self, kind: &SwitcherKind) -> SwitcherFinding {
        let roots = self.roots.into_iter().map(|(language, raw)| Item {
            language: Some(language),
            language_raw: Some(raw),
            current: true,
            ..Item::default()
        });
        let items = self.items.into_iter().map(|item| item.finish(kind));
        let all: Vec<Item> = roots.chain(items).filter(|item| item.href.is_some() || item.language.is_some()).collect();
        // header and footer often show the same switcher
        let mut seen = HashSet::new();
        let first: Vec<bool> = match all.len() {
            // to compare a few is cheaper than to hash them
            ..=FEW => (0..all.len()).map(|at| !all[..at].contains(&all[at])).collect(),
            _ => all.iter().map(|item| seen.insert(item)).collect(),
        };
        let items = all.into_iter().zip(first).filter(|(_, first)| *first).map(|(item, _)| item).collect();
        SwitcherFinding { kind: kind.name.clone(), shared_ids: kind.shared_ids, items }
    }
}

impl ItemReading {
    /// Takes the code of a source, unless an earlier source in the table has given one.
    fn offer(&mut self, source: usize, read: impl FnOnce() -> Option<Code>) {
        if self.code.as_ref().is_none_or(|(best, _)| source < *best)
            && let Some(code) = read()
        {
            self.code = Some((source, code));
        }
    }

    fn finish(mut self, kind: &SwitcherKind) -> Item {
        for (at, text) in std::mem::take(&mut self.text) {
            self.offer(at, || kind.sources[at].read_text(&text));
        }
        let (language, language_raw) = self.code.map(|(_, code)| code).unzip();
        Item { href: self.href, language, language_raw, current: self.current, untranslated: self.untranslated }
    }
}

/// The URL, if it can be followed (it is not a fragment, script or mail address), without the parameters in `strip`.
fn address(href: &str, attribute: &str, strip: &[String]) -> Option<String> {
    let href = href.trim();
    let scheme = href.split_once(':').map_or("", |(scheme, _)| scheme);
    let script =
        ["javascript", "mailto", "tel", "data", "about"].iter().any(|other| scheme.eq_ignore_ascii_case(other));
    // an option's value may be a code ("fr"), which a URL parser would take for a relative URL
    let named = attribute == "href" || href.contains('/') || href.starts_with('?');
    if href.is_empty() || href.starts_with('#') || script || !named {
        return None;
    }
    Some(without_parameters(href, strip))
}

fn without_parameters(href: &str, strip: &[String]) -> String {
    let (rest, fragment) = href.split_once('#').map_or((href, None), |(rest, fragment)| (rest, Some(fragment)));
    let Some((path, query)) = rest.split_once('?').filter(|_| !strip.is_empty()) else { return href.to_owned() };
    let kept: Vec<&str> =
        query.split('&').filter(|pair| !strip.iter().any(|name| pair.split('=').next() == Some(name))).collect();
    let mut url = path.to_owned();
    if !kept.is_empty() {
        url.extend(["?", &kept.join("&")]);
    }
    fragment.iter().for_each(|fragment| url.extend(["#", fragment]));
    url
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A theme's own switcher, as in the man page: adding a kind needs no Rust.
    const OWN: &str = r#"
[[switcher]]
name = "mytheme"
root = "nav.languages"
item = "div"
link = "> a"
href = "data-url"
current = "div.on"
untranslated = "a.off"
strip = ["ref"]
shared_ids = true
code = [
  { of = "b", text = "{code}" },
  { of = "item", id = "l-*-{code}" },
  { of = "link", attribute = "title", pattern = "*({code})" },
]
"#;

    fn item(language: &str, raw: &str, href: Option<&str>) -> Item {
        Item {
            href: href.map(str::to_owned),
            language: LanguageTag::parse(language),
            language_raw: Some(raw.to_owned()),
            ..Item::default()
        }
    }

    #[test]
    fn a_users_kind_reads_a_page() {
        let page = r##"<a data-url="/no/"></a><nav class="x languages"><div class=on id=l-1-en>EN</div>
            <div><a data-url="/fr/a/?ref=1&amp;x=2"><b> F<i>R</i> </b></a><a data-url="/second/">x</a></div>
            <div id=l-2-pt-br><a class=off data-url=/br/>pt</a></div><div><a data-url=/it/ title="Italiano (it)">x</a></div>
            <div><p><a data-url=/deep/>x</a></p></div><div><a data-url=xx><b>no such language</b></a></div></nav>"##;
        let found = Switchers::from_toml(OWN).unwrap().scan(page);
        let want = [
            Item { current: true, ..item("en", "en", None) },
            item("fr", "FR", Some("/fr/a/?x=2")),
            Item { untranslated: true, ..item("pt-br", "pt-br", Some("/br/")) },
            item("it", "it", Some("/it/")),
        ];
        assert_eq!(found, [SwitcherFinding { kind: "mytheme".to_owned(), shared_ids: true, items: want.to_vec() }]);
        assert!(Switchers::builtin().scan(page).is_empty());
    }

    #[test]
    fn a_users_kinds_come_first_and_replace_those_of_the_same_name() {
        let all = Switchers::with_builtin(OWN).unwrap();
        assert_eq!(all.kinds[0].name, "mytheme");
        assert_eq!(all.kinds.len(), Switchers::builtin().kinds.len() + 1);
        let replaced = Switchers::with_builtin("[[switcher]]\nname = 'wpml'\nitem = '.mine'").unwrap();
        assert_eq!(replaced.kinds[0].name, "wpml");
        assert_eq!(replaced.kinds.len(), Switchers::builtin().kinds.len());
        assert!(replaced.scan("<li class='wpml-ls-item wpml-ls-item-fr'><a href=/fr/>x</a>").is_empty());
    }

    #[test]
    fn what_cannot_be_used_is_named_with_its_place() {
        let error = |text: &str| Switchers::with_builtin(text).err().unwrap().to_string();
        let table = |rest: &str| error(&format!("[[switcher]]\nname = 'x'\nitem = 'li'\n{rest}"));
        assert_eq!(table("link = 'a + b'"), "4:8: selector cannot be used: unsupported combinator `+` in selector");
        assert_eq!(
            table("root = 'a:has(b)'"),
            "4:8: selector cannot be used: unsupported pseudo-class or pseudo-element in selector"
        );
        assert_eq!(
            table("code = [{ of = 'item' }]"),
            "4:9: a code needs exactly one of attribute, class, id, file, text"
        );
        assert_eq!(table("code = [{ of = 'item', class = 'x', id = 'y{code}' }]"), "4:9: pattern x lacks {code}");
        let pseudo = "root = 'ul:not(li::marker)'";
        assert_eq!(table(pseudo), "4:8: selector cannot be used: unsupported syntax in selector");
        let two_lines = "code = [{ of = 'item', class = \"x\\ny\" }]";
        assert_eq!(table(two_lines), "4:9: pattern x y lacks {code}");
        assert!(table("colour = 1").starts_with("4:1: unknown field `colour`"), "{}", table("colour = 1"));
        assert!(error("[[switcher]]\nname = 'x'").contains("missing field `item`"));
        assert!(error("[[switcher]\n").starts_with("1:"));
        let twice = "[[switcher]]\nname = 'x'\nitem = 'li'\n[[switcher]]\nname = 'x'\nitem = 'li'";
        assert_eq!(error(twice), "5:8: duplicate switcher name: x");
    }

    #[test]
    fn addresses_are_what_can_be_followed() {
        let of = |href| address(href, "href", &["noredirect".to_owned()]);
        assert_eq!(of(" /a/ ").unwrap(), "/a/");
        assert_eq!(of("/a/?noredirect=x&b#c").unwrap(), "/a/?b#c");
        assert_eq!(of("/a/?noredirect=x#c").unwrap(), "/a/#c");
        for none in
            ["", "#", "#x", "javascript:void(0)", "JavaScript:x", "mailto:a@b", "tel:1", "data:,x", "about:blank"]
        {
            assert_eq!(of(none), None, "{none}");
        }
        assert_eq!(address("fr", "value", &[]), None);
        assert_eq!(address("?lang=fr", "value", &[]).unwrap(), "?lang=fr");
    }
}
