#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures the kiosk with a panel of its own: memory, time from a key to its picture, and processor time when nothing changes.

    sudo Tests/measure-screen.py PROGRAMS [WIDTHxHEIGHT]

PROGRAMS is the folder of the built programs. The display draws into memory, so what the driver of a panel takes is not
in it. The camera films 1280x720 at 30 frames a second. Needs root, for a /sys in which a panel is connected.
"""
import importlib.util, os, shutil, struct, subprocess, sys, tempfile, threading, time

ROUNDS = 100
HERE = os.path.dirname(os.path.abspath(__file__))
rest = importlib.util.module_from_spec(spec := importlib.util.spec_from_file_location("rest", f"{HERE}/measure-rest.py"))
spec.loader.exec_module(rest)


class Panel:
    """The messages of the display's process, which a copy of its standard output brings."""

    def __init__(self, path):
        self.condition, self.shown, self.at = threading.Condition(), 0, 0.0
        threading.Thread(target=self.read, args=(path,), daemon=True).start()

    def read(self, path):
        with open(path, "rb", buffering=0) as pipe:
            pending = b""
            while chunk := pipe.read(65536):
                now, pending = time.monotonic(), pending + chunk
                while len(pending) >= 4 and len(pending) >= 4 + (length := struct.unpack("<I", pending[:4])[0]):
                    if pending[4] == 3:
                        with self.condition:
                            self.shown, self.at = self.shown + 1, now
                            self.condition.notify_all()
                    pending = pending[4 + length:]

    def wait(self, count, limit=30):
        with self.condition:
            if not self.condition.wait_for(lambda: self.shown >= count, limit):
                sys.exit("measure-screen: the display showed nothing")
            return self.at


def processes(root):
    """The kiosk and its children, by name."""
    found = {"login-kiosk": root}
    for name in os.listdir("/proc"):
        try:
            if name.isdigit() and int(open(f"/proc/{name}/stat").read().rsplit(") ", 1)[1].split()[1]) == root:
                found[os.path.basename(os.readlink(f"/proc/{name}/exe"))] = int(name)
        except OSError:
            continue
    return found


def kilobytes(process, field):
    lines = open(f"/proc/{process}/smaps_rollup").read().splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith(field + ":"))


def ticks(process):
    fields = open(f"/proc/{process}/stat").read().rsplit(") ", 1)[1].split()
    return int(fields[11]) + int(fields[12])


def main():
    programs, size = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "800x480"
    if "MEASURED" not in os.environ:
        os.environ["MEASURED"] = "1"
        os.execvp("unshare", ["unshare", "--mount", sys.executable, *sys.argv])
    subprocess.run(["mount", "-t", "tmpfs", "none", "/sys/class"], check=True)
    os.makedirs("/sys/class/drm/card0-Virtual-1")
    open("/sys/class/drm/card0-Virtual-1/status", "w").write("connected\n")
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(f"{folder}/real")
        for name in ["login-kiosk", "login-kiosk-scanner", "real/login-kiosk-display"]:
            shutil.copy(f"{programs}/{os.path.basename(name)}", f"{folder}/{name}")
        for name in ["film.y4m", "said", "copy"]:
            os.mkfifo(f"{folder}/{name}", 0o600)
        with open(f"{folder}/login-kiosk-display", "w") as script:
            script.write(f"#!/bin/sh\ntee {folder}/copy < {folder}/said &\n"
                         f"exec {folder}/real/login-kiosk-display --memory {size} > {folder}/said\n")
        os.chmod(f"{folder}/login-kiosk-display", 0o755)
        settings = ["--config", f"{folder}/config"]
        subprocess.run([f"{folder}/login-kiosk", "trust", "add", "login.example.com", *settings], check=True,
                       stdout=subprocess.DEVNULL)
        keyboard, terminal = os.openpty()
        panel = Panel(f"{folder}/copy")
        kiosk = subprocess.Popen(
            [f"{folder}/login-kiosk", "run", *settings, "--state", f"{folder}/state", "--source",
             f"y4m:{folder}/film.y4m", "--display", "card0", "--language", "en"],
            stdin=terminal, stdout=subprocess.DEVNULL, stderr=open(f"{folder}/log", "w"), start_new_session=True)
        try:
            ended = threading.Event()
            film = threading.Thread(target=rest.film, args=(f"{folder}/film.y4m", ended), daemon=True)
            film.start()
            panel.wait(1)
            time.sleep(5)
            waits = []
            for key in [b"1", b"\x7f"] * ROUNDS:
                # A key in the first quarter of a second of a screen has no effect everywhere.
                time.sleep(0.4)
                count, pressed = panel.shown, time.monotonic()
                os.write(keyboard, key)
                waits.append(1000 * (panel.wait(count + 1) - pressed))
            waits.sort()
            print(f"key to picture, {len(waits)} keys at {size}: median {waits[len(waits) // 2]:.1f} ms, "
                  f"99 of 100 {waits[len(waits) * 99 // 100]:.1f} ms, longest {waits[-1]:.1f} ms")
            found = processes(kiosk.pid)
            for field in ["Rss", "Pss"]:
                parts = {name: kilobytes(process, field) / 1024 for name, process in found.items() if "kiosk" in name}
                print(f"{field}: {sum(parts.values()):.1f} MiB (" +
                      ", ".join(f"{name} {part:.1f}" for name, part in parts.items()) + ")")
            ended.set()
            film.join()
            # The camera has gone, and the screen that tells so stays as it is.
            time.sleep(15)
            before = ticks(found["login-kiosk-display"])
            time.sleep(20)
            print(f"ticks of the display in 20 s without a change: {ticks(found['login-kiosk-display']) - before}")
        finally:
            kiosk.terminate()
            kiosk.wait()
            sys.stderr.write(open(f"{folder}/log").read())


if __name__ == "__main__":
    main()
