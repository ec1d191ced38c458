#!/usr/bin/env bash
# Compares the words of text, Markdown (read by markdown-it) and TEI (read by ElementTree) with those of the records.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
out="$WORK/out/documents"
"$VENV/bin/python" -c 'import markdown_it' 2>/dev/null || "$VENV/bin/pip" install --quiet markdown-it-py
"$VENV/bin/python" -c 'import yaml' 2>/dev/null || "$VENV/bin/pip" install --quiet pyyaml
rm -rf "$out" && mkdir -p "$out"
"$here/../resolved.sh" "$out" --text captions
for records in "$out"/*.ndjson; do
  name=$(basename "$records" .ndjson)
  for format in text markdown tei; do
    wp-export -q --format "$format" -d "$out/$name-$format" "$records"
  done
done
"$VENV/bin/python" "$here/../documents.py" "$out"
