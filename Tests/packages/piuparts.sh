#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Debian's own test of packages: installs and purges them in a fresh Debian and looks what they leave behind or break.
#
#   piuparts.sh PACKAGES [DEBIAN]
#
# PACKAGES is what `make deb` made for this architecture, by default for this machine's Debian: 12 or 13. Needs root.
set -euo pipefail
[ $# -ge 1 ] || { sed -n '3,7s/^# \{0,1\}//p' "$0" >&2; exit 64; }
debian=${2:-$(. /etc/os-release; echo "$VERSION_ID")}
case $debian in
12) suite=bookworm ;;
13) suite=trixie ;;
*) echo "piuparts: '$debian' is not a Debian that packages are made for" >&2; echo "hint: 12 or 13" >&2; exit 64 ;;
esac
# Files that systemd's own tmpfiles.d leaves when it was installed for the kiosk and is purged with it.
ignored=()
for path in /etc/default/locale /etc/vconsole.conf /root/.ssh/ /var/cache/debconf/tmp.ci/ /var/cache/private/ \
    /var/lib/private/ /var/lib/systemd/coredump/ /var/lib/systemd/pstore/ /var/log/private/; do
    ignored+=("--ignore=$path")
done
mirror=${MIRROR:-$("$(dirname "$0")/../../deploy/mirror.sh" archive)}
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# The fresh Debian has no folder of that name.
unset TMPDIR
piuparts --distribution="$suite" --mirror="$mirror main" --no-eatmydata "${ignored[@]}" \
    "$1"/*"+deb${debian}_$(dpkg --print-architecture).deb" > "$log" 2>&1 || { grep -A 20 FAIL "$log" >&2 || tail -n 40 "$log" >&2; exit 1; }
grep PASS "$log"
