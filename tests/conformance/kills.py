"""What is left when a stage is killed: kills.py [--end] SIGNAL [DIRECTORY OF PROGRAMS]. Each stage in turn is fed the example site,
copied to forty sites, and gets the signal (KILL, TERM, ...; FAIL is a broken line with --strict) at twenty moments of its input.
The other stages run on, without pipefail, to a wp-export that writes over an older dataset. One line a stage: moments, manifests over
a dataset from which records are missing, and older datasets that are whole. Ends with 1 if there was such a manifest."""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile

MOMENTS = 20
SITES = 40
STAGES = ["wp-index", "wp-parse", "wp-translations", "wp-resolve", "wp-export"]
EXAMPLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../examples/site/dump")


def inputs(end):
    """What each stage reads; the dump of wp-index is one site, forty times as large."""
    stream = subprocess.run(["wp-index", "-q", "--site", "S", *end, "--max-rejects", "1", EXAMPLE], stdout=subprocess.PIPE, check=True).stdout
    items = b"".join(json.dumps(json.loads(line)["api"]).encode() + b"\n" for line in stream.splitlines() if b'"kind":"end"' not in line)
    copy = lambda text, n: text.replace(b'"id": ', b'"id": %d' % n)
    found = [b"".join(copy(items, n) for n in range(1, SITES + 1))]
    stream = b"".join(stream.replace(b'{"site":"S"', b'{"site":"site%02d"' % n) for n in range(SITES))
    for stage in STAGES[1:]:
        found.append(stream)
        stream = subprocess.run([stage, "-q"], input=stream, stdout=subprocess.PIPE, check=True).stdout
    return found


def counted():
    """The records of the dataset; none without a manifest."""
    try:
        with open("data/manifest.json") as manifest:
            return sum(file["records"] or 0 for file in json.load(manifest)["files"])
    except FileNotFoundError:
        return None


def is_whole():
    """Whether the files have the sums that the manifest lists."""
    with open("data/manifest.json") as manifest:
        files = json.load(manifest)["files"]
    sums = "".join(f"{file['sha256']}  data/{file['name']}\n" for file in files)
    return subprocess.run(["sha256sum", "-c", "--status"], input=sums.encode()).returncode == 0


def run(number, text, end, cut, how):
    """Feeds `text` up to `cut` and kills the stage there; without `cut` all of it."""
    processes, source = [], subprocess.PIPE
    for stage in STAGES[number:]:
        flags = (["--end"] if end and stage == "wp-index" else ["--expect-end"] if end and stage == "wp-export" else [])
        flags += ["-d", "data"] if stage == "wp-export" else []
        flags += ["--strict"] if how == "FAIL" and not processes else []
        process = subprocess.Popen([stage, "-q", *flags], stdin=source, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        if source is not subprocess.PIPE:
            source.close()
        processes.append(process)
        source = process.stdout
    try:
        processes[0].stdin.write(text[:cut])
        if how == "FAIL":
            processes[0].stdin.write(b"\n]\n")
        processes[0].stdin.flush()
        if how not in (None, "FAIL"):
            processes[0].send_signal(getattr(signal, "SIG" + how))
        processes[0].stdin.close()
    except BrokenPipeError:
        pass
    for process in processes:
        process.wait()


def main():
    words = [word for word in sys.argv[1:] if word != "--end"]
    end = ["--end"] if "--end" in sys.argv else []
    if len(words) > 1:
        os.environ["PATH"] = os.path.abspath(words[1]) + ":" + os.environ["PATH"]
    lies = 0
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for number, (stage, text) in enumerate(zip(STAGES, inputs(end))):
            run(number, text, end, None, None)
            shutil.copytree("data", "old")
            whole = counted()
            partial = intact = 0
            for moment in range(1, MOMENTS + 1):
                cut = len(text) * moment // (MOMENTS + 1)
                run(number, text, end, cut, words[0])
                left = counted()
                partial += left is not None and (left < whole or not is_whole())
                intact += left == whole and is_whole()
                shutil.rmtree("data", ignore_errors=True)
                shutil.copytree("old", "data")
            shutil.rmtree("old")
            print(f"{words[0]}\t{'end' if end else '-'}\t{stage}\t{MOMENTS}\t{partial}\t{intact}", flush=True)
            lies += partial
    sys.exit(lies > 0)


main()
