// SPDX-License-Identifier: Apache-2.0

package import BackendValues
import Encoding

/// The token of an authentication with scope `jwt` or `reg-code`. docs/protocol/miracl.md, sections 9.4 and 11.
package struct PlatformToken: WebTokenPayload, Equatable {
    static let lifetime = Duration.seconds(300)

    /// The project URL.
    private let issuer: String
    private let subject: String
    /// The project id.
    private let audience: Audience
    private let issuedAt: NumericDate
    package let expiration: NumericDate
    private let id: String

    private enum CodingKeys: String, CodingKey {
        case issuer = "iss", subject = "sub", audience = "aud", issuedAt = "iat", expiration = "exp", id = "jti"
    }

    init(issuer: String, userID: String, projectID: String, number: OneTimeToken, issued: WallTime) {
        self.issuer = issuer
        subject = userID
        audience = Audience(projectID)
        issuedAt = NumericDate(issued)
        expiration = NumericDate(issued + Self.lifetime)
        id = number.hex
    }

    package var userID: String { subject }
    /// The number, as hard to guess as the signature; nil in a token that was made elsewhere.
    var number: OneTimeToken? { OneTimeToken(id) }

    package func isFor(_ projectID: String, from issuer: String) -> Bool {
        audience == Audience(projectID) && self.issuer == issuer
    }
}

/// The platform's statement about a signature that it has verified. docs/protocol/miracl.md, section 12.4.
package struct SignatureCertificate: WebTokenPayload, Equatable {
    static let lifetime = Duration.seconds(3600)

    let certified: NumericDate
    package let expiration: NumericDate
    /// The document's hash, in hexadecimal digits.
    let hash: String

    private enum CodingKeys: String, CodingKey {
        case certified = "cAt", expiration = "exp", hash
    }

    init(documentHash: [UInt8], certified: WallTime) {
        self.certified = NumericDate(certified)
        expiration = NumericDate(certified + Self.lifetime)
        hash = Hexadecimal.text(documentHash)
    }

    /// Whether it is about this document, signed at `timestamp` (seconds since 1970). The document has to be older.
    package func covers(_ hash: String, signedAt timestamp: Int64) -> Bool {
        self.hash == hash && Double(timestamp) <= certified.seconds
    }
}
