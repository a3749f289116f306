#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Cross-builds for arm64 in the checkout that is the working folder. As root.
#
#   build.sh SCRATCH ARGUMENT...        e.g. build.sh .build-arm64 --configuration release --product login-kiosk-scanner
#
# ARGUMENTs are those of `swift build`. CI means what it means for it.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/parts.sh"
[ $# -ge 1 ] || { sed -n '3,7s/^# \{0,1\}//p' "$0" >&2; exit 64; }
"$here/setup.sh"
cache=$(cd "$cache" && pwd)
scratch=$1
shift
# The archive's Swift is built with its own checks on: it is slow, and refuses code that it would translate wrongly.
found=$cache/sysroot/usr/lib/aarch64-linux-gnu/pkgconfig:$cache/sysroot/usr/share/pkgconfig
enter "$cache/compiler" "PKG_CONFIG_PATH='$found' PKG_CONFIG_SYSROOT_DIR='$cache/sysroot' swift build \
    --swift-sdks-path '$cache/sdk' --swift-sdk debian13-arm64 --scratch-path '$scratch' --disable-automatic-resolution $*"
