#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Logs a browser in to Examples/website, as docs/openid.md tells a web developer: backend, kiosk and site are the real programs.

usage: run.py PROGRAMS
"""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../Scripts"))

from programs import free_port  # noqa: E402: the folder is named above
from story import story  # noqa: E402

if len(sys.argv) != 2:
    sys.exit(__doc__)
port = free_port()
site = f"http://127.0.0.1:{port}"
flask = [sys.executable, "-m", "flask", "--app", os.path.join(HERE, "../../Examples/website/app"), "run", "--port", str(port)]
with story(sys.argv[1], f"{site}/callback") as person, person.site(flask, port):
    person.log_in(site)
print("website: a browser was logged in by the kiosk\n1 passed, 0 failed")
