#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Cuts the power of the guest while a kiosk and a backend write, and checks what is left.

usage: power.py CACHE FOLDER CUTS SEED [CUT]

CACHE has the guest, FOLDER the programs and scripts of test.sh. Each cut has a copy of the same disk, two starts of the
guest, and random actions of its own. CUT is the number of one of them, which is repeated alone.

The power is cut by killing QEMU: data that were only in the guest's memory are lost. Before the cut power.sh prints the
begin and the end of each action. An end is a promise: after the cut the newest PIN works, people who were registered
log in, and no wrong PIN is forgotten.
"""

import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../Scripts"))

from checks import Checks

USER, PIN, NEW_PINS = "tina@example.com", "7391", ["4826", "9162", "3586", "6418"]
RIGHT_PIN, WRONG_PIN = 0, 80
# Actions in which the power is cut, and those that reset the count of wrong PINs.
KINDS = ["register", "login", "change", "renew", "rotate", "wrong"]
RESETTING = {"right", "login", "change", "renew"}
# Exit code of run-guest.sh when QEMU was killed.
NO_POWER = 124
# Seconds for a start of the guest and its part, where everything is emulated.
LIMIT = 1200


class Plan:
    """Actions, and the one of them in which the power is cut."""

    def __init__(self, seed, number):
        chance = random.Random(f"{seed}/{number}")
        self.target, self.kind = chance.randrange(1, 4), KINDS[number % len(KINDS)]
        # A third wrong PIN in a row would block.
        kinds = [chance.choice([*KINDS[:-1], "right"]) for _ in range(self.target + 3)]
        kinds[self.target] = self.kind
        if self.kind not in RESETTING:
            kinds[self.target - 1] = "wrong"
        # Of the time that such an action takes, and a little of the next one's.
        self.moment = chance.uniform(0, 1.2)
        pins, people = iter(chance.sample(NEW_PINS, len(NEW_PINS)) * 2), iter(range(len(kinds)))
        self.actions = [
            (kind, {"change": lambda: next(pins), "register": lambda: f"person{next(people)}@example.com"}
             .get(kind, lambda: "-")()) for kind in kinds]


class Promises:
    """The promises of the guest until the power was cut."""

    def __init__(self, plan):
        self.plan = plan
        # One PIN, or during a change two of which one works.
        self.pins = [PIN]
        self.wrong = 0
        self.people, self.unfinished = [], []
        self.cut_off = None
        self.faults = []
        self.began = 0.0
        self.times = {}

    def hear(self, line):
        words = line.split()
        if words[:1] == ["begin"]:
            kind, word = self.plan.actions[int(words[1])]
            self.cut_off, self.began = kind, time.monotonic()
            if kind in RESETTING:
                self.wrong = 0
            if kind == "change":
                self.pins.append(word)
            if kind == "register":
                self.unfinished = [f"{word}:{self.pins[0]}"]
        elif words[:1] == ["end"]:
            kind, _ = self.plan.actions[int(words[1])]
            self.times[kind] = time.monotonic() - self.began
            self.cut_off = None
            if int(words[2]) != (WRONG_PIN if kind == "wrong" else RIGHT_PIN):
                self.faults.append(f"{kind} ended with {words[2]}")
            if kind == "wrong":
                self.wrong += 1
            self.pins = self.pins[-1:]
            self.people, self.unfinished = self.people + self.unfinished, []
        elif words[:1] == ["log"]:
            self.faults.append(line.removeprefix("log "))


class PowerCuts(Checks):
    def __init__(self, cache, folder, seed):
        super().__init__()
        self.cache, self.seed = cache, seed
        self.work = tempfile.mkdtemp(dir=os.path.abspath(folder))
        self.job, self.disk = f"{self.work}/job", f"{self.work}/disk"
        # Seconds that each kind of action took the last time.
        self.times = dict.fromkeys(KINDS, 3.0)
        self.cut_off = dict.fromkeys(KINDS, 0)
        # Of the person's identities: a renewal makes another one.
        self.fingerprints = set()
        os.mkdir(self.job)
        for name in ("common.sh", "backend.sh", "login-kiosk", "login-kiosk-scanner", "login-kiosk-backend"):
            shutil.copy2(f"{folder}/{name}", self.job)
        shutil.copytree(f"{folder}/lib", f"{self.job}/lib")
        shutil.copy2(f"{HERE}/power.sh", self.job)

    def boot(self, known, hear):
        """Runs a part of power.sh in the guest. `hear` gets each line, and a function that cuts the power."""
        with open(f"{self.job}/known", "w", encoding="utf-8") as file:
            file.writelines(f"{name}='{value}'\n" for name, value in known.items())
        number = f"{self.work}/qemu"
        # A write that QEMU has finished is in the file, which outlives QEMU.
        devices = (f"-drive if=none,id=state,format=raw,cache=writeback,file={self.disk}"
                   f" -device virtio-blk-pci,drive=state -pidfile {number}")

        def cut():
            with open(number, encoding="ascii") as file:
                os.kill(int(file.read()), signal.SIGKILL)

        with subprocess.Popen(
                [f"{HERE}/run-guest.sh", self.cache, str(LIMIT), self.job, "./power.sh"], text=True,
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**os.environ, "DEVICES": devices}) as guest:
            complaints = []
            reader = threading.Thread(target=lambda: complaints.append(guest.stderr.read()))
            reader.start()
            for line in guest.stdout:
                hear(line.rstrip("\n"), cut)
            reader.join()
        return guest.returncode, complaints[0]

    def prepare(self):
        """The disk that each cut begins with: one person is registered."""
        self.disk = f"{self.work}/first"
        subprocess.run(["truncate", "--size", "48M", self.disk], check=True)
        subprocess.run(["mke2fs", "-q", "-t", "ext4", "-E", "root_owner=0:0", self.disk], check=True)
        lines = []
        code, told = self.boot({"part": "begin", "pin": PIN}, lambda line, _: lines.append(line))
        self.check("a person is registered, on a disk that all cuts begin with", code == 0, "\n".join([*lines, told]))
        return code == 0

    def cut(self, number):
        plan = Plan(self.seed, number)
        self.disk = f"{self.work}/disk"
        subprocess.run(["cp", "--sparse=always", f"{self.work}/first", self.disk], check=True)
        promises, timers = Promises(plan), []

        def hear(line, cut):
            promises.hear(line)
            if line == f"begin {plan.target}":
                timers.append(threading.Timer(plan.moment * self.times[plan.kind], cut))
                timers[0].start()

        actions = " ".join(f"{kind}:{word}" for kind, word in plan.actions)
        code, told = self.boot({"part": "act", "pin": PIN, "actions": actions}, hear)
        for timer in timers:
            timer.join()
        self.times.update({kind: taken for kind, taken in promises.times.items() if kind in self.times})
        when = f"in {promises.cut_off}" if promises.cut_off else "between two actions"
        if promises.cut_off in self.cut_off:
            self.cut_off[promises.cut_off] += 1
        if not timers or code != NO_POWER:
            promises.faults.append(f"the guest ended with {code} before the cut: {told}")
        found = [] if promises.faults else self.look(promises)
        told = "\n".join([*promises.faults, f"promised: {promises.wrong} wrong PINs; actions: {actions}", *found])
        wrongs = [] if promises.faults else self.compare(promises, found)
        self.check(f"cut {number}, {when}: all that was promised is there", not promises.faults and not wrongs,
                   "\n".join([*wrongs, told, f"again: make test-power-long SEED={self.seed} CUT={number}"]))

    def look(self, promises):
        lines = []
        known = {"part": "look", "pins": " ".join(promises.pins), "people": " ".join(promises.people),
                 "unfinished": " ".join(promises.unfinished)}
        _, told = self.boot(known, lambda line, _: lines.append(line))
        return lines if "looked" in lines else [*lines, told]

    def compare(self, promises, found):
        """The promises that are not kept."""
        wrongs = []

        def codes(word):
            return [int(line.split()[-1]) for line in found if re.fullmatch(rf"{word} (\d+ )?\d+", line)]

        def failures(when):
            listed = [json.loads(line.split(maxsplit=2)[2]) for line in found if line.startswith(f"users {when} {{")]
            return [(one["failures"], one["fingerprint"]) for users in listed for one in users["users"]
                    if one["userID"] == USER]

        if "looked" not in found:
            wrongs.append("the guest did not come back")
        if "store 0 0" not in found:
            wrongs.append("the kiosk's store does not open, or misses something")
        if codes("audit") != [0]:
            wrongs.append("the backend's audit log is damaged")
        if sorted(codes("pin")) != sorted([RIGHT_PIN] + [WRONG_PIN] * (len(promises.pins) - 1)):
            wrongs.append(f"of {len(promises.pins)} PINs not exactly one works: {codes('pin')}")
        if codes("person") != [RIGHT_PIN] * len(promises.people + promises.unfinished):
            wrongs.append(f"a registered person cannot log in: {codes('person')}")
        if WRONG_PIN in codes("unfinished"):
            wrongs.append("half an identity: its PIN is wrong")
        before, after = failures("before"), failures("after")
        if max((count for count, _ in before), default=-1) < promises.wrong:
            wrongs.append(f"wrong PINs are forgotten: {before}")
        self.fingerprints.update(key for _, key in before + after)
        return wrongs

    def run(self, numbers):
        print(f"power cuts: {len(numbers)}, seed {self.seed}", flush=True)
        try:
            if self.prepare():
                for number in numbers:
                    self.cut(number)
                # A few cuts may all miss one.
                if len(numbers) >= 10 * len(KINDS):
                    self.check("some secrets were renewed", len(self.fingerprints) > 1)
                    missed = [kind for kind, count in self.cut_off.items() if count == 0]
                    self.check("each kind of action was cut off", not missed, missed)
            print("cut off:", ", ".join(f"{count} in {kind}" for kind, count in self.cut_off.items()))
            return self.verdict()
        finally:
            shutil.rmtree(self.work)


if __name__ == "__main__":
    if len(sys.argv) not in (5, 6):
        print(__doc__, file=sys.stderr)
        sys.exit(64)
    cuts = [int(sys.argv[5])] if len(sys.argv) == 6 else list(range(int(sys.argv[3])))
    sys.exit(PowerCuts(*sys.argv[1:3], sys.argv[4]).run(cuts))
