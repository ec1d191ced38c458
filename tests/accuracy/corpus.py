#!/usr/bin/env python3
"""Writes the generated corpus of `make accuracy`: corpus.py DIR. Each site gets a folder with dump/ and scrape/, and
DIR/truth.json says what is true of all of them, in the form of docs/accuracy.md."""

import json
import pathlib
import sys

import languages
import linked
import marked


def flat(made):
    return made if isinstance(made, list) else [made]


def sites():
    """The sites, in the order in which they are indexed."""
    return [site for make in linked.SITES + languages.SITES for site in flat(make())] + marked.sites(True)


def write(out):
    """Writes all sites, and the unmarked twins of those that have them below unmarked/."""
    out, all_sites = pathlib.Path(out), sites()
    for site in all_sites:
        site.write(out / "sites")
    for site in marked.sites(False):
        site.write(out / "unmarked")
    truth = {"complete": True, "records": [{"site": site.host, **fact} for site in all_sites for fact in site.truth]}
    (out / "truth.json").write_text(json.dumps(truth, ensure_ascii=False, indent=1), encoding="utf-8")
    return all_sites


if __name__ == "__main__":
    made = write(sys.argv[1])
    print(f"{len(made)} sites, {sum(len(s.pages) for s in made)} pages, {sum(len(s.truth) for s in made)} records with their truth")
