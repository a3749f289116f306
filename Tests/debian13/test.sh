#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds and tests on Debian 13, in a Debian of its own (deploy/cross/debian13.sh), what stands on libraries that differ from
# Debian 12's: scanner, camera and curl. The working folder is the checkout. Needs root.
#
#   test.sh SCRATCH
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
[ $# = 1 ] || { sed -n '3,6s/^# \{0,1\}//p' "$0" >&2; exit 64; }
"$here/../only.sh" CurlTransport,Scanning,Capture,login-kiosk-scanner "$1/package"
"$here/../../deploy/cross/debian13.sh" "swift build --package-path '$1/package' --scratch-path '$1' --build-tests --disable-index-store --disable-automatic-resolution &&
    Tests/run.sh '$1/debug/login-kioskPackageTests.xctest' '$1/tests'"
