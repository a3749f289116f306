// SPDX-License-Identifier: Apache-2.0

import JWTKit

/// The claims of a token of one kind. Each of them ends sometime.
protocol WebTokenPayload: JWTPayload {
    var expiration: ExpirationClaim { get }
}

extension WebTokenPayload {
    /// Nothing here: the library would hold the token against the machine's time. `WebTokenVerifier` is told the time.
    func verify(using algorithm: some JWTAlgorithm) {}
}
