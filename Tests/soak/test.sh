#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Logs in again and again at one kiosk, whose state and log are on a file system of 16 MB, while backend, network and
# camera go away and come back. Measures memory, descriptors and writes.
#
#   test.sh PROGRAMS LOGINS
#
# PROGRAMS is the folder with login-kiosk, login-kiosk-scanner and login-kiosk-backend. It needs root, for namespaces
# and a loop device, which end with this script, however it ends.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
target=test-soak-long
. "$here/../Scripts/apart.sh"
[ $# = 2 ] || usage 6
need_root
need "$here/debian-packages.txt" ip mkfs.ext4 mount openssl python3
programs=$(cd "$1" && pwd)
need_built "$programs" login-kiosk login-kiosk-scanner login-kiosk-backend
apart run.py "$programs" "$2"
