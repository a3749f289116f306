# SPDX-License-Identifier: Apache-2.0
"""A person who logs a browser in to a web site: backend, kiosk and site are the real programs."""

import contextlib
import os
import re
import signal
import subprocess
import tempfile
import threading
import urllib.parse

import requests

from patience import end, until
from programs import Backend, Files

USER, PIN = "alice@example.com", "739154"
# Seconds for a reply.
LIMIT = 120


@contextlib.contextmanager
def story(programs, callback, *options):
    """A backend that serves a web site, and a kiosk at which the person is registered, until the block ends."""
    with tempfile.TemporaryDirectory() as folder:
        files = Files(folder, programs)
        with Backend(files, "milagro", "--redirect-uri", callback, *options) as backend:
            files.run("trust", "add", backend.host, *files.places)
            enroll = ["enroll", "--backend", backend.site, "--user", USER, "--wait", "0", "--allow-loopback-http",
                      *files.places]
            files.run(*enroll, told=88)
            backend.command("activate", USER)
            files.run(*enroll, lines=PIN + "\n")
            try:
                yield Story(files, backend)
            except AssertionError as error:
                raise AssertionError(f"{error}; the backend: {backend.told()}") from error


class Story:
    def __init__(self, files, backend):
        self.files, self.backend = files, backend

    @contextlib.contextmanager
    def site(self, command, port):
        """A web site with the credentials of the backend, which answers, until the block ends."""
        credentials = self.backend.credentials()
        log = self.files.path("site.log")
        # Some libraries write keys of their own beside themselves.
        with open(log, "wb") as output:
            process = subprocess.Popen(
                command, stdout=output, stderr=subprocess.STDOUT, cwd=self.files.folder,
                env={"PATH": os.environ["PATH"], "HOME": self.files.folder, "PYTHONDONTWRITEBYTECODE": "1",
                     "PROVIDER": self.backend.site, "CLIENT_ID": credentials["client_id"],
                     "CLIENT_SECRET": credentials["client_secret"]})

        def answers():
            with open(log, encoding="utf-8") as file:
                assert process.poll() is None, file.read()
            try:
                requests.get(f"http://127.0.0.1:{port}/", timeout=LIMIT)
                return True
            except requests.ConnectionError:
                return False

        try:
            until(answers, "the web site's answer")
            yield
        finally:
            if end(process) == -signal.SIGKILL:
                raise AssertionError("the web site did not end")

    def log_in(self, site):
        """A browser without scripts goes where the pages send it, and the site greets the person."""
        browser = requests.Session()
        home = browser.get(site, timeout=LIMIT)
        assert "Hello" not in home.text, home.text
        page = browser.get(site + re.search(r"href='([^']+)'", home.text)[1], timeout=LIMIT)
        page = self.pass_page(browser, page)
        assert page.text == f"Hello {USER}", (page.url, page.text)

    def pass_page(self, browser, page, follow=True):
        """The person types the PIN for a page of the provider; where the browser goes then."""
        assert "/authorize?" in page.url, page.url
        root = urllib.parse.urljoin(page.url, re.search(r'data-root="([^"]+)"', page.text)[1])
        picture = urllib.parse.urljoin(page.url, re.search(r'<img[^>]*src="([^"]+)"', page.text)[1])
        code, text = self.files.path("code.png"), self.files.path("code.txt")
        with open(code, "wb") as file:
            file.write(browser.get(picture, timeout=LIMIT).content)
        with open(text, "w", encoding="utf-8") as file:
            file.write(self.files.run("scan", "--source", code))
        # The browser asks while the person types.
        asked = threading.Event()

        def ask():
            while not asked.wait(0.2):
                browser.get(root + "session", timeout=LIMIT)

        asking = threading.Thread(target=ask)
        asking.start()
        try:
            self.files.run("login", "--user", USER, "--qr-file", text, "--allow-loopback-http", *self.files.places,
                           lines=PIN + "\n")
            # A reply that is a refusal is false.
            return until(lambda: browser.get(root + "done", timeout=LIMIT, allow_redirects=follow),
                         "the login at the page", pause=0.2)
        finally:
            asked.set()
            asking.join()
