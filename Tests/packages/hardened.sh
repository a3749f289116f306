#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Reads how installed programs were linked: what an attacker who can write into one would look for.
#
#   hardened.sh INSTALLED
#
# INSTALLED is the DESTDIR of a `make install`, or a folder of packages that `make deb` made, for whatever architecture.
set -eu
[ $# = 1 ] || { sed -n '3,7s/^# \{0,1\}//p' "$0" >&2; exit 64; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for deb in "$1"/*.deb; do
    [ -e "$deb" ] || break
    dpkg-deb --extract "$deb" "$work/$(basename "$deb")"
done
[ -n "$(ls "$work")" ] || ln -s "$(cd "$1" && pwd)" "$work/installed"
. "$(dirname "$0")/../devices/common.sh"
explain() { grep -E 'RPATH|RUNPATH|FLAGS|TEXTREL' "$work/dynamic"; grep -E 'LOAD|RELRO|STACK' "$work/segments"; }

find -L "$work" -type f -path '*/usr/*' -name 'login-kiosk*' -perm -u+x > "$work/programs"
while read -r program; do
    shown=${program#"$work"/}
    readelf --wide --dynamic "$program" > "$work/dynamic" 2> /dev/null && [ -s "$work/dynamic" ] || continue
    readelf --wide --segments "$program" > "$work/segments"
    readelf --wide --dyn-syms "$program" > "$work/symbols"
    echo "$shown" >> "$work/read"
    check "$shown: at an address that each start draws" grep -q 'FLAGS_1.* PIE' "$work/dynamic"
    check "$shown: every address filled in before it begins" grep -q 'BIND_NOW' "$work/dynamic"
    check "$shown: and read-only then" grep -q GNU_RELRO "$work/segments"
    check "$shown: looks for libraries where the system has them" refused grep -E 'RPATH|RUNPATH' "$work/dynamic"
    check "$shown: no code on the stack" grep -q 'GNU_STACK .* RW ' "$work/segments"
    check "$shown: nothing that is both code and writable" refused grep -E 'TEXTREL|LOAD .* R?WE ' "$work/dynamic" "$work/segments"
    case $shown in
    */login-kiosk-scanner) check "$shown: a stack that is watched" grep -q __stack_chk_fail "$work/symbols" ;;
    esac
done < "$work/programs"
check "there are programs" test -s "$work/read"
verdict
