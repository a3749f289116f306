// SPDX-License-Identifier: Apache-2.0

/// The RSA key that the platform signs tokens with, RS256 (RFC 7518, section 3.3): 2048 bits where it was made here,
/// and never fewer.
///
struct SigningKey: Sendable {
    static let keyID = "s1"

    let key: RSAKey
    /// Big-endian, as in a JSON web key.
    let modulus: [UInt8]
    let exponent: [UInt8]

    /// Reads `signing-key` in the state directory, or makes it at the first start.
    /// - Throws: `BackendError.file`, `.cryptographyFailed`.
    init(state: StateDirectory) throws(BackendError) {
        let path = state.file("signing-key")
        if try StateDirectory.read(path) == nil {
            var made = try RSAKey.make()
            defer { wipe(&made) }
            try StateDirectory.create(path, content: made)
        }
        guard var content = try StateDirectory.read(path) else { throw .file(path: path, reason: "vanished") }
        defer { wipe(&content) }
        guard let key = RSAKey(privateKey: content) else {
            throw .file(path: path, reason: "not an RSA key of 2048 bits or more, which tokens are signed with")
        }
        self.key = key
        (modulus, exponent) = (key.modulus, key.exponent)
    }
}
