#!/usr/bin/env python3
"""A site translated on the fly: translatepress.py SITE_DIR DATASET_DIR

Every translated page in the scrape is a record with the id of its original, its language, its text and a translation back to the record
whose id it carries; one that shows the words of that record is a copy of it, and no translation; nothing else has translations.
"""
import json, pathlib, sys

site, data = map(pathlib.Path, sys.argv[1:])
truth = json.load(open(site / "truth.json"))
read = lambda name: [json.loads(line) for line in open(data / f"{name}.jsonl")]
posts = read("posts") + read("pages")
of_page = {r["link"]: r for r in posts if r["source"]["via"] == "page"}
records = {r["id"]: r for r in posts if r["source"]["via"] != "page"}
wrong, seen, linked, fallback = [], set(), 0, 0
for post in truth["posts"]:
    record = records.get(post["id"])
    if not record:
        continue
    for locale, url in post["page_only_translations"].items():
        page = of_page.get(url)
        if not page:
            wrong.append(f"no record: {url}")
            continue
        seen.add(url)
        # What a page declares stays; that it shows the words of another record is said beside it.
        is_copy = page["content"]["hash"] == record["content"]["hash"]
        if (page["copy_source"], page["copy_of"]["id"]) != (("words", post["id"]) if is_copy else (None, None)):
            wrong.append(f"{url}: copy {page['copy_source']} of {page['copy_of']}")
        language = locale.replace("_", "-")
        if page["language"] != language:
            wrong.append(f"{url}: {page['language']}, not {language}")
        if page["id"] != post["id"] or page["same"]["id"] != post["id"] or not page["content"]["text"]:
            wrong.append(f"{url}: same {page['same']}, {len(page['content']['text'] or '')} characters")
        back = [t["target"]["id"] for t in page["translations"] if t["target"]["link"] == record["link"]]
        if is_copy:
            fallback += 1
            if back:
                wrong.append(f"{url}: shows the original's words and is called its translation")
        elif back != [post["id"]]:
            wrong.append(f"{url}: leads back to {back}")
        else:
            linked += 1
wrong += [f"not a translation: {url}" for url in of_page if url not in seen]
print(*wrong, sep="\n")
print(f"{len(seen)} pages, {linked} lead back to their original, {fallback} untranslated, {len(wrong)} wrong")
sys.exit(bool(wrong))
