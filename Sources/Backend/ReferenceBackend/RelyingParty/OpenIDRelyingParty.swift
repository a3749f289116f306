// SPDX-License-Identifier: Apache-2.0

import BackendHTTP
import BackendValues
import Encoding
import MPinServer
import OpenIDProvider

/// The web site as a client of the endpoint's OpenID provider. It sends browsers there, and asks who logged in to an
/// application on a device. It does all checks that a client must do.
struct OpenIDRelyingParty: Sendable {
    /// The redirect URI's path below the endpoint.
    static let path = "/login"
    private static let patience = Duration.seconds(600)
    private static let scope = "openid profile email"

    private struct Attempt: Codable, Sendable {
        let state: OneTimeToken
        let nonce: String
        let verifier: String
    }

    private let provider: OpenIDProvider
    private let mount: any SiteMount
    private let browsers: BrowserSessions
    private let credentials: RelyingPartyCredentials
    private let projectID: String
    private let clock: any WallClock
    /// Keyed by the browser that began the login. No other browser may finish it (RFC 6749, section 10.12).
    private let attempts: any VolatileTable<OneTimeToken, Attempt>
    /// Seals the nonces of authorization URLs that devices ask for, so that strangers fill no table.
    private let nonces: VisitSeal

    /// - Throws: `BackendError.randomnessUnavailable`.
    init(
        provider: OpenIDProvider, mount: any SiteMount, browsers: BrowserSessions,
        credentials: RelyingPartyCredentials, projectID: String, storage: any VolatileStorage, clock: any WallClock
    ) throws(BackendError) {
        self.provider = provider
        self.mount = mount
        self.browsers = browsers
        self.credentials = credentials
        self.projectID = projectID
        self.clock = clock
        attempts = storage.table(mount.name + "/openid logins")
        nonces = VisitSeal(key: try storage.key(for: mount.name + "/openid nonces"))
    }

    /// `GET /login`: sends a browser to the provider.
    /// - Parameter old: the cookie of the browser's previous way there, which ends.
    /// - Throws: `Refusal` 429 and 503 when the address, or all together, have begun too many.
    func begin(replacing old: OneTimeToken?) async throws -> (browser: OneTimeToken, location: String) {
        let url = try await mount.url
        let (browser, state) = (try OneTimeToken.random(), try OneTimeToken.random())
        let attempt = Attempt(
            state: state, nonce: try OneTimeToken.random().hex, verifier: try ProofKey.newVerifier())
        let now = clock.now
        if let old { try await attempts.take(old, now: now) }
        try await attempts.insert(attempt, for: browser, of: .currentNewcomer, expires: now + Self.patience, now: now)
        let query = FormFields.text([
            ("client_id", credentials.clientID), ("redirect_uri", url + Self.path), ("response_type", "code"),
            ("scope", Self.scope), ("state", state.hex), ("nonce", attempt.nonce),
            ("code_challenge", ProofKey.challenge(of: attempt.verifier)), ("code_challenge_method", ProofKey.method),
        ])
        return (browser, url + "/authorize?" + query)
    }

    /// `GET /login?code=&state=&iss=`: the browser comes back.
    /// - Parameters:
    ///   - browser: its cookie for the way to the provider.
    ///   - session: its cookie of this site.
    /// - Returns: the cookie of the login.
    /// - Throws: `Refusal` 400 for an answer that this browser did not wait for, 401 when no person logged in.
    func finish(_ fields: FormFields, browser: OneTimeToken?, session: BrowserCookie?) async throws -> BrowserCookie {
        let url = try await mount.url
        guard let browser, let state = fields["state"].flatMap({ OneTimeToken($0) }),
            try await attempts.value(for: browser, now: clock.now)?.state == state,
            let attempt = try await attempts.take(browser, now: clock.now), attempt.state == state, fields["iss"] == url
        else { throw Refusal(400, "This login was begun elsewhere, or too long ago") }
        guard let code = fields["code"] else { throw Refusal(401, "Nobody logged in") }
        let (userID, identity, _) = try await redeem([
            ("code", code), ("redirect_uri", url + Self.path), ("code_verifier", attempt.verifier),
        ])
        guard identity.nonce == attempt.nonce else { throw Self.otherUser }
        return try await browsers.loggedIn.admit(userID, replacing: session)
    }

    /// `/authzurl`: the address at which a device gets an access code for this site. docs/protocol/miracl.md, section
    /// 15. The device itself brings the login's code, without the state by which a proof key would be found. The nonce
    /// carries its end; the code is valid once.
    func authorizationURL() async throws -> AuthorizationURLReply {
        let url = try await mount.url
        let end = (clock.now + Self.patience).milliseconds
        let nonce = try nonces.cookie(of: JSONObject(["until": .integer(end)])).value
        let query = FormFields.text([
            ("client_id", credentials.clientID), ("redirect_uri", url + Self.path), ("response_type", "code"),
            ("scope", Self.scope), ("state", try OneTimeToken.random().hex), ("nonce", nonce),
        ])
        return AuthorizationURLReply(url: url + "/authorize?" + query)
    }

    /// `POST /authtoken`: takes a device's authorization code or, since 2023, its web token.
    /// - Throws: `Refusal` 401 when it is unknown, used, expired or another user's.
    func admitDevice(_ request: DeviceAdmissionRequest) async throws -> DeviceAdmissionReply {
        let (code, userID) = (request.code, request.userID)
        if mount.dialect.hasWebTokens, code.contains(".") {
            let token: PlatformToken? = await verifier.payload(of: code, at: clock.now)
            guard let token, token.isFor(projectID, from: try await mount.url), token.userID == userID else {
                throw Self.otherUser
            }
            return .user(userID)
        }
        let (owner, identity, accessToken) = try await redeem([
            ("code", code), ("redirect_uri", try await mount.url + Self.path),
        ])
        // A login without an authorization URL has no nonce.
        if let nonce = identity.nonce {
            guard let end = nonces.content(of: .visit(nonce))?.integer("until"), end > clock.now.milliseconds else {
                throw Self.otherUser
            }
        }
        guard owner == userID else { throw Self.otherUser }
        return .accessToken(accessToken)
    }

    /// The ID token, checked except for its nonce (OpenID Connect Core, section 3.1.3.7), and the access token.
    private func redeem(
        _ fields: [(name: String, value: String)]
    ) async throws -> (userID: String, identity: IdentityToken, accessToken: String) {
        let form = FormFields.text(
            [("grant_type", "authorization_code"), ("client_id", credentials.clientID)] + fields)
        guard let request = FormFields(form) else { throw Self.otherUser }
        let issued: IssuedTokens
        do { issued = try await provider.redeem(request, by: provider.ownClient) } catch is TokenError {
            throw Self.otherUser
        }
        let tokens = issued.json
        guard let accessToken = tokens.string("access_token"),
            let identity: IdentityToken = await verifier.payload(of: tokens.string("id_token") ?? "", at: clock.now),
            identity.isFor(credentials.clientID, from: try await mount.url),
            identity.belongs(toAccessToken: accessToken), identity.names(issued.userID)
        else { throw Self.otherUser }
        return (issued.userID, identity, accessToken)
    }

    private var verifier: WebTokenVerifier {
        get async { await WebTokenVerifier(keySet: provider.tokens.keySet) }
    }

    private static let otherUser = Refusal(401, "Another user logged in, or nobody")
}
