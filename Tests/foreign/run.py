#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Clients of other projects against the reference backend: test.sh.

usage: run.py PROGRAMS CHECKOUTS [one|two|leastconn]
"""

import glob
import json
import os
import subprocess
import sys
import tempfile

from served import LeastBusyOfTwo, OneProcess, TwoProcesses
from programs import ENVIRONMENT  # that module has named the folder

HERE = os.path.dirname(os.path.abspath(__file__))
PROJECT = "project-77"
KINDS = {"one": OneProcess, "two": TwoProcesses, "leastconn": LeastBusyOfTwo}
# Seconds for one client's whole story.
LIMIT = 900
# As the library's own Gruntfile.js lists them for a page; GPM is in none of its releases.
CRYPTOGRAPHY = ["DBIG", "BIG", "FP", "ROM", "HASH", "RAND", "AES", "ECP", "FP2", "ECP2", "FP4", "FP12", "PAIR", "MPIN",
                "MPINAuth"]


class Client:
    """A checkout: which script tells its story, with what, and the dialects that it speaks."""

    def __init__(self, name, script, facts, dialects, options=()):
        self.name, self.script, self.facts, self.dialects, self.options = name, script, facts, dialects, list(options)


def commit(folder):
    """The commit of a checkout, where it is one."""
    if not os.path.exists(os.path.join(folder, ".git")):
        return ""
    done = subprocess.run(["git", "-C", folder, "rev-parse", "--short", "HEAD"], capture_output=True, text=True,
                          check=False)
    return f" ({done.stdout.strip()})" if done.returncode == 0 else ""


def client_js(folder, version):
    """8.5 and older know the platform of 2023, 6.3 and older that of 2018."""
    numbers = [int(number) for number in version.split(".")[:2]]
    if numbers[0] < 7:
        dialects = ["mfa-v2"]
    elif numbers[0] == 7:
        dialects = ["trust-2023"]
    else:
        dialects = ["trust-2025"] + (["trust-2023"] if numbers <= [8, 5] else [])
    file = next(name for name in ("cjs/client.cjs", "cjs/mfa.cjs") if os.path.exists(os.path.join(folder, name)))
    return Client(f"client-js {version}{commit(folder)}", "client-js.mjs",
                  {"client": os.path.join(folder, file), "version": numbers[0]}, dialects, ["--company-id", PROJECT])


def find(checkouts):
    """The clients among the checkouts, and what is said of what is not there."""
    clients, missing = [], []
    scripts, library = {}, None
    for folder in sorted(glob.glob(os.path.join(os.path.abspath(checkouts), "*/"))):
        try:
            with open(os.path.join(folder, "package.json"), encoding="utf-8") as file:
                package = json.load(file)
        except OSError:
            package = {}
        if package.get("name") == "@miracl/client-js":
            clients.append(client_js(folder, package["version"]))
        elif package.get("name") == "mpinjs":
            library = folder
        elif os.path.exists(os.path.join(folder, "js/MPINAuth.js")):
            scripts = {name: os.path.join(folder, f"js/{name}.js") for name in CRYPTOGRAPHY}
    if not clients:
        missing.append("@miracl/client-js")
    if library and scripts:
        with open(os.path.join(library, "VERSION"), encoding="utf-8") as file:
            version = file.read().strip()
        clients.append(Client(f"mpinjs {version}{commit(library)}", "mpinjs.mjs",
                              {"scripts": [*scripts.values(), os.path.join(library, "lib/mpin.js")]}, ["milagro"]))
    else:
        missing.append("mpinjs" if scripts else "milagro-crypto 1.0, which mpinjs needs" if library else
                       "mpinjs and milagro-crypto 1.0")
    return clients, missing


def tell(client, dialect, served):
    """Runs a client's story and returns its last line, and whether all of it was so."""
    with open(os.path.join(served.state, "relying-party"), encoding="utf-8") as file:
        party = json.load(file)
    facts = {**client.facts, "origin": served.origin, "place": f"/{dialect}", "dialect": dialect, "project": PROJECT,
             "relyingParty": {"id": party["client_id"], "secret": party["client_secret"]},
             "program": served.program, "options": served.shared}
    try:
        done = subprocess.run(
            ["node", os.path.join(HERE, client.script), json.dumps(facts)], env=ENVIRONMENT, capture_output=True,
            text=True, timeout=LIMIT, check=False)
    except subprocess.TimeoutExpired as error:
        print((error.stdout or b"").decode())
        return f"no end within {LIMIT} s", False
    for line in done.stdout.splitlines():
        if not line.startswith("ok "):
            print(f"      {line}")
    if done.stderr:
        print(done.stderr)
    lines = done.stdout.splitlines()
    if not (lines and lines[-1].endswith(" failed")):
        return f"ended by an error after {len(lines)} checks", False
    return lines[-1], done.returncode == 0


def main(programs, checkouts, *which):
    program = os.path.join(os.path.abspath(programs), "login-kiosk-backend")
    clients, missing = find(checkouts)
    failed = 0
    rows = []
    kinds = [kind for name, kind in KINDS.items() if name in (which or KINDS)]
    for kind in kinds:
        # A backend asks all its devices for the company id, or none.
        for options in ([], ["--company-id", PROJECT]):
            mine = [client for client in clients if client.options == options]
            if not mine:
                continue
            with tempfile.TemporaryDirectory(prefix="foreign-") as folder:
                # PostgreSQL's user passes through it to its own folder.
                os.chmod(folder, 0o711)
                served = kind(program, folder, options)
                try:
                    for client in mine:
                        for dialect in client.dialects:
                            print(f"== {client.name}, {dialect}, {kind.name}", flush=True)
                            told, is_so = tell(client, dialect, served)
                            failed += not is_so
                            rows.append((client.name, dialect, kind.name, told))
                    shares = served.shares()
                    if shares:
                        print(f"      requests of the processes: {shares}")
                        if min(shares) * 3 < max(shares):
                            failed += 1
                            rows.append(("HAProxy", "", kind.name, f"FAIL: one process had nearly all: {shares}"))
                finally:
                    served.end()
    print()
    for row in rows:
        print("{:32} {:12} {:32} {}".format(*row))
    for what in missing:
        print(f"skipped: no checkout of {what} in {checkouts}")
    if not rows:
        print("nothing was tested: docs/testing.md says which checkouts belong there")
        return 66
    return 1 if failed else 0


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4) or sys.argv[3:] not in ([], *[[name] for name in KINDS]):
        print(__doc__, file=sys.stderr)
        sys.exit(64)
    sys.exit(main(*sys.argv[1:]))
