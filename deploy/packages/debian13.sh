#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes packages for Debian 13 on a machine with another one: runs build.sh in a Debian 13 that has debhelper, lintian, and
# the libraries of both architectures with dpkg's records of them.
#
#   debian13.sh ARCH RELEASE OUT
#
# ARCH is amd64 or arm64; RELEASE, OUT, and what may be said in the environment are those of build.sh. The Debian is kept
# beside the cross compiler (deploy/cross/parts.sh). Needs root.
set -euo pipefail
[ $# = 3 ] || { sed -n '3,9s/^# \{0,1\}//p' "$0" >&2; exit 64; }
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
. "$top/deploy/cross/parts.sh"
arch=$1
[ -d "$2" ] || refuse 66 "$2 is not there" "make deb without RELEASE builds the programs"
# Where SwiftPM says what it linked: two above, as SCRATCH/release is a link to SCRATCH/TRIPLE/release.
release=$(cd "$2" && pwd -P)
mkdir -p "$3"
out=$(cd "$3" && pwd)
cd "$top"

# The libraries that the programs link, under the names of Debian 13; inventory.py reports one that is missing here.
libraries="libcairo2 libcurl4t64 libdrm2 libglib2.0-0t64 libharfbuzz0b libjpeg62-turbo libpango-1.0-0 libpangocairo-1.0-0 libpng16-16t64 libpq5 libpsl5t64 libqrencode4 libsqlite3-0 libssl3t64 libstdc++6 libv4lconvert0t64 libzbar0t64
    libzxing3 zlib1g"
packages=$({ deploy/packages.sh 13 deploy/packages/debian-packages.txt; echo binutils-aarch64-linux-gnu qemu-user
    for library in $libraries; do printf '%s\n' "$library" "$library:arm64"; done; } | paste -sd ,)
packaging() { debian trixie amd64,arm64 apt "$packages" "$1"; }
open_cache
part packaging "Debian 13 with what makes packages, 160 MB to download, 550 MB on disk, some 2 minutes" "$packages"
close_cache

# Asks git here, as a worktree's repository is elsewhere.
said=$(printf '%q ' "SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}" "ARCH=$arch" \
    "DEBFULLNAME=${DEBFULLNAME:-$(git log -1 --format=%an)}" "DEBEMAIL=${DEBEMAIL:-$(git log -1 --format=%ae)}" \
    ${VERSION:+"VERSION=$VERSION"} TMPDIR=/var/tmp)
BINDS="$(dirname "$(dirname "$release")") $out" \
    enter "$cache/packaging" "$said deploy/packages/build.sh $(printf '%q ' "$release" "$out")"
