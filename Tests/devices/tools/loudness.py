#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails when a recording of a sound card has less than two seconds of sound.

usage: loudness.py RECORDING.wav
"""
import array
import sys

if len(sys.argv) != 2:
    sys.exit(__doc__)
# QEMU, when it is ended, may leave the lengths in the header unwritten.
with open(sys.argv[1], "rb") as file:
    data = file.read()
channels, rate = int.from_bytes(data[22:24], "little"), int.from_bytes(data[24:28], "little")
samples = array.array("h", data[44:len(data) - (len(data) - 44) % 2])
loud = sum(1 for sample in samples if abs(sample) > 300)
peak = max((abs(sample) for sample in samples), default=0)
seconds = len(samples) / channels / rate
print(f"      the recording has {seconds:.1f} s, {loud / channels / rate:.1f} s of them loud, peak {peak}")
if loud / channels / rate < 2:
    sys.exit("FAIL  the card's recording has sound")
print("ok    the card's recording has sound")
