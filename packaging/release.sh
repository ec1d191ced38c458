#!/usr/bin/env bash
# Whether the repository is ready for a release: release.sh [TAG]. Names all that is missing, and fails if anything is.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
. "$here/packaging/version.sh"
missing=0
need() { echo "not ready: $*" && missing=1; }
field() { sed -n "s/^$1 = \(.*\)$/\1/p" "$here/Cargo.toml"; }

[[ "$(field repository)" == '"https://'?*'"' ]] || need "Cargo.toml has no repository: the project's address (the user agent, the .deb and crates.io show it)"
[[ "$(field authors)" == *"<"*"@"* ]] || need "Cargo.toml has no mail address after the authors (the .deb's maintainer)"
grep -q "^## \[\?$version\]\?" "$here/CHANGELOG.md" || need "CHANGELOG.md has no section $version"
! grep -qi "^## .*unreleased" "$here/CHANGELOG.md" || need "CHANGELOG.md still has an unreleased section"
[ -z "${1:-}" ] || [ "$1" = "v$version" ] || need "the tag is $1, and Cargo.toml has the version $version"
[ -z "$(git -C "$here" status --porcelain 2>/dev/null)" ] || need "files that are not committed"
[ "$missing" -eq 0 ] && echo "ready: $version"
