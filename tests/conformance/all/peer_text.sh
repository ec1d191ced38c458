#!/usr/bin/env bash
# Compares texts by wpextract's rules with wpextract itself, for every record of its own case and of three real sites.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
for dump in "$WORK"/wpextract-e2e/download_out "$WORK"/wplive/*/dump; do
  wp-index -q "$dump" | wp-parse -q --text wpextract --keep-api
done | "$VENV/bin/python" "$here/peer_text.py"
