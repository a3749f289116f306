// SPDX-License-Identifier: Apache-2.0

import LoginValues
import MPinCrypto

extension PinFactor {
    init(_ pin: borrowing Pin, read reading: PinReading) throws(MPinCryptoError) {
        switch reading {
        case .decimal:
            self = try pin.withDigits { digits throws(MPinCryptoError) in try PinFactor(digits: digits) }
        }
    }
}
