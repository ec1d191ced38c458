#!/usr/bin/env bash
# wp-diff --dates over 200 generated sites with imports, scheduled posts, drafts, back-dated and re-dated posts. Prints what has become of each.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
out=$WORK/out/dates
rm -rf "$out" && mkdir -p "$out"
python3 "$here/dates.py" make 200 "$out/truth" >"$out/records"
wp-diff --dates "$out/records" -o "$out/lines"
python3 "$here/dates.py" score "$out/truth" "$out/lines"
