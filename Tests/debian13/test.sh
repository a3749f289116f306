#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds and tests on Debian 13, in a Debian of its own, what stands on libraries that differ from Debian 12's: scanner,
# camera and curl. The working folder is the checkout; Swift is the machine's own.
#
#   test.sh SCRATCH
#
# The Debian is kept beside the cross compiler (deploy/cross/parts.sh). Needs root.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
[ $# = 1 ] || { sed -n '3,8s/^# \{0,1\}//p' "$0" >&2; exit 64; }
. "$here/../../deploy/cross/parts.sh"

# Beside what deploy/setup.sh installs: what Swift's own programs need, and a newcomer's git.
lists=$here/../../deploy
packages=git,gcc,binutils,libc6-dev,libncurses6,libxml2,$("$lists/packages.sh" 13 "$lists/debian-packages.txt" | paste -sd ,)
debian13() { debian trixie amd64 apt "$packages" "$1"; }

swift=$(dirname "$(dirname "$(dirname "$(readlink -f "$(command -v swift)")")")")
open_cache
part debian13 "Debian 13 with what the project needs, 330 MB to download, 1.2 GB on disk, some 2 minutes" "$packages"
close_cache
# The rooms' names as Package.swift has them.
export LOGIN_KIOSK_ONLY=CurlTransport,Scanning,Capture,login-kiosk-scanner
BINDS=$swift enter "$cache/debian13" "swift build --scratch-path '$1' --build-tests --disable-automatic-resolution &&
    '$1/debug/login-kioskPackageTests.xctest' --testing-library swift-testing --no-parallel"
