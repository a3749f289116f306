#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes a signed repository of packages, for apt, out of all that lie in a folder: to be served by any web server.
#
#   repository.sh PACKAGES OUT
#
# APT_KEY names the key of gpg that signs, with all 40 digits of its fingerprint. Without it a key for trials is made, beside
# OUT and without a passphrase. OUT is replaced as a whole, once everything is signed. APT_URL is where OUT will be served,
# for the file that operators copy.
set -euo pipefail
[ $# = 2 ] || { sed -n '3,9s/^# \{0,1\}//p' "$0" >&2; exit 64; }
packages=$(cd "$1" && pwd)
mkdir -p "$(dirname "$2")"
out=$(cd "$(dirname "$2")" && pwd)/$(basename "$2")
ls "$packages"/*.deb > /dev/null 2>&1 ||
    { echo "apt: no package lies in $packages" >&2; echo "hint: make deb" >&2; exit 66; }

if [ -z "${APT_KEY:-}" ]; then
    export GNUPGHOME=$out.test-key
    echo "apt: signing with a key for trials, in $GNUPGHOME" >&2
    echo "hint: for real, APT_KEY=FINGERPRINT of your key" >&2
    mkdir -p -m 700 "$GNUPGHOME"
    gpg --batch --list-secret-keys login-kiosk-test > /dev/null 2>&1 ||
        gpg --batch --quiet --passphrase '' --quick-generate-key login-kiosk-test ed25519 sign never
    APT_KEY=$(gpg --batch --with-colons --list-secret-keys login-kiosk-test | sed -n '/^fpr/{s/.*:\([0-9A-F]\{40\}\):/\1/p;q}')
fi

gpg --batch --list-secret-keys "$APT_KEY" > /dev/null 2>&1 ||
    { echo "apt: gpg has no secret key $APT_KEY" >&2; echo "hint: gpg --list-secret-keys" >&2; exit 78; }

work=$(mktemp -d "$out.XXXXXX")
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"
cd "$work"
for deb in "$packages"/*.deb; do
    # A package of Debian 12 has +deb12 at the end of its version.
    case $deb in
    *+deb12_*) suite=bookworm ;;
    *+deb13_*) suite=trixie ;;
    *) echo "apt: $deb names no Debian" >&2; echo "hint: make deb" >&2; exit 65 ;;
    esac
    mkdir -p "pool/$suite"
    cp "$deb" "pool/$suite/"
done
for suite in $(ls pool); do
    architectures=$(cd "pool/$suite" && ls | sed 's/.*_\([a-z0-9]*\)\.deb/\1/' | sort -u | tr '\n' ' ')
    for architecture in $architectures; do
        folder=dists/$suite/main/binary-$architecture
        mkdir -p "$folder"
        apt-ftparchive --arch "$architecture" packages "pool/$suite" > "$folder/Packages"
        xz --keep "$folder/Packages"
    done
    apt-ftparchive -o APT::FTPArchive::Release::Origin=login-kiosk -o APT::FTPArchive::Release::Label=login-kiosk \
        -o "APT::FTPArchive::Release::Suite=$suite" -o "APT::FTPArchive::Release::Codename=$suite" \
        -o "APT::FTPArchive::Release::Architectures=${architectures% }" -o APT::FTPArchive::Release::Components=main \
        release "dists/$suite" > Release
    mv Release "dists/$suite/Release"
    gpg --batch --yes --local-user "$APT_KEY" --clearsign --output "dists/$suite/InRelease" "dists/$suite/Release"
    gpg --batch --yes --local-user "$APT_KEY" --armor --detach-sign --output "dists/$suite/Release.gpg" "dists/$suite/Release"
    # The file that an operator puts into /etc/apt/sources.list.d.
    cat > "login-kiosk-$suite.sources" << SOURCES
Types: deb
URIs: ${APT_URL:-https://packages.example.com/login-kiosk}
Suites: $suite
Components: main
Signed-By: /usr/share/keyrings/login-kiosk.gpg
SOURCES
done
gpg --batch --export "$APT_KEY" > login-kiosk.gpg
# For /etc/apt/apt.conf.d, where unattended-upgrades takes Debian's own packages only. Without the options it leaves out a
# package whose settings the operator has changed.
cat > 52login-kiosk << UPGRADES
Unattended-Upgrade::Origins-Pattern:: "origin=login-kiosk";
Dpkg::Options:: "--force-confdef";
Dpkg::Options:: "--force-confold";
UPGRADES
rm -rf "$out"
mv "$work" "$out"
trap - EXIT
echo "signed by $APT_KEY: $out"
