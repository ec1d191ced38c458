#!/usr/bin/env bash
# Builds a Debian package from a staged install: deb.sh ROOT OUT. ROOT/usr is the result of packaging/install.sh; writes the
# package to OUT and its path to stdout. The same tree gives the same bytes.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
root=$(cd "$1" && pwd) out=$(cd "$2" && pwd)
. "$here/packaging/version.sh"
architecture=$(dpkg --print-architecture)
# Both as Cargo.toml has them.
repository=$(sed -n 's/^repository = "\(.*\)"$/\1/p' "$here/Cargo.toml")
maintainer=$(sed -n 's/^authors = \["\(.*\)"\]$/\1/p' "$here/Cargo.toml")
[[ $maintainer == *"<"* ]] || maintainer+=" <nobody@localhost>"

# Debian's conventions: compressed man pages, directories for zsh completions and documents.
gzip -9n "$root"/usr/share/man/man?/*
mv "$root/usr/share/zsh/site-functions" "$root/usr/share/zsh/vendor-completions"
doc="$root/usr/share/doc/wpipe"
install -d "$doc/examples"
install -m 644 "$here/README.md" "$doc"
gzip -9nc "$here/CHANGELOG.md" >"$doc/changelog.gz"
cp -r "$here"/examples/{*.md,demo.sh,corpus,site} "$doc/examples"
cat >"$doc/copyright" <<END
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: wpipe
${repository:+Source: $repository
}
Files: *
Copyright: $(sed -n 's/^Copyright (c) //p' "$here/LICENSE-MIT")
License: MIT or Apache-2.0
Comment: The programs contain the Rust crates that Cargo.lock lists, each under its own licence.

License: Apache-2.0
 On Debian systems the text of this licence is in /usr/share/common-licenses/Apache-2.0.

License: MIT
$(sed '1,4d; s/^$/./; s/^/ /' "$here/LICENSE-MIT")
END
{
  echo "wpipe ($version) unstable; urgency=medium"
  printf '\n  * See changelog.gz.\n\n -- %s  %s\n' "$maintainer" "$(LC_ALL=C date -u -R -d "@$SOURCE_DATE_EPOCH")"
} | gzip -9n >"$doc/changelog.Debian.gz"
install -d "$root/usr/share/lintian/overrides"
cat >"$root/usr/share/lintian/overrides/wpipe" <<'END'
# The example site is input for the programs, not documentation to open in a browser.
wpipe: privacy-breach-generic * [usr/share/doc/wpipe/examples/site/*]
wpipe: privacy-breach-twitter * [usr/share/doc/wpipe/examples/site/*]
END
find "$root" -type d -exec chmod 755 {} +
find "$root/usr/share" -type f -exec chmod 644 {} +

# The libraries the programs are linked to; without the tool, only the C library.
depends="libc6"
if command -v dpkg-shlibdeps >/dev/null; then
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  mkdir "$work/debian" && echo "Source: wpipe" >"$work/debian/control"
  depends=$(cd "$work" && dpkg-shlibdeps -O --ignore-missing-info $(find "$root/usr/bin" -type f) 2>/dev/null | sed -n 's/^shlibs:Depends=//p')
fi
size=$(du -sk --apparent-size "$root/usr" | cut -f1)
install -d "$root/DEBIAN"
(cd "$root" && find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum) >"$root/DEBIAN/md5sums"
cat >"$root/DEBIAN/control" <<END
Package: wpipe
Version: $version
Architecture: $architecture
Maintainer: $maintainer
Installed-Size: $size
Depends: $depends
Recommends: jq
Suggests: make, zstd
Section: text
Priority: optional
${repository:+Homepage: $repository
}Description: WordPress sites as linked, multilingual research corpora
 Unix filters that turn a WordPress site (a REST API dump and, optionally,
 an HTML scrape) into records with clean text, resolved links and images, and
 groups of translations, as newline-delimited JSON.
END
dpkg-deb --root-owner-group --build "$root" "$out/wpipe_${version}_$architecture.deb" >/dev/null
echo "$out/wpipe_${version}_$architecture.deb"
