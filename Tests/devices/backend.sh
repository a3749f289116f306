# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# A reference backend in the guest with one user, a browser there, and a kiosk that trusts it; after common.sh.
# The scanner's process is started with nothing of this one's environment.
cp -a /job/lib/. /usr/local/lib/
ldconfig
site=http://127.0.0.1:8480
user=gina@example.com pin=2583
: > /tmp/screen
: > /tmp/log

explain() { tail -n 5 /tmp/screen; tail -n 5 /tmp/log; }

enroll() { # enroll [OPTIONS]
    ./login-kiosk enroll --state /tmp/state --config /tmp/config --allow-loopback-http --backend $site --user $user "$@"
}
serve() { # a backend with a user, who has a PIN
    # Without systemd nobody has brought it up.
    busybox ifconfig lo 127.0.0.1 up
    ./login-kiosk-backend --listen 127.0.0.1:8480 --state /tmp/backend --code-lifetime 300 --admit anybody > /tmp/served 2>&1 &
    check "the backend serves" within 60 busybox wget -q -O /dev/null "$site/"
    check "it is trusted" ./login-kiosk trust add 127.0.0.1:8480 --config /tmp/config
    enroll --wait 0 > /tmp/log 2>&1
    ./login-kiosk-backend activate $user --state /tmp/backend
    echo $pin > /tmp/pin
    check "the user is registered" enroll < /tmp/pin
}

come() { # a browser that is not logged in comes to the page with the code
    : > /tmp/cookie
    browse / > /dev/null
    (while sleep 1; do browse /session > /dev/null; done) 2> /dev/null &
    page=$!
}
leave() {
    kill $page
    wait $page 2> /dev/null
}
logged_in() { browse /protected | grep -q "Hello.*$user"; }

run() { # run KEYPAD SOURCE [OPTIONS]
    keypad=$1 source=$2
    shift 2
    ./login-kiosk run --state /tmp/state --config /tmp/config --allow-loopback-http --plain --language en \
        --source "$source" --keypad "$keypad" "$@" > /tmp/screen 2> /tmp/log &
    kiosk=$!
}
stop() {
    kill -TERM $kiosk
    wait $kiosk 2> /dev/null
}
shows() { within "${2:-60}" sh -c "tail -n 1 /tmp/screen | grep -q '$1'"; }
