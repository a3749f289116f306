#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Clients that other projects wrote, as they are, against the reference backend: one process on SQLite, then two on one
# PostgreSQL behind HAProxy with deploy/fleet/haproxy.cfg: each in turn, then whichever is less busy.
#
#   test.sh PROGRAMS CHECKOUTS [one|two|leastconn]
#
# PROGRAMS is the folder with login-kiosk-backend. CHECKOUTS is a folder with checkouts of the clients, whatever they
# are called; nothing is fetched. What is not among them is skipped, and told.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
[ $# -ge 2 ] || { sed -n '6p' "$0" | sed 's/^#  *//' >&2; exit 64; }
[ -d "$2" ] || {
    echo "test-foreign: ${2:-FOREIGN} is no folder with checkouts of clients" >&2
    echo "hint: make test-foreign FOREIGN=DIR; docs/testing.md says what belongs there" >&2
    exit 66
}
PATH=$PATH:/usr/sbin:/sbin
for needed in haproxy node python3 zbarimg /usr/lib/postgresql/*/bin/initdb; do
    command -v "$needed" > /dev/null || {
        echo "test-foreign: nothing was tested, $needed is not installed" >&2
        echo "hint: apt-get install $(sed '/^#/d' "$here/debian-packages.txt" | tr '\n' ' ')" >&2
        exit 69
    }
done
[ -x "$1/login-kiosk-backend" ] || { echo "test-foreign: $1/login-kiosk-backend is not built" >&2; exit 66; }
exec python3 -B "$here/run.py" "$@"
