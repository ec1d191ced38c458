#!/usr/bin/env bash
# resolved.sh DIR [PARSE OPTIONS]: writes the resolved records of all sites with a dump to DIR/NAME.ndjson.
set -euo pipefail
out=$1
shift
for dump in "$WORK"/wplive/*/dump "$WORK"/wpextract-e2e/download_out; do
  name=$(basename "$(dirname "$dump")") scrape="$(dirname "$dump")/scrape"
  [ -d "$scrape" ] || scrape="$(dirname "$dump")/site_scrape"
  wp-index -q "$dump" --scrape "$scrape" --max-rejects 99 | wp-parse -q "$@" | wp-translations -q --scrape-root "$scrape" |
    wp-resolve -q -o "$out/$name.ndjson"
done
