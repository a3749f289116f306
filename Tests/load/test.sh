#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Measures the people that backends serve: a swarm of kiosks and browsers at HAProxy with deploy/fleet/haproxy.cfg, one, two and
# four backends, and PostgreSQL, each in a network namespace of its own, while processes are killed.
#
#   test.sh PROGRAMS RESULTS [PART ...]
#
# PROGRAMS is the folder with login-kiosk-backend and login-kiosk-dev, RESULTS one for reports. Parts:
# processor, processes, devices, kills, database, trips, few; without any, all. It needs root, for the namespaces, which
# nothing else sees and which end with this script, however it ends.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
target=test-load-long
. "$here/../Scripts/apart.sh"
[ $# -ge 2 ] || usage 6
need_root
need "$here/debian-packages.txt" haproxy ip openssl python3 /usr/lib/postgresql/*/bin/initdb
programs=$(cd "$1" && pwd)
need_built "$programs" login-kiosk-backend login-kiosk-dev
mkdir -p "$2"
results=$(cd "$2" && pwd)
shift 2
# A thousand kiosks and a thousand browsers, a balancer between them and the backends.
ulimit -n "$(ulimit -Hn)"
apart run.py "$programs" "$results" "$@"
