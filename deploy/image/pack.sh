#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Packs a folder with Debian into the one file that a slot holds: what build.sh calls, and what tests call with another system.
#
#   pack.sh FOLDER ROOT.squashfs [OPTION of mksquashfs...]
#
# grub reads kernel and first file system out of it, and knows gzip. What is compressed already stays as it is; Debian's kernel
# for arm64 is not.
set -eu
[ $# -ge 2 ] || { sed -n '3,8s/^# \{0,1\}//p' "$0" >&2; exit 64; }
folder=$1 file=$2
shift 2
mksquashfs "$folder" "$file" -comp gzip "$@" -noappend -no-progress -quiet -no-xattrs -b 256K \
    -action 'uncompressed @ name(initrd.img) || name(*.ko.xz)' > /dev/null
