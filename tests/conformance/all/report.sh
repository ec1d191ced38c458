#!/usr/bin/env bash
# Opens reports in headless Chromium: no request, no error, nothing cut off, readable at 400 and 1,400 pixels, light and dark. Of
# two real sites, the example site, and a generated one. Screenshots and a print of each are in $WORK/out/report.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
venv=$(realpath -m "$VENV-report") out="$WORK/out/report"
command -v chromium >/dev/null || { apt-get update -qq && apt-get install -y -qq chromium >/dev/null; }
[ -x "$venv/bin/playwright" ] || { python3 -m venv "$venv" && "$venv/bin/pip" install --quiet playwright; }
rm -rf "$out" && mkdir -p "$out"
report() { wp-export -q --format report -d "$out/$1" "${@:2}"; }
cd "$here/../../../examples/site"
wp-index -q --max-rejects 1 dump --scrape scrape --stats "$out/index.json" | wp-parse -q --stats "$out/parse.json" |
  wp-translations -q | wp-resolve -q | report example --with "$out/index.json" --with "$out/parse.json"
for site in polylang classic; do
  real="$WORK/wplive/$site"
  wp-index -q "$real/dump" --scrape "$real/scrape" | wp-parse -q | wp-translations -q --scrape-root "$real/scrape" |
    wp-resolve -q | report "$site"
done
python3 "$here/formats.py" generate 20000 | report generated
"$venv/bin/python" "$here/report.py" "$(command -v chromium)" "$out" "$out"/*/report.html
