"""Reads wp-export's documents, vertical text and the metadata of texts back with the tools they are made for.

check OUT       OUT: SITE.ndjson and SITE/FORMAT for each site. Prints a row a check.
"""

import csv
import html
import json
import pathlib
import re
import sys

import datasets
import pandas
import uniseg.sentencebreak
import uniseg.wordbreak
from datatrove.pipeline.readers import JsonlReader

checks = failed = 0


def row(site, form, tool, what, found, expected):
    global checks, failed
    checks += 1
    failed += found != expected
    print(f"{'ok' if found == expected else 'FAILED':7}{site:15}{form:10}{tool:12}{what:34}{str(found)[:60]}"
          + ("" if found == expected else f"  expected {str(expected)[:200]}"))


def differ(found, want):
    return f"{len(found)} of {len(want)}" if len(found) != len(want) else sum(a != b for a, b in zip(found, want))


def documents(records):
    return [r for r in records if r["kind"] in ("post", "html")]


def check_documents(site, records, folder):
    want = [r for r in documents(records) if (r["content"]["text"] or "").strip()]
    time = lambda value: value and value.strftime("%Y-%m-%dT%H:%M:%SZ")
    # The whole folder, as from the hub.
    loaded = list(datasets.load_dataset(str(folder), split="train", cache_dir=str(folder.parent / "cache")))
    row(site, "documents", "datasets", "documents", len(loaded), len(want))
    row(site, "documents", "datasets", "texts that differ", differ([d["text"] for d in loaded], [r["content"]["text"] for r in want]), 0)
    row(site, "documents", "datasets", "dates that differ", differ([time(d["created"]) for d in loaded], [r["date_gmt"] for r in want]), 0)
    found = [(d["metadata"]["url"], d["metadata"]["record_id"], d["metadata"]["title"], d["metadata"]["language"]) for d in loaded]
    row(site, "documents", "datasets", "metadata that differ", differ(found, [(r["link"], r["id"], r["title"]["text"], r["language"]) for r in want]), 0)
    row(site, "documents", "datasets", "different ids", len({d["id"] for d in loaded}), len(want))
    read = list(JsonlReader(str(folder), glob_pattern="documents.jsonl").run())
    row(site, "documents", "datatrove", "texts that differ", differ([d.text for d in read], [r["content"]["text"] for r in want]), 0)
    row(site, "documents", "datatrove", "sources and URLs that differ",
        differ([(d.metadata["source"], d.metadata["url"]) for d in read], [(r["site"], r["link"]) for r in want]), 0)


def check_metadata(site, records, folder):
    want = [r for r in documents(records) if (r["title"]["text"] or "").strip("\n\r") or (r["content"]["text"] or "").strip("\n\r")]
    table = pandas.read_csv(folder / "metadata.tsv", sep="\t", dtype=str, keep_default_na=False, quoting=csv.QUOTE_NONE, lineterminator="\n")
    row(site, "text", "pandas", "rows", len(table), len(want))
    there = sum((folder / name).is_file() for name in table.file)
    row(site, "text", "pandas", "files that are there", there, len(want))
    one_line = lambda value: " ".join("".join(c if ord(c) >= 32 and not 127 <= ord(c) < 160 else " " for c in value or "").split())
    row(site, "text", "pandas", "titles that differ", differ(table.title.tolist(), [one_line(r["title"]["text"]) for r in want]), 0)
    row(site, "text", "pandas", "links that differ", differ(table.link.tolist(), [r["link"] or "" for r in want]), 0)


BLANK = re.compile("[\\s\x00-\x1f\x7f-\x9f\xad\u200b\u200e\u200f\u2060\ufeff]+")
# Chinese, Japanese, Thai, Lao, Burmese, Khmer: words by dictionary, which uniseg does not have.
DICTIONARY = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]")


def read_vert(path):
    """An independent reader: documents with their attributes, and of each paragraph its sentences of (token, glued)."""
    documents, opened, glued = [], [], False
    for line in path.read_text().split("\n")[:-1]:
        tag = re.fullmatch(r"<(/?)(doc|p|s|g)((?: [a-z_]+=\"[^\"<>]*\")*)(/?)>", line)
        if not tag:
            assert opened == ["doc", "p", "s"] and line and "<" not in line and "\t" not in line, line
            documents[-1][1][-1][-1].append((html.unescape(line), glued))
            glued = False
        elif tag[2] == "g":
            assert opened == ["doc", "p", "s"] and tag[4] and not glued, line
            glued = True
        elif tag[1]:
            assert opened.pop() == tag[2] and not glued, line
        else:
            assert opened == ["doc", "p", "s"][:["doc", "p", "s"].index(tag[2])], line
            opened.append(tag[2])
            if tag[2] == "doc":
                documents.append((dict(re.findall(r"([a-z_]+)=\"([^\"]*)\"", html.unescape(tag[3].replace("&quot;", "”")))), []))
            else:
                (documents[-1][1] if tag[2] == "p" else documents[-1][1][-1]).append([])
    assert not opened
    return documents


def check_vert(site, records, folder):
    want = {}
    for record in documents(records):
        lines = [line for text in (record["title"]["text"], record["content"]["text"])
                 for line in re.split("[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]", text or "") if BLANK.sub("", line)]
        if lines:
            want.setdefault(record["language"] or "und", []).append((record, lines))
    row(site, "vert", "a reader", "languages", sorted(path.stem for path in folder.glob("*.vert")), sorted(want))
    for language, expected in want.items():
        found = read_vert(folder / f"{language}.vert")
        row(site, "vert", "a reader", f"{language} documents", len(found), len(expected))
        told = [(d["id"], d["url"]) for d, _ in found]
        row(site, "vert", "a reader", f"{language} URLs that differ", differ([url for _, url in told], [r["link"] or "" for r, _ in expected]), 0)
        row(site, "vert", "a reader", f"{language} different ids", len({key for key, _ in told}), len(expected))
        joined = lambda sentences: "".join(("" if glued or not i else " ") + token
                                           for i, (token, glued) in enumerate(t for s in sentences for t in s))
        texts = [[BLANK.sub("", joined(p)) for p in paragraphs] for _, paragraphs in found]
        odd = lambda text: BLANK.sub("", text.replace("\ufffe", "").replace("\uffff", ""))
        row(site, "vert", "a reader", f"{language} texts that differ",
            differ([[odd(p) for p in t] for t in texts], [[odd(line) for line in lines] for _, lines in expected]), 0)
        # Another implementation of Unicode's rules, for paragraphs that need no dictionary.
        words = sentences = same_words = same_sentences = 0
        for (_, paragraphs), (_, lines) in list(zip(found, expected))[:300]:
            for paragraph, line in list(zip(paragraphs, lines))[:40]:
                if DICTIONARY.search(line) or BLANK.sub(" ", line).strip() != re.sub(" +", " ", line).strip() or len(line) > 5000:
                    continue
                line = line.strip()
                theirs = [word.strip() for word in uniseg.wordbreak.words(line) if word.strip()]
                words, same_words = words + 1, same_words + (theirs == [token for s in paragraph for token, _ in s])
                theirs = [BLANK.sub("", s) for s in uniseg.sentencebreak.sentences(line)]
                sentences += 1
                same_sentences += [s for s in theirs if s] == [BLANK.sub("", "".join(t for t, _ in s)) for s in paragraph]
        row(site, "vert", "uniseg", f"{language} paragraphs: words", f"{same_words} of {words}", f"{words} of {words}")
        # uniseg breaks `e.g. “#f` before the quotation mark, against rule SB8: one paragraph of a real site in a thousand.
        row(site, "vert", "uniseg", f"{language} sentences, all but 0.5 %", same_sentences >= 0.995 * sentences, True)


out = pathlib.Path(sys.argv[1])
for path in sorted(out.glob("*.ndjson")):
    stream = [json.loads(line) for line in path.open()]
    check_documents(path.stem, stream, out / path.stem / "documents")
    check_metadata(path.stem, stream, out / path.stem / "text")
    check_vert(path.stem, stream, out / path.stem / "vert")
print(f"{checks - failed} of {checks} checks: documents, vertical text and metadata are read back whole")
sys.exit(failed > 0)
