# Sourced by the scripts that compare texts of pages with those of other programs: makes $venv, which has these.
venv=$(realpath -m "$VENV-text")
if [ ! -e "$venv/.complete" ]; then
  # The pip of Python 3.11 (23.0) fails on the extra lxml[html-clean] with an assertion.
  python3 -m venv "$venv" && "$venv/bin/pip" install --quiet --upgrade pip &&
    "$venv/bin/pip" install --quiet trafilatura==2.3.1 readability-lxml==0.9 lxml_html_clean==0.4.6 justext==3.0.2 &&
    touch "$venv/.complete" || exit 1
fi
