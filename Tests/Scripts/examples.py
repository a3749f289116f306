# SPDX-License-Identifier: Apache-2.0
"""The files that operators are given."""

import os

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
EXAMPLES = os.path.join(TOP, "deploy/fleet")


def example(name, *changes):
    """The text of one, with its placeholders exchanged; each is there."""
    with open(os.path.join(EXAMPLES, name), encoding="utf-8") as file:
        text = file.read()
    for old, new in changes:
        if old not in text:
            raise AssertionError(f"{name} has no {old!r}")
        text = text.replace(old, new)
    return text
