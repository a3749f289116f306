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
        var client: OpenIDClient?
        func refusal(_ name: String, _ reason: String) -> LogoutRefusal {
            LogoutRefusal(field: SentField(name, in: fields, repeated), client: client, reason: reason)
        }
        if let name = repeated.min() { throw refusal(name, "a parameter of a logout occurs twice") }
        var hint: IdentityToken?
        if let id = fields["client_id"] {
            client = try await self.client(id)
            guard client != nil else { throw refusal("client_id", "no application has this client_id") }
        }
        if let text = fields[LogoutRefusal.hint] {
            // An expired token still names user and application. One that cannot be checked proves nothing.
            hint = await WebTokenVerifier(keySet: tokens.keySet).payload(of: text, at: WallTime(seconds: 0))
            if let token = hint, let id = token.client, token.isFor(id, from: try await issuer()) {
                guard client == nil || client?.id == id else {
                    throw LogoutRefusal(
                        field: SentField(invalid: LogoutRefusal.hint), client: client,
                        reason: "the ID token of a logout is another application's")
                }
                client = try await self.client(id)
            } else {
                hint = nil
            }
        }
        var location: String?
        if let address = fields[LogoutRefusal.address] {
            guard let client, client.ownsAfterLogout(address) else {
                throw refusal(
                    LogoutRefusal.address,
                    "the address for the time after a logout is not registered, or nothing names the application")
            }
            let state = fields["state"] ?? ""
            guard AuthorizationRequest.isEcho(state) else {
                throw refusal("state", "the state of a logout is too long")
            }
            let query = state.isEmpty ? "" : FormFields.text([("state", state)])
            location = query.isEmpty ? address : address + (address.contains("?") ? "&" : "?") + query
        }
        var application: String?
        if let client { application = try await label(of: client, redirectURI: "") }
        return LogoutRequest(application: application, location: location, hint: hint)
    }
}
