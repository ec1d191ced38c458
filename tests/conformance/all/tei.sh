#!/usr/bin/env bash
# Validates every TEI document, alone and in a teiCorpus, with the DTD in trafilatura's wheel, a customisation of TEI P5 without
# tables, to which these are added: all real sites, the example site and deliberately damaged records. TEI_ALL=FILE: also with
# this RELAX NG schema, tei_all.rng of the TEI consortium, which no package of a registry has.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
out="$WORK/out/tei" dtd="$WORK/trafilatura/trafilatura/data/tei_corpus.dtd"
command -v xmllint >/dev/null || { apt-get update -qq && apt-get install -y -qq libxml2-utils >/dev/null; }
if [ ! -e "$dtd" ]; then
  "$VENV/bin/pip" download --quiet --no-deps --dest "$WORK/trafilatura" trafilatura
  "$VENV/bin/python" -m zipfile -e "$WORK"/trafilatura/trafilatura-*.whl "$WORK/trafilatura"
fi
rm -rf "$out" && mkdir -p "$out"
sed 's/<!ENTITY % model.listLike "/&table|/' "$dtd" >"$out/tei.dtd"
grep -q '"table|' "$out/tei.dtd"
cat >>"$out/tei.dtd" <<'END'
<!ELEMENT table (row+)>
<!ELEMENT row (cell+)>
<!ELEMENT cell %macro.specialPara;>
<!ATTLIST cell role CDATA #IMPLIED>
END
dtd="$out/tei.dtd"
"$VENV/bin/python" "$here/../damaged.py" 3000 >"$out/damaged.ndjson"
"$here/../resolved.sh" "$out"
total=0
for records in "$out"/*.ndjson; do
  name=$(basename "$records" .ndjson)
  wp-export -q --format tei -d "$out/$name" "$records"
  wp-export -q --format tei-corpus -o "$out/$name.xml" "$records"
  xmllint --noout --dtdvalid "$dtd" "$out/$name.xml"
  find "$out/$name" -name '*.xml' -print0 | xargs -0 xmllint --noout --dtdvalid "$dtd"
  if [ -n "${TEI_ALL:-}" ]; then
    xmllint --noout --relaxng "$TEI_ALL" "$out/$name.xml" 2>/dev/null
    find "$out/$name" -name '*.xml' -print0 | xargs -0 xmllint --noout --relaxng "$TEI_ALL" 2>/dev/null
  fi
  documents=$(find "$out/$name" -name '*.xml' | wc -l)
  [ "$documents" = "$(jq '[.files[]] | length' "$out/$name/manifest.json")" ]
  # No jq: it does not read lone surrogates.
  [ "$documents" = "$(grep -cE '^\{"site": ?"[^"]*", ?"kind": ?"(post|html)"' "$records")" ]
  [ "$documents" = "$(grep -c '^<TEI ' "$out/$name.xml")" ]
  total=$((total + documents))
done
echo "$total documents, all valid, alone and in a corpus${TEI_ALL:+, also by tei_all}"
