#!/usr/bin/env bash
# Runs instrumented programs on what the project generates itself, for the counts of `make profile`: train.sh PROGRAMS CORPUS WORK. PROGRAMS
# is a directory with the programs, CORPUS is bench-corpus; LLVM_PROFILE_FILE says where the counts go. Threads that count
# at once lose some: one each.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
programs=$(cd "$1" && pwd) corpus=$(realpath "$2")
rm -rf "$3" && mkdir -p "$3" && cd "$3"
export PATH="$programs:$PATH"

# train SITE NAME [OPTION...]: the dump alone, with the scrape, and the pages alone, as far as the site has them.
train() {
  local site=$1 name=$2
  shift 2
  [ ! -d "$site/dump" ] || wpipe -q -j 1 "$site/dump" "$@" -d "$name.dump"
  [ -d "$site/scrape" ] || return 0
  wpipe -q -j 1 --no-dump --scrape "$site/scrape" -d "$name.pages"
  [ ! -d "$site/dump" ] || wpipe -q -j 1 "$site/dump" --scrape "$site/scrape" "$@" -d "$name.both"
}

# The two sites of the bench, the example, and those of the accuracy's corpus, which have a theme and a switcher of each kind.
"$corpus" site 200 hreflang --seed 7
"$corpus" site 200 widget --seed 8 --switcher widget --json php
train hreflang hreflang
train widget widget
train "$here/examples/site" example --max-rejects 1
python3 "$here/tests/accuracy/corpus.py" accuracy >/dev/null
for site in accuracy/sites/*; do train "$site" "$(basename "$site")"; done

# What is made of records: the other formats, texts that are nearly the same, sentences, changes.
wpipe -q -j 1 hreflang/dump --scrape hreflang/scrape -o hreflang.ndjson
wpipe -q -j 1 widget/dump --scrape widget/scrape -o widget.ndjson
for format in csv documents text markdown tei vert pairs graph report wpextract; do
  wp-export -q -j 1 --format "$format" -d "$format" hreflang.ndjson
done
wp-groups -q -j 1 --sign hreflang.ndjson -o signed.ndjson
wp-groups -q -j 1 signed.ndjson -o groups.ndjson
wp-language -q -j 1 hreflang.ndjson -o marked.ndjson
wp-align -q -j 1 hreflang.ndjson -o aligned.ndjson
wp-diff -q -j 1 hreflang.ndjson widget.ndjson -o changes.ndjson
