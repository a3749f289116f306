#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Logs a browser in to Examples/website, as docs/openid.md tells a web developer: backend, kiosk and site are the real programs.

usage: run.py PROGRAMS
"""

import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import threading
import urllib.parse

import requests

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../Scripts"))

from patience import until  # noqa: E402: the folder is named above

HERE = os.path.dirname(os.path.abspath(__file__))
USER, PIN = "alice@example.com", "739154"
# Seconds for anything that a program has to say.
PATIENCE = 120


def line_after(process, beginning):
    """The rest of the first line that begins so; what follows is read and dropped."""
    for line in process.stdout:
        if line.startswith(beginning):
            threading.Thread(target=lambda: [None for _ in process.stdout], daemon=True).start()
            return line[len(beginning):].strip()
    raise SystemExit(f"the program ended before it said {beginning!r}")


class Story:
    def __init__(self, programs, folder):
        self.programs, self.folder, self.started = programs, folder, []
        self.places = ["--state", f"{folder}/kiosk", "--config", f"{folder}/config"]

    def start(self, arguments, **options):
        process = subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True, **options)
        self.started.append(process)
        return process

    def kiosk(self, *arguments, told=(0,), lines=""):
        done = subprocess.run([f"{self.programs}/login-kiosk", *arguments], input=lines, capture_output=True, text=True,
                              timeout=PATIENCE, check=False)
        assert done.returncode in told, (arguments[0], done.returncode, done.stdout, done.stderr)
        return done.stdout

    def backend(self, site, callback="/callback", *more):
        process = self.start([f"{self.programs}/login-kiosk-backend", "--listen", "127.0.0.1:0", "--state",
                              f"{self.folder}/backend", "--redirect-uri", f"{site}{callback}", "--admit", "anybody", *more])
        return line_after(process, "serving ")

    def enrol(self, provider):
        host = provider.removeprefix("http://")
        self.kiosk("trust", "add", host, *self.places)
        enrol = ["enroll", "--backend", provider, "--user", USER, "--wait", "0", "--allow-loopback-http", *self.places]
        self.kiosk(*enrol, told=(88,))
        subprocess.run([f"{self.programs}/login-kiosk-backend", "activate", USER, "--state", f"{self.folder}/backend"],
                       check=True, capture_output=True)
        self.kiosk(*enrol, lines=PIN + "\n")

    def website(self, provider, port):
        self.serve([sys.executable, "-m", "flask", "--app", os.path.join(HERE, "../../Examples/website/app"), "run", "--port",
                    str(port)], provider, port)

    def serve(self, command, provider, port):
        """Starts a web site with the credentials of the backend, and waits until it answers."""
        with open(f"{self.folder}/backend/relying-party", encoding="utf-8") as file:
            credentials = json.load(file)
        # Some libraries write keys of their own beside themselves.
        process = self.start(
            command, stderr=subprocess.STDOUT, cwd=self.folder,
            env={"PATH": os.environ["PATH"], "HOME": self.folder, "PYTHONDONTWRITEBYTECODE": "1", "PROVIDER": provider,
                 "CLIENT_ID": credentials["client_id"], "CLIENT_SECRET": credentials["client_secret"]})

        def answers():
            assert process.poll() is None, process.stdout.read()
            try:
                requests.get(f"http://127.0.0.1:{port}/", timeout=PATIENCE)
                return True
            except requests.ConnectionError:
                return False

        until(answers, "the web site's answer")

    def log_in(self, site):
        """A browser without scripts goes where the pages send it."""
        browser = requests.Session()
        home = browser.get(site, timeout=PATIENCE)
        assert "Hello" not in home.text, home.text
        page = browser.get(site + re.search(r"href='([^']+)'", home.text)[1], timeout=PATIENCE)
        return self.pass_page(browser, page)

    def pass_page(self, browser, page, follow=True):
        """The person types the PIN for a page of the provider; where the browser goes then."""
        assert "/authorize?" in page.url, page.url
        root = urllib.parse.urljoin(page.url, re.search(r'data-root="([^"]+)"', page.text)[1])
        picture = urllib.parse.urljoin(page.url, re.search(r'<img[^>]*src="([^"]+)"', page.text)[1])
        with open(f"{self.folder}/code.png", "wb") as file:
            file.write(browser.get(picture, timeout=PATIENCE).content)
        with open(f"{self.folder}/code.txt", "w", encoding="utf-8") as file:
            file.write(self.kiosk("scan", "--source", f"{self.folder}/code.png"))
        # The browser asks while the person types.
        asked = threading.Event()

        def ask():
            while not asked.wait(0.2):
                browser.get(root + "session", timeout=PATIENCE)

        asking = threading.Thread(target=ask)
        asking.start()
        try:
            self.kiosk("login", "--user", USER, "--qr-file", f"{self.folder}/code.txt", "--allow-loopback-http",
                       *self.places, lines=PIN + "\n")
            # A reply that is a refusal is false.
            done = until(lambda: browser.get(root + "done", timeout=PATIENCE, allow_redirects=follow),
                         "the login at the page", pause=0.2)
        finally:
            asked.set()
            asking.join()
        return done

    def end(self):
        for process in reversed(self.started):
            process.terminate()
            process.wait(PATIENCE)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as folder:
        story = Story(sys.argv[1], folder)
        try:
            # A port that was free a moment ago.
            with socket.socket() as free:
                free.bind(("127.0.0.1", 0))
                port = free.getsockname()[1]
            site = f"http://127.0.0.1:{port}"
            provider = story.backend(site)
            story.enrol(provider)
            story.website(provider, port)
            page = story.log_in(site)
            assert page.text == f"Hello {USER}", (page.url, page.text)
        finally:
            story.end()
    print("website: a browser was logged in by the kiosk\n1 passed, 0 failed")


if __name__ == "__main__":
    main()
