#!/usr/bin/env bash
# wp-groups against exact Jaccard indices: 100,000 generated texts in families of every similarity, and the texts of all real sites; beside
# it datasketch with as many hash functions. Prints precision and recall of pairs in one group.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
out="$WORK/out/groups" venv=$(realpath -m "$VENV-recipes")
[ -e "$venv/bin/python" ] || python3 -m venv "$venv"
"$venv/bin/python" -c 'import datasketch' 2>/dev/null || "$venv/bin/pip" install --quiet datasketch
rm -rf "$out" && mkdir -p "$out"
python3 "$here/groups.py" generate 20000 >"$out/generated"
: >"$out/corpora"
for site in "$WORK"/wplive/*/ "$WORK"/wpnew/; do
  scrape=$(find "$site" -maxdepth 1 \( -name scrape -o -name mirror-k \))
  wp-index -q "$site/dump" --scrape "$scrape" --site "$(basename "$site")" | wp-parse -q | wp-translations -q --scrape-root "$scrape" | wp-resolve -q >>"$out/corpora"
done
for texts in generated corpora; do
  wp-groups --sign "$out/$texts" -o "$out/$texts.signed"
  wp-groups --stats "$out/$texts.stats" "$out/$texts.signed" -o "$out/$texts.marked"
  "$venv/bin/python" "$here/groups.py" check "$out/$texts.marked"
done
