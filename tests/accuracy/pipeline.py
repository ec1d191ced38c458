"""Runs the programs over the corpus. The stages take all sites in one stream; each site is indexed by itself."""

import json
import pathlib
import subprocess

QUIET = "-q"


def run(command, data=b"", cwd=None):
    """Runs one program; what it prints on standard error is shown when it fails."""
    done = subprocess.run([str(part) for part in command], input=data, capture_output=True, cwd=cwd, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, command))}: status {done.returncode}\n{done.stderr.decode(errors='replace')}")
    return done.stdout


def index(folder, logs, *options):
    """The items of all sites in a folder, through wp-parse: site → lines."""
    items = {}
    for site in sorted(path for path in pathlib.Path(folder).iterdir() if path.is_dir()):
        command = ["wp-index", QUIET, "--site", site.name, "--page-log", logs / f"{site.name}.pages", *options]
        command += [f"{site.name}/dump"] if (site / "dump").is_dir() else ["--no-dump"]
        for scrape in ("scrape", "scrape.warc"):
            command += ["--scrape", f"{site.name}/{scrape}"] if (site / scrape).exists() else []
        items[site.name] = run(command, cwd=folder)
    return items


def parse(items, *options):
    parsed = run(["wp-parse", QUIET, *options], b"".join(items.values()))
    by_site = {site: [] for site in items}
    for line in parsed.splitlines(keepends=True):
        by_site[json.loads(line)["site"]].append(line)
    return {site: b"".join(lines) for site, lines in by_site.items()}


def resolve(folder, logs, parsed, translations=(), resolve=()):
    """The records of the sites as wp-resolve writes them. A page log is of one site: that of the journal, which has what it tells."""
    lines = run(["wp-translations", QUIET, *translations], b"".join(parsed.values()), cwd=folder)
    journal = logs / "journal.example.pages"
    log = ["--page-log", journal, "--unresolved", logs / "unresolved"] if "journal.example" in parsed and journal.exists() else []
    return list(map(json.loads, run(["wp-resolve", QUIET, *log, *resolve], lines).splitlines()))
