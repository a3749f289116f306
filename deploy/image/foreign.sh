#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs a command that starts programs of another architecture. This machine's own are run as they are; others by qemu-user,
# which is made known to the command alone (that needs Linux 6.7) where the machine does not know it.
#
#   foreign.sh ARCHITECTURE COMMAND...
set -eu
architecture=$1
shift
[ "$architecture" != "$(dpkg --print-architecture)" ] || exec "$@"
[ ! -e /proc/sys/fs/binfmt_misc/qemu-aarch64 ] || exec "$@"
pipe=$(mktemp -u)
mkfifo "$pipe"
# All users of a Debian have to be there, so that the mapping is written from outside.
unshare --user --mount --pid --fork --kill-child sh -c '
    read -r _ < "$0"
    mount -t binfmt_misc binfmt_misc /proc/sys/fs/binfmt_misc
    cat /usr/lib/binfmt.d/qemu-aarch64.conf > /proc/sys/fs/binfmt_misc/register
    exec "$@"' "$pipe" "$@" &
inside=$!
sleep 1
echo '0 0 65536' > "/proc/$inside/uid_map"
echo '0 0 65536' > "/proc/$inside/gid_map"
echo go > "$pipe"
rm "$pipe"
wait "$inside"
