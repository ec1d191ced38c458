"""People for a WordPress, and the search for them in datasets.

make URL USER:PASSWORD TOKENS    users, posts and comments by the API; SQL for comments of strangers on stdout; TOKENS: what names them
check TOKENS WITH WITHOUT RECORDS...   looks for the tokens in each folder of WITH; those of WITHOUT show that they would be found
"""

import base64
import gzip
import hashlib
import json
import os
import re
import sys
import urllib.request
from urllib.parse import quote, urlparse

# name, login, slug, address, site, biography: words that nothing else on the site has.
USERS = [
    ("Quillon Vexworth", "qvlogin", "quillon-v", "quillonmail@vexpost.example", "https://quillonsite.example/me", "The zubrowkian."),
    ("Ølrun Skjaldmær", "orlogin", "olrunslug", "olrunmail@skjald.example", "https://skjaldsite.example/", "She of the runkarlish."),
    ("王小明测", "wxlogin", "wangslug", "wangmail@wangpost.example", "http://wangsite.example/~wang", ""),
    ("Jo-Ann O'Zzyx", "jzlogin", "jozzyx", "jomail@zzyxpost.example", "", '<a href="https://ozzyxbio.example/">biography</a>'),
    ("Margueritte", "mglogin", "margueritte9", "margmail@mgpost.example", "https://margsite.example/", ""),
]
STRANGERS = [
    ("Strangelove Pimpern", "strangemail@pimpern.example", "https://pimpernsite.example/x"),
    ("Zoltanius", "zolmail@zolpost.example", "https://zoltsite.example/"),
    ("quillon vexworth", "fake@otherpost.example", "https://fakesite.example/"),
]


def hashes(address):
    return [hashlib.md5(address.encode()).hexdigest(), hashlib.sha256(address.encode()).hexdigest()]


def tokens():
    found = ["zubrowkian", "runkarlish", "ozzyxbio"]
    for name, login, slug, address, site, _ in USERS:
        found += [name, login, slug, address, *address.split("@"), *hashes(address), site, urlparse(site).netloc]
    for name, address, site in STRANGERS:
        found += [name, address, *address.split("@"), *hashes(address), site, urlparse(site).netloc]
    # As a word, it is what the fake address begins with.
    return sorted({token for token in found if token and token != "fake"})


def make(url, login, out):
    def call(path, data):
        headers = {"Content-Type": "application/json", "Authorization": "Basic " + base64.b64encode(login.encode()).decode()}
        request = urllib.request.Request(f"{url}/wp-json/wp/v2/{path}", json.dumps(data).encode(), headers)
        return json.load(urllib.request.urlopen(request))

    for name, user, slug, address, site, bio in USERS:
        fields = {"username": user, "slug": slug, "name": name, "email": address, "url": site, "description": bio}
        made = call("users", {**fields, "password": "pW-1-" + user, "roles": ["author"]})
        number, archive, picture = made["id"], made["link"], f"http://1.gravatar.com/avatar/{hashes(address)[0]}"
        own = f'<a href="{site}">own place</a>' if site else ""
        html = f"""<div class="author-{slug} vcard"><img alt="" class="avatar" src="{picture}?s=96&d=mm" srcset="{picture}?s=192 2x">
            <a class="url fn n" rel="author" title="Posts by {name}" href="{archive}">all by this writer</a>
            <a href="/?author={number}">here</a> <a href="{urlparse(archive).path}page/2/">older</a> <a href="mailto:{address}">write</a>
            <a href="{archive}feed/" aria-label="{name}">feed</a> {own}
            <span data-author="{name}" data-slug="{slug}" id="author-{slug}">x</span></div><p>Number {number} at the river.</p>"""
        post = {"title": f"Written by number {number}", "status": "publish", "author": number}
        comment = {"author": number, "content": "An answer at the harbour."}
        call("comments", {**comment, "post": call("posts", {**post, "content": f"<!-- wp:html -->{html}<!-- /wp:html -->"})["id"]})
        call("posts", {**post, "title": f"Empty {number}", "content": ""})
    post = call("posts", {"title": "For strangers", "content": "<p>A pier.</p>", "status": "publish"})["id"]
    into = "comment_post_ID, comment_author, comment_author_email, comment_author_url, comment_date, comment_date_gmt, comment_content, comment_approved"
    for name, address, site in STRANGERS:
        print(f"INSERT INTO wp_comments ({into}) VALUES ({post}, '{name}', '{address}', '{site}', '2026-01-01', '2026-01-01', 'So it is.', '1');")
    json.dump(tokens(), open(out, "w"), ensure_ascii=False)


def spellings(token):
    """As URLs, JSON, XML and HTML have it."""
    yield from (token, quote(token), quote(token, safe=""), json.dumps(token)[1:-1])
    yield from (token.replace("'", mark) for mark in ("&#8217;", "&#039;", "&#39;", "&apos;", "’"))


def running_text(files, names):
    """Whom the main text of a page names, where the API has none: text, in which names stay."""
    found = set()
    for line in (line for name in files for line in open(name, encoding="utf-8")):
        record = json.loads(line)
        for key in ("title", "excerpt", "content", "description", "caption"):
            text = (record.get(key) or {}).get("text") if isinstance(record.get(key), dict) else record.get(key)
            found |= {name for name in names if isinstance(text, str) and name.lower() in text.lower()}
    return found


def search(folder, names, texts):
    hits = []
    for top, _, files in os.walk(folder):
        for name in files:
            data = open(os.path.join(top, name), "rb").read()
            text = (gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data).decode("utf-8", "replace")
            text = f"{os.path.relpath(os.path.join(top, name), folder)}\n{text}"
            low = text.lower()
            for token in names:
                for spelling in {one for one in spellings(token) if one.lower() in low}:
                    for hit in re.finditer(re.escape(spelling), text, re.IGNORECASE):
                        before = text[max(0, hit.start() - 60) : hit.start()]
                        is_text = token in texts and re.search(r"(by|by\\n|>)\s*$", before)
                        if not is_text:
                            hits.append((name, token, before[-40:] + text[hit.start() : hit.end() + 20]))
    return hits


def check(wanted, with_key, without, *records):
    names = json.load(open(wanted))
    users = {name.lower() for name, *_ in USERS}
    texts = {name for name in running_text(records, names) if name.lower() in users}
    failed = 0
    for name in sorted(os.listdir(with_key)):
        # Pages alone do not tell whose a site is.
        sought = [token for token in names if "." not in token] if name == "pages" else names
        hits = search(os.path.join(with_key, name), sought, texts)
        plain = search(os.path.join(without, name), names, texts)
        print(f"{name:12} {len(hits):4} with, {len(plain):5} without pseudonyms")
        for hit in hits[:5]:
            print("   ", *map(repr, hit))
        failed += len(hits)
    named = search(os.path.join(without, "jsonl"), names, set())
    missing = set(names) - {token for _, token, _ in named}
    # The site tells nobody logins, addresses and hashes of another kind; that they are not in the dataset without pseudonyms is its doing.
    print(f"{len(names)} names, of which the dataset without pseudonyms has {len(names) - len(missing)}; in running text: {sorted(texts)}")
    if len(names) - len(missing) < 25:
        sys.exit("the dataset without pseudonyms names nobody: nothing was tested")
    sys.exit(f"{failed} found outside of running text" if failed else None)


{"make": make, "check": check}[sys.argv[1]](*sys.argv[2:])
