// SPDX-License-Identifier: Apache-2.0

import LoginValues
import MPinCrypto

extension MPin {
    /// The PIN that a person typed.
    ///
    /// - Throws: ``MPinError/Kind/noPIN`` when there is none.
    static func required(_ pin: consuming Pin?, in call: StaticString) throws(MPinError) -> Pin {
        switch consume pin {
        case .some(let pin): return pin
        case .none: throw MPinError(.noPIN, detail: "\(call): no PIN was given")
        }
    }

    /// The token of a new PIN.
    ///
    /// - Parameter length: how many digits the server wants; nil when it does not care.
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
            return try Token(extracting: PinFactor(pin, read: .decimal), from: secret, for: identity)
        } catch {
            throw MPinError(.cryptography, detail: "\(call): no token can be made: \(error)")
        }
    }

    /// A PIN of another length cannot be the right one: no request is made, and the server counts nothing.
    static func require(_ pin: borrowing Pin, toHave length: Int, in call: StaticString) throws(MPinError) {
        guard pin.length == length else {
            throw MPinError(.pinLength(length), detail: "\(call): the PIN must have \(length) digits")
        }
    }
}
