#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Sets up what the tests on arm64 run in: a small Debian 13 for arm64, and its kernel with pages of 16 KiB, as a Raspberry
# Pi 5 has. Kept beside the cross compiler; a second call does nothing.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/../../deploy/cross/parts.sh"
. "$here/emulate.sh"

# Unpacked and never installed: no script of a package has run. What that leaves out, and a test needs, is made here.
system() {
    debian trixie arm64 extract "base-files,base-passwd,bash,busybox-static,ca-certificates,coreutils,findutils,grep,libc-bin,\
mawk,openssl,pari-gp,perl-base,procps,sed,tzdata,v4l-utils,libcurl4t64,libjpeg62-turbo,libpng16-16t64,libpq5,libpsl5t64,libqrencode4,libsqlite3-0,libssl3t64,libstdc++6,\
libv4lconvert0t64,libxml2,libzbar0t64,libzxing3,zlib1g" "$1"
    cp "$1/usr/share/base-passwd/passwd.master" "$1/etc/passwd"
    cp "$1/usr/share/base-passwd/group.master" "$1/etc/group"
    ln -sf bash "$1/usr/bin/sh"
    ln -sf mawk "$1/usr/bin/awk"
    cat "$1"/usr/share/ca-certificates/mozilla/*.crt > "$1/etc/ssl/certs/ca-certificates.crt"
    mkdir -p "$1/proc" "$1/dev" "$1/sys" "$1/tmp" "$1/run" "$1/root"
}

# The drivers that tests load: a virtual camera, input devices of a program, and kpsim, a keypad at GPIO lines, which is
# compiled here with the programs that work it, by Debian's compiler for arm64, emulated.
drivers="vivid uinput evdev kpsim"
devices=$here/../devices
kernel() {
    local version driver tool tree=$1/archive
    mkdir -p "$1/modules"
    debian trixie arm64 extract "linux-image-arm64-16k,linux-headers-arm64-16k,libc6-dev,make,dash,bash,coreutils,findutils,\
grep,mawk,perl-base,sed" "$tree"
    version=$(basename "$tree"/boot/vmlinuz-* | cut -d- -f2-)
    cp "$tree/boot/vmlinuz-$version" "$1/vmlinuz"
    cp "$tree/boot/config-$version" "$1/config"
    # Links that a package makes when it is installed.
    ln -sfn usr/lib "$tree/lib"
    ln -sf gcc-14 "$tree/usr/bin/gcc"
    ln -sf mawk "$tree/usr/bin/awk"

    mkdir "$tree/kpsim"
    cp "$devices/kpsim/kpsim.c" "$devices/tools/fakepad.c" "$devices/tools/fakekeys.c" "$tree/kpsim/"
    echo 'obj-m := kpsim.o' > "$tree/kpsim/Kbuild"
    emulate "$tree" "cd /kpsim && make -C '/usr/src/linux-headers-$version' M=/kpsim modules &&
        for tool in fakepad fakekeys; do gcc -O2 -Wall -static -o \$tool \$tool.c; done"
    install -D "$tree/kpsim/kpsim.ko" "$tree/lib/modules/$version/updates/kpsim.ko"
    cp "$tree/kpsim/fakepad" "$tree/kpsim/fakekeys" "$1/"

    depmod --basedir "$tree" "$version"
    for driver in $drivers; do
        # The files that it needs, in their order; none where it is part of the kernel.
        modprobe --dirname "$tree" --set-version "$version" --show-depends "$driver" |
            sed -n 's/^insmod \([^ ]*\).*/\1/p' | while read -r file; do
            cp "$file" "$1/modules/"
            basename "$file" .xz
        done > "$1/modules/$driver"
    done
    unxz "$1"/modules/*.xz
    aarch64-linux-gnu-strip --strip-debug "$1"/modules/*.ko
    rm -rf "$tree"
}

# With the names of the C library's functions, which it looks for.
valgrind() {
    mkdir "$1"
    debian trixie arm64 extract valgrind,libc6-dbg "$1/archive"
    mkdir -p "$1/usr/bin" "$1/usr/lib" "$1/usr/libexec/valgrind"
    cp "$1"/archive/usr/bin/valgrind* "$1/usr/bin/"
    cp "$1"/archive/usr/libexec/valgrind/{memcheck-arm64-linux,vgpreload_*-arm64-linux.so,default.supp} \
        "$1/usr/libexec/valgrind/"
    cp -a "$1/archive/usr/lib/debug" "$1/usr/lib/"
    rm -rf "$1/archive"
}

open_cache
part system "Debian 13 for arm64, to run programs in, 50 MB to download, 100 MB on disk, some 30 seconds"
part kernel "its kernel and drivers, 190 MB to download, 40 MB on disk, some 3 minutes" \
    "$drivers $(cat "$devices/kpsim/kpsim.c" "$devices"/tools/fake{pad,keys}.c | sha256sum)"
part valgrind "Valgrind for arm64, 30 MB to download, 30 MB on disk, some 20 seconds"
close_cache
