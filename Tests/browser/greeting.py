#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures how long a person in front of a real browser waits, from the last digit of the PIN to the painted greeting.

A Chromium shows the reference backend's login page; `login-kiosk login` reads its code, and gets the PIN when the page shows
that the kiosk has read it, as from a quick hand. Both run on this machine without TLS, in every dialect.

usage: greeting.py DIRECTORY-OF-PROGRAMS [LOGINS]
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../Scripts"))

from programs import ENVIRONMENT, Backend, Files
from webdriver import Browser

USER, PIN = "alice@example.com", "7391"
DIALECTS = ["milagro", "milagro-without-permits", "mfa-v1", "mfa-v2", "trust-2023", "trust-2025"]
GOAL = 60
# The time of the first paint of a page that no script of the login page has left, in milliseconds since 1970.
PAINTED = """
const [paint] = performance.getEntriesByName("first-contentful-paint");
return paint && !document.getElementById("qr") ? performance.timeOrigin + paint.startTime : null;
"""


class Login:
    def __init__(self, programs, dialect, folder):
        self.files = Files(folder, programs)
        company = ["--company-id", "example"] if dialect.startswith("mfa-") else []
        self.backend = Backend(self.files, dialect, *company)
        self.options = ["--allow-loopback-http", *self.files.places, *company]

    def register(self, browser):
        self.files.run("trust", "add", self.backend.host, *self.files.places)
        register = ["enroll", "--qr-file", self.code(browser), "--user", USER, "--wait", "0", *self.options]
        with subprocess.Popen(
                [self.files.program, *register], env=ENVIRONMENT, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                stderr=subprocess.PIPE, text=True) as device:
            browser.open(self.backend.site + "/outbox")
            while not (link := browser.run("return document.querySelector('li a')?.href")):
                browser.open(self.backend.site + "/outbox")
            # Either the person confirms on the page of the link, or the device takes the link.
            browser.open(link)
            confirms = browser.run("return document.querySelector('form button')?.click() !== undefined")
            told = device.communicate(None if confirms else f"{link}\n{PIN}\n", timeout=60)
        if device.returncode == 88:
            self.files.run(*register, lines=PIN + "\n")
        else:
            assert device.returncode == 0, told

    def code(self, browser):
        """Opens the login page as a new browser, and returns a file with the text of its code."""
        browser.forget()
        browser.open(self.backend.site + "/")
        browser.wait("document.getElementById('qr').complete", "the code")
        picture = self.files.path("code.png")
        with open(picture, "wb") as file:
            file.write(browser.picture())
        code = self.files.path("code.txt")
        with open(code, "w", encoding="utf-8") as file:
            file.write(self.files.run("scan", "--source", picture))
        return code

    def wait(self, browser):
        """One login.

        - Returns: milliseconds from the last digit to the greeting.
        """
        code = self.code(browser)
        with subprocess.Popen(
                [self.files.program, "login", "--user", USER, "--qr-file", code, *self.options], env=ENVIRONMENT,
                stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as device:
            status = "document.getElementById('status')"
            browser.wait(f"!['', {status}.dataset.new].includes({status}.textContent)", "the news that the code was read")
            # A quick hand takes half a second for four digits, and the device is ready before the last one.
            time.sleep(0.5)
            assert device.poll() is None, device.stderr.read()
            pressed = time.time() * 1000
            device.stdin.write(PIN + "\n")
            device.stdin.close()
            browser.wait("document.getElementById('qr') === null", "the greeting")
            browser.wait("performance.getEntriesByName('first-contentful-paint').length", "a painted greeting")
            assert device.wait(timeout=60) == 0, device.stderr.read()
            return browser.run(PAINTED) - pressed


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    logins = int(sys.argv[2]) if len(sys.argv) == 3 else 7
    print(f"last digit to the painted greeting in Chromium, {logins} logins each; the goal is {GOAL} ms at the median")
    browser = Browser()
    browser.resize(800, 900)
    try:
        for dialect in DIALECTS:
            with tempfile.TemporaryDirectory() as folder:
                login = Login(sys.argv[1], dialect, folder)
                try:
                    login.register(browser)
                    waits = sorted(login.wait(browser) for _ in range(logins))
                    print(f"{dialect:24} median {statistics.median(waits):5.0f} ms, longest {waits[-1]:5.0f} ms", flush=True)
                finally:
                    login.backend.end()
    finally:
        browser.close()


if __name__ == "__main__":
    main()
