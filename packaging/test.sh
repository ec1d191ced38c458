#!/usr/bin/env bash
# The packages, built from a quickly built file with all programs: unpacks and runs them; installs the Debian package below a
# separate root and removes it. test.sh FILE OUT PROGRAM...: FILE is the file with all programs.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
file=$(cd "$(dirname "$1")" && pwd)/$(basename "$1") out=$2
shift 2
rm -rf "$out" && mkdir -p "$out"/{stage,deb,again,tarball,unpacked,untarred,links}
out=$(cd "$out" && pwd)
. "$here/packaging/version.sh"
strip -o "$out/stage/wpipe" "$file" # What is installed is stripped too.
build() { make -s -C "$here" -o multicall "$1" STAGE="$out/stage" DEB="$2" TARBALL="$2" | tail -n 1; }

# Under another name it says what it is, and fails.
ln -s "$out/stage/wpipe" "$out/links/wp-nothing"
if "$out/links/wp-nothing" </dev/null 2>"$out/message"; then echo "wp-nothing ran" && exit 1; fi
for program in "$@"; do grep -q "$program" "$out/message"; done

# check PROGRAM...: every program of an unpacked package below $root is a link and the right one.
check() {
  local program
  for program in "$@"; do
    [ "$("$root/bin/$program" --version)" = "$program $version" ]
    [ "$(readlink "$root/bin/$program")" = wpipe ]
    bash -n "$root/share/bash-completion/completions/$program"
    [ -s "$root/share/fish/vendor_completions.d/$program.fish" ]
  done
  # wpipe itself: starts those beside it.
  [ "$("$root/bin/wpipe" --version)" = "wpipe $version" ]
  bash -n "$root/share/bash-completion/completions/wpipe"
  "$root/bin/wpipe" "$here/examples/site/dump" --max-rejects 1 -q -d "$out/dataset.$#"
  [ -s "$out/dataset.$#/manifest.json" ]
  rm -r "$out/dataset.$#"
}

archive=$(build tarball "$out/tarball")
tar -xzf "$archive" -C "$out/untarred"
root=$(echo "$out"/untarred/*)
[ "$(basename "$root").tar.gz" = "$(basename "$archive")" ]
check "$@"
cmp "$root/share/man/man5/wp-records.5" "$here/man/wp-records.5"
cmp "$archive" "$(build tarball "$out/again")"
echo "$(basename "$archive"), $(stat -c %s "$archive") bytes"

if ! command -v dpkg-deb >/dev/null; then
  echo "dpkg-deb is not installed: no package built"
  exit 0
fi
package=$(build deb "$out/deb")
cmp "$package" "$(build deb "$out/again")"
[ "$(dpkg-deb -f "$package" Version)" = "$version" ]
dpkg-deb -f "$package" Depends | grep -q libc6
dpkg-deb -x "$package" "$out/unpacked"
root=$out/unpacked/usr
check "$@"
for program in "$@"; do
  zcat "$root/share/man/man1/$program.1.gz" | cmp - "$here/man/$program.1"
  [ -s "$root/share/zsh/vendor-completions/_$program" ]
done
(cd "$out/unpacked" && dpkg-deb --ctrl-tarfile "$package" | tar -xO ./md5sums | md5sum -c --quiet)
# dpkg itself, in a root without anything else in it.
if [ "$(id -u)" -eq 0 ]; then
  own=$out/root
  mkdir -p "$own/var/lib/dpkg/info" "$own/var/lib/dpkg/updates"
  touch "$own/var/lib/dpkg/status" "$own/var/lib/dpkg/available"
  dpkg --root="$own" --log=/dev/null --force-depends -i "$package" >"$out/log" 2>&1
  "$own/usr/bin/wp-export" --version >/dev/null
  dpkg --root="$own" --log=/dev/null -P wpipe >>"$out/log" 2>&1
  [ ! -e "$own/usr/bin/wp-export" ]
fi
if command -v lintian >/dev/null; then lintian --fail-on error "$package"; fi
echo "$(basename "$package"), $(stat -c %s "$package") bytes, depends on $(dpkg-deb -f "$package" Depends)"
