// SPDX-License-Identifier: Apache-2.0

import BackendValues
package import Encoding

/// An application's request to end the browser's session. OpenID Connect RP-Initiated Logout 1.0, section 2.
package struct LogoutRequest: Sendable {
    /// The text that names the asking application to the person; nil if the request names no application.
    package let application: String?
    /// The application's address for the time after the logout, with its `state`; nil to stay here.
    package let location: String?
    /// The application's ID token; nil if there is none, or if another provider issued it.
    let hint: IdentityToken?

    /// Whether the application proves that it knows who is logged in, so that nobody else sent the browser. Anybody
    /// can make a link without a hint.
    package func isProof(for login: BrowserLogin) -> Bool { hint?.names(login.userID) == true }
}

/// The reason why a logout request cannot be followed. The browser is sent nowhere.
package struct LogoutRefusal: Error {
    package let field: SentField
    /// The application, if the request names one.
    package let client: OpenIDClient?
    /// The sentence for the operator's log.
    package let reason: String

    package static let address = "post_logout_redirect_uri"
    static let hint = "id_token_hint"
}

extension OpenIDProvider {
    private static let logoutFields: Set<String> = [
        "id_token_hint", "client_id", "post_logout_redirect_uri", "state", "ui_locales", "logout_hint",
    ]

    /// Reads a logout request.
    /// - Throws: `LogoutRefusal`.
    package func logoutRequest(_ all: FormFields) async throws -> LogoutRequest {
        let fields = all.withoutEmptyValues
        let repeated = fields.repeatedNames.intersection(Self.logoutFields)
        if let name = repeated.min() {
            throw LogoutRefusal(
                field: SentField(name, in: fields, repeated), client: nil,
                reason: "a parameter of a logout occurs twice")
        }
        let hint = try await logoutHint(fields[LogoutRefusal.hint])
        let id = fields["client_id"]
        let client = try await client(id ?? hint?.client)
        guard id == nil || client != nil else {
            throw LogoutRefusal(
                field: SentField("client_id", in: fields), client: nil, reason: "no application has this client_id")
        }
        guard id == nil || hint == nil || id == hint?.client else {
            throw LogoutRefusal(
                field: SentField(invalid: LogoutRefusal.hint), client: client,
                reason: "the ID token of a logout is another application's")
        }
        let location = try Self.locationAfterLogout(fields, of: client)
        var application: String?
        if let client { application = try await label(of: client, redirectURI: "") }
        return LogoutRequest(application: application, location: location, hint: hint)
    }

    /// The ID token in a logout request. An expired token still names user and application.
    /// - Returns: nil for one that cannot be checked, which proves nothing.
    private func logoutHint(_ text: String?) async throws -> IdentityToken? {
        guard let text,
            let token: IdentityToken = await WebTokenVerifier(keySet: tokens.keySet)
                .payload(of: text, at: WallTime(seconds: 0)),
            let id = token.client, token.isFor(id, from: try await issuer())
        else { return nil }
        return token
    }

    private static func locationAfterLogout(
        _ fields: FormFields, of client: OpenIDClient?
    ) throws(LogoutRefusal) -> String? {
        guard let address = fields[LogoutRefusal.address] else { return nil }
        guard let client, client.ownsAfterLogout(address) else {
            throw LogoutRefusal(
                field: SentField(LogoutRefusal.address, in: fields), client: client,
                reason: "the address for the time after a logout is not registered, or nothing names the application")
        }
        guard let state = fields["state"] else { return address }
        guard AuthorizationRequest.isEcho(state) else {
            throw LogoutRefusal(
                field: SentField("state", in: fields), client: client, reason: "the state of a logout is too long")
        }
        return address + (address.contains("?") ? "&" : "?") + FormFields.text([("state", state)])
    }
}
