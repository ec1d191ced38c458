#!/usr/bin/env bash
# Rendered text against a real browser: every distinct content of the real sites, by wp-parse and by headless Chromium,
# which is told the rule in rendered.js, to the last blank. What the browser's own innerText says of the fragments as they
# are, without any rule, is quoted beside it. Fails below 99.5 %. FRAGMENTS=FILE: other contents, a JSON string a line.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
if [ ! -d "$SHARED/tools" ]; then
  echo "SKIPPED: the reference renderer is not there ($SHARED/tools): nothing was compared with a browser."
  exit 0
fi
mkdir -p "$WORK/oracle"
[ -d "$WORK/wplive" ] || tar -xJf "$SHARED/corpora/wplive.tar.xz" -C "$WORK"
command -v chromium >/dev/null || { apt-get update -qq && apt-get install -y -qq chromium >/dev/null; }
cd "$WORK/oracle"
if [ -n "${FRAGMENTS:-}" ]; then cat "$FRAGMENTS"; else cat "$WORK"/wplive/*/dump/{posts,pages}.json | jq -c '.[].content.rendered'; fi |
  sort -u | jq -nc '[inputs] | to_entries[] | {id: .key, html: .value}' > fragments.ndjson

# compare NAME RULE [PARSE-OPTION]: how many fragments are the same; the rule is an option of wp-parse, none, or plain.
compare() {
  local name=$1 rule=$2
  shift 2
  jq -c --arg rule "$rule" '{id, html: "<i data-fragment=\"\(.html | @html)\" data-option=\"\($rule)\"></i>"}' fragments.ndjson |
    node "$SHARED/tools/oracle.mjs" --eval="$here/rendered.js" > "reference-$name.ndjson"
  jq -c '{site: "oracle", kind: "post", type: "post", id, link: null, api: {content: {rendered: .html}}}' fragments.ndjson |
    wp-parse -q "$@" | jq -c '{id, text: (.content.text // "")}' > "ours-$name.ndjson"
  jq -n -r --slurpfile ours "ours-$name.ndjson" --slurpfile reference "reference-$name.ndjson" --arg name "$name" '
    ($ours | map({"\(.id)": .text}) | add) as $text
    | if ($text | length) != ($reference | length) then error("ids are not unique") else . end
    | ($reference | map(select(.text != $text["\(.id)"]))) as $differ
    | ($reference | length) as $all
    | "\($all - ($differ | length)) of \($all) fragments identical, \((1 - ($differ | length) / $all) * 10000 | round / 100) %  (\($name))",
      ($differ[:10][] | "  differs: fragment \(.id)")' | tee "result-$name"
}
compare rule ""
compare no-tables no-tables "--text no-tables"
compare captions captions "--text captions"
compare plain-innerText plain | head -n 1
head -n 1 result-rule | jq -R -e 'capture("(?<p>[0-9.]+) %").p | tonumber >= 99.5' >/dev/null
