// SPDX-License-Identifier: Apache-2.0

package import BackendValues
import COpenSSL
import Encoding
import Sealing
import Testing

/// Verifies a JSON web token like a relying party: RS256 by hand, s^e mod n compared with the padded digest (RFC
/// 8017, section 8.2.2).
package struct SignedToken {
    package struct Invalid: Error {}

    private let header: JSONObject
    private let claims: JSONObject
    private let signed: [UInt8]
    private let signature: [UInt8]

    package init(_ text: String) throws {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        try #require(parts.count == 3)
        let bytes = try parts.map { try #require(Base64.bytes(urlText: $0)) }
        header = try #require(JSONObject(body: bytes[0]))
        claims = try #require(JSONObject(body: bytes[1]))
        signature = bytes[2]
        signed = Array((parts[0] + "." + parts[1]).utf8)
    }

    /// - Parameter keys: a JSON web key set.
    package func claims(checkedWith keys: JSONObject) throws -> JSONObject {
        guard case .array(let list)? = keys.members["keys"] else { throw Invalid() }
        // The key that the token names.
        let named = list.compactMap { key in if case .object(let members) = key { JSONObject(members) } else { nil } }
            .first { $0.string("kid") == header.string("kid") }
        let key = try #require(named)
        try #require(header.string("alg") == "RS256" && key.string("kty") == "RSA")
        let modulus = try #require(key.string("n").flatMap { Base64.bytes(urlText: $0) })
        let exponent = try #require(key.string("e").flatMap { Base64.bytes(urlText: $0) })
        let digestInfo: [UInt8] = [
            0x30, 0x31, 0x30, 0x0d, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01, 0x05, 0x00, 0x04,
            0x20,
        ]
        let suffix = [0] + digestInfo + Digest.sha256(signed)
        let padding = [UInt8](repeating: 0xff, count: modulus.count - 2 - suffix.count)
        guard Self.power(signature, exponent, modulus) == [0, 1] + padding + suffix else { throw Invalid() }
        return claims
    }

    /// Numbers and context are made and freed here. The result has as many bytes as the modulus.
    private static func power(_ base: [UInt8], _ exponent: [UInt8], _ modulus: [UInt8]) -> [UInt8] {
        func number(_ bytes: [UInt8]) -> OpaquePointer? { unsafe BN_bin2bn(bytes, Int32(bytes.count), nil) }
        let context = unsafe BN_CTX_new()
        let (base, exponent, modulus, result) = unsafe (number(base), number(exponent), number(modulus), BN_new())
        defer {
            unsafe BN_CTX_free(context)
            unsafe [base, exponent, modulus, result].forEach { unsafe BN_free($0) }
        }
        var bytes = [UInt8](repeating: 0, count: Int(unsafe BN_num_bits(modulus) + 7) / 8)
        _ = unsafe BN_mod_exp(result, base, exponent, modulus, context)
        _ = unsafe BN_bn2binpad(result, &bytes, Int32(bytes.count))
        return bytes
    }
}
