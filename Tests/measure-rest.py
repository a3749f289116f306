#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures the scanner's processor time before an empty room, awake and at rest.

    Tests/measure-rest.py PATH/login-kiosk-scanner [SECONDS]

Films 1280x720 at 30 frames a second into a named pipe: one picture of noise, with other noise of the sensor in each frame.
"""
import os, random, subprocess, sys, tempfile, threading, time

WIDTH, HEIGHT, RATE = 1280, 720, 30
REST, WAKE = 7, 8
TICK = os.sysconf("SC_CLK_TCK")


def frames(count):
    random.seed(8)
    rows = [bytes(90 + x // 16 + random.randint(0, 6) for x in range(WIDTH)) for _ in range(64)]
    chroma = bytes([128]) * (WIDTH * HEIGHT // 2)
    return [b"FRAME\n" + b"".join(random.choice(rows) for _ in range(HEIGHT)) + chroma for _ in range(count)]


def film(path, ended):
    pictures = frames(8)
    with open(path, "wb", buffering=0) as pipe:
        pipe.write(f"YUV4MPEG2 W{WIDTH} H{HEIGHT} F{RATE}:1 Ip A1:1 C420jpeg\n".encode())
        due, number = time.monotonic(), 0
        while not ended.is_set():
            pipe.write(pictures[number % len(pictures)])
            number, due = number + 1, due + 1 / RATE
            time.sleep(max(0, due - time.monotonic()))


def seconds(process):
    fields = open(f"/proc/{process.pid}/stat").read().rsplit(") ", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICK


def measure(process, duration):
    before, start = seconds(process), time.monotonic()
    time.sleep(duration)
    return (seconds(process) - before) / (time.monotonic() - start)


def main():
    scanner, duration = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 60
    with tempfile.TemporaryDirectory() as folder:
        pipe = os.path.join(folder, "film.y4m")
        os.mkfifo(pipe, 0o600)
        process = subprocess.Popen([scanner, "--source", f"y4m:{pipe}"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
        ended = threading.Event()
        threading.Thread(target=film, args=(pipe, ended), daemon=True).start()
        time.sleep(5)
        awake = measure(process, duration)
        process.stdin.write(bytes([1, 0, 0, 0, REST]))
        process.stdin.flush()
        # It rests after a minute without a change.
        time.sleep(65)
        rest = measure(process, duration)
        print(f"awake {awake:.4f}, at rest {rest:.4f} of a processor; ratio {rest / awake:.3f}")
        process.kill()
        ended.set()


if __name__ == "__main__":
    main()
