#!/usr/bin/env bash
# Scores the main text of pages without API content on trafilatura's test set, beside trafilatura, readability and jusText.
# Set MAIN_TEXT_SET to the folder `tests` of a checkout of github.com/adbar/trafilatura.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
set=${MAIN_TEXT_SET:-$SHARED/trafilatura/tests}
if [ ! -e "$set/evaldata.json" ]; then
  echo "SKIPPED: trafilatura's test set is not there (MAIN_TEXT_SET=$set): the main text of pages was not scored."
  exit 0
fi
. "$here/../text_peers.sh"
"$venv/bin/python" "$here/main_text.py" "$set" "$WORK/main-text" "$@"
