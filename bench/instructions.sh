#!/usr/bin/env bash
# Counts the instructions of every stage on a generated site and compares them with bench/instructions.tsv: instructions.sh PROGRAMS
# CORPUS WORK [--save]. PROGRAMS is a directory with the programs, CORPUS is bench-corpus. A stage that takes over 3 % more than the table
# fails; one that takes over 3 % less is reported, so that the table can be renewed with --save. What another compiler, valgrind or
# architecture counts is reported only: it is not comparable.
set -euo pipefail
programs=$(cd "$1" && pwd) corpus=$(realpath "$2") work=$3 save=${4:-}
table=$(cd "$(dirname "$0")" && pwd)/instructions.tsv
tools="$(rustc -V | cut -d' ' -f1,2), $(valgrind --version), $(uname -m)"
rm -rf "$work" && mkdir -p "$work" && cd "$work"
"$corpus" site 200 . --seed 1

# count NAME OUTPUT PROGRAM ARGUMENT...: a stage's output, and a line "NAME<TAB>instructions".
count() {
  local name=$1 output=$2
  shift 2
  valgrind --tool=callgrind --callgrind-out-file=profile "$programs/$1" "${@:2}" -j 1 >"$output" 2>log || { cat log >&2 && return 1; }
  printf '%s\t%s\n' "$name" "$(sed -n 's/^\(summary\|totals\): //p' profile | head -n 1)" >>counts
}

count "wp-index, dump only" /dev/null wp-index dump
count "wp-index" items wp-index dump --scrape scrape
count "wp-parse" parsed wp-parse items
count "wp-translations" translated wp-translations parsed
count "wp-resolve" resolved wp-resolve translated
count "wp-export, stream" /dev/null wp-export resolved
count "wp-groups --sign" signed wp-groups --sign resolved
count "wp-groups" /dev/null wp-groups signed

if [ "$save" = --save ]; then
  { printf '# %s\n' "$tools" && cat counts; } >"$table"
  exit 0
fi
known=$(sed -n '1s/^# //p' "$table")
[ "$known" = "$tools" ] || echo "instructions: $tools is not what the table was made with ($known): reported only"
status=0
while IFS=$'\t' read -r name now; do
  before=$(awk -F '\t' -v name="$name" '$1 == name { print $2 }' "$table")
  change=$(awk -v now="$now" -v before="$before" 'BEGIN { printf "%+.1f", (now / before - 1) * 100 }')
  verdict=ok
  if awk -v change="$change" 'BEGIN { exit !(change > 3) }'; then verdict=MORE; fi
  if awk -v change="$change" 'BEGIN { exit !(change < -3) }'; then verdict=less; fi
  printf '%-22s %14s  %s %%  %s\n' "$name" "$now" "$change" "$verdict"
  if [ "$verdict" = MORE ] && [ "$known" = "$tools" ]; then status=1; fi
done <counts
exit $status
