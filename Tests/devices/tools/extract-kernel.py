#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Takes the kernel proper out of its self-unpacking file; QEMU starts it some seconds sooner.

    extract-kernel.py VMLINUZ VMLINUX
"""
import subprocess
import sys

PACKERS = {b"\xfd7zXZ\0": ["xz", "-dc", "--single-stream"], b"\x1f\x8b\x08": ["gzip", "-dcq"]}

data = open(sys.argv[1], "rb").read()
for magic, command in PACKERS.items():
    start = data.find(magic)
    while start >= 0:
        # The bytes after the packed kernel make the unpacker complain; the start of the result tells.
        kernel = subprocess.run(command, input=data[start:], capture_output=True).stdout
        if kernel[:4] == b"\x7fELF":
            open(sys.argv[2], "wb").write(kernel)
            sys.exit()
        start = data.find(magic, start + 1)
sys.exit("no kernel found in " + sys.argv[1])
