#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A kiosk in a bad network: a line that loses, delays, doubles and damages what it carries, a resolver that lies,
# rebinds or is silent, servers that only look like the service, pages before the internet. People try to log in.
#
#   test.sh PROGRAMS SEEDS
#
# PROGRAMS is the folder with login-kiosk, login-kiosk-scanner and login-kiosk-backend, SEEDS the number of bad lines.
# It needs root, for namespaces, which end with this script, however it ends.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
target=test-network
. "$here/../Scripts/apart.sh"
[ $# = 2 ] || usage 6
need_root
need "$here/debian-packages.txt" ip mount openssl python3
programs=$(cd "$1" && pwd)
need_built "$programs" login-kiosk login-kiosk-scanner login-kiosk-backend
apart run.py "$programs" "$2"
