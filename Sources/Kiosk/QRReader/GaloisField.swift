// SPDX-License-Identifier: Apache-2.0

/// The field of 256 elements, modulo x^8 + x^4 + x^3 + x^2 + 1 (ISO/IEC 18004, 7.5.2).
enum GaloisField {
    /// The order of the element 2: its powers are all elements but 0.
    static let order = 255
    /// x^8, reduced.
    private static let reduction: UInt8 = 0x1D

    /// Powers of the element 2, twice over, so that a sum of two logarithms needs no remainder.
    static let powers: [UInt8] = {
        var powers = [UInt8](repeating: 1, count: 2 * order)
        for index in 1..<2 * order {
            let previous = powers[index - 1]
            powers[index] = (previous << 1) ^ (previous & 0x80 == 0 ? 0 : reduction)
        }
        return powers
    }()
    static let logarithms: [UInt8] = {
        var logarithms = [UInt8](repeating: 0, count: order + 1)
        for index in 0..<order { logarithms[Int(powers[index])] = UInt8(index) }
        return logarithms
    }()

    @inline(__always)
    static func product(_ first: UInt8, _ second: UInt8) -> UInt8 {
        guard first != 0, second != 0 else { return 0 }
        return powers[Int(logarithms[Int(first)]) + Int(logarithms[Int(second)])]
    }

    @inline(__always)
    static func quotient(_ first: UInt8, _ second: UInt8) -> UInt8 {
        guard first != 0 else { return 0 }
        return powers[Int(logarithms[Int(first)]) + order - Int(logarithms[Int(second)])]
    }

    /// 2 to any power.
    @inline(__always)
    static func power(_ exponent: Int) -> UInt8 {
        powers[exponent >= 0 ? exponent % order : order - 1 - (-exponent - 1) % order]
    }
}
