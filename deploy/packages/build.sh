#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes Debian packages of built programs, in a copy of what they hold, and checks them with lintian.
#
#   build.sh RELEASE OUT
#
# RELEASE is the folder where SwiftPM put the programs, optimised and with Swift's own libraries in them. OUT gets the
# packages. They are for the Debian that this runs in, whose libraries the programs must link: debian13.sh runs it in that
# one. Of programs of another architecture ARCH in the environment is the name that dpkg has for it: the libraries that they
# link are installed for it, too, and qemu-user, which translates them when they are asked for their help.
#
# VERSION is for tests of an upgrade. The same commit and the same programs make the same bytes: every date is the commit's.
set -euo pipefail
[ $# = 2 ] || { sed -n '3,12s/^# \{0,1\}//p' "$0" >&2; exit 64; }
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
release=$(cd "$1" && pwd)
mkdir -p "$2"
out=$(cd "$2" && pwd)
arch=${ARCH:-$(dpkg --print-architecture)}
programs="login-kiosk login-kiosk-backend login-kiosk-demo"

for program in $programs login-kiosk-scanner login-kiosk-display; do
    [ -x "$release/$program" ] || { echo "packages: $release/$program is not there" >&2; echo "hint: make release" >&2; exit 66; }
done

version=${VERSION:-$(sed -n 's/.*current = "\([0-9.]*\)".*/\1/p' "$top"/Sources/*/*/Version.swift)}
suite=$(. /etc/os-release; echo "$VERSION_CODENAME")
case $suite in
bookworm) version=$version+deb12 ;;
trixie) version=$version+deb13 ;;
*) echo "packages: '$suite' is not a Debian that packages are made for" >&2; echo "hint: on bookworm, or make deb DEBIAN=13" >&2; exit 69 ;;
esac
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$top" log -1 --format=%ct)}
maintainer="${DEBFULLNAME:-$(git -C "$top" log -1 --format=%an)} <${DEBEMAIL:-$(git -C "$top" log -1 --format=%ae)}>"
export SOURCE_DATE_EPOCH LC_ALL=C.UTF-8 TZ=UTC

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tree=$work/login-kiosk-$version
mkdir -p "$tree"/{programs,manual/{kiosk,backend,demo},inventory,overlays,completions/{bash,zsh,fish}}
cp -a "$top/deploy" "$top/Sources" "$tree/"
cp -a "$top/deploy/debian" "$tree/debian"
fill() { # fill FILE: the words that are known only here
    sed -e "s|@VERSION@|$version|" -e "s|@SUITE@|$suite|" -e "s|@MAINTAINER@|$maintainer|" \
        -e "s|@DATE@|$(date -R -d "@$SOURCE_DATE_EPOCH")|" "$1"
}
fill "$top/deploy/debian/control" > "$tree/debian/control"
fill "$top/deploy/debian/changelog.in" > "$tree/debian/changelog"
cp "$top/udev/70-login-kiosk.rules" "$tree/debian/login-kiosk.udev"
cp "$top/deploy/tmpfiles/login-kiosk.conf" "$tree/debian/login-kiosk.tmpfiles"
for package in login-kiosk login-kiosk-backend; do
    cp "$top/deploy/systemd/$package.service" "$tree/debian/$package.service"
    cp "$top/deploy/sysusers/$package.conf" "$tree/debian/$package.sysusers"
done
# Debian 12's systemd does not know it.
[ "$suite" = bookworm ] || sed -i 's/^Type=notify$/Type=notify-reload/' "$tree/debian/login-kiosk.service"

for program in $programs login-kiosk-scanner login-kiosk-display; do
    cp "$release/$program" "$tree/programs/"
    # Installed they are not to look for libraries beside themselves, as they do in a build's folder.
    chrpath --delete "$tree/programs/$program" > /dev/null
done
# The programs that are asked for their help.
asked=$work/asked
mkdir "$asked"
for program in $programs; do
    case $arch in
    "$(dpkg --print-architecture)") ln -s "$release/$program" "$asked/$program" ;;
    arm64)
        printf '#!/bin/sh\nexec qemu-aarch64 "%s" "$@"\n' "$release/$program" > "$asked/$program"
        chmod +x "$asked/$program"
        ;;
    esac
done
for program in $programs; do
    # A completion is read by a shell, not run. The pages that it names are installed ones.
    case $program in *-backend) documents=/usr/share/doc/login-kiosk-backend ;; *) documents=/usr/share/doc/login-kiosk ;; esac
    completion() { "$asked/$program" --generate-completion-script "$1" | sed -E "1{/^#!/d}; s|docs/([a-z-]+\.md)|$documents/\1|g"; }
    completion bash > "$tree/completions/bash/$program"
    completion zsh > "$tree/completions/zsh/_$program"
    completion fish > "$tree/completions/fish/$program.fish"
done
manual=$top/deploy/packages/manual.py
(cd "$asked" && python3 -B "$manual" "$tree/manual" "${version%+*}" $(printf './%s ' $programs))
python3 -B "$manual" --settings "$tree/manual" "${version%+*}" "$asked/login-kiosk" "$top/docs/deployment.md"
for page in "$tree"/manual/*.[1-8]; do
    case ${page##*/} in
    login-kiosk-backend[.-]*) mv "$page" "$tree/manual/backend/" ;;
    login-kiosk-demo[.-]*) mv "$page" "$tree/manual/demo/" ;;
    *) mv "$page" "$tree/manual/kiosk/" ;;
    esac
done
for overlay in "$top"/deploy/overlays/*.dts; do
    dtc -@ -q -I dts -O dtb -o "$tree/overlays/$(basename "$overlay" .dts).dtbo" "$overlay"
done
for package in login-kiosk login-kiosk-backend; do python3 -B "$top/deploy/packages/pages.py" "$package" "$tree/pages"; done
(cd "$top" && python3 -B deploy/packages/inventory.py "$release" "$tree/inventory" "$version" "$arch" \
    login-kiosk=login-kiosk,login-kiosk-scanner login-kiosk-display=login-kiosk-display login-kiosk-backend=login-kiosk-backend login-kiosk-demo=login-kiosk-demo)
mv "$tree/inventory/copyright" "$tree/debian/copyright"

# dpkg takes later times back to this one, and leaves earlier ones: those of the checkout.
find "$tree" -exec touch --no-dereference --date "@$SOURCE_DATE_EPOCH" {} +
# Everything that was built has the right version of its tools by now: -d, as a cross build has another machine's.
(cd "$tree" && dpkg-buildpackage --build=binary --no-sign --no-check-builddeps --host-arch="$arch") > "$work/log" 2>&1 ||
    { tail -n 40 "$work/log" >&2; exit 70; }
lintian --fail-on error,warning --suppress-tags initial-upload-closes-no-bugs "$work"/*.changes
rm -f "$out"/*"_${version}_$arch".*
mv "$work"/*.deb "$work"/*.changes "$work"/*.buildinfo "$out/"
(cd "$out" && ls -l -- *"_${version}_$arch.deb")
