#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes the SYSROOT that packages for another machine are made with: a Debian's libraries, and dpkg's records of which package
# has which, and since which version. Nothing of it is run.
#
#   records.sh SUITE ARCH OUT PACKAGE...
#
# PACKAGE are the libraries that the programs link, or their -dev packages. Needs root and Debian's archive.
set -euo pipefail
[ $# -ge 4 ] || { sed -n '3,8s/^# \{0,1\}//p' "$0" >&2; exit 64; }
suite=$1 arch=$2 out=$(realpath -m "$3")
shift 3
rm -rf "$out"
mmdebstrap --quiet --variant=extract --architectures="$arch" --include="$(IFS=,; echo "base-files,$*")" \
    --extract-hook='cp -a "$1/var/cache/apt/archives" "$1/packages"' "$suite" "$out"
info=$out/var/lib/dpkg/info
mkdir -p "$info" "$out/var/lib/dpkg/updates"
# Its files are named with the architecture where several of one package could be installed.
echo 1 > "$info/format"
for deb in "$out"/packages/*.deb; do
    name=$(dpkg-deb --field "$deb" Package)
    [ "$(dpkg-deb --field "$deb" Multi-Arch)" != same ] || name=$name:$arch
    # Files by their paths here: dpkg-shlibdeps asks for those.
    dpkg-deb --fsys-tarfile "$deb" | tar --list | sed -e "s|^\.|$out|" -e 's|/$||' > "$info/$name.list"
    control=$(mktemp -d)
    dpkg-deb --control "$deb" "$control"
    for file in shlibs symbols; do [ ! -e "$control/$file" ] || cp "$control/$file" "$info/$name.$file"; done
    # The stanza as dpkg keeps it.
    sed -e '/^Package:/a Status: install ok installed' "$control/control" >> "$out/var/lib/dpkg/status"
    echo >> "$out/var/lib/dpkg/status"
    rm -rf "$control"
done
rm -rf "$out/packages"
