#!/usr/bin/env bash
# wp-fetch against a real WordPress on loopback, with each fault that its tool can switch on: the dump has what the site has,
# or the gap is named. Prints the counts. Without the tool, without root or apt, there is nothing to test against.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
tool=$SHARED/tools/wordpress/wordpress.sh
[ -x "$tool" ] || { echo "SKIPPED: no WordPress to fetch from ($tool)"; exit 0; }
site=$WORK/wp out=$WORK/out/fetch
url=$(WPSERVER_DEBS=$WORK/debs "$tool" start "$site" "${PORT:-8951}" | tail -n 1)
trap '"$tool" stop "$site"' EXIT
rm -rf "$out" && mkdir -p "$out"
failed=0

# expect FAULT STATUS [MISSING]: fetches with the fault on, and compares with what the site has. MISSING names the key of
# content.json whose ids may be missing, if each of them is named as a gap.
expect() {
  local fault=$1 want=$2 status=0 raw=$out/$1
  "$tool" fault "$site" "$fault"
  wp-fetch "$url" -d "$raw" --pages none --rate 50 --retries 6 --ignore-robots >/dev/null 2>"$out/$fault.messages" || status=$?
  "$tool" fault "$site" none
  python3 "$here/fetch.py" "$fault" "$raw" "$site/content.json" "$status" "$want" ${3:+"$3"} || failed=1
}

printf '%-9s %6s %8s %6s %6s %6s %5s %8s\n' fault status requests total got hidden gaps unnamed
expect none 0
expect poison 1 poison
expect short 0
expect notice 0
expect slow 0
expect 429 0
expect 503 0
expect truncate 0
expect moved 0
expect closed 1 all
# Posts that are published meanwhile: what the database holds is the truth.
"$tool" fault "$site" changing
wp-fetch "$url" -d "$out/changing" --types post --pages none --rate 50 --ignore-robots >/dev/null
"$tool" fault "$site" none
query="SELECT ID FROM wp_posts WHERE post_type = 'post' AND post_status = 'publish' ORDER BY ID"
mariadb --no-defaults -u root -S "$site/db.sock" -N -e "$query" wordpress >"$out/database"
jq -r 'if type == "array" then .[] else . end | .id' "$out"/changing/dump/posts-*.json | sort -nu >"$out/ids"
total=$(jq '.collections[0].total_end' "$out/changing/fetch.json")
if [ "$(wc -l <"$out/ids")" = "$total" ] && head -n "$total" "$out/database" | cmp -s - "$out/ids"; then
  echo "changing  $(wc -l <"$out/database") posts in the database now, $total at the last list, $(wc -l <"$out/ids") in the dump"
else
  echo "changing: the dump has not the first $total posts of the database" && failed=1
fi
# The whole way: the dataset of what wp-fetch got is that of a dump by curl and of wget's copies of the pages.
types=books,categories,genres whole=$out/whole
wp-fetch "$url" -d "$whole/raw" --types "$types" --tree --rate 50 --ignore-robots >"$whole.log"
mkdir -p "$whole/dump" && cp "$whole"/raw/dump/t*.json "$whole/dump"
for type in ${types//,/ }; do curl -fsS "$url/wp-json/wp/v2/$type?per_page=100" -o "$whole/dump/$type.json"; done
{ echo "$url/" && jq -r 'select(.type == "pages").url' "$whole.log"; } | wget -q -x -P "$whole/wget" -i -
dataset() { wp-index -q "$1" --scrape "$2" | wp-parse -q | wp-translations -q | wp-resolve -q | jq -cS 'del(.source, .scrape.root)' | sort; }
cd "$whole" # roots of scrapes are relative
dataset raw/dump raw/scrape >fetched && dataset dump wget >mirrored
if cmp "$whole/fetched" "$whole/mirrored"; then
  echo "the whole way: $(wc -l <"$whole/fetched") records, $(grep -c '"file":"' "$whole/fetched") with their page, as with curl and wget"
else
  failed=1
fi
[ "$failed" = 0 ] && echo "every fault: complete, or the gap is named"
