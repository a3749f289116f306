# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Prepares a test, and makes namespaces for it. Sourced with `target`, its target of make, and `here`, its folder.
PATH=$PATH:/usr/sbin:/sbin

give_up() { # give_up CODE PROBLEM HINT
    echo "$target: $2" >&2
    echo "hint: $3" >&2
    exit "$1"
}
usage() { # usage LINE: of the script
    sed -n "$1p" "$0" | sed 's/^#  *//' >&2
    exit 64
}
need_root() { [ "$(id -u)" = 0 ] || give_up 77 "network namespaces need root" "sudo make $target"; }
need() { # need LISTS PROGRAM...: programs of the packages in these lists
    local lists=$1 needed
    shift
    for needed in "$@"; do
        # Unquoted on purpose: several files.
        # shellcheck disable=SC2086
        command -v "$needed" > /dev/null || give_up 69 "nothing was tested, $needed is not installed" \
            "apt-get install $(sed '/^#/d' $lists | tr '\n' ' ')"
    done
}
need_built() { # need_built FOLDER PROGRAM...
    local folder=$1 program
    shift
    for program in "$@"; do
        [ -x "$folder/$program" ] || give_up 66 "$folder/$program is not built" "make $target builds it"
    done
}
apart() { # apart SCRIPT ARGUMENT...: a script beside this one, in namespaces that end with it, however it ends
    local script=$1
    shift
    setpriv --pdeathsig KILL unshare --mount --net --pid --fork --kill-child --mount-proc python3 -B "$here/$script" "$@" &
    # Expanded when the signal comes.
    trap 'kill -KILL $!' INT TERM HUP
    wait $!
}
