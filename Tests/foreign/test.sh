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
target=test-foreign
. "$here/../Scripts/apart.sh"
[ $# -ge 2 ] || usage 6
[ -d "$2" ] || give_up 66 "${2:-FOREIGN} is no folder with checkouts of clients" \
    "make test-foreign FOREIGN=DIR; docs/testing.md says what belongs there"
need "$here/debian-packages.txt" haproxy node python3 zbarimg /usr/lib/postgresql/*/bin/initdb
need_built "$1" login-kiosk-backend
exec python3 -B "$here/run.py" "$@"
