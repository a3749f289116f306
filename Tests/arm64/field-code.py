#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Looks at the emitted arm64 code of fields, groups and their multiples: nothing in it may branch or look up by a value.

    field-code.py OBJDUMP PROGRAM

PROGRAM is an optimised build with its symbols that holds the room MPinCrypto. A function of CONSTANT has
  * no conditional branch and no jump to a computed place, but as many as LOOPS says: loops, whose count is public;
  * no load or store whose address has an index register, which is what a look-up in a table becomes;
  * no division, whose time depends on its operands.
Prints what is found, a line a function. Exit status: 0 all are so; 1 one is not, or is not there, or the controls are not
told from the others.
"""
import re
import subprocess
import sys

# By the names that the compiler gives, demangled; parts that are public by nature, such as powers by a fixed exponent,
# encodings and the map of an identity to a point, are not here.
CONSTANT = [
    r"<MPinCrypto\.F[pr]> .*PrimeField\.(\* infix|canonical\.getter|init\(reducing:)",
    r"MPinCrypto\.Limbs\.upperHalf\(times:",
    r"static MPinCrypto\.Fp(2|6|12)\.(\* infix|sumOfProducts|differenceOfProducts|equalMask)\(",
    r"MPinCrypto\.Fp(2|6|12)\.(squared|inverse|cyclotomicSquared|frobenius)\.getter",
    r"MPinCrypto\.Fp6\.timesSparse\(",
    r"<MPinCrypto\.G[12]> of static MPinCrypto\.(Projective|Affine)Point\.(\+ infix|equalMask|select)\(",
    r"<MPinCrypto\.G[12]> of MPinCrypto\.ProjectivePoint\.doubled\.getter",
    r"MPinCrypto\.G[12]\.split\(",
    r"<MPinCrypto\.G[12]> of MPinCrypto\.ProjectivePoint\.multiplied\(by(: MPinCrypto\.Fr|Small:)",
    r"<MPinCrypto\.G[12]> of MPinCrypto\.SignedWindowTable\.init\(",
]
LOOPS = {
    # Over the windows of a scalar, and over the table's entries once for each half of it: all are read for every window.
    r"ProjectivePoint\.multiplied\(by:": 3,
    # Over the windows of a small number, whose places are shifts by their index: how many, and by how much.
    r"ProjectivePoint\.multiplied\(bySmall:": 6,
    # Over the table's entries, of which every second one is a double and the others are sums.
    r"SignedWindowTable\.init\(": 2,
}
# Both branch on, or look up by, what is public there: a program that does not see that sees nothing.
CONTROLS = [(r"MPinCrypto\.Limbs\.jacobiSymbol\(", "branches"), (r"in MPinCrypto\.Limbs\.init\(bigEndian:", "look-ups")]

BRANCH = re.compile(r"(b\.[a-z]+|cbn?z|tbn?z|br)\t")
LOOK_UP = re.compile(r"(ld|st)[a-z0-9]*\t.*\[[a-z0-9]+, [wx][0-9]+")
DIVISION = re.compile(r"[su]div\t")


def functions(objdump, program):
    """Each function of the room: its mangled name and its instructions, with their addresses."""
    found, current = {}, None
    with subprocess.Popen([objdump, "-d", "--no-show-raw-insn", program], stdout=subprocess.PIPE, text=True) as dump:
        for line in dump.stdout:
            if start := re.match(r"[0-9a-f]+ <(.+)>:$", line):
                current = found.setdefault(start[1], []) if "10MPinCrypto" in start[1] else None
            elif current is not None and (parts := line.strip().split("\t")) and parts[0].endswith(":"):
                current.append((int(parts[0][:-1], 16), "\t".join(parts[1:])))
    return {name: body(code) for name, code in found.items()}


def body(code):
    """Up to the function's end: helpers of the runtime follow some without a symbol of their own."""
    reach = 0
    for index, (address, text) in enumerate(code):
        if target := re.match(r"(?:b|b\.[a-z]+|cbn?z|tbn?z)\t(?:.*, )?([0-9a-f]+) <", text):
            # A jump far away is a call in the last place.
            if int(target[1], 16) <= code[-1][0]:
                reach = max(reach, int(target[1], 16))
        if (text == "ret" or re.match(r"br?\t", text)) and address >= reach:
            return code[: index + 1]
    return code


def count(code):
    texts = [text for _, text in code]
    kinds = {"branches": BRANCH, "look-ups": LOOK_UP, "divisions": DIVISION}
    return {kind: sum(1 for text in texts if pattern.match(text)) for kind, pattern in kinds.items()}


def main(objdump, program):
    found = functions(objdump, program)
    words = subprocess.run(
        ["swift", "demangle", "--compact"], input="\n".join(found), capture_output=True, text=True, check=True
    ).stdout.splitlines()
    named = [(name, count(code), len(code)) for name, code in zip(words, found.values())]
    failed = False
    for pattern in CONSTANT:
        matching = [entry for entry in named if re.search(pattern, entry[0]) and "lazy" not in entry[0]]
        if not matching:
            failed = True
            print(f"FAIL  {pattern}: no such function; the compiler gives it another name, or puts it in line everywhere")
        for name, counts, length in matching:
            loops = next((loops for key, loops in LOOPS.items() if re.search(key, name)), 0)
            is_right = counts == {"branches": loops, "look-ups": 0, "divisions": 0}
            failed = failed or not is_right
            seen = ", ".join(f"{number} {kind}" for kind, number in counts.items() if number) or "straight"
            print(f"{'ok  ' if is_right else 'FAIL'}  {length:5} instructions, {seen}: {name}")
    for pattern, kind in CONTROLS:
        if not any(re.search(pattern, name) and counts[kind] for name, counts, _ in named):
            failed = True
            print(f"FAIL  control {pattern}: its {kind} are not seen")
    return 1 if failed else 0


if __name__ == "__main__":
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        sys.exit(64)
    sys.exit(main(sys.argv[1], sys.argv[2]))
