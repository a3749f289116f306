// SPDX-License-Identifier: Apache-2.0

import LoginValues
import MPinCrypto

extension MPin {
    /// The PIN, if the person typed one.
    ///
    /// - Throws: ``MPinError/Kind/noPIN`` when there is none.
    static func required(_ pin: consuming Pin?, in call: StaticString) throws(MPinError) -> Pin {
        switch consume pin {
        case .some(let pin): return pin
        case .none: throw MPinError(.noPIN, detail: "\(call): no PIN was given")
        }
    }

    /// Makes the token for a new PIN.
    ///
    /// - Parameter length: the number of digits that the server wants; nil for any.
    /// - Throws: ``MPinError/Kind/pinLength(_:)`` for another length, ``MPinError/Kind/unusablePIN`` for a PIN of
    ///   zeros.
    static func token(
        from secret: ClientSecret, for identity: MPinIdentity, newPIN pin: borrowing Pin, length: Int?,
        in call: StaticString
    ) throws(MPinError) -> Token {
        if let length { try require(pin, toHave: length, in: call) }
        guard !pin.isAllZeros else {
            throw MPinError(
                .unusablePIN,
                detail: "\(call): a PIN of zeros would leave the secret unprotected; choose another")
        }
        do {
            return try Token(extracting: PinFactor(pin), from: secret, for: identity)
        } catch {
            throw MPinError(.cryptography, detail: "\(call): no token can be made: \(error)")
        }
    }

    /// Refuses a PIN of another length, which cannot be right. No request is made, and the server counts nothing.
    static func require(_ pin: borrowing Pin, toHave length: Int, in call: StaticString) throws(MPinError) {
        guard pin.length == length else {
            throw MPinError(.pinLength(length), detail: "\(call): the PIN must have \(length) digits")
        }
    }
}

extension PinFactor {
    init(_ pin: borrowing Pin) throws(MPinCryptoError) {
        var factor: PinFactor?
        try pin.withDigits { digits throws(MPinCryptoError) in factor = try PinFactor(digits: digits) }
        guard let factor else { throw .pinNotFourToSixDigits }
        self = factor
    }
}
