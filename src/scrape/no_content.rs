//! Recognises pages without content of their site, by their heads and URLs: error pages, login forms, files next to the site's
//! pages, and pages that were added by the program that saved the site.

use crate::page::Head;
use crate::wordpress::{is_brought, without_query};

/// Phrases that reveal error pages in titles.
const NOT_FOUND: &[&str] = &[
    "404",
    "not found",
    "nicht gefunden",
    "introuvable",
    "non trouvée",
    "no encontrada",
    "no encontrado",
    "non trovata",
    "não encontrada",
    "niet gevonden",
    "nie znaleziono",
    "не найдена",
    "sayfa bulunamadı",
    "見つかりません",
    "ikke fundet",
    "hittades inte",
    "ei löytynyt",
    "nenalezena",
];

/// The titles that WordPress and its themes give a missing page (`wp_get_document_title()`).
const MISSING: [&str; 18] = [
    "page not found",
    "404 not found",
    "error 404",
    "seite nicht gefunden",
    "page non trouvée",
    "page introuvable",
    "página no encontrada",
    "pagina non trovata",
    "página não encontrada",
    "pagina niet gevonden",
    "nie znaleziono strony",
    "страница не найдена",
    "sayfa bulunamadı",
    "ページが見つかりませんでした",
    "siden ble ikke funnet",
    "siden blev ikke fundet",
    "sidan hittades inte",
    "stránka nenalezena",
];

/// Whether a page is a login form, an error page, or a file that was saved next to the site's pages. The title alone
/// reveals an error page only if the page has no URL of its own and is excluded from search engines, or names no record.
pub(super) fn is_error(head: &Head, location: &str) -> bool {
    let has = |name: &str| head.classes().has(&[name]);
    let is_form = || {
        let path = location.split('?').next().unwrap_or_default();
        let is_script = |rest: &str| {
            let hash = rest.strip_suffix(".html").filter(|hash| hash.len() <= 4);
            rest.starts_with(".php") || hash.is_some_and(|hash| hash.bytes().all(|b| b.is_ascii_hexdigit()))
        };
        let last = path.rsplit('/').next().unwrap_or_default();
        last.strip_prefix("wp-login").is_some_and(is_script)
            || (has("login") && has("wp-core-ui"))
            || path.contains("/wp-admin/")
            // Cloudflare's own pages
            || path.contains("/cdn-cgi/")
    };
    let says_so = |title: &str| NOT_FOUND.iter().any(|words| title.contains(words));
    let is_missing = || {
        let title = head.title.as_deref().filter(|_| head.canonical.is_none()).unwrap_or_default().to_lowercase();
        // WordPress' own title, on themes that give the body no class
        let is_unnamed = || !head.classes().names_kind() && head.shortlink.is_none() && head.json_alternates.is_empty();
        let mut parts = title.split(['|', '–', '—', '-', '»', '«', '›', '·', '•']);
        head.noindex && says_so(&title)
            || head.names_wordpress() && is_unnamed() && parts.any(|part| MISSING.contains(&part.trim()))
    };
    // HTTrack's list of the sites that it saved; HTTrack does not change the generators of saved pages.
    let is_of_httrack = || head.generators.iter().any(|name| name.starts_with("HTTrack Website Copier"));
    let is_answer = || {
        let shows_nothing =
            |of: &str| is_status(of) || is_message(of) || is_challenge(of) || NO_DATABASE.contains(&of.trim());
        !head.names_wordpress() && head.title.as_deref().is_some_and(shows_nothing)
    };
    has("error404")
        || is_form()
        || is_answer()
        || is_missing()
        || is_of_httrack()
        || !head.names_wordpress() && is_file_beside(head, location)
}

/// Titles of pages that Cloudflare, Imunify360 and SiteGround send in place of others to keep programs out, even with status 200.
const CHALLENGES: [&str; 4] =
    ["Just a moment...", "Attention Required! | Cloudflare", "One moment, please...", "Robot Challenge Screen"];

pub(crate) fn is_challenge(title: &str) -> bool {
    CHALLENGES.contains(&title.trim())
}

/// Titles of WordPress without its database (`dead_db()`).
const NO_DATABASE: [&str; 2] = ["Error establishing a database connection", "Database Error"];

/// Titles of servers' error pages (<https://www.rfc-editor.org/rfc/rfc9110#section-15>), including variants.
const STATUS: [&str; 13] = [
    "bad gateway",
    "bad request",
    "forbidden",
    "gateway time-out",
    "gateway timeout",
    "gone",
    "internal server error",
    "not found",
    "request timeout",
    "service temporarily unavailable",
    "service unavailable",
    "too many requests",
    "unauthorized",
];

/// Whether a title is the status of an answer: `502 Bad Gateway`; without the number, only phrases that are not the title of a
/// text.
fn is_status(title: &str) -> bool {
    let title = title.trim().to_ascii_lowercase();
    let (number, words) = match title.split_once(' ') {
        Some((number, words)) if number.len() == 3 && number.starts_with(['4', '5']) => {
            (number.parse::<u16>().ok(), words)
        }
        _ => (None, &*title),
    };
    STATUS.contains(&words)
        && (number.is_some()
            || words.contains("server error")
            || words.contains("gateway")
            || words.contains("unavailable"))
}

/// Whether a title belongs to a message that WordPress shows in place of a page that failed (`wp_die()`): `WordPress › Error`.
fn is_message(title: &str) -> bool {
    title.trim_start().strip_prefix("WordPress").is_some_and(|rest| rest.trim_start().starts_with('›'))
}

/// A server's list of a directory's files, or a file that came with WordPress, a plugin or a theme: readme, template.
fn is_file_beside(head: &Head, location: &str) -> bool {
    let path = without_query(location);
    // Apache and nginx; Python's server.
    let lists = |title: &str| ["Index of /", "Directory listing for /"].iter().any(|start| title.starts_with(start));
    is_brought(path) || head.title.as_deref().is_some_and(lists)
}

#[cfg(test)]
mod tests {
    use super::super::location::locate;
    use super::*;
    use std::path::Path;

    #[test]
    fn forms_and_error_pages_show_nothing() {
        let head = |title: &str, noindex: bool, canonical: Option<&str>| Head {
            title: Some(title.into()),
            noindex,
            canonical: canonical.map(Into::into),
            ..Head::default()
        };
        let at = |file: &str, head: Head| is_error(&head, &locate(Path::new(file), None).url);
        assert!(at("x.example/wp-admin/post.php?post=4.html", Head::default()));
        assert!(at("x.example/wp-loginc2b6.html", Head::default()));
        assert!(at(
            "x.example/a/index.html",
            Head { body_class: Some("login no-js wp-core-ui".into()), ..Head::default() }
        ));
        assert!(at("x.example/a/index.html", head("Seite nicht gefunden – X", true, None)));
        assert!(!at("x.example/a/index.html", head("Page not found", true, Some("https://x.example/a/"))));
        assert!(!at("x.example/a/index.html", head("404 days", false, None)));
        assert!(at("x.example/cdn-cgi/l/email-protection.html", Head::default()));
        let made = |title: &str| Head { generators: vec!["WordPress 2.7".into()], ..head(title, false, None) };
        assert!(
            at("x.example/a/index.html", made("Page non trouvée | X")) && at("x.example/", made("X » Page not found"))
        );
        for title in ["The page that was not found | X", "A trip – Not Found Magazine", "Paradise Not Found | X"] {
            assert!(!at("x.example/a/index.html", made(title)), "{title}");
        }
        let single = Head { body_class: Some("single postid-7".into()), ..made("Page not found | X") };
        assert!(!at("x.example/a/index.html", single) && !at("x.example/a/index.html", made("Peugeot 404 | X")));
    }

    #[test]
    fn answers_of_a_server_that_failed_show_nothing() {
        let at = |title: &str| {
            let head = Head { title: Some(title.into()), ..Head::default() };
            is_error(&head, "http://x.example/tag/art/")
        };
        for title in [
            "Internal Server Error",
            "502 Bad Gateway",
            " 404 Not Found\n",
            "503 Service Temporarily Unavailable",
            "WordPress › Fehler",
            "Just a moment...",
            "One moment, please...\n",
        ] {
            assert!(at(title), "{title}");
        }
        for title in [
            "WordPress",
            "WordPress errors",
            "Gone",
            "404 days",
            "Not Found",
            "Forbidden",
            "Internal Server Error in the kitchen",
            "Just a moment... – X",
        ] {
            assert!(!at(title), "{title}");
        }
        let generators = vec!["WordPress 6.8".into()];
        assert!(!is_error(
            &Head { title: Some("502 Bad Gateway".into()), generators, ..Head::default() },
            "http://x.example/a/"
        ));
    }

    #[test]
    fn httracks_own_index_is_no_page() {
        let by = |generator: &str| Head { generators: vec![generator.into()], ..Head::default() };
        assert!(is_error(&by("HTTrack Website Copier/3.x"), "http://scrape.invalid/"));
        assert!(!is_error(&by("WordPress 6.8"), "http://scrape.invalid/"));
    }

    #[test]
    fn files_beside_the_pages_show_nothing() {
        let titled = |title: &str| Head { title: Some(title.into()), ..Head::default() };
        let of_wordpress = |head: Head| Head { generators: vec!["WordPress 6.8".into()], ..head };
        let at = |file: &str, head: Head| is_error(&head, &locate(Path::new(file), None).url);
        assert!(at("x.example/wp-content/uploads/2020/index.html", titled("Index of /wp-content/uploads/2020/")));
        assert!(at("x.example/wp-includes/index.html", titled("Directory listing for /wp-includes/")));
        assert!(at("x.example/wp-content/plugins/redux/sample/info.html", Head::default()));
        assert!(at("x.example/b/wp-content/themes/t/readme.html", titled("T")));
        assert!(!at("x.example/index/index.html", of_wordpress(titled("Index of /a/ novels"))));
        assert!(!at("x.example/wp-content/plugins/cache/a/index.html", of_wordpress(titled("A"))));
        assert!(!at("x.example/wp-content/uploads/thesis.html", titled("A thesis")));
    }
}
