#!/usr/bin/env bash
# Scores the main text of pages of all kinds (articles, forums, documentation, shops) without API content, beside trafilatura.
# Set PAGE_TYPES_SET to the folder `dev` of a checkout of github.com/Murrough-Foley/web-content-extraction-benchmark.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
set=${PAGE_TYPES_SET:-$SHARED/web-content-extraction-benchmark/dev}
if [ ! -d "$set/ground-truth" ]; then
  echo "SKIPPED: the benchmark of page types is not there (PAGE_TYPES_SET=$set): the main text of pages of all kinds was not scored."
  exit 0
fi
. "$here/../text_peers.sh"
"$venv/bin/python" "$here/page_types.py" "$set" "$WORK/page-types" "$@"
