#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A fleet on one machine, each part in a network namespace of its own: PostgreSQL, HAProxy with
# deploy/fleet/haproxy.cfg, two backends, two D-TAs, three kiosks with simulated cameras. People enrol at one kiosk and
# log in at the others with personal cards, and in the middle of their logins each plug is pulled once.
#
#   test.sh PROGRAMS
#
# PROGRAMS is the folder with login-kiosk, login-kiosk-scanner and login-kiosk-backend. It needs root, for the
# namespaces. All of it, /run included, is in namespaces that nobody else sees and that end with this script, however
# it ends.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
[ $# = 1 ] || { sed -n '7p' "$0" | sed 's/^#  *//' >&2; exit 64; }
[ "$(id -u)" = 0 ] || {
    echo "test-fleet: network namespaces need root" >&2
    echo "hint: sudo make test-fleet" >&2
    exit 77
}
programs=$(cd "$1" && pwd)
PATH=$PATH:/usr/sbin:/sbin
for needed in haproxy ip nft openssl pgbouncer python3 /usr/lib/postgresql/*/bin/initdb; do
    command -v "$needed" > /dev/null || {
        echo "test-fleet: nothing was tested, $needed is not installed" >&2
        echo "hint: apt-get install $(sed '/^#/d' "$here/debian-packages.txt" | tr '\n' ' ')" >&2
        exit 69
    }
done
for program in login-kiosk login-kiosk-scanner login-kiosk-backend; do
    [ -x "$programs/$program" ] || { echo "test-fleet: $programs/$program is not built" >&2; exit 66; }
done
setpriv --pdeathsig KILL unshare --mount --net --pid --fork --kill-child --mount-proc \
    python3 -B "$here/run.py" "$programs" &
fleet=$!
trap 'kill -KILL $fleet' INT TERM HUP
wait $fleet
