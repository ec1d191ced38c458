"""A WordPress that runs: publishes the corpus' texts through its REST API, and takes the truth from its database.

wordpress.py publish URL FOLDER    the articles, with links to each other; FOLDER/application-password opens the API
wordpress.py truth FOLDER          truth.json: what the database (FOLDER/db.sock) says of them, and the words and links that were sent
"""

import base64
import json
import pathlib
import subprocess
import sys
import urllib.request

from one_site import Body
from words import LANGUAGES


def articles():
    return [Body(language, f"published {number}") for number in range(3) for language in LANGUAGES]


def ask(url, password, fields):
    request = urllib.request.Request(
        url, json.dumps(fields).encode(), {"Content-Type": "application/json", "Authorization": "Basic " + password}
    )
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)


def publish(url, folder):
    password = base64.b64encode((folder / "application-password").read_text().strip().encode()).decode()
    api, made, sent = f"{url}/wp-json/wp/v2", [], []
    terms = {name: ask(f"{api}/{name}", password, {"name": f"Accuracy {name}"})["id"] for name in ("categories", "tags")}
    for number, body in enumerate(articles()):
        # To the article before, by its permalink, its short link, or relative to the host.
        if made:
            before = made[-1]
            href = (before["link"], f"{url}/?p={before['id']}", before["link"].removeprefix(url))[number % 3]
            body.link(href, {"type": "post", "id": before["id"]})
        body.link(f"{url}/wp-login.php", reason="system").link("https://elsewhere.example/", internal=False)
        fields = {
            "title": body.title,
            "content": body.markup(),
            "status": "publish",
            "date_gmt": f"2024-{1 + number % 12:02}-03T04:05:{number:02}",
            "categories": [terms["categories"]],
            "tags": [terms["tags"]] if number % 2 else [],
        }
        item = ask(f"{api}/posts", password, fields)
        made.append({"id": item["id"], "link": item["link"]})
        sent.append({"type": "post", "id": item["id"], "text": " ".join(body.text), "links": body.links, "images": []})
    (folder / "sent.json").write_text(json.dumps(sent), encoding="utf-8")


def rows(folder, query):
    command = [
        "mariadb",
        "--no-defaults",
        "-u",
        "root",
        "-S",
        str(folder / "db.sock"),
        "-N",
        "--default-character-set=utf8mb4",
        "-e",
        query,
        "wordpress",
    ]
    return [line.split("\t") for line in subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()]


def truth(folder):
    sent = {fact["id"]: fact for fact in json.loads((folder / "sent.json").read_text(encoding="utf-8"))}
    ids = ",".join(map(str, sent))
    posts = rows(
        folder,
        "SELECT p.ID, post_title, post_date_gmt, post_modified_gmt, display_name FROM wp_posts p "
        f"JOIN wp_users u ON u.ID = post_author WHERE p.ID IN ({ids}) AND post_status = 'publish'",
    )
    for id, title, date, modified, author in posts:
        dates = {key: value.replace(" ", "T") + "Z" for key, value in (("date", date), ("modified", modified))}
        sent[int(id)].update(title=title, author=author, terms=[], **dates)
    for id, term, taxonomy in rows(
        folder,
        "SELECT object_id, term_id, taxonomy FROM wp_term_relationships JOIN wp_term_taxonomy USING (term_taxonomy_id) "
        f"WHERE object_id IN ({ids}) AND taxonomy IN ('category', 'post_tag')",
    ):
        sent[int(id)]["terms"].append({"type": {"post_tag": "tag"}.get(taxonomy, taxonomy), "id": int(term)})
    print(json.dumps({"records": list(sent.values())}))


if __name__ == "__main__":
    if sys.argv[1] == "publish":
        publish(sys.argv[2], pathlib.Path(sys.argv[3]))
    else:
        truth(pathlib.Path(sys.argv[2]))
