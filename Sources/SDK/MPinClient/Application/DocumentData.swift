// SPDX-License-Identifier: Apache-2.0

import Encoding
public import LoginValues

/// A document that an application's server wants signed: the `documentData` that goes back with the signature
/// (docs/protocol/miracl.md, section 15).
public struct DocumentData: Sendable, Equatable {
    /// The SHA-256 digest of the document, 64 hexadecimal digits as the server wrote them. Before signing compare it
    /// with the document that the person was shown: ``MPin/verifyDocument(_:hash:)``.
    public let hash: String
    /// The time of signing, in seconds since 1970-01-01 UTC.
    public let timestamp: UInt32
    /// The server's authentication of the digest; visible ASCII.
    public let authToken: SecretBytes

    /// Makes the data from values that did not come through this SDK. They are not checked.
    ///
    /// - Parameters:
    ///   - hash: the SHA-256 digest of the document, 64 hexadecimal digits.
    ///   - timestamp: the time of signing, in seconds since 1970-01-01 UTC.
    ///   - authToken: the server's authentication of the digest, visible ASCII.
    public init(hash: String, timestamp: UInt32, authToken: SecretBytes) {
        self.hash = hash
        self.timestamp = timestamp
        self.authToken = authToken
    }

    init(_ object: JSONObject) throws(JSONError) {
        _ = try object.bytes("hash", counts: 32...32)
        guard let seconds = try object.time("timestamp"), let timestamp = UInt32(exactly: seconds) else {
            throw JSONError("`timestamp` is missing, or no time that can be signed")
        }
        self.init(
            hash: try object.string("hash"), timestamp: timestamp,
            authToken: try object.secretText("authToken", counts: 1...4096))
    }

    /// The form in which servers take it back: the time as a text.
    var json: SecretBytes {
        JSONBody([
            ("hash", .text(hash)), ("authToken", .secretText(authToken)), ("timestamp", .text(String(timestamp))),
        ]).encoded()
    }
}
