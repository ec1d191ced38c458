#!/usr/bin/env bash
# Runs the loaders of a dataset with their libraries and checks every value of 40,000 records with data that loaders lose
# silently, uncompressed and compressed; checks the schemas with jsonschema, croissant.json with mlcroissant. Needs no corpora.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
out="$WORK/out/loaders" venv=$(realpath -m "$VENV-loaders") status=0
export HF_HOME="$out/huggingface"
rm -rf "$out" && mkdir -p "$out"
if [ ! -x "$venv/bin/mlcroissant" ]; then
  python3 -m venv "$venv" && "$venv/bin/pip" install --quiet duckdb==2.0.0 polars==2.1.0 pandas==3.1.1 pyarrow==26.0.1 \
    datasets==5.2.0 zstandard pytz jsonschema==4.26.0 mlcroissant==1.1.1 || exit 1
fi

"$venv/bin/python" "$here/loader_traps.py" >"$out/traps.ndjson" || exit 1
wp-export -q -d "$out/traps" "$out/traps.ndjson" || exit 1
"$venv/bin/python" "$here/loaders.py" "$out/traps" --guess || status=1
for how in gz zst; do
  wp-export -q -d "$out/$how" --compress "$how" "$out/traps.ndjson" || exit 1
  "$venv/bin/python" "$here/loaders.py" "$out/$how" || status=1
done

# A real dataset: the example site, users and comments left out.
cd "$here/../../.." || exit 1
wp-index -q examples/site/dump --scrape examples/site/scrape --max-rejects 1 | wp-parse -q | wp-translations -q | wp-resolve -q |
  wp-export -q -d "$out/example" --without users,comments || exit 1
"$venv/bin/python" "$here/loaders.py" "$out/example" || status=1

# What wp-diff and wp-align write, with every class of changes but renumbered.
wp-index -q examples/site/dump --scrape examples/site/scrape --max-rejects 1 | wp-parse -q | wp-translations -q |
  wp-resolve -q >"$out/new.ndjson" || exit 1
jq -c 'if .kind != "post" then . elif .id == 119 then .date_gmt = "2001-02-03T04:05:06Z" elif .id == 102 then .link += "x/"
  elif .id == 103 then .content.html = "<p>Nothing of it.</p>" | .tags = [] | .links = [] elif .id == 101 then empty else . end' \
  "$out/new.ndjson" >"$out/old.ndjson"
wp-diff -q "$out/old.ndjson" "$out/new.ndjson" >"$out/changes.ndjson" && wp-align -q "$out/new.ndjson" >"$out/alignments.ndjson" || exit 1
cat "$out"/{new,changes,alignments}.ndjson | wp-export -q -d "$out/changes" || exit 1
for file in changes alignments; do [ -s "$out/changes/$file.jsonl" ] || exit 1; done
"$venv/bin/python" "$here/loaders.py" "$out/changes" || status=1

# The recipe of the README, and keys that have no single type: added keys come through every loader.
wp-index -q examples/site/dump --scrape examples/site/scrape --max-rejects 1 | wp-parse -q | wp-translations -q | wp-resolve -q |
  jq -c 'select(.type == "post" and .language == "de-DE") | .source_corpus = "harbour"' | wp-export -q -d "$out/german" || exit 1
"$venv/bin/python" "$here/loaders.py" "$out/german" || status=1
jq -c '.note = if .id % 2 == 0 then {"a": [.id, 1.5, "\"é"]} else null end | .seo.score = .id / 2' "$out/german/posts.jsonl" |
  wp-export -q -d "$out/added" || exit 1
"$venv/bin/python" "$here/loaders.py" "$out/added" || status=1
for name in german added; do
  "$venv/bin/python" "$here/documents.py" "$out/$name" || status=1
done
if command -v Rscript >/dev/null && Rscript -e 'stopifnot(requireNamespace("jsonlite"))' 2>/dev/null; then
  Rscript -e 'd <- jsonlite::stream_in(file(commandArgs(TRUE)[1]), verbose = FALSE); stopifnot(nrow(d) > 0, d$source_corpus == "harbour")' \
    "$out/german/posts.jsonl" || status=1
fi

"$venv/bin/python" "$here/documents.py" "$out/traps" || status=1
"$venv/bin/python" "$here/documents.py" "$out/gz" || status=1
"$venv/bin/python" "$here/documents.py" "$out/example" --read || status=1
[ "$status" -eq 0 ] && echo "nothing lost by 6 loaders in 7 datasets; schemas and Croissant hold"
exit $status
