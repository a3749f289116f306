# SPDX-License-Identifier: Apache-2.0
"""The waiting of scripts: until the thing itself answers, and as long as the machine needs at the moment."""

import os
import signal
import socket
import subprocess
import time


def patience():
    """Seconds that a wait may take on this machine as it is now: only what hangs takes longer."""
    return 60 * min(4, max(1, os.getloadavg()[0] / os.cpu_count()))


def until(condition, what, pause=0.05, times=1):
    """Waits until `condition` returns something true, and returns that. It asks often at first, then every `pause`
    seconds. What may take a minute by itself has the patience several times."""
    end, wait = time.monotonic() + times * patience(), pause / 16
    while time.monotonic() < end:
        if found := condition():
            return found
        time.sleep(wait)
        wait = min(pause, 2 * wait)
    raise AssertionError(f"waited in vain for {what}")


def reaches(name, port):
    """Whether a server takes a connection there."""
    try:
        socket.create_connection((name, port), timeout=2).close()
        return True
    except OSError:
        return False


def hears(path):
    """Whether a server takes connections or messages at a socket in the file system, whose file exists before it does."""
    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
        with socket.socket(socket.AF_UNIX, kind) as client:
            try:
                client.connect(path)
                return True
            except OSError:
                pass
    return False


def end(process, how=signal.SIGTERM):
    """Ends a program and returns its exit code."""
    if process.poll() is None:
        process.send_signal(how)
    try:
        return process.wait(timeout=patience())
    except subprocess.TimeoutExpired:
        process.kill()
        return process.wait()
