#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Has deploy/mirror.sh read sources of apt in both formats, in a folder that is thrown away.
#
#   mirror.sh
set -u
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
[ $# = 0 ] || { sed -n '5p' "$0" | sed 's/^#  *//' >&2; exit 64; }
. "$here/../devices/common.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
explain() { cat "$work/said"; }

fresh() { rm -rf "$work/apt" && mkdir -p "$work/apt/sources.list.d"; }
ask() { "$top/deploy/mirror.sh" "$1" "$work/apt" > "$work/said" 2>&1; }
finds() { ask "$1" && [ "$(cat "$work/said")" = "$2" ]; }
# refuses KIND WORDS: exit code 78, the folder, and the words
refuses() {
    ask "$1"
    [ $? = 78 ] && grep -q "$work/apt" "$work/said" && grep -q "$2" "$work/said"
}

echo "== one line a source"
fresh
cat > "$work/apt/sources.list" << 'END'
# deb http://commented.example/debian bookworm main
deb cdrom:[Debian GNU/Linux 12]/ bookworm main
deb-src http://source.example/debian bookworm main
deb http://other.example/debian bookworm contrib
deb http://vendor.example/apt bookworm-vendor main
deb	[arch=amd64 signed-by=/a.gpg]   http://one.example/debian/ bookworm contrib main # ours
deb http://late.example/debian bookworm main
deb http://one.example/debian-security bookworm-security main
END
check "the archive is the first source of the section main" finds archive http://one.example/debian/
check "security updates have a mirror of their own" finds security http://one.example/debian-security

echo "== deb822"
fresh
printf 'deb http://ignored.example/debian trixie main\n' > "$work/apt/sources.list.d/aaa.list.save"
printf 'Types: deb\nURIs: http://vendor.example/apt\nSuites: nodistro\nComponents: main\n' > "$work/apt/sources.list.d/aaa.sources"
cat > "$work/apt/sources.list.d/debian.sources" << 'END'
Types: deb-src
URIs: http://source.example/debian
Suites: trixie
Components: main

Enabled: no
Types: deb
URIs: http://off.example/debian
Suites: trixie
Components: main

# Ours.
types: deb deb-src
URIs:
# Not this one.
 https://two.example/debian
 https://three.example/debian
Suites: trixie-updates
 trixie
Components: contrib main

Types: deb
URIs: https://two.example/debian-security
Suites: trixie-security
Components: main
END
check "the archive is the first address of the first source that is in use" finds archive https://two.example/debian
check "security updates have a stanza of their own" finds security https://two.example/debian-security
sed -i 's/$/\r/' "$work/apt/sources.list.d/debian.sources"
check "lines may end as on Windows" finds archive https://two.example/debian

echo "== both"
printf 'deb http://first.example/debian stable main\n' > "$work/apt/sources.list.d/bbb.list"
check "files are read in the order of their names" finds archive http://first.example/debian
printf 'deb mirror+file:/etc/apt/mirrors/debian.list stable main\n' > "$work/apt/sources.list"
check "sources.list is read first, and lists of mirrors are sources" finds archive mirror+file:/etc/apt/mirrors/debian.list

echo "== none"
fresh
check "a folder without sources is told, and the way out" refuses archive ' MIRROR=ADDRESS'
printf 'deb http://one.example/debian trixie main\n' > "$work/apt/sources.list"
check "one without security updates, too" refuses security ' SECURITY_MIRROR=ADDRESS'
check "an unknown kind is told what there is" eval '! ask updates && grep -q "archive or security" "$work/said"'

echo "== the repository"
check "no command names a mirror of its own" \
    eval '! grep -rnE "(deb|security|snapshot|archive|ftp[.a-z]*)[.](debian|ubuntu)[.](org|com)" "$top/Makefile" "$top/deploy" "$top/Tests" "$top/.ci"'
verdict
