#!/usr/bin/env python3
"""The sites as tasks of datatrove's local executor: executor.py [WORKERS]; pip install datatrove

A task is a site. Whether it is complete, make tells by its manifest; datatrove's own markers know nothing of inputs that have changed
since, and are not asked."""
import subprocess
import sys

from datatrove.executor import LocalPipelineExecutor
from datatrove.pipeline.base import PipelineStep


class Site(PipelineStep):
    type = "wpipe"
    name = "site"

    def __init__(self, names):
        super().__init__()
        self.names = names

    def run(self, data, rank=0, world_size=1):
        for site in self.names[rank::world_size]:
            # An exception would end the tasks of the other sites, too.
            status = subprocess.run(["make", "-s", f"SITES={site}"], stdin=subprocess.DEVNULL).returncode
            self.stat_update("failed" if status else "complete")
        yield from ()


if __name__ == "__main__":
    names = subprocess.run(["make", "-s", "names"], stdout=subprocess.PIPE, text=True, check=True).stdout.split()
    workers = int(sys.argv[1]) if len(sys.argv) > 1 else 2
    LocalPipelineExecutor(
        [Site(names)], tasks=len(names), workers=workers, logging_dir="build/datatrove", skip_completed=False
    ).run()
    sys.exit(subprocess.run(["make", "-s", "incomplete"]).returncode)
