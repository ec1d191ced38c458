#!/usr/bin/env bash
# Scores the main text of pages without API content against whole texts of articles, beside what other programs made of them.
# Set ARTICLE_SET to a checkout of github.com/scrapinghub/article-extraction-benchmark.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
set=${ARTICLE_SET:-$SHARED/article-extraction-benchmark}
if [ ! -e "$set/ground-truth.json" ]; then
  echo "SKIPPED: the article extraction benchmark is not there (ARTICLE_SET=$set): whole texts of articles were not scored."
  exit 0
fi
python3 "$here/article_bodies.py" "$set" "$WORK/article-bodies" "$@"
