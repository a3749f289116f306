# SPDX-License-Identifier: Apache-2.0
# Programs for arm64 by qemu-user, which need no machine; after deploy/cross/parts.sh. Sourced, by scripts of this folder.

# emulate FOLDER COMMAND: runs shell text in the arm64 Debian FOLDER, with what `enter` has where it is outside.
emulate() {
    LOGIN_KIOSK_CROSS=$cache "$here/../../deploy/cross/foreign.sh" arm64 bash -c '. "$0"; enter "$1" "$2"' \
        "$here/../../deploy/cross/parts.sh" "$1" "
        # A program that ends by a signal would leave a dump in the checkout.
        ulimit -c 0
        # Tests link the dynamic libraries of Swift, which no package of the small Debian brings.
        export LD_LIBRARY_PATH='$cache/compiler/arm64/usr/libexec/swift/lib/swift/linux'
        $2"
}
