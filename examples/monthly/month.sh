#!/usr/bin/env bash
# What changed on a site since the last time: month.sh URL DIR. Run it once a month, by cron(8) for example: `0 3 1 * * month.sh URL DIR`.
#
# DIR/raw is the fetch, which is brought up to date; DIR/months/DATE.ndjson.zst the records of each time, the next one's OLD;
# DIR/changes/DATE.ndjson what changed. Nothing of a time appears unless all of it went well. The whole pipe is run each time: it takes
# seconds, so that to parse only what has changed would save nothing.
set -euo pipefail
url=$1 dir=$2
mkdir -p "$dir/months" "$dir/changes"
cd "$dir"
# Since the last time, once there was one.
[ -e raw/fetch.json ] && update=--update || update=
wp-fetch "$url" -d raw ${update:+"$update"} ${FETCH_OPTIONS:-} >/dev/null
last=$(find months -name '*.ndjson.zst' | sort | tail -n 1)
new=months/$(date -u +%Y-%m-%dT%H-%M-%SZ).ndjson.zst
wp-index --end raw/dump --scrape raw/fetch.warc.gz | wp-parse | wp-translations | wp-resolve -o "$new"
[ -z "$last" ] || wp-diff --with raw/fetch.json "$last" "$new" -o "changes/$(basename "$new" .ndjson.zst).ndjson"
