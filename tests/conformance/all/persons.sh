#!/usr/bin/env bash
# wp-export --pseudonyms on a real WordPress on loopback: users and strangers with names, logins, slugs, addresses, sites and pictures of
# their own, who write posts and comments and are linked to; fetched, and written in every format. Outside of running text nobody is to be
# found. Without the tool, and without PHP and MariaDB where it may not install them, there is nothing to test with.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
tool=$SHARED/tools/wordpress/wordpress.sh
[ -x "$tool" ] || { echo "SKIPPED: no WordPress to fetch from ($tool)"; exit 0; }
site=$WORK/wp-persons out=$WORK/out/persons
if ! url=$(set -o pipefail; WPSERVER_DEBS=$WORK/debs "$tool" start "$site" "${PORT:-8961}" | tail -n 1); then
  for program in php mariadbd curl; do
    PATH=$PATH:/usr/sbin command -v "$program" >/dev/null || { echo "SKIPPED: no WordPress to fetch from: $program is not installed"; exit 0; }
  done
  echo "the WordPress could not be started; see $site/log"
  exit 1
fi
trap '"$tool" stop "$site"; rm -rf "$site"' EXIT
rm -rf "$out" && mkdir -p "$out" && cd "$out"
python3 "$here/persons.py" make "$url" "$(cat "$site/application-password")" tokens.json >strangers.sql
mariadb --no-defaults -u root -S "$site/db.sock" wordpress <strangers.sql
wp-fetch "$url" -d raw --types posts,users,comments --tree --rate 50 --ignore-robots >/dev/null
jq -r '.[].link' raw/dump/users*.json | sed 'p;s|$|page/2/|' | wget -q -x -P raw/scrape -i - || true # not all have a second page
(umask 077 && head -c 32 /dev/urandom | base64 >key)
wp-index -q raw/dump --scrape raw/scrape | wp-parse -q | wp-translations -q | wp-resolve -q >records.ndjson
formats=$(wp-export --help | sed -n '/^Formats:/,/^$/s/^  \([a-z0-9-]*\) .*/\1/p')
for format in $formats; do
  wp-export -q --allow-empty --format "$format" --pseudonyms key -d "with/$format" records.ndjson
  wp-export -q --allow-empty --format "$format" -d "without/$format" records.ndjson
done
# Of pages alone: archives of authors as records, and no record of a user.
wp-index -q --no-dump --all-pages --scrape raw/scrape | wp-parse -q | wp-translations -q | wp-resolve -q >pages.ndjson
wp-export -q --pseudonyms key -d with/pages pages.ndjson && wp-export -q -d without/pages pages.ndjson
jq -e '.pseudonyms.left_out_records > 5' with/pages/manifest.json >/dev/null || { echo "no author archive was left out"; exit 1; }
python3 "$here/persons.py" check tokens.json with without records.ndjson pages.ndjson
