# SPDX-License-Identifier: Apache-2.0
"""BN254CX and what a verifier of M-Pin does on it, with Python's integers and nothing else.

Points of G1 are (x, y), points of G2 pairs of Fp2, which are (re, im); None is infinity. docs/cryptography.md has the
curve and the encodings.
"""

import hashlib

X = 0x4000000003C012B1  # The curve's parameter is -X.
P = 36 * X**4 - 36 * X**3 + 24 * X**2 - 6 * X + 1
R = 36 * X**4 - 36 * X**3 + 18 * X**2 - 6 * X + 1
G1 = (P - 1, 1)
G2 = ((0x19682D2C7053B256358B2500F5C34BBB907C85BFA03E2726C0851CEEE4D2EC74,
       0x1466B9EC3E19F64AA011C937A8E99743F81B97B0C209C30F47A58E8B2E29CFE1),
      (0x0A79EDD972332B8DD81E22157DAEE2096361B33D847EC1B30CFBFCEBCF0BE09F,
       0x06160C39ECC4C09035C6E4512D8D3461C2864EA569D2EDEBED904B228898EE9D))


# Fp2 = Fp[i].

def mul2(a, b):
    return (a[0] * b[0] - a[1] * b[1]) % P, (a[0] * b[1] + a[1] * b[0]) % P


def inv2(a):
    norm = pow(a[0] * a[0] + a[1] * a[1], -1, P)
    return a[0] * norm % P, -a[1] * norm % P


def pow2(a, exponent):
    result = (1, 0)
    while exponent:
        if exponent & 1:
            result = mul2(result, a)
        a = mul2(a, a)
        exponent >>= 1
    return result


def sub2(a, b):
    return (a[0] - b[0]) % P, (a[1] - b[1]) % P


def conj2(a):
    return a[0], -a[1] % P


GAMMA = [pow2((1, 1), k * (P - 1) // 6) for k in range(6)]


# Points.

def add1(a, b):
    if a is None or b is None:
        return b if a is None else a
    if a[0] == b[0]:
        if (a[1] + b[1]) % P == 0:
            return None
        slope = 3 * a[0] * a[0] * pow(2 * a[1], -1, P) % P
    else:
        slope = (b[1] - a[1]) * pow(b[0] - a[0], -1, P) % P
    x = (slope * slope - a[0] - b[0]) % P
    return x, (slope * (a[0] - x) - a[1]) % P


def mul1(scalar, point):
    """By Jacobian coordinates: one inversion at the end."""
    x, y, z = 0, 1, 0
    for bit in bin(scalar % R)[2:]:
        a, b = x * x % P, y * y % P
        c = b * b % P
        d = 2 * ((x + b) * (x + b) - a - c)
        e = 3 * a
        z = 2 * y * z % P
        x = (e * e - 2 * d) % P
        y = (e * (d - x) - 8 * c) % P
        if bit == "1":
            if z == 0:
                x, y, z = *point, 1
                continue
            zz = z * z % P
            h = (point[0] * zz - x) % P
            s = (point[1] * zz * z - y) % P
            hh = h * h % P
            hhh = h * hh % P
            v = x * hh % P
            x = (s * s - hhh - 2 * v) % P
            y = (s * (v - x) - y * hhh) % P
            z = z * h % P
    if z == 0:
        return None
    inverse = pow(z, -1, P)
    return x * inverse**2 % P, y * inverse**3 % P


def add2(a, b):
    """Two points of the twist that are not infinity nor each other's opposite: the sum and the slope between them."""
    if a == b:
        square = mul2(a[0], a[0])
        slope = mul2((3 * square[0], 3 * square[1]), inv2((2 * a[1][0], 2 * a[1][1])))
    else:
        slope = mul2(sub2(b[1], a[1]), inv2(sub2(b[0], a[0])))
    x = sub2(sub2(mul2(slope, slope), a[0]), b[0])
    return (x, sub2(mul2(slope, sub2(a[0], x)), a[1])), slope


def sum2(a, b):
    if a is None or b is None:
        return b if a is None else a
    return add2(a, b)[0]


def mulg2(scalar, point):
    result = None
    for bit in bin(scalar % R)[2:]:
        result = sum2(result, result)
        if bit == "1":
            result = sum2(result, point)
    return result


# The pairing. Fp12 is six coefficients of powers of w, and w^6 = 1 + i.

def mul12(a, b):
    low, high = [0] * 11, [0] * 11
    for i, (ar, ai) in enumerate(a):
        if ar or ai:
            for j, (br, bi) in enumerate(b):
                low[i + j] += ar * br - ai * bi
                high[i + j] += ar * bi + ai * br
    return [((low[k] + low[k + 6] - high[k + 6]) % P, (high[k] + low[k + 6] + high[k + 6]) % P) if k < 5
            else (low[5] % P, high[5] % P) for k in range(6)]


def conj12(a):
    return [a[k] if k % 2 == 0 else (-a[k][0] % P, -a[k][1] % P) for k in range(6)]


def frobenius(a):
    return [mul2(conj2(a[k]), GAMMA[k]) for k in range(6)]


def inv12(a):
    """By the norms down to Fp2's cubic extension, whose element has even powers of w only."""
    norm = mul12(a, conj12(a))
    a0, a1, a2 = norm[0], norm[2], norm[4]

    def xi(value):
        return (value[0] - value[1]) % P, (value[0] + value[1]) % P

    c0 = sub2(mul2(a0, a0), xi(mul2(a1, a2)))
    c1 = sub2(xi(mul2(a2, a2)), mul2(a0, a1))
    c2 = sub2(mul2(a1, a1), mul2(a0, a2))
    parts = [mul2(a0, c0), xi(mul2(a2, c1)), xi(mul2(a1, c2))]
    scale = inv2((sum(part[0] for part in parts), sum(part[1] for part in parts)))
    zero = (0, 0)
    return mul12(conj12(a), [mul2(c0, scale), zero, mul2(c1, scale), zero, mul2(c2, scale), zero])


def power(a, exponent):
    """Of what has norm 1, so that its conjugate is its inverse."""
    if exponent < 0:
        return power(conj12(a), -exponent)
    result = a
    for bit in bin(exponent)[3:]:
        result = mul12(result, result)
        if bit == "1":
            result = mul12(result, a)
    return result


def lines(q):
    """The steps of the Miller loop for one point of G2: None is a squaring, else a slope and what goes with w^3."""
    steps = []
    t = q

    def through(other):
        nonlocal t
        before, (t, slope) = t, add2(t, other)
        steps.append((slope, sub2(mul2(slope, before[0]), before[1])))

    for bit in bin(6 * X - 2)[3:]:
        steps.append(None)
        through(t)
        if bit == "1":
            through(q)
    steps.append("conjugate")
    t = t[0], sub2((0, 0), t[1])
    for _ in range(2):
        q = mul2(conj2(q[0]), GAMMA[2]), mul2(conj2(q[1]), GAMMA[3])
        through(q if len(steps) and steps[-1] == "conjugate" else (q[0], sub2((0, 0), q[1])))
    return steps


def product_is_one(pairs):
    """Whether the product of pairings is 1. Of each pair the second is what `lines` made of it."""
    f = [(1, 0)] + [(0, 0)] * 5
    for steps in zip(*(pair[1] for pair in pairs)):
        if steps[0] is None:
            f = mul12(f, f)
        elif steps[0] == "conjugate":
            f = conj12(f)
        else:
            for (point, _), (slope, rest) in zip(pairs, steps):
                x, y = point
                f = mul12(f, [(y, 0), (-slope[0] * x, -slope[1] * x), (0, 0), rest])
    # (p^12 - 1) / r: first (p^6 - 1)(p^2 + 1), then the rest by powers of the curve's parameter.
    f = mul12(conj12(f), inv12(f))
    f = mul12(frobenius(frobenius(f)), f)
    x = -X
    once = power(f, x)
    twice = power(once, x)
    thrice = power(twice, x)

    def combine(a, b, c, d):
        return mul12(mul12(power(thrice, a), power(twice, b)) if a else power(twice, b),
                     mul12(power(once, c), power(f, d)) if c else power(f, d))

    result = combine(-36, -30, -18, -2)
    result = mul12(result, frobenius(combine(-36, -18, -12, 1)))
    result = mul12(result, frobenius(frobenius(combine(0, 6, 0, 1))))
    result = mul12(result, frobenius(frobenius(frobenius(f))))
    return result == [(1, 0)] + [(0, 0)] * 5


# M-Pin.

def map_to_g1(digest):
    x = int.from_bytes(digest, "big") % P
    while True:
        square = (x**3 + 2) % P
        y = pow(square, (P + 1) // 4, P)
        if y * y % P == square:
            return x, y if y % 2 == 0 else P - y
        x = (x + 1) % P


def dated(day, digest):
    return hashlib.sha256(day.to_bytes(4, "big") + digest).digest()


def encode(point):
    return (b"\x04" + point[0].to_bytes(32, "big") + point[1].to_bytes(32, "big")).hex()


def decode(text):
    data = bytes.fromhex(text)
    x, y = int.from_bytes(data[1:33], "big"), int.from_bytes(data[33:], "big")
    if len(data) != 65 or data[0] != 4 or max(x, y) >= P or (y * y - x**3 - 2) % P:
        raise ValueError("no point")
    return x, y
