# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# Two signed repositories of packages, as an operator would have them one after the other; sourced by test.sh and machine.sh.

case $debian in
12) suite=bookworm ;;
13) suite=trixie ;;
*) echo "packages: '$debian' is not a Debian that packages are made for" >&2; echo "hint: 12 or 13" >&2; exit 64 ;;
esac
able() { "$top/deploy/cross/foreign.sh" "$architecture" "$@"; } # what the architecture's programs need to run

# repositories FOLDER: apt-new with these packages, apt-old with the same under another number, and settings that have changed since.
repositories() {
    local deb tree version
    mkdir -p "$work"/{new,old,repack} "$1"
    cp "$packages"/*"+deb${debian}_$architecture.deb" "$work/new/"
    for deb in "$work"/new/*.deb; do
        tree=$work/repack/$(basename "$deb" .deb)
        dpkg-deb --raw-extract "$deb" "$tree"
        sed -i -e 's/^Version: .*+/Version: 0.1.0+/' -e 's/(= [^)]*+/(= 0.1.0+/g' "$tree/DEBIAN/control"
        [ ! -e "$tree/etc/login-kiosk/config.yaml" ] || sed -i '1s/^/# As of version 0.1.\n/' "$tree/etc/login-kiosk/config.yaml"
        dpkg-deb -Znone --root-owner-group --build "$tree" "$work/old/" > /dev/null
        rm -rf "$tree"
    done
    for version in old new; do
        "$top/deploy/packages/repository.sh" "$work/$version" "$1/apt-$version" 2> /dev/null
        rm -rf "$1/apt-$version.test-key"
    done
}

# fresh_debian PACKAGES NAME: a Debian of these beside the smallest one, kept for a day; says the file, a tar.
fresh_debian() {
    local file=$cache/$2.tar
    mkdir -p "$cache"
    if [ -z "$(find "$file" -mtime -1 2> /dev/null)" ]; then
        echo "packages: making a fresh $suite, $2" >&2
        # machine.sh makes a first file system later, with its own few drivers; test.sh needs none.
        INITRD=No able mmdebstrap --quiet --mode=root --format=tar --variant=minbase --architectures="$architecture" \
            --include="$1" "$suite" "$file.new" > "$work/log" 2>&1 || { tail -n 20 "$work/log" >&2; exit 70; }
        mv "$file.new" "$file"
    fi
    echo "$file"
}
