"""Checks that files lead to each other: local.py DATASET [SITE]. DATASET is a folder of wp-export --links files (Markdown or
TEI), SITE what another program made of it as HTML (its root is that of paths with a slash). Every relative link and image
leads to a file, and no document of the dataset is named by the URL at which the site has it."""

import collections
import html.parser
import pathlib
import re
import sys
import urllib.parse
import xml.etree.ElementTree as ElementTree


def markdown(path):
    import markdown_it

    def walk(tokens):
        for token in tokens:
            for key in ("href", "src"):
                if key in token.attrs:
                    yield token.attrs[key]
            yield from walk(token.children or [])

    text = path.read_text("utf-8")
    head, body = re.fullmatch(r"---\n(.*?\n)---\n(.*)", text, re.S).groups()
    import yaml

    meta = yaml.safe_load(head)
    # A translation with a file keeps its URL beside it: that is what the translation is called, not a way to it.
    yield from (each["file"] for each in meta.get("translations", []) if "file" in each)
    yield from (meta[key] for key in ("featured_image", "parent") if meta.get(key))
    yield from walk(markdown_it.MarkdownIt("commonmark").enable("table").parse(body))


def tei(path):
    for element in ElementTree.parse(path).getroot().iter():
        name = element.tag.rpartition("}")[2]
        if name in ("ref", "graphic", "media"):
            yield element.get("target") or element.get("url")


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.found = []

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        wanted = {"a": "href", "img": "src", "video": "src", "audio": "src", "iframe": "src"}.get(tag)
        if attrs.get(wanted):
            self.found.append(attrs[wanted])
        if tag == "meta" and attrs.get("http-equiv") == "refresh":
            self.found.append(attrs["content"].partition("url=")[2])


def html_page(path):
    page = Page()
    page.feed(path.read_text("utf-8"))
    return page.found


READERS = {".md": markdown, ".xml": tei, ".html": html_page}


def check(folder, documents, endings, root=None):
    """Prints what is wrong below the folder and returns the counts."""
    counts = collections.Counter()
    for path in sorted(p for p in folder.rglob("*") if p.suffix in endings and "wp-content" not in p.parts):
        counts["files"] += 1
        for url in READERS[path.suffix](path):
            if not url or url.startswith("#"):
                continue
            parts = urllib.parse.urlsplit(url)
            here = root and parts.netloc == "root.example"
            if (parts.scheme or parts.netloc) and not here:
                wrong = "names a document by its URL" if url in documents else None
                counts["outside"] += 1
            else:
                target = urllib.parse.unquote(parts.path)
                below = root if here or target.startswith("/") else path.parent
                file = below / target.lstrip("/") if target else path
                exists = file.is_file() or (file / "index.html").is_file()
                wrong = None if exists else "leads to no file"
                counts["images" if re.search(r"wp-content", target) else "documents"] += 1
            if wrong:
                counts["wrong"] += 1
                print(f"{path}: {wrong}: {url}")
    return counts


def main():
    dataset = pathlib.Path(sys.argv[1])
    rows = [line.split("\t") for line in (dataset / "metadata.tsv").read_text("utf-8").splitlines()]
    column = rows[0].index("link")
    documents = {row[column] for row in rows[1:]}
    missing = [row[0] for row in rows[1:] if not (dataset / row[0]).is_file()]
    assert not missing, missing
    if len(sys.argv) > 2:
        site = pathlib.Path(sys.argv[2])
        counts = check(site, documents, {".html"}, site)
        name = site.name
    else:
        counts = check(dataset, documents, {".md", ".xml"})
        name = dataset.name
        assert counts["files"] == len(rows) - 1, (counts["files"], len(rows) - 1)
    print(f"{name}: {counts['files']} files, {counts['documents']} links to files, {counts['images']} to uploads, "
          f"{counts['outside']} to URLs; {counts['wrong']} wrong")
    sys.exit(1 if counts["wrong"] else 0)


main()
