# SPDX-License-Identifier: Apache-2.0
"""A kiosk's lines on their way: program, journal, rsyslog or systemd-journal-upload, the server for logs."""

import json
import os
import socket
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../Scripts"))

import world  # noqa: E402
from checks import Checks  # noqa: E402
from examples import example  # noqa: E402
from programs import grey  # noqa: E402

world.OFFICE = "192.0.2.1"
world.ADDRESSES = {"kiosk1": "192.0.2.31", "stranger": "192.0.2.39", "logs": "192.0.2.50"}
SENDERS = {"kiosk1": "kiosk1.example.com", "stranger": "stranger.example.com"}
world.SERVERS = {"logs.example.com": "logs", **{name: machine for machine, name in SENDERS.items()}}

from world import end, hears, path, run, until, write  # noqa: E402

TOOLS = "/lib/systemd"
RECEIVED = "/var/log/login-kiosk"
ERROR = "metrics and status are not served"


def certificates(name, prefix="/etc/rsyslog-tls/"):
    return [(f"{prefix}ca.crt", path("ca.pem")), (f"{prefix}this.crt", path(name + ".crt")),
            (f"{prefix}this.key", path(name + ".key"))]


class Logs(Checks):
    logs = (path("*.log"),)

    def __init__(self, programs):
        super().__init__()
        self.programs = programs
        self.machines = world.build()
        run("mount", "-t", "tmpfs", "-o", "mode=755", "logs", "/var/log")
        os.makedirs("/run/systemd")
        self.journal = subprocess.Popen([f"{TOOLS}/systemd-journald"], stderr=open(path("journald.log"), "wb"))
        until(lambda: hears("/run/systemd/journal/stdout"), "the journal")

    # The program and the journal.

    def program(self, name, *arguments):
        """Starts a program as the service manager does, which says which device and inode its journal is."""
        script = 'JOURNAL_STREAM=$(stat -L -c %d:%i /proc/self/fd/2) exec "$@"'
        return self.machines["kiosk1"].start(
            "systemd-cat", "-t", name, "sh", "-c", script, "sh", os.path.join(self.programs, name), *arguments)

    @staticmethod
    def entries(identifier, *options):
        """The entries that journalctl finds, as objects."""
        told = run("journalctl", "--quiet", "--output=json", "-t", identifier, *options)
        return [json.loads(line) for line in told.splitlines()]

    def priorities(self):
        """Another program has the port of the metrics: kiosk and backend say so, as an error, and go on."""
        os.makedirs(path("kiosk-config/config.d"), 0o700)
        write(path("kiosk-config/config.d/50.yaml"), "metrics: {port: 9480}\n")
        write(path("keys"), "wait 600\n")
        with open(path("a.png"), "wb") as file:
            file.write(grey(0))
        taken = self.machines["kiosk1"].within(lambda: socket.create_server(("127.0.0.1", 9480)))
        programs = {
            "login-kiosk-backend": ["--listen", "127.0.0.1:0", "--state", path("backend"), "--metrics-port", "9480",
                                    "--admit", "anybody"],
            "login-kiosk": ["run", "--source", f"file,loop:{path('a.png')}", "--keys", path("keys"), "--state",
                            path("kiosk"), "--config", path("kiosk-config")],
        }
        for name, arguments in programs.items():
            process = self.program(name, *arguments, "--log-level", "debug")
            until(lambda name=name: self.entries(name, "-p", "err..err"), f"an error of {name}")
            found = [entry["MESSAGE"] for entry in self.entries(name, "-p", "err..err")]
            self.check(f"an error of {name} is one by its priority, which is no part of its text",
                       len(found) == 1 and ERROR in found[0] and not found[0].startswith("<"), found)
            self.check(f"and what {name} says to developers is that", self.entries(name, "-p", "debug..debug"))
            end(process)
        taken.close()

    # rsyslog.

    def rsyslog(self, machine, settings, input_settings=""):
        name = path(f"{machine}.rsyslog.conf")
        os.makedirs(path(f"{machine}.spool"), exist_ok=True)
        write(name, f'global(workDirectory="{path(machine + ".spool")}" localHostname="{machine}")\n'
                    f"{input_settings}\n{settings}\n")
        run("rsyslogd", "-N", "1", "-f", name)
        return self.machines[machine].start(
            "rsyslogd", "-n", "-f", name, "-i", path(f"{machine}.rsyslog.pid"),
            stdout=open(path(f"{machine}.rsyslog.log"), "ab"), stderr=subprocess.STDOUT)

    def receiver(self):
        return self.rsyslog("logs", example("rsyslog-receiver.conf", *certificates("logs.example.com")))

    def sender(self, machine, place):
        return self.rsyslog(
            machine, example("rsyslog-sender.conf", *certificates(SENDERS[machine]),
                             ('resumeinterval="10"', 'resumeinterval="1"')),
            f'module(load="imuxsock" SysSock.Name="{place}")')

    @staticmethod
    def say(text, name="login-kiosk"):
        """An error of a program, through the journal."""
        run("systemd-cat", "-t", name, "-p", "err", "echo", text)

    @staticmethod
    def received(text):
        name = f"{RECEIVED}/kiosk1.log"
        if not os.path.exists(name):
            return []
        with open(name, encoding="utf-8") as file:
            return [line for line in file if text in line]

    def through_rsyslog(self):
        receiver = self.receiver()
        sender = self.sender("kiosk1", "/run/systemd/journal/syslog")
        until(lambda: hears("/run/systemd/journal/syslog"), "rsyslog at the journal")
        self.say("the first line")
        until(lambda: self.received("the first line"), "a line at the server")
        line = self.received("the first line")[0]
        self.check("a line comes from the journal to the server, with its priority",
                   int(line[1:line.index(">")]) % 8 == 3 and " kiosk1 login-kiosk " in line, line)
        self.say("of another program", "another")
        end(receiver)
        for number in range(20):
            self.say(f"while it was away {number:02}")
        receiver = self.receiver()
        self.say("the last line")
        until(lambda: self.received("the last line"), "what came afterwards")
        until(lambda: len({line.split("away ")[1] for line in self.received("while it was away")}) == 20,
              "what was said while the server was away")
        self.check("what is said while the server is away comes afterwards", True)
        self.check("lines of other programs stay where they are", not self.received("of another program"))

        stranger = self.sender("stranger", path("stranger.socket"))
        until(lambda: hears(path("stranger.socket")), "the stranger")
        run("logger", "--tag", "login-kiosk", "--socket", path("stranger.socket"), "of a stranger")
        until(lambda: "authentication" in self.told("logs") or "peer" in self.told("logs"), "a refusal")
        self.check("a machine that is not named is refused", sorted(os.listdir(RECEIVED)) == ["kiosk1.log"],
                   os.listdir(RECEIVED))
        for process in (stranger, sender, receiver):
            end(process)

    @staticmethod
    def told(machine):
        with open(path(f"{machine}.rsyslog.log"), encoding="utf-8", errors="replace") as file:
            return file.read()

    # systemd-journal-upload.

    def through_upload(self):
        """With the example's settings in their place, which is this script's own."""
        os.mkdir(path("remote"))
        settings = example(
            "journal-upload.conf", ("/etc/ssl/private/journal-upload.key", path("kiosk1.example.com.key")),
            ("/etc/ssl/certs/journal-upload.crt", path("kiosk1.example.com.crt")),
            ("/etc/ssl/certs/journal-ca.crt", path("ca.pem")))
        write(path("journal-upload.conf"), settings, 0o644)
        run("mount", "--bind", path("journal-upload.conf"), "/etc/systemd/journal-upload.conf")
        server = example("nginx-journal.conf", *certificates("logs.example.com", "/etc/nginx/journal/"))
        write(path("nginx.conf"), f"events {{ }} http {{ {server} }} pid {path('nginx.pid')}; daemon off;"
                                  f"error_log {path('nginx.log')};\n")
        logs, kiosk = self.machines["logs"], self.machines["kiosk1"]
        nginx = logs.start("nginx", "-c", path("nginx.conf"))
        found = path("remote/fleet.journal")
        remote = logs.start(
            f"{TOOLS}/systemd-journal-remote", "--listen-http=127.0.0.1:19533", "--split-mode=none",
            f"--output={found}",
            stdout=open(path("remote.log"), "ab"), stderr=subprocess.STDOUT)
        upload = None

        def uploaded():
            nonlocal upload
            # It ends while the server does not listen; the unit restarts it.
            if upload is None or upload.poll() is not None:
                upload = kiosk.start(
                    f"{TOOLS}/systemd-journal-upload", f"--save-state={path('upload.state')}",
                    stdout=open(path("upload.log"), "ab"), stderr=subprocess.STDOUT)
            return os.path.exists(found) and [
                one for one in self.entries("login-kiosk", f"--file={found}", "-p", "err") if ERROR in one["MESSAGE"]]

        until(uploaded, "the kiosk's error at the server", pause=0.5)
        self.check("the journal comes to the server, with priorities", True)
        write(path("foreign.txt"), "__REALTIME_TIMESTAMP=1\n__MONOTONIC_TIMESTAMP=1\nMESSAGE=of a stranger\n\n")
        told = self.machines["stranger"].run(
            "curl", "--silent", "--cacert", path("ca.pem"), "--data-binary", f"@{path('foreign.txt')}", "--header",
            "Content-Type: application/vnd.fdo.journal", "--write-out", "%{http_code}", "--output", "/dev/null",
            "https://logs.example.com:19532/upload")
        self.check("who has no certificate sends nothing", told == "400", told)
        for process in (upload, remote, nginx):
            end(process)

    def run(self):
        for name, story in (("priorities", self.priorities), ("rsyslog", self.through_rsyslog),
                            ("systemd-journal-upload", self.through_upload)):
            self.part(name, story)
        end(self.journal)
        return self.verdict()


if __name__ == "__main__":
    if len(sys.argv) != 2 or os.getpid() != 1:
        print("usage: logs.py DIRECTORY-OF-PROGRAMS, in namespaces of its own: test.sh", file=sys.stderr)
        sys.exit(64)
    sys.exit(Logs(sys.argv[1]).run())
