// SPDX-License-Identifier: Apache-2.0

import LoginValues
import MPinCrypto

/// The conversion of a PIN's digits to the number in the token. It cannot be seen on the wire, so it is stored
/// (docs/protocol/milagro.md, section 6.4).
enum PinReading: String, Sendable {
    /// The decimal number itself, different for every PIN.
    case decimal
}

extension PinFactor {
    init(_ pin: borrowing Pin, read reading: PinReading) throws(MPinCryptoError) {
        switch reading {
        case .decimal:
            var factor: PinFactor?
            try pin.withDigits { digits throws(MPinCryptoError) in factor = try PinFactor(digits: digits) }
            guard let factor else { throw .pinNotFourToSixDigits }
            self = factor
        }
    }
}
