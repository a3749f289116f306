#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs the backend's container as its documentation does: not root, on a file system that is read only, with its state in a
# volume that outlives it, and its users there or in PostgreSQL. Without Debian's postgresql that is left out.
#
#   test.sh ARCHIVE PROGRAMS
#
# ARCHIVE is what deploy/container/build.sh made; PROGRAMS has login-kiosk, which logs in. Needs root and podman.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
[ $# = 2 ] || { sed -n '3,8s/^# \{0,1\}//p' "$0" >&2; exit 64; }
programs=$(cd "$2" && pwd)
. "$here/../devices/common.sh"
explain() { cat "$work/log"; podman logs --tail 12 "$container" || true; }
work=$(mktemp -d)
container=login-kiosk-test-$$
postgres=$(printf '%s\n' /usr/lib/postgresql/*/bin | sort --version-sort | tail -n 1)
database=$(mktemp -d)
# It refuses root, and root's folders it cannot enter.
as_postgres() ( # as_postgres PROGRAM [ARGUMENT...]
    cd /
    exec setpriv --reuid=postgres --regid=postgres --clear-groups -- "$postgres/$1" "${@:2}"
)
remove() {
    kill "${polls:-}" || true
    podman rm --force --volumes "$container" || true
    podman volume rm --force "$container" || true
    [ ! -e "$database/data" ] || as_postgres pg_ctl stop --mode=immediate --pgdata="$database/data" || true
    rm -rf "$work" "$database"
}
trap 'remove > /dev/null 2>&1' EXIT
port=$(/usr/bin/python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')

podman load --quiet --input "$1" > /dev/null
outside=() # further options of podman
# run OPTION...: the container, with options of the backend
run() {
    podman run --detach --name "$container" --read-only --tmpfs /tmp --volume "$container:/var/lib/login-kiosk-backend" \
        --publish "127.0.0.1:$port:8480" --env BACKEND_OPTIONS="--public-url http://127.0.0.1:$port $*" \
        "${outside[@]}" localhost/login-kiosk-backend > /dev/null
}
answers() { curl --silent --fail --output /dev/null "http://127.0.0.1:$port/readyz"; }
run --admit anybody --public-outbox
check "the backend answers" within 60 answers
check "its page is served" sh -c "curl --silent --fail 'http://127.0.0.1:$port/' | grep -q 'Log in'"
check "it is not root" test "$(podman exec "$container" id -u)" != 0
check "it may write nowhere but to its state" sh -c "! podman exec '$container' touch /etc/x 2> /dev/null"
check "podman finds it healthy" within 60 podman healthcheck run "$container"
check "the state is the user's alone" test "$(podman exec "$container" stat --format=%a%u /var/lib/login-kiosk-backend)" = \
    "700$(podman exec "$container" id -u)"

# A person registers at a kiosk, and logs in after the container was replaced.
user=gina@example.com pin=2583 stored=() site=http://127.0.0.1:$port
kiosk() { # kiosk COMMAND [OPTION...]
    "$programs/login-kiosk" "$@" --state "$work/state" --config "$work/config" --allow-loopback-http
}
inside() { podman exec "$container" login-kiosk-backend "$@" --state /var/lib/login-kiosk-backend "${stored[@]}"; }
"$programs/login-kiosk" trust add "127.0.0.1:$port" --config "$work/config" > /dev/null
echo "$pin" > "$work/pin"
register() {
    kiosk enroll --backend "$site" --user "$user" --wait 0 > "$work/log" 2>&1 || true
    check "a registration is confirmed by a command in the container" inside activate "$user"
    check "the user is registered" sh -c "'$programs/login-kiosk' enroll --backend '$site' --user '$user' \
        --state '$work/state' --config '$work/config' --allow-loopback-http < '$work/pin'"
}
page() { curl --silent --fail --cookie "$work/cookies" --cookie-jar "$work/cookies" "$site$1"; }
log_in() {
    rm -f "$work/cookies"
    page / > /dev/null
    page /qr.png > "$work/code.png"
    "$programs/login-kiosk" scan --each "$work/code.png" | cut -f 2 > "$work/login"
    echo "$pin" >> "$work/login"
    (while sleep 1; do page /session > /dev/null 2>&1 || true; done) &
    polls=$!
    check "the user logs in" sh -c "'$programs/login-kiosk' login --user '$user' --state '$work/state' \
        --config '$work/config' --allow-loopback-http < '$work/login'"
    kill $polls
    check "the browser is logged in" sh -c "curl --silent --cookie '$work/cookies' '$site/protected' | grep -q 'Hello.*$user'"
}
register
podman stop --time 20 "$container" > /dev/null
check "it stops by itself" test "$(podman inspect --format '{{.State.ExitCode}}' "$container")" = 0
podman rm "$container" > /dev/null
run --admit anybody
check "another container with the same volume answers" within 60 answers
log_in
podman rm --force "$container" > /dev/null

# A person of a database. The container is given the folder of its socket.
if [ -x "$postgres/initdb" ]; then
    chmod 755 "$database"
    chown postgres: "$database"
    as_postgres initdb --no-sync --auth=trust --encoding=UTF8 --locale=C --username=kiosk \
        --pgdata="$database/data" > "$work/log"
    as_postgres pg_ctl start --silent --wait --pgdata="$database/data" --log="$database/log" \
        --options="-k $database -c listen_addresses="
    outside=(--volume "$database:/run/postgresql" --env PGHOST=/run/postgresql --env PGUSER=kiosk)
    stored=(--database dbname=postgres) user=hugo@example.com
    run --admit anybody --public-outbox "${stored[@]}"
    check "a container at a database answers" within 60 answers
    register
    log_in
    check "the user is in the database" test 1 = "$(as_postgres psql --host="$database" --username=kiosk --dbname=postgres \
        --tuples-only --no-align --command='SELECT count(*) FROM login_kiosk.identity')"
    outside=()
    podman rm --force "$container" > /dev/null
else
    echo "skip  the container at a database: Debian's postgresql is not installed"
fi
run --no-such-option
check "a wrong option ends it with the code of a wrong command line" test "$(timeout 60 podman wait "$container")" = 64
verdict
