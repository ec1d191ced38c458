#!/usr/bin/env bash
# Compares the content that is taken from pages with the API's content of the same posts, on mirrors of sites that hold both, beside
# trafilatura. Set MIRRORS to a folder with a mirror in each folder of it.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
mirrors=${MIRRORS:-$SHARED/mirrors}
if [ ! -d "$mirrors" ]; then
  echo "SKIPPED: no mirrors of sites are there (MIRRORS=$mirrors): content of pages was not compared with their APIs' content."
  exit 0
fi
. "$here/../text_peers.sh"
"$venv/bin/python" "$here/mirrors.py" "$mirrors" "$WORK/mirrors" "$@"
