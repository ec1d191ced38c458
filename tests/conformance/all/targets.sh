#!/usr/bin/env bash
# Compares our targets with those of wpextract, which it runs, for three corpora.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
status=0
for case in wpextract-e2e/download_out wplive/classic/dump wplive/polylang/dump; do
  name=$(dirname "$case") && name=$(basename "$name")
  rm -rf "$WORK/out/targets/$name" && mkdir -p "$WORK/out/targets/$name/theirs"
  "$VENV/bin/wpextract" extract "$WORK/$case" "$WORK/out/targets/$name/theirs" >"$WORK/out/targets/$name/log" 2>&1 ||
    { echo "the peer failed on $case:"; tail -3 "$WORK/out/targets/$name/log"; status=1; continue; }
  wp-index -q "$WORK/$case" | wp-parse -q --text wpextract | wp-resolve -q |
    wp-export -q --format wpextract -d "$WORK/out/targets/$name/ours" || exit 1
  "$VENV/bin/python" "$here/targets.py" "$name" "$WORK/out/targets/$name/ours" "$WORK/out/targets/$name/theirs" || status=1
done
exit $status
