#!/usr/bin/env bash
# wp-fetch against a real WordPress on loopback, with each fault that its tool can switch on: the dump has what the site has,
# or the gap is named; and an update after edits and deletions has what the database has. Prints the counts. Without the tool, and
# without PHP and MariaDB where it may not install them, there is nothing to test against.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
tool=$SHARED/tools/wordpress/wordpress.sh
[ -x "$tool" ] || { echo "SKIPPED: no WordPress to fetch from ($tool)"; exit 0; }
site=$WORK/wp out=$WORK/out/fetch
if ! url=$(set -o pipefail; WPSERVER_DEBS=$WORK/debs "$tool" start "$site" "${PORT:-8951}" | tail -n 1); then
  for program in php mariadbd curl wget; do
    PATH=$PATH:/usr/sbin command -v "$program" >/dev/null || { echo "SKIPPED: no WordPress to fetch from: $program is not installed"; exit 0; }
  done
  echo "the WordPress could not be started; see $site/log"
  exit 1
fi
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
database() { mariadb --no-defaults -u root -S "$site/db.sock" -N -e "$1" wordpress; }
database "SELECT ID FROM wp_posts WHERE post_type = 'post' AND post_status = 'publish' ORDER BY ID" >"$out/database"
jq -r 'if type == "array" then .[] else . end | .id' "$out"/changing/dump/posts-*.json | sort -nu >"$out/ids"
total=$(jq '.collections[0].total_end' "$out/changing/fetch.json")
if [ "$(wc -l <"$out/ids")" = "$total" ] && head -n "$total" "$out/database" | cmp -s - "$out/ids"; then
  echo "changing  $(wc -l <"$out/database") posts in the database now, $total at the last list, $(wc -l <"$out/ids") in the dump"
else
  echo "changing: the dump has not the first $total posts of the database" && failed=1
fi
# An update after edits, a new address, a post in the bin, one deleted and one made a draft, a new one, and a tag and a comment that are
# gone; killed three times on its way. What the database holds is the truth.
raw=$out/none api=$url/wp-json/wp/v2
edit() { curl -fsS -u "$(cat "$site/application-password")" -o /dev/null "$@"; }
fetch() { wp-fetch "$url" -d "$raw" --pages none --rate 50 --ignore-robots "$@" >/dev/null; }
mapfile -t ids < <(database "SELECT ID FROM wp_posts WHERE post_type = 'post' AND post_status = 'publish' ORDER BY ID LIMIT 5 OFFSET 20")
edit -X POST "$api/posts/${ids[0]}" -d content=Edited
edit -X POST "$api/posts/${ids[1]}" -d slug=another-address
edit -X DELETE "$api/posts/${ids[2]}"
edit -X DELETE "$api/posts/${ids[3]}?force=true"
edit -X POST "$api/posts/${ids[4]}" -d status=draft
edit -X POST "$api/posts" -d status=publish -d title=New -d content=Text
edit -X DELETE "$api/tags/$(jq -r '.[0].id' "$raw/dump/tags-0001.json")?force=true"
edit -X DELETE "$api/comments/$(jq -r '.[-1].id' "$raw/dump/comments-0001.json")?force=true"
for seconds in 0.7 1.2 0.9; do timeout -s KILL "$seconds" wp-fetch "$url" -d "$raw" --pages none --rate 20 --ignore-robots --update >/dev/null || true; done
fetch --update || failed=1
for pair in posts:post pages:page books:book; do
  jq -r 'if type == "array" then .[] else . end | [.id, .modified_gmt] | @tsv' "$raw/dump/${pair%:*}"-*.json | tr T ' ' | sort -n >"$out/dumped"
  database "SELECT ID, post_modified_gmt FROM wp_posts WHERE post_type = '${pair#*:}' AND post_status = 'publish' ORDER BY ID" >"$out/database"
  cmp "$out/dumped" "$out/database" || failed=1
done
jq -r '.collections[] | "update    \(.type): \(.total_end) in all, \(.new) new, \(.changed) changed, \(.deleted) gone, \(.gaps) gaps"' "$raw/fetch.json"
gone=$(jq -r 'select(.type == "post").id' "$raw/deleted.ndjson" | sort -n | tr '\n' ' ')
[ "$gone" = "${ids[2]} ${ids[3]} ${ids[4]} " ] || { echo "gone are said to be the posts $gone" && failed=1; }
[ "$(ls "$raw/dumps" | wc -l)" = 1 ] || { echo "not one dump of before" && failed=1; }
# Plain permalinks: the API has another root, and every page a query.
database "UPDATE wp_options SET option_value = '' WHERE option_name = 'permalink_structure'"
wp-fetch "$url" -d "$out/plain" --types book,genre --rate 50 --ignore-robots >/dev/null || failed=1
jq -r '"plain     \(.api): \([.collections[].got] | add) items, \(.pages.got) pages"' "$out/plain/fetch.json"
[ "$(jq -c '[.complete, .pages.got]' "$out/plain/fetch.json")" = '[true,30]' ] || failed=1
database "UPDATE wp_options SET option_value = '/%year%/%monthnum%/%postname%/' WHERE option_name = 'permalink_structure'"
# The whole way: the dataset of what wp-fetch got is that of a dump by curl and of wget's copies of the pages.
types=books,categories,genres whole=$out/whole
wp-fetch "$url" -d "$whole/raw" --types "$types" --tree --rate 50 --ignore-robots >"$whole.log"
mkdir -p "$whole/dump" && cp "$whole"/raw/dump/t*.json "$whole/dump"
for type in ${types//,/ }; do curl -fsS "$url/wp-json/wp/v2/$type?per_page=100" -o "$whole/dump/$type.json"; done
{ echo "$url/" && jq -r 'select(.type == "html").url' "$whole.log"; } | wget -q -x -P "$whole/wget" -i -
dataset() { wp-index -q "$1" --scrape "$2" | wp-parse -q | wp-translations -q | wp-resolve -q | jq -cS 'del(.source, .scrape.root)' | sort; }
cd "$whole" # roots of scrapes are relative
dataset raw/dump raw/scrape >fetched && dataset dump wget >mirrored
if cmp "$whole/fetched" "$whole/mirrored"; then
  echo "the whole way: $(wc -l <"$whole/fetched") records, $(grep -c '"file":"' "$whole/fetched") with their page, as with curl and wget"
else
  failed=1
fi
[ "$failed" = 0 ] && echo "every fault: complete, or the gap is named"
