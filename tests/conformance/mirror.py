"""What a mirror of a site holds: the items of its REST API."""
import collections, json, os, re, unicodedata


def items_of(site):
    """What the answers of the REST API below a mirror hold, by type."""
    found = collections.defaultdict(dict)
    for folder, _, files in os.walk(site):
        if "wp-json" not in folder.split(os.sep):
            continue
        for name in files:
            try:
                with open(os.path.join(folder, name), encoding="utf-8-sig") as answer:
                    answer = json.load(answer)
            except (ValueError, OSError):
                continue
            for item in answer if isinstance(answer, list) else [answer]:
                # only what the API says in the context "view" has a content
                if isinstance(item, dict) and isinstance(item.get("content"), dict) and {"id", "type", "link"} <= item.keys():
                    found[item["type"]].setdefault(item["id"], item)
    return {kind: list(items.values()) for kind, items in found.items()}


def words_of(text):
    """The words of a text, as a bag."""
    return collections.Counter(re.findall(r"\w+", unicodedata.normalize("NFKC", text).lower()))
