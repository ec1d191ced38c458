"""Reads wp-export's tables, parallel text and graphs back with the tools they are made for.

generate N          a resolved stream of N records, with what has lost loaders data before
check BIN OUT       BIN: opus_read; OUT: SITE.ndjson and SITE/FORMAT for each site. Prints a row a check.
"""

import base64
import gzip
import json
import pathlib
import subprocess
import sys
from collections import Counter

LISTS = {"links.csv": "links", "images.csv": "images", "translations.csv": "translations", "embeds.csv": "embeds", "rights.csv": "rights"}
ODD = [
    "plain", "", None, "comma, \"quote\"", "two\nlines", "# not a comment", "007", "12e4567890123456", "=SUM(A1)", " blanks ",
    "tab\there", "é 日本 😀", "NULL", "nan", "true", "a\r\nb", "\\N", "'", "x" * 100, "\u2028line", "c\u0001d", "]]><&\">",
]


def generate(count):
    """Nulls for 30,000 rows, slugs of digits, a text of 3 MB, and texts that break careless readers."""
    target = {"type": None, "id": None, "link": None}
    for n in range(1, count + 1):
        odd = ODD[n % len(ODD)]
        late = n > 30000
        text = "x y\n" * 750_000 if n == 35000 else f"{odd or ''}\nParagraph {n}"
        link = {"element": "a", "href": odd, "url": f"http://a.example/{n}" if n % 5 else f"http://host{n % 50}.example/{n}", "text": odd, "alt": odd if late else None,
                "rel": None, "internal": late or None if n % 5 else False, "target": target, "comment": n if late else None, "rule": None}
        if n % 3 == 0:
            to = {"type": "post", "id": n - 1, "link": f"http://a.example/?p={n - 1}"}
            link |= {"target": to, "internal": True, "rule": "exact"}
        print(json.dumps({
            "site": "a.example", "kind": "post", "type": "post", "id": n, "link": f"http://a.example/?p={n}",
            "slug": f"{n:06}" if n != 39999 else "word", "status": "publish", "date_gmt": None, "modified_gmt": None,
            "author": n if late else None, "parent": 0, "featured_media": 0, "categories": [1], "tags": [], "terms": [],
            "title": {"html": odd, "text": odd}, "excerpt": {"html": odd, "text": odd if late else None},
            "content": {"html": text, "text": text, "protected": False, "hash": None},
            "language": ["en", "fr", "de"][n % 3], "language_source": "rest", "translations": [],
            # The three of a group lie as far apart as they can.
            "translation_group": f"post:{n % (count // 3) + 1}", "links": [link], "images": [], "embeds": [],
            "rights": [{"kind": "licence", "value": odd, "url": None, "place": "content", "scope": "record"}] if n % 5 == 0 else [],
        }))


class Table:
    """What was read, against what should be there."""

    def __init__(self):
        self.checks = self.failed = 0

    def row(self, site, form, tool, what, found, expected):
        good = found == expected
        self.checks += 1
        self.failed += not good
        show = lambda value: str(value) if len(str(value)) < 40 else str(value)[:37] + "..."
        print(f"{'ok' if good else 'FAILED':7}{site:15}{form:10}{tool:17}{what:34}{show(found):>10}"
              + ("" if good else f"  expected {show(expected)}"))


def manifest(folder):
    data = json.loads((folder / "manifest.json").read_text())
    return data, {file["name"]: file["records"] for file in data["files"]}


def lines_of(record):
    """The lines of a document, by the rule of the manual."""
    def lines(text):
        for end in "\r\v\f\x1c\x1d\x1e\x85\u2028\u2029":
            text = text.replace(end, "\n")
        for line in text.split("\n"):
            line = "".join(" " if ord(c) < 32 or 127 <= ord(c) < 160 else c for c in line).strip()
            if line:
                yield line
    title = " ".join(lines((record.get("title") or {}).get("text") or ""))
    return ([title] if title else []) + list(lines(record["content"]["text"]))


def check_csv(table, site, records, folder):
    import duckdb
    import pandas
    import polars

    counts = manifest(folder)[1]
    def cell(value):
        return None if value is None else str(value).replace("\0", "\ufffd")
    want = {"records.csv": [
        [cell(r["slug"] if "slug" in r else None), cell((r.get("title") or {}).get("text", r.get("name"))),
         cell((r.get("content") or r.get("description") or {}).get("text")), cell(r.get("author"))] for r in records]}
    columns = {"records.csv": ["slug", "title", "text", "author"]}
    for name, key in LISTS.items():
        elements = [e for r in records for e in r.get(key) or []]
        fields = {"links": ["href", "url", "text", "alt", "comment"], "images": ["src", "url", "alt"],
                  "translations": ["language_raw", "translation_id", "href"], "embeds": ["src", "provider"], "rights": ["value", "place", "scope"]}[key]
        want[name], columns[name] = [[cell(e[f.removeprefix("translation_")]) for f in fields] for e in elements], fields
    for name, records_told in counts.items():
        path = str(folder / name)
        # The lines of wp-records(5), and each reader left alone.
        frames = {
            "pandas": pandas.read_csv(path, dtype=str, keep_default_na=False, na_values=[""]),
            "polars": polars.read_csv(path, infer_schema=False),
            "duckdb": duckdb.sql(f"FROM read_csv('{path}', all_varchar = true, max_line_size = 100000000)").fetchall(),
        }
        table.row(site, "csv", "pandas, default", name, len(pandas.read_csv(path, low_memory=False)), records_told)
        for tool, frame in frames.items():
            table.row(site, "csv", tool, f"{name} rows", len(frame), records_told)
        if name not in want:
            continue
        # pandas knows one empty value only.
        blank = [[value or None for value in row] for row in want[name]]
        found = frames["pandas"][columns[name]]
        found = [[None if value != value else value for value in row] for row in found.values.tolist()]
        table.row(site, "csv", "pandas", f"{name} cells that differ", differ(found, blank), 0)
        found = [list(row) for row in frames["polars"].select(columns[name]).rows()]
        table.row(site, "csv", "polars", f"{name} cells that differ", differ(found, want[name]), 0)
        select = ", ".join(f'"{column}"' for column in columns[name])
        found = duckdb.sql(f"SELECT {select} FROM read_csv('{path}', all_varchar = true, max_line_size = 100000000)").fetchall()
        table.row(site, "csv", "duckdb", f"{name} cells that differ", differ([list(row) for row in found], want[name], blank), 0)
    joined = duckdb.sql(f"""SELECT count(*) FROM read_csv('{folder}/links.csv', all_varchar = true) links
        JOIN read_csv('{folder}/records.csv', all_varchar = true, max_line_size = 100000000) records
        ON links.target = records.record AND links.target_link IS NOT DISTINCT FROM records.link""").fetchall()[0][0]
    resolved = sum(e["target"]["type"] is not None for r in records for e in r.get("links") or [])
    table.row(site, "csv", "duckdb", "links joined with their targets", joined, resolved)


def differ(found, want, also=None):
    """How many rows differ; a reader may take an empty text for null where `also` allows it."""
    if len(found) != len(want):
        return f"{len(found)} rows"
    return sum(a != b and (also is None or [x or None for x in a] != also[i]) for i, (a, b) in enumerate(zip(found, want)))


def expected_pairs(records):
    """Groups and pairs, by the rule of the manual."""
    groups = {}
    for record in records:
        if record["kind"] in ("post", "html") and (record["content"]["text"] or "").strip() \
                and record["language"] and record["translation_group"]:
            groups.setdefault((record["site"], record["translation_group"]), []).append(record)
    groups = {name: sorted(group, key=lambda r: r["language"]) for name, group in groups.items()
              if len({r["language"] for r in group}) > 1}
    pairs = []
    for group in groups.values():
        first = list({r["language"]: r for r in reversed(group)}.values())
        first.sort(key=lambda r: r["language"])
        pairs += [(a, b) for i, a in enumerate(first) for b in first[i + 1:]]
    return groups, pairs


def check_pairs(table, site, records, folder):
    import datasets

    groups, pairs = expected_pairs(records)
    counts = manifest(folder / "pairs")[0]["counts"]
    table.row(site, "pairs", "manifest", "groups", counts["parallel_groups"], len(groups))
    table.row(site, "pairs", "manifest", "pairs", counts["pairs"], len(pairs))
    path = str(folder / "pairs" / "pairs.jsonl")
    loaded = datasets.load_dataset("json", data_files=path, split="train")
    table.row(site, "pairs", "datasets", "groups", len(loaded), counts["parallel_groups"])
    want = [[(r["link"], r["language"], r["content"]["text"]) for r in group] for group in groups.values()]
    found = [[(m["link"], m["language"], m["text"]) for m in row["members"]] for row in loaded]
    table.row(site, "pairs", "datasets", "groups that differ", differ(found, want), 0)
    jq = subprocess.run(["jq", "-s", "map(.members | length) | add", path], capture_output=True, text=True, check=True).stdout
    table.row(site, "pairs", "jq", "members", int(jq), sum(map(len, want)))

    import pandas
    found = []
    told = manifest(folder / "bitextor")[1]
    for name in told:
        with gzip.open(folder / "bitextor" / name, "rt") as lines:
            header = next(lines).rstrip("\n").split("\t")
            columns = {title: i for i, title in enumerate(header)}
            rows = [line.rstrip("\n").split("\t") for line in lines]
        table.row(site, "bitextor", "base64, gzip", name, len(rows), told[name])
        text = lambda row, title: base64.b64decode(row[columns[title]], validate=True).decode()
        found += [(row[columns["src_url"]], row[columns["trg_url"]], text(row, "src_doc"), text(row, "trg_doc")) for row in rows]
    joined = lambda record: "".join(line + "\n" for line in lines_of(record))
    want = sorted((a["link"], b["link"], joined(a), joined(b)) for a, b in pairs)
    table.row(site, "bitextor", "base64, gzip", "pairs that differ", differ(sorted(found), want), 0)


def check_warc2text(table, site, records, folder):
    told = manifest(folder)[1]
    documents = {}
    for record in records:
        if record["kind"] in ("post", "html") and (record["content"]["text"] or "").strip():
            language = (record["language"] or "unk").replace("-", "_")
            text = "".join(line + "\n" for line in lines_of(record))
            documents.setdefault(language, []).append((record["link"], text))
    table.row(site, "warc2text", "gzip", "languages", sorted({name.split("/")[0] for name in told}), sorted(documents))
    for language, want in sorted(documents.items()):
        # As its README shows: the n-th line of each, base64 -d.
        lines = lambda name: gzip.open(folder / language / name, "rt").read().splitlines()
        urls, texts, mimes = lines("url.gz"), lines("text.gz"), lines("mime.gz")
        found = [(url, base64.b64decode(text, validate=True).decode()) for url, text in zip(urls, texts, strict=True)]
        table.row(site, "warc2text", "base64, gzip", f"{language} documents", len(found), told[f"{language}/text.gz"])
        table.row(site, "warc2text", "base64, gzip", f"{language} documents that differ", differ(found, want), 0)
        table.row(site, "warc2text", "gzip", f"{language} mime", Counter(mimes), Counter({"text/html": len(want)}))


def check_opus(table, site, records, folder, binaries):
    """opus_read finds the alignments by itself in ROOT/CORPUS/RELEASE, the documents below --download_dir."""
    _, pairs = expected_pairs(records)
    told = manifest(folder)[1]
    tag = lambda record: record["language"].replace("-", "_")
    by_languages = {}
    for pair in pairs:
        one, other = sorted(pair, key=tag)
        by_languages.setdefault((tag(one), tag(other)), []).append((one, other))
    names = {f"xml/{one}-{other}.xml.gz" for one, other in by_languages}
    table.row(site, "opus", "manifest", "pairs of languages", sum(name.startswith("xml/") for name in told), len(names))
    documents = {r["link"] for pair in pairs for r in pair}
    table.row(site, "opus", "manifest", "documents", sum(name.startswith("raw/") for name in told), len(documents))
    for (one, other), expected in sorted(by_languages.items()):
        run = subprocess.run(
            [binaries / "opus_read", "-rd", folder.parent.parent, "-d", folder.parent.name, "-r", folder.name, "-s", one, "-t",
             other, "-p", "raw", "-dl", folder / "raw", "-wm", "normal"],
            stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True)
        pair, found = [], []
        # A pair of documents begins with two names; (src) and (trg) are its lines.
        for line in run.stdout.split("\n"):
            if line.startswith("# "):
                if not pair or pair[-1] is not None:
                    found.append(([], []))
                    pair = [None]
                else:
                    pair.append(line)
            elif line.startswith(("(src)=", "(trg)=")):
                found[-1][line.startswith("(trg)=")].append(line.split('">', 1)[1])
                pair = [line]
        table.row(site, "opus", "opus_read", f"{one}-{other} pairs", len(found), told[f"xml/{one}-{other}.xml.gz"])
        want = [(lines_of(a), lines_of(b)) for a, b in expected]
        table.row(site, "opus", "opus_read", f"{one}-{other} pairs that differ", differ(sorted(found), sorted(want)), 0)
    wrong = 0
    for name in told:
        parsed = subprocess.run(["xmllint", "--noout", "--nonet", "-"], input=gzip.open(folder / name).read(), capture_output=True)
        wrong += parsed.returncode != 0
    table.row(site, "opus", "xmllint", "documents not well-formed", wrong, 0)


def check_graph(table, site, records, folder):
    import networkx
    import pandas

    counts = manifest(folder / "graph")[0]["counts"]
    identity = lambda r: (r["type"], r["id"], r["link"])
    known = {identity(r) for r in records}
    expected = Counter()
    for record in records:
        for kind, key in ("link", "links"), ("image", "images"), ("translation", "translations"):
            targets = (e["target"] for e in record.get(key) or [])
            for target in (t for t in targets if t["type"] is not None and identity(t) in known):
                if record["kind"] == "media" and identity(target) == identity(record):
                    continue
                expected[(identity(record), identity(target), kind)] += 1
    nodes = pandas.read_csv(folder / "graph" / "nodes.csv", keep_default_na=False, dtype=str)
    edges = pandas.read_csv(folder / "graph" / "edges.csv", dtype={"Weight": int})
    graph = networkx.from_pandas_edgelist(edges, "Source", "Target", ["Kind", "Weight"], create_using=networkx.MultiDiGraph)
    graph.add_nodes_from(nodes.Id)
    table.row(site, "graph", "pandas, networkx", "nodes", graph.number_of_nodes(), counts["nodes"])
    table.row(site, "graph", "pandas, networkx", "edges", graph.number_of_edges(), counts["edges"])
    table.row(site, "graph", "pandas, networkx", "nodes are the records", graph.number_of_nodes(), len(known))
    name = {row.Id: (row.Type, int(row.RecordId) if row.RecordId else None, row.Link or None) for row in nodes.itertuples()}
    found = Counter({(name[e.Source], name[e.Target], e.Kind): e.Weight for e in edges.itertuples()})
    table.row(site, "graph", "pandas, networkx", "edges that differ", len((found - expected) + (expected - found)), 0)
    import igraph
    drawn = igraph.Graph.Read_GraphML(str(folder / "graphml" / "graph.graphml"))
    table.row(site, "graphml", "igraph", "nodes", drawn.vcount(), counts["nodes"])
    table.row(site, "graphml", "igraph", "sum of weights", sum(drawn.es["weight"]), sum(expected.values()))
    read = networkx.read_graphml(folder / "graphml" / "graph.graphml")
    table.row(site, "graphml", "networkx", "nodes", read.number_of_nodes(), counts["nodes"])
    table.row(site, "graphml", "networkx", "edges", read.number_of_edges(), counts["edges"])
    weights = Counter()
    for source, target, data in read.edges(data=True):
        weights[(name[source], name[target], data["kind"])] += data["weight"]
    table.row(site, "graphml", "networkx", "edges that differ", len((weights - expected) + (expected - weights)), 0)


def check_web(table, site, records, folder):
    """Edges to what records name by ids, and to outside hosts."""
    import pandas
    from urllib.parse import urlsplit

    identity = lambda r: (r["type"], r["id"], r["link"])
    named = {}
    for record in records:
        of = {"post": "post", "media": "post", "term": record["type"]}.get(record["kind"], record["kind"])
        for language in record.get("language"), None:
            named.setdefault((record["site"], of, record["id"], language), identity(record))
    expected = Counter()
    for record in records:
        ids = [("term", "category", id) for id in record.get("categories") or []] + [("term", "tag", id) for id in record.get("tags") or []]
        ids += [("term", term["taxonomy"], term["id"]) for term in record.get("terms") or []]
        ids += [("author", "user", record.get("author"))]
        if record["kind"] == "comment":
            ids += [("reply", "comment", record["parent"]) if record.get("parent") else ("reply", "post", record.get("post"))]
        for kind, of, id in ids:
            found = [named.get((record["site"], of, id, language)) for language in (record.get("language"), None)]
            if id and any(found):
                expected[(identity(record), found[0] or found[1], kind)] += 1
        for link in record.get("links") or []:
            if link["internal"] is False and (link["url"] or "").startswith(("http:", "https:")):
                expected[(identity(record), ("host", None, urlsplit(link["url"]).hostname), "host")] += 1
    nodes = pandas.read_csv(folder / "web" / "nodes.csv", keep_default_na=False, dtype=str)
    edges = pandas.read_csv(folder / "web" / "edges.csv", dtype={"Weight": int})
    name = {row.Id: (row.Type, int(row.RecordId) if row.RecordId else None, row.Label if row.Kind == "host" else row.Link or None)
            for row in nodes.itertuples()}
    found = Counter({(name[e.Source], name[e.Target], e.Kind): e.Weight for e in edges.itertuples()})
    table.row(site, "graph:term", "pandas", "edges that differ", len((found - expected) + (expected - found)), 0)
    table.row(site, "graph:term", "pandas", "has edges", bool(found), True)
    table.row(site, "graph:term", "pandas", "kinds of edges", *[len(Counter(kind for *_, kind in of)) for of in (found, expected)])


def check_keys(table, site, records, folder):
    """The formula of the keys, as wp-records(5) gives it."""
    import pandas
    import xxhash

    rows = pandas.read_csv(folder / "records.csv", dtype=str, usecols=["record"]).record.tolist()
    key = lambda r: "r" + xxhash.xxh3_64_hexdigest("\0".join(
        "" if r[name] is None else str(r[name]) for name in ("site", "type", "id", "link")).encode())
    table.row(site, "csv", "xxhash", "keys that differ", sum(a != key(r) for a, r in zip(rows, records, strict=True)), 0)


def check(binaries, out):
    table = Table()
    for path in sorted(out.glob("*.ndjson")):
        site = path.stem
        if site == "head":
            continue
        records = [json.loads(line) for line in path.open()]
        check_csv(table, site, records, out / site / "csv")
        check_keys(table, site, records, out / site / "csv")
        check_pairs(table, site, records, out / site)
        check_warc2text(table, site, records, out / site / "bitextor:warc2text")
        some = records if site != "generated" else [json.loads(line) for line in (out / "head.ndjson").open()]
        check_opus(table, site, some, out / site / "opus", binaries)
        check_graph(table, site, records, out / site)
        check_web(table, site, records, out / site)
    print(f"{table.checks - table.failed} of {table.checks} checks: read back whole")
    return table.failed == 0


if sys.argv[1] == "generate":
    generate(int(sys.argv[2]))
else:
    sys.exit(not check(pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])))
