#!/usr/bin/env python3
"""Scores the main text that wp-translations finds in pages without API content. main_text.py SET WORK [--errors N] [MIN MIN]

SET is the folder `tests` of trafilatura's repository: pages, and for each some snippets that its main text contains
("with") and some that it does not ("without"). Counted as its own evaluation counts: blanks are made alike, and a
snippet is found where the text contains it. tp: snippets of "with" found, fn: not found, fp: snippets of "without" found;
summed over all pages, P = tp/(tp+fp), R = tp/(tp+fn), F = 2tp/(2tp+fp+fn). Our text is title + content; the others'
is what their own evaluation there takes.

Half 0 (even md5 of the file name) is the one that rules may be tuned on, half 1 is held back. A page is WordPress' if it has
wp-content/, wp-includes/ or the generator. The other programs run where python3 can import them; their texts are kept in WORK.
MIN MIN: fails where F of all pages is lower on WordPress' or on the others. --errors lists the errors of half 0.
"""
import argparse, collections, hashlib, json, os, re, subprocess, sys

parser = argparse.ArgumentParser()
parser.add_argument("set")
parser.add_argument("work")
parser.add_argument("minima", nargs="*", type=float)
parser.add_argument("--errors", type=int, default=0)
options = parser.parse_args()


def peers():
    """The other programs, as trafilatura's evaluation runs them (readability's HTML is made text of here)."""
    found = {}
    try:
        import trafilatura
        keep = dict(include_comments=False, include_tables=True, include_formatting=False)
        found["trafilatura"] = lambda page: trafilatura.extract(page, **keep)
        from trafilatura.utils import decode_file
        import lxml.html, readability
        found["readability"] = lambda page: lxml.html.fromstring(readability.Document(decode_file(page)).summary()).text_content()
        import justext
        from trafilatura.external import jt_stoplist_init
        words = jt_stoplist_init()
        found["justext"] = lambda page: " ".join(
            part.text for part in justext.justext(page, words, 50, 200, 0.1, 0.2, 0.2, 200, True) if not part.is_boilerplate)
    except ImportError as missing:
        print(f"SKIPPED: {missing}: not compared with the programs that need it")
    return found


def read(file):
    with open(os.path.join(options.set, file), "rb") as page:
        return page.read()


def ours(files):
    """Title and text of each page, and the rule that chose it."""
    records = [json.dumps({"site": "s", "kind": "html", "type": "html", "id": None, "link": url,
                           "scrape": {"root": ".", "file": file, "url": url}}) for url, file in files.items()]
    command = ["wp-translations", "-q", "--scrape-root", options.set]
    done = subprocess.run(command, input="\n".join(records), stdout=subprocess.PIPE, text=True, check=True)
    found = {}
    for record in map(json.loads, filter(None, done.stdout.split("\n"))):
        text = (record.get("content") or {}).get("text") or ""
        found[record["link"]] = ((record.get("title") or {}).get("text") or "") + "\n" + text
        rules[record["link"]] = record.get("content_rule")
    return found


def theirs(name, extract, files):
    kept = os.path.join(options.work, name + ".json")
    if not os.path.exists(kept):
        texts = {}
        for url, file in files.items():
            try:
                texts[url] = extract(read(file)) or ""
            except Exception:  # as an empty text, like in their own evaluation
                texts[url] = ""
        with open(kept, "w") as out:
            json.dump(texts, out)
    return json.load(open(kept))


def alike(text):
    return re.sub(r"\s+", " ", text).strip()


def count(item, text):
    text = alike(text)
    lost = [part for part in item["with"] if alike(part) not in text]
    false = [part for part in item["without"] if alike(part) in text]
    return len(item["with"]) - len(lost), lost, false


def scores(tp, fn, fp):
    return tp / max(tp + fp, 1), tp / max(tp + fn, 1), 2 * tp / max(2 * tp + fp + fn, 1)


items = json.load(open(os.path.join(options.set, "evaldata.json")))
places = {url: next(f for f in (f"{part}/{item['file']}" for part in ("cache", "eval")) if os.path.exists(os.path.join(options.set, f)))
          for url, item in items.items()}
wordpress = re.compile(rb"wp-content/|wp-includes/|<meta[^>]+generator[^>]+WordPress", re.I)
group = {url: ("WordPress" if wordpress.search(read(file)) else "other",
               int(hashlib.md5(items[url]["file"].encode()).hexdigest(), 16) % 2) for url, file in places.items()}
os.makedirs(options.work, exist_ok=True)
rules, errors = {}, []
failed = False
print(f"{'':14}" + "".join(f"{kind + ' ' + half:>24}" for kind in ("WordPress", "other") for half in ("half 0", "half 1", "all")))
for name, texts in [("wpipe", ours(places))] + [(name, theirs(name, extract, places)) for name, extract in peers().items()]:
    sums = collections.defaultdict(lambda: [0, 0, 0])
    for url, item in items.items():
        tp, lost, false = count(item, texts.get(url, ""))
        kind, half = group[url]
        for key in ((kind, half), (kind, "all"), ("all", "all")):
            sums[key] = [a + b for a, b in zip(sums[key], (tp, len(lost), len(false)))]
        if name == "wpipe" and half == 0 and lost + false:
            errors.append((len(lost + false), kind, places[url], rules.get(url), lost, false))
    columns = [(kind, half) for kind in ("WordPress", "other") for half in (0, 1, "all")]
    print(f"{name:14}" + "".join("{:>9.3f} {:.3f} F {:.3f}".format(*scores(*sums[key])).rjust(24) for key in columns)
          + "   all F {:.4f}".format(scores(*sums["all", "all"])[2]))
    if name == "wpipe" and options.minima:
        failed = any(scores(*sums[kind, "all"])[2] < least for kind, least in zip(("WordPress", "other"), options.minima))
for _, kind, file, rule, lost, false in sorted(errors, key=lambda e: (e[1], -e[0], e[2]))[: options.errors]:
    print(f"{kind} {file} [{rule}]" + "".join(f"\n  - {part[:100]!r}" for part in lost) + "".join(f"\n  + {part[:100]!r}" for part in false))
sys.exit(failed)
