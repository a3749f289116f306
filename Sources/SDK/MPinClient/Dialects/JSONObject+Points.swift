// SPDX-License-Identifier: Apache-2.0

import Encoding
import LoginValues
import MPinCrypto

// Points from a server are checked where they are read: exact length, on the curve, not infinity. An invalid point is
// a malformed reply, so it is a parse error, not a cryptographic one.
extension JSONObject {
    func clientSecretShare(_ key: String) throws(JSONError) -> ClientSecretShare {
        let encoded = try secretBytes(key, counts: SecretBytes.pointLengths)
        do { return try ClientSecretShare(encoded) } catch { throw JSONError("`\(key)` is not a point of the curve") }
    }

    func timePermitShare(_ key: String) throws(JSONError) -> TimePermitShare {
        let encoded = try secretBytes(key, counts: SecretBytes.pointLengths)
        do { return try TimePermitShare(encoded) } catch { throw JSONError("`\(key)` is not a point of the curve") }
    }

    /// A server's challenge: 1 to 32 bytes, not a multiple of the group order.
    func challenge(_ key: String) throws(JSONError) -> Challenge {
        let encoded = try bytes(key, counts: 1...32)
        let padding = [UInt8](repeating: 0, count: 32 - encoded.count)
        do { return try Challenge(bytes: padding + encoded) } catch { throw JSONError("`\(key)` is not a challenge") }
    }

    func epochDay(_ key: String) throws(JSONError) -> EpochDay {
        guard let number = UInt32(exactly: try integer(key)), let day = try? EpochDay(number) else {
            throw JSONError("`\(key)` is not a day")
        }
        return day
    }

    /// Refuses any curve but the one that this client computes on.
    func requireCurve() throws(JSONError) {
        guard try string("curve") == "BN254CX" else { throw JSONError("`curve` is not BN254CX") }
    }
}

extension SecretBytes {
    /// A point of G1, uncompressed.
    static let pointLengths = 65...65
}
