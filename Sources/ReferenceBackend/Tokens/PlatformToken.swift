// SPDX-License-Identifier: Apache-2.0

import Foundation
import JWTKit

/// What an authentication of the scopes `jwt` and `reg-code` gives. MIRACL protocol, sections 9.4 and 11.
struct PlatformToken: WebTokenPayload, Equatable {
    static let lifetime = Duration.seconds(300)

    /// The project URL.
    private let issuer: IssuerClaim
    private let subject: SubjectClaim
    /// The project id.
    private let audience: AudienceClaim
    private let issuedAt: IssuedAtClaim
    let expiration: ExpirationClaim
    private let id: IDClaim

    private enum CodingKeys: String, CodingKey {
        case issuer = "iss", subject = "sub", audience = "aud", issuedAt = "iat", expiration = "exp", id = "jti"
    }

    init(issuer: String, userID: String, projectID: String, number: OneTimeToken, issued: WallTime) {
        self.issuer = IssuerClaim(value: issuer)
        subject = SubjectClaim(value: userID)
        audience = AudienceClaim(value: projectID)
        issuedAt = IssuedAtClaim(value: Date(issued))
        expiration = ExpirationClaim(value: Date(issued + Self.lifetime))
        id = IDClaim(value: number.hex)
    }

    var userID: String { subject.value }
    /// As hard to guess as the signature; nil in a token that was not made here.
    var number: OneTimeToken? { OneTimeToken(id.value) }

    func isFor(_ projectID: String, from issuer: String) -> Bool {
        audience.value == [projectID] && self.issuer.value == issuer
    }
}
