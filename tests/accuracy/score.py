#!/usr/bin/env python3
"""Scores a dataset against a truth.json (docs/accuracy.md has its form): score.py DATASET TRUTH [--misses N] [--json FILE]

DATASET is what `wp-export -d` wrote, or a file of records as wp-resolve writes them (.gz is fine). Only what the truth says is
scored: a key that a record of the truth lacks is not. A wrong value counts against precision and recall, a missing one
against recall alone.
"""

import argparse
import collections
import gzip
import json
import pathlib
import sys

from words import words_of

MEASURES = [
    "records",
    "language",
    "translations",
    "groups",
    "links",
    "internal",
    "reasons",
    "images",
    "featured",
    "terms",
    "copies",
    "titles",
    "words",
    "dates",
    "authors",
]


def lines(path):
    path = pathlib.Path(path)
    if path.is_dir():
        files = sorted(p for p in path.iterdir() if p.name.endswith((".jsonl", ".jsonl.gz")))
        if not files:
            sys.exit(f"score.py: no .jsonl in {path}")
    else:
        files = [path]
    for file in files:
        with (gzip.open if file.suffix == ".gz" else open)(file, "rt", encoding="utf-8") as text:
            yield from map(json.loads, text)


class Score:
    """For each measure what was right, wrong and missing; and examples of what was not right."""

    def __init__(self):
        self.counts = {measure: [0, 0, 0] for measure in MEASURES}
        self.misses = collections.defaultdict(list)

    def add(self, measure, right=0, wrong=0, missing=0, example=None):
        for place, number in enumerate((right, wrong, missing)):
            self.counts[measure][place] += number
        if wrong or missing:
            self.misses[measure].append(example)

    def value(self, measure, want, got, where):
        """One value, of which None is none."""
        if want == got:
            self.add(measure, right=1)
        else:
            self.add(measure, wrong=int(got is not None), missing=int(want is not None), example=(where, want, got))

    def plus(self, other, times=1):
        """This score and another one; `times` -1 takes it away again."""
        for measure, numbers in other.counts.items():
            self.counts[measure] = [own + times * number for own, number in zip(self.counts[measure], numbers)]
        return self

    def f(self, measure):
        """F of one measure: 1 where there is nothing to be found and nothing was."""
        right, wrong, missing = self.counts[measure]
        return 2 * right / (2 * right + wrong + missing) if right + wrong + missing else 1.0

    def figures(self):
        """Precision, recall and F of each measure that the truth says anything about."""
        table = {}
        for measure, (right, wrong, missing) in self.counts.items():
            if right + wrong + missing:
                precision, recall = (right / total if total else 0.0 for total in (right + wrong, right + missing))
                table[measure] = {
                    "right": right,
                    "wrong": wrong,
                    "missing": missing,
                    "precision": round(precision, 4),
                    "recall": round(recall, 4),
                    "f": round(self.f(measure), 4),
                }
        return table


class Dataset:
    """The records, found by their link, or their type and id."""

    def __init__(self, records):
        self.records = [r for r in records if r.get("kind") in ("post", "html", "media", "term", "user", "comment")]
        self.by = collections.defaultdict(list)
        self.users = {}
        for record in self.records:
            for name in {("link", record.get("link")), ("id", record["type"], record.get("id"))}:
                self.by[name].append(record)
            if record["kind"] == "user":
                self.users[record.get("site"), record["id"]] = record.get("name")

    def find(self, fact):
        found = self.by["link", fact["link"]] if fact.get("link") else self.by["id", fact["type"], fact["id"]]
        found = [r for r in found if all(r.get(key) == fact[key] for key in ("site", "type", "id") if is_said(fact, key))]
        return found[0] if len(found) == 1 else None

    def author(self, record):
        return record.get("author_name") or self.users.get((record.get("site"), record.get("author")))


def is_said(fact, key):
    """Whether a truth states this of a record. `html` says that it is a page of no item, which may state a type itself."""
    return key in fact and (key, fact[key]) != ("type", "html")


def says(mention, target):
    """Whether a target is the record that the truth means."""
    return all((target or {}).get(key) == value for key, value in mention.items() if is_said(mention, key))


def none(target):
    return not target or target.get("type") is None


def score_targets(score, measure, want, got, key, where):
    """Links or images, in the order of the document as far as their hrefs agree."""
    found = collections.defaultdict(list)
    for one in got or []:
        found[one.get(key) and one[key].strip()].append(one)
    for fact in want:
        same = found[fact[key] and fact[key].strip()]
        one = same.pop(0) if same else None
        example = (where, fact[key], fact.get("target"), one and [one["target"], one["rule"], one.get("reason")])
        target = one and one.get("target")
        if "target" in fact:
            right = none(target) if fact["target"] is None else not none(target) and says(fact["target"], target)
            score.add(
                measure,
                int(right),
                int(not right and not none(target)),
                int(not right and fact["target"] is not None or not one),
                example,
            )
        if one and fact.get("internal") is not None:
            score.value("internal", fact["internal"], one.get("internal"), example)
        if "reason" in fact:
            score.value("reasons", fact["reason"], one and one.get("reason"), example)


def score_sets(score, measure, want, got, where):
    """Mentions against targets or terms, each of which may answer one."""
    rest, right = list(got), 0
    missing = []
    for fact in want:
        hit = next((one for one in rest if says(fact, one)), None)
        if hit is None:
            missing.append(fact)
        else:
            rest.remove(hit)
            right += 1
    score.add(measure, right, len(rest), len(missing), (where, missing, rest))


def name_of(fact):
    return fact.get("link") or f"{fact['type']}:{fact['id']}"


def score_language(score, fact, record, where):
    """A truth without a region says nothing of regions: en is right where the record has en-US."""
    want, got = fact["language"], record.get("language")
    whole = (got or "").lower().startswith(f"{want}-".lower())
    score.value("language", want and want.lower(), want.lower() if want and whole else got and got.lower(), where)


def score_record(score, dataset, fact, record):
    where = name_of(fact)
    if "language" in fact:
        score_language(score, fact, record, where)
    if "translations" in fact:
        targets = [t["target"] for t in record.get("translations") or [] if not none(t["target"])]
        score_sets(score, "translations", fact["translations"], targets, where)
    if "copy" in fact:
        score.value("copies", fact["copy"], record.get("copy_source"), where)
    score_targets(score, "links", fact.get("links") or [], record.get("links"), "href", where)
    score_targets(score, "images", fact.get("images") or [], record.get("images"), "src", where)
    featured = record.get("featured_image") or {}
    if "featured" in fact:
        score_targets(score, "featured", [{"src": None, "target": fact["featured"]}], [{**featured, "src": None}], "src", where)
    if "featured_url" in fact:
        score.value("featured", fact["featured_url"], featured.get("url"), where)
    if "terms" in fact:
        got = [{"type": t.get("taxonomy"), **t} for t in record.get("terms") or []]
        score_sets(score, "terms", fact["terms"], got, where)
    if "title" in fact:
        score.value("titles", fact["title"], (record.get("title") or {}).get("text"), where)
    if "text" in fact:
        want, got = (collections.Counter(words_of(text)) for text in (fact["text"], (record.get("content") or {}).get("text")))
        same = sum((want & got).values())
        score.add(
            "words",
            same,
            sum((got - want).values()),
            sum((want - got).values()),
            (where, fact["text"][:60], str((record.get("content") or {}).get("text"))[:60]),
        )
    for name, key in (("date", "date_gmt"), ("modified", "modified_gmt")):
        if name in fact:
            score.value("dates", fact[name], record.get(key), (where, name))
    if "author" in fact:
        score.value("authors", fact["author"], dataset.author(record), where)


def groups_of(facts, found):
    """The groups that the truth makes, by its translations or by name; and those of the dataset, among the same records."""
    index, parent = {}, list(range(len(facts)))
    for number, fact in enumerate(facts):
        for name in (
            ("link", fact.get("link")),
            (fact.get("site"), fact["type"], fact.get("id")),
            ("group", fact.get("site"), fact.get("group")),
        ):
            index.setdefault(name, number)

    def root(number):
        while parent[number] != number:
            number = parent[number]
        return number

    def join(number, name):
        if name in index and name[-1] is not None:
            parent[root(number)] = root(index[name])

    for number, fact in enumerate(facts):
        join(number, ("group", fact.get("site"), fact.get("group")))
        for other in fact.get("translations") or []:
            join(number, ("link", other["link"]) if "link" in other else (fact.get("site"), other["type"], other["id"]))
    want, got = collections.defaultdict(set), collections.defaultdict(set)
    said = {root(number) for number, fact in enumerate(facts) if "translations" in fact or "group" in fact}
    for number, fact in enumerate(facts):
        if root(number) in said:
            want[root(number)].add(number)
            if found[number] and found[number].get("translation_group"):
                got[found[number]["site"], found[number]["translation_group"]].add(number)
    return [{frozenset(group) for group in made.values() if len(group) > 1} for made in (want, got)]


def score(records, truth):
    """The score of a dataset's records."""
    dataset, result, found = Dataset(records), Score(), []
    for fact in truth["records"]:
        record = dataset.find(fact)
        result.add("records", int(bool(record)), 0, int(not record), (name_of(fact), "is not in the dataset, or not by itself"))
        found.append(record)
        score_record(result, dataset, fact, record or {})
    if truth.get("complete"):
        links = {fact.get("link") for fact in truth["records"]}
        for record in dataset.records:
            if record["kind"] in ("post", "html") and record["link"] not in links:
                result.add("records", wrong=1, example=(record["link"], "is a record, and no truth"))
    want, got = groups_of(truth["records"], found)
    named = lambda groups: [[name_of(truth["records"][number]) for number in sorted(group)] for group in groups][:2]
    result.add(
        "groups", len(want & got), len(got - want), len(want - got), ("missing", named(want - got), "wrong", named(got - want))
    )
    return result


def shown(figures):
    """The table that is printed."""
    rows = [f"{'':13}{'right':>8}{'wrong':>8}{'missing':>8}{'precision':>11}{'recall':>8}"]
    for measure, of in figures.items():
        rows.append(f"{measure:13}{of['right']:8}{of['wrong']:8}{of['missing']:8}{of['precision']:11.4f}{of['recall']:8.4f}")
    return "\n".join(rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dataset")
    parser.add_argument("truth")
    parser.add_argument(
        "--misses", type=int, default=0, metavar="N", help="also print N examples of what was not right, for each measure"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object instead")
    options = parser.parse_args()
    with open(options.truth, encoding="utf-8") as file:
        result = score(lines(options.dataset), json.load(file))
    print(json.dumps(result.figures()) if options.json else shown(result.figures()))
    for measure, examples in result.misses.items():
        for example in examples[: options.misses]:
            print(measure, *example, sep="\t")


if __name__ == "__main__":
    main()
