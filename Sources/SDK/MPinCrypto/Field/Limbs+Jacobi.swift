// SPDX-License-Identifier: Apache-2.0

extension Limbs {
    /// The Jacobi symbol (self / modulus) for an odd modulus; both numbers below 2^255. The binary algorithm takes a
    /// time that depends on the numbers, so they must be public.
    func jacobiSymbol(_ modulus: Limbs) -> Int {
        var a = self
        var n = modulus
        var sign = JacobiSign()
        // Each round makes n and a shorter. The second loop continues with numbers of half the length.
        while a.zeroMask == 0, a.w3 | a.w2 | n.w3 | n.w2 != 0 {
            while a.w0 == 0 { a = Limbs(a.w1, a.w2, a.w3, 0) }
            let twos = UInt64(a.w0.trailingZeroBitCount)
            a = a.shiftedRight(twos)
            sign.takeOut(twos: twos, n: n.w0)
            let (difference, isSmaller) = a.subtracting(n)
            sign.exchange(when: isSmaller, a.w0, n.w0)
            let opposite = n.subtracting(a).difference
            n = .select(isSmaller, a, n)
            a = .select(isSmaller, opposite, difference)
        }
        guard n.w3 | n.w2 | a.w3 | a.w2 == 0 else { return 0 }
        var shortA = UInt128(_low: a.w0, _high: a.w1)
        var shortN = UInt128(_low: n.w0, _high: n.w1)
        while shortA != 0 {
            let twos = shortA.trailingZeroBitCount
            shortA = shortA &>> UInt128(twos)
            sign.takeOut(twos: UInt64(twos), n: shortN.low)
            let isSmaller: UInt64 = shortA < shortN ? ~0 : 0
            sign.exchange(when: isSmaller, shortA.low, shortN.low)
            (shortN, shortA) = shortA < shortN ? (shortA, shortN &- shortA) : (shortN, shortA &- shortN)
        }
        return shortN == 1 ? sign.value : 0
    }

    /// The sign. Only bits 1 and 2 of the numbers affect it.
    private struct JacobiSign {
        /// -1 when bit 1 is set.
        private var bits: UInt64 = 0

        var value: Int { bits & 2 == 0 ? 1 : -1 }

        /// A two changes the sign when n = 3 or 5 mod 8.
        @inline(__always)
        mutating func takeOut(twos: UInt64, n: UInt64) { bits ^= (twos << 1) & (n ^ (n >> 1)) }

        /// Exchanging two odd numbers changes the sign when both are 3 mod 4.
        @inline(__always)
        mutating func exchange(when mask: UInt64, _ a: UInt64, _ n: UInt64) { bits ^= mask & a & n }
    }

    /// The number divided by 2^`bits`, for fewer than 64 bits.
    @inline(__always)
    private func shiftedRight(_ bits: UInt64) -> Limbs {
        // Shifted in two steps, because a shift by 64 would shift by 0.
        let up = 63 &- bits
        return Limbs(
            (w0 &>> bits) | ((w1 &<< 1) &<< up), (w1 &>> bits) | ((w2 &<< 1) &<< up),
            (w2 &>> bits) | ((w3 &<< 1) &<< up), w3 &>> bits)
    }
}
