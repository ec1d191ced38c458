#!/usr/bin/env bash
# Makes the records that formats are compared with: records.sh OUT writes example, polylang, translatepress and generated.ndjson.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd) out=$1
(cd "$here/../../examples/site" && wp-index -q --max-rejects 1 dump --scrape scrape | wp-parse -q | wp-translations -q) |
  wp-resolve -q -o "$out/example.ndjson"
# Translations with records of their own, and translations that are nothing but pages.
for site in polylang translatepress; do
  real="$WORK/wplive/$site"
  wp-index -q "$real/dump" --scrape "$real/scrape" | wp-parse -q | wp-translations -q --scrape-root "$real/scrape" |
    wp-resolve -q -o "$out/$site.ndjson"
done
python3 "$here/all/formats.py" generate 40000 >"$out/generated.ndjson"
