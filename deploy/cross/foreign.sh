#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs a command, as root, that can start programs of another architecture as if they were this machine's.
#
#   foreign.sh ARCH COMMAND...          e.g. foreign.sh arm64 chroot FOLDER /bin/sh
#
# ARCH is as dpkg names it. This machine's own programs run as they are; those of arm64 are translated by qemu-user. Where the
# machine itself does not know that emulator, it is made known to the command alone: a user namespace has its own list of
# formats since Linux 6.7.
set -euo pipefail
[ $# -ge 2 ] || { sed -n '3,9s/^# \{0,1\}//p' "$0" >&2; exit 64; }
architecture=$1
shift
refuse() { # refuse CODE MESSAGE HINT
    echo "foreign: $2" >&2
    echo "hint: $3" >&2
    exit "$1"
}
[ "$architecture" != "$(dpkg --print-architecture)" ] || exec "$@"
[ "$architecture" = arm64 ] || refuse 64 "no emulator is known for '$architecture'" "arm64, or this machine's own"
[ ! -e /proc/sys/fs/binfmt_misc/qemu-aarch64 ] || exec "$@"
[ "$(id -u)" = 0 ] || refuse 77 "programs of $architecture need root" "sudo"
[ -r /usr/lib/binfmt.d/qemu-aarch64.conf ] ||
    refuse 69 "qemu-user is missing" "apt-get install --no-install-recommends qemu-user-static"

# The users of the namespace are the machine's, as a Debian's files belong to several: that is written from outside, once
# the namespace is there. This process becomes the command, so that its end and its signals are the command's.
outside=$(readlink /proc/self/ns/user)
(
    while [ "$(readlink "/proc/$$/ns/user")" = "$outside" ]; do sleep 0.1; done
    { echo '0 0 65536' > "/proc/$$/gid_map" && echo '0 0 65536' > "/proc/$$/uid_map"; } 2> /dev/null || {
        echo "foreign: a namespace was not given this machine's users" >&2
        kill "$$" 2> /dev/null
    }
) &
# A program has root's rights from its first exec on after that.
exec unshare --user --mount --propagation private bash -c '
    until read -r _ < /proc/self/uid_map; do sleep 0.1; done
    exec "$@"' bash unshare --pid --fork --kill-child --mount-proc bash -c '
    mount -t binfmt_misc binfmt_misc /proc/sys/fs/binfmt_misc &&
        cat /usr/lib/binfmt.d/qemu-aarch64.conf > /proc/sys/fs/binfmt_misc/register || {
        echo "foreign: Linux $(uname -r) has no list of formats for a namespace" >&2
        echo "hint: Linux 6.7, or qemu-user made known to the machine: systemctl restart systemd-binfmt" >&2
        exit 69
    }
    exec "$@"' bash "$@"
