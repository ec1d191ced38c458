"""Changes one rule at a time and tells which changes no test notices: cargo-mutants lists them, a draw by seed takes some.

usage: mutants.py SEED DRAWN ROOM... (make mutants), in a tree that it may change. One line each to standard output: which tests noticed the
change, or NOBODY, and what was changed. The tests of the library are asked first, the others only if those notice nothing. What does not
compile is no mutant, and another one is drawn.
"""

import json
import random
import subprocess
import sys
from pathlib import Path

SECONDS = 900
STEPS = [("library", ["--lib"]), ("programs", ["--test", "wpipe"])]


def cargo(*args):
    try:
        return subprocess.run(["cargo", *args], capture_output=True, timeout=SECONDS).returncode == 0
    except subprocess.TimeoutExpired:
        return False


def judge(steps):
    if not cargo("test", "--locked", "--no-run", "--lib"):
        return None
    return next((name for name, args in steps if not cargo("test", "--locked", *args)), "NOBODY")


def main():
    seed, drawn, rooms = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
    files = [word for room in rooms for word in ("-f", f"src/{room}.rs", "-f", f"src/{room}/**")]
    listed = subprocess.run(
        ["cargo", "mutants", "--list", "--json", "--diff", "--in-place", *files], capture_output=True, check=True
    )
    mutants = sorted(json.loads(listed.stdout), key=lambda mutant: mutant["name"])
    random.Random(seed).shuffle(mutants)
    verdicts = []
    for mutant in mutants:
        if len(verdicts) == drawn:
            break
        file = Path(mutant["file"])
        before = file.read_bytes()
        try:
            subprocess.run(["patch", "-s", str(file)], input=mutant["diff"].encode(), check=True)
            verdict = judge(STEPS)
        finally:
            file.write_bytes(before)
        if verdict:
            verdicts.append(verdict)
            print(verdict, mutant["name"], sep="\t", flush=True)
    caught = sum(verdict != "NOBODY" for verdict in verdicts)
    print(f"{caught} of {len(verdicts)} caught, drawn of {len(mutants)} by seed {seed}")


main()
