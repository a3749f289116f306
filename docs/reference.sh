#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# docs/reference.sh SCRATCH: the reference of both libraries, made by the toolchain's docc, in SCRATCH-reference. A link that
# leads nowhere is an error. A parameter whose name says it all needs no sentence.
set -eu

scratch="$1"
out="$scratch-reference"
swift="${SWIFT:-swift}"
triple="$("$swift" -print-target-info | sed -n 's/.*"triple": "\([^"]*\)".*/\1/p' | head -n 1)"
modules="$("$swift" build --scratch-path "$scratch" --show-bin-path)/Modules"

rm -rf "$out"
for library in MPinClient MPinCrypto; do
    "$swift" build --disable-index-store --scratch-path "$scratch" --target "$library"
    mkdir -p "$out/$library"
    swift-symbolgraph-extract -module-name "$library" -target "$triple" -I "$modules" -I Sources/C/COpenSSL \
        -minimum-access-level public -skip-synthesized-members -output-dir "$out/$library"
    status=0
    docc convert "Sources/SDK/$library/$library.docc" --additional-symbol-graph-dir "$out/$library" \
        --fallback-display-name "$library" --fallback-bundle-identifier "login-kiosk.$library" \
        --output-path "$out/$library.doccarchive" > "$out/$library.log" 2>&1 || status=$?
    if [ "$status" -ne 0 ] || grep '^\(warning\|error\): ' "$out/$library.log" | grep -qv ' is missing documentation$'; then
        cat "$out/$library.log" >&2
        echo "docs: $library has links that lead nowhere, see above" >&2
        exit 1
    fi
done
echo "docs: python3 -m http.server --directory $out/MPinClient.doccarchive, then http://localhost:8000/documentation/mpinclient/"
