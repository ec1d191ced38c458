#!/usr/bin/env bash
# The Debian package: builds it from the programs on the PATH, unpacks, installs below a separate root, runs and removes it.
set -euo pipefail
here=$(cd "$(dirname "$0")/../../.." && pwd)
if ! command -v dpkg-deb >/dev/null; then
  echo "dpkg-deb is not installed: no package built"
  exit 0
fi
out="$WORK/out/deb"
rm -rf "$out" && mkdir -p "$out/unpacked" "$out/again"
build() { make -s -C "$here" -o dist deb DIST="$(dirname "$(command -v wp-export)")" DEB="$1"; }
package=$(build "$out")
again=$(build "$out/again")
cmp "$package" "$again"
version=$(sed -n 's/^version = "\(.*\)"$/\1/p;T;q' "$here/Cargo.toml")
[ "$(dpkg-deb -f "$package" Version)" = "$version" ]
dpkg-deb -f "$package" Depends | grep -q libc6
dpkg-deb -x "$package" "$out/unpacked"
for program in wp-index wp-parse wp-translations wp-resolve wp-export; do
  [ "$("$out/unpacked/usr/bin/$program" --version)" = "$program $version" ]
  zcat "$out/unpacked/usr/share/man/man1/$program.1.gz" | cmp - "$here/man/$program.1"
  bash -n "$out/unpacked/usr/share/bash-completion/completions/$program"
  [ -s "$out/unpacked/usr/share/zsh/vendor-completions/_$program" ]
  [ -s "$out/unpacked/usr/share/fish/vendor_completions.d/$program.fish" ]
done
zcat "$out/unpacked/usr/share/man/man5/wp-records.5.gz" | cmp - "$here/man/wp-records.5"
(cd "$out/unpacked" && dpkg-deb --ctrl-tarfile "$package" | tar -xO ./md5sums | md5sum -c --quiet)
# dpkg itself, in a root without anything else in it.
if [ "$(id -u)" -eq 0 ]; then
  root="$out/root"
  mkdir -p "$root/var/lib/dpkg/info" "$root/var/lib/dpkg/updates"
  touch "$root/var/lib/dpkg/status" "$root/var/lib/dpkg/available"
  dpkg --root="$root" --log=/dev/null --force-depends -i "$package" >"$out/log" 2>&1
  "$root/usr/bin/wp-export" --version >/dev/null
  dpkg --root="$root" --log=/dev/null -P wpipe >>"$out/log" 2>&1
  [ ! -e "$root/usr/bin/wp-export" ]
fi
if command -v lintian >/dev/null; then lintian --fail-on error "$package"; fi
echo "$(basename "$package"), $(stat -c %s "$package") bytes: $(dpkg-deb -c "$package" | grep -vc '/$') files, depends on $(dpkg-deb -f "$package" Depends)"
