"""Sites whose links, images and references lead to records by each rule, and those that lead to none for each reason."""

from one_site import Body, Site, mention
from themes import page, show
from words import Writer, slug

UPLOADS = "/wp-content/uploads/2024/01"


def media(site, name, sizes=(), more=()):
    """An image of the library."""
    item = {
        "type": "attachment",
        "link": f"{site.base}/{name.split('.')[0]}/",
        "slug": name.split(".")[0],
        "media_type": "image",
        "mime_type": "image/jpeg",
        "source_url": f"{site.base}{UPLOADS}/{name}",
        "guid": {"rendered": f"{site.base}{UPLOADS}/{name}"},
        "alt_text": "",
        "media_details": {
            "width": 1200,
            "height": 800,
            "file": f"2024/01/{name}",
            "sizes": {
                size: {"file": file, "width": 300, "height": 200, "source_url": f"{site.base}{UPLOADS}/{file}"}
                for size, file in sizes
            },
        },
    }
    item["media_details"].update(more)
    return mention("media", site.item("media", item)["id"])


def library(site):
    """Who writes the journal, its terms and its images."""
    named = {
        "anna": mention(
            "user", site.item("users", {"name": "Anna Lind", "slug": "anna", "link": f"{site.base}/author/anna/"})["id"]
        )
    }
    for taxonomy, collection, name in (
        ("category", "categories", "news"),
        ("category", "categories", "sport"),
        ("post_tag", "tags", "sea"),
    ):
        folder = "tag" if taxonomy == "post_tag" else "category"
        term = {"taxonomy": taxonomy, "name": name.capitalize(), "slug": name, "link": f"{site.base}/{folder}/{name}/", "count": 9}
        named[name] = mention(folder, site.item(collection, term)["id"])
    named["boat"] = media(site, "boat.jpg", [("medium", "boat-300x200.jpg")])
    named["big"] = media(site, "big-scaled.jpg", more={"original_image": "big.jpg"})
    named["pier"] = media(site, "pier.jpg")
    return named


def articles(site, named):
    """Six articles with their pages: path and mention of each."""
    made, en = [], "en-US"
    for number in range(6):
        body = Body(en, f"journal {number}")
        path, tags = f"/news/{slug(body.title)}/", [named["sea"]] if number % 2 else []
        more = {
            "author": named["anna"]["id"],
            "categories": [named["news"]["id"]],
            "tags": [tag["id"] for tag in tags],
            "featured_media": named["boat"]["id"],
        }
        known = {"author": "Anna Lind", "language": en, "featured": named["boat"], "terms": [named["news"], *tags]}
        fact = site.post(path, body, more=more, known=known)
        show(site, fact, body, en, theme=("classic", "block", "own")[number % 3])
        made.append((path, mention("post", fact["id"])))
    return made


def other_pages(site, made, named):
    """Pages that are no records, or none of the API; and two records with one address, of which no page is there."""
    base, en, (second, _) = site.base, "en-US", made[1]
    refresh = f'<meta http-equiv="refresh" content="0; url={base}{second}">'
    site.page("/moved-away/", f'<!DOCTYPE html>{refresh}<title>Moved</title><a href="{second}">here</a>\n')
    old = Body(en, "older than the site")
    site.page("/archive-1998/", page(site, f"{base}/archive-1998/", old.title, old.markup(), en))
    site.page_record("/archive-1998/", old, {"language": en})
    teasers = "".join(
        f'<article class="hentry"><h2 class="entry-title"><a href="{path}">{path}</a></h2></article>' for path, _ in made
    )
    classes = f"archive category category-{named['news']['id']}"
    site.page("/category/news/", page(site, f"{base}/category/news/", "News", teasers, en, classes=classes))
    site.truth.append({**named["news"], "link": f"{base}/category/news/", "language": en})
    site.page("/left-out/", page(site, f"{base}/left-out/", "Nothing here", "<p>Nothing was found.</p>", en, classes="error404"))
    for kind in ("post", "page"):
        site.post("/twice/", Body(en, kind), kind, known={"language": None})


def lead(site, body, made, named):
    """Links and images by each rule, and some that lead nowhere."""
    (path, one), (second, two), (_, three) = made[:3]
    base, files, boat = site.base, site.base + UPLOADS, named["boat"]
    found = [
        (base + path, one),
        (path.rstrip("/"), one),
        (f"http://www.journal.example/index.php{path}", one),
        (f"{path}?utm_source=letter", one),
        (f"/?p={two['id']}", two),
        (f"/?p={three['id']}", three),
        ("/moved-away/", two),
        (f"{path}2/", one),
        (f"{path}amp/", one),
        (f"{path}#comment-41", one),
        (f"{files}/boat.jpg", boat),
        (f"{files}/boat-300x200.jpg", boat),
        (f"{files}/big.jpg", named["big"]),
        (f"{files}/boat-640x427.jpg", boat),
        ("/attachment/boat/", boat),
        ("/?author_name=anna", named["anna"]),
        ("/?tag=sea", named["sea"]),
        ("/archive-1998/", mention("html", link=f"{base}/archive-1998/")),
        (f"/sport/{path.split('/')[2]}/", one),
        (f"https://journal-old.example{second}", two),
        (f"{path}?colour=blue", one),
        (path.upper(), one),
        (f"{second})", two),
    ]
    for href, target in found:
        body.link(href, target)
    lost = [
        ("/", "home"),
        ("/2024/05/", "archive"),
        ("/?s=lamp", "archive"),
        ("/feed/", "feed"),
        (f"{path}feed/", "feed"),
        ("/wp-login.php", "system"),
        ("/author/nobody/", "unknown"),
        ("/left-out/", "left_out"),
        ("/twice/", "ambiguous"),
        ("www.elsewhere.example/x", "disguised"),
        (f"{files}/gone.pdf", "file"),
        ("/news/never-written/", "unknown"),
    ]
    for href, reason in lost:
        body.link(href, reason=reason)
    body.link("https://elsewhere.example/news/", internal=False).link("mailto:anna@journal.example", internal=False)
    shown = [
        (f"{files}/boat.jpg", boat, ""),
        (f"{files}/boat-300x200.jpg", boat, ""),
        (f"{files}/boat-1024x683.jpg", boat, ""),
        (f"https://i0.wp.com/journal.example{UPLOADS}/boat.jpg?resize=300", boat, ""),
        ("/elsewhere/pier.jpg", named["pier"], f' class="wp-image-{named["pier"]["id"]}"'),
        ("https://elsewhere.example/a.jpg", None, ""),
    ]
    for src, target, attributes in shown:
        body.image(src, target, attributes)


def journal():
    """A journal in one language: what links of its articles lead to. It was once at another host, as its guids say."""
    site = Site("journal.example")
    named = library(site)
    made = articles(site, named)
    path, one = made[0]
    site.item(
        "comments",
        {
            "id": 41,
            "post": one["id"],
            "parent": 0,
            "author_name": "A reader",
            "link": f"{site.base}{path}#comment-41",
            "type": "comment",
            "date_gmt": "2024-05-01T10:00:00",
            "content": {"rendered": "<p>So it was.</p>"},
            "status": "approved",
        },
    )
    body = Body("en-US", "links")
    lead(site, body, made, named)
    fact = site.post("/about/", body, "page", known={"language": "en-US"})
    show(site, fact, body, "en-US")
    other_pages(site, made, named)
    for items in site.dump.values():
        for item in items:
            if "/?p=" in str(item.get("guid")):
                item["guid"]["rendered"] = item["guid"]["rendered"].replace("journal.example", "journal-old.example")
    return site


def bare():
    """A dump of posts alone: what links lead to that nobody asked the API for."""
    site = Site("bare.example")
    for number in range(3):
        body = Body("en-US", f"bare {number}")
        if number == 0:
            for href in (f"{UPLOADS}/chart.pdf", "/author/bob/"):
                body.link(href, reason="outside_dump")
        site.post(f"/2024/05/{slug(body.title)}/", body)
    return site


def hosts():
    """A host for each language, and an article that only one of them has; the pages are in an archive."""
    site = Site("en.worlds.example")
    site.captured, paths = True, []
    for number in range(3):
        pair = []
        for language, host in (("en-US", "en.worlds.example"), ("de-DE", "de.worlds.example")):
            body = Body(language, f"worlds {number}")
            pair.append((language, host, body, f"/{slug(body.title)}/"))
        urls = [f"https://{host}{path}" for _, host, _, path in pair]
        head = "".join(f'<link rel="alternate" hreflang="{language}" href="{url}">' for (language, *_), url in zip(pair, urls))
        for (language, host, body, path), url in zip(pair, urls):
            if number == 2 and host.startswith("de"):
                other = Writer("de-DE", "other").words(2)
                body.html.append(f'<p><a href="https://de.worlds.example{paths[0]}">{other}</a></p>')
                body.text.append(other)
                body.links.append(
                    {"href": f"https://de.worlds.example{paths[0]}", "internal": True, "target": mention("post", 1), "reason": None}
                )
            id = site.next()
            paths.append(path)
            item = {"id": id, "link": url}
            fact = site.post(
                path,
                body,
                more=item,
                known={"link": url, "language": language, "translations": [{"type": "post", "link": u} for u in urls if u != url]},
            )
            site.page(
                f"//{host}{path}", page(site, url, body.title, body.markup(), language, head=head, classes=f"postid-{fact['id']}")
            )
    return site


def shared():
    """A plugin that shows all languages of a post under one id, each in its folder."""
    site = Site("shared.example")
    known = []
    for number in range(4):
        english, german = Body("en-US", f"shared {number}"), Body("de-DE", f"shared {number}")
        path = f"/{slug(english.title)}/"
        known.append(path)
        if number == 3:  # the German page of the first was not scraped
            german.link(f"/de{known[0]}", mention("post", 1))
        urls = [site.base + path, f"{site.base}/de{path}"]
        head = "".join(
            f'<link rel="alternate" hreflang="{language}" href="{url}">' for language, url in zip(("en-US", "de-DE"), urls)
        )
        whole = number > 0
        fact = site.post(
            path, english, known={"language": "en-US", "translations": [{"type": "html", "link": urls[1]}] if whole else []}
        )
        show(site, fact, english, "en-US", head=head if whole else "")
        if whole:
            site.page(
                f"/de{path}", page(site, urls[1], german.title, german.markup(), "de-DE", head=head, classes=f"postid-{fact['id']}")
            )
            site.page_record(f"/de{path}", german, {"language": "de-DE", "translations": [{"type": "post", "link": urls[0]}]})
    return site


def themes():
    """Pages without a dump in a theme whose names say nothing: what is content, and whose title it is, has to be found."""
    site = Site("own-theme.example")
    for number in range(12):
        language = ("en-US", "de-DE", "ru-RU")[number % 3]
        body, name, date = (
            Body(language, f"own theme {number}", 5),
            Writer(language, f"name {number}").words(2),
            f"2022-11-{10 + number}T07:30:00Z",
        )
        path = f"/{number + 1}/"
        head = (
            f'<meta property="og:title" content="{body.title}"><meta property="article:published_time" content="{date}">'
            f'<script type="application/ld+json">{{"@type":"Article","datePublished":"{date}","author":{{"@type":"Person","name":"{name}"}}}}</script>'
        )
        around = (
            '<div class="x6"><h3>More</h3><ul>'
            + "".join(f'<li><a href="/{n}/">{Writer(language, f"more {n}").words(3)}</a></li>' for n in range(1, 6))
            + "</ul></div>"
        )
        site.page(path, page(site, site.base + path, body.title, body.markup(), language, "own", head, around=around))
        site.page_record(path, body, {"language": language, "date": date, "author": name})
    # A list of posts that does not say that it is one.
    posts = [Body("en-US", f"listed {number}", 1) for number in range(5)]
    listed = "".join(
        f'<article class="hentry"><h2 class="entry-title"><a href="/listed-{n}/">{post.title}</a></h2>{post.markup()}</article>'
        for n, post in enumerate(posts)
    )
    whole = f'<!DOCTYPE html><html lang="en-US"><head><meta charset="utf-8"><title>Notes</title><link rel="canonical" href="{site.base}/notes/"></head><body><main><h1>Notes</h1>{listed}</main></body></html>'
    site.page("/notes/", whole)
    site.truth.append(
        {
            "type": "html",
            "link": f"{site.base}/notes/",
            "language": "en-US",
            "text": " ".join(word for post in posts for word in (post.title, post.text[0])),
        }
    )
    return site


def hard():
    """What goes wrong: a theme with one language in the head of all pages, and an article in two columns of a theme without names."""
    site = Site("hard.example")
    for number, language in enumerate(("en-US", "de-DE", "de-DE")):
        body = Body(language, f"hard {number}")
        fact = site.post(f"/{slug(body.title)}/", body, known={"language": language})
        show(site, fact, body, "en-US")
    other = Body("en-US", "columns", 6)
    beside = Body("en-US", "beside columns", 5)
    columns = f'<div class="y1">{"".join(other.html[:3])}</div><div class="y2">{"".join(other.html[3:])}</div>'
    site.page(
        "/columns/",
        page(
            site,
            f"{site.base}/columns/",
            other.title,
            columns,
            "en-US",
            "own",
            around=f'<div class="y3"><h3>From the editors</h3>{beside.markup()}</div>',
        ),
    )
    site.page_record("/columns/", other, {"language": "en-US"})
    return site


SITES = [journal, bare, hosts, shared, themes, hard]
