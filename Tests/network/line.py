# SPDX-License-Identifier: Apache-2.0
"""The line between a machine and the bridge, which treats what it carries badly. It does so without the kernel's help,
which not every kernel gives."""

import collections
import contextlib
import fcntl
import heapq
import itertools
import os
import random
import struct
import threading
import time

from world import run

TUNSETIFF, IFF_TAP, IFF_NO_PI = 0x400454CA, 0x0002, 0x1000
# Only these are damaged: without the answer to "who has this address?" nothing is sent at all.
IPV4, HEADER = b"\x08\x00", 14

# Seconds of delay, and at most how many more, so that later frames come first; the parts of all frames that are lost,
# doubled and damaged in one bit; the number of frames after which nothing passes, or None.
Weather = collections.namedtuple("Weather", "delay jitter lost doubled damaged cut")
FAIR = Weather(0, 0, 0, 0, 0, None)


def weather(seed):
    """What goes wrong by a seed: one thing alone or several at once."""
    chance = random.Random(seed)

    def some(most):
        return chance.uniform(0, most) if chance.random() < 0.5 else 0

    return Weather(some(0.3), some(0.2), some(0.3), some(0.3), some(0.1),
                   chance.randrange(120) if chance.random() < 0.4 else None)


class Line:
    """Replaces a machine's cable."""

    def __init__(self, machine):
        run("ip", "link", "delete", machine.name)
        near, far = self._end("line"), self._end(machine.name)
        run("ip", "link", "set", "line", "netns", machine.name, "name", "eth0")
        run("ip", "link", "set", machine.name, "master", "fleet")
        run("ip", "-n", machine.name, "address", "add", f"{machine.address}/24", "dev", "eth0")
        run("ip", "-n", machine.name, "link", "set", "eth0", "up")
        machine.plug_in()
        self.weather, self.chance, self.carried, self.treated = FAIR, random.Random(0), 0, collections.Counter()
        self.change = threading.Condition()
        # Time, count, where to, and the frame. The count keeps the order of those that come at the same time.
        self.waiting, self.count = [], itertools.count()
        for source, target in ((near, far), (far, near)):
            threading.Thread(target=self._take, args=(source, target), daemon=True).start()
        threading.Thread(target=self._deliver, daemon=True).start()

    @staticmethod
    def _end(name):
        end = os.open("/dev/net/tun", os.O_RDWR)
        fcntl.ioctl(end, TUNSETIFF, struct.pack("16sH14x", name.encode(), IFF_TAP | IFF_NO_PI))
        return end

    def set(self, new, seed=0):
        """Treats all frames from now on in this way. Returns the number of frames of each treatment before."""
        with self.change:
            self.weather, self.chance, self.carried = new, random.Random(seed), 0
            before, self.treated = self.treated, collections.Counter()
            return before

    def _take(self, source, target):
        while True:
            frame = os.read(source, 65536)
            with self.change:
                self._treat(frame, target)
                self.change.notify()

    def _treat(self, frame, target):
        now, chance, how = time.monotonic(), self.chance, self.weather
        self.carried += 1
        if how.cut is not None and self.carried > how.cut:
            self.treated["cut off"] += 1
            return
        if chance.random() < how.lost:
            self.treated["lost"] += 1
            return
        if chance.random() < how.damaged and frame[12:HEADER] == IPV4:
            self.treated["damaged"] += 1
            bit = chance.randrange(8 * HEADER, 8 * len(frame))
            frame = frame[:bit // 8] + bytes([frame[bit // 8] ^ 1 << bit % 8]) + frame[bit // 8 + 1:]
        twice = chance.random() < how.doubled
        self.treated["doubled"] += twice
        for _ in range(1 + twice):
            when = now + how.delay + chance.random() * how.jitter
            heapq.heappush(self.waiting, (when, next(self.count), target, frame))

    def _deliver(self):
        while True:
            with self.change:
                while not self.waiting or self.waiting[0][0] > time.monotonic():
                    self.change.wait(self.waiting[0][0] - time.monotonic() if self.waiting else None)
                _, _, target, frame = heapq.heappop(self.waiting)
            # An end may be unplugged.
            with contextlib.suppress(OSError):
                os.write(target, frame)
