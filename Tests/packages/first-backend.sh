#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs docs/first-backend.md in a fresh Debian of this machine's release, up to a person's login. Needs root, and Debian's
# archive once a day. The network of the run is its own.
#
#   first-backend.sh PACKAGES
#
# PACKAGES is what `make deb` made. Not run: certbot, which needs a name on the Internet; a stand-in makes a certificate and
# calls the hook. The service manager's part is played by a script, too.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$(cd "$here/../.." && pwd)
[ $# = 1 ] || { sed -n '3,10s/^# \{0,1\}//p' "$0" >&2; exit 64; }
packages=$(cd "$1" && pwd)
cache=${LOGIN_KIOSK_PACKAGES:-${XDG_CACHE_HOME:-$HOME/.cache}/login-kiosk/packages}
debian=$(. /etc/os-release; echo "$VERSION_ID")
architecture=$(dpkg --print-architecture)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. "$here/repositories.sh"
repositories "$work"
# The packages that the page installs, and their dependencies: in the run there is no network for apt.
libraries=$(for deb in "$packages"/login-kiosk{,-backend}_*"+deb${debian}_$architecture.deb"; do dpkg-deb --field "$deb" Depends; done |
    tr ',' '\n' | sed -e 's/^ *//' -e 's/[ (|].*//' | sort -u | paste -sd,)
fresh=$(fresh_debian "ca-certificates,nginx,certbot,sqlite3,curl,openssl,systemd,$libraries" "$suite-$architecture-backend")
root=$work/debian
mkdir "$root"
tar -C "$root" -xf "$fresh"
cp -a "$work/apt-new" "$root/packages"
timeout --kill-after=10 900 unshare --net --mount --propagation private --pid --fork --kill-child sh -c '
    mount -t proc proc "$1/proc" && mount -t tmpfs tmpfs "$1/run" && mount -t devtmpfs dev "$1/dev" 2> /dev/null ||
        mount --rbind /dev "$1/dev"
    exec python3 -B "$0/first-backend.py" "$1" "$2" "$3"' "$here" "$root" "$top/docs/first-backend.md" "$suite"
