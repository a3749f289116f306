// SPDX-License-Identifier: Apache-2.0

package import BackendValues
package import Encoding
import Foundation
import Sealing

/// The credentials that a relying party's server sends to the Trust platform by HTTP Basic.
package struct RelyingPartyCredentials: Sendable {
    package let clientID: String
    package let clientSecret: SecretBytes

    /// Reads `relying-party` in the state directory, or creates it at the first start.
    /// - Throws: `BackendError.file`, `.randomnessUnavailable`.
    package init(state: StateDirectory) throws(BackendError) {
        let path = state.file("relying-party")
        let content = try StateDirectory.content(
            of: path,
            orCreate: JSONObject([
                "client_id": .string(Hexadecimal.text(try RandomBytes.make(16))),
                "client_secret": .string(Hexadecimal.text(try RandomBytes.make(32))),
            ]).body)
        guard let object = JSONObject(body: content), let clientID = object.string("client_id"), !clientID.isEmpty,
            let clientSecret = object.string("client_secret"), !clientSecret.isEmpty
        else { throw .file(path: path, reason: "not the credentials of a relying party") }
        self.clientID = clientID
        self.clientSecret = SecretBytes(Array(clientSecret.utf8))
    }

    /// Whether name and password in an `Authorization` header are right.
    package func admit(_ authorization: String?) -> Bool {
        guard let authorization, authorization.hasPrefix("Basic "),
            let claimed = Base64.bytes(String(authorization.dropFirst("Basic ".count)))
        else { return false }
        return clientSecret.withBytes { Digest.equal(claimed, Array((clientID + ":").utf8) + copy(of: $0)) }
    }

    /// As `admit(_:)`. Also accepts the scheme of signatures, whose token is for one hash. docs/protocol/miracl.md,
    /// section 12.4.
    package func admit(_ authorization: String?, for hash: String) -> Bool {
        guard let authorization, authorization.hasPrefix(Self.tokenScheme) else { return admit(authorization) }
        return isToken(String(authorization.dropFirst(Self.tokenScheme.count)), for: hash)
    }

    private static let tokenScheme = "MAAS-HMAC-SHA256 "

    /// - Parameter hash: the hash of a document, in hexadecimal.
    package func token(for hash: String) -> String {
        Base64.text(Array((clientID + ":" + Hexadecimal.text(Digest.hmacSHA256(hash, key: clientSecret))).utf8))
    }

    package func isToken(_ token: String, for hash: String) -> Bool {
        Digest.equal(Array(token.utf8), Array(self.token(for: hash).utf8))
    }
}
