// SPDX-License-Identifier: Apache-2.0

package import BackendValues

/// The OpenID provider of one endpoint. It checks the requests of applications, and tells them who has logged in. It
/// has the authorization code flow only (OpenID Connect Core, section 3.1), with PKCE (RFC 7636) where the client has
/// no secret or wants it.
///
/// It does not log people in and shows no pages: its caller passes the logged-in user.
package struct OpenIDProvider: Sendable {
    /// The address of its endpoints, without a trailing slash. Known once the ports are bound.
    package let issuer: @Sendable () async throws -> String
    package let tokens: WebTokenIssuer
    let clients: OpenIDClients
    let settings: OpenIDSettings
    let mayLogIn: @Sendable (String) async throws -> Bool
    /// Codes of devices that log in to applications; nil in dialects without them.
    let applicationLogins: ApplicationLogins?
    let clock: any WallClock

    // A restart forgets them: browsers begin again.
    let applicationRequests: any VolatileTable<String, AuthorizationRequest>
    let grants: any VolatileTable<OneTimeToken, AuthorizationGrant>
    package var codes: any VolatileTable { grants }
    let accessGrants: any VolatileTable<OneTimeToken, AccessGrant>
    /// Refresh tokens: for applications with a secret that ask for ``refreshScope``, where the operator offers them. A
    /// token is valid until it expires, and only for its application, which authenticates each time (RFC 9700, section
    /// 4.14.2).
    let refreshGrants: any VolatileTable<OneTimeToken, AuthorizationGrant>
    /// Keyed by the used code.
    let tokensOfCodes: any VolatileTable<OneTimeToken, TokensOfCode>

    /// - Parameters:
    ///   - endpoint: the prefix of its tables' names.
    ///   - mayLogIn: whether a user who was logged in might still log in.
    package init(
        at endpoint: String, issuer: @escaping @Sendable () async throws -> String, tokens: WebTokenIssuer,
        clients: OpenIDClients, settings: OpenIDSettings = OpenIDSettings(),
        mayLogIn: @escaping @Sendable (String) async throws -> Bool, applicationLogins: ApplicationLogins?,
        storage: any VolatileStorage, clock: any WallClock
    ) {
        self.issuer = issuer
        self.tokens = tokens
        self.clients = clients
        self.settings = settings
        self.mayLogIn = mayLogIn
        self.applicationLogins = applicationLogins
        self.clock = clock
        applicationRequests = storage.table(endpoint + "/openid/authorization URLs")
        grants = storage.table(endpoint + "/openid/codes", bounds: .ofPeople)
        accessGrants = storage.table(endpoint + "/openid/access tokens", bounds: .ofPeople)
        refreshGrants = storage.table(endpoint + "/openid/refresh tokens", bounds: .ofPeople)
        tokensOfCodes = storage.table(endpoint + "/openid/tokens of used codes", bounds: .ofPeople)
    }

    /// The client of relying parties that have the state directory's credentials, first of all the endpoint's own web
    /// site.
    package var ownClient: OpenIDClient {
        get async throws {
            var client = clients.site
            client.redirectURIs.insert(try await issuer() + clients.sitePath, at: 0)
            return client
        }
    }

    func client(_ id: String?) async throws -> OpenIDClient? {
        if id == clients.site.id { return try await ownClient }
        if let client = clients.publicClients.first(where: { $0.id == id }) { return client }
        guard let id else { return nil }
        return try await clients.findApplication(id)
    }

    /// The text that names the asking application to a person: its name, if it has one, and the host that learns who
    /// logged in.
    /// - Returns: nil for the endpoint's own web site.
    func label(of client: OpenIDClient, redirectURI: String) async throws -> String? {
        let uri = redirectURI.isEmpty ? client.redirectURIs.first ?? "" : redirectURI
        if client.id == clients.site.id, uri == (try await issuer()) + clients.sitePath { return nil }
        let host = OpenIDClient.host(of: uri)
        guard let name = client.name else { return host }
        // The end of a long host names its owner, and kiosks cut the end of a text.
        let room = max(Self.longestLabel - name.count - 3, 16)
        return "\(name) (\(host.count > room ? "…" + host.suffix(room - 1) : host))"
    }

    static let refreshScope = "offline_access"

    /// Number of characters that kiosks show.
    private static let longestLabel = 64
}

/// The settings of a provider.
package struct OpenIDSettings: Sendable {
    /// Lifetime of access and ID tokens.
    let tokenLifetime: Duration
    let refreshLifetime: Duration
    /// Whether browsers stay logged in, so that applications may log them out.
    let offersLogout: Bool

    var offersRefreshTokens: Bool { refreshLifetime > .zero }

    /// - Parameter refreshLifetime: lifetime of refresh tokens; zero where there are none.
    package init(
        tokenLifetime: Duration = .seconds(300), refreshLifetime: Duration = .zero, offersLogout: Bool = false
    ) {
        self.tokenLifetime = tokenLifetime
        self.refreshLifetime = refreshLifetime
        self.offersLogout = offersLogout
    }
}

/// The clients of a provider.
package struct OpenIDClients: Sendable {
    let site: OpenIDClient
    let sitePath: String
    let publicClients: [OpenIDClient]
    let findApplication: @Sendable (String) async throws -> OpenIDClient?

    /// - Parameters:
    ///   - site: the client of relying parties that have the state directory's credentials, without the page of the
    ///     endpoint's own web site.
    ///   - sitePath: the path of that page below the issuer.
    ///   - findApplication: finds an application that an operator added. Each request calls it, so that a change takes
    ///     effect at once.
    package init(
        site: OpenIDClient, sitePath: String, publicClients: [OpenIDClient] = [],
        findApplication: @escaping @Sendable (String) async throws -> OpenIDClient? = { _ in nil }
    ) {
        self.site = site
        self.sitePath = sitePath
        self.publicClients = publicClients
        self.findApplication = findApplication
    }
}
