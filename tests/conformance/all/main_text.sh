#!/usr/bin/env bash
# Scores the main text of pages without API content on trafilatura's test set, beside trafilatura, readability and jusText.
# Set MAIN_TEXT_SET to the folder `tests` of a checkout of github.com/adbar/trafilatura.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
set=${MAIN_TEXT_SET:-$SHARED/trafilatura/tests} venv=$(realpath -m "$VENV-text")
if [ ! -e "$set/evaldata.json" ]; then
  echo "SKIPPED: trafilatura's test set is not there (MAIN_TEXT_SET=$set): the main text of pages was not scored."
  exit 0
fi
if [ ! -e "$venv/.complete" ]; then
  # The pip of Python 3.11 (23.0) fails on the extra lxml[html-clean] with an assertion.
  python3 -m venv "$venv" && "$venv/bin/pip" install --quiet --upgrade pip &&
    "$venv/bin/pip" install --quiet trafilatura==2.3.1 readability-lxml==0.9 lxml_html_clean==0.4.6 justext==3.0.2 &&
    touch "$venv/.complete" || exit 1
fi
"$venv/bin/python" "$here/main_text.py" "$set" "$WORK/main-text" "$@"
