#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Boots the guest, runs a command in it as root, prints its output as it comes, and ends with its exit code.
#
#   run-guest.sh CACHE SECONDS FOLDER COMMAND
#
# FOLDER is copied into the guest, and COMMAND (shell text) starts there. With BOOT=systemd in the environment FOLDER's
# prepare.sh runs first, then systemd with a splash screen, and COMMAND beside the services of that boot. With CLOCK=counted the guest has one
# processor, whose time is counted in instructions of 1 ns each, and to idle takes none: hours of waiting pass in minutes, and
# a busy machine is never in the way. With KVM=yes the guest runs on this machine's own processors. With PANEL=WIDTHxHEIGHT it
# has a panel at virtio-gpu, and QEMU's monitor at the port job.monitor. It puts pictures of the panel into /mnt/out, and with
# PICTURES=FOLDER that folder keeps them. DEVICES has options of QEMU, for more devices. Exit codes of our own: 124 time limit
# (SECONDS, boot included), or QEMU was killed, 125 the guest ended without an exit code; its last messages are printed then.
set -u
[ $# = 4 ] || { sed -n '3,13s/^# \{0,1\}//p' "$0" >&2; exit 64; }
cache=$(cd "$1" && pwd) limit=$2 folder=$3 command=$4
[ -z "${PICTURES:-}" ] || PICTURES=$(cd "$PICTURES" && pwd)

boot=
[ "${BOOT:-}" != systemd ] || boot="job.boot systemd.wants=job.service systemd.show_status=no splash plymouth.ignore-serial-consoles"
processor="-accel tcg,thread=multi -smp 2"
[ "${CLOCK:-}" != counted ] || processor="-accel tcg,thread=single -icount shift=0,sleep=off -rtc clock=vm -smp 1"
[ "${KVM:-}" != yes ] || processor="-accel kvm -smp 2"

work=$(mktemp -d)
qemu='' reader=''
cleanup() {
    [ -z "$qemu" ] || kill "$qemu" 2>/dev/null
    [ -z "$reader" ] || kill "$reader" 2>/dev/null
    wait 2>/dev/null
    [ -z "${PICTURES:-}" ] || cp "$work"/out/*.ppm "$PICTURES/" 2>/dev/null
    rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 130' INT TERM
mkdir "$work/in" "$work/out"
mkfifo "$work/stdout"
cp -a "$folder/." "$work/in/" || exit 74
printf '%s\n' "$command" > "$work/in/.command"

# The monitor answers at a socket, and a port of the guest is connected to it.
panel=
[ -z "${PANEL:-}" ] || panel="-device virtio-gpu-pci,id=panel,xres=${PANEL%x*},yres=${PANEL#*x}
    -chardev socket,id=monitor,path=../monitor,server=on,wait=off -mon chardev=monitor,mode=control
    -chardev socket,id=port,path=../monitor -device virtserialport,chardev=port,name=job.monitor"

cat "$work/stdout" &
reader=$!
# The monitor's files are in the folder that the guest shares.
cd "$work/out" || exit 74
# Unquoted on purpose: the processor and the devices are several words.
# shellcheck disable=SC2086
TMPDIR=$work timeout -k 5 "$limit" qemu-system-x86_64 -M pc $processor -cpu max,la57=off -m 768 \
    -nodefaults -no-user-config -display none -no-reboot -kernel "$cache/vmlinux" -initrd "$cache/initrd.gz" \
    -append "$boot console=ttyS0 panic=-1 quiet mitigations=off nokaslr random.trust_cpu=on" \
    -serial "file:$work/console" -drive "if=none,id=root,format=raw,snapshot=on,file=$cache/root.img" \
    -device virtio-blk-pci,drive=root -device virtio-rng-pci -device virtio-serial-pci \
    -chardev "file,id=out,path=$work/stdout" -device virtserialport,chardev=out,name=job.out \
    -fsdev "local,id=in,path=$work/in,security_model=none,readonly=on" -device virtio-9p-pci,fsdev=in,mount_tag=job.in \
    -fsdev "local,id=out,path=$work/out,security_model=none" -device virtio-9p-pci,fsdev=out,mount_tag=job.out $panel \
    ${DEVICES:-} \
    < /dev/null 2> "$work/qemu.err" &
qemu=$!
wait "$qemu"
code=$?
qemu=
# If QEMU never opened the pipe, nobody else will: let the reader go.
: <> "$work/stdout"
wait "$reader"
reader=
[ ! -s "$work/out/exit-code" ] || exit "$(cat "$work/out/exit-code")"
cat "$work/qemu.err" >&2
tail -n 25 "$work/console" >&2
case $code in
124 | 137) echo "run-guest: not done after $limit s" >&2; exit 124 ;;
*) echo "run-guest: the guest ended without an exit code" >&2; exit 125 ;;
esac
