#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs shell text in the small Debian for arm64, each program translated by qemu-user. There is no seccomp and no Landlock in
# it, and pages are this machine's; machine.sh has all of that, and is slower to start.
#
#   run.sh COMMAND
#
# The working folder and the cache are where they are outside. As root.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
[ $# = 1 ] || { sed -n '3,8s/^# \{0,1\}//p' "$0" >&2; exit 64; }
. "$here/../../deploy/cross/parts.sh"
. "$here/emulate.sh"
"$here/setup.sh"
cache=$(cd "$cache" && pwd)
emulate "$cache/system" "$1"
