#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs a command in a Debian 13 that has what the project needs, by the machine's own Swift. The working folder is the
# checkout, and is there as it is here.
#
#   debian13.sh WORD...                 e.g. debian13.sh swift build --scratch-path .build-debian13
#
# The words are shell text. The Debian is kept beside the cross compiler (parts.sh). CI means what it means for
# SwiftPM. Needs root.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/parts.sh"
[ $# -ge 1 ] || { sed -n '3,9s/^# \{0,1\}//p' "$0" >&2; exit 64; }

# Beside what deploy/setup.sh installs: what Swift's own programs need, and a newcomer's git.
lists=$here/..
packages=git,gcc,binutils,libc6-dev,libncurses6,libxml2,$("$lists/packages.sh" 13 "$lists/debian-packages.txt" | paste -sd ,)
debian13() { debian trixie amd64 apt "$packages" "$1"; }

# Not where `swift` on PATH lies: that may only start one of several.
TOOLCHAIN=$(swift -print-target-info | sed -n 's|.*"runtimeResourcePath": "\(.*\)/usr/lib/swift".*|\1|p')
[ -n "$TOOLCHAIN" ] || refuse 69 "Swift is a part of this system, and cannot be lent to another" \
    "install it in a folder of its own: https://www.swift.org/install/linux/"
export TOOLCHAIN
open_cache
part debian13 "Debian 13 with what the project needs, 330 MB to download, 1.2 GB on disk, some 2 minutes" "$packages"
close_cache
BINDS=$TOOLCHAIN enter "$cache/debian13" "$*"
