# SPDX-License-Identifier: Apache-2.0
# Programs for arm64 by qemu-user, which need no machine; after deploy/cross/parts.sh. Sourced.

# emulate FOLDER COMMAND: runs shell text in the arm64 Debian FOLDER. The working folder and the cache are where they are
# outside. The emulator is known to this command alone, not to the machine: that needs Linux 6.7.
emulate() {
    FOLDER=$1 CACHE=$cache unshare --user --map-root-user --mount --pid --fork --kill-child bash -c '
        set -e
        # A program that ends by a signal would leave a dump in the checkout.
        ulimit -c 0
        mount -t binfmt_misc binfmt_misc /proc/sys/fs/binfmt_misc
        cat /usr/lib/binfmt.d/qemu-aarch64.conf > /proc/sys/fs/binfmt_misc/register
        mkdir -p "$FOLDER/proc" "$FOLDER/dev" "$FOLDER/tmp"
        mount --rbind /proc "$FOLDER/proc"
        mount --rbind /dev "$FOLDER/dev"
        mount -t tmpfs tmpfs "$FOLDER/tmp"
        for shared in "$CACHE" "$PWD"; do
            mkdir -p "$FOLDER$shared"
            mount --rbind "$shared" "$FOLDER$shared"
        done
        # Tests link the dynamic libraries of Swift, which no package of the small Debian brings.
        exec chroot "$FOLDER" /usr/bin/env --ignore-environment HOME=/root LANG=C.UTF-8 TERM=dumb \
            PATH=/usr/sbin:/usr/bin:/sbin:/bin LD_LIBRARY_PATH="$CACHE/compiler/arm64/usr/libexec/swift/lib/swift/linux" \
            sh -c "cd \"\$1\" && eval \"\$2\"" sh "$PWD" "$1"
    ' bash "$2"
}
