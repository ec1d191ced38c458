#!/usr/bin/env bash
# Installs programs, man pages and completions below TO: install.sh FROM TO PROGRAM... FROM holds the programs or, instead, the
# one file with all of them, wpipe: then each program becomes a link to it. wpipe itself is always installed. COMPLETIONS is the program
# that writes the completions (bins/completions.rs); it runs here, even if those that are installed do not.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
from=$1 to=$2
shift 2
share=$to/share
install -d "$to/bin" "$share/man/man1" "$share/man/man5" "$share/man/man7"
install -m 644 "$here"/man/*.1 "$share/man/man1"
install -m 644 "$here"/man/*.5 "$share/man/man5"
install -m 644 "$here"/man/*.7 "$share/man/man7"
for program in wpipe "$@"; do
  if [ -e "$from/$program" ] && [ ! -L "$from/$program" ]; then
    install -m 755 "$from/$program" "$to/bin"
  else
    ln -sf wpipe "$to/bin/$program"
  fi
done
"$COMPLETIONS" "$share"
