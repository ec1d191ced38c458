#!/usr/bin/env bash
# Compares rendered text with a real browser: every distinct content of the real sites, by wp-parse and by headless Chromium
# (SHARED/tools/oracle.mjs). Also prints the result for the bare browser (--as-is). Fails below 99.5 %.
set -euo pipefail
if [ ! -d "$SHARED/tools" ]; then
  echo "SKIPPED: the reference renderer is not there ($SHARED/tools): nothing was compared with a browser."
  exit 0
fi
mkdir -p "$WORK/oracle"
[ -d "$WORK/wplive" ] || tar -xJf "$SHARED/corpora/wplive.tar.xz" -C "$WORK"
command -v chromium >/dev/null || { apt-get update -qq && apt-get install -y -qq chromium >/dev/null; }
cd "$WORK/oracle"
cat "$WORK"/wplive/*/dump/{posts,pages}.json | jq -c '.[].content.rendered' | sort -u |
  jq -c '{id: input_line_number, html: ., source: (if test("<table") then "with a table" else "without" end)}' > fragments.ndjson

ours() { # ours OPTIONS...: the texts of wp-parse
  jq -c '{site: "oracle", kind: "post", type: "post", id, link: null, api: {content: {rendered: .html}}}' fragments.ndjson |
    wp-parse -q "$@" | jq -c '{id, text: .content.text}'
}
# compare NAME ORACLE-OPTIONS -- PARSE-OPTIONS: percent of fragments identical
compare() {
  local name=$1 oracle=() parse=()
  shift
  while [ "$1" != -- ]; do oracle+=("$1"); shift; done
  shift
  parse=("$@")
  node "$SHARED/tools/oracle.mjs" "${oracle[@]}" < fragments.ndjson | jq -c '{id, text, source}' > "reference-$name.ndjson"
  ours "${parse[@]}" > "ours-$name.ndjson"
  jq -s -r --slurpfile ours "ours-$name.ndjson" --arg name "$name" '
    def tidy: split("\n") | map(gsub("^\\s+|\\s+$"; "")) | map(select(. != "")) | join("\n");
    ($ours | map({(.id | tostring): (.text // "" | tidy)}) | add) as $text
    | map(select((.text | tidy) != $text[.id | tostring])) as $differ
    | "\(length - ($differ | length)) of \(length) fragments identical, \((1 - ($differ | length) / length) * 10000 | round / 100) %  (\($name))",
      ($differ[:10][] | "  differs: fragment \(.id)")' "reference-$name.ndjson" | tee "result-$name"
}
compare reference --
compare tables --keep-tables -- --keep-tables
compare captions --keep-captions -- --keep-captions
compare bare --as-is --
jq -n -e --arg line "$(head -1 result-reference)" '$line | capture("(?<p>[0-9.]+) %").p | tonumber >= 99.5' >/dev/null
