// SPDX-License-Identifier: Apache-2.0

/// A complete PIN: four to six decimal digits, consumed by exactly one registration or authentication.
///
/// It cannot be copied, printed, encoded or compared, and it wipes itself. It never leaves the device.
public struct Pin: ~Copyable, Sendable {
    /// The number of digits that a PIN may have.
    public static let lengths = 4...6

    private let digits: SecretBytes

    /// Takes the PIN over from its entry buffer.
    ///
    /// - Returns: nil when the number of digits is not within ``lengths``.
    public init?(_ entry: consuming PinEntry) {
        guard Pin.lengths.contains(entry.count) else { return nil }
        digits = entry.withDigits { SecretBytes(copying: $0) }
    }

    /// The number of digits.
    public var length: Int { digits.count }

    /// A PIN of zeros makes a token that is the whole client secret, so registration refuses it.
    public var isAllZeros: Bool {
        digits.withBytes { digits in
            var bits: UInt8 = 0
            for index in digits.indices { bits |= digits[index] ^ UInt8(ascii: "0") }
            return bits == 0
        }
    }

    /// Whether both entries of a new PIN are the same; takes the same time wherever they differ.
    public borrowing func matches(_ other: borrowing Pin) -> Bool { digits == other.digits }

    /// Lends the digits as ASCII '0'...'9'.
    public borrowing func withDigits<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try digits.withBytes(body)
    }
}
