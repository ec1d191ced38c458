#!/usr/bin/env bash
# The cookbook's recipes that need a network or other programs, taken from its text: the fetching ones run against a server of
# our own on this machine; DuckDB and datasketch come from PyPI. Needs no corpora.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd) repository=$(cd "$(dirname "$0")/../../.." && pwd)
out="$WORK/out/recipes" venv=$(realpath -m "$VENV-recipes")
rm -rf "$out" && mkdir -p "$out"
if [ ! -e "$venv/bin/duckdb" ]; then
  python3 -m venv "$venv" && "$venv/bin/pip" install --quiet duckdb-cli datasketch
fi
PATH="$venv/bin:$PATH"

# recipe HEADING: its sh block.
recipe() { awk -v heading="## $1" '$0 == heading { in_it = 1 } in_block && /^```$/ { exit } in_block { print } in_it && /^```sh$/ { in_block = 1 }' "$repository/examples/cookbook.md"; }
same() { [ "$1" = "$2" ] || { echo "$3: $1, not $2"; exit 1; }; }

coproc SITE { exec python3 "$here/stub_site.py" 2>"$out/requests"; }
read -r site <&"${SITE[0]}"
cd "$out"
mkdir few && mkdir few/dump && curl -fsS "$site/wp-json/wp/v2/posts?per_page=3&page=1" >few/dump/posts.json && cd few
recipe "Fetching the scrape" | sed 's/--wait=1/--wait=0/' >../scrape.sh
bash ../scrape.sh 2>../wget
same "$(wp-index -q dump --scrape scrape | jq -r 'select(.scrape.file) | .id' | tr '\n' ' ')" "1 2 3 " "pages that joined"
exec {SITE[1]}>&-

cd "$repository"
wp-index -q examples/site/dump --scrape examples/site/scrape --max-rejects 1 | wp-parse -q | wp-translations -q | wp-resolve -q |
  wp-export -q -d "$out/corpus"
cd "$out"
recipe "A table in DuckDB, a file in Parquet" >duckdb.sh
bash duckdb.sh >duckdb.out
same "$(duckdb -noheader -list -c "SELECT count(*), sum(len(links)) FROM 'posts.parquet'")" \
  "$(jq -rs '"\(length)|\(map(.links | length) | add)"' corpus/posts.jsonl)" "posts and links in Parquet"

# A text that differs by three words from another adds nothing to what is kept.
recipe "A corpus for a language model, without exact duplicates" >near.sh
jq -c 'select(.content.hash) | {id, text: .content.text}' corpus/posts.jsonl >unique.jsonl
bash near.sh
mv deduplicated.jsonl before
[ "$(wc -l <before)" -gt 10 ]
tail -1 before | jq -c '.id = 9999 | .text += " One more word."' >>unique.jsonl
bash near.sh
cmp before deduplicated.jsonl
echo "fetching dump and scrape, DuckDB and Parquet, near duplicates: all recipes work"
