# SPDX-License-Identifier: Apache-2.0
"""Runs the blocks of docs/first-backend.md, in their order, as root of a fresh Debian.

usage: first-backend.py ROOT PAGE SUITE, in namespaces of its own: first-backend.sh. A block that begins with `# /path` is
written to that file; the others are commands.
"""

import base64
import os
import queue
import re
import socketserver
import ssl
import subprocess
import sys
import threading

ROOT, PAGE, SUITE = sys.argv[1:]
HERE = "10.77.0.10"
USER, PIN = "alice@example.com", "2583"
ENVIRONMENT = {"PATH": "/stand-ins:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "LANG": "C.UTF-8",
               "DEBIAN_FRONTEND": "noninteractive"}

STAND_INS = {
    "sudo": """#!/bin/sh
if [ "$1" = -u ]; then user=$2; shift 2; exec runuser -u "$user" -- "$@"; fi
exec "$@"
""",
    # An authority of this test's own signs the certificates.
    "certbot": """#!/bin/sh -e
while [ $# -gt 0 ]; do
    case $1 in --domain) name=$2 ;; --deploy-hook) hook=$2 ;; --webroot-path) test -d "$2" ;; esac
    shift
done
live=/etc/letsencrypt/live/$name
mkdir -p "$live"
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -noenc -days 90 -subj "/CN=$name" \\
    -addext "subjectAltName=DNS:$name" -addext basicConstraints=critical,CA:FALSE -CA /root/ca.crt -CAkey /root/ca.key \\
    -keyout "$live/privkey.pem" -out "$live/fullchain.pem" 2> /dev/null
sh -c "$hook"
""",
    # As much of a service manager as the page needs. The unit's own line is started.
    "systemctl": """#!/bin/sh -e
verb=$1; shift
[ "$1" != --now ] || shift
case $verb/$1 in
reload/nginx) nginx -t -q; nginx -s reload 2> /dev/null || nginx ;;
enable/login-kiosk-backend | start/login-kiosk-backend)
    install -d -o login-kiosk-backend -g login-kiosk-backend -m 0700 /var/lib/login-kiosk-backend
    options=$(sed -e ':a' -e '/\\\\$/N; s/\\\\\\n//; ta' /etc/default/login-kiosk-backend | sed -n 's/^BACKEND_OPTIONS=//p')
    command=$(sed -n 's/^ExecStart=//p' /usr/lib/systemd/system/login-kiosk-backend.service)
    command=${command%\\$BACKEND_OPTIONS}
    umask 077
    setpriv --reuid login-kiosk-backend --regid login-kiosk-backend --init-groups $command $options > /tmp/backend.log 2>&1 &
    echo $! > /run/backend.pid ;;
stop/login-kiosk-backend)
    pid=$(cat /run/backend.pid)
    kill "$pid"
    # Nobody waits for its status here, so that it may stay as an ended process.
    while [ -e "/proc/$pid/exe" ]; do sleep 0.1; done ;;
*) echo "systemctl $verb $1: not played here" >&2; exit 70 ;;
esac
""",
}


def path(name):
    return ROOT + name


def write(name, text, mode=0o644):
    os.makedirs(os.path.dirname(path(name)), exist_ok=True)
    with open(path(name), "w", encoding="utf-8") as file:
        file.write(text)
    os.chmod(path(name), mode)


def run(script, **options):
    done = subprocess.run(["chroot", ROOT, "bash", "-euo", "pipefail", "-c", f"cd /root; {script}"], env=ENVIRONMENT,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, text=True, **options)
    return done.returncode, done.stdout


def must(script, **options):
    code, told = run(script, **options)
    if code:
        log = path("/tmp/backend.log")
        rest = open(log, encoding="utf-8").read()[-3000:] if os.path.exists(log) else ""
        sys.exit(f"FAIL {script}\nexit {code}: {told}\n{rest}")
    return told


class Mails(socketserver.ThreadingTCPServer):
    """A mail server with STARTTLS and a password, which keeps the mails."""

    allow_reuse_address = True
    daemon_threads = True
    mails = queue.Queue()
    passwords = []


class Mail(socketserver.StreamRequestHandler):
    def say(self, text):
        self.wfile.write(text.encode() + b"\r\n")
        self.wfile.flush()

    def handle(self):
        self.say("220 mail.example.com")
        while line := self.rfile.readline().decode().strip():
            verb = line.split()[0].upper()
            if verb == "EHLO":
                more = "250 AUTH PLAIN LOGIN" if isinstance(self.connection, ssl.SSLSocket) else "250 STARTTLS"
                self.say("250-mail.example.com")
                self.say(more)
            elif verb == "STARTTLS":
                self.say("220 go on")
                context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
                context.load_cert_chain(path("/root/mail.crt"), path("/root/mail.key"))
                self.connection = context.wrap_socket(self.connection, server_side=True)
                self.rfile, self.wfile = self.connection.makefile("rb"), self.connection.makefile("wb")
            elif verb == "AUTH":
                words = line.split()
                if len(words) < 3:
                    self.say("334 ")
                    words.append(self.rfile.readline().decode().strip())
                self.server.passwords.append(base64.b64decode(words[2]).split(b"\0")[-1].decode())
                self.say("235 you are known")
            elif verb == "DATA":
                self.say("354 go on")
                lines = []
                while (text := self.rfile.readline()) not in (b".\r\n", b""):
                    lines.append(text.decode())
                self.server.mails.put("".join(lines))
                self.say("250 kept")
            elif verb == "QUIT":
                self.say("221 bye")
                return
            else:
                self.say("250 fine")


def prepare():
    for command in ("ip link set lo up", f"ip address add {HERE}/32 dev lo"):
        subprocess.run(command.split(), check=True)
    for name, text in STAND_INS.items():
        write(f"/stand-ins/{name}", text, 0o755)
    write("/etc/hosts", f"127.0.0.1 localhost\n{HERE} login.example.com mail.example.com\n")
    write("/root/smtp-password", "the password of the mail account\n", 0o600)
    must("""
        sed -i 's/^hosts:.*/hosts: files/' /etc/nsswitch.conf
        rm -rf /etc/apt/sources.list /etc/apt/sources.list.d/*
        cp /packages/login-kiosk.gpg /usr/share/keyrings/
        sed 's|^URIs:.*|URIs: file:/packages|' /packages/login-kiosk-%s.sources > /etc/apt/sources.list.d/login-kiosk.sources
        openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -noenc -days 3650 -subj /CN=authority -keyout ca.key \
            -out ca.crt 2> /dev/null
        openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -noenc -days 90 -subj /CN=mail.example.com \
            -addext subjectAltName=DNS:mail.example.com -addext basicConstraints=critical,CA:FALSE -CA ca.crt -CAkey ca.key \
            -keyout mail.key -out mail.crt 2> /dev/null
        cp ca.crt /usr/local/share/ca-certificates/
        update-ca-certificates > /dev/null
        rm -f /etc/nginx/sites-enabled/default""" % SUITE)
    server = Mails((HERE, 587), Mail)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def blocks():
    """The indented blocks of the page, each with its section's heading."""
    heading, block = "", []
    for line in [*open(PAGE, encoding="utf-8"), "end\n"]:
        if line.startswith("    ") or (block and not line.strip()):
            block.append(line[4:] or "\n")
            continue
        text = "".join(block).rstrip()
        # Files and commands may stand below each other.
        for part in re.split(r"\n\n+", text) if text else []:
            yield heading, part + "\n"
        block = []
        heading = line[3:].strip() if line.startswith("## ") else heading


def first_person(mails):
    """At a kiosk: registers by the mail's link, reads the page's code, logs the browser in."""
    must("apt-get install --yes --no-install-recommends login-kiosk")
    must("sudo login-kiosk trust add login.example.com")
    kiosk = "cd /tmp; sudo -u login-kiosk login-kiosk"
    enroll = f"{kiosk} enroll --backend https://login.example.com --user {USER} --wait 0"
    code, told = run(enroll)
    if code != 88:
        sys.exit(f"FAIL nobody registers: exit {code}: {told}")
    try:
        mail = mails.mails.get(timeout=120)
    except queue.Empty:
        sys.exit("FAIL no mail: " + open(path("/tmp/backend.log"), encoding="utf-8").read()[-3000:])
    link = re.search(r"https://login\.example\.com\S+", mail.replace("=\r\n", ""))[0]
    address = must(f"curl --fail --silent --location --output /dev/null --write-out '%{{url_effective}}' '{link}'").strip()
    where, fields = address.split("?", 1)
    must(f"curl --fail --silent --data '{fields}' '{where}'")
    must(enroll, input=PIN + "\n")
    browser = "cd /tmp; curl --fail --silent --cookie jar --cookie-jar jar"
    page = must(f"{browser} https://login.example.com/")
    picture = re.search(r'src="([^"]*qr\.png[^"]*)"', page)[1].lstrip("/")
    must(f"{browser} --output qr.png 'https://login.example.com/{picture}'")
    code = must(f"{kiosk} scan --source qr.png").strip().splitlines()[-1]
    # The page waits as its script does, while the person types the PIN.
    must(f"(until {browser} https://login.example.com/protected > /dev/null; do {browser} https://login.example.com/session "
         f"> /dev/null || true; done) & {kiosk} login --user {USER}; wait", input=f"{code}\n{PIN}\n")
    greeting = must(f"{browser} https://login.example.com/protected")
    if USER not in greeting:
        sys.exit(f"FAIL the page does not greet: {greeting}")
    print("ok   a person registers by mail and logs in")


def main():
    mails = prepare()
    count = 0
    for heading, block in blocks():
        count += 1
        if name := re.match(r"# (/\S+)\n", block):
            write(name[1], block[name.end():])
        elif heading.startswith("7.") and "trust add" in block:
            first_person(mails)
        else:
            told = must(block)
            if "login-kiosk-backend users" in block and USER not in told:
                sys.exit(f"FAIL the list lacks the person: {told}")
            if "/metrics" in block and "login_kiosk_backend_logins_total" not in told:
                sys.exit(f"FAIL no metrics: {told}")
        print(f"ok   {heading}: {block.splitlines()[0][:90]}", flush=True)
    users = must("sudo -u login-kiosk-backend login-kiosk-backend users --state /var/lib/login-kiosk-backend")
    if USER not in users or set(mails.passwords) != {"the password of the mail account"} or count < 15:
        sys.exit(f"FAIL {users} {count} {set(mails.passwords)}")
    must("curl --fail --silent --retry 30 --retry-all-errors https://login.example.com/readyz")
    print("ok   the restored backend serves, and has the person")
    must("systemctl stop login-kiosk-backend; nginx -s stop")


main()
