# SPDX-License-Identifier: Apache-2.0
"""The files that operators are given."""

import os

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
EXAMPLES = os.path.join(TOP, "deploy/fleet")


def example(name, *changes, once=False):
    """The text of one, with its placeholders exchanged. Each is there, and `once` no second time."""
    with open(os.path.join(EXAMPLES, name), encoding="utf-8") as file:
        text = file.read()
    for old, new in changes:
        count = text.count(old)
        if count == 0 or once and count > 1:
            raise AssertionError(f"{name} has {old!r} {count} times")
        text = text.replace(old, new)
    return text
