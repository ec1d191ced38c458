#!/usr/bin/env bash
# The whole pipeline on the example site: demo.sh DIR writes the dataset to DIR and shows it.
set -euo pipefail
site=$(cd "$(dirname "$0")/site" && pwd)
out=$1
bold="" plain=""
if [ -t 1 ]; then bold=$(tput bold 2>/dev/null || true) plain=$(tput sgr0 2>/dev/null || true); fi
say() { printf '\n%s%s%s\n' "$bold" "$*" "$plain"; }

say "$ wp-index dump/ --scrape scrape/ | wp-parse | wp-translations | wp-resolve | wp-export -d $out"
(
  # One of the example's items is an API error: a reject, which the demo expects.
  cd "$site"
  wp-index dump/ --scrape scrape/ --max-rejects 1 | wp-parse | wp-translations | wp-resolve
) | wp-export -d "$out"

say "Files written ($out/)"
jq -r '.files[] | "\(.records)\trecords\t\(.bytes)\tbytes\t\(.name)"' "$out/manifest.json" | expand -t 8,16,26,34

say "Which articles exist in French and English?"
jq -rs '
  [.[] | select(.translation_group)] | group_by(.translation_group)[]
  | (map(select(.language | startswith("en")))[0]) as $en | (map(select(.language | startswith("fr")))[0]) as $fr
  | select($en and $fr) | "\($en.title.text)  =  \($fr.title.text)"' "$out/posts.jsonl"

say "Which links are dead?"
jq -r '.link as $from | .links[]? | select(.reason | IN("unknown", "file", "disguised")) | "\(.url)  (in \($from))"' "$out"/*.jsonl

say "Where is this image used?  (north-pier.jpg)"
jq -r '. as $post | .images[] | select(.target.type == "media" and .target.id == 201)
  | "\($post.link)  (\(.src | split("/") | last))"' "$out/posts.jsonl" "$out/pages.jsonl"
