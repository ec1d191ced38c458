#!/usr/bin/env bash
# Sites as plain files: every link between the files of --links files leads somewhere, in Markdown and TEI, and in what the
# cookbook's Hugo and pandoc make of the Markdown. The uploads are those of mirrors; the example site's are made here.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd) repository=$(cd "$(dirname "$0")/../../.." && pwd)
out="$WORK/out/local" python="$VENV/bin/python"
rm -rf "$out" && mkdir -p "$out"
"$python" -c 'import markdown_it, yaml' 2>/dev/null || "$VENV/bin/pip" install --quiet markdown-it-py pyyaml

# block FIRST: the cookbook's block with that first line.
block() { awk -v first="$1" '$0 ~ "^```" { if (shown) exit; in_block = 1; next } in_block { in_block = 0; shown = $0 == first } shown' "$repository/examples/cookbook.md"; }
# A block that is not there would run as nothing.
run() { block "# $1" >script; [ "$(wc -l <script)" -gt 2 ] || { echo "the cookbook has no block \"$1\""; exit 1; }; bash -euo pipefail script; }
# uploads MIRROR: its uploads, as HOST/PATH.
uploads() { mkdir uploads; (cd "$1" && find . -path '*/wp-content/uploads/*' -type f -print0 | tar cf - --null -T -) | tar xf - -C uploads; }

# check NAME: of the dataset in corpus/ and uploads/ of this folder.
check() {
  for format in markdown tei; do
    for variant in "" :slug; do
      cat corpus/*.jsonl | wp-export -q --format $format$variant --links files:uploads -d $format$variant
      "$python" "$here/local.py" $format$variant | sed "s/^/$1 /"
    done
  done
  run Obsidian
  "$python" "$here/local.py" vault/notes | sed "s/^/$1 Obsidian: /"
  if command -v hugo >/dev/null; then
    ln -sfn "$repository/examples" examples
    run Hugo >hugo.out
    "$python" "$here/local.py" hugo/content/site hugo/public | sed "s/^/$1 Hugo: /"
  else
    echo "SKIPPED: hugo is not installed"
  fi
  if command -v pandoc >/dev/null; then
    run pandoc
    "$python" "$here/local.py" pages/site pages | sed "s/^/$1 pandoc: /"
  else
    echo "SKIPPED: pandoc is not installed"
  fi
}

mkdir "$out/example" && cd "$out/example"
(cd "$repository" && wp-index -q examples/site/dump --scrape examples/site/scrape --max-rejects 1 | wp-parse -q | wp-translations -q |
  wp-resolve -q | wp-export -q -d "$out/example/corpus")
jq -r '.images[]?.url // empty' corpus/*.jsonl | grep '/wp-content/uploads/' | sed 's#^https*://##; s#[?].*##' | sort -u | while read -r file; do
  mkdir -p "uploads/$(dirname "$file")" && printf GIF89a >"uploads/$file"
done
check example

if [ -d "$WORK/wpatlas" ]; then
  for mirror in k h; do
    mkdir "$out/atlas-$mirror" && cd "$out/atlas-$mirror"
    uploads "$WORK/wpatlas/mirror-$mirror"
    (cd "$WORK/wpatlas" && wp-index -q raw/dump --scrape mirror-$mirror | wp-parse -q | wp-translations -q | wp-resolve -q |
      wp-export -q -d "$out/atlas-$mirror/corpus")
    check atlas-$mirror
  done
  mkdir "$out/folder" && cd "$out/folder"
  uploads "$WORK/wpnew/mirror-k"
  (cd "$WORK/wpnew" && wp-index -q dump --scrape mirror-k | wp-parse -q | wp-translations -q | wp-resolve -q |
    wp-export -q -d "$out/folder/corpus")
  check folder
else
  echo "SKIPPED: the corpora are not there: only the example site's files were read."
fi
echo "all links between files lead somewhere: Markdown, TEI, and what Obsidian's, Hugo's and pandoc's recipes make"
