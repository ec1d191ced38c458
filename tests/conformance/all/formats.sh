#!/usr/bin/env bash
# Reads tables, parallel text and graphs back with the tools they are made for: for two real sites, the example site, and a
# generated one with texts and nulls that made loaders lose data. Counts must match the manifest, values the records.
# Writes the complete table to $WORK/out/formats/table.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
venv="$VENV/formats" out="$WORK/out/formats"
if [ ! -x "$venv/bin/opus_read" ]; then
  python3 -m venv "$venv"
  "$venv/bin/pip" install --quiet pandas polars duckdb datasets networkx igraph xxhash opustools
fi
rm -rf "$out" && mkdir -p "$out"

"$here/../records.sh" "$out"
"$venv/bin/python" "$here/formats.py" generate 2001 >"$out/head.ndjson"

for site in example polylang translatepress generated; do
  for format in csv pairs bitextor bitextor:warc2text graph graphml opus; do
    # Half a million small files prove nothing that two thousand do not.
    records="$out/$site.ndjson"
    [ "$site $format" != "generated opus" ] || records="$out/head.ndjson"
    wp-export -q --format "$format" -d "$out/$site/$format" --stats "$out/stats" "$records"
  done
  wp-export -q --format graph:term,author,reply,host -d "$out/$site/web" "$out/$site.ndjson"
done
HF_HOME="$out/cache" HF_DATASETS_OFFLINE=1 HF_DATASETS_DISABLE_PROGRESS_BARS=1 "$venv/bin/python" "$here/formats.py" check "$venv/bin" "$out" | tee "$out/table"
