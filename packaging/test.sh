#!/usr/bin/env bash
# The packages, built from quickly built files with all programs: installs them, in clean systems too, and runs the demo.
# test.sh FILE STATIC OUT PROGRAM...: FILE and STATIC are files with all programs. WHEEL=FILE: a wheel that has been built.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
out=$3 host=$(rustc -vV | sed -n 's/^host: //p')
mkdir -p "$out"
find "$out" -mindepth 1 -maxdepth 1 ! -name debian -exec rm -rf {} + # A debian system takes a minute.
mkdir -p "$out"/{stage,"stage-$host",deb,again,tarball,wheel,unpacked,untarred,links}
out=$(cd "$out" && pwd)
. "$here/packaging/version.sh"
# What is installed is stripped too.
strip -o "$out/stage/wpipe" "$1"
strip -o "$out/stage-$host/wpipe" "$2"
shift 3
build() { make -s -C "$here" -o multicall -o static "$1" STAGE="$out/stage" DEB="$2" TARBALL="$2" WHEEL="$2" WHEEL_PROFILE=dev | tail -n 1; }

# The example's records, by the demo in this directory of programs.
demo() { PATH="$1:$PATH" "$here/examples/demo.sh" "$out/demo" >/dev/null 2>&1 && (cd "$out/demo" && cat manifest.json *.jsonl) | sha256sum; }
same() { [ "$1" = "$2" ] || { echo "$3: not the dataset of the tarball's programs" && exit 1; }; }

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
    # Every option of --help is completed.
    for option in $("$root/bin/$program" --help | sed -n 's/^ \{2,6\}\(-., \)\{0,1\}\(--[a-z-]*\).*/\2/p'); do
      grep -q -e "[ \"']$option[ \"']" "$root/share/bash-completion/completions/$program" || { echo "$program $option: not completed" && exit 1; }
    done
  done
  # wpipe itself.
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
[ "$(ls "$root" | xargs)" = "bin share" ]
cmp "$root/share/man/man5/wp-records.5" "$here/man/wp-records.5"
cmp "$root/share/man/man7/wp-content.7" "$here/man/wp-content.7"
cmp "$archive" "$(build tarball "$out/again")"
expected=$(demo "$root/bin")
if [ "$(uname)" = Linux ]; then
  ! ldd "$root/bin/wpipe" 2>/dev/null | grep -q "=>"
  # A system that has nothing but the tarball.
  if [ "$(id -u)" -eq 0 ]; then
    mkdir -p "$out/empty/tmp" && cp -r "$root/bin" "$out/empty/bin" && cp -r "$here/examples/site" "$out/empty/site"
    chroot "$out/empty" /bin/wpipe /site/dump --scrape /site/scrape --max-rejects 1 -q -d /dataset 2>/dev/null
    [ "$(jq .records "$out/empty/dataset/manifest.json")" = "$(jq .records "$out/demo/manifest.json")" ]
    "$here/packaging/lookup.sh" "$out/empty"
  fi
fi
echo "$(basename "$archive"), $(stat -c %s "$archive") bytes"

wheel=${WHEEL:-}
[ -n "$wheel" ] || { build wheel "$out/wheel" && wheel=$(echo "$out"/wheel/*.whl); }
python3 -m venv "$out/venv"
"$out/venv/bin/pip" install --quiet --no-index "$wheel"
for program in "$@" wpipe; do
  [ "$("$out/venv/bin/$program" --version)" = "$program $version" ]
  [ -s "$out/venv/share/man/man1/$program.1" ]
done
same "$(demo "$out/venv/bin")" "$expected" wheel
echo "$(basename "$wheel"), $(stat -c %s "$wheel") bytes"

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
if command -v lintian >/dev/null; then lintian --allow-root --fail-on error,warning "$package"; fi
same "$(demo "$root/bin")" "$expected" "Debian package"
# Debian with nothing else in it, where there is debootstrap.
if [ "$(id -u)" -eq 0 ] && command -v debootstrap >/dev/null; then
  [ -x "$out/debian/usr/bin/jq" ] || debootstrap --variant=minbase --include=jq stable "$out/debian" >"$out/log"
  cp "$package" "$out/debian/wpipe.deb"
  chroot "$out/debian" dpkg -i /wpipe.deb >"$out/log" 2>&1
  cp -r "$here/examples/site" "$out/debian/"
  chroot "$out/debian" bash /usr/share/doc/wpipe/examples/demo.sh /demo >"$out/log" 2>&1
  same "$(cd "$out/debian/demo" && cat manifest.json *.jsonl | sha256sum)" "$expected" "clean Debian"
  chroot "$out/debian" dpkg -P wpipe >"$out/log" 2>&1
  echo "clean Debian $(cat "$out/debian/etc/debian_version"): installed, demo, removed"
fi
echo "$(basename "$package"), $(stat -c %s "$package") bytes, depends on $(dpkg-deb -f "$package" Depends)"
