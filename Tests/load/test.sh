#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# How many people backends serve: a swarm of kiosks and browsers at HAProxy with deploy/fleet/haproxy.cfg, one, two and
# four backends, and PostgreSQL, each in a network namespace of its own, while processes are killed.
#
#   test.sh PROGRAMS RESULTS [PART ...]
#
# PROGRAMS is the folder with login-kiosk-backend and login-kiosk-dev, RESULTS one for reports. Parts:
# processor, processes, devices, kills, database, trips, few; without any, all. It needs root, for the namespaces, which
# nothing else sees and which end with this script, however it ends.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
[ $# -ge 2 ] || { sed -n '6p' "$0" | sed 's/^#  *//' >&2; exit 64; }
[ "$(id -u)" = 0 ] || {
    echo "test-load-long: network namespaces need root" >&2
    echo "hint: sudo make test-load-long" >&2
    exit 77
}
programs=$(cd "$1" && pwd)
mkdir -p "$2"
results=$(cd "$2" && pwd)
shift 2
PATH=$PATH:/usr/sbin:/sbin
for needed in haproxy ip openssl python3 /usr/lib/postgresql/*/bin/initdb; do
    command -v "$needed" > /dev/null || {
        echo "test-load-long: nothing was measured, $needed is not installed" >&2
        echo "hint: apt-get install $(sed '/^#/d' "$here/debian-packages.txt" | tr '\n' ' ')" >&2
        exit 69
    }
done
for program in login-kiosk-backend login-kiosk-dev; do
    [ -x "$programs/$program" ] || { echo "test-load-long: $programs/$program is not built" >&2; exit 66; }
done
# A thousand kiosks and a thousand browsers, a balancer between them and the backends.
ulimit -n "$(ulimit -Hn)"
setpriv --pdeathsig KILL unshare --mount --net --pid --fork --kill-child --mount-proc \
    python3 -B "$here/run.py" "$programs" "$results" "$@" &
load=$!
trap 'kill -KILL $load' INT TERM HUP
wait $load
