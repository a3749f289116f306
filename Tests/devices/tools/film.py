#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Films an empty room, 30 frames a second, until nobody looks.

    film.py WIDTHxHEIGHT PIPE

A wall whose light falls off to one side, and the noise of a sensor; as Y4M into a named pipe.
"""
import random
import sys
import time

from PIL import Image, ImageChops

RATE, COUNT = 30, 8

width, height = map(int, sys.argv[1].split("x"))
chance = random.Random(1)
wall = Image.linear_gradient("L").resize((width, height)).point(lambda shade: 110 + shade // 4)
frames = []
for _ in range(COUNT):
    noise = Image.frombytes("L", wall.size, chance.randbytes(width * height)).point(lambda value: value // 21)
    colour = bytes([128]) * (2 * ((width + 1) // 2) * ((height + 1) // 2))
    frames.append(b"FRAME\n" + ImageChops.add(wall, noise, offset=-6).tobytes() + colour)

with open(sys.argv[2], "wb", buffering=0) as pipe:
    pipe.write(b"YUV4MPEG2 W%d H%d F%d:1 C420\n" % (width, height, RATE))
    start = time.monotonic()
    shot = 0
    try:
        while True:
            rest = memoryview(frames[shot % COUNT])
            while rest:
                rest = rest[pipe.write(rest):]
            shot += 1
            time.sleep(max(0, start + shot / RATE - time.monotonic()))
    except BrokenPipeError:
        pass
