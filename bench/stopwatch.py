"""Runs commands as whole processes and gives what each cost: CPU, wall, peak memory, as the kernel counts them."""

import json
import os
import statistics
import subprocess
import tempfile
import time
from dataclasses import dataclass, field


@dataclass
class Cost:
    """Seconds and bytes; of a pipe: the sum of CPU, the wall from first start to last end, the largest process."""

    user: float
    system: float
    wall: float
    peak_rss: int
    parts: list = field(default_factory=list)

    @property
    def cpu(self):
        return self.user + self.system


class Failed(Exception):
    """A command did not end with 0."""


class Stopwatch:
    """`programs` is the directory of bench-run; the commands themselves are found on the PATH."""

    def __init__(self, programs):
        self.bench_run = os.path.join(programs, "bench-run")

    def run(self, *commands, cwd=None, stdin=os.devnull, stdout=os.devnull, times=1):
        """Runs a command, or several in a pipe. Every process is started by a bench-run of its own."""
        with tempfile.TemporaryDirectory() as directory:
            costs = [os.path.join(directory, str(i)) for i in range(len(commands))]
            processes, upstream = [], None
            start = time.perf_counter()
            for i, command in enumerate(commands):
                last = i == len(commands) - 1
                timed = [self.bench_run, "--cost", costs[i], "--times", str(times)]
                timed += ["--stdin", stdin] if i == 0 else []
                timed += ["--stdout", stdout] if last else []
                process = subprocess.Popen(
                    [*timed, "--", *command],
                    cwd=cwd,
                    stdin=upstream,
                    stdout=None if last else subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    text=False,
                )
                if upstream is not None:
                    upstream.close()
                upstream = process.stdout
                processes.append(process)
            said = [process.stderr.read() for process in processes]
            statuses = [process.wait() for process in processes]
            wall = time.perf_counter() - start
            for command, status, text in zip(commands, statuses, said):
                if status != 0:
                    raise Failed(f"{' '.join(command)}: status {status}\n{text.decode(errors='replace')[-2000:]}")
            return total([read(path) for path in costs], wall)


def read(path):
    with open(path) as file:
        cost = json.load(file)
    return Cost(cost["user"], cost["system"], cost["wall"], cost["peak_rss"])


def total(parts, wall):
    if len(parts) == 1:
        return parts[0]
    return Cost(
        sum(part.user for part in parts),
        sum(part.system for part in parts),
        wall,
        max(part.peak_rss for part in parts),
        parts,
    )


def median(costs):
    """The run whose CPU is the median; of an even number the better of the two in the middle. Memory: the largest."""
    ordered = sorted(costs, key=lambda cost: cost.cpu)
    middle = ordered[(len(ordered) - 1) // 2]
    wall = statistics.median(cost.wall for cost in costs)
    return Cost(middle.user, middle.system, wall, max(cost.peak_rss for cost in costs), middle.parts)
