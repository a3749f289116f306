#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Installs the Debian packages that are listed in debian-packages.txt, and in further lists that are named, and missing
# here; and Swift's toolchain where there is none (toolchain.sh). Does nothing when all are there.
set -eu
here="$(dirname "$0")"

# Debian 13's own package `swiftlang` is 6.0.
has_swift() {
    version="$(swift --version 2>/dev/null | sed -n 's/^.*Swift version \([0-9]*\)\.\([0-9]*\).*/\1 \2/p' | head -n 1)"
    major="${version% *}" minor="${version#* }"
    [ "${major:-0}" -gt 6 ] || { [ "${major:-0}" -eq 6 ] && [ "$minor" -ge 2 ]; }
}

fetch=""
if ! has_swift; then
    "$here/toolchain.sh" ask
    fetch=yes
    set -- "$@" "$here/toolchain-packages.txt"
fi

missing=""
for package in $("$here/packages.sh" here "$here/debian-packages.txt" "$@"); do
    status="$(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null || true)"
    [ "$status" = installed ] || missing="$missing $package"
done

if [ -n "$missing" ]; then
    echo "setup: installing$missing" >&2
    as_root=""
    if [ "$(id -u)" -ne 0 ]; then
        if ! command -v sudo >/dev/null 2>&1; then
            echo "setup: installing packages needs root, and there is no sudo here" >&2
            echo "hint: as root: apt-get install --no-install-recommends$missing" >&2
            exit 77
        fi
        as_root=sudo
    fi
    log="$here/../.build-setup.log"
    rm -f "$log"
    # Unquoted on purpose: one word a package.
    # shellcheck disable=SC2086
    for step in update "install --yes --no-install-recommends $missing"; do
        "$here/brief.sh" "$log" apt $as_root env DEBIAN_FRONTEND=noninteractive apt-get --quiet $step
    done
fi

[ -z "$fetch" ] || "$here/toolchain.sh" fetch
