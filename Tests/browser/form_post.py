#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The answers of the OpenID provider that a real browser posts to an application (response_mode=form_post).

usage: form_post.py DIRECTORY-OF-PROGRAMS
"""

import http.server
import os
import queue
import sys
import tempfile
import threading
import urllib.parse

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../Scripts"))

from programs import Backend, Files
from webdriver import Browser

PATIENCE = 60


class Application(http.server.ThreadingHTTPServer):
    """A web site whose callback keeps what is posted, and sends the browser on to its home page."""

    def __init__(self):
        self.posted = queue.Queue()
        super().__init__(("127.0.0.1", 0), Answer)
        self.site = f"http://127.0.0.1:{self.server_port}"
        self.callback = self.site + "/callback?from=provider;one,two"
        threading.Thread(target=self.serve_forever, daemon=True).start()


class Answer(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        self.server.posted.put((self.path, urllib.parse.parse_qs(body, keep_blank_values=True)))
        self.send_response(303)
        self.send_header("Location", "/home")
        self.end_headers()

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!DOCTYPE html><link rel=icon href='data:,'><p id=home>home")

    def log_message(self, *_):
        pass


class FormPost:
    def __init__(self, binaries, scratch):
        self.application = Application()
        self.files = Files(scratch, binaries)
        self.browser = Browser()

    def address(self, provider, credentials, **changes):
        request = {
            "client_id": credentials["client_id"], "redirect_uri": self.application.callback, "response_type": "code",
            "scope": "openid", "response_mode": "form_post", "state": "\"><b>&'; s" + "s" * 4000, **changes,
        }
        return f"{provider}/authorize?{urllib.parse.urlencode(request)}", request["state"]

    def is_told(self, error, state):
        path, fields = self.application.posted.get(timeout=PATIENCE)
        assert self.application.site + path == self.application.callback, path
        assert fields["error"] == [error] and fields["state"] == [state], fields
        # The redirect of the application is followed, too.
        self.browser.wait("document.querySelector('#home')", "the application's page")
        assert self.application.posted.empty(), "posted twice"

    def run(self):
        backend = Backend(self.files, "milagro", "--redirect-uri", self.application.callback)
        try:
            credentials = backend.credentials()
            address, state = self.address(backend.site, credentials, prompt="none")
            self.browser.open(address)
            self.is_told("login_required", state)
            address, state = self.address(backend.site, credentials)
            self.browser.open(address)
            self.browser.wait("document.querySelector('a[href$=cancel]')", "the login page")
            self.browser.run("document.querySelector('a[href$=cancel]').click()")
            self.is_told("access_denied", state)
            complaints = [entry["message"] for entry in self.browser.complaints() if "favicon" not in entry["message"]]
            assert not complaints, complaints
            # Without scripts there is a button.
            self.browser.command("Emulation.setScriptExecutionDisabled", value=True)
            address, state = self.address(backend.site, credentials, prompt="none")
            self.browser.open(address)
            self.browser.press("form button")
            self.browser.command("Emulation.setScriptExecutionDisabled", value=False)
            self.is_told("login_required", state)
        finally:
            self.browser.close()
            self.application.shutdown()
            backend.end()


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory(prefix="login-kiosk-") as scratch:
        FormPost(sys.argv[1], scratch).run()
    print("form_post: 3 answers were posted\n1 passed, 0 failed")


if __name__ == "__main__":
    main()
