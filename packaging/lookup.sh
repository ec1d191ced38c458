#!/usr/bin/env bash
# Looks up names with wp-fetch in a system that has nothing but the programs, in a network of its own with a server of names and a
# site: lookup.sh ROOT. Needs root and unshare.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd) root=$1
if [ "${2:-}" != inside ]; then exec unshare --net "$0" "$root" inside; fi
mkdir -p "$root/etc"
echo "nameserver 127.0.0.1" >"$root/etc/resolv.conf"
echo "127.0.0.1 byhosts.example" >"$root/etc/hosts"
coproc NET { exec python3 "$here/lookup.py"; }
trap 'kill $NET_PID' EXIT
read -r ready <&"${NET[0]}" && [ "$ready" = ready ]
# Also where the system names modules of glibc that a static program does not have.
for order in "" "hosts: files dns" "hosts: files resolve mymachines mdns4_minimal [NOTFOUND=return] dns"; do
  echo "$order" >"$root/etc/nsswitch.conf"
  for name in site byhosts nowhere; do
    timeout 5 chroot "$root" /bin/wp-fetch "http://$name.example/" --dry-run --contact a@b.example >"$root/said" 2>&1 || true
    grep -q "$name.example/: the front page: HTTP 404" "$root/said" && found=yes || found=no
    [ "$name $found" = "$name $([ $name = nowhere ] && echo no || echo yes)" ] || { echo "$name.example ($order): found: $found" && exit 1; }
  done
done
