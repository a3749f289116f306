#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs in the guest of power.py: a backend and the kiosk's commands, both with their state on the disk /dev/vdb. Prints
# the begin and the end of each action, and after a power cut the state. `known` has the part to run, PINs and people.
. ./common.sh
. ./backend.sh
. ./known
user=tina@example.com wrong=8350
mkdir /state
mount -t ext4 -o noatime /dev/vdb /state || exit 1

kiosk() { ./login-kiosk "$@" --state /state/kiosk --config /state/config; }
backend() { ./login-kiosk-backend "$@" --state /state/backend; }
serve() {
    busybox ifconfig lo 127.0.0.1 up
    ./login-kiosk-backend --listen 127.0.0.1:8480 --state /state/backend --dialect trust-2025 --code-lifetime 300 \
        --public-outbox --admit anybody > /tmp/served 2>&1 &
    within 120 busybox wget -q -O /dev/null "$site/" || { sed 's/^/log /' /tmp/served; return 1; }
}
register() { # register USER PIN
    answer=$2
    set -- enroll --backend $site --user "$1" --wait 0 --allow-loopback-http
    kiosk "$@" --send-again < /dev/null >> /tmp/log 2>&1
    # The newest mail comes first.
    code=$(busybox wget -q -O - --header 'Accept: application/json' $site/outbox |
        grep -o '"code": *"[^"]*"' | head -n 1 | cut -d '"' -f 4)
    printf '%s\n' "$code" "$answer" | kiosk "$@" >> /tmp/log 2>&1
}
try() { # try USER PIN: a registration code needs the right one; 80 is a wrong one
    echo "$2" | kiosk registration-code --user "$1" --allow-loopback-http 2>> /tmp/log > /dev/null
}
refuses() {
    try "$@"
    [ $? = 80 ]
}
settled() { # settled USER PIN: once the backend has given up a login that was cut off; `result` is the exit code
    try "$1" "$2"
    result=$?
    [ $result != 75 ]
}
log_in() { # with the page of a browser
    come
    browse /qr.png > /tmp/code.png
    ./login-kiosk scan --source /tmp/code.png > /tmp/code 2>> /tmp/log
    echo "$pin" | kiosk login --user $user --qr-file /tmp/code --allow-loopback-http >> /tmp/log 2>&1
    result=$?
    [ $result != 0 ] || within 60 logged_in || result=1
    leave
    return $result
}
act() { # act KIND WORD
    case $1 in
    wrong) try $user $wrong ;;
    right) try $user "$pin" ;;
    login) log_in ;;
    change)
        printf '%s\n' "$pin" "$2" |
            kiosk identities change-pin --user $user --allow-loopback-http >> /tmp/log 2>&1 || return
        pin=$2
        ;;
    renew) backend renew $user >> /tmp/log 2>&1 && log_in ;;
    rotate) kiosk key rotate >> /tmp/log 2>&1 ;;
    register) register "$2" "$pin" ;;
    esac
}
users() { echo "users $1 $(backend users --json 2>> /tmp/log)"; }

case $part in
begin)
    serve
    check "it is trusted" ./login-kiosk trust add 127.0.0.1:8480 --config /state/config
    check "the first user is registered" register $user "$pin"
    check "the PIN is right" try $user "$pin"
    check "another is wrong" refuses $user $wrong
    backend unblock $user >> /tmp/log 2>&1
    kill $!
    wait
    umount /state
    verdict
    ;;
act)
    serve || exit 1
    number=0
    for action in $actions; do
        echo "begin $number"
        act "${action%%:*}" "${action#*:}"
        result=$?
        case $result in 0 | 80) ;; *) tail -n 3 /tmp/log | sed 's/^/log /' ;; esac
        echo "end $number $result"
        number=$((number + 1))
    done
    # The cut comes.
    sleep 600
    ;;
look)
    kiosk identities list > /tmp/said 2>&1
    echo "store $? $(grep -c -i -E 'lost|damaged|aside' /tmp/said)"
    users before
    backend audit verify >> /tmp/log 2>&1
    echo "audit $?"
    serve || exit 1
    # So that both PINs may be tried.
    backend unblock $user >> /tmp/log 2>&1
    number=0
    for pin in $pins; do
        within 120 settled $user "$pin"
        echo "pin $number $result"
        number=$((number + 1))
    done
    for person in $people; do
        within 120 settled "${person%%:*}" "${person#*:}"
        echo "person $result"
    done
    for person in $unfinished; do
        within 120 settled "${person%%:*}" "${person#*:}"
        echo "unfinished $result"
        [ $result = 0 ] || register "${person%%:*}" "${person#*:}"
        within 120 settled "${person%%:*}" "${person#*:}"
        echo "person $result"
    done
    users after
    tail -n 3 /tmp/log | sed 's/^/log /'
    echo looked
    ;;
esac
