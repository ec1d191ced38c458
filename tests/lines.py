"""Counts the lines of the package by room: those of .rs files without what is compiled for tests alone, and beside them the comments
among them and the lines of data. usage: lines.py [FOLDER]"""

import re
import sys
from collections import Counter
from pathlib import Path

TOKEN = re.compile(
    r"""//[^\n]*|/\*|r(\#*)".*?"\1|b?"(?:\\.|[^"\\])*"|b?'(?:\\(?:u\{[^}]*\}|x..|.)|[^\\'\n])'|[{}();\[\]]""", re.S
)
TEST = re.compile(r"[ \t]*#\[cfg\(test\)\]")


def tokens(text, at):
    """Brackets and comments from a place on, each with its end; strings and characters are passed over."""
    while found := TOKEN.search(text, at):
        at = found.end()
        if found.group() == "/*":
            depth = 1
            while depth and (mark := re.compile(r"/\*|\*/").search(text, at)):
                depth += 1 if mark.group() == "/*" else -1
                at = mark.end()
            yield found.start(), at, "comment"
        elif found.group().startswith("//"):
            yield found.start(), at, "comment"
        elif len(found.group()) == 1:
            yield found.start(), at, found.group()


def end_of_item(text, at):
    """Where an item ends that begins here, after its further attributes: with a semicolon or a block outside of brackets."""
    depth = 0
    for start, end, token in tokens(text, at):
        if token in "([{":
            depth += 1
        elif token in ")]}":
            depth -= 1
            if token == "}" and depth == 0:
                return end
        elif token == ";" and depth == 0:
            return end
    return len(text)


def without_tests(path):
    """The text of a file without what stands under cfg(test), and the files that this names."""
    text, kept, files, at = path.read_text(), [], [], 0
    while found := TEST.search(text, at):
        end = end_of_item(text, found.end())
        if module := re.search(r"\bmod (\w+);", text[found.end() : end]):
            folder = path.parent if path.name in ("mod.rs", "lib.rs") else path.with_suffix("")
            files += [folder / f"{module[1]}.rs", folder / module[1]]
        kept.append(text[at : found.start()])
        at = end
    return "".join(kept) + text[at:], files


def count(root):
    texts, tests = {}, []
    for path in sorted([*root.glob("src/**/*.rs"), *root.glob("bins/**/*.rs"), *root.glob("build.rs")]):
        texts[path], files = without_tests(path)
        tests += files
    rooms = Counter(), Counter(), Counter()
    for path, text in texts.items():
        if any(test == path or test in path.parents for test in tests):
            continue
        room = re.sub(r"\.rs$", "", "/".join(path.relative_to(root).parts[:2])) if path.parts[-2] != "bins" else "bins"
        lines = [line for line in text.split("\n") if line.strip()]
        rooms[0][room] += text.count("\n")
        rooms[1][room] += sum(line.lstrip().startswith("//") for line in lines)
    for path in [*root.glob("src/**/*.toml"), *root.glob("src/**/*.txt")]:
        rooms[2]["/".join(path.relative_to(root).parts[:2]).split(".")[0]] += path.read_text().count("\n")
    return rooms


def main():
    code, comments, data = count(Path(sys.argv[1] if len(sys.argv) > 1 else "."))
    print(f"{'room':<24}{'lines':>8}{'comments':>10}{'data':>8}")
    for room, lines in sorted(code.items(), key=lambda one: (-one[1], one[0])):
        print(f"{room:<24}{lines:>8}{comments[room]:>10}{data[room]:>8}")
    print(f"{'all':<24}{sum(code.values()):>8}{sum(comments.values()):>10}{sum(data.values()):>8}")


if __name__ == "__main__":
    main()
