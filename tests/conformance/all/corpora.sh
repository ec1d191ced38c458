#!/usr/bin/env bash
# Reads documents, vertical text and the metadata of texts back with the tools they are made for (Hugging Face datasets, datatrove,
# pandas; for vertical text, whose programs are in no package index, with a reader of our own and uniseg's words and sentences):
# for two real sites, the example site, and a generated one with texts and nulls that made loaders lose data.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
venv=$(realpath -m "$VENV-corpora") out="$WORK/out/corpora"
if [ ! -e "$venv/ready" ]; then
  python3 -m venv "$venv" && "$venv/bin/pip" install --quiet datasets datatrove orjson pandas uniseg && touch "$venv/ready"
fi
rm -rf "$out" && mkdir -p "$out"
"$here/../records.sh" "$out"
for records in "$out"/*.ndjson; do
  site=$(basename "$records" .ndjson)
  for format in documents text vert; do
    wp-export -q --format "$format" -d "$out/$site/$format" "$records"
  done
done
HF_HOME="$out/cache" HF_DATASETS_OFFLINE=1 HF_DATASETS_DISABLE_PROGRESS_BARS=1 "$venv/bin/python" "$here/corpora.py" "$out" | tee "$out/table"
