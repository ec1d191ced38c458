#!/usr/bin/env bash
# wp-diff against the database of a real WordPress on loopback: two fetches of the unchanged site, then a month of edits, class by class; then
# the same site with other ids, by guid and by words. Prints precision and recall. Without the tool, or PHP and MariaDB, there is nothing
# to test against.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
tool=$SHARED/tools/wordpress/wordpress.sh
[ -x "$tool" ] || { echo "SKIPPED: no WordPress to fetch from ($tool)"; exit 0; }
site=$WORK/wpdiff out=$WORK/out/diff
if ! url=$(set -o pipefail; WPSERVER_DEBS=${WPSERVER_DEBS:-$WORK/debs} "$tool" start "$site" "${PORT:-8952}" | tail -n 1); then
  for program in php mariadbd; do
    PATH=$PATH:/usr/sbin command -v "$program" >/dev/null || { echo "SKIPPED: no WordPress to fetch from: $program is not installed"; exit 0; }
  done
  echo "the WordPress could not be started; see $site/log"
  exit 1
fi
trap '"$tool" stop "$site"' EXIT
rm -rf "$out" && mkdir -p "$out" && cd "$out"
fetch() {
  wp-fetch "$url" -d "$1" --pages "${2:-none}" --rate 50 --ignore-robots >/dev/null
  wp-index -q --end "$1/dump" --scrape "$1/fetch.warc.gz" | wp-parse -q | wp-translations -q | wp-resolve -q -o "$1.ndjson"
}
fetch before records
fetch again records
wp-diff before.ndjson again.ndjson | grep -c '"kind":"change"' >unchanged || true
echo "unchanged: $(cat unchanged) lines of $(wc -l <before.ndjson) records"
[ "$(cat unchanged)" = 0 ]
php "$here/diff.php" "$site" snapshot >old.json
php "$here/diff.php" "$site" month | tee edits
php "$here/diff.php" "$site" snapshot >new.json
jq -e '.all >= 300' edits >/dev/null
fetch after records
wp-diff before.ndjson after.ndjson --with after/fetch.json --stats stats -o changes.ndjson
jq -c '[.gone_deleted, .gone_gap, .gone_unknown, .ignored]' stats
python3 "$here/diff.py" scores old.json new.json changes.ndjson
for guids in guids words; do
  # Texts of the real sites have words of their own; those of the made one do not.
  records=$out/before.ndjson
  if [ "$guids" = words ]; then
    records=$out/real.ndjson
    wp-index -q "$WORK/wplive/classic/dump" | wp-parse -q | wp-resolve -q -o "$records"
  fi
  python3 "$here/diff.py" renumber "$guids" <"$records" | wp-diff "$records" - -o "$guids.ndjson"
  python3 "$here/diff.py" renumbered "$records" "$guids.ndjson"
done
