// SPDX-License-Identifier: Apache-2.0

/// What the platform says of a signature that it has verified. MIRACL protocol, section 12.4.
struct SignatureCertificate: WebTokenPayload, Equatable {
    static let lifetime = Duration.seconds(3600)

    let certified: NumericDate
    let expiration: NumericDate
    /// Of the document, in hexadecimal digits.
    let hash: String

    private enum CodingKeys: String, CodingKey {
        case certified = "cAt", expiration = "exp", hash
    }

    init(documentHash: [UInt8], certified: WallTime) {
        self.certified = NumericDate(certified)
        expiration = NumericDate(certified + Self.lifetime)
        hash = Hexadecimal.text(documentHash)
    }

    /// Whether it is about this document, signed at `timestamp` (seconds since 1970), which has to come first.
    func covers(_ hash: String, signedAt timestamp: Int64) -> Bool {
        self.hash == hash && Double(timestamp) <= certified.seconds
    }
}
