#!/usr/bin/env python3
"""Compares the content that is taken from pages with the API's content of the same posts. mirrors.py DIR WORK [--worst N] [MIN [MIN]]

Each folder in DIR is a mirror of a site that holds answers of its own REST API, in wp-json/ (Simply Static, WP2Static, HTTrack and
wget save them). They are gathered to a dump. The site is run twice with its pages: as it is (the API's text), and with a dump whose contents
are empty, so that they are taken from the pages. Of posts with 200 characters of text or more, words are compared (as bags, NFKC,
lower case): P, R and F are means over the posts of a site, and of all posts. Posts whose content WordPress makes anew each time
(made_anew.py) are left out and counted; so are posts of which the API has no text: "invented" are those that get 200 characters from
their page. Some APIs show the shortcodes of page builders as they are written: the tags are no words, and what their attributes
say (text="…", title="…"), which a page shows, is neither right nor wrong in a page's text. A post with fewer than 200 characters
beside its tags is left out. "literal" is the F without the last two rules. Where a page does not hold four fifths of the API's words at
all, it was saved at another time, in another language, or without what scripts add: it differs.

trafilatura reads the same pages where python3 can import it; its texts are kept in WORK.
MIN MIN: fails where F of all posts, or of one site, is lower.
"""
import argparse, collections, html, json, os, re, subprocess, sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from made_anew import is_made_anew
from mirror import items_of, words_of

parser = argparse.ArgumentParser()
parser.add_argument("dir")
parser.add_argument("work")
parser.add_argument("minima", nargs="*", type=float)
parser.add_argument("--worst", type=int, default=0)
options = parser.parse_args()

try:
    import trafilatura
except ImportError as missing:
    print(f"SKIPPED: {missing}: not compared with trafilatura")
    trafilatura = None

LEAST, HELD = 200, 0.8
SHORTCODE = re.compile(r"\[/?[a-z]+_\w+[^]]*\]")


def run(command):
    with open(os.path.join(work, "log"), "a") as log:
        subprocess.run(["bash", "-o", "pipefail", "-c", command], stderr=log, check=True)


def quote(text):
    return "'" + text.replace("'", "'\\''") + "'"


def records(name):
    with open(os.path.join(work, name), encoding="utf-8") as lines:
        found = (json.loads(line) for line in lines)
        return {(r["type"], r["id"], r["link"]): r for r in found if r["kind"] == "post" and r["scrape"]["file"]}


def text_of(record):
    return (record.get("content") or {}).get("text") or ""


def without_tags(text):
    return SHORTCODE.sub(" ", text)


def words(text):
    return words_of(without_tags(text))


def score(text, want):
    """P, R and F, and F where what attributes of shortcodes say is wrong."""
    got, said = words(text), words(" ".join(tag[1:] for tag in SHORTCODE.findall(want)))
    want = words(want)
    both = sum((got & want).values())
    r = both / max(1, sum(want.values()))
    mean = lambda p: 2 * p * r / (p + r) if both else 0.0
    wrong = sum((got - want - said).values())
    p = both / max(1, both + wrong)
    return p, r, mean(p), mean(both / max(1, sum(got.values())))


def is_held(site, file, want):
    """Whether a page has most of the words of a text, wherever."""
    with open(os.path.join(site, file), encoding="utf-8", errors="replace") as page:
        page = re.sub(r"(?is)<(script|style)\b.*?</\1>|<!--.*?-->|<[^>]*>", " ", page.read())
    want = words(want)
    return sum((want & words(html.unescape(page))).values()) >= HELD * sum(want.values())


def theirs(site, files):
    """The texts of trafilatura, as its own evaluation makes them."""
    if trafilatura is None:
        return {}
    kept = os.path.join(work, "trafilatura.json")
    texts = json.load(open(kept)) if os.path.exists(kept) else {}
    for file in files - texts.keys():
        with open(os.path.join(site, file), "rb") as page:
            try:
                texts[file] = trafilatura.extract(page.read(), include_comments=False, include_tables=True) or ""
            except Exception:  # as an empty text, like in its own evaluation
                texts[file] = ""
    with open(kept, "w") as out:
        json.dump(texts, out)
    return texts


def run_site(site):
    """Both runs of a site: their records are in WORK."""
    root = quote(site)
    dump, empty, api, page = (os.path.join(work, name) for name in ("dump", "empty", "api.ndjson", "page.ndjson"))
    items = items_of(site)
    write_dump(dump, items)
    write_dump(empty, {kind: [{**item, "content": {**item["content"], "rendered": ""}} for item in of] for kind, of in items.items()})
    run(f"wp-index -q {quote(dump)} --scrape {root} | wp-parse -q -o {quote(api)}")
    # by wp-index, which names pages that show the site's template only where a content may come from a page
    run(f"wp-index -q {quote(empty)} --scrape {root} | wp-parse -q -o {quote(page + '.parsed')}")
    run(f"wp-translations -q --scrape-root {root} {quote(page + '.parsed')} -o {quote(page)}")


def write_dump(dump, items):
    os.makedirs(dump, exist_ok=True)
    for kind, of in items.items():
        with open(os.path.join(dump, re.sub(r"[^\w-]", "_", kind) + ".json"), "w") as out:
            json.dump(of, out)


def rows_of(site):
    """Of each post that can be compared: rule, our score, theirs, its link, its page; and how many were left out or invented."""
    run_site(site)
    api, page = records("api.ndjson"), records("page.ndjson")
    keys = {key for key in api if len(text_of(api[key])) >= LEAST}
    anew = {key for key in keys if is_made_anew(api[key]["content"]["html"])}
    invented = sum(not text_of(api[key]) and len(text_of(page[key])) >= LEAST for key in api)
    files = {key: page[key]["scrape"]["file"] for key in keys - anew}
    differ = {key for key, file in files.items() if not is_held(site, file, text_of(api[key]))}
    files = {key: file for key, file in files.items() if key not in differ}
    peer = theirs(site, set(files.values()))
    tagged = {key for key in files if len(without_tags(text_of(api[key])).strip()) < LEAST}
    rows = [(str(page[key]["content_rule"]), score(text_of(page[key]), text_of(api[key])),
             score(peer[file], text_of(api[key])) if peer else None, key, file, key in tagged)
            for key, file in sorted(files.items(), key=lambda item: item[1])]
    return rows, f"  made anew {len(anew)}, differ {len(differ)}, invented {invented}"


def line(name, all_rows, more=""):
    rows = [row for row in all_rows if not row[5]] or all_rows
    mean = lambda column, part, rows=rows: sum(row[column][part] for row in rows) / len(rows)
    if any(row[5] or row[1][2] != row[1][3] for row in all_rows):
        more = f"  literal n {len(all_rows)} F {mean(1, 3, all_rows):.3f}" + more
    both = [" P {:.3f} R {:.3f} F {:.3f}".format(*(mean(column, part) for part in range(3))) if rows[0][column] else ""
            for column in (1, 2)]
    print(f"{name:44.44} n {len(rows):5}{both[0]}  below .9: {sum(row[1][2] < .9 for row in rows):4}"
          + (f"  trafilatura{both[1]}" if both[1] else "") + more, flush=True)
    return mean(1, 2)


everything, least = [], 1.0
for name in sorted(os.listdir(options.dir)):
    site, work = os.path.join(options.dir, name), os.path.join(options.work, name)
    if not os.path.isdir(site):
        continue
    os.makedirs(work, exist_ok=True)
    rows, more = rows_of(os.path.abspath(site))
    if not rows:
        print(f"{name:44.44} no post with a text joined a page")
        continue
    least = min(least, line(name, rows, more))
    rules = collections.Counter(row[0] for row in rows)
    for rule, _ in rules.most_common() if len(rules) > 1 else []:
        line("  " + rule, [row for row in rows if row[0] == rule])
    everything += [(*row, name) for row in rows]
if not everything:
    sys.exit("no mirror has posts to compare")
for rule, _ in collections.Counter(row[0] for row in everything).most_common():
    line("all: " + rule, [row for row in everything if row[0] == rule])
total = line("all", everything)
worst = sorted((row for row in everything if not row[5]), key=lambda row: row[1][2])[: options.worst]
for rule, (p, r, f, _), _, key, file, _, name in worst:
    print(f"  F {f:.2f} P {p:.2f} R {r:.2f} {rule} {name}/{file} {key[2]}")
minima = dict(zip(("all", "a site"), options.minima))
failed = [what for what, f in (("all", total), ("a site", least)) if f < minima.get(what, 0)]
sys.exit(f"F of {' and of '.join(failed)} is too low" if failed else 0)
