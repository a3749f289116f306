// SPDX-License-Identifier: Apache-2.0

import LoginValues
import MPinCrypto

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
