# SPDX-License-Identifier: Apache-2.0
"""Checks that are counted and told, one a line, with the ends of the logs after one that failed."""

import glob
import os
import subprocess
import time


class Checks:
    """A test's checks. `logs` are patterns of the files that explain a failure."""

    logs = ()

    def __init__(self):
        self.passed = self.failed = 0

    def check(self, name, is_so, told=""):
        self.passed, self.failed = self.passed + bool(is_so), self.failed + (not is_so)
        print(f"{'ok   ' if is_so else 'FAIL '} {name}", flush=True)
        if not is_so:
            for line in str(told).splitlines()[-40:]:
                print(f"      {line}")
            self.explain()

    def explain(self):
        for name in sorted(name for pattern in self.logs for name in glob.glob(pattern) if os.path.isfile(name)):
            with open(name, encoding="utf-8", errors="replace") as file:
                for line in file.read().splitlines()[-6:]:
                    print(f"      {os.path.basename(name)}: {line[:200]}")

    def attempt(self, name, action):
        """One check: whether the action ends without an error."""
        try:
            action()
            self.check(name, True)
        except Exception as error:  # pylint: disable=broad-except: the next one is tried
            self.check(name, False, f"{type(error).__name__}: {error}")

    def part(self, name, story):
        """One part. Where it cannot go on it has failed, and the next one begins."""
        print(f"== {name}", flush=True)
        began = time.monotonic()
        try:
            story()
        except (AssertionError, OSError, StopIteration, subprocess.SubprocessError) as error:
            self.check(f"{name}, to its end", False, error)
        print(f"      {time.monotonic() - began:.0f} s", flush=True)

    def verdict(self):
        """The last line, and the exit code."""
        print(f"{self.passed} passed, {self.failed} failed")
        return 1 if self.failed else 0
