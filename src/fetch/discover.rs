//! Finds a site's REST API, and the API's collections of content: posts, pages, media, terms, comments, users.

use super::address::{is_same_site, normalise, origin, with_parameters};
use super::answer::{Answer, Verdict, Want};
use super::log::Gap;
use super::session::{Ask, Session, Stop};
use crate::page::{Head, PageBuffer, read_head};
use crate::urls::{self, PageUrl, percent_decoded};
use crate::wordpress::{is_of_wordpress_com, without_query};
use memchr::memmem;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// Types that are not content: parts of the design (Elementor's too), menus (closed to the public), and core's internal types.
const NO_CONTENT: &str =
    "nav_menu nav_menu_item user_request customize_changeset oembed_cache e-landing-page e-floating-buttons";

/// The API of a site.
#[derive(Clone, Debug)]
pub(super) struct Api {
    /// The root as the site names it: `https://site.example/wp-json/` or `https://site.example/?rest_route=/`.
    pub(super) root: String,
    /// The answer at the root, for the dump.
    pub(super) index: Answer,
}

impl Api {
    /// The URL of a route such as `wp/v2/posts`, with parameters. WordPress.com puts the site between the namespace and the rest.
    pub(super) fn url(&self, route: &str, parameters: &str) -> String {
        let site = self.root.split_once("wp/v2/sites/").filter(|(start, _)| is_of_wordpress_com(start));
        let place = route.match_indices('/').nth(1).map(|(at, _)| route.split_at(at + 1));
        let url = match site.zip(place) {
            Some(((start, site), (namespace, rest))) => format!("{start}{namespace}sites/{site}{rest}"),
            None => format!("{}{route}", self.root),
        };
        with_parameters(&url, parameters)
    }
}

/// The site's front page.
pub(super) struct Home {
    /// Its URL after redirects.
    pub(super) url: String,
    pub(super) head: Head,
    pub(super) body: Vec<u8>,
    /// Whether it is the real page, not an error or a challenge in its place.
    pub(super) is_good: bool,
    /// What its headers state about text and data mining (TDMRep).
    pub(super) tdm_reservation: Option<String>,
    pub(super) tdm_policy: Option<String>,
}

impl Home {
    /// Whether the site still publishes feeds although its API gives this answer: its front page answers, no challenge or login guards the
    /// whole site, and the answer or the page comes from WordPress.
    pub(super) fn may_have_feeds(&self, why: &str) -> bool {
        let is_guarded = why.contains("a challenge") || why.ends_with("a login");
        let has = |what: &str| memmem::find(&self.body, what.as_bytes()).is_some();
        let is_wordpress = || ["application/rss+xml", "/wp-content/", "/wp-includes/"].into_iter().any(has);
        self.is_good && !is_guarded && (why.contains("rest_") || self.head.rest_root.is_some() || is_wordpress())
    }
}

/// A collection of the API.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Collection {
    /// WordPress' name for the type: post, category, user.
    pub(super) r#type: String,
    /// The route of the collection, such as `wp/v2/posts`.
    pub(super) route: String,
    /// The name of its files: posts, posts.fr.
    pub(super) name: String,
    /// The parameter that selects a language, if one is needed.
    pub(super) language: Option<String>,
    pub(super) kind: ItemKind,
    /// Whether the site lists its type, or every WordPress has it: then a missing route is a gap.
    pub(super) is_there: bool,
}

/// The kind of item in a collection, as far as fetching differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ItemKind {
    /// Posts of a type whose posts have pages.
    Post,
    Media,
    Term,
    User,
    Comment,
}

/// Fetches the front page. `Err` is the reason why there is none.
pub(super) fn home(session: &mut Session<'_>, site: &str) -> Result<Result<Home, String>, Stop> {
    let answer = session.ask(&Ask::new(site.to_owned(), Want::Page))?;
    if answer.response.status == 0 {
        return Ok(Err(answer.verdict.error().unwrap_or("no answer").to_owned()));
    }
    let mut head = read_head(answer.response.body.as_slice(), &mut PageBuffer::default()).unwrap_or_default();
    // The header takes precedence: plugins that strip the page leave it.
    head.rest_root = answer.response.link("https://api.w.org/", &answer.url).or(head.rest_root);
    if let Some(what) = answer.verdict.error() {
        session.messages.warn(&format!("the front page: {what}"));
    }
    let header = |name: &str| answer.response.header(name).map(str::to_owned);
    let (tdm_reservation, tdm_policy) = (header("tdm-reservation"), header("tdm-policy"));
    let is_good = answer.verdict == Verdict::Good;
    Ok(Ok(Home { url: answer.url, head, body: answer.response.body, is_good, tdm_reservation, tdm_policy }))
}

/// Finds the API: where the front page states it, else at the usual places. `Err` is the reason why there is none.
pub(super) fn api(session: &mut Session<'_>, home: &Home) -> Result<Result<Api, String>, Stop> {
    let base = base_of(&home.url);
    let stated = home.head.rest_root.as_deref().and_then(|root| urls::join(PageUrl::parse(&home.url).as_ref(), root));
    let mut candidates: Vec<String> =
        stated.and_then(|url| normalise(&url)).or_else(|| of_wordpress_com(&home.url)).into_iter().collect();
    if let Some(root) = candidates.iter().find(|root| !is_same_site(&home.url, root)) {
        session.messages.say(&format!("its API is on another host: {root}"));
        session.hosts.add_api(root);
    }
    for place in ["wp-json/", "index.php/wp-json/", "?rest_route=/"] {
        candidates.push(format!("{base}{place}"));
    }
    let mut seen: Vec<String> = Vec::new();
    let mut why = String::new();
    let is_guess = home.head.rest_root.is_none();
    for root in candidates {
        let root = if root.ends_with('/') { root } else { format!("{root}/") };
        if seen.contains(&root) {
            continue;
        }
        let url =
            with_parameters(&root, "_fields=name,description,url,home,gmt_offset,timezone_string,namespaces,namespace");
        // A maintenance page may replace it for a moment.
        let guesses = is_guess.then_some(if seen.is_empty() { 3 } else { 1 });
        let ask = Ask { guesses, ..Ask::new(url, Want::Json) };
        let answer = session.ask(&ask)?;
        let index: Value = serde_json::from_slice(answer.json()).unwrap_or_default();
        let is_index = index["namespaces"].is_array() || index["namespace"] == "wp/v2";
        match (&answer.verdict, is_index) {
            (Verdict::Good, true) => return Ok(Ok(Api { root, index: answer })),
            // A refusal at one place applies everywhere: another way into the API would circumvent it. Feeds do not circumvent it: they are
            // public.
            (Verdict::Refused(what), _) => return Ok(Err(format!("the API at {root}: {what}"))),
            (verdict, _) => {
                let what = verdict.error().unwrap_or("JSON, but not the index of an API");
                let says_so = if is_guess { "no WordPress here, or its API is switched off" } else { "no API" };
                why = if why.is_empty() { format!("{says_so}: {root}: {what}") } else { why };
            }
        }
        seen.push(root);
    }
    Ok(Err(why))
}

/// The address at which WordPress.com serves the API of a site, whose pages may not state it
/// (<https://developer.wordpress.com/docs/api/getting-started/>).
fn of_wordpress_com(url: &str) -> Option<String> {
    let (scheme, host) = origin(url).split_once("://").filter(|(_, host)| host.ends_with(".wordpress.com"))?;
    Some(format!("{scheme}://public-api.wordpress.com/wp/v2/sites/{host}/"))
}

/// The folder of the front page, ending with a slash.
pub(super) fn base_of(url: &str) -> String {
    let url = without_query(url);
    let url = url.strip_suffix("index.php").unwrap_or(url);
    if url == origin(url) || !url.ends_with('/') { format!("{url}/") } else { url.to_owned() }
}

#[derive(Debug, Deserialize)]
struct Type {
    #[serde(default)]
    rest_base: Value,
    #[serde(default)]
    rest_namespace: Option<String>,
}

/// The collections that the site lists, and those that it does not.
pub(super) struct Listing {
    pub(super) collections: Vec<Collection>,
    /// The types whose route is not a plain path, and is therefore not requested.
    pub(super) odd: Vec<Collection>,
    /// The types that are not content.
    pub(super) left_out: Vec<String>,
    /// How many of the types in `--types` the site does not have.
    pub(super) unknown: u64,
    /// The answers that list types and taxonomies, for the dump.
    pub(super) answers: Vec<(&'static str, Answer)>,
}

/// Asks which collections there are; if the site does not answer, assumes those of every WordPress.
pub(super) fn collections(session: &mut Session<'_>, api: &Api) -> Result<Listing, Stop> {
    let mut listing =
        Listing { collections: Vec::new(), odd: Vec::new(), left_out: Vec::new(), unknown: 0, answers: Vec::new() };
    for (name, is_taxonomy) in [("types", false), ("taxonomies", true)] {
        let answer = session.ask(&Ask::new(api.url(&format!("wp/v2/{name}"), ""), Want::Json))?;
        let types: BTreeMap<String, Type> = serde_json::from_slice(answer.json()).unwrap_or_default();
        if types.is_empty() {
            let what = answer.verdict.error().unwrap_or("an empty list");
            session.messages.warn(&format!("{name}: {what}: those of every WordPress are asked for"));
            let usual: &[(&str, &str)] = if is_taxonomy {
                &[("category", "categories"), ("post_tag", "tags")]
            } else {
                &[("post", "posts"), ("page", "pages"), ("attachment", "media")]
            };
            let usual = usual.iter().map(|(slug, base)| collection(slug, base, "wp/v2", is_taxonomy));
            listing.collections.extend(usual.map(|collection| Collection { is_there: false, ..collection }));
            continue;
        }
        for (slug, r#type) in types {
            let base = r#type.rest_base.as_str().filter(|base| !base.is_empty()).unwrap_or(&slug).to_owned();
            let namespace = r#type.rest_namespace.as_deref().unwrap_or("wp/v2");
            let is_plain = is_route(&base) && is_route(namespace);
            let list = if is_plain { &mut listing.collections } else { &mut listing.odd };
            list.push(collection(&slug, &base, namespace, is_taxonomy));
        }
        listing.answers.push((name, answer));
    }
    listing.collections.push(Collection { kind: ItemKind::User, ..collection("user", "users", "wp/v2", false) });
    listing
        .collections
        .push(Collection { kind: ItemKind::Comment, ..collection("comment", "comments", "wp/v2", false) });
    choose(session, &mut listing)?;
    Ok(listing)
}

fn collection(slug: &str, base: &str, namespace: &str, is_taxonomy: bool) -> Collection {
    let kind = match slug {
        _ if is_taxonomy => ItemKind::Term,
        "attachment" => ItemKind::Media,
        _ => ItemKind::Post,
    };
    Collection {
        r#type: slug.to_owned(),
        route: format!("{namespace}/{base}"),
        name: base.to_owned(),
        language: None,
        kind,
        is_there: true,
    }
}

/// Whether this is a plain path below the root, without regular expressions, `.` and `..`.
fn is_route(path: &str) -> bool {
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '~' | '%');
    path.split('/').all(|part| !part.is_empty() && part != "." && part != ".." && part.chars().all(is_plain))
}

/// Keeps the collections that `--types` names, by type or by route; without it, all that are content.
fn choose(session: &mut Session<'_>, listing: &mut Listing) -> Result<(), Stop> {
    let types = &session.options().types;
    let Listing { collections, odd, left_out, unknown, .. } = listing;
    if types.is_empty() {
        let is_content = |collection: &Collection| {
            let slug = collection.r#type.as_str();
            !["wp_", "elementor_"].iter().any(|start| slug.starts_with(start))
                && NO_CONTENT.split(' ').all(|kept| kept != slug)
        };
        let all = collections.iter().chain(&*odd);
        left_out.extend(all.filter(|collection| !is_content(collection)).map(|collection| collection.r#type.clone()));
        collections.retain(is_content);
        odd.retain(is_content);
        return Ok(());
    }
    for name in types {
        if !collections.iter().chain(&*odd).any(|collection| collection.is_named(name)) {
            let known: Vec<&str> = collections.iter().map(|collection| collection.r#type.as_str()).collect();
            let error = format!("--types: the site has no such type, but {}", known.join(", "));
            session.gap(&Gap { r#type: name.clone(), what: "all".to_owned(), error, ..Gap::default() })?;
            *unknown += 1;
        }
    }
    let is_chosen = |collection: &Collection| types.iter().any(|name| collection.is_named(name));
    collections.retain(is_chosen);
    odd.retain(is_chosen);
    Ok(())
}

impl Collection {
    /// The collection whose files have this name, which the site does not list.
    pub(super) fn unlisted(name: &str) -> Self {
        let base = percent_decoded(name).unwrap_or_else(|| name.to_owned());
        Collection { is_there: false, ..collection(&base, &base, "wp/v2", false) }
    }

    /// The same collection, requested in a language.
    pub(super) fn in_language(&self, code: &str) -> Self {
        Collection { name: format!("{}.{code}", self.name), language: Some(code.to_owned()), ..self.clone() }
    }

    fn is_named(&self, name: &str) -> bool {
        self.r#type == name || self.name == name || (name == "tag" && self.r#type == "post_tag")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_route_is_a_plain_path() {
        for good in ["posts", "wc/v3", "my-type_2", "livre-à-lire"] {
            assert!(is_route(good), "{good}");
        }
        for bad in ["", "../x", "a//b", "/a", "fonts/(?P<id>[0-9]+)", "a?b", "a b", "a/..", "a#b"] {
            assert!(!is_route(bad), "{bad}");
        }
    }

    #[test]
    fn the_base_of_a_site_is_the_folder_of_its_front_page() {
        for (url, base) in [
            ("https://a.example", "https://a.example/"),
            ("https://a.example/blog", "https://a.example/blog/"),
            ("https://a.example/blog/index.php?x", "https://a.example/blog/"),
        ] {
            assert_eq!(base_of(url), base);
        }
    }
}
