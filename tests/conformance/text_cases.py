#!/usr/bin/env python3
"""Adversarial fragments whose text, links, images and embeds were written down by hand, against wp-parse.

usage: text_cases.py CASES [--ledger FILE] [--list]

CASES   NDJSON, a case a line: {id, html, human, links, images, embeds, note}: the text (`human`), [href, text],
        [src, alt, caption], [element, src]; null where nobody can decide
--list  print all differences and hold them to nothing

The ledger (text_cases-ledger.toml beside this script) answers each difference:

    [[answer]]
    id = "b-table"
    field = "text"                 # text, links, images or embeds
    ours = "H1\\tH2\\na\\tb"          # what we hold to instead, written from the rule; a list as JSON
    holds = "no-tables"            # the case itself holds with this rule of --text (none: it does not hold)
    reason = "…"

It cuts both ways: a difference without an answer fails, and so does an answer whose case no longer differs. Exit status:
0 all as expected, 1 not, 2 trouble.
"""
import argparse, json, pathlib, subprocess, sys, tomllib

FIELDS = {"text": "human", "links": "links", "images": "images", "embeds": "embeds"}
PAGE = "https://cases.example/p/"


def found(cases, *options):
    """What wp-parse finds, in the form of the cases."""
    items = [{"site": "cases", "kind": "post", "type": "post", "id": number, "link": PAGE,
              "api": {"content": {"rendered": case["html"]}}} for number, case in enumerate(cases)]
    lines = "".join(json.dumps(item) + "\n" for item in items)
    run = subprocess.run(["wp-parse", "-q", *options], input=lines, capture_output=True, text=True, check=True)
    for line in run.stdout.split("\n")[:-1]:
        record = json.loads(line)
        yield {
            "text": record["content"]["text"],
            "links": [[link["href"], link["text"] or ""] for link in record["links"]],
            "images": [[image["src"], image["alt"], image["caption"]] for image in record["images"]],
            "embeds": [[embed["element"], embed["src"]] for embed in record["embeds"]],
        }


def differences(cases, records):
    """{(id, field): (expected, found)} of what is decided and differs."""
    return {(case["id"], field): (case[key], record[field]) for case, record in zip(cases, records, strict=True)
            for field, key in FIELDS.items() if case[key] is not None and case[key] != record[field]}


def wrong_answers(ledger, by_default, by_option):
    """A line for each answer of the ledger that is not as it says."""
    for answer in ledger:
        key = answer["id"], answer["field"]
        ours = answer["ours"] if answer["field"] == "text" else json.loads(answer["ours"])
        if key not in by_default:
            yield f"ledger: {' '.join(key)} no longer differs: {answer['reason']}"
        elif by_default[key][1] != ours:
            yield f"ledger: {' '.join(key)} should be\n  {ours!r} and is\n  {by_default[key][1]!r}"
        if "holds" in answer and key in by_option[answer["holds"]]:
            yield f"ledger: {' '.join(key)} does not hold with {answer['holds']}: {by_option[answer['holds']][key][1]!r}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", type=pathlib.Path)
    parser.add_argument("--ledger", type=pathlib.Path,
                        default=pathlib.Path(__file__).with_name("text_cases-ledger.toml"))
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    if not options.cases.exists():
        print(f"SKIPPED: the cases are not there ({options.cases}): no text was compared with them.")
        return 0
    try:
        cases = [json.loads(line) for line in options.cases.open(encoding="utf-8")]
        ledger = [] if options.list else tomllib.loads(options.ledger.read_text(encoding="utf-8"))["answer"]
        by_default = differences(cases, found(cases))
        by_option = {flag: differences(cases, found(cases, "--text", flag))
                     for flag in sorted({answer["holds"] for answer in ledger if "holds" in answer})}
    except (OSError, ValueError, subprocess.CalledProcessError) as error:
        print(f"text_cases.py: {error}", file=sys.stderr)
        return 2

    answered = {(answer["id"], answer["field"]) for answer in ledger}
    unlisted = [(key, pair) for key, pair in by_default.items() if key not in answered]
    wrong = list(wrong_answers(ledger, by_default, by_option))
    for (name, field), (expected, ours) in unlisted:
        print(f"unlisted: {name} {field}\n  expected {expected!r}\n  found    {ours!r}")
    print("\n".join(wrong), end="\n" if wrong else "")
    print(f"{len(cases)} cases; {len(by_default)} differences, {len(by_default) - len(unlisted)} answered in the ledger, "
          f"{len(unlisted)} not; {len(wrong)} answers not as they say")
    return 0 if options.list else int(bool(unlisted or wrong))


if __name__ == "__main__":
    sys.exit(main())
