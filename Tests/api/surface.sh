#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# surface.sh SCRATCH [--write]: compares the public surface of the SDK's libraries, which are built in SCRATCH, with the listings
# beside this script, or writes these again. A change of the surface is to be seen in a review.
set -eu

scratch="$1"
mode="${2:-}"
swift="${SWIFT:-swift}"
top="$(cd "$(dirname "$0")/../.." && pwd)"
triple="$("$swift" -print-target-info | sed -n 's/.*"triple": "\([^"]*\)".*/\1/p' | head -n 1)"
modules="$("$swift" build --scratch-path "$scratch" --show-bin-path)/Modules"
out="$scratch-surface"
rm -rf "$out"
for library in CurlTransport SQLiteStore; do "$swift" build --disable-index-store --scratch-path "$scratch" --target "$library" >&2; done

# Module maps that the modules' own imports lead to.
headers="$(for map in "$top"/Sources/C/*/module.modulemap "$scratch"/checkouts/GRDB.swift/Sources/GRDBSQLite/module.modulemap; do
    [ ! -e "$map" ] || printf ' -I %s' "${map%/*}"; done)"

status=0
# LoginValues names two types of Encoding again.
for library in Encoding LoginValues MPinCrypto MPinClient CurlTransport SQLiteStore; do
    mkdir -p "$out/$library"
    # shellcheck disable=SC2086
    swift-symbolgraph-extract -module-name "$library" -target "$triple" -I "$modules" $headers \
        -minimum-access-level public -skip-synthesized-members -output-dir "$out/$library"
    python3 -B "$top/Tests/api/listing.py" "$out/$library"/*.symbols.json > "$out/$library.txt"
    if [ "$mode" = --write ]; then
        cp "$out/$library.txt" "$top/Tests/api/$library.txt"
    elif ! diff -u "$top/Tests/api/$library.txt" "$out/$library.txt"; then
        status=1
    fi
done
[ "$status" = 0 ] || {
    echo "surface: the public surface has changed, see above" >&2
    echo "hint: if it is meant, make api, and say so in CHANGELOG.md" >&2
}
exit "$status"
