# SPDX-License-Identifier: Apache-2.0
# Debians that are kept in a cache folder: what the cross compiler for arm64 and the tests of other Debians stand on. Sourced.
# A part is a folder that one function makes. It is made again when the function's text changes, and not otherwise.

# Where the parts lie: some 8 GB, outside of the checkout, so that a clean clone finds them.
cache=${LOGIN_KIOSK_CROSS:-${XDG_CACHE_HOME:-$HOME/.cache}/login-kiosk/cross}

say() { printf '%s %s\n' "$(date +%T)" "$*" >&2; }

# refuse CODE MESSAGE HINT
refuse() {
    echo "cross: $2" >&2
    echo "hint: $3" >&2
    exit "$1"
}

# Call this before making parts, and close_cache after.
open_cache() {
    [ "$(id -u)" = 0 ] || refuse 77 "making and entering a Debian below $cache needs root" "sudo make ..., or as root"
    command -v mmdebstrap > /dev/null || refuse 69 "mmdebstrap is missing" "apt-get install --no-install-recommends mmdebstrap"
    mkdir -p "$cache"
    cache=$(cd "$cache" && pwd)
}
close_cache() { exec 8>&-; }

# One call at a time makes parts, and who needs none made does not wait; the lock goes with the calling script.
lock_cache() {
    exec 8> "$cache/lock"
    flock --nonblock 8 || { say "waiting for another run with $cache"; flock 8; }
}

# part NAME COST [TEXT]: has the function NAME make the folder of that name, and says what it costs before. It is made
# again, too, when TEXT changes.
part() {
    local stamp folder=$cache/$1
    stamp=$({ declare -f "$1" debian; echo "${3:-}"; } | sha256sum | cut -c1-16)
    [ "$(cat "$folder.stamp" 2> /dev/null)" != "$stamp" ] || return 0
    lock_cache
    [ "$(cat "$folder.stamp" 2> /dev/null)" != "$stamp" ] || return 0
    say "$1: $2"
    # File systems are mounted there for the processes of a build only, and cannot be seen from here.
    rm -rf "$folder" "$folder.new" "$folder.stamp"
    # Not `||`: within one, a shell goes on after errors.
    set +e
    (set -e; "$1" "$folder.new") > "$folder.log" 2>&1
    local code=$?
    set -e
    [ "$code" = 0 ] || {
        tail -n 20 "$folder.log" >&2
        refuse 70 "$1 was not made" "$folder.log tells all of it"
    }
    mv "$folder.new" "$folder"
    echo "$stamp" > "$folder.stamp"
    say "$1: $(du -sm "$folder" | cut -f1) MB in $folder"
}

# debian SUITE ARCHITECTURES VARIANT PACKAGES FOLDER [OPTION...]: a Debian of the machine's own mirror.
debian() {
    local suite=$1 architectures=$2 variant=$3 packages=$4 folder=$5 mirror
    shift 5
    mirror=${MIRROR:-$("$(dirname "${BASH_SOURCE[0]}")/../mirror.sh" archive)}
    # A mirror may be a dated one, whose lists are past their time.
    mmdebstrap --mode=root --variant="$variant" --architectures="$architectures" --include="$packages" \
        --aptopt='APT::Install-Recommends "false"' --aptopt='Acquire::Check-Valid-Until "false"' \
        --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*' \
        --dpkgopt='path-exclude=/usr/share/locale/*' "$@" "$suite" "$folder" "$mirror"
}

# enter FOLDER COMMAND: runs shell text as root in the Debian FOLDER, with the cache, the working folder, SwiftPM's packages
# and BINDS (a list) where they are outside. Programs of TOOLCHAIN, a folder that is in BINDS, are found there. What is
# mounted is mounted for the command alone.
enter() {
    FOLDER=$1 CACHE=$cache unshare --mount --propagation private --pid --fork --kill-child bash -c '
        set -e
        # Packages that were only unpacked have none of these.
        mkdir -p "$FOLDER/proc" "$FOLDER/dev" "$FOLDER/tmp" "$FOLDER/etc"
        mount -t proc proc "$FOLDER/proc"
        mount --rbind /dev "$FOLDER/dev"
        mount -t tmpfs tmpfs "$FOLDER/tmp"
        for shared in "$CACHE" "$PWD" "$HOME/.cache/org.swift.swiftpm" ${BINDS:-}; do
            mkdir -p "$shared" "$FOLDER$shared"
            mount --bind "$shared" "$FOLDER$shared"
        done
        cp --remove-destination /etc/resolv.conf "$FOLDER/etc/resolv.conf"
        exec chroot "$FOLDER" /usr/bin/env --ignore-environment HOME="$HOME" LANG=C.UTF-8 TERM=dumb \
            PATH="${TOOLCHAIN:+$TOOLCHAIN/usr/bin:}/usr/sbin:/usr/bin:/sbin:/bin" ${CI:+CI="$CI"} \
            sh -c "cd \"\$1\" && eval \"\$2\"" sh "$PWD" "$1"
    ' bash "$2"
}
