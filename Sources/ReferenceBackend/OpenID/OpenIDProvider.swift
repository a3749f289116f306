// SPDX-License-Identifier: Apache-2.0

/// The OpenID provider of one place: applications send browsers here, people log in with the kiosk, and applications
/// learn who it was. Authorization code flow with PKCE alone (OpenID Connect Core, section 3.1; RFC 7636).
///
/// Browsers do not stay logged in at the provider: every request takes a PIN, and every application has sessions of its
/// own.
struct OpenIDProvider: Sendable {
    let mount: any SiteMount
    let tokens: WebTokenIssuer
    /// Of the place's own web site.
    let credentials: RelyingPartyCredentials
    /// Clients besides the place's own web site.
    let registration: ClientRegistration
    let projectID: String
    /// Where the browsers that come here are logged in.
    let login: BrowserSessions
    /// Where devices log in to applications; nil in dialects that have no codes for them.
    let gate: (any ApplicationGate)?
    let clock: any WallClock

    // A restart forgets them: browsers begin anew.
    let pending: any VolatileTable<BrowserCookie, PendingAuthorization>
    let applicationRequests: any VolatileTable<String, AuthorizationRequest>
    let grants: any VolatileTable<OneTimeToken, AuthorizationGrant>
    let accessGrants: any VolatileTable<OneTimeToken, AccessGrant>
    /// The access tokens that used codes gave.
    let redeemed: any VolatileTable<OneTimeToken, OneTimeToken>

    init(
        mount: any SiteMount, tokens: WebTokenIssuer, credentials: RelyingPartyCredentials,
        registration: ClientRegistration, projectID: String, login: BrowserSessions, gate: (any ApplicationGate)?,
        storage: any VolatileStorage, clock: any WallClock
    ) {
        self.mount = mount
        self.tokens = tokens
        self.credentials = credentials
        self.registration = registration
        self.projectID = projectID
        self.login = login
        self.gate = gate
        self.clock = clock
        pending = storage.table(mount.name + "/openid/browsers")
        applicationRequests = storage.table(mount.name + "/openid/authorization URLs")
        grants = storage.table(mount.name + "/openid/codes")
        accessGrants = storage.table(mount.name + "/openid/access tokens")
        redeemed = storage.table(mount.name + "/openid/used codes")
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
