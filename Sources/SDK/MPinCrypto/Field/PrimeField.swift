// SPDX-License-Identifier: Apache-2.0

/// Integers modulo a 254-bit prime, kept in Montgomery form: the stored number is value * 2^256 modulo `modulus`,
/// **below twice the modulus**. Every value therefore has one or two stored numbers. The Montgomery reduction of a
/// product of two such numbers is below (4/7 + 1) times the modulus, because 2^256 is more than seven times the
/// modulus. So a multiplication needs no subtraction at its end.
///
/// Addition, subtraction, multiplication, selection, `power` and `inverse` take a time that does not depend on the
/// values.
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

    /// Reduces any 256-bit number.
    init(reducing number: Limbs) {
        // The unreduced number has to be the second factor.
        self.init(
            montgomery: .montgomeryProduct(
                Self.montgomerySquare, number, modulus: Self.modulus, negatedInverse: Self.negatedInverse))
    }

    /// Reads a number below the modulus; nil for any other.
    init?(canonical number: Limbs) {
        guard revealed(number.subtracting(Self.modulus).borrow) else { return nil }
        self.init(reducing: number)
    }

    /// The value as a number below the modulus.
    var canonical: Limbs {
        // The product equals the modulus only for a zero that is stored as the modulus.
        Limbs.montgomeryProduct(
            limbs, Limbs(1, 0, 0, 0), modulus: Self.modulus, negatedInverse: Self.negatedInverse
        ).reducedOnce(by: Self.modulus)
    }

    @inline(__always)
    var zeroMask: UInt64 { limbs.zeroMask | Limbs.equalMask(limbs, Self.modulus) }

    @inline(__always)
    static func equalMask(_ a: Self, _ b: Self) -> UInt64 { (a - b).zeroMask }

    /// Twice the modulus, the exclusive upper bound of stored numbers.
    @inline(__always)
    private static var border: Limbs { modulus.doubled }

    @inline(__always)
    static func + (a: Self, b: Self) -> Self {
        let (difference, borrow) = a.limbs.subtracting(border.subtracting(b.limbs).difference)
        return Self(montgomery: difference.adding(border.masked(by: borrow)))
    }

    @inline(__always)
    static func - (a: Self, b: Self) -> Self {
        let (difference, borrow) = a.limbs.subtracting(b.limbs)
        return Self(montgomery: difference.adding(border.masked(by: borrow)))
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
    static func sumOfProducts(_ a: Self, _ b: Self, _ c: Self, _ d: Self) -> Self {
        // Below (8/7.1 + 1) = 2.13 times the modulus, slightly above the bound.
        let sum = Limbs.montgomerySum(
            a.limbs, b.limbs, c.limbs, d.limbs, modulus: modulus, negatedInverse: negatedInverse)
        // Subtracts the modulus if the highest word alone shows that the number is large enough. A number that is not
        // changed is below twice the modulus. Both words are below 2^63, so the sign of their difference decides.
        let isLarge = UInt64(bitPattern: Int64(bitPattern: border.w3 &- 1 &- sum.w3) &>> 63)
        return Self(montgomery: sum.subtracting(modulus.masked(by: isLarge)).difference)
    }

    @inline(__always)
    static func differenceOfProducts(_ a: Self, _ b: Self, _ c: Self, _ d: Self) -> Self {
        sumOfProducts(a, b, -c, d)
    }

    @inline(__always)
    var squared: Self { self * self }

    /// The power by a public exponent: four squarings for each window, and a product with an odd power after the
    /// window's last set bit.
    func power(_ exponent: Limbs) -> Self {
        let square = squared
        var oddPowers = InlineArray<8, Self>(repeating: self)
        for index in 1..<8 { oddPowers[index] = oddPowers[index - 1] * square }
        var index = 63
        while index > 0, exponent.window(index) == 0 { index -= 1 }
        var result: Self?
        while index >= 0 {
            let window = Int(exponent.window(index))
            let zeros = window == 0 ? 0 : window.trailingZeroBitCount
            result = result?.squared(times: 4 - zeros)
            if window != 0 {
                let factor = oddPowers[window >> (zeros + 1)]
                result = (result.map { $0 * factor } ?? factor).squared(times: zeros)
            }
            index -= 1
        }
        return result ?? .one
    }

    @inline(__always)
    private func squared(times count: Int) -> Self {
        var result = self
        for _ in 0..<count { result = result.squared }
        return result
    }

    /// 1 / self, by the exponent modulus - 2; zero for zero.
    var inverse: Self {
        let modulus = Self.modulus
        return power(Limbs(modulus.w0 &- 2, modulus.w1, modulus.w2, modulus.w3))
    }
}
