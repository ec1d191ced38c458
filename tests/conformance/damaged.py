"""Records as they should not be, the same ones in each run: damaged.py NUMBER. Content out of pieces of HTML at random, odd
names, languages and links, comments that answer each other in circles, characters that XML has not."""

import json
import random
import sys

chance = random.Random(1884)
TAGS = """p div span a b i em strong s del code kbd sup sub br hr ul ol li dl dt dd blockquote h1 h2 h3 h4 h5 h6 table tbody tr td
th caption figure figcaption img pre section details summary svg math iframe script noscript form button select""".split()
WORDS = ["word", "größe", "漢字", "&amp;", "&lt;p&gt;", "&nbsp;", "&#1;", "&#x0;", "\x01", "\x0b", "\x0c", "\ufffe", "\uffff", "\u200b",
         "😀", "]]>", "<!--", "-->", "<![CDATA[", "<?php", "&", "<", ">", "\"", "'", "\n", "\r\n", "\t", " ", "\x85", "\u2028", "\x7f"]
LONE = ["\ud83d", "\udc00"]


def attributes():
    pairs = [("href", ["/x", "x y", "mailto:a@b", "javascript:x", "#c", "//h/é", "http://h/?a&b=\"", ""]),
             ("src", ["/i.png", "data:,x", "a b.jpg", "&quot;"]), ("alt", ["x", "<y>", "\x02", ""]),
             ("style", ["display:none", "display:inline", "display:block", "white-space:pre-wrap"]),
             ("start", ["7", "-1", "99999999999999999999"]), ("hidden", [""]), ("class", ["screen-reader-text", "wp-caption-text"])]
    return "".join(f" {name}='{chance.choice(values)}'" for name, values in pairs if chance.random() < 0.15)


def html():
    pieces = []
    for _ in range(chance.randrange(60)):
        kind = chance.random()
        tag = chance.choice(TAGS)
        if kind < 0.4:
            pieces.append(f"<{tag}{attributes()}>")
        elif kind < 0.65:
            pieces.append(f"</{tag}>")
        else:
            pieces.append(chance.choice(WORDS + (LONE if chance.random() < 0.1 else [])))
    if chance.random() < 0.02:
        pieces.append("<blockquote><ul><li><b>" * 300 + "deep")
    return "".join(pieces)


def text():
    return chance.choice([None, "", "".join(chance.choice(WORDS + LONE) for _ in range(chance.randrange(8)))])


def record(number):
    kind, type_ = chance.choice([("post", "post"), ("post", "page"), ("post", "9 odd/type"), ("html", "html")])
    identity = None if kind == "html" else number
    link = f"http://{chance.choice('ab')}.example/{number}{chance.choice(['', ' x', '?a&b', chr(34), '/é'])}"
    return {
        "site": chance.choice(["a.example", "1:\u00e9", "..", "a b"]), "kind": kind, "type": type_, "id": identity, "link": link,
        "date_gmt": chance.choice([None, "2024-01-02T03:04:05Z", "\x03\"", ""]), "modified_gmt": text(), "author": number % 7,
        "categories": [number % 5], "tags": [], "terms": [{"taxonomy": "a b", "id": number % 5}, {"taxonomy": None, "id": 1}],
        "title": {"html": None, "text": text()}, "content": {"html": chance.choice([None, html()]), "text": text()},
        "language": chance.choice([None, "", "en", "pt-BR", "con", "e\"n"]),
        "translations": [{"language": "fr", "href": text(), "target": {"type": type_, "id": None, "link": text()}}],
    }


for number in range(1, int(sys.argv[1]) + 1):
    post = record(number)
    print(json.dumps(post))
    for comment in range(chance.randrange(4)):
        answered = chance.randrange(number * 10, number * 10 + 4)
        print(json.dumps({"site": post["site"], "kind": "comment", "type": "comment", "id": number * 10 + comment, "post": post["id"],
                          "parent": answered, "author_name": text(), "date_gmt": text(), "link": None,
                          "content": {"html": html(), "text": text()}}))
    if number % 10 == 0:
        print(json.dumps({"site": post["site"], "kind": "user", "type": "user", "id": number % 7, "link": "x", "name": text()}))
        print(json.dumps({"site": post["site"], "kind": "term", "type": "category", "id": number % 5, "link": "x", "name": text()}))
