#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Prints the Debian packages of lists, one a line: `name` for every release, `name [13]` for that one.
#
#   packages.sh RELEASE LIST...
#
# RELEASE is 12 or 13, or `here` for that of this machine; what has no number yet counts as the newest.
set -eu
release="$1"
shift
[ "$release" != here ] || release="$(. /etc/os-release && echo "${VERSION_ID:-13}")"
sed -e 's/#.*//' -e "s/ *\[$release\] *$//" -e '/\[/d' -e '/^ *$/d' "$@"
