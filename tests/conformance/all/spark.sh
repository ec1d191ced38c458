#!/usr/bin/env bash
# examples/spark on three real sites and 200 generated ones, mixed: wp-resolve by RDD.pipe gives the records of the serial run, byte for
# byte, also when half of all records are one site's and when an executor is killed; wp-export by mapInArrow gives Parquet with the values
# of the serial dataset; a filter that fails fails the job.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd) spark=$(cd "$(dirname "$0")/../../../examples/spark" && pwd)
if ! java -version >/dev/null 2>&1; then
  echo "SKIPPED: no Java (Debian: openjdk-17-jre-headless): Spark was not run"
  exit 0
fi
out="$WORK/out/spark" venv=$(realpath -m "$VENV-spark")
[ -e "$venv/ready" ] || { python3 -m venv "$venv" && "$venv/bin/pip" install --quiet pyspark pandas pyarrow && touch "$venv/ready"; }
rm -rf "$out" && mkdir -p "$out/generated" && cd "$out"
export PYSPARK_PYTHON="$venv/bin/python" SPARK_LOCAL_IP=127.0.0.1 PATH="$venv/bin:$PATH"

# before NAME DUMP [SCRAPE]: the records of a site as wp-resolve gets them.
before() {
  wp-index -q "$2" --site "$1" ${3:+--scrape "$3"} | wp-parse -q | wp-translations -q ${3:+--scrape-root "$3"} >"$1.ndjson"
}
for site in classic polylang translatepress; do
  before "$site" "$WORK/wplive/$site/dump" "$WORK/wplive/$site/scrape"
done
# generated NAME POSTS SEED
generated() {
  python3 "$SHARED/tools/gen_corpus.py" "$2" "generated/$1" --seed "$3" --no-scrape >/dev/null
  before "$1" "generated/$1/json"
}
for seed in $(seq 200); do generated "site $seed" 4 "$seed"; done
others=$(cat ./*.ndjson | wc -l)
generated giant $((others / 2)) 0
python3 "$here/spark.py" mix lake ./*.ndjson
cat ./*.ndjson | wp-resolve -q >serial
LC_ALL=C sort serial >serial.sorted

# submit NAME ARGUMENT...: Spark's messages go to NAME.log.
submit() {
  local log=$1.log
  shift
  spark-submit --conf spark.ui.enabled=false "$@" >"$log" 2>&1
}
same() { cat "$1"/part-* | LC_ALL=C sort | cmp - serial.sorted; }
submit local --master 'local[2]' "$spark/resolve.py" lake local 8
same local
giant=$(grep -c '^{"site":"giant"' serial)
echo "RDD.pipe: $(wc -l <serial) records of $(cut -d, -f1 serial | sort -u | wc -l) sites, $giant of one, are those of the serial run"

# A filter that fails, before it has read everything or after, fails the job, and nothing seems complete.
for command in 'wp-resolve -q -j1 | head -n 100 | grep -q nothing' 'wp-resolve -q -j1; exit 3' 'no-such-program'; do
  ! submit failing --master 'local[2]' "$spark/resolve.py" lake/part-0.ndjson failing 4 "$command" || { echo "not a failure: $command"; exit 1; }
  [ ! -e failing/_SUCCESS ] || { echo "complete: $command"; exit 1; }
  rm -rf failing
done
echo "RDD.pipe: three filters that fail fail the job"

# A cluster of two workers; the first filter kills the executor that has started it.
processes=()
trap 'kill "${processes[@]}" 2>/dev/null || true' EXIT
daemon() { spark-class "org.apache.spark.deploy.$1" --host 127.0.0.1 --webui-port 0 "${@:2}" >"$1.log" 2>&1 & processes+=($!); }
master=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
daemon master.Master --port "$master"
for _ in 1 2; do daemon worker.Worker --cores 1 --memory 1g --work-dir "$out/work" "spark://127.0.0.1:$master"; done
cat >kill_once <<'END'
#!/usr/bin/env bash
# The chain is: executor, Python's daemon, its worker, the shell of the command, this.
if mkdir "$1/killed" 2>/dev/null; then
  process=$PPID
  for _ in 1 2 3; do process=$(sed 's/.*) //' "/proc/$process/stat" | cut -d' ' -f2); done
  tr '\0' '\n' <"/proc/$process/cmdline" | grep -m1 ExecutorBackend >"$1/killed/which"
  kill -9 "$process"
fi
exec wp-resolve -q -j1
END
chmod +x kill_once
submit cluster --master "spark://127.0.0.1:$master" --executor-memory 512m "$spark/resolve.py" lake cluster 8 "'$out/kill_once' '$out'; exit"
grep -q ExecutorBackend killed/which
grep -q 'Lost executor' cluster.log
same cluster
echo "RDD.pipe: an executor was killed ($(grep -c 'Lost executor' cluster.log) lost), the records are the same"

wp-export -q -d dataset serial
submit parquet --master 'local[2]' "$spark/parquet.py" 'local' dataset parquet
"$venv/bin/python" "$here/spark.py" same dataset parquet
! submit failing --master 'local[2]' "$spark/parquet.py" local/part-00000 dataset failing 'wp-export -q; exit 3' || { echo "not a failure"; exit 1; }
[ ! -e failing/posts/_SUCCESS ]
echo "Spark: equal records and Parquet values for $(wc -l <serial) records of 204 sites, half of them of one; failures and a killed executor"
