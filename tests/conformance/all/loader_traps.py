"""Writes 40,000 records with data that loaders lose silently, as NDJSON for wp-export: loader_traps.py > records.ndjson

Posts are complete records. Of the 40,000 lines 36,000 are posts: a column that is null in the first 30,000, lists that are
empty until late, keys of the user's own that appear late, slugs and titles of digits, a number beyond 2^53, dates, texts
that look like null, one line of 3 MB. The rest are html records (ids null but for none), terms, and users."""

import json
import sys

SITE = "traps.example"
LATE = 30_000
NO_TARGET = {"type": None, "id": None, "link": None}
SLUGS = ["007", "2024", "1e5", "null", "true", "0x1f", "3.50", "2024-01-02", "NaN", "", "-0", "１２", "a\u2028b"]


def link(n):
    return {"element": "a", "href": f"/{n}/", "url": f"https://{SITE}/{n}/", "text": str(n), "alt": None, "rel": None,
            "internal": True, "target": {"type": "post", "id": n, "link": f"https://{SITE}/{n}/"}, "comment": None,
            "rule": "exact"}


def post(n, kind="post"):
    late = n >= LATE
    slug = SLUGS[n % len(SLUGS)]
    text = "x" * 3_000_000 if n == LATE + 7 else f"Text {n} “…” 𝄞 \\ \" \n \t {slug}"
    record = {
        "site": SITE, "kind": kind, "type": kind, "id": (1 << 53) + n if late else n, "link": f"https://{SITE}/{n}/",
        "slug": slug, "status": "publish", "date_gmt": "2024-01-02T03:04:05Z" if n % 3 else None,
        "modified_gmt": "2024-01-02T03:04:05Z", "author": n % 7, "author_name": None, "section": None, "parent": 0, "featured_media": 0, "format": "standard",
        "template": "", "sticky": False, "comment_status": "open", "guid": f"https://{SITE}/?p={n}",
        "categories": [1, 2] if late else [], "tags": [3] if late else [],
        "terms": [{"taxonomy": "genre", "id": 9}] if late else [],
        "title": {"html": slug, "text": slug}, "excerpt": {"html": None, "text": None},
        "content": {"html": f"<p>{n}</p>", "text": text, "protected": False, "hash": f"{n:032x}"},
        "content_source": "api", "content_rule": None, "content_share": None, "content_doubt": None, "language": ("en-US", "no", "zh-Hant")[n % 3] if late else None,
        "language_source": "html" if late else None,
        "translations": [], "translation_group": None,
        "links": [link(n - 1), link(n - 2)] if late else [], "images": [], "embeds": [],
        "rights": [{"kind": "licence", "value": None, "url": f"https://{SITE}/l", "place": "link", "scope": "record"}] if late else [],
        "seo": dict.fromkeys(("title", "description", "canonical", "image", "locale", "url", "source")),
        "same": {"type": None, "id": None}, "aliases": [f"https://{SITE}/alias/{n}/"] if late else [],
        "scrape": dict.fromkeys(("root", "file", "url")), "source": {"file": "posts.json", "item": n + 1},
    }
    if kind == "html":
        record["id"] = None
    elif n >= LATE + 1_000:
        record["extra"] = {"acf.price": "12" if n % 2 else None, "acf.count": n}
        record["corpus"] = f"0{n}"
        record["score"] = n / 2
    return record


def term(n):
    return {
        "site": SITE, "kind": "term", "type": "tag", "id": n, "link": f"https://{SITE}/tag/{n}/", "name": str(2000 + n),
        "name_html": str(2000 + n), "slug": f"{n:04}", "description": {"html": "", "text": ""}, "count": n, "parent": None,
        "taxonomy": "post_tag", "language": None, "language_source": None, "translations": [], "translation_group": None,
        "links": [], "images": [], "aliases": [], "scrape": dict.fromkeys(("root", "file", "url")),
        "source": {"file": "tags.json", "item": n + 1},
    }


def user(n):
    return {
        "site": SITE, "kind": "user", "type": "user", "id": n, "link": None, "name": "007", "slug": "007",
        "description": {"html": "", "text": ""}, "url": None,
        "avatar_urls": [{"size": 24, "url": "https://a.example/"}] if n > 400 else [], "links": [],
        "seo": dict.fromkeys(("title", "description", "canonical", "image", "locale", "url", "source")), "aliases": [],
        "scrape": dict.fromkeys(("root", "file", "url")), "source": {"file": "users.json", "item": n + 1},
    }


def records():
    yield from (post(n) for n in range(36_000))
    yield from (post(n, "html") for n in range(3_000))
    yield from (term(n) for n in range(500))
    yield from (user(n) for n in range(500))


if __name__ == "__main__":
    for record in records():
        json.dump(record, sys.stdout, ensure_ascii=False, separators=(",", ":"))
        print()
