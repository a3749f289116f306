#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A fleet on one machine, each part in a network namespace of its own: PostgreSQL, HAProxy with
# deploy/fleet/haproxy.cfg, two backends, two D-TAs, three kiosks with simulated cameras. People register at one kiosk
# and log in at the others with personal cards, and in the middle of their logins each plug is pulled once.
#
#   test.sh PROGRAMS
#
# PROGRAMS is the folder with login-kiosk, login-kiosk-scanner and login-kiosk-backend. It needs root, for the
# namespaces. All of it, /run included, is in namespaces that nobody else sees and that end with this script, however
# it ends.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
target=test-fleet
. "$here/../Scripts/apart.sh"
[ $# = 1 ] || usage 7
need_root
need "$here/debian-packages.txt" haproxy ip nft openssl pgbouncer python3 /usr/lib/postgresql/*/bin/initdb
programs=$(cd "$1" && pwd)
need_built "$programs" login-kiosk login-kiosk-scanner login-kiosk-backend
apart run.py "$programs"
