#!/usr/bin/env bash
# Web archives: each real site gives the same dataset from its WARC as from its directory but for `scrape`, in every form that the WARC
# can be packed in, with and without a dump; without a dump pages have the type and id of their record, its translations,
# and the API's text; and all score the same against what is known of the sites.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
failed=0
for site in classic polylang translatepress; do
  from=$WORK/wplive/$site out=$WORK/out/archives/$site
  rm -rf "$out" && mkdir -p "$out" && cp "$from/warc/$site.warc.gz" "$out/stored.warc.gz"
  python3 "$here/archives.py" pack "$out"
  # pipe NAME SCRAPE [FLAGS]: records without what is of the scrape's form. Its paths must be relative.
  pipe() {
    local name=$1 scrape=$2
    shift 2
    (cd "$WORK" && wp-index -q "$@" --scrape "$scrape" | wp-parse -q | wp-translations -q | wp-resolve -q | jq -c '.scrape = null') >"$out/$name.ndjson"
  }
  pipe directory "wplive/$site/scrape" "wplive/$site/dump"
  [ -s "$out/directory.ndjson" ] || failed=1
  for form in stored.warc.gz plain.warc whole.warc.gz frames.warc.zst stored.wacz deflated.wacz; do
    [ -e "$out/$form" ] || continue
    pipe "$form" "out/archives/$site/$form" "wplive/$site/dump"
    cmp "$out/directory.ndjson" "$out/$form.ndjson" || failed=1
  done
  pipe alone "out/archives/$site/stored.wacz" --no-dump
  python3 "$here/archives.py" judge "$from" "$out/alone.ndjson" "$site" || failed=1
  # The text of the pages alone, as if they were the records that they show, against the API's.
  jq -c 'select(.same.id) | .kind = "post" | .type = .same.type | .id = .same.id' "$out/alone.ndjson" >"$out/pages.ndjson"
  (cd "$WORK" && wp-index -q "wplive/$site/dump" --scrape "out/archives/$site/stored.warc.gz" | wp-parse -q | wp-translations -q) >"$out/api.ndjson"
  python3 "$here/page_content.py" "$out/api.ndjson" "$out/pages.ndjson" 0.99 || failed=1
done
python3 "$here/archive_scores.py" "$WORK/out/archives/scores.md" || failed=1
exit $failed
