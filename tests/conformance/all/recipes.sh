#!/usr/bin/env bash
# The cookbook's recipes that need a network or other programs, taken from its text: the fetching ones run against a server of
# our own on this machine; DuckDB and datasketch come from PyPI. Needs no corpora.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd) repository=$(cd "$(dirname "$0")/../../.." && pwd)
out="$WORK/out/recipes" venv=$(realpath -m "$VENV-recipes")
rm -rf "$out" && mkdir -p "$out"
if [ ! -e "$venv/bin/duckdb" ]; then
  python3 -m venv "$venv" && "$venv/bin/pip" install --quiet duckdb-cli datasketch pandas polars pyarrow networkx
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
cd ..
# A list that names a host three times, once in two ways, and another name of it: no host is asked at more than the rate of one run.
printf '%s\n' "$site/" "${site/127.0.0.1/localhost}/" "$site/blog/" "$site" >sites.txt
before=$(wc -l <requests)
recipe "Fetching many sites" | sed 's/--contact [^ ]*/--types tags --pages none --rate 4/' >many.sh
bash many.sh
same "$(jq -c '[.complete, .collections[0].got]' raw/*/fetch.json | tr '\n' ' ')" "[true,100] [true,100] [true,100] " "complete, tags of each site"
tail -n "+$((before + 1))" requests | sort -s -k2,2 >asked
same "$(awk '$2 == host && $1 - time < 0.24 && $3 != "/robots.txt" { print "asked at", time, "and", $1 } { host = $2; time = $1 }' asked)" "" "two at once"
same "$(grep -c robots.txt asked)" 3 "runs that asked anything"
exec {SITE[1]}>&-

cd "$repository"
wp-index -q examples/site/dump --scrape examples/site/scrape --max-rejects 1 | wp-parse -q | wp-translations -q | wp-resolve -q |
  wp-export -q -d "$out/corpus"
cd "$out"
recipe "A table in DuckDB, a file in Parquet" >duckdb.sh
bash duckdb.sh >duckdb.out
same "$(duckdb -noheader -list -c "SELECT count(*), sum(len(links)) FROM 'corpus/posts.parquet'")" \
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
# What pandas, polars, R and NetworkX count is what jq counts.
block() { awk -v first="$1" '$0 ~ "^```" { if (shown) exit; in_block = 1; next } in_block { in_block = 0; shown = $0 == first } shown' "$repository/examples/cookbook.md"; }
hosts=$(jq -r '.links[] | select(.internal == false and .url) | .url | split("/")[2]' corpus/posts.jsonl | sort -u)
for tool in pandas polars; do
  block "# $tool" | python3 - >"$tool.out"
  for host in $hosts; do grep -q "$host" "$tool.out" || { echo "$tool: $host is missing"; exit 1; }; done
done
if command -v Rscript >/dev/null; then
  cat corpus/*.jsonl | wp-export -q --format csv -d tables
  block "# R: tables of wp-export --format csv; an empty cell is null" >recipe.R
  Rscript recipe.R >R.out
  for host in $hosts; do grep -q "$host" R.out || { echo "R: $host is missing"; exit 1; }; done
fi
cat corpus/*.jsonl | wp-export -q --format graphml --without users,comments,media -o site.graphml
block "import networkx" | python3 - >networkx.out
same "$(wc -l <networkx.out)" 3 "lines of NetworkX"

echo "fetching scrapes and many sites, DuckDB and Parquet, near duplicates, pandas, polars, NetworkX: all recipes work"
