#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Names the boot partition in an image's old-style partition table, too: the firmware of a Raspberry Pi 3 reads no other.
#
#   hybrid.sh IMAGE SECTORS        the boot partition has SECTORS, from sector 2048
set -eu
word() { printf "\\$(printf %o $(($1 & 255)))\\$(printf %o $(($1 >> 8 & 255)))\\$(printf %o $(($1 >> 16 & 255)))\\$(printf %o $(($1 >> 24 & 255)))"; }
entry() { printf "\\000\\000\\002\\000\\$(printf %o "$1")\\377\\377\\377"; word "$2"; word "$3"; }
{
    # FAT32, then what tells others that a newer table counts.
    entry 12 2048 "$2"
    entry 238 1 2047
} | dd of="$1" bs=1 seek=446 conv=notrunc status=none
