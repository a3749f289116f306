#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Prints the mirror of Debian that this machine's apt is set up with: the first source of a Debian's section `main`.
#
#   mirror.sh archive|security [FOLDER]
#
# `archive` is Debian's archive, `security` that of its security updates. FOLDER has apt's sources, else /etc/apt: the file
# sources.list, and those in sources.list.d whose names end in .list or .sources. They are read in the order of their names.
set -eu
[ $# -ge 1 ] && [ $# -le 2 ] || { sed -n '5p' "$0" | sed 's/^#  *//' >&2; exit 64; }
folder=${2:-/etc/apt}
case $1 in
archive) suffix='' variable=MIRROR ;;
security) suffix=-security variable=SECURITY_MIRROR ;;
*) echo "mirror: '$1' is not a kind of mirror" >&2; echo "hint: archive or security" >&2; exit 64 ;;
esac
set --
for file in "$folder/sources.list" "$folder"/sources.list.d/*.list "$folder"/sources.list.d/*.sources; do
    [ ! -f "$file" ] || set -- "$@" "$file"
done
# One line a source in either format: the address, the suites, `|`, the sections.
sources() {
    printf '%s\n' "$@" | LC_ALL=C sort | while read -r file; do
        case $file in
        *.list) sed -nE 's/#.*//; s/^[[:space:]]*deb[[:space:]]+(\[[^]]*\][[:space:]]*)?([^[:space:]]+)[[:space:]]+([^[:space:]]+)/\2 \3 |/p' "$file" ;;
        *) awk '
            function end() {
                if (field["types"] ~ /(^| )deb( |$)/ && tolower(field["enabled"]) !~ /^ *(no|false|without|off|disable|0) *$/) {
                    split(field["uris"], uris, " ")
                    print uris[1], field["suites"], "|", field["components"]
                }
                split("", field)
            }
            { sub(/\r$/, "") }
            /^#/ { next }
            /^[ \t]*$/ { end(); next }
            /^[^ \t]/ { name = tolower($0); sub(/[ \t]*:.*/, "", name); sub(/^[^:]*:/, "") }
            { gsub(/[ \t]+/, " "); field[name] = field[name] " " $0 " " }
            END { end() }' "$file" ;;
        esac
    done
}
[ $# = 0 ] || found=$(sources "$@" | awk -v suffix="$suffix" '
    $1 ~ /^cdrom:/ || !/\|.* main( |$)/ || found { next }
    { for (i = 2; $i != "|"; i++)
        if ($i ~ "^(bookworm|trixie|forky|duke|sid|(old)?(old)?stable|testing|unstable)" suffix "$") found = $1 }
    END { print found }')
[ -n "${found:-}" ] || {
    echo "mirror: no file of apt's sources in $folder names a mirror of Debian (bookworm$suffix main, for example)" >&2
    echo "hint: add one there, or say $variable=ADDRESS" >&2
    exit 78
}
echo "$found"
