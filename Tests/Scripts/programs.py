# SPDX-License-Identifier: Apache-2.0
"""The programs under test: the kiosk on a terminal of its own, and the backend."""

import fcntl
import os
import pty
import signal
import struct
import subprocess
import tempfile
import termios
import threading
import time

from patience import patience

ENVIRONMENT = {"PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "LANG": "C.UTF-8", "TERM": "linux"}


class Files:
    """A directory with the kiosk's and the backend's files."""

    def __init__(self, folder, binaries):
        self.folder = folder
        self.program = os.path.join(binaries, "login-kiosk")
        self.shown = None
        self.places = ["--state", self.path("kiosk"), "--config", self.path("config")]

    def path(self, name):
        return os.path.join(self.folder, name)

    def run(self, *arguments):
        """Runs a command of the kiosk to its end."""
        done = subprocess.run(
            [self.program, *arguments], env=ENVIRONMENT, capture_output=True, text=True, timeout=120, check=False)
        if done.returncode != 0:
            raise AssertionError(f"{arguments}: exit {done.returncode}: {done.stderr}")

    def configure(self, settings):
        os.makedirs(self.path("config/config.d"), mode=0o700, exist_ok=True)
        with open(self.path("config/config.d/test.yaml"), "w", encoding="utf-8") as file:
            file.write(settings)

    def show(self, picture):
        """Puts a picture where the kiosk's camera looks, in one step. It looks at two files in turn and reads them anew."""
        self.shown = picture
        folder = self.path("camera")
        os.makedirs(folder, exist_ok=True)
        for index in range(2):
            temporary = self.path("picture")
            with open(temporary, "wb") as file:
                file.write(picture)
            os.rename(temporary, os.path.join(folder, f"{index}.png"))


class Backend:
    """The reference backend and its login page, which speaks one dialect at its origin."""

    def __init__(self, files, dialect, *arguments):
        self.process = subprocess.Popen(
            [files.program + "-backend", "--listen", "127.0.0.1:0", "--state", files.path(dialect), "--dialect", dialect,
             "--site-name", "Example Shop", "--public-outbox", "--admit", "anybody", *arguments],
            env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        # One that does not begin is an error, and nothing to wait for.
        impatience = threading.Timer(patience(), self.process.kill)
        impatience.start()
        line = self.process.stdout.readline()
        impatience.cancel()
        if not line.startswith("serving "):
            raise AssertionError(f"the backend says {line!r}")
        self.site = line.split()[1]
        # As the trust list and the screens call it.
        self.host = self.site.split("//")[1]

    def hold(self):
        """Lets it answer nobody, so that a screen that waits for it stays."""
        self.process.send_signal(signal.SIGSTOP)

    def go_on(self):
        self.process.send_signal(signal.SIGCONT)

    def end(self):
        self.go_on()
        self.process.terminate()
        self.process.wait(timeout=30)


class Kiosk:
    """`login-kiosk run` on a terminal of 80 x 24, whose keys a test presses."""

    def __init__(self, files, port, *arguments):
        self.output = b""
        # A file: a pipe could be full, or kept open by a program that the kiosk started.
        self.errors = tempfile.TemporaryFile()
        master, device = pty.openpty()
        fcntl.ioctl(device, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self.master = master
        source = f"dir,loop,rate=10:{files.path('camera')}"
        self.process = subprocess.Popen(
            [files.program, "run", "--source", source, "--web", str(port), "--allow-loopback-http", *arguments,
             *files.places],
            env=ENVIRONMENT, stdin=device, stdout=device, stderr=self.errors, start_new_session=True)
        os.close(device)
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        while True:
            try:
                chunk = os.read(self.master, 65536)
            except OSError:
                return
            if not chunk:
                return
            self.output += chunk

    def press(self, keys):
        """Presses one key after the other, as a quick hand does."""
        for key in keys:
            os.write(self.master, key.encode())
            time.sleep(0.04)

    def hold(self):
        self.process.send_signal(signal.SIGSTOP)

    def go_on(self):
        self.process.send_signal(signal.SIGCONT)

    def end(self):
        self.go_on()
        self.process.terminate()
        self.process.wait(timeout=30)
        self.errors.seek(0)
        errors = self.errors.read().decode()
        os.close(self.master)
        if self.process.returncode != 0:
            raise AssertionError(f"the kiosk ended with {self.process.returncode}: {errors}")
        return errors
