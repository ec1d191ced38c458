#!/usr/bin/env python3
"""What the feeds of mirrors give, beside their pages and their answers of the REST API. feeds.py DIR WORK TABLE

Each folder in DIR, OWNER+NAME, is a mirror of a WordPress site that holds feeds; a file COMMIT beside it (OWNER+NAME.commit) names its
commit. It is read three times, without its API: as it is, without its feeds (files that begin as feeds do), and its API alone. A row is
added to TABLE for each mirror that is not in it yet:

- posts: those of type post that the API or a feed or a page has;
- before, after: those of them whose content the site itself states: in the API's answers, and in these or a feed;
- in_feeds: records of posts, of any type, that feeds give where the API is not read;
- pages, page_f: of the posts whose content a feed has whole: how many have 200 characters or more and a page with a text, and the mean F of
  the words of that text against the feed's. By rule (content_rule) they are printed;
- both ... id_wrong: the posts that API and feeds both have; of these, those of which a feed has a whole content, and the same text, title,
  date, author, id; id_wrong: another id. cut: texts without the API's last paragraph, which the feed holds.
"""
import collections, html, json, os, re, shutil, subprocess, sys, urllib.parse

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from mirror import items_of, words_of

FEED = re.compile(rb"<(rss|feed|rdf:RDF)[\s>]")
COLUMNS = """repository commit posts before after in_feeds pages page_f both whole text_equal cut title_equal date_equal
    author author_equal id_equal id_wrong""".split()


def run(command, work):
    with open(os.path.join(work, "log"), "a") as log:
        # 1: something was rejected
        if subprocess.run(["bash", "-o", "pipefail", "-c", command], stderr=log).returncode > 1:
            raise OSError(command)


def records(command, work):
    """The records that a command makes."""
    out = os.path.join(work, "records.ndjson")
    run(f"{command} > '{out}'", work)
    with open(out, "rb") as lines:
        return [json.loads(line) for line in lines]


def is_feed(path):
    with open(path, "rb") as file:
        return bool(FEED.search(file.read(4096)))


def without_feeds(site, copy):
    """Links all files but feeds; how many feeds there are."""
    feeds = 0
    for folder, _, files in os.walk(site):
        into = os.path.join(copy, os.path.relpath(folder, site))
        os.makedirs(into, exist_ok=True)
        for name in files:
            path = os.path.join(folder, name)
            if is_feed(path) and not name.endswith((".js", ".css", ".svg", ".json")):
                feeds += 1
            else:
                os.link(path, os.path.join(into, name))
    return feeds


def is_cut(site, record, line):
    """Whether a record lacks a line of text that the feed of which it was made holds, wherever."""
    with open(os.path.join(os.path.dirname(site), record["source"]["file"]), encoding="utf-8", errors="replace") as feed:
        feed = html.unescape(html.unescape(re.sub(r"<[^>]*>", " ", feed.read())))
    # Makers of mirrors rewrite URLs in texts.
    bare = lambda text: re.sub(r"\W+", " ", text).strip()
    return bool(bare(line)) and bare(line) in bare(feed) and bare(line) not in bare(text(record))


def key_of(link):
    """What mirrors leave of a link: its last part."""
    path = urllib.parse.unquote(re.sub(r"^\w+://[^/]*", "", link or ""))
    return re.sub(r"(/index\.html?|\.html?|/)+$", "", path).rsplit("/", 1)[-1].lower()


def text(record):
    return (record.get("content") or {}).get("text") or ""


def score(got, want):
    got, want = words_of(got), words_of(want)
    both = sum((got & want).values())
    return 2 * both / max(1, sum(got.values()) + sum(want.values()))


def one_site(site, repository, commit, work):
    shutil.rmtree(work, ignore_errors=True)
    os.makedirs(work)
    bare, dump = os.path.join(work, "bare"), os.path.join(work, "dump")
    if not without_feeds(site, bare):
        return None
    pipe = "wp-index -q --no-dump --scrape '{0}' --site site | wp-parse -q | wp-translations -q --scrape-root '{0}'".format
    full = [record for record in records(pipe(site), work) if record["kind"] in ("post", "html")]
    pages = [record for record in records(pipe(bare), work) if record["kind"] in ("post", "html")]
    items = items_of(site)
    os.makedirs(dump)
    for at, of in enumerate(items.values()):
        with open(os.path.join(dump, f"{at}.json"), "w") as out:
            json.dump(of, out)
    api = [r for r in records(f"wp-index -q '{dump}' --site site | wp-parse -q", work) if r["type"] == "post"] if items else []

    of_feeds = [record for record in full if record["source"]["via"] == "feed"]
    whole = [record for record in of_feeds if record["content_source"] == "feed" and text(record)]
    stated = {key_of(record["link"]) for record in api if text(record) or record["content"]["html"]}
    by_feed = {key_of(record["link"]) for record in whole if record["type"] == "post"}
    is_post = lambda record: record["type"] == "post" or (record["same"] or {}).get("type") == "post" and record["kind"] == "html"
    of_ids = {record["id"]: key_of(record["link"]) for record in api}
    name = lambda record: of_ids.get(record["id"] or (record["same"] or {}).get("id")) or key_of(record["link"])
    posts = {name(record) for record in full + api if is_post(record)}
    row = {"repository": repository.replace("+", "/", 1), "commit": commit, "posts": len(posts),
           "before": len(stated), "after": len(stated | by_feed), "in_feeds": sum(r["kind"] == "post" for r in of_feeds)}

    shown = {}
    for record in pages:
        for link in [record["link"], *record["aliases"]]:
            shown.setdefault(key_of(link), record)
    scores = [(str(page["content_rule"]), score(text(page), text(record)), record["link"]) for record in whole
              if len(text(record)) >= 200 and (page := shown.get(key_of(record["link"]))) and page["scrape"]["file"]]
    row["pages"] = len(scores)
    row["page_f"] = f"{sum(f for _, f, _ in scores) / len(scores):.4f}" if scores else ""

    by_id, by_link = {r["id"]: r for r in api}, {key_of(r["link"]): r for r in api}
    both = [(record, by_link.get(key_of(record["link"]))) for record in of_feeds if record["type"] == "post"]
    both = [(record, of_api) for record, of_api in both if of_api]
    same = lambda key, pairs=both: sum(a[key] == b[key] for a, b in pairs)
    with_content = [(a, b) for a, b in both if a["content_source"] == "feed"]
    differ = [(a, b) for a, b in with_content if text(a) != text(b)]
    cut = [(a, b) for a, b in differ if (last := text(b).strip().split("\n")[-1]) not in text(a) and is_cut(site, a, last)]
    named = [(a, b) for a, b in both if a["author_name"] and b["author_name"]]
    if both:
        row |= {"both": len(both), "whole": len(with_content), "text_equal": len(with_content) - len(differ), "cut": len(cut),
                "title_equal": sum(a["title"]["text"] == b["title"]["text"] for a, b in both), "date_equal": same("date_gmt"),
                "author": len(named), "author_equal": same("author_name", named), "id_equal": same("id"),
                "id_wrong": sum(a["id"] not in (None, b["id"]) for a, b in both)}
    details = {"row": row, "scores": scores,
               "differ": [{"link": a["link"], "feed": text(a), "api": text(b)} for a, b in differ],
               "titles": [(a["title"]["text"], b["title"]["text"]) for a, b in both if a["title"]["text"] != b["title"]["text"]],
               "dates": [(a["date_gmt"], b["date_gmt"], b["modified_gmt"]) for a, b in both if a["date_gmt"] != b["date_gmt"]],
               "ids": [(a["id"], b["id"], a["link"]) for a, b in both if a["id"] not in (None, b["id"])],
               "authors": [(a["author_name"], b["author_name"]) for a, b in named if a["author_name"] != b["author_name"]]}
    return row, scores, details


def main(root, work, table):
    done = set()
    if os.path.exists(table):
        with open(table) as lines:
            done = {line.split("\t")[0] for line in lines}
    else:
        with open(table, "w") as out:
            print(*COLUMNS, sep="\t", file=out)
    for name in sorted(os.listdir(root)):
        site, commit = os.path.join(root, name), os.path.join(root, name + ".commit")
        if not os.path.isdir(site) or name.replace("+", "/", 1) in done:
            continue
        try:
            found = one_site(site, name, open(commit).read().strip() if os.path.exists(commit) else "", os.path.join(work, name))
        except OSError as failed:
            found = None
            print(f"{name}: {failed}")
        if found is None:
            print(f"{name}: left out", flush=True)
            continue
        row, scores, details = found
        with open(table, "a") as out:
            print(*(row.get(column, "") for column in COLUMNS), sep="\t", file=out)
        with open(os.path.join(work, "details.ndjson"), "a") as out:
            print(json.dumps(details), file=out)
        print(*(f"{key} {value}" for key, value in row.items() if key != "commit"), flush=True)
        by_rule = collections.defaultdict(list)
        for rule, f, _ in scores:
            by_rule[rule].append(f)
        for rule, values in sorted(by_rule.items(), key=lambda one: -len(one[1])):
            print(f"    {rule}: {len(values)} F {sum(values) / len(values):.4f}", flush=True)
        shutil.rmtree(os.path.join(work, name))


main(*sys.argv[1:])
