#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Tests that `make setup` gets a toolchain and `make demo` shows its build: with an archive, a key and a server of the test's own.
set -euo pipefail
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
work=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server"; GNUPGHOME=$work/gnupg gpgconf --kill all; rm -rf "$work"' EXIT
. "$top/Tests/devices/common.sh"
explain() { cat "$work/said"; }
says() { grep -q -- "$1" "$work/said"; }
is() { [ "$1" = "$2" ] || { echo "$1 is not $2"; return 1; }; }

# An archive as Swift's are, with a compiler that knows its version.
release=swift-6.3.1-RELEASE-debian12
[ "$(dpkg --print-architecture)" != arm64 ] || release=$release-aarch64
place=swift-6.3.1-release/${release#swift-6.3.1-RELEASE-}/swift-6.3.1-RELEASE
mkdir -p "$work/site/$place" "$work/$release/usr/bin" "$work/gnupg"
printf '#!/bin/sh\necho "Swift version 6.3.1 (test)"\n' > "$work/$release/usr/bin/swift"
chmod +x "$work/$release/usr/bin/swift"
head -c 100000 /dev/urandom > "$work/$release/usr/data"
archive=$work/site/$place/$release.tar.gz
tar -czf "$archive" -C "$work" "$release"
chmod 700 "$work/gnupg"
export GNUPGHOME=$work/gnupg
for who in maker stranger; do
    gpg --batch --quiet --passphrase '' --quick-generate-key "$who@example.com" ed25519 sign never 2> /dev/null
done
gpg --armor --export stranger@example.com > "$work/site/keys.asc"
gpg --armor --export maker@example.com >> "$work/site/keys.asc"
key=$(gpg --with-colons --fingerprint maker@example.com | sed -n 's/^fpr:*\([0-9A-F]*\):$/\1/p' | head -n 1)
sign() { rm -f "$archive.sig"; gpg --batch --quiet --local-user "$1@example.com" --output "$archive.sig" --detach-sign "$archive"; }
sign maker

python3 -B "$top/Tests/setup/server.py" "$work/site" > "$work/port" &
server=$!
within 60 test -s "$work/port"
site=http://127.0.0.1:$(cat "$work/port")
within 60 curl --silent --output /dev/null "$site/"

fetch() { # path of the site
    status=0
    XDG_CACHE_HOME=$work/cache "$top/deploy/toolchain.sh" fetch "$site$1" "$site/keys.asc" "$key" > "$work/said" 2>&1 || status=$?
}
cache=$work/cache/login-kiosk

fetch /cut
check "a download that is cut off says so" is "$status" 75
check "and keeps what came" is "$(stat -c %s "$cache/$release.tar.gz.part")" $(($(stat -c %s "$archive") / 2))
fetch /cut
check "the next one goes on there" is "$status/$(tail -n 3 "$work/site/asked" | head -n 1 | cut -d' ' -f2)" "0/$(($(stat -c %s "$archive") / 2))"
check "and the compiler runs" is "$("$cache/swift/usr/bin/swift" --version)" 'Swift version 6.3.1 (test)'
check "nothing else is left" is "$(cd "$cache" && ls | sort | tr '\n' ' ')" "swift $release "
: > "$work/site/asked"
fetch ''
check "what is there is not fetched again" is "$status/$(cat "$work/site/asked")" 0/

rm -rf "$cache"
sign stranger
fetch ''
check "a stranger's signature is refused" is "$status" 65
check "with words" says "is not signed by Swift's key $key"
check "and nothing is left" is "$(ls "$cache")" ''
sign maker
printf x >> "$archive"
fetch ''
check "a changed archive is refused" is "$status" 65
rm "$archive.sig"
fetch ''
check "one without a signature is refused" is "$status" 75
check "and nothing runs" is "$(ls "$cache" | grep -v tar.gz || true)" ''

status=0
PATH=/usr/bin:/bin TOOLCHAIN='' "$top/deploy/setup.sh" > "$work/said" 2>&1 < /dev/null || status=$?
check "without Swift and without a terminal setup ends" is "$status" 69
check "tells the size" says 'about 1 GB'
check "and how to agree" says 'make setup TOOLCHAIN=download'
for answer in n y; do
    status=0
    printf '%s\n' $answer | script --quiet --return --command "'$top/deploy/toolchain.sh' ask" /dev/null > "$work/said" || status=$?
    check "on a terminal it asks, and takes $answer" is "$status" "$([ $answer = y ] && echo 0 || echo 69)"
done

# A build of two steps.
cat > "$work/build" <<'B'
#!/bin/sh
echo "[1/2] Compiling MPinCrypto Fp.swift"
echo "[2/2] Linking login-kiosk"
test -z "$1" || { echo "Fp.swift:1:1: error: $1" >&2; exit 3; }
B
chmod +x "$work/build"
script --quiet --return --command "'$top/deploy/brief.sh' '$work/log' kiosk '$work/build' ''" /dev/null > "$work/said"
check "a build is one line that moves" says 'kiosk: step 1 of 2, MPinCrypto, 0:0'
check "with no line of its own" is "$(grep -c Compiling "$work/said" || true)" 0
check "and the whole of it in a file" is "$(grep -c '^\[' "$work/log")" 2
status=0
"$top/deploy/brief.sh" "$work/log" kiosk "$work/build" 'no such thing' 2> "$work/said" || status=$?
check "a build that fails ends it" is "$status" 3
check "says why" says 'error: no such thing'
check "without a terminal it says where to look" says "kiosk: begins; all that it says goes to $work/log"
check "and names the file" says "all that it said is in $work/log"

# An apt that speaks as much as the real one, on a machine where everything is missing.
cp -a "$top/deploy" "$work/fresh"
mkdir "$work/bin"
printf '#!/bin/sh\necho "Swift version 6.3.1 (test)"\n' > "$work/bin/swift"
printf '#!/bin/sh\nexit 1\n' > "$work/bin/dpkg-query"
printf '#!/bin/sh\nexec "$@"\n' > "$work/bin/sudo"
cat > "$work/bin/apt-get" <<'A'
#!/bin/sh
seq --format 'Setting up libthing%g:amd64 (1.0-1) ...' 425
echo "$*" >> "$0.asked"
[ ! -e "$0.fails" ] || { echo "E: Unable to locate package libthing" >&2; exit 100; }
A
chmod +x "$work"/bin/*
install_all() { status=0; PATH=$work/bin:/usr/bin:/bin "$work/fresh/setup.sh" > "$work/said" 2>&1 < /dev/null || status=$?; }
install_all
check "packages are installed" is "$status/$(grep -c -e update -e 'install.* make ' "$work/bin/apt-get.asked")" 0/2
check "without the lines of apt" is "$(grep -c 'Setting up' "$work/said" || true)" 0
check "which are in a file that is named" says "goes to .*.build-setup.log"
check "whole" is "$(grep -c 'Setting up' "$work/.build-setup.log")" 850
touch "$work/bin/apt-get.fails"
install_all
check "an apt that fails ends setup" is "$status" 100
check "and says why" says 'E: Unable to locate package libthing'
verdict
