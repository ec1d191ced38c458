#!/usr/bin/env python3
"""Scores the programs on the generated corpus: accuracy.py WORK [--save] [--misses N]

Prints the score, compares what is wrong and missing with known.tsv in both directions, and fails where a rule decides nothing.
The programs must be on the PATH. --save renews known.tsv. WORK gets the corpus and rules.tsv, what each rule is worth.
"""

import argparse
import collections
import json
import pathlib
import shutil

import corpus
import pipeline
import rules
from score import score, shown

KNOWN = pathlib.Path(__file__).with_name("known.tsv")


def known():
    rows = (line.split("\t") for line in KNOWN.read_text(encoding="utf-8").splitlines()[1:])
    return {measure: (int(wrong), int(missing)) for measure, wrong, missing, _ in rows}


def save(counts):
    """The numbers; the reasons stay as they are."""
    reasons = {line.split("\t")[0]: line.split("\t")[3] for line in KNOWN.read_text(encoding="utf-8").splitlines()[1:]}
    rows = ["measure\twrong\tmissing\twhy"]
    rows += [f"{m}\t{wrong}\t{missing}\t{reasons.get(m, '?')}" for m, (_, wrong, missing) in counts.items() if wrong or missing]
    KNOWN.write_text("\n".join(rows) + "\n", encoding="utf-8")


def compare(result):
    """What differs from known.tsv."""
    was = known()
    for measure, (_, wrong, missing) in result.counts.items():
        old = was.get(measure, (0, 0))
        if (wrong, missing) != old:
            yield f"{measure}: {wrong} wrong and {missing} missing, known are {old[0]} and {old[1]}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("--save", action="store_true")
    parser.add_argument("--misses", type=int, default=0, metavar="N")
    options = parser.parse_args()
    work, logs = options.work, options.work / "logs"
    shutil.rmtree(work, ignore_errors=True)
    logs.mkdir(parents=True)
    made = corpus.write(work)
    parsed = pipeline.parse(pipeline.index(work / "sites", logs))
    records = pipeline.resolve(work / "sites", logs, parsed)
    truth = json.loads((work / "truth.json").read_text(encoding="utf-8"))
    result = score(records, truth)
    print(f"Generated corpus (a regression figure): {len(made)} sites, {sum(len(site.pages) for site in made)} pages")
    print(shown(result.figures()))
    for measure, examples in result.misses.items():
        for example in examples[: options.misses]:
            print(measure, *example, sep="\t")
    if options.save:
        save(result.counts)
    failures = list(compare(result))
    table = rules.rules(work, records, truth, parsed)
    (work / "rules.tsv").write_text(table.shown(), encoding="utf-8")
    groups = collections.Counter(row[0] for row in table.rows)
    print(
        f"{len(table.rows)} rules, each switched off by itself ({work / 'rules.tsv'}): "
        + ", ".join(f"{name} {count}" for name, count in groups.items())
    )
    failures += [f"{group} {rule}: switched off, it lowers no number" for group, rule in table.idle()]
    for failure in failures:
        print("FAILED ", failure)
    raise SystemExit(1 if failures else 0)


if __name__ == "__main__":
    main()
