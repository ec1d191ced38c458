#!/usr/bin/env bash
# Installs programs, man pages and completions below TO: install.sh FROM TO PROGRAM... FROM holds the programs or, instead, the
# one file with all of them, wpipe: then each program becomes a link to it. wpipe itself is always installed. RUN is where programs
# are that run here, if those do not: they print the completions.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
from=$1 to=$2
shift 2
share=$to/share
install -d "$to/bin" "$share/man/man1" "$share/man/man5" "$share/bash-completion/completions" \
  "$share/zsh/site-functions" "$share/fish/vendor_completions.d"
install -m 644 "$here"/man/*.1 "$share/man/man1"
install -m 644 "$here"/man/*.5 "$share/man/man5"
for program in wpipe "$@"; do
  if [ -e "$from/$program" ] && [ ! -L "$from/$program" ]; then
    install -m 755 "$from/$program" "$to/bin"
  else
    ln -sf wpipe "$to/bin/$program"
  fi
  "${RUN:-$to/bin}/$program" --completions bash >"$share/bash-completion/completions/$program"
  "${RUN:-$to/bin}/$program" --completions zsh >"$share/zsh/site-functions/_$program"
  "${RUN:-$to/bin}/$program" --completions fish >"$share/fish/vendor_completions.d/$program.fish"
done
