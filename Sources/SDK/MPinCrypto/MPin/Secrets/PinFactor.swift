// SPDX-License-Identifier: Apache-2.0

/// The number f that a PIN stands for in the arithmetic, wiped at the end of its life.
///
/// Accepts an all-zero PIN, whose factor is 0. A caller that takes a new PIN must refuse it.
public struct PinFactor: ~Copyable, Sendable {
    private let number: Wiped<UInt32>

    /// Reads a PIN of four to six ASCII digits as the decimal number, the only reading for new tokens.
    /// Throws `pinNotFourToSixDigits`.
    public init(digits: Span<UInt8>) throws(MPinCryptoError) {
        number = Wiped(try PinFactor.decimal(digits))
    }

    /// Reads a PIN of four to six ASCII digits as clients limited to 10 000 PINs do: the decimal number modulo 10 000,
    /// so that only the last four digits count. For tokens made by such a client. Throws `pinNotFourToSixDigits`.
    public init(classicDigits digits: Span<UInt8>) throws(MPinCryptoError) {
        number = Wiped(try PinFactor.decimal(digits) % 10_000)
    }

    /// Hashes a PIN of any text as the classic native client does: h = 31 h + byte over signed bytes and 32-bit words,
    /// then the lowest 14 bits of the signed remainder by 10 000. For tokens made by such a client.
    public init(stringHash text: Span<UInt8>) {
        var hash: Int32 = 0
        for index in text.indices { hash = hash &* 31 &+ Int32(Int8(bitPattern: text[index])) }
        number = Wiped(UInt32(bitPattern: hash % 10_000) & 0x3fff)
    }

    /// Takes the factor as a number below 2^20, for known answers only.
    package init(number: UInt32) {
        precondition(number < 1 << UInt32(2 * PinFactor.windows))
        self.number = Wiped(number)
    }

    private static func decimal(_ digits: Span<UInt8>) throws(MPinCryptoError) -> UInt32 {
        guard (4...6).contains(digits.count) else { throw .pinNotFourToSixDigits }
        var number: UInt32 = 0
        var excess: UInt8 = 0
        for index in digits.indices {
            let digit = digits[index] &- UInt8(ascii: "0")
            // The top bit shows a byte above '9', or below '0' by wrap-around. It is tested once, after the last
            // digit.
            excess |= digit | (digit & 0x7f &+ 118)
            number = number &* 10 &+ UInt32(digit)
        }
        guard revealed(maskIfEqual(UInt64(excess & 0x80), 0)) else { throw .pinNotFourToSixDigits }
        return number
    }

    /// Pairs of bits: enough for 999 999. The loop always has this length, so that its time does not depend on the
    /// PIN.
    private static var windows: Int { 10 }

    /// f times a point.
    borrowing func multiple(of point: AffinePoint<G1>) -> ProjectivePoint<G1> {
        point.projective.multiplied(bySmall: UInt64(number.value), windows: PinFactor.windows)
    }
}
