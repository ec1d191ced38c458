"""Sites whose languages and translations come from each source, and copies that are no translations."""

import html
import json
import pathlib
import tomllib

from one_site import Body, Site, mention
from themes import hreflang, page, show
from words import LANGUAGES, slug

FIXTURES = pathlib.Path(__file__).resolve().parents[1] / "data" / "switchers"


def refers(*facts):
    """Each of these records is a translation of all others."""
    for fact in facts:
        fact["translations"] = [{"type": other["type"], "link": other["link"]} for other in facts if other is not fact]


def stated():
    """REST states languages and translations, some by id alone (Polylang Pro)."""
    site = Site("stated.example")
    for number in range(3):
        facts = []
        for language in ("en-US", "fr-FR"):
            body = Body(language, f"stated {number}")
            facts.append(site.post(f"/{slug(body.title)}/", body, more={"lang": language[:2]}, known={"language": language[:2]}))
        ids = {"en": facts[0]["id"], "fr": facts[1]["id"]}
        for item in site.dump["posts"][-2:]:
            item["translations"] = ids
        refers(*facts)
    return site


def scripts():
    """Twelve languages in nine scripts; heads name all of them, or half of them, or one refers to the other."""
    site = Site("scripts.example")
    for number in range(3):
        made = []
        for language in LANGUAGES:
            body, folder = Body(language, f"scripts {number}"), "" if language == "en-US" else f"/{language.split('-')[0]}"
            path = f"{folder}/{slug(body.title) or f'text-{number}'}/"
            made.append((language, path, body, site.post(path, body, known={"language": language})))
        refers(*(fact for *_, fact in made))
        urls = [(language, site.base + path) for language, path, *_ in made]
        for place, (language, path, body, fact) in enumerate(made):
            # The third article: only the first page has links to others, and the last has links only to the one before.
            links = urls if number < 2 or place == 0 else []
            if number == 2 and place == 0:
                links = urls[:-1]
            if number == 2 and place == len(made) - 1:
                links = urls[-2:]
            theme = ("classic", "block", "own")[place % 3]
            lang = None if number == 1 and place == 1 else language  # no <html lang>: its link to itself
            show(site, fact, body, lang, theme=theme, head=hreflang(links))
    return site


def hinted():
    """What plugins for search engines, the item's address in the API and the folder of its URL tell of the language."""
    site = Site("hinted.example")
    for number, language in enumerate(("en-US", "de-DE", "en-US", "de-DE")):
        body = Body(language, f"hinted {number}")
        yoast = {"yoast_head_json": {"schema": {"@graph": [{"@type": "WebPage", "inLanguage": language}]}}}
        more, head = (yoast, "") if number < 2 else ({}, f'<meta property="og:locale" content="{language.replace("-", "_")}">')
        fact = site.post(f"/{slug(body.title)}/", body, more=more, known={"language": language, "translations": []})
        show(site, fact, body, head=head)
    in_api, in_url = Site("api-folders.example"), Site("folders.example")
    for number, folder in enumerate(("", "/fr", "/fr")):
        body = Body("fr-FR" if folder else "en-US", f"folders {number}")
        id, path = in_api.next(), f"{folder}/{slug(body.title)}/"
        links = {"self": [{"href": f"{in_api.base}{folder}/wp-json/wp/v2/posts/{id}"}]}
        fact = in_api.post(path, body, more={"id": id, "_links": links}, known={"language": "fr" if folder else None})
        show(in_api, fact, body)
    for number in range(4):
        body = Body("fr-FR", f"in folders {number}")
        fact = in_url.post(f"/fr/{slug(body.title)}/", body, known={"language": "fr-FR"})
        if number < 3:  # the last was not scraped
            show(in_url, fact, body, "fr-FR")
    return [site, in_api, in_url]


def one_sided():
    """A record without a page of its own, which another names as its translation; no folder says the language."""
    site = Site("one-sided.example")
    for number in range(2):
        english, french = Body("en-US", f"one-sided {number}"), Body("fr-FR", f"one-sided {number}")
        paths = [f"/{slug(body.title)}/" for body in (english, french)]
        urls = list(zip(("en-US", "fr-FR"), (site.base + path for path in paths)))
        first = site.post(paths[0], english, known={"language": "en-US"})
        second = site.post(paths[1], french, known={"language": "fr-FR"})
        refers(first, second)
        show(site, first, english, "en-US", head=hreflang(urls))
    return site


def sorted_by_terms():
    """Terms: the languages and translations that their posts and slugs tell."""
    site = Site("terms.example")
    names = [("boats", "boote", 2), ("storms", "stuerme", 2), ("lights", "lichter", 2), ("news", "news-de", 0)]
    terms = {}
    for english, german, _ in names:
        for name in (english, german):
            item = site.item(
                "categories",
                {
                    "taxonomy": "category",
                    "name": name.capitalize(),
                    "slug": name,
                    "link": f"{site.base}/category/{name}/",
                    "count": 3,
                },
            )
            terms[name] = {
                "type": "category",
                "id": item["id"],
                "link": item["link"],
                "language": "de-DE" if name == german else "en-US",
            }
    for english, german, _ in names:
        for name, other in ((english, german), (german, english)):
            terms[name]["translations"] = [mention("category", link=terms[other]["link"])]
            site.truth.append(terms[name])
    for english, german, count in names:
        for number in range(count or 1):
            facts = []
            made = [("en-US", english, Body("en-US", f"{english}{number}")), ("de-DE", german, Body("de-DE", f"{german}{number}"))]
            urls = [(language, f"{site.base}/{slug(body.title)}/") for language, _, body in made]
            for (language, name, body), (_, url) in zip(made, urls):
                term = mention("category", terms[name]["id"])
                fact = site.post(
                    url.removeprefix(site.base),
                    body,
                    more={"categories": [term["id"]]},
                    known={"language": language, "terms": [term]},
                )
                # Slugs alone tell that news-de is news: those posts are nobody's translations.
                show(site, fact, body, language, head=hreflang(urls) if count else "")
                facts.append(fact)
            if count:
                refers(*facts)
    return site


def copies():
    """Pages in place of a missing translation: the words of another one, or a notice."""
    site = Site("copies.example")
    for number in range(3):
        body, german = Body("en-US", f"copies {number}", 6), Body("de-DE", f"copies {number}")
        path = f"/{slug(body.title)}/"
        urls = [("en-US", site.base + path), ("de-DE", f"{site.base}/de{path}")]
        fact = site.post(path, body, known={"language": "en-US", "copy": None, "translations": []})
        show(site, fact, body, "en-US", head=hreflang(urls))
        shown, known = body, {"copy": "words", "language": None if number == 1 else "de-DE", "translations": []}
        if number == 2:
            shown, known = german, {"copy": None, "language": "de-DE", "translations": [{"type": "post", "link": fact["link"]}]}
            fact["translations"] = [{"type": "html", "link": urls[1][1]}]
        language = "de-DE"
        if number == 1:
            known["language"], language = "en-US", None
        site.page(
            f"/de{path}",
            page(
                site,
                urls[1][1],
                shown.title,
                shown.markup(),
                language,
                classes=f"postid-{fact['id']}",
                head=hreflang(urls) if language else "",
            ),
        )
        site.page_record(f"/de{path}", shown, known)
    body = Body("en-US", "notice")
    path, notice = (
        "/only-in-english/",
        '<p class="qtranxs-available-languages-message">Sorry, this entry is only available in English.</p>',
    )
    fact = site.post(path, body, known={"language": "en-US", "copy": None})
    show(site, fact, body, "en-US")
    # Only its title is told in both languages.
    german = Body("de-DE", "notice", 0)
    site.page(f"/de{path}", page(site, f"{site.base}/de{path}", german.title, notice, "de-DE", classes=f"postid-{fact['id']}"))
    site.truth.append({"type": "html", "link": f"{site.base}/de{path}", "copy": "notice"})
    return site


def kinds():
    """The kinds of switchers that wp-translations knows."""
    table = FIXTURES.parents[2] / "src" / "language" / "switchers.toml"
    return [kind["name"] for kind in tomllib.loads(table.read_text(encoding="utf-8"))["switcher"]]


def switchers():
    """A site for each fixture of a language switcher: its page says what the fixture's truth says, and nothing else does."""
    sites = []
    for file in sorted(FIXTURES.glob("*.json")):
        truth = json.loads(file.read_text(encoding="utf-8"))
        if truth["source"] != "switcher" or file.stem.startswith("broken"):
            continue
        markup = file.with_suffix(".html").read_text(encoding="utf-8").replace("site.example", f"{file.stem}.example")
        site = Site(f"{file.stem}.example")
        site.kind = truth["kinds"][0]
        body = Body("en-US", file.stem)
        path = truth["url"].replace("https://site.example", "")
        whole = f'<main><h1 class="entry-title">{body.title}</h1><div class="entry-content">{body.markup()}</div></main>\n</body>'
        fact = site.post(path, body, "page", more={"id": 7}, known={"language": truth["language"], "translations": []})
        site.page(path, markup.replace("<title>About</title>", f"<title>{body.title}</title>").replace("</body>", whole))
        for number, (language, _, href) in enumerate(truth["translations"]):
            url = html.unescape(href).split("#")[0].replace("site.example", site.host)
            if url.startswith("http"):
                other = Body(LANGUAGE.get((language or "").split("-")[0], "pt-BR"), f"{file.stem} {number}")
                one = site.post(
                    url.removeprefix(site.base),
                    other,
                    "page",
                    more={"id": 70 + number, "link": url},
                    known={"language": language, "link": url},
                )
                fact["translations"].append({"type": "page", "link": one["link"]})
        if fact["translations"]:
            sites.append(site)
    return sites


LANGUAGE = {tag.split("-")[0]: tag for tag in LANGUAGES}
SITES = [stated, scripts, hinted, one_sided, sorted_by_terms, copies, switchers]
