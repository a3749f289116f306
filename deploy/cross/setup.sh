#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Sets up the cross compiler for arm64, of Debian's packages only: Debian sid for amd64 with its Swift, the same Swift's
# libraries for arm64, and the files of Debian 13 for arm64 to compile against. A second call does nothing.
#
#   setup.sh
#
# Keeps the result in $LOGIN_KIOSK_CROSS, else in the user's cache folder. Needs root, amd64 and Debian's archive.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/parts.sh"

# Debian's Swift comes with Foundation as modules that only the very same compiler reads, so that both architectures are
# fetched with one look at the archive. Of the arm64 packages only modules, headers and archives are kept: nothing of it
# runs here.
compiler() {
    debian sid amd64,arm64 apt \
        swiftlang,swiftlang-dev,git,ca-certificates,make,pkg-config,lld,libc6-dev,libstdc++-14-dev "$1" \
        --customize-hook='chroot "$1" sh -c "mkdir /arm64 && cd /arm64 &&
            apt-get -o APT::Sandbox::User=root download swiftlang:arm64 libswiftlang:arm64"'
    local package
    for package in "$1"/arm64/*.deb; do
        # tar ends with an error where one of the two has no such folder.
        dpkg-deb --fsys-tarfile "$package" | tar --extract --directory "$1/arm64" --wildcards \
            --exclude='*/lib/swift/pm/*' --exclude='*/lib/swift/host/*' './usr/libexec/swift/lib/swift/*' \
            './usr/libexec/swift/lib/swift_static/*' './usr/libexec/swift/lib/clang/*' || true
        rm "$package"
    done
    test -e "$1/arm64/usr/libexec/swift/lib/swift_static/linux/libswiftCore.a"
    # Debian's packages have the module _Testing_Foundation and not its library, which every test program is told to link.
    [ -e "$1/arm64/usr/libexec/swift/lib/swift/linux/lib_Testing_Foundation.so" ] ||
        echo '!<arch>' > "$1/arm64/usr/libexec/swift/lib/swift/linux/lib_Testing_Foundation.a"
}

# The libraries that the programs link, and the header of Valgrind.
libraries=$("$here/../packages.sh" 13 "$here/../debian-packages.txt" | grep -E -- '-dev$|^valgrind$' | paste -sd ,)
sysroot() {
    debian trixie arm64 extract "libc6-dev,linux-libc-dev,libgcc-14-dev,libxml2-dev,$libraries" "$1"
    # The driver looks for swiftrt.o there.
    ln -s "$cache/compiler/arm64/usr/libexec/swift/lib/swift" "$1/usr/lib/swift"
    ln -s "$cache/compiler/arm64/usr/libexec/swift/lib/swift_static" "$1/usr/lib/swift_static"
}

[ "$(uname -m)" = x86_64 ] || refuse 69 "the cross compiler runs on amd64 only" "on an arm64 machine: make release"
open_cache
part compiler "Debian sid with Swift, 1.1 GB to download, 4.2 GB on disk, some 3 minutes"
part sysroot "Debian 13's files for arm64, 150 MB to download, 800 MB on disk, some 30 seconds" "$libraries"

# SwiftPM's SDK, which names the places of all these.
bundle=$cache/sdk/debian13-arm64.artifactbundle
mkdir -p "$bundle/debian13-arm64"
cat > "$bundle/info.json" <<JSON
{ "schemaVersion": "1.0", "artifacts": { "debian13-arm64": {
    "type": "swiftSDK", "version": "1", "variants": [ { "path": "debian13-arm64" } ] } } }
JSON
cat > "$bundle/debian13-arm64/swift-sdk.json" <<JSON
{ "schemaVersion": "4.0", "targetTriples": { "aarch64-unknown-linux-gnu": {
    "sdkRootPath": "$cache/sysroot",
    "swiftResourcesPath": "$cache/compiler/arm64/usr/libexec/swift/lib/swift",
    "swiftStaticResourcesPath": "$cache/compiler/arm64/usr/libexec/swift/lib/swift_static",
    "toolsetPaths": [ "toolset.json" ] } } }
JSON
cat > "$bundle/debian13-arm64/toolset.json" <<JSON
{ "schemaVersion": "1.0", "swiftCompiler": {
    "extraCLIOptions": [ "-use-ld=lld", "-Xclang-linker", "--target=aarch64-linux-gnu" ] } }
JSON
