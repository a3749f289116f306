// SPDX-License-Identifier: Apache-2.0

/// The OpenID provider of one place: applications send browsers here, people log in with the kiosk, and applications learn
/// who it was. Authorization code flow with PKCE alone (OpenID Connect Core, section 3.1; RFC 7636).
///
/// Nobody stays logged in at the provider: every request takes a PIN, and every application has sessions of its own.
actor OpenIDProvider {
    let mount: any SiteMount
    let tokens: WebTokenIssuer
    /// Of the place's own web site.
    let credentials: RelyingPartyCredentials
    /// Clients besides the place's own web site.
    let registration: ClientRegistration
    let projectID: String
    /// Where the browsers that come here are logged in.
    let login: any LoginSite
    /// Where devices log in to applications; nil in dialects that have no codes for them.
    let gate: (any ApplicationGate)?
    let clock: any WallClock

    // A restart forgets them: browsers begin anew.
    var pending = ExpiringTable<BrowserCookie, PendingAuthorization>()
    var applicationRequests = ExpiringTable<String, AuthorizationRequest>()
    var grants = ExpiringTable<OneTimeToken, AuthorizationGrant>()
    var accessGrants = ExpiringTable<OneTimeToken, AccessGrant>()
    /// The access tokens that used codes gave.
    var redeemed = ExpiringTable<OneTimeToken, OneTimeToken>()

    init(
        mount: any SiteMount, tokens: WebTokenIssuer, credentials: RelyingPartyCredentials,
        registration: ClientRegistration, projectID: String, login: any LoginSite, gate: (any ApplicationGate)?,
        clock: any WallClock
    ) {
        self.mount = mount
        self.tokens = tokens
        self.credentials = credentials
        self.registration = registration
        self.projectID = projectID
        self.login = login
        self.gate = gate
        self.clock = clock
    }

    /// Relying parties that have the state directory's credentials, first of all the place's own web site.
    var ownClient: OpenIDClient {
        get async throws {
            OpenIDClient(
                id: credentials.clientID,
                redirectURIs: [try await mount.url + OpenIDRelyingParty.path] + registration.redirectURIs,
                credentials: credentials)
        }
    }

    var clients: [OpenIDClient] {
        get async throws { [try await ownClient] + registration.publicClients }
    }
}
