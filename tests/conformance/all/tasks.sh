#!/usr/bin/env bash
# A corpus by datatrove's local executor: the datasets are those of make, byte for byte, and a site that fails is named and stops no
# other. Needs no corpora.
set -euo pipefail
examples=$(cd "$(dirname "$0")/../../../examples" && pwd)
out="$WORK/out/tasks" venv=$(realpath -m "$VENV-tasks")
[ -e "$venv/ready" ] || { python3 -m venv "$venv" && "$venv/bin/pip" install --quiet datatrove orjson && touch "$venv/ready"; }
unset MAKEFLAGS MFLAGS MAKELEVEL
rm -rf "$out" && mkdir -p "$out/sites/broken one/dump" "$out/sites/a quay/dump" && cd "$out"
cp "$examples/corpus/"{Makefile,executor.py} . && cp -r "$examples/site" "sites/the harbour"
echo 'options.index.the%20harbour := --max-rejects 1' >corpus.mk
echo '[{"id":1,"type":"post","link":"https://quay.example/1/","title":{"rendered":"One"},"content":{"rendered":"one"}}]' |
  tee "sites/a quay/dump/posts.json" | head -c 9 >"sites/broken one/dump/posts.json"

# datasets STATUS COMMAND...: from nothing, and what is incomplete is the broken one.
datasets() {
  local status=0 want=$1
  shift
  rm -rf build datasets && "$@" >log 2>&1 || status=$?
  [ "$status" = "$want" ] || { echo "$1: status $status, not $want"; cat log; return 1; }
  [ "$(make -s incomplete 2>/dev/null | cut -f1,2)" = "broken%20one"$'\t'"build/broken%20one/index.log" ] || { make -s incomplete; return 1; }
  find datasets -type f -exec sha256sum {} + | sort >"$(basename "$1").sums"
}
datasets 2 make -sk
datasets 2 "$venv/bin/python" executor.py 2
cmp make.sums python.sums
echo "datatrove: $(wc -l <make.sums) files of $(make -s counts | wc -l) sites as by make; the site that fails is named"
