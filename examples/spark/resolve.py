#!/usr/bin/env python3
"""Resolves a lake: NDJSON files in which the records of many sites are mixed. One shuffle brings the records of each site together, in
their order; one wp-resolve a partition does the rest.

usage: spark-submit resolve.py LAKE OUT [PARTITIONS [COMMAND]]"""
import json
import os
import re
import shlex
import sys
import zlib

from pyspark.sql import SparkSession

SITE = re.compile(r'\{"site":("(?:[^"\\]|\\.)*")')


def site_of(line):
    """The label of a record's site, which is its first key unless another program has written it anew."""
    start = SITE.match(line)
    return (json.loads(start[1]) if start else json.loads(line).get("site")) or ""


def partition_of(key):
    """A site's partition. Python's own hash is another one in each process."""
    return zlib.crc32(key[0].encode("utf-8", "surrogatepass"))


def main(lake, out, partitions="8", command="wp-resolve -q -j1"):
    context = SparkSession.builder.appName("wp-resolve").getOrCreate().sparkContext
    lines = context.textFile(lake).filter(str.strip).zipWithIndex()
    keyed = lines.map(lambda pair: ((site_of(pair[0]), pair[1]), pair[0]))
    sites = keyed.repartitionAndSortWithinPartitions(int(partitions), partition_of)
    # Spark runs no shell, gives it no environment (not even PATH), and does not look at its status, unless told to.
    command = f"bash -o pipefail -c {shlex.quote(command)}"
    sites.values().pipe(command, env=dict(os.environ), checkCode=True).saveAsTextFile(out)


if __name__ == "__main__":
    main(*sys.argv[1:])
