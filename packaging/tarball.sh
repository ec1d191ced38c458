#!/usr/bin/env bash
# Builds a tarball from a staged install: tarball.sh ROOT OUT TRIPLE. ROOT is the result of packaging/install.sh; writes the tarball,
# which unpacks to one directory, to OUT and its path to stdout. The same tree gives the same bytes. Needs GNU tar.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
root=$(cd "$1" && pwd) out=$(cd "$2" && pwd)
. "$here/packaging/version.sh"
name=wpipe-$version-$3
# Nothing but bin/ and share/ goes into the folder that it is unpacked to.
doc=$root/share/doc/wpipe
mkdir -p "$doc/examples"
for file in README.md CHANGELOG.md LICENSE-APACHE LICENSE-MIT; do install -m 644 "$here/$file" "$doc"; done
cp -r "$here"/examples/{*.md,demo.sh,corpus,site} "$doc/examples"
tar --create --directory "$root" --transform "s,^\.,$name," --sort=name --owner=0 --group=0 --numeric-owner \
  --mode=u=rwX,go=rX --mtime="@$SOURCE_DATE_EPOCH" . | gzip -9n >"$out/$name.tar.gz"
echo "$out/$name.tar.gz"
