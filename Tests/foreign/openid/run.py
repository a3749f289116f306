#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Logs a browser in to web sites with the OpenID Connect clients of others: backend and kiosk are the real programs.

usage: run.py PROGRAMS [SITE...]

Each SITE is a file in sites; all of them unless named.
"""

import importlib.metadata
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../../Scripts"))

from checks import Checks  # noqa: E402: the folder is named above
from programs import free_port  # noqa: E402
from story import story  # noqa: E402

# By file: the package on PyPI, None for Debian's, and where the browser comes back to.
SITES = {
    "authlib": ("authlib", "/callback"),
    "pyoidc": ("oic", "/callback"),
    "idpyoidc": ("idpyoidc", "/callback"),
    "simple-openid-connect": ("simple_openid_connect", "/callback"),
    "mod_auth_openidc": (None, "/private/callback"),
    "django-allauth": ("django-allauth", "/accounts/oidc/kiosk/login/callback/"),
}
WEBSITE = ["-m", "flask", "--app", os.path.join(HERE, "../../../Examples/website/app"), "run", "--port"]


def version(package):
    try:
        return importlib.metadata.version(package) if package else ""
    except importlib.metadata.PackageNotFoundError:
        return "(not installed)"


def log_in(programs, site, callback):
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    command = WEBSITE if site == "authlib" else ["-P", os.path.join(HERE, "sites", f"{site}.py")]
    with story(programs, address + callback) as person, person.site([sys.executable, *command, str(port)], port):
        person.log_in(address)


if len(sys.argv) < 2:
    sys.exit(__doc__)
checks = Checks()
for name in sys.argv[2:] or SITES:
    package, callback = SITES[name]
    checks.attempt(f"{name} {version(package)}".rstrip(), lambda: log_in(sys.argv[1], name, callback))
sys.exit(checks.verdict())
