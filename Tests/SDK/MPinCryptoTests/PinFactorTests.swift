// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import MPinCrypto

struct PinFactorTests {
    private func multiple(_ number: UInt64) -> ProjectivePoint<G1> {
        G1.generator.projective.multiplied(by: Fr(reducing: Limbs(number, 0, 0, 0)))
    }

    @Test(
        arguments: [
            ("0000", 0, 0), ("1234", 1_234, 1_234), ("0123", 123, 123), ("12345", 12_345, 2_345),
            ("991234", 991_234, 1_234),
            ("999999", 999_999, 9_999),
        ] as [(String, UInt64, UInt64)])
    func decimalReadings(pin: String, number: UInt64, classic: UInt64) throws {
        let digits = Array(pin.utf8)
        #expect(try PinFactor(digits: digits.span).multiple(of: G1.generator) == multiple(number))
        #expect(try PinFactor(classicDigits: digits.span).multiple(of: G1.generator) == multiple(classic))
    }

    @Test(arguments: [("1234", 9_442), ("123456", 5_459), ("пин-код", 11_333), ("", 0)] as [(String, UInt64)])
    func hashReading(text: String, number: UInt64) {
        let bytes = Array(text.utf8)
        #expect(PinFactor(stringHash: bytes.span).multiple(of: G1.generator) == multiple(number))
    }

    @Test(arguments: [
        "", "1", "123", "1234567", "12 4", "12a4", "-123", "+123", "12.4", "١٢٣٤", "/234", ":234", "1234\n",
    ])
    func anythingElseIsRefused(pin: String) {
        let bytes = Array(pin.utf8)
        #expect(throws: MPinCryptoError.pinNotFourToSixDigits) {
            _ = try PinFactor(digits: bytes.span).multiple(of: G1.generator)
        }
        #expect(throws: MPinCryptoError.pinNotFourToSixDigits) {
            _ = try PinFactor(classicDigits: bytes.span).multiple(of: G1.generator)
        }
    }

    /// Every byte at every position: only digits make a PIN.
    @Test
    func everyByte() {
        for length in 4...6 {
            for position in 0..<length {
                for byte in UInt8.min...UInt8.max {
                    var digits = [UInt8](repeating: UInt8(ascii: "5"), count: length)
                    digits[position] = byte
                    let isDigit = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                    #expect(isAccepted(digits) == isDigit, "byte \(byte) at \(position) of \(length)")
                }
            }
        }
    }

    private func isAccepted(_ digits: [UInt8]) -> Bool {
        do throws(MPinCryptoError) {
            _ = try PinFactor(digits: digits.span)
            return true
        } catch {
            return false
        }
    }
}
