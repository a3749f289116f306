#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes a container of the backend's package, for this machine's Debian and processor, and of nothing but Debian's packages.
#
#   build.sh PACKAGES OUT
#
# PACKAGES is what `make deb` made. OUT gets login-kiosk-backend.tar, which `podman load` and `docker load` read. Needs root,
# mmdebstrap and podman.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
[ $# = 2 ] || { sed -n '3,8s/^# \{0,1\}//p' "$0" >&2; exit 64; }
suite=$(. /etc/os-release; echo "$VERSION_CODENAME")
architecture=$(dpkg --print-architecture)
release=$(. /etc/os-release; echo "$VERSION_ID")
package=$(ls "$1"/login-kiosk-backend_*+deb"$release"_"$architecture".deb 2> /dev/null | tail -n 1)
[ -n "$package" ] || {
    echo "container: $1 has no package of the backend for Debian $release, $architecture" >&2
    echo "hint: make deb" >&2
    exit 66
}
package=$(realpath "$package")
version=$(dpkg-deb --field "$package" Version)
mkdir -p "$2"
out=$(cd "$2" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mirror=$("$here/../mirror.sh" archive)
security=$("$here/../mirror.sh" security)
# The package's date, so that the same packages make the same root.
SOURCE_DATE_EPOCH=$(dpkg-deb --fsys-tarfile "$package" | tar --list --verbose --full-time --utc |
    awk '{ print $4 "T" $5 "Z" }' | sort | tail -n 1 | date --file=- +%s)
export SOURCE_DATE_EPOCH
echo "container: making Debian with $(basename "$package")" >&2
mmdebstrap --quiet --mode=root --variant=essential --architectures="$architecture" \
    --include="ca-certificates,curl,$package" \
    --aptopt='APT::Install-Recommends "false"' --aptopt='APT::Sandbox::User "root"' \
    --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-include=/usr/share/doc/*/copyright' \
    --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
    --hook-dir=/usr/share/mmdebstrap/hooks/file-mirror-automount \
    --customize-hook="install -D -m 755 '$here/serve' \"\$1/usr/libexec/login-kiosk-backend/serve\"" \
    --customize-hook='chroot "$1" install -d -m 700 -o login-kiosk-backend /var/lib/login-kiosk-backend' \
    "$suite" "$work/root.tar" "deb $mirror $suite main" "deb $mirror $suite-updates main" \
    "deb $security $suite-security main" > "$work/log" 2>&1 || { tail -n 20 "$work/log" >&2; exit 70; }
cp "$here/Containerfile" "$work/"
# Docker's format: the other one has no health check.
name=localhost/login-kiosk-backend:$version
name=${name//+/-}
podman build --quiet --format docker --timestamp "$SOURCE_DATE_EPOCH" --tag "$name" --tag localhost/login-kiosk-backend \
    "$work" > /dev/null
podman save --quiet --format docker-archive --output "$work/image.tar" "$name" localhost/login-kiosk-backend > /dev/null
mv "$work/image.tar" "$out/login-kiosk-backend.tar"
echo "container: $out/login-kiosk-backend.tar, $(($(stat --format=%s "$out/login-kiosk-backend.tar") >> 20)) MB" >&2
