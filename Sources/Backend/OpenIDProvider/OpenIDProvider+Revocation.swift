// SPDX-License-Identifier: Apache-2.0

import BackendValues
package import Encoding

extension OpenIDProvider {
    /// `POST /oidc/revoke`: ends a refresh token together with the access tokens made by it, or one access token. A
    /// token that is unknown or over is not an error. RFC 7009, section 2.
    /// - Parameter client: the client that has authenticated, or that is public.
    /// - Throws: `TokenError`.
    package func revoke(_ all: FormFields, by client: OpenIDClient) async throws {
        let fields = all.withoutEmptyValues
        guard fields.repeatedNames.isDisjoint(with: ["token", "token_type_hint", "client_id", "client_secret"]) else {
            throw TokenError(.invalidRequest, "a parameter occurs twice")
        }
        guard let text = fields["token"] else { throw TokenError(.invalidRequest, "token is missing") }
        guard let token = OneTimeToken(text) else { return }
        let (now, other) = (clock.now, TokenError(.invalidGrant, "the token is another client's"))
        if let grant = try await refreshGrants.value(for: token, now: now) {
            guard grant.request.clientID == client.id else { throw other }
            try await refreshGrants.take(token, now: now)
        } else if let grant = try await accessGrants.value(for: token, now: now) {
            guard grant.clientID == client.id else { throw other }
            try await accessGrants.take(token, now: now)
        }
    }
}
