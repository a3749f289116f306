#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs what deploy/fleet gives to operators, once, on this machine: dashboard, alerts, balancers, Prometheus, the ways
# of the logs, Ansible's role.
#
#   test.sh PROGRAMS PACKAGES SCRATCH
#
# PROGRAMS is the folder with login-kiosk, login-kiosk-scanner and login-kiosk-backend, PACKAGES that with the Debian
# packages of this release, for Ansible: without them its role is only read. SCRATCH keeps Grafana's schema, which comes
# from PyPI: without a network the dashboard is not compared with it. What is skipped is said. It needs root, for the
# namespaces, which end with this script, however it ends.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
target=test-deploy-fleet
. "$here/../Scripts/apart.sh"
[ $# = 3 ] || usage 6
need_root
need "$here/debian-packages.txt $here/../outages/debian-packages.txt" ansible-playbook haproxy ip nft nginx openssl prometheus \
    promtool rsyslogd /usr/lib/postgresql/*/bin/initdb /lib/systemd/systemd-journal-upload
programs=$(cd "$1" && pwd)
mkdir -p "$3"
schema=$(cd "$3" && pwd)/schema
failed=0

echo "== Grafana's schema"
if [ ! -e "$schema/complete" ]; then
    rm -rf "$schema"
    if python3 -m venv "$schema" && "$schema/bin/pip" install --quiet --disable-pip-version-check --require-hashes \
        --requirement "$here/requirements.txt"; then touch "$schema/complete"; else
        echo "skip  the dashboard's schema: PyPI does not answer"
    fi
fi
if [ -e "$schema/complete" ]; then
    if "$schema/bin/python" -B "$here/schema.py" "$here/../../deploy/fleet/dashboard.json"; then
        echo "ok    the dashboard is of Grafana's schema"
    else
        failed=1
        echo "FAIL  the dashboard is of Grafana's schema"
    fi
    # It must see these: a member that there is not, a value of another type, one that is none of those allowed.
    for mistake in 's/"graphMode"/"graphMod"/' 's/"schemaVersion": 36/"schemaVersion": "36"/' \
        's/"mode": "absolute"/"mode": "often"/'; do
        sed "$mistake" "$here/../../deploy/fleet/dashboard.json" > "$schema/mistaken.json"
        if "$schema/bin/python" -B "$here/schema.py" "$schema/mistaken.json" > "$schema/told"; then
            failed=1
            echo "FAIL  the check itself sees $mistake"
        else
            echo "ok    the check itself sees it: $(head -n 1 "$schema/told")"
        fi
    done
fi

apart install.py "$2" || failed=1
apart logs.py "$programs" || failed=1
apart watch.py "$programs" || failed=1
exit $failed
