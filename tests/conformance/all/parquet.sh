#!/usr/bin/env bash
# Compares Parquet with the JSON Lines, value for value, in pyarrow, polars, DuckDB, datasets and Spark (where Java is there): 40,000
# records with data that loaders lose silently, and the example site. Needs no corpora.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
out="$WORK/out/parquet" venv=$(realpath -m "$VENV-parquet") status=0
export HF_HOME="$out/huggingface"
rm -rf "$out" && mkdir -p "$out"
if [ ! -x "$venv/bin/pip" ] || ! "$venv/bin/python" -c "import pyspark" 2>/dev/null; then
  python3 -m venv "$venv" && "$venv/bin/pip" install --quiet duckdb==2.0.1 polars==2.1.0 pyarrow==26.0.1 datasets==5.2.0 pandas \
    pyspark==4.3.0 || exit 1
fi
cd "$here/../../.." || exit 1
cargo build --quiet --locked --features parquet --bin wp-export --target-dir "$WORK/out/parquet-target" || exit 1
PATH="$WORK/out/parquet-target/debug:$PATH"

python3 "$here/loader_traps.py" >"$out/traps.ndjson" || exit 1
wp-index -q examples/site/dump --scrape examples/site/scrape --max-rejects 1 | wp-parse -q | wp-translations -q | wp-resolve -q \
  >"$out/example.ndjson" || exit 1
readers=(pyarrow polars duckdb datasets)
if command -v java >/dev/null; then readers+=(pyspark); else echo "SKIPPED: Spark needs java"; fi
for name in traps example; do
  for format in jsonl parquet; do
    wp-export -q --format "$format" -d "$out/$name/$format" "$out/$name.ndjson" || exit 1
  done
  "$venv/bin/python" "$here/parquet.py" "$out/$name/jsonl" "$out/$name/parquet" "${readers[@]}" 2>"$out/log" || { cat "$out/log"; status=1; }
done
exit $status
