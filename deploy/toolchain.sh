#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Swift's official toolchain in a cache folder of this person's, where the Makefile finds it: CACHE/swift/usr/bin.
#
#   toolchain.sh ask      asks on a terminal whether to download it; TOOLCHAIN=download answers yes
#   toolchain.sh fetch [SITE KEYS FINGERPRINT]
#
# The archive counts when the key with this fingerprint has signed it, whoever sent archive and keys. A test has a site and
# a key of its own.
set -eu
version=6.3.1
# Swift's archive for Debian 12 runs on Debian 13, too.
name="swift-$version-RELEASE-debian12"
[ "$(dpkg --print-architecture)" != arm64 ] || name="$name-aarch64"
cache="${XDG_CACHE_HOME:-${HOME:?HOME is not set}/.cache}/login-kiosk"

say() { echo "setup: $1" >&2; }
fail() { say "$2"; echo "hint: $3" >&2; exit "$1"; }

if [ "${1:-}" = ask ]; then
    say "no Swift 6.2 or newer is on PATH. Its toolchain is a download of about 1 GB and takes 3.5 GB in $cache"
    [ "${TOOLCHAIN:-}" != download ] || exit 0
    if [ -t 0 ] && [ -t 2 ]; then
        printf 'Download it? [y/N] ' >&2
        read -r answer || answer=
        case $answer in [yY] | [yY][eE][sS]) exit 0 ;; esac
    fi
    echo "hint: make setup TOOLCHAIN=download, or install Swift 6.3 from https://www.swift.org/install/linux/" >&2
    exit 69
fi
[ "${1:-}" = fetch ] || { sed -n '3,9s/^# \{0,1\}//p' "$0" >&2; exit 64; }
site="${2:-https://download.swift.org}"
keys="${3:-https://www.swift.org/keys/all-keys.asc}"
fingerprint="${4:-52BB7E3DE28A71BE22EC05FFEF80A866B47A981F}"
archive="$site/swift-$version-release/debian12${name#swift-"$version"-RELEASE-debian12}/swift-$version-RELEASE/$name.tar.gz"

# A transfer that stands still for a minute has failed.
download() { # what, where to, further options
    from="$1" to="$2"
    shift 2
    curl --fail --location --silent --show-error --connect-timeout 20 --speed-limit 1000 --speed-time 60 "$@" \
        --output "$to" "$from"
}

umask 022
mkdir -p "$cache"
work="$(mktemp -d "$cache/fetch.XXXXXX")"
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP

if [ ! -x "$cache/$name/usr/bin/swift" ]; then
    kept="$cache/$name.tar.gz"
    if [ ! -e "$kept" ]; then
        say "downloading $archive"
        bar=
        [ ! -t 2 ] || bar=--progress-bar
        # Goes on where an earlier try was cut off.
        download "$archive" "$kept.part" --continue-at - $bar ||
            fail 75 "the download of $archive did not come to its end" "run it again: what came is kept in $kept.part"
        mv "$kept.part" "$kept"
    fi
    download "$archive.sig" "$work/signature" && download "$keys" "$work/keys.asc" ||
        fail 75 "the signature of $archive, or $keys, cannot be had" "run it again"
    # Blocks of base64 as the keys that gpgv reads.
    awk -v decode="base64 -d >> '$work/keys'" '
        { sub(/\r$/, "") }
        /^-----BEGIN PGP PUBLIC KEY BLOCK-----$/ { inside = 1; next }
        /^-----END/ { inside = body = 0; close(decode); next }
        inside && !body { body = $0 == ""; next }
        body && !/^=/ { print | decode }' "$work/keys.asc"
    gpgv --homedir "$work" --keyring "$work/keys" --status-fd 1 "$work/signature" "$kept" > "$work/status" 2> /dev/null || true
    # A key whose time is over counts: Swift prolongs its keys late.
    if ! grep -q "^\[GNUPG:\] VALIDSIG .* $fingerprint\$" "$work/status" || grep -q ' REVKEYSIG ' "$work/status"; then
        rm -f "$kept"
        fail 65 "$archive is not signed by Swift's key $fingerprint; it was deleted" \
            "try again later, or install Swift from https://www.swift.org/install/linux/"
    fi
    mkdir "$work/unpacked"
    tar --extract --gzip --file "$kept" --directory "$work/unpacked" --strip-components 1 --no-same-owner ||
        fail 73 "$kept cannot be unpacked in $cache" "make room for 3.5 GB there"
    rm -rf "${cache:?}/$name"
    mv "$work/unpacked" "$cache/$name"
    rm -f "$kept"
fi
"$cache/$name/usr/bin/swift" --version > /dev/null ||
    fail 69 "$cache/$name/usr/bin/swift does not run here" "install Swift from https://www.swift.org/install/linux/"
ln -sfn "$name" "$cache/swift"
say "Swift $version is in $cache/$name"
