#!/usr/bin/env bash
# make accuracy: scores the generated corpus, the example site, and what else is there. Environment: WORK (where it works), SHARED
# (real sites whose truth is known), WORDPRESS (a tool that starts a WordPress), SAVE (renews known.tsv), MISSES (examples to print); the programs must be on the PATH.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
repository=$(cd "$here/../.." && pwd)
python3 -c 'import tomllib' 2>/dev/null || { echo "SKIPPED: no accuracy was scored: python3 is missing, or older than 3.11"; exit 0; }
mkdir -p "$WORK"
python3 "$here/doubt.py" | cmp - "$repository/src/stage/translations/doubt.toml" # the table of content_doubt is that of docs/doubt.tsv
python3 "$here/accuracy.py" "$WORK/generated" ${SAVE:+--save}

# score NAME KIND SITE SCRAPE [INDEX OPTIONS]: a site that has a truth in another form.
score() {
  local name=$1 kind=$2 site=$3 scrape=$4
  shift 4
  python3 "$here/others.py" "$kind" "$site" >"$WORK/$kind.truth.json"
  wp-index -q "$site/dump" --scrape "$site/$scrape" "$@" | wp-parse -q | wp-translations -q --scrape-root "$site/$scrape" | wp-resolve -q >"$WORK/$kind.ndjson"
  printf '\n%s\n' "$name"
  python3 "$here/score.py" "$WORK/$kind.ndjson" "$WORK/$kind.truth.json" --misses "${MISSES:-0}"
}
score "The example site" example "$repository/examples/site" scrape --max-rejects 1
if [ -f "$SHARED/corpora/wplive.tar.xz" ]; then
  [ -d "$WORK/wplive" ] || tar -xJf "$SHARED/corpora/wplive.tar.xz" -C "$WORK"
  score "A WordPress with Polylang, truth from its database and its server" wplive "$WORK/wplive/polylang" scrape
else
  printf '\nSKIPPED: the site that was really run is not there (%s)\n' "$SHARED/corpora/wplive.tar.xz"
fi

# Our texts in a WordPress that is started for it.
if [ -z "${WORDPRESS:-}" ]; then
  printf '\nSKIPPED: no WordPress was asked: WORDPRESS names no tool that starts one (TOOL start DIR PORT, TOOL stop DIR)\n'
  exit 0
fi
site=$WORK/wordpress
url=$("$WORDPRESS" start "$site" "${PORT:-8953}" | tail -n 1)
trap '"$WORDPRESS" stop "$site"' EXIT
python3 "$here/wordpress.py" publish "$url" "$site"
rm -rf "$WORK/wordpress.raw"
wp-fetch -q "$url" -d "$WORK/wordpress.raw" --types posts,pages,categories,tags,users,media --rate 50 --ignore-robots >/dev/null
python3 "$here/wordpress.py" truth "$site" >"$WORK/wordpress.truth.json"
wp-index -q "$WORK/wordpress.raw/dump" --scrape "$WORK/wordpress.raw/fetch.warc.gz" | wp-parse -q | wp-translations -q --scrape-root "$WORK/wordpress.raw" |
  wp-resolve -q >"$WORK/wordpress.ndjson"
printf '\nOur texts in a WordPress, truth from its database\n'
python3 "$here/score.py" "$WORK/wordpress.ndjson" "$WORK/wordpress.truth.json" --misses "${MISSES:-0}"
