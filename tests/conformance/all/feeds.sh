#!/usr/bin/env bash
# Compares what feeds say of posts with the API and with pages, on mirrors of sites that hold feeds. Set MIRRORS to a folder with a mirror
# in each folder of it, called OWNER+NAME. feeds.sh TABLE
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
mirrors=${MIRRORS:-$SHARED/mirrors}
if [ ! -d "$mirrors" ]; then
  echo "SKIPPED: no mirrors of sites are there (MIRRORS=$mirrors): their feeds were not compared with their APIs."
  exit 0
fi
python3 "$here/feeds.py" "$mirrors" "$WORK/feeds" "$@"
