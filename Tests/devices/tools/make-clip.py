#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Makes a clip for fakecam: a folder of camera pictures that show the QR code of a text.

    make-clip.py FOLDER TEXT [--spare-bytes] [--faint] [--empty]

640 x 480 pixels, grey and as JPEG; each picture is turned and moved a little, softened and noisy. The same arguments make
the same pictures. With spare bytes before the JPEGs' restart markers they are as Logitech's C270 and C910 send them. A
faint code is dark in its corners alone; an empty clip shows the wall behind it.
"""
import io
import os
import random
import re
import subprocess
import sys

import qrcode
from PIL import Image, ImageChops, ImageFilter

WIDTH, HEIGHT, COUNT = 640, 480, 6

folder, text = sys.argv[1:3]
has_spare_bytes = "--spare-bytes" in sys.argv[3:]
chance = random.Random(1)
code = qrcode.QRCode(border=4, box_size=1, error_correction=qrcode.constants.ERROR_CORRECT_M)
code.add_data(text.encode())
code.make(fit=True)
code = code.make_image().get_image().convert("L")
if "--faint" in sys.argv[3:]:
    last = code.width - 4
    corners = (4, 4), (last - 7, 4), (4, last - 7)
    for y in range(4, last):
        for x in range(4, last):
            if not any(left <= x < left + 7 and top <= y < top + 7 for left, top in corners):
                code.putpixel((x, y), max(code.getpixel((x, y)), 90))


def with_spare_bytes(jpeg):
    # A marker behind each row of blocks, as cameras do.
    jpeg = subprocess.run(["jpegtran", "-restart", "1"], input=jpeg, stdout=subprocess.PIPE, check=True).stdout
    scan = jpeg.index(b"\xff\xda")
    parts = re.split(rb"(?=\xff[\xd0-\xd7])", jpeg[scan:])
    assert len(parts) > 1, "there are no restart markers"
    return jpeg[:scan] + b"".join(
        (bytes(chance.choice(b"\x00\x3a\x77") for _ in range(chance.randint(1, 4))) if index else b"") + part
        for index, part in enumerate(parts))


os.makedirs(folder, exist_ok=True)
with open(f"{folder}/frames.pgm", "wb") as grey, open(f"{folder}/{WIDTH}x{HEIGHT}.mjpg", "wb") as jpeg:
    for _ in range(COUNT):
        # A wall whose light falls off to one side.
        picture = Image.linear_gradient("L").resize((WIDTH, HEIGHT)).point(lambda shade: 110 + shade // 4)
        side = HEIGHT * 6 // 10
        held = code.resize((side, side), Image.NEAREST).rotate(
            chance.uniform(-4, 4), expand=True, resample=Image.BICUBIC, fillcolor=255)
        left = (WIDTH - held.width) // 2 + chance.randint(-16, 16)
        top = (HEIGHT - held.height) // 2 + chance.randint(-12, 12)
        if "--empty" not in sys.argv[3:]:
            picture.paste(held, (left, top))
        picture = picture.filter(ImageFilter.GaussianBlur(0.6))
        noise = Image.frombytes("L", (WIDTH, HEIGHT), chance.randbytes(WIDTH * HEIGHT)).point(lambda value: value // 21)
        picture = ImageChops.add(picture, noise, offset=-6)
        grey.write(b"P5\n%d %d\n255\n" % picture.size + picture.tobytes())
        packed = io.BytesIO()
        picture.convert("RGB").save(packed, "JPEG", quality=80)
        jpeg.write(with_spare_bytes(packed.getvalue()) if has_spare_bytes else packed.getvalue())
