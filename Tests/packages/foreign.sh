# SPDX-License-Identifier: Apache-2.0
# Programs of another architecture as if they were this machine's, by qemu-user. Sourced.

# able ARCH COMMAND...: runs a command, as root, that can start programs of ARCH. The emulator is known to that command
# alone, not to the machine: a user namespace has its own list of formats since Linux 6.7. Its users are the machine's, as
# packages give files to several; that is written from outside, and a program has root's rights from its next exec on.
able() {
    local architecture=$1
    shift
    [ "$architecture" != "$(dpkg --print-architecture)" ] || { "$@"; return; }
    bash -c '
        outside=$(readlink /proc/self/ns/user)
        (
            while [ "$(readlink "/proc/$$/ns/user")" = "$outside" ]; do sleep 0.1; done
            echo "0 0 65536" > "/proc/$$/gid_map"
            echo "0 0 65536" > "/proc/$$/uid_map"
        ) &
        exec unshare --user --mount --propagation private bash -c "
            until [ -n \"\$(cat /proc/self/uid_map)\" ]; do sleep 0.1; done
            exec \"\$@\"" bash "$@"' bash unshare --pid --fork --kill-child --mount-proc bash -c '
        mount -t binfmt_misc binfmt_misc /proc/sys/fs/binfmt_misc
        cat /usr/lib/binfmt.d/qemu-aarch64.conf > /proc/sys/fs/binfmt_misc/register
        exec "$@"' bash "$@"
}
