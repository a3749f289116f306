# SPDX-License-Identifier: Apache-2.0
"""A camera that films one picture after the other into a named pipe, and can be unplugged."""

import functools
import os
import struct
import threading
import time
import zlib

from patience import until

# The largest picture that is held up, a personal card's, has fewer pixels on a side.
SIDE = 720
RATE = 120


@functools.lru_cache(maxsize=4)
def frame(picture):
    """A square picture (PNG, 8 bits of grey) in the middle of a white frame."""
    side, height, depth, colour = struct.unpack(">IIBB", picture[16:26])
    if (height, depth, colour) != (side, 8, 0) or side > SIDE:
        raise AssertionError(f"a picture of {side} x {height}, {depth} bits, kind {colour}")
    data, place = b"", 8
    while place < len(picture):
        length, kind = struct.unpack(">I4s", picture[place:place + 8])
        data += picture[place + 8:place + 8 + length] if kind == b"IDAT" else b""
        place += length + 12
    lines, above, rows = zlib.decompress(data), bytes(side), []
    for start in range(0, len(lines), side + 1):
        above = unfiltered(lines[start], lines[start + 1:start + 1 + side], above)
        rows.append(above)
    left = (SIDE - side) // 2
    edges = b"\xff" * left, b"\xff" * (SIDE - side - left)
    empty = b"\xff" * SIDE
    return (empty * left + b"".join(edges[0] + row + edges[1] for row in rows) + empty * (SIDE - side - left))


def unfiltered(kind, line, above):
    """A row of a PNG, of one byte a pixel."""
    if kind == 0:
        return line
    if kind == 2 and not any(line):
        return above
    row = bytearray(line)
    for index, byte in enumerate(line):
        left, corner = (row[index - 1], above[index - 1]) if index else (0, 0)
        up = above[index]
        if kind == 1:
            guess = left
        elif kind == 2:
            guess = up
        elif kind == 3:
            guess = (left + up) // 2
        else:
            near = left + up - corner
            guess = min((left, up, corner), key=lambda one, near=near: abs(near - one))
        row[index] = (byte + guess) & 0xFF
    return bytes(row)


class Camera:
    """Films until it is unplugged. A kiosk that takes it away and comes back finds it as it was."""

    def __init__(self, name):
        self.name = name
        os.mkfifo(name, 0o600)
        self.frame = None
        # Frames since the picture was held up, while somebody takes them.
        self.taken, self.is_watched = 0, False
        self.plugged = threading.Event()
        self.plugged.set()
        threading.Thread(target=self._film, daemon=True).start()

    def show(self, picture):
        """Holds a picture up, and waits until no frame of the picture before can come any more."""
        self.frame, self.taken = frame(picture), 0
        until(lambda: self.taken > 2 or not self.is_watched, "the camera's frames")

    def unplug(self):
        self.plugged.clear()

    def plug_in(self):
        self.plugged.set()

    def _film(self):
        while True:
            self.plugged.wait()
            try:
                # Waits for the scanner.
                with open(self.name, "wb", buffering=0) as pipe:
                    self.is_watched = True
                    pipe.write(f"YUV4MPEG2 W{SIDE} H{SIDE} F{RATE}:1 Ip A1:1 Cmono\n".encode())
                    while self.plugged.is_set():
                        pipe.write(b"FRAME\n" + self.frame)
                        self.taken += 1
                        time.sleep(1 / RATE)
            except BrokenPipeError:
                pass
            self.is_watched = False
