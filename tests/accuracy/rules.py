"""Whether each rule decides something: what the score becomes without it.

A rule is switched off in one of three ways. `option`: the programs run without it (--sources, --switchers, --content-selector).
`mark`: the pages lack what it reads, in the unmarked twin of their site. `result`: what it has decided is taken out of the records.
"""

import copy
import json
import pathlib
import re
import tempfile

import languages
import marked
import pipeline
from score import Score, score

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
NO_TARGET = {"type": None, "id": None, "link": None}


def closed_list(page, section):
    """The words that a man page lists in one of its sections."""
    text = (REPOSITORY / "man" / page).read_text(encoding="utf-8")
    part = re.split(r"^\.S[hs] ", text, flags=re.M)
    found = [block for block in part if block.startswith(section + "\n")]
    words = re.findall(r"^\.It Cm (\S+)$", found[0], flags=re.M) if found else []
    if not words:
        raise SystemExit(f"rules.py: {page} lists nothing in {section}")
    return words


def described(field, part="\n"):
    """The words that wp-records(5) gives as values of a field of posts, or of a part of them."""
    text = (REPOSITORY / "man" / "wp-records.5").read_text(encoding="utf-8")
    text = text.split(f".Ss {part}\n", 1)[1] if part.strip() else text
    text = text.split(f".It Va {field}\n", 1)[1].split("\n.Bq ", 1)[0]
    text = re.sub(r"\([^)]*\)|^\.Pq .*$", ",", text, flags=re.M)
    text = re.split(r"[.;]\s+[Nn]ull", text.split(":", 1)[1])[0]
    return [word for word in map(str.strip, re.split(r"[,;:.]|\bor\b", text)) if re.fullmatch("[a-z]+", word)]


def without_target(record, rule):
    for key in ("links", "images"):
        for one in record.get(key) or []:
            if one.get("rule") == rule:
                one["target"] = NO_TARGET
    if (record.get("featured_image") or {}).get("rule") == rule:
        record["featured_image"]["target"] = NO_TARGET
    if record.get("translations"):
        record["translations"] = [t for t in record["translations"] if t.get("rule") != rule]


def without_reason(record, reason):
    for one in (record.get("links") or []) + (record.get("images") or []):
        if one.get("reason") == reason:
            one["reason"] = None


def without_value(record, key, source_key, source):
    if record.get(source_key) == source:
        record[key] = copy.deepcopy({"content": {"text": None}}.get(key))


def without_source(record, source):
    record["translations"] = [t for t in record.get("translations") or [] if t["source"] != source]


class Table:
    """The rows of the table: what lowers which number. Sites are scored by themselves, since a rule concerns few of them."""

    def __init__(self, records, truth):
        self.rows, self.sites = [], {}
        for site in dict.fromkeys(fact["site"] for fact in truth["records"]):
            facts = {"complete": truth.get("complete"), "records": [f for f in truth["records"] if f["site"] == site]}
            own = [r for r in records if r["site"] == site]
            self.sites[site] = (own, json.dumps(own), facts, score(own, facts))
        self.whole = self.total(self.sites)

    def total(self, sites):
        whole = Score()
        for site in sites:
            whole.plus(self.sites[site][3])
        return whole

    def add(self, group, rule, how, before, after):
        """The number that falls most."""
        falls = [(before.f(m) - after.f(m), m, before.f(m), after.f(m)) for m in before.counts]
        most = max(falls)
        self.rows.append((group, rule, how, most if most[0] > 0 else None))

    def result(self, group, rule, change):
        """Takes results out of the records of the sites that name the rule."""
        after = Score().plus(self.whole)
        for own, text, facts, before in self.sites.values():
            if f'"{rule}"' in text:
                changed = copy.deepcopy(own)
                for record in changed:
                    change(record)
                after.plus(before, -1).plus(score(changed, facts))
        self.add(group, rule, "result", self.whole, after)

    def run(self, group, rule, sites, records):
        """What another run of the programs over some sites has found."""
        after = Score()
        for site in sites:
            after.plus(score([r for r in records if r["site"] == site], self.sites[site][2]))
        self.add(group, rule, "option", self.total(sites), after)

    def idle(self):
        return [(group, rule) for group, rule, _, fall in self.rows if not fall]

    def shown(self):
        rows = ["\t".join(("group", "rule", "switched off by", "number", "with", "without"))]
        for group, rule, how, fall in self.rows:
            rows.append(
                "\t".join(
                    (group, rule, how) + ((fall[1], f"{fall[2]:.4f}", f"{fall[3]:.4f}") if fall else ("-", "-", "decides nothing"))
                )
            )
        return "\n".join(rows) + "\n"


def results(table):
    """The rules whose results are taken out of the records."""
    for rule in closed_list("wp-resolve.1", "Rules"):
        table.result("rule", rule, lambda record, rule=rule: without_target(record, rule))
    for reason in closed_list("wp-resolve.1", "What has no target"):
        table.result("reason", reason, lambda record, reason=reason: without_reason(record, reason))
    for source in described("language_source"):
        table.result(
            "language_source", source, lambda record, source=source: without_value(record, "language", "language_source", source)
        )
    for source in described("source", "translation"):
        table.result("translation source", source, lambda record, source=source: without_source(record, source))
    for source in described("copy_source"):
        table.result(
            "copy_source", source, lambda record, source=source: without_value(record, "copy_source", "copy_source", source)
        )
    for rule in described("content_rule"):
        table.result("content_rule", rule, lambda record, rule=rule: without_value(record, "content", "content_rule", rule))


def options(table, folder, logs, parsed):
    """The rules that an option switches off."""

    def run(group, rule, sites, arguments):
        table.run(group, rule, sites, pipeline.resolve(folder, logs, {site: parsed[site] for site in sites}, arguments))

    everything = ["rest", "hreflang", "switcher", "html"]
    stated = [site for site in parsed if not site.endswith(".marks.example")]
    for source in everything:
        run("--sources", source, stated, ["--sources", ",".join(s for s in everything if s != source)])
    kinds = {}
    for site in languages.switchers():
        kinds.setdefault(site.kind, []).append(site.host)
    for kind in languages.kinds():
        with tempfile.NamedTemporaryFile("w", suffix=".toml") as blind:
            blind.write(f'[[switcher]]\nname = "{kind}"\nitem = "x-none"\ncode = [{{ of = "item", attribute = "lang" }}]\n')
            blind.flush()
            run("switcher", kind, kinds.get(kind, []), ["--switchers", blind.name])
    rows, site = marked.selectors()["content"], "content.marks.example"
    for selector in rows:
        rest = [word for row in rows if row != selector for word in ("--content-selector", row)]
        run("content", selector, [site], rest)


def marks(table, out):
    """The rows of content_selectors.toml whose marks the unmarked twins lack."""
    folder, logs = out / "unmarked", out / "logs"
    twins = {r["link"]: r for r in pipeline.resolve(folder, logs, pipeline.parse(pipeline.index(folder, logs)))}
    own = {r["link"]: r for site in table.sites.values() for r in site[0]}
    for site in marked.sites(True):
        for fact in site.truth:
            link, truth = fact["link"], {"records": [fact]}
            table.add(site.table, site.of[link], "mark", score([own[link]], truth), score([twins[link]], truth))


def rules(out, records, truth, parsed):
    """The table of all rules."""
    table = Table(records, truth)
    results(table)
    options(table, out / "sites", out / "logs", parsed)
    marks(table, out)
    return table
