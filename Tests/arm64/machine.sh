#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Boots Debian 13's arm64 kernel in an emulated machine, with the small Debian as its RAM disk, and runs shell text there as
# root. Prints what it says as it comes, and ends with its exit code.
#
#   machine.sh FOLDER SECONDS COMMAND
#
# FOLDER is copied to /job, where COMMAND starts; bash functions `modprobe` and `rmmod` know the drivers of setup.sh.
# PROCESSOR (cortex-a76, as in a Raspberry Pi 5) and MEMORY (2048 MB) say what is emulated. With CLOCK=counted the machine has
# one processor, whose time is counted in instructions of 1 ns each, and to idle takes none. Exit codes of our own: 124 not done
# after SECONDS, 125 no exit code.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
[ $# = 3 ] || { sed -n '3,13s/^# \{0,1\}//p' "$0" >&2; exit 64; }
. "$here/../../deploy/cross/parts.sh"
"$here/setup.sh"
folder=$1 limit=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

mkdir "$work/more"
cp -a "$folder" "$work/more/job"
cp -a "$cache/kernel/modules" "$work/more/modules"
printf '%s\n' "$3" > "$work/more/job/.command"
cp "$here/init" "$work/more/init"
mkdir -p "$work/more/usr/local/bin"
cp "$cache"/kernel/fake* "$work/more/usr/local/bin/"
archive() { (cd "$1" && find . -xdev "${@:2}" -print | cpio --create --format newc --quiet --owner 0:0); }
archive "$cache/system" -path ./var/lib -prune -o -path ./var/cache -prune -o -path ./usr/share/perl -prune \
    -o -path ./tmp/* -prune -o -path ./dev/* -prune -o > "$work/disk"
archive "$work/more" >> "$work/disk"

cores="-accel tcg,thread=multi -smp 2"
[ "${CLOCK:-}" != counted ] || cores="-accel tcg,thread=single -icount shift=0,sleep=off -rtc clock=vm -smp 1"
code=0
# Unquoted on purpose: the cores are several words.
# shellcheck disable=SC2086
timeout --kill-after 5 "$limit" qemu-system-aarch64 -M virt -cpu "${PROCESSOR:-cortex-a76}" $cores \
    -m "${MEMORY:-2048}" -nodefaults -no-user-config -display none -no-reboot -kernel "$cache/kernel/vmlinuz" \
    -initrd "$work/disk" -serial stdio \
    -append "console=ttyAMA0 quiet panic=-1 rdinit=/init random.trust_bootloader=on mitigations=off ${APPEND:-}" \
    < /dev/null | tee "$work/said" | grep --line-buffered -v '^machine: exit ' || code=$?
said=$(tr -d '\r' < "$work/said" | sed -n 's/^machine: exit \([0-9]*\)$/\1/p' | tail -n 1)
[ -z "$said" ] || exit "$said"
[ "$code" != 124 ] || { echo "machine: not done after $limit s" >&2; exit 124; }
echo "machine: it ended without an exit code" >&2
exit 125
