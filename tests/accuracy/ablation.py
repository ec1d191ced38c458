#!/usr/bin/env python3
"""What each rule of a page is worth: ablation.py MIRRORS [OPTION ...], MIRRORS a folder of mirrors, each with dump/ and site/.

docs/mirrors.tsv names those that were used. wp-index and wp-parse are on the PATH, and the wp-translations of
`cargo build --release --features ablation --bin wp-translations`, which writes beside a record what it would be without each rule that
held. OPTION goes to that: `--without-rule selector` shows what the others do for themes that no table knows.

Content that a page alone gives is compared with that of the same post in the API, titles and days, too. Printed are, by rule, how many
records are better and worse without it, the sum of the changes of F (a wrong title or day counts as 1), and how many mirrors gain and
lose.
"""

import collections
import json
import pathlib
import re
import subprocess
import sys
import unicodedata


def records(command):
    done = subprocess.run(["bash", "-c", command], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    for line in filter(None, done.stdout.split(b"\n")):
        try:
            yield json.loads(line)
        except ValueError:  # the stage was broken off
            return


def text(record, key="content"):
    return (record.get(key) or {}).get("text") or ""


def page(record):
    return (record.get("scrape") or {}).get("file")


def words(of):
    return collections.Counter(re.findall(r"\w+", unicodedata.normalize("NFKC", of).lower()))


def f(found, want):
    both = sum((found & want).values())
    return 2 * both / (sum(found.values()) + sum(want.values())) if both else float(found == want)


def letters(of):
    return re.sub(r"\W+", "", unicodedata.normalize("NFKC", of).lower())


def right(record, want):
    """How right content, title and day are."""
    return (
        f(words(text(record)), words(text(want)))
        + (letters(text(record, "title")) == letters(text(want, "title")))
        + ((record.get("date") or record.get("date_gmt") or "")[:10] in ((want.get("date") or "")[:10], (want.get("date_gmt") or "")[:10]))
    )


def measure(mirror, options):
    """By rule: how many are better and worse without it, and the sum of the changes."""
    site = mirror / "site"
    index = f"wp-index -q --no-dump --all-pages --scrape '{site}' | wp-parse -q | wp-translations -q --scrape-root '{site}' {options}"
    dumped = records(f"wp-index -q '{mirror / 'dump'}' --scrape '{site}' | wp-parse -q")
    wanted = {page(post): post for post in dumped if post.get("kind") == "post" and page(post) and len(text(post)) >= 200}
    rules, scores = collections.defaultdict(lambda: [0, 0, 0.0]), []
    for record in records(index):
        want = wanted.get(page(record))
        if want is None:
            continue
        scores.append(f(words(text(record)), words(text(want))))
        for rule, values in record["without"].items():
            change = right({**record, **values}, want) - right(record, want)
            row = rules[rule]
            row[0] += change > 1e-4
            row[1] += change < -1e-4
            row[2] += change
    print(f"{mirror.name:60.60} n {len(scores):5} F {sum(scores) / max(1, len(scores)):.4f}", flush=True)
    return rules


total = collections.defaultdict(lambda: [0, 0, 0.0, 0, 0])
for mirror in sorted(path for path in pathlib.Path(sys.argv[1]).iterdir() if (path / "dump").is_dir()):
    for rule, (better, worse, change) in measure(mirror, " ".join(sys.argv[2:])).items():
        row = total[rule]
        row[0] += better
        row[1] += worse
        row[2] += change
        row[3] += change > 1e-4
        row[4] += change < -1e-4
print("without the rule: better, worse, change; mirrors better, worse")
for rule, (better, worse, change, gain, lose) in sorted(total.items()):
    print(f"{rule:24} {better:6} {worse:6} {change:10.3f} {gain:4} {lose:4}")
