"""Compares the words of the documents in DIR/NAME-text, -markdown, -tei with those of the records in DIR/NAME.ndjson."""

import json
import pathlib
import sys
import xml.etree.ElementTree

import markdown_it
import yaml

TEI = "{http://www.tei-c.org/ns/1.0}"
INLINE = {TEI + name for name in ("hi", "ref", "del", "graphic", "desc")}
parser = markdown_it.MarkdownIt("commonmark").enable(["table", "strikethrough"])


def of_markdown(text):
    """The words, and the front matter."""
    _, front, body = text.split("---\n", 2)
    words = []
    for token in parser.parse(body):
        if token.type in ("fence", "code_block"):
            words.append(token.content)
        for child in token.children or []:
            if child.type in ("text", "code_inline", "text_special"):
                words.append(child.content)
            elif child.type in ("softbreak", "hardbreak") or child.content == "<br>":
                words.append("\n")
        if token.type == "html_block":
            raise ValueError("a block of HTML: " + token.content)
        words.append("\n")
    return "".join(words).split(), yaml.safe_load(front)


def of_tei(path):
    content = xml.etree.ElementTree.parse(path).find(f"{TEI}text/{TEI}body/{TEI}div[@type='content']")
    words = []

    def walk(element):
        if element.tag == TEI + "desc":
            return
        gap = "" if element.tag in INLINE else "\n"
        words.extend([gap, element.text or ""])
        for child in element:
            walk(child)
            words.append(child.tail or "")
        words.append(gap)

    walk(content)
    return "".join(words).split()


def path_of(record, kinds):
    """Documents are found by their front matter, whatever their names are."""
    return kinds[record["site"], record["type"], record["id"], record["link"]]


checked = wrong = 0
for records in sorted(pathlib.Path(sys.argv[1]).glob("*.ndjson")):
    folder = {format: records.with_name(f"{records.stem}-{format}") for format in ("text", "markdown", "tei")}
    found = {}
    for path in folder["markdown"].glob("*/*/*.md"):
        words, front = of_markdown(path.read_text())
        found[front["site"], front["type"], front["id"], front["link"]] = (path, words, front)
    for line in open(records):
        record = json.loads(line)
        if record["kind"] not in ("post", "html"):
            continue
        path, words, front = path_of(record, found)
        name = path.relative_to(folder["markdown"]).with_suffix("")
        expected = (record["content"]["text"] or "").split()
        titled = (record["title"]["text"] or "").split() + expected
        text = folder["text"] / f"{name}.txt"
        same = {
            "markdown": words == expected,
            "tei": of_tei(folder["tei"] / f"{name}.xml") == expected,
            "text": (text.read_text().split() if text.exists() else []) == titled,
            "front matter": (front["title"], front["date"]) == (record["title"]["text"], record["date_gmt"]),
        }
        checked += 1
        for format in (format for format, is_same in same.items() if not is_same):
            wrong += 1
            if wrong <= 10:
                print(f"{name}: other words in {format}")
print(f"{checked} documents, {wrong} with other words in one of the formats")
sys.exit(1 if wrong or not checked else 0)
