# SPDX-License-Identifier: Apache-2.0
"""The programs under test: kiosk and backend, with their files in one folder."""

import fcntl
import json
import os
import pty
import random
import select
import signal
import socket
import struct
import subprocess
import tempfile
import termios
import threading
import time
import zlib

from patience import end, patience, until

ENVIRONMENT = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/nonexistent", "LANG": "C.UTF-8"}


def free_port():
    """A free port below those that the kernel gives to connections and to servers without one of their own: no such program
    takes it before the test's does, or while that one restarts."""
    while True:
        port = random.randrange(15_000, 32_000)
        try:
            socket.create_server(("127.0.0.1", port)).close()
            return port
        except OSError:
            continue


def grey(shade, width=640, height=480):
    """The picture of a camera when nobody holds anything up: one shade, as PNG."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    lines = (b"\0" + bytes([shade]) * width) * height
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(lines)) + chunk(b"IEND", b""))


def show(folder, picture):
    """Puts a picture where a kiosk's camera looks, in one step. It looks at two files in turn and reads them again."""
    os.makedirs(folder, exist_ok=True)
    for index in range(2):
        temporary = folder + ".picture"
        with open(temporary, "wb") as file:
            file.write(picture)
        os.rename(temporary, os.path.join(folder, f"{index}.png"))


def attempt(*command, **options):
    """Runs a command to its end, whatever becomes of it."""
    return subprocess.run(
        command, env=ENVIRONMENT, capture_output=True, text=True, timeout=2 * patience(), check=False, **options)


def run(*command, told=0, **options):
    """Runs a command that has to end with an exit code, and returns what it printed."""
    done = attempt(*command, **options)
    if done.returncode != told:
        raise AssertionError(f"{' '.join(command[:2])}: exit {done.returncode}: {done.stdout} {done.stderr}")
    return done.stdout


class Files:
    """A directory with the kiosk's and the backend's files."""

    def __init__(self, folder, binaries):
        self.folder = folder
        self.program = os.path.join(binaries, "login-kiosk")
        self.shown = None
        self.places = ["--state", self.path("kiosk"), "--config", self.path("config")]

    def path(self, name):
        return os.path.join(self.folder, name)

    def run(self, *arguments, told=0, lines=""):
        """Runs a command of the kiosk, and returns what it printed."""
        return run(self.program, *arguments, told=told, input=lines)

    def configure(self, settings):
        os.makedirs(self.path("config/config.d"), mode=0o700, exist_ok=True)
        with open(self.path("config/config.d/test.yaml"), "w", encoding="utf-8") as file:
            file.write(settings)

    def show(self, picture):
        self.shown = picture
        show(self.path("camera"), picture)


class Backend:
    """The reference backend and its login page, which speaks one dialect at its origin. `with` ends it."""

    def __init__(self, files, dialect, *arguments):
        self.program = files.program + "-backend"
        self.state = files.path(dialect)
        self.log = open(files.path(dialect + ".log"), "a+", encoding="utf-8")  # pylint: disable=consider-using-with
        self.process = subprocess.Popen(
            [self.program, "--listen", "127.0.0.1:0", "--state", self.state, "--dialect", dialect, "--site-name",
             "Example Shop", "--public-outbox", "--admit", "anybody", *arguments],
            env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=self.log, text=True)
        # One that does not begin is an error, and nothing to wait for.
        impatience = threading.Timer(patience(), self.process.kill)
        impatience.start()
        line = self.process.stdout.readline()
        impatience.cancel()
        if not line.startswith("serving "):
            raise AssertionError(f"the backend says {line!r}: {self.told()}")
        self.site = line.split()[1]
        # As the trust list and the screens call it.
        self.host = self.site.split("//")[1]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()

    def told(self):
        """The end of its log."""
        self.log.seek(0)
        return "".join(self.log.readlines()[-6:])

    def command(self, *arguments):
        return run(self.program, *arguments, "--state", self.state)

    def credentials(self):
        """Those of the web site that it serves."""
        with open(os.path.join(self.state, "relying-party"), encoding="utf-8") as file:
            return json.load(file)

    def hold(self):
        """Lets it answer nobody, so that a screen that waits for it stays."""
        self.process.send_signal(signal.SIGSTOP)

    def go_on(self):
        self.process.send_signal(signal.SIGCONT)

    def end(self):
        self.go_on()
        code = end(self.process)
        if code != 0:
            raise AssertionError(f"the backend ended with {code}: {self.told()}")
        self.log.close()


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
            env={**ENVIRONMENT, "TERM": "linux"}, stdin=device, stdout=device, stderr=self.errors, start_new_session=True)
        # Kept open, to see whether the kiosk has read what was typed.
        self.device = device
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
        """Presses one key after the other, as a quick hand does, each when the kiosk has read the one before: keys that it
        reads together are a paste."""
        for key in keys:
            os.write(self.master, key.encode())
            time.sleep(0.04)
            until(lambda: not select.select([self.device], [], [], 0)[0], "the kiosk to read a key", pause=0.01)

    def hold(self):
        self.process.send_signal(signal.SIGSTOP)

    def go_on(self):
        self.process.send_signal(signal.SIGCONT)

    def end(self):
        self.go_on()
        end(self.process)
        os.close(self.device)
        self.errors.seek(0)
        errors = self.errors.read().decode()
        os.close(self.master)
        if self.process.returncode != 0:
            raise AssertionError(f"the kiosk ended with {self.process.returncode}: {errors}")
        return errors
