#!/usr/bin/env python3
"""The bench: generates corpora, checks what the stages make of them, then times each stage and the whole pipe as whole
processes. Writes results as NDJSON and tables. See README.md beside it; `make bench` calls it."""

import argparse
import datetime
import hashlib
import json
import os
import platform
import shutil
import subprocess
import sys

import chart
import goals
from stopwatch import Failed, Stopwatch, median

FILES = ("items", "parsed", "translated", "resolved")
PROGRAMS = ("wp-index", "wp-parse", "wp-translations", "wp-resolve", "wp-export")


class Job:
    """Something to time: a pipe of commands, how much goes in, and what to do before each run."""

    def __init__(self, stage, commands, records, size, before=lambda: None, **more):
        self.stage, self.commands, self.records, self.size = stage, commands, records, size
        self.before, self.stdin, self.times = before, more.pop("stdin", os.devnull), more.pop("times", 1)
        self.most = more.pop("most", None)
        self.more = more


class Bench:
    """One run of the bench: its options, its corpora, its results so far."""

    def __init__(self, options):
        self.options, self.rows = options, []
        self.stopwatch = Stopwatch(options.programs)
        self.corpus_program = os.path.join(options.programs, "bench-corpus")

    def time(self, corpus, jobs):
        """Runs all jobs in turn, as many rounds as asked for, and adds a row for each."""
        costs = {job.stage: [] for job in jobs}
        for round_number in range(self.options.runs):
            for job in jobs:
                if job.most is None or round_number < job.most:
                    job.before()
                    note(f"{corpus['name']}: round {round_number + 1}: {job.stage}")
                    cost = self.stopwatch.run(*job.commands, cwd=corpus["path"], stdin=job.stdin, times=job.times)
                    costs[job.stage].append(cost)
        for job in jobs:
            self.rows.append(row(corpus, job, costs[job.stage]))

    def site(self, posts, *flags, lean=False, scrape=True):
        """Generates a site and checks what the stages make of it."""
        name = f"{'lean' if lean else 'site'}-{posts}{'' if scrape else '-dump'}"
        path = os.path.join(self.options.work, name)
        shutil.rmtree(path, ignore_errors=True)
        note(f"{name}: generating")
        flags = [*flags, *(["--lean"] if lean else []), *([] if scrape else ["--no-scrape"])]
        run([self.corpus_program, "site", str(posts), path, *flags])
        with open(os.path.join(path, "expected.json")) as file:
            expected = json.load(file)
        corpus = {"name": name, "path": path, "posts": posts, "lean": lean, "scrape": scrape, **expected}
        note(f"{name}: checking")
        self.check(corpus)
        return corpus

    def check(self, corpus):
        """Stops the bench where a stage gives other records, links, images, languages or groups than were put in,
        or other bytes with two threads than with one."""
        path, source = corpus["path"], ["--scrape", "scrape"] if corpus["scrape"] else []
        run(["wp-index", "dump", *source, "-o", "items.ndjson"], path)
        for program, (before, after) in zip(PROGRAMS[1:], zip(FILES, FILES[1:])):
            run([program, "-j", "1", f"{before}.ndjson", "-o", f"{after}.ndjson"], path)
            run([program, "-j", "2", f"{before}.ndjson", "-o", "again.ndjson"], path)
            if digest(path, f"{after}.ndjson") != digest(path, "again.ndjson"):
                sys.exit(f"bench: {corpus['name']}: {program} gives other bytes with -j 2 than with -j 1")
        os.remove(os.path.join(path, "again.ndjson"))
        if corpus["scrape"]:
            run(["sh", "-c", "wp-index dump | wp-parse > bare.ndjson"], path)
            self.check_php(corpus)
        compare(f"{corpus['name']} after wp-resolve", self.count(path, "resolved.ndjson"), corpus["counts"], corpus["scrape"])
        run(["wp-export", "-d", "dataset", "resolved.ndjson"], path)
        self.check_dataset(corpus)
        corpus["sizes"] = {name: os.path.getsize(os.path.join(path, f"{name}.ndjson")) for name in FILES}

    def large_site(self, posts):
        """A site too large to keep what is between the stages: the pipe and wp-index alone, the records counted at its end."""
        path = os.path.join(self.options.work, f"site-{posts}")
        shutil.rmtree(path, ignore_errors=True)
        note(f"site-{posts}: generating")
        run([self.corpus_program, "site", str(posts), path])
        with open(os.path.join(path, "expected.json")) as file:
            expected = json.load(file)
        corpus = {"name": f"site-{posts}", "path": path, "posts": posts, "lean": False, **expected}
        records, given = corpus["counts"]["records"], corpus["input"]
        everything = given["dump_bytes"] + given["scrape_bytes"]
        self.time(corpus, [
            Job("wp-index, dump only", [["wp-index", "dump"]], records, given["dump_bytes"]),
            Job("pipe", pipe(["--scrape", "scrape"]), records, everything, self.no_dataset(corpus)),
        ])
        self.check_dataset(corpus)
        shutil.rmtree(path)

    def check_dataset(self, corpus):
        with open(os.path.join(corpus["path"], "dataset", "manifest.json")) as file:
            records = sum(entry.get("records") or 0 for entry in json.load(file)["files"])
        compare(f"{corpus['name']} in the manifest", {"records": records}, corpus["counts"], True)

    def check_php(self, corpus):
        """The same site as WordPress itself writes it, with PHP's escapes: every record must come out the same."""
        path = corpus["path"]
        run([self.corpus_program, "site", str(corpus["posts"]), os.path.join(path, "php"), "--no-scrape", "--json", "php"])
        run(["sh", "-c", "(cd php && wp-index dump) > php.ndjson && wp-parse php.ndjson > again.ndjson"], path)
        if digest(path, "again.ndjson") != digest(path, "bare.ndjson"):
            sys.exit(f"bench: {corpus['name']}: other records of a dump with PHP's escapes")
        os.remove(os.path.join(path, "again.ndjson"))
        dump = os.path.join(path, "php", "dump")
        corpus["php_bytes"] = sum(os.path.getsize(os.path.join(dump, name)) for name in os.listdir(dump))

    def count(self, path, name):
        with open(os.path.join(path, name)) as file:
            return json.loads(subprocess.run([self.corpus_program, "count"], stdin=file, stdout=subprocess.PIPE, check=True).stdout)

    def stages(self, corpus):
        """Each stage alone from a file to /dev/null, and the five in one pipe to a dataset."""
        records, sizes, given = corpus["counts"]["records"], corpus["sizes"], corpus["input"]
        pages = corpus["counts"]["scraped"]
        everything = given["dump_bytes"] + given["scrape_bytes"]
        jobs = [Job("wp-index, dump only", [["wp-index", "dump"]], records, given["dump_bytes"])]
        if corpus["scrape"]:
            jobs.append(Job("wp-index", [["wp-index", "dump", "--scrape", "scrape"]], records, everything, pages=pages))
        jobs.append(Job("wp-parse -j 1", [["wp-parse", "-j", "1", "items.ndjson"]], records, sizes["items"]))
        if not corpus["lean"]:
            jobs.append(Job("wp-parse -j 2", [["wp-parse", "-j", "2", "items.ndjson"]], records, sizes["items"]))
        if corpus["scrape"]:
            size = os.path.getsize(os.path.join(corpus["path"], "php.ndjson"))
            jobs.append(Job("wp-index, PHP's escapes", [["wp-index", "php/dump"]], records, corpus["php_bytes"]))
            jobs.append(Job("wp-parse -j 1, PHP's escapes", [["wp-parse", "-j", "1", "php.ndjson"]], records, size))
            # The same records without their pages: what is left of the cost is the pages'.
            jobs.append(Job("wp-translations -j 1, no pages", [["wp-translations", "-j", "1", "bare.ndjson"]], records, sizes["parsed"]))
            for name, flags in (
                ("wp-translations -j 1", ["-j", "1"]),
                ("wp-translations -j 2", ["-j", "2"]),
                ("wp-translations -j 1, heads", ["-j", "1", "--sources", "hreflang,html"]),
                ("wp-translations -j 1, whole pages", ["-j", "1", "--sources", "switcher,html"]),
            ):
                jobs.append(Job(name, [["wp-translations", *flags, "parsed.ndjson"]], records, sizes["parsed"], pages=pages))
        else:
            jobs.append(Job("wp-translations -j 1", [["wp-translations", "-j", "1", "parsed.ndjson"]], records, sizes["parsed"]))
        jobs.append(Job("wp-resolve -j 1", [["wp-resolve", "-j", "1", "translated.ndjson"]], records, sizes["translated"]))
        if not corpus["lean"]:
            spooled = [["cat", "translated.ndjson"], ["wp-resolve", "-j", "1"]]
            jobs.append(Job("wp-resolve -j 1, from a pipe (with cat)", spooled, records, sizes["translated"]))
        jobs.append(Job("wp-export", [["wp-export", "-d", "dataset", "resolved.ndjson"]], records, sizes["resolved"], self.no_dataset(corpus)))
        jobs.append(Job("wp-export, a stream", [["wp-export", "resolved.ndjson"]], records, sizes["resolved"]))
        if corpus["scrape"]:
            jobs.append(Job("pipe", pipe(["--scrape", "scrape"]), records, everything, self.no_dataset(corpus)))
        jobs.append(Job("pipe, dump only", pipe([]), records, given["dump_bytes"], self.no_dataset(corpus)))
        if corpus["scrape"]:
            like_peer = pipe(["--scrape", "scrape"], ["--text", "wpextract"], ["--format", "wpextract"])
            jobs.append(Job("pipe, the peer's own files", like_peer, records, everything, self.no_dataset(corpus)))
        return jobs

    def own(self, number, dump):
        """wp-index and wp-parse on a dump of the user's; a small one several times a process' cost."""
        name = f"own-{number}"
        path = os.path.join(self.options.work, name)
        os.makedirs(path, exist_ok=True)
        note(f"{name}: reading {dump}")
        run(["wp-index", dump, "--max-rejects", "1000000", "-o", "items.ndjson", "--stats", "stats.json"], path)
        with open(os.path.join(path, "stats.json")) as file:
            stats = json.load(file)
        files = [os.path.join(folder, name) for folder, _, names in os.walk(dump) for name in names] or [dump]
        given, items = sum(map(os.path.getsize, files)), os.path.getsize(os.path.join(path, "items.ndjson"))
        # Start-up counts little when the items are put behind each other until they are some 50 MB.
        copies = max(1, 50_000_000 // items)
        run(["sh", "-c", f"for i in $(seq {copies}); do cat items.ndjson; done > many.ndjson"], path)
        records, times = stats["records_out"], max(1, 50_000_000 // given)
        corpus = {"name": name, "path": path, "posts": 0, "lean": False}
        index = ["wp-index", dump, "--max-rejects", "1000000"]
        self.time(corpus, [
            Job("wp-index, dump only", [index], records, given, times=times),
            Job("wp-parse -j 1", [["wp-parse", "-j", "1", "many.ndjson"]], records * copies, items * copies),
        ])
        shutil.rmtree(path)

    def no_dataset(self, corpus):
        return lambda: shutil.rmtree(os.path.join(corpus["path"], "dataset"), ignore_errors=True)

    def yardsticks(self, corpus):
        """What others need to read the same NDJSON."""
        records, size = corpus["counts"]["records"], corpus["sizes"]["resolved"]
        jobs = [
            Job("cat", [["cat", "resolved.ndjson"]], records, size),
            Job("wc -l", [["wc", "-l", "resolved.ndjson"]], records, size),
        ]
        for program in ("jq", "jaq"):
            if shutil.which(program):
                jobs.append(Job(f"{program} -c .", [[program, "-c", ".", "resolved.ndjson"]], records, size, most=2))
        return jobs

    def peer(self, corpus):
        """wpextract on the same corpus. It leaves a cache in the scrape, which would make its second run cheaper."""
        program = os.path.join(self.options.venv, "bin", "wpextract")
        out = os.path.join(corpus["path"], "peer")
        cache = os.path.join(corpus["path"], "scrape", "url_cache.json")

        def fresh():
            shutil.rmtree(out, ignore_errors=True)
            os.makedirs(out)
            if os.path.exists(cache):
                os.remove(cache)

        given, records = corpus["input"], corpus["counts"]["records"]
        both = given["dump_bytes"] + given["scrape_bytes"]
        command = [program, "extract", "dump", "peer"]
        return [
            Job("peer", [[*command, "-S", "scrape"]], records, both, fresh, most=self.options.peer_runs),
            Job("peer, dump only", [command], records, given["dump_bytes"], fresh, most=self.options.peer_runs),
        ], fresh

    def check_peer(self, corpus):
        """That it has read the posts at all, from the files of its last run."""
        with open(os.path.join(corpus["path"], "peer", "posts.json")) as file:
            compare(f"{corpus['name']} by the peer", {"posts": len(json.load(file))}, corpus["input"], True)

    def start_up(self):
        """What each program needs to see that there is nothing to do."""
        corpus = {"name": "nothing", "path": self.options.work, "posts": 0, "lean": False}
        with open(os.path.join(self.options.work, "empty.json"), "w") as file:
            file.write("[]")
        inputs = {"wp-index": "empty.json"}
        jobs = [Job("start of any process (true)", [["true"]], 0, 0, times=50)]
        for program in PROGRAMS:
            command = [program, inputs.get(program, os.devnull)]
            jobs.append(Job(f"start-up of {program}", [command], 0, 0, times=50, program=program))
        self.time(corpus, jobs)

    def large_registry(self, records):
        """wp-resolve on records of ten URLs each."""
        name = f"records-{records}"
        path = os.path.join(self.options.work, name)
        os.makedirs(path, exist_ok=True)
        note(f"{name}: generating")
        with open(os.path.join(path, "records.ndjson"), "w") as file:
            run([self.corpus_program, "records", str(records), "--expected", "expected.json"], path, stdout=file)
        with open(os.path.join(path, "expected.json")) as file:
            expected = json.load(file)
        note(f"{name}: checking")
        run(["wp-resolve", "records.ndjson", "-o", "resolved.ndjson", "--stats", "stats.json"], path)
        compare(name, self.count(path, "resolved.ndjson"), expected["counts"], True)
        os.remove(os.path.join(path, "resolved.ndjson"))
        corpus = {"name": name, "path": path, "posts": 0, "lean": True, **expected}
        size = os.path.getsize(os.path.join(path, "records.ndjson"))
        urls = expected["input"]["urls"]
        job = Job("wp-resolve -j 1, ten URLs a record", [["wp-resolve", "-j", "1", "records.ndjson"]], records, size, urls=urls)
        self.time(corpus, [job])
        shutil.rmtree(path)


def pipe(index, parse=(), export=()):
    stages = [["wp-index", "dump", *index], ["wp-parse", *parse], ["wp-translations"], ["wp-resolve"]]
    return [*stages, ["wp-export", "-d", "dataset", *export]]


def row(corpus, job, costs):
    cost = median(costs)
    result = {
        "stage": job.stage,
        "corpus": corpus["name"],
        "posts": corpus["posts"],
        "lean": corpus["lean"],
        "records": job.records,
        "bytes": job.size,
        "seconds": round(cost.cpu / job.times, 6),
        "user": round(cost.user / job.times, 6),
        "system": round(cost.system / job.times, 6),
        "wall": round(cost.wall / job.times, 6),
        "peak_rss": cost.peak_rss,
        "runs": [round(run.cpu / job.times, 6) for run in costs],
        "cores": os.cpu_count(),
        **job.more,
    }
    if cost.parts:
        result["parts"] = [
            {"program": command[0], "seconds": round(part.cpu, 6), "peak_rss": part.peak_rss}
            for command, part in zip(job.commands, cost.parts)
        ]
    return result


def compare(what, found, expected, with_pages):
    """Without pages nothing is known of languages and translations."""
    unknown = () if with_pages else ("scraped", "languages", "translations", "groups")
    wrong = [f"{key}: {found[key]} instead of {expected[key]}" for key in found if key not in unknown and found[key] != expected[key]]
    if wrong:
        sys.exit(f"bench: {what}: {'; '.join(wrong)}")


def run(command, cwd=None, stdout=None):
    result = subprocess.run(command, cwd=cwd, stdout=stdout, stderr=subprocess.PIPE, text=True)
    if result.returncode != 0:
        sys.exit(f"bench: {' '.join(command)}: status {result.returncode}\n{result.stderr[-2000:]}")


def digest(path, name):
    with open(os.path.join(path, name), "rb") as file:
        return hashlib.file_digest(file, "blake2b").digest()


def note(text):
    print(f"bench: {text}", file=sys.stderr, flush=True)


def result_table(rows):
    lines = [("stage", "corpus", "records", "MB", "CPU s", "wall s", "MB/s", "records/s", "peak MB")]
    for row in rows:
        seconds = row["seconds"]
        rates = (f"{row['bytes'] / seconds / 1e6:,.0f}", f"{row['records'] / seconds:,.0f}") if row["records"] and seconds else ("", "")
        lines.append((
            row["stage"], row["corpus"], f"{row['records']:,}", f"{row['bytes'] / 1e6:,.1f}", f"{seconds:.4f}", f"{row['wall']:.4f}",
            *rates, f"{row['peak_rss'] / 1e6:.1f}",
        ))
    return lines


def markdown(lines):
    head, *body = lines
    rows = [head, ("---", "---", *["---:"] * (len(head) - 2)), *body]
    return "".join("| " + " | ".join(row) + " |\n" for row in rows)


def machine():
    model = "unknown"
    if os.path.exists("/proc/cpuinfo"):
        with open("/proc/cpuinfo") as file:
            model = next((line.split(":")[1].strip() for line in file if line.startswith("model name")), model)
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    load = ", ".join(f"{value:.2f}" for value in os.getloadavg())
    return f"{os.cpu_count()} x {model}, {memory:.0f} GiB, {platform.system()} {platform.release()} {platform.machine()}; load before: {load}"


def version():
    described = subprocess.run(["git", "describe", "--always", "--dirty"], capture_output=True, text=True)
    return described.stdout.strip() or "unknown"


def flags():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="*", default=[2000], help="posts of the corpora")
    parser.add_argument("--large", type=int, nargs="*", default=[], help="posts of corpora on which only wp-index and the pipe run")
    parser.add_argument("--peer", type=int, nargs="*", default=[], help="of these sizes, those on which wpextract runs too")
    parser.add_argument("--runs", type=int, default=5, help="rounds; the median counts")
    parser.add_argument("--peer-runs", type=int, default=2, help="rounds in which wpextract takes part")
    parser.add_argument("--records", type=int, nargs="*", default=[10_000, 100_000], help="records of the lean corpora")
    parser.add_argument("--registry", type=int, nargs="*", help="records of ten URLs each, for wp-resolve; as --records if not given")
    parser.add_argument("--own", nargs="*", default=[], help="dumps of yours: files or directories")
    parser.add_argument("--programs", required=True, help="directory of bench-corpus and bench-run")
    parser.add_argument("--profile", help="name of the profile that the programs are built with, for the record")
    parser.add_argument("--venv", default=".venv", help="virtual environment of wpextract")
    parser.add_argument("--work", required=True, help="where corpora are made")
    parser.add_argument("--save", help="directory for results.ndjson, tables and chart")
    options = parser.parse_args()
    options.work, options.venv, options.programs = map(os.path.abspath, (options.work, options.venv, options.programs))
    return options


def main():
    options = flags()
    built = f"the packages' file, with {options.profile}" if options.profile else "without a profile"
    about = f"{datetime.date.today()}, wpipe {version()} ({built}), {machine()}\n\n    {' '.join(sys.argv)}\n"
    os.makedirs(options.work, exist_ok=True)
    bench = Bench(options)
    bench.start_up()
    for posts in options.sizes:
        corpus = bench.site(posts)
        jobs = [*bench.yardsticks(corpus), *bench.stages(corpus)]
        clean = lambda: None
        if posts in options.peer:
            peer_jobs, clean = bench.peer(corpus)
            jobs += peer_jobs
        bench.time(corpus, jobs)
        if posts in options.peer:
            bench.check_peer(corpus)
        clean()
        shutil.rmtree(corpus["path"])
    for posts in options.large:
        bench.large_site(posts)
    for number, dump in enumerate(options.own, 1):
        bench.own(number, os.path.abspath(dump))
    for records in options.records:
        corpus = bench.site(records * 5 // 11, lean=True, scrape=False)
        bench.time(corpus, bench.stages(corpus))
        shutil.rmtree(corpus["path"])
    for records in options.records if options.registry is None else options.registry:
        bench.large_registry(records)
    tables = markdown(result_table(bench.rows)) + "\n" + markdown(goals.table(bench.rows))
    print(about + "\n" + tables)
    if options.save:
        os.makedirs(options.save, exist_ok=True)
        save(options.save, "results.ndjson", "".join(json.dumps(row) + "\n" for row in bench.rows))
        save(options.save, "README.md", about + "\n" + tables)
        if chart.points(bench.rows):
            save(options.save, "chart.svg", chart.draw(bench.rows, chart.LIGHT))


def save(directory, name, text):
    with open(os.path.join(directory, name), "w") as file:
        file.write(text)


if __name__ == "__main__":
    try:
        main()
    except Failed as failed:
        sys.exit(f"bench: {failed}")
