#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Logs a browser in to web sites with the OpenID Connect clients of others: backend and kiosk are the real programs.

usage: run.py PROGRAMS [SITE...]

Each SITE is a file in sites; all of them unless named.
"""

import importlib.metadata
import os
import socket
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../../website"))

from run import USER, Story  # noqa: E402: the folder is named above

# By file: the package on PyPI, None for Debian's, and where the browser comes back to.
SITES = {
    "authlib": ("authlib", "/callback"),
    "pyoidc": ("oic", "/callback"),
    "idpyoidc": ("idpyoidc", "/callback"),
    "simple-openid-connect": ("simple_openid_connect", "/callback"),
    "mod_auth_openidc": (None, "/private/callback"),
    "django-allauth": ("django-allauth", "/accounts/oidc/kiosk/login/callback/"),
}


def log_in(programs, site, callback):
    with tempfile.TemporaryDirectory() as folder:
        story = Story(programs, folder)
        try:
            with socket.socket() as free:
                free.bind(("127.0.0.1", 0))
                port = free.getsockname()[1]
            address = f"http://127.0.0.1:{port}"
            provider = story.backend(address, callback)
            story.enrol(provider)
            if site == "authlib":
                story.website(provider, port)
            else:
                story.serve([sys.executable, "-P", os.path.join(HERE, "sites", f"{site}.py"), str(port)], provider, port)
            page = story.log_in(address)
            assert page.text == f"Hello {USER}", (page.url, page.text)
        finally:
            story.end()


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    failed = 0
    for site in sys.argv[2:] or SITES:
        package, callback = SITES[site]
        try:
            log_in(sys.argv[1], site, callback)
            print(f"ok    {site} {importlib.metadata.version(package) if package else ''}".rstrip(), flush=True)
        except Exception as error:  # pylint: disable=broad-except: the next one is tried
            failed += 1
            print(f"FAILED {site}: {error!r}")
    print(f"relying parties: {len(sys.argv[2:] or SITES) - failed} passed, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
