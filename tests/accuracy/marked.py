"""A site for each table of content_selectors.toml, with a page for each selector: what the page shows can only be told by that
mark. In the unmarked twin of the site the mark is gone."""

import pathlib
import re
import tomllib

from one_site import Body, Site
from themes import page
from words import Writer

PAGES = pathlib.Path(__file__).resolve().parents[2] / "src" / "page"
# Elements that carry what is read; any other is a mark itself.
PLAIN = {"a", "abbr", "h1", "h2", "img", "span", "time"}
PART = re.compile(
    r"""\.(?P<cls>[\w-]+)|\#(?P<id>[\w-]+)|\[(?P<name>[\w-]+)(?P<how>[~*^$]?=)?(?P<value>[^\]]*)\]|:not\([^)]*\)+|(?P<tag>[a-z][a-z0-9-]*)"""
)


def selectors():
    """The tables of selectors and of words, by name."""
    rows, words = (
        tomllib.loads(file.read_text(encoding="utf-8")) for file in (PAGES / "content_selectors.toml", PAGES.parent / "boilerplate.toml")
    )
    return rows | {table: words[table] for table in ("comments", "never", "others")}


def element(compound, default="div", attributes=""):
    """An element that matches a compound selector: its opening and closing tag."""
    tag, classes, more = default, [], attributes
    for part in PART.finditer(compound):
        if part["cls"]:
            classes.append(part["cls"])
        elif part["id"]:
            more += f' id="{part["id"]}"'
        elif part["name"]:
            value = part["value"].strip("'")
            more += f' {part["name"]}="{value}"' if part["how"] else f" {part['name']}"
        elif part["tag"]:
            tag = part["tag"]
    of = f' class="{" ".join(classes)}"' if classes else ""
    return f"<{tag}{of}{more}>", f"</{tag}>"


def inside(selector, content, default="div", attributes="", marked=True, beside=""):
    """Content in elements that match the selector, or in plain ones of the same names; `beside` is in all of them but the last."""
    compounds = re.sub(r":not\([^)]*\)\]?\)*", "", selector).replace(" > ", " ").split()
    for place, compound in enumerate(reversed(compounds)):
        last = place == 0
        opening, closing = element(compound, default if last else "div", attributes if last else "")
        if not marked:
            tag = re.match("<([a-z0-9-]+)", opening)[1]
            tag = tag if last and tag in PLAIN and tag != compound else "div"
            opening, closing = f"<{tag}{attributes if last else ''}>", f"</{tag}>"
        content = f"{opening}{content}{closing}{beside if last else ''}"
    return content


class Marked(Site):
    """A site whose pages are made twice."""

    def __init__(self, table, marked):
        super().__init__(f"{table}.marks.example")
        self.table, self.marked, self.number = table, marked, 0
        self.of = {}

    def show(self, selector, body, build, known):
        """`build(mark)` is what the theme is given, for a mark that stands or does not."""
        self.number += 1
        path = f"/page-{self.number}/"
        url = self.base + path
        self.page(path, page(self, url, **build(self.marked)))
        self.truth.append({"type": "html", "link": url, **known})
        self.of[url] = selector


def contents(site, rows):
    """What an author made of widgets ends with a link, in a part of its own where documents have several."""
    tables = selectors()
    for selector in rows:
        body, beside = Body("en-US", f"content {selector}", 4), Body("en-US", f"beside {selector}", 3)
        around = f'<div class="x9">{beside.markup()}</div>'
        words = body.writer.words(3) if selector in tables["built"] else ""
        end = words and f'<div><a href="/page-1/">{words}</a></div>'
        parts = [body.markup(), end] if selector in tables["parts"] else [body.markup() + end]
        # SiteOrigin's documents have the number of their page.
        number = 100 + site.number
        site.show(
            selector,
            body,
            lambda mark: {
                "title": body.title,
                "theme": "own",
                "classes": f"page-id-{number}" if "pl-" in selector else "",
                "content": "".join(
                    inside(selector, part, marked=mark, beside=around if part is parts[-1] else "") for part in parts
                ).replace('"pl-"', f'"pl-{number}"'),
            },
            {"text": " ".join([*body.text, words]).strip()},
        )


def threads(site, rows):
    """Of each system two posts, each with what is beside its text."""
    for row in rows:
        selector, bodies = row[0], [Body("en-US", f"post {number} {row[0]}", 3) for number in (1, 2)]
        beside = [Writer("en-US", f"signature {number} {row[0]}").paragraph() for number in (1, 2)]
        site.show(
            selector,
            bodies[0],
            lambda mark: {
                "title": bodies[0].title,
                "theme": "own",
                "content": "".join(
                    inside(selector, body.markup(), marked=mark) + f'<div class="x9"><p>{other}</p></div>'
                    for body, other in zip(bodies, beside)
                ),
            },
            {"text": " ".join(text for body in bodies for text in body.text)},
        )


def titles(site, rows):
    for selector in rows:
        # A heading of any kind is the title where there is no other.
        alone = selector == "h1"
        body, other = Body("en-US", f"title {selector}"), Writer("en-US", f"slogan {selector}").title()
        site.show(
            selector,
            body,
            lambda mark: {
                "theme": "own",
                "named": False,
                "title": "" if alone else other,
                "content": body.markup(),
                "meta": inside(selector, body.title, "h2", marked=mark),
            },
            {"title": body.title},
        )


def dates(site, rows, key):
    for number, selector in enumerate(rows):
        body, date = Body("en-US", f"{key} {selector}"), f"2023-0{1 + number % 9}-17T08:00:00+00:00"
        time = f' datetime="{date}"' + ("" if "itemprop" not in selector else f' content="{date}"')
        site.show(
            selector,
            body,
            lambda mark: {
                "title": body.title,
                "theme": "own",
                "content": body.markup(),
                "meta": inside(
                    selector,
                    "a day",
                    "time" if "abbr" not in selector else "abbr",
                    time + (f' title="{date}"' if "abbr" in selector else ""),
                    mark,
                ),
            },
            {key: date.replace("+00:00", "Z")},
        )


def authors(site, rows):
    for selector in rows:
        body, name = Body("en-US", f"author {selector}"), Writer("en-US", f"name {selector}").title()
        site.show(
            selector,
            body,
            lambda mark: {
                "title": body.title,
                "theme": "own",
                "content": body.markup(),
                "meta": inside(selector, name, "span", marked=mark),
            },
            {"author": name},
        )


def terms(site, rows, taxonomy):
    for number, selector in enumerate(rows):
        body = Body("en-US", f"{taxonomy} {selector}")
        href = f' href="{site.base}/topics/topic-{number}/"'
        site.show(
            selector,
            body,
            lambda mark: {
                "title": body.title,
                "theme": "own",
                "content": body.markup(),
                "foot": inside(selector, "A topic", "a", href, mark),
            },
            {"terms": [{"taxonomy": taxonomy, "link": f"{site.base}/topics/topic-{number}/"}]},
        )


def featured(site, rows):
    for number, selector in enumerate(rows):
        body, src = Body("en-US", f"featured {selector}"), f"{site.base}/wp-content/uploads/2024/01/face-{number}.jpg"
        site.show(
            selector,
            body,
            lambda mark: {
                "title": body.title,
                "theme": "own",
                "content": body.markup(),
                "meta": inside(selector, "", "img", f' src="{src}"', mark).replace("</img>", ""),
            },
            {"featured_url": src},
        )


def dropped(site, rows):
    for selector in rows:
        body, other = Body("en-US", f"drop {selector}"), Writer("en-US", f"dropped {selector}").paragraph()
        site.show(
            selector,
            body,
            lambda mark: {
                "title": body.title,
                "content": body.markup() + inside(selector, other, marked=mark) + f"<p>{body.text[0]}</p>",
            },
            {"text": " ".join(body.text + body.text[:1])},
        )


def names(site, rows):
    """Words of boilerplate.toml as classes, where a selector has found the content."""
    for word in rows:
        body, other = Body("en-US", f"name {word}"), Writer("en-US", f"named {word}").paragraph()
        site.show(
            word,
            body,
            lambda mark: {
                "title": body.title,
                "content": body.markup()
                + f'<div class="{word.strip("*") if mark else "plain"}"><p>{other}</p></div><p>{body.text[0]}</p>',
            },
            {"text": " ".join(body.text + body.text[:1])},
        )


def guarded(site, rows):
    for selector in rows:
        body = Body("en-US", f"protected {selector}", 0)
        ask = "<p>This content is protected by a password, and whoever has it, may read it. Write it here, please, and go on.</p>"
        site.show(
            selector, body, lambda mark: {"title": body.title, "content": inside(selector, ask, "form", marked=mark)}, {"text": ""}
        )


def others(site, rows):
    """What stands in other posts on the page, and beside posts, is not the post's own."""
    for selector in rows:
        body, name, other = (
            Body("en-US", f"beside {selector}"),
            *(Writer("en-US", f"{who} {selector}").title() for who in ("own", "other")),
        )
        own, by = f'<p>By <a rel="author" href="/who/">{name}</a></p>', f'<p>By <a rel="author" href="/other/">{other}</a></p>'
        site.show(
            selector,
            body,
            lambda mark: {
                "title": body.title,
                "theme": "own",
                "content": body.markup() + own,
                "meta": inside(selector, by, marked=mark),
            },
            {"author": name},
        )


def sites(marked):
    """All of them."""
    rows, made = selectors(), []
    build = {
        "content": contents,
        "threads": threads,
        "title": titles,
        "published": lambda s, r: dates(s, r, "date"),
        "modified": lambda s, r: dates(s, r, "modified"),
        "author": authors,
        "category": lambda s, r: terms(s, r, "category"),
        "tag": lambda s, r: terms(s, r, "tag"),
        "term": lambda s, r: terms(s, r, None),
        "featured": featured,
        "drop": dropped,
        "protected": guarded,
        "beside": others,
        "posts": others,
        "heading": titles,
        "comments": names,
        "never": names,
        "others": names,
    }
    for table, fill in build.items():
        site = Marked(table, marked)
        fill(site, rows[table])
        made.append(site)
    return made
