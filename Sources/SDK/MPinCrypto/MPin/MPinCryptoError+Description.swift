// SPDX-License-Identifier: Apache-2.0

extension MPinCryptoError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .wrongLength(let value, let expected, let actual):
            "\(value) has \(actual) bytes where \(expected) are required"
        case .malformedPoint(let value): "\(value) does not encode a point of the group"
        case .scalarOutOfRange: "a scalar is zero or not below the group order"
        case .resultAtInfinity: "the result is the point at infinity; start again with fresh values"
        case .timeOutOfRange: "a day or timestamp must be between 1 and 2147483647"
        case .pinNotFourToSixDigits: "a PIN must have four to six decimal digits"
        case .identityWithoutPublicKey: "signing needs an identity with a public key; register it with one"
        case .randomnessUnavailable: "the system's random generator failed"
        }
    }
}

extension EncodedValue: CustomStringConvertible {
    public var description: String {
        switch self {
        case .g1Point: "a G1 point"
        case .g2Point: "a G2 point"
        case .scalar: "a scalar"
        case .hashedIdentity: "a hashed identity"
        case .documentHash: "a document hash"
        }
    }
}
