#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs in the machine, as root: apt as docs/packages.md has an operator use it, without a question.
#
#   kiosk-apt repository old|new [online]     points apt at one of /job; only online it asks for Debian's own lists, too
#   kiosk-apt get ARGUMENT...
#   kiosk-apt upgrade                         what a machine does by itself at night
#
# The output of apt is in /run/apt.
set -eu
export DEBIAN_FRONTEND=noninteractive
action=$1
shift
case $action in
repository)
    cp "/job/apt-$1/login-kiosk.gpg" /usr/share/keyrings/login-kiosk.gpg
    sed "s|^URIs:.*|URIs: file:/job/apt-$1|" "/job/apt-$1"/login-kiosk-*.sources > /etc/apt/sources.list.d/login-kiosk.sources
    rm -f /var/lib/apt/lists/*job*
    if [ "${2:-}" = online ]; then exec apt-get update; fi
    apt-get -o Dir::Etc::sourcelist=sources.list.d/login-kiosk.sources -o Dir::Etc::sourceparts=- -o APT::Get::List-Cleanup=false \
        update > /run/apt 2>&1
    ! grep -q '^[EW]:' /run/apt
    ;;
upgrade)
    cp /job/apt-new/52login-kiosk /etc/apt/apt.conf.d/
    exec unattended-upgrade --verbose > /run/apt 2>&1
    ;;
get) apt-get --yes --no-install-recommends "$@" > /run/apt 2>&1 ;;
esac
