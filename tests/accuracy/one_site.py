"""A site of the corpus: what its REST API gives out, its scraped pages, and the truth about both."""

import html
import json
import pathlib

from words import Writer


def mention(kind, id=None, link=None):
    """A record as the truth names it: by type and id, or by its link."""
    return {"type": kind, "id": id} if link is None else {"type": kind, "link": link}


class Body:
    """The content of an article: HTML, and what is true of it."""

    def __init__(self, language, seed, paragraphs=3):
        self.writer = Writer(language, seed)
        self.title, self.html, self.text, self.links, self.images = self.writer.title(), [], [], [], []
        for _ in range(paragraphs):
            self.paragraph()

    def paragraph(self, before="", after=""):
        text = self.writer.paragraph()
        self.html.append(f"<p>{before}{text}{after}</p>")
        self.text.append(text)

    def link(self, href, target=None, internal=True, reason=None, attributes=""):
        """A paragraph with a link. `target` is a mention, `reason` why there is none."""
        words = self.writer.words(3)
        self.paragraph(f'<a href="{html.escape(href)}"{attributes}>{words}</a> ')
        self.text.append(words)
        self.links.append({"href": href, "internal": internal, "target": target, "reason": reason})
        return self

    def image(self, src, target=None, attributes=""):
        self.html.append(f'<figure><img src="{html.escape(src)}" alt=""{attributes}></figure>')
        self.images.append({"src": src, "target": target})
        return self

    def markup(self):
        return "\n".join(self.html)


class Site:
    """One host of the corpus in a folder of its own."""

    def __init__(self, host):
        self.host, self.base = host, f"https://{host}"
        self.dump, self.pages, self.truth, self.last = {}, {}, [], 0
        # Whether the pages are in an archive.
        self.captured = False

    def next(self):
        self.last += 1
        return self.last

    def item(self, collection, item):
        """An item of the REST API, with what all of them have."""
        item.setdefault("id", self.next())
        href = f"{self.base}/wp-json/wp/v2/{collection}/{item['id']}"
        item.setdefault("_links", {"self": [{"href": href}]})
        self.dump.setdefault(collection, []).append(item)
        return item

    def post(self, path, body, kind="post", more=(), known=()):
        """A post of the API. `more` are further fields, `known` what else is true of it."""
        id, link = dict(more).get("id") or self.next(), f"{self.base}{path}"
        date = f"2024-{1 + id % 12:02}-{1 + id % 28:02}T10:{id % 60:02}:00"
        item = {
            "id": id,
            "type": kind,
            "link": link,
            "slug": path.strip("/").split("/")[-1],
            "status": "publish",
            "date_gmt": date,
            "modified_gmt": date,
            "guid": {"rendered": f"{self.base}/?p={id}"},
            "title": {"rendered": html.escape(body.title, quote=False)},
            "content": {"rendered": body.markup(), "protected": False},
        }
        item.update(more)
        self.item({"post": "posts", "page": "pages"}.get(kind, kind), item)
        fact = {"type": kind, "id": id, "link": link, "date": date + "Z", "modified": date + "Z"}
        return self.fact(fact, body, known)

    def page_record(self, path, body, known=()):
        """What is true of a page that the API does not have; the caller writes the page."""
        return self.fact({"type": "html", "link": f"{self.base}{path}"}, body, known)

    def fact(self, fact, body=None, known=()):
        if body:
            fact.update(title=body.title, text=" ".join(body.text), links=body.links, images=body.images)
        fact.update(known)
        self.truth.append(fact)
        return fact

    def page(self, path, markup):
        """A scraped page, where `wget --mirror` puts it."""
        assert path not in self.pages, path
        self.pages[path] = markup

    def write(self, out):
        folder = pathlib.Path(out) / self.host
        for collection, items in self.dump.items():
            write(folder / "dump" / f"{collection}.json", json.dumps(items, ensure_ascii=False, indent=1))
        if self.captured:
            return write_archive(folder / "scrape.warc", self)
        for path, markup in self.pages.items():
            file = path.lstrip("/") + "index.html" if path.endswith("/") else path.lstrip("/")
            host, _, rest = file.partition("//") if file.startswith("//") else (self.host, "", file)
            write(folder / "scrape" / host / rest, markup)


def write_archive(path, site):
    """The pages of a site as an archive of what a crawler was answered (WARC 1.1)."""
    records = []
    for number, (name, markup) in enumerate(site.pages.items()):
        body = markup.encode()
        answer = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: %d\r\n\r\n" % len(body) + body
        url = f"https:{name}" if name.startswith("//") else site.base + name
        head = (
            f"WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-{number:012}>\r\n"
            f"WARC-Date: 2024-06-01T00:00:00Z\r\nWARC-Target-URI: {url}\r\n"
            f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(answer)}\r\n\r\n"
        )
        records.append(head.encode() + answer + b"\r\n\r\n")
    path.write_bytes(b"".join(records))


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
