#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs in the fresh Debian, as root and without systemd: from the first installation to the purge.
export HOME=/tmp/home
. ./facts
explain() { tail -n 20 /tmp/apt; }
# No guest either: only foreign programs are emulated.
usual=2
. ./common.sh

repository() { # repository NAME: the one that apt is pointed at, as docs/packages.md says
    cp "apt-$1/login-kiosk.gpg" /usr/share/keyrings/login-kiosk.gpg
    sed "s|^URIs:.*|URIs: file:/job/apt-$1|" "apt-$1/login-kiosk-$suite.sources" > /etc/apt/sources.list.d/login-kiosk.sources
    rm -f /var/lib/apt/lists/*job*
    apt-get update > /tmp/apt 2>&1
    ! grep -q '^[EW]:' /tmp/apt
}
get() { apt-get --yes --no-install-recommends "$@" > /tmp/apt 2>&1; }
version() { dpkg-query --show --showformat='${Version}' "$1"; }
mode() { stat -c '%U:%G %a' "$1"; }
# Everything but what apt, dpkg and ucf themselves write down.
listing() {
    find / -xdev \( -path /job -o -path /proc -o -path /tmp -o -path /var/lib/dpkg -o -path /var/lib/apt -o -path /var/lib/ucf \
        -o -path /var/cache -o -path /var/log -o -path '/etc/*-' \) -prune -o -print | sort
}

echo "== the repository"
check "a signature by another key is refused" refused repository foreign
repository exchanged
check "a package that was exchanged after signing is refused" refused get install login-kiosk
check "nothing of it is there" refused test -e /usr/bin/login-kiosk
check "apt takes the operator's key" repository old
get install systemd dbus
listing > /tmp/before

echo "== install"
check "login-kiosk is installed" get install login-kiosk
check "in the version before" test "$(version login-kiosk)" = "0.1.0+deb$(cut -d. -f1 /etc/debian_version)"
check "the program runs" login-kiosk --version
check "the scanner finds its libraries" sh -c '! ldd /usr/libexec/login-kiosk/login-kiosk-scanner /usr/bin/login-kiosk | grep "not found"'
check "its user is there, who may use cameras and keypads" sh -c 'id login-kiosk | grep video | grep input | grep gpio | grep audio'
check "programs are root's" test "$(mode /usr/bin/login-kiosk) $(mode /usr/libexec/login-kiosk/login-kiosk-scanner)" = "root:root 755 root:root 755"
check "settings are root's" test "$(mode /etc/login-kiosk/config.yaml) $(mode /etc/login-kiosk/config.d)" = "root:root 644 root:root 755"
check "the lock that updates wait for is root's, and the kiosk may read it" test "$(mode /run/login-kiosk.in-use)" = "root:login-kiosk 640"
check "nothing is enabled" test "$(systemctl --root=/ is-enabled login-kiosk.service)" = disabled
check "the unit enables" systemctl --root=/ enable login-kiosk.service
type=notify-reload
[ "$suite" != bookworm ] || type=notify
check "systemctl reload is known to it, where systemd can" grep -q -x "Type=$type" /usr/lib/systemd/system/login-kiosk.service \
    /lib/systemd/system/login-kiosk.service
# Foundation's tables of languages would be 8 MB of it: Sources/C/CICUStubData. Names for dlsym: docs/decisions/0056-packages.md
check "the package is no larger than 16 MB" test "$(stat -c %s apt-new/pool/"$suite"/login-kiosk_*.deb)" -le 16000000
check "there are manual pages" sh -c 'for page in login-kiosk.1 login-kiosk-run.1 login-kiosk-settings.5; do gzip -t /usr/share/man/man?/$page.gz || exit 1; done'
check "bash completes" bash -c '. /usr/share/bash-completion/completions/login-kiosk && complete -p login-kiosk'
check "overlays for the Raspberry Pi are there" test -s /usr/share/login-kiosk/overlays/login-kiosk-keypad-4x3.dtbo
check "documents, decisions and pictures are there" test -s /usr/share/doc/login-kiosk/deployment.md -a -s /usr/share/doc/login-kiosk/decisions/0001-kiosk-machine.md -a -s /usr/share/doc/login-kiosk/pictures/login.svg
check "so are the examples" test -s /usr/share/login-kiosk/fleet/haproxy.cfg
check "so is what is linked in" grep -q '"name": "swift-nio"' /usr/share/doc/login-kiosk/login-kiosk.spdx.json
check "the kiosk has its directories before it was started" test "$(mode /var/lib/login-kiosk) $(mode /var/lib/login-kiosk-key)" = \
    "login-kiosk:login-kiosk 700 login-kiosk:login-kiosk 700"
check "its number is made by its user" runuser -u login-kiosk -- login-kiosk fleet number
check "the settings have no mistake" login-kiosk config check
named() { grep -o '/usr/share/doc/[a-z-]*/[a-z-]*\.md' "$1" > /tmp/named && while read -r page; do test -s "$page" || return 1; done < /tmp/named; }
login-kiosk config --help > /tmp/help
check "help names a page that is there" named /tmp/help
login-kiosk keypad test --keypad nothing > /tmp/hint 2>&1
check "a hint does" named /tmp/hint
check "completions do" named /usr/share/zsh/vendor-completions/_login-kiosk
check "the program for panels is installed" get install login-kiosk-display
check "it finds its libraries" sh -c '! ldd /usr/libexec/login-kiosk/login-kiosk-display | grep "not found"'
check "and letters for five languages" sh -c 'for language in en de fr es bg; do fc-list ":family=Open Sans:lang=$language" | grep -q . || exit 1; done'
check "a host is trusted" login-kiosk trust add login.example.com
check "the demonstration is installed" get install login-kiosk-demo
# Translated programs have no filter of system calls, without which the scanner does not begin: make test-arm64 logs in.
if [ "$(dpkg --print-architecture)" = "$native" ]; then
    login-kiosk demo --unattended --json > /tmp/demo 2>&1
    check "and ends with a browser logged in" grep -q '"outcome" *: *"login succeeded"' /tmp/demo
fi
check "the backend has a user of its own" id login-kiosk-backend

echo "== update"
echo "log-level: notice" >> /etc/login-kiosk/config.yaml
echo "screen: {language: de}" > /etc/login-kiosk/config.d/50-mine.yaml
install -d -o login-kiosk -g login-kiosk -m 700 /var/lib/login-kiosk /var/lib/login-kiosk-key
install -o login-kiosk -m 600 /dev/null /var/lib/login-kiosk/identities.sqlite
cp apt-new/52login-kiosk /etc/apt/apt.conf.d/52login-kiosk
check "there is a newer version" repository new
unattended-upgrade --verbose > /tmp/apt 2>&1
check "the machine updates itself" sh -c "dpkg-query --show login-kiosk login-kiosk-display login-kiosk-backend login-kiosk-demo | grep -c 0.1.0 | grep -x 0"
check "changed settings are kept" grep -q "log-level: notice" /etc/login-kiosk/config.yaml
check "those of the version before, too" grep -q "As of version 0.1" /etc/login-kiosk/config.yaml
check "what the new ones are lies beside them" test -e /etc/login-kiosk/config.yaml.dpkg-dist
check "the operator's own file is kept" grep -q de /etc/login-kiosk/config.d/50-mine.yaml
check "the trust list is kept" grep -q login.example.com /etc/login-kiosk/trusted
check "identities are kept" test -e /var/lib/login-kiosk/identities.sqlite
check "the unit is still enabled" test "$(systemctl --root=/ is-enabled login-kiosk.service)" = enabled
check "the settings have no mistake" login-kiosk config check

echo "== a quiet moment"
# The service manager's part, which does not run here, is said by two scripts.
mkdir /tmp/fake
echo '#!/bin/sh' | tee /tmp/fake/systemctl > /tmp/fake/deb-systemd-invoke
echo 'echo "$@" >> /tmp/invoked' >> /tmp/fake/deb-systemd-invoke
chmod +x /tmp/fake/*
restart() { PATH=/tmp/fake:$PATH /usr/libexec/login-kiosk/restart-when-free "$@"; }
sh -c 'exec 9< /run/login-kiosk.in-use; flock --shared 9; : > /tmp/taken; until [ -e /tmp/over ]; do sleep 0.1; done; echo "the session is over" >> /tmp/invoked' &
within 10 test -e /tmp/taken
restart 60 &
waiting=$!
check "the update waits for the lock" within 20 sh -c 'grep -qx flock /proc/[0-9]*/comm'
check "nothing is restarted in a session" refused test -e /tmp/invoked
: > /tmp/over
wait $waiting
check "it is, once the session is over" sh -c 'printf "the session is over\nrestart login-kiosk.service\n" | cmp - /tmp/invoked'
rm /tmp/over /tmp/taken /tmp/invoked
sh -c 'exec 9< /run/login-kiosk.in-use; flock --shared 9; : > /tmp/taken; until [ -e /tmp/over ]; do sleep 0.1; done' &
within 10 test -e /tmp/taken
check "a session without an end is not waited for" restart 1
check "the kiosk is restarted all the same" grep -qx "restart login-kiosk.service" /tmp/invoked
: > /tmp/over
wait

echo "== remove and purge"
systemctl --root=/ disable login-kiosk.service 2> /dev/null
check "the packages are removed" get autoremove login-kiosk login-kiosk-display login-kiosk-backend login-kiosk-demo
check "the programs are gone" refused sh -c 'ls /usr/bin/login-kiosk* /usr/libexec/login-kiosk /usr/share/login-kiosk'
check "settings and identities are not" test -e /etc/login-kiosk/config.yaml -a -e /var/lib/login-kiosk/identities.sqlite
check "the packages are purged" get purge login-kiosk login-kiosk-display login-kiosk-backend login-kiosk-demo
rm -f /etc/apt/apt.conf.d/52login-kiosk
get autoremove --option APT::AutoRemove::RecommendsImportant=false --option APT::AutoRemove::SuggestsImportant=false
# Settings of what the packages depend on, such as fontconfig's.
get purge '~c'
listing > /tmp/after
check "nothing is left" cmp /tmp/before /tmp/after
diff /tmp/before /tmp/after | sed 's/^/      /'
verdict
