// SPDX-License-Identifier: Apache-2.0

/// Integers modulo a 254-bit prime, kept in Montgomery form: the stored number is value * 2^256 mod `modulus`.
///
/// Addition, subtraction, multiplication, selection, `power` and `inverse` run in a time that does not depend on the values.
protocol PrimeField: CurveField {
    static var modulus: Limbs { get }
    /// 2^256 mod `modulus`: the Montgomery form of one.
    static var montgomeryOne: Limbs { get }
    /// 2^512 mod `modulus`: multiplying by it brings a number into Montgomery form.
    static var montgomerySquare: Limbs { get }
    /// -1 / `modulus` modulo 2^64.
    static var negatedInverse: UInt64 { get }

    var limbs: Limbs { get }
    init(montgomery limbs: Limbs)
}

extension PrimeField {
    static var zero: Self {
        @inline(__always) get { Self(montgomery: .zero) }
    }

    static var one: Self {
        @inline(__always) get { Self(montgomery: montgomeryOne) }
    }

    /// Any 256-bit number, reduced.
    init(reducing number: Limbs) {
        // The unreduced number has to be the second factor.
        self.init(
            montgomery: .montgomeryProduct(
                Self.montgomerySquare, number, modulus: Self.modulus, negatedInverse: Self.negatedInverse))
    }

    /// A number below the modulus; nil for any other.
    init?(canonical number: Limbs) {
        guard number.subtracting(Self.modulus).borrow != 0 else { return nil }
        self.init(reducing: number)
    }

    /// The value as a number below the modulus.
    var canonical: Limbs {
        .montgomeryProduct(limbs, Limbs(1, 0, 0, 0), modulus: Self.modulus, negatedInverse: Self.negatedInverse)
    }

    @inline(__always)
    var isZero: Bool { limbs.isZero }

    @inline(__always)
    static func == (a: Self, b: Self) -> Bool { a.limbs == b.limbs }

    @inline(__always)
    static func + (a: Self, b: Self) -> Self {
        Self(montgomery: a.limbs.adding(b.limbs).reducedOnce(by: modulus))
    }

    @inline(__always)
    static func - (a: Self, b: Self) -> Self {
        let (difference, borrow) = a.limbs.subtracting(b.limbs)
        return Self(montgomery: difference.adding(modulus.masked(by: borrow)))
    }

    @inline(__always)
    static prefix func - (a: Self) -> Self { zero - a }

    @inline(__always)
    static func select(_ mask: UInt64, _ a: Self, _ b: Self) -> Self {
        Self(montgomery: .select(mask, a.limbs, b.limbs))
    }

    static func * (a: Self, b: Self) -> Self {
        Self(
            montgomery: .montgomeryProduct(a.limbs, b.limbs, modulus: modulus, negatedInverse: negatedInverse))
    }

    @inline(__always)
    var squared: Self { self * self }

    /// The power by a public exponent.
    func power(_ exponent: Limbs) -> Self {
        var powers = InlineArray<16, Self>(repeating: .one)
        for index in 1..<16 { powers[index] = powers[index - 1] * self }
        var result = powers[Int(exponent.window(63))]
        for index in (0..<63).reversed() {
            result = result.squared.squared.squared.squared * powers[Int(exponent.window(index))]
        }
        return result
    }

    /// 1 / self, by the exponent modulus - 2; zero for zero.
    var inverse: Self {
        let modulus = Self.modulus
        return power(Limbs(modulus.w0 &- 2, modulus.w1, modulus.w2, modulus.w3))
    }
}
