#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Many logins at one kiosk, with wrong PINs and faults; its memory, descriptors and writes.

usage: run.py DIRECTORY-OF-PROGRAMS LOGINS, in namespaces of its own: test.sh
"""

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../Scripts"))

import world
from camera import Camera
from checks import Checks
from people import AGAIN, ENTER, IDLE, LOGIN, WRONG, Kiosk, Page
from servers import LoneBackend
from world import end, path, run, until, write

# Alice is registered at the kiosk. Bob comes with a personal card, so that no wrong PIN makes others wait.
ALICE, BOB = "alice@example.com", "bob@example.com"
PINS = {ALICE: "739154", BOB: "482615"}
WRONG_PIN = "835027"
NO_PICTURE = "The camera gives no picture"
# One login in ten has a wrong PIN, and one in 120 a fault.
WRONG_EVERY, FAULT_EVERY = 10, 120
# Logins after which the backend forgets Bob's wrong PINs: twenty in thirty days would block him.
FORGIVEN_EVERY = 50
SAMPLE_EVERY = 100
# Megabytes of the disk, of memory in 10,000 logins, and the logins that tell a slope from noise.
DISK, SLOPE, TELLING = 16, 0.5, 5000
# The connections that the kiosk's transport keeps at most (TransferLoop.maximumRunning).
CONNECTIONS = 16
# Logins that may go wrong before the rest is not tried.
PATIENCE = 10


class Disk:
    """A file system of its own, in memory; what is written to it is counted below it."""

    def __init__(self, folder):
        self.folder = folder
        run("truncate", "--size", f"{DISK}M", folder + ".img")
        run("mkfs.ext4", "-q", "-m", "0", "-E", "root_owner=0:0", folder + ".img")
        os.mkdir(folder)
        run("mount", "-o", "loop,noatime", folder + ".img", folder)
        device = os.stat(folder).st_dev
        self.counters = f"/sys/dev/block/{os.major(device)}:{os.minor(device)}/stat"

    def written(self):
        """Bytes."""
        with open(self.counters, encoding="ascii") as file:
            return 512 * int(file.read().split()[6])

    def used(self):
        """The part that is taken."""
        room = os.statvfs(self.folder)
        return 1 - room.f_bavail / room.f_blocks


class FilmedKiosk(Kiosk):
    """A kiosk whose camera films without a pause, and whose screen's lines are forgotten with each login."""

    pause = 0.05

    def __init__(self, programs, machine, disk):
        super().__init__(programs, machine)
        self.places[1] = disk.folder + "/state"
        os.symlink(disk.folder + "/log", path(self.name + ".log"))
        os.mkdir(path(self.name + "-config", "config.d"), 0o700)
        write(path(self.name + "-config", "config.d", "camera.yaml"), f"source: y4m:{path('camera')}\n")
        self.camera = Camera(path("camera"))
        self.output, self.seen, self.begun = None, [], ""

    def hold_up(self, picture):
        self.camera.show(picture)

    def start(self):
        self.seen, self.output = [], None
        super().start()

    def lines(self):
        self.output = self.output or open(self.screen, encoding="utf-8", errors="replace")
        *whole, self.begun = (self.begun + self.output.read()).split("\n")
        self.seen += whole
        return self.seen

    def leave(self):
        super().leave()
        self.seen = self.seen[-1:]
        self.mark = 1

    def scanner(self):
        """The number of its scanner's process; none for a moment after one has ended."""
        for thread in os.listdir(f"/proc/{self.process.pid}/task"):
            # Threads and children end meanwhile.
            with contextlib.suppress(OSError):
                with open(f"/proc/{self.process.pid}/task/{thread}/children", encoding="ascii") as file:
                    children = file.read().split()
                for child in children:
                    with contextlib.suppress(OSError):
                        if os.path.basename(os.readlink(f"/proc/{child}/exe")) == "login-kiosk-scanner":
                            return int(child)
        return None


class EagerPage(Page):
    """A login page that hears of its login at once, so that the next person comes soon."""

    pause = 0.02


def memory(process):
    """Resident megabytes."""
    with open(f"/proc/{process}/status", encoding="ascii") as file:
        return int(re.search(r"VmRSS:\s+(\d+) kB", file.read())[1]) / 1024


def descriptors(process):
    """The number of open ones without TCP connections, and of those."""
    connections = set()
    for table in ("tcp", "tcp6"):
        with open(f"/proc/{process}/net/{table}", encoding="ascii") as file:
            connections.update(f"socket:[{line.split()[9]}]" for line in file.readlines()[1:])
    names = []
    for name in os.listdir(f"/proc/{process}/fd"):
        with contextlib.suppress(FileNotFoundError):
            names.append(os.readlink(f"/proc/{process}/fd/{name}"))
    kept = sum(name in connections for name in names)
    return len(names) - kept, kept


def slope(points):
    """The slope of the line with the least squares of distances."""
    count = len(points)
    middle_x, middle_y = (sum(point[axis] for point in points) / count for axis in (0, 1))
    spread = sum((x - middle_x) ** 2 for x, _ in points)
    return sum((x - middle_x) * (y - middle_y) for x, y in points) / spread if spread else 0.0


class Soak(Checks):
    logs = (path("*.log"),)

    def __init__(self, programs, logins):
        super().__init__()
        self.programs, self.logins = programs, logins
        machines = world.build()
        self.machine = machines["kiosk1"]
        self.backend = LoneBackend(programs, machines["lb"])
        self.disk = Disk(path("disk"))
        self.kiosk = None
        self.cards = []
        self.faults = [self.without_scanner, self.restarted, self.killed, self.cut_off, self.unplugged]
        self.told = {LOGIN: 0, WRONG: 0, AGAIN: 0}
        self.samples = []
        self.resting = None

    # Faults: each begins before OK, gives the ends that the login may then have, and is mended afterwards.

    @contextlib.contextmanager
    def nothing(self):
        yield {LOGIN}

    @contextlib.contextmanager
    def restarted(self):
        end(self.backend.process)
        self.backend.start()
        yield {LOGIN, AGAIN}

    @contextlib.contextmanager
    def killed(self):
        end(self.backend.process, signal.SIGKILL)
        try:
            yield {AGAIN}
        finally:
            self.backend.start()

    @contextlib.contextmanager
    def cut_off(self):
        self.machine.unplug()
        try:
            yield {AGAIN}
        finally:
            self.machine.plug_in()

    @contextlib.contextmanager
    def unplugged(self):
        """The camera goes while nobody is there."""
        yield {LOGIN}
        self.kiosk.leave()
        self.kiosk.camera.unplug()
        try:
            until(lambda: self.kiosk.shows(NO_PICTURE), "the screen to miss the camera")
        finally:
            self.kiosk.camera.plug_in()
        until(lambda: self.kiosk.shows(IDLE) and not self.kiosk.shows(NO_PICTURE), "the camera's pictures")

    @contextlib.contextmanager
    def without_scanner(self):
        yield {LOGIN}
        self.kiosk.leave()
        before = until(self.kiosk.scanner, "the scanner")
        os.kill(before, signal.SIGKILL)
        until(lambda: self.kiosk.scanner() not in (None, before), "another scanner")

    # The story.

    def register(self):
        with open(os.open(path("fleet.key"), os.O_WRONLY | os.O_CREAT, 0o600), "wb") as file:
            file.write(os.urandom(32))

        def activate(user):
            self.backend.command("activate", user)

        desk = Kiosk(self.programs, self.machine, "desk")
        desk.enroll(BOB, PINS[BOB], activate)
        # One for the right PIN, one for wrong ones: a kiosk takes a card again when it has seen eight other codes.
        self.cards = [desk.card(BOB), desk.card(BOB)]
        self.kiosk = FilmedKiosk(self.programs, self.machine, self.disk)
        self.kiosk.enroll(ALICE, PINS[ALICE], activate)
        self.kiosk.start()

    def log_in(self, number):
        """One login at a page of its own. Raises an error when it ends as it should not."""
        is_wrong = number % WRONG_EVERY == WRONG_EVERY - 1
        # Bob comes with the right PIN, and next with a wrong one: the verdict after a wrong one waits two seconds.
        user = BOB if is_wrong or number % WRONG_EVERY == WRONG_EVERY - 2 else ALICE
        fault = self.nothing
        if number % FAULT_EVERY == FAULT_EVERY // 2:
            # The memory of the second half's scanner is that of one process.
            known = self.faults if number < self.logins / 2 else self.faults[1:]
            fault = known[number // FAULT_EVERY % len(known)]
        page = EagerPage()
        try:
            card = self.cards[is_wrong] if user == BOB else None
            self.kiosk.approach(page, WRONG_PIN if is_wrong else PINS[user], card)
            with fault() as ends:
                self.kiosk.press(ENTER)
                told = self.kiosk.outcome()
                self.told[told] = self.told.get(told, 0) + 1
                if told not in ({WRONG} if is_wrong else ends):
                    raise AssertionError(f"{user} reads \"{self.kiosk.told}\", with {fault.__name__}")
            if told == LOGIN:
                until(lambda: page.greets(user), f"the browser to greet {user}")
            elif not page.greets_nobody_but(None if is_wrong else user):
                raise AssertionError(f"a browser was logged in by \"{self.kiosk.told}\"")
        finally:
            page.close()

    def sample(self, logins):
        """What the kiosk holds, at its first screen."""
        self.kiosk.leave()
        processes = self.kiosk.process.pid, until(self.kiosk.scanner, "the scanner")

        def held():
            """The counts, when there are no more than there were before."""
            counts = [descriptors(process) for process in processes]
            now = [count for count, _ in counts]
            self.resting = [min(pair) for pair in zip(now, self.resting or now)]
            return counts if now == self.resting else None

        counts = until(held, "descriptors to be as few as before")
        self.samples.append({
            "logins": logins, "kiosk": memory(processes[0]), "scanner": memory(processes[1]),
            "descriptors": sum(count for count, _ in counts), "connections": counts[0][1],
            "disk": self.disk.used(), "log": os.path.getsize(self.disk.folder + "/log") / 1024,
            "written": self.disk.written(), "process": processes[1]})

    def soak(self):
        every = max(1, min(SAMPLE_EVERY, self.logins // 20))
        began, since = time.monotonic(), self.disk.written()
        wrong = 0
        for number in range(self.logins):
            try:
                self.log_in(number)
                if number % FORGIVEN_EVERY == FORGIVEN_EVERY - 1:
                    self.backend.command("unblock", BOB)
                if (number + 1) % every == 0:
                    self.sample(number + 1)
            except (AssertionError, OSError, subprocess.SubprocessError) as error:
                wrong += 1
                self.check(f"login {number}", False, error)
                if wrong == PATIENCE or self.kiosk.process.poll() is not None:
                    break
            if (number + 1) % SAMPLE_EVERY == 0 and self.samples:
                took = time.monotonic() - began
                told = self.line(self.samples[-1], since)
                print(f"      {number + 1} logins, {took / (number + 1):.2f} s each: {told}", flush=True)
        self.check(f"{self.logins} logins end as they should", wrong == 0 and sum(self.told.values()) >= self.logins,
                   self.told)
        self.compare(since)

    @staticmethod
    def line(sample, since):
        return (f"kiosk {sample['kiosk']:.2f} MB, scanner {sample['scanner']:.2f} MB,"
                f" {sample['descriptors']} descriptors, {sample['connections']} connections,"
                f" disk {100 * sample['disk']:.0f} %, log {sample['log']:.0f} KB,"
                f" {(sample['written'] - since) / sample['logins'] / 1024:.1f} KB written a login")

    def compare(self, since):
        """Prints the table, and compares it with the bounds."""
        step = max(1, len(self.samples) // 10)
        for sample in self.samples[step - 1::step]:
            print(f"      {sample['logins']:6}: {self.line(sample, since)}")
        half = [sample for sample in self.samples if sample["logins"] > self.logins / 2]
        tells = len(half) > 1 and self.logins / 2 >= TELLING
        for name in ("kiosk", "scanner"):
            if not tells:
                print(f"      {self.logins} logins are too few for a slope of the {name}'s memory")
                continue
            grows = 10_000 * slope([(sample["logins"], sample[name]) for sample in half])
            self.check(f"the {name}'s memory grows by {grows:.2f} MB in 10,000 logins", grows < SLOPE)
        self.check("one scanner filmed the second half", len({sample["process"] for sample in half}) == 1)
        kept = max((sample["connections"] for sample in self.samples), default=0)
        self.check(f"descriptors stay as they are, beside at most {kept} connections", kept <= CONNECTIONS)
        full = max((sample["disk"] for sample in self.samples), default=1)
        self.check(f"state, audit log and log fill {100 * full:.0f} % of {DISK} MB", full < 0.95)

    def ending(self):
        self.check("the kiosk ends when it is told to", self.kiosk.stop() == 0)
        verified = self.kiosk.command("audit", "verify")
        lines = [json.loads(line) for line in self.kiosk.command("audit", "export", "--format", "jsonl").splitlines()]
        listed = sum(line.get("outcome") == "loggedIn" for line in lines)
        self.check("the audit log has a line for each login", listed == self.told[LOGIN], f"{listed}, {self.told}")
        self.check("and misses none", "could not be written" not in verified, verified)
        with open(self.disk.folder + "/log", encoding="utf-8", errors="replace") as file:
            log = file.read()
        self.check("no PIN is in the log", not any(pin in log for pin in [*PINS.values(), WRONG_PIN]))

    def run(self):
        self.part("two people register", self.register)
        if self.kiosk and self.kiosk.process:
            self.part(f"{self.logins} logins", self.soak)
            self.part("the end", self.ending)
        return self.verdict()


if __name__ == "__main__":
    if len(sys.argv) != 3 or os.getpid() != 1 or not sys.argv[2].isdecimal():
        print(__doc__, file=sys.stderr)
        sys.exit(64)
    sys.exit(Soak(sys.argv[1], int(sys.argv[2])).run())
