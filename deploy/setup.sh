#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Installs the Debian packages that are listed in debian-packages.txt, and in further lists that are named, and missing
# here. Does nothing when all are there.
set -eu

missing=""
for package in $("$(dirname "$0")/packages.sh" here "$(dirname "$0")/debian-packages.txt" "$@"); do
    status="$(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null || true)"
    [ "$status" = installed ] || missing="$missing $package"
done

if ! command -v swift >/dev/null 2>&1; then
    echo "setup: no Swift toolchain on PATH" >&2
    echo "hint: install Swift 6.3 from https://www.swift.org/install/linux/" >&2
    exit 69
fi
# Debian 13's own package `swiftlang` is 6.0.
version="$(swift --version 2>/dev/null | sed -n 's/^.*Swift version \([0-9]*\)\.\([0-9]*\).*/\1 \2/p' | head -n 1)"
major="${version% *}" minor="${version#* }"
if [ "${major:-0}" -lt 6 ] || { [ "$major" -eq 6 ] && [ "$minor" -lt 2 ]; }; then
    echo "setup: Swift ${major:-of an unknown version}${minor:+.$minor} on PATH is too old" >&2
    echo "hint: install Swift 6.3, or 6.2 at least, from https://www.swift.org/install/linux/" >&2
    exit 69
fi

[ -n "$missing" ] || exit 0
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

export DEBIAN_FRONTEND=noninteractive
$as_root apt-get update --quiet=2
# Unquoted on purpose: one word a package.
# shellcheck disable=SC2086
$as_root apt-get install --yes --quiet=2 --no-install-recommends $missing
