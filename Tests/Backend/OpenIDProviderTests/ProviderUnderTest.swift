// SPDX-License-Identifier: Apache-2.0

import BackendValues
import Encoding
import Sealing
import Synchronization
import Testing

@testable import OpenIDProvider

/// A provider in memory, and an application that is its client.
struct ProviderUnderTest: Sendable {
    static let issuer = "https://login.example.com/trust-2025"
    static let siteID = "the-site"
    static let siteSecret = "secret"
    static let redirectURI = "https://app.example.com/back?x=1"
    static let publicID = "a-phone-app"
    /// The id of an application that an operator added.
    static let addedID = "an-added-one"
    static let userID = "alice@example.com"
    /// RFC 7636, appendix B.
    static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    static let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"

    /// Shared by all tests, because making a key takes longer than most of them.
    private static let key = Result { SigningKey(try SigningKey.make()) }

    let clock = HeldClock()
    /// The users who may no longer log in.
    let revoked = Revoked()
    let logins: ApplicationLogins
    let provider: OpenIDProvider

    init(
        issuer: String = Self.issuer, requiresProofKey: Bool = false, tokenLifetime: Duration = .seconds(300),
        refreshLifetime: Duration = .zero
    ) throws {
        let ring = SigningKeyRing(try #require(try Self.key.get()))
        let storage = MemoryTables()
        logins = ApplicationLogins("logins", in: storage)
        provider = OpenIDProvider(
            at: "here", issuer: { issuer },
            tokens: WebTokenIssuer(keys: { ring }, clock: clock),
            clients: OpenIDClients(
                site: OpenIDClient(
                    id: Self.siteID, redirectURIs: [Self.redirectURI], secret: SecretBytes(Array(Self.siteSecret.utf8)),
                    requiresProofKey: requiresProofKey),
                sitePath: "/login", publicClients: [OpenIDClient(id: Self.publicID, redirectURIs: [Self.redirectURI])],
                findApplication: { id in
                    id == Self.addedID
                        ? OpenIDClient(
                            id: id, name: "Time sheets", redirectURIs: [Self.redirectURI],
                            postLogoutURIs: ["https://app.example.com/bye"],
                            secretDigest: Digest.sha256(Array(Self.siteSecret.utf8))) : nil
                }),
            settings: OpenIDSettings(tokenLifetime: tokenLifetime, refreshLifetime: refreshLifetime),
            mayLogIn: { [revoked] userID in !revoked.contains(userID) },
            applicationLogins: logins, storage: storage, clock: clock)
    }

    /// The fields of a valid request, with changes. A field without a value is left out.
    static func fields(_ changes: [String: String?] = [:]) throws -> FormFields {
        try form(
            [
                "client_id": siteID, "redirect_uri": redirectURI, "response_type": "code", "scope": "openid email",
                "state": "s &t", "nonce": "n-0S6_WzA2Mj", "code_challenge": challenge, "code_challenge_method": "S256",
            ], changes)
    }

    /// The fields that the provider adds to the redirect URI.
    static func answer(_ answer: AuthorizationAnswer) throws -> FormFields {
        try #require(answer.mode == .query)
        let location = answer.location
        try #require(location.hasPrefix(redirectURI + "&"))
        return try #require(FormFields(location.dropFirst(redirectURI.count + 1)))
    }

    /// The code for a person's login.
    func code(_ changes: [String: String?] = [:]) async throws -> String {
        let request = try await provider.request(try Self.fields(changes))
        let answer = try await provider.grant(request, to: Self.userID, authenticated: clock.now)
        return try #require(try Self.answer(answer)["code"])
    }

    /// Exchanges a code for tokens.
    /// - Parameter id: the client's id.
    func redeem(
        _ code: String, by id: String = siteID, _ changes: [String: String?] = [:]
    ) async throws -> JSONObject {
        let client = try #require(try await provider.client(id))
        let fields = try Self.form(
            [
                "grant_type": "authorization_code", "code": code, "redirect_uri": Self.redirectURI,
                "code_verifier": Self.verifier,
            ], changes)
        return try await provider.redeem(fields, by: client).json
    }

    func userInfo(_ tokens: JSONObject) async throws -> JSONObject {
        try await provider.userInfo("Bearer " + (tokens.string("access_token") ?? ""), form: nil).json
    }

    /// The claims of the ID token, after a client's checks.
    func identity(_ tokens: JSONObject) async throws -> IdentityToken {
        let verifier = await WebTokenVerifier(keySet: provider.tokens.keySet)
        let identity: IdentityToken? = await verifier.payload(of: tokens.string("id_token") ?? "", at: clock.now)
        return try #require(identity)
    }

    private static func form(_ fields: [String: String?], _ changes: [String: String?]) throws -> FormFields {
        let changed = fields.merging(changes) { $1 }
        return try #require(FormFields(FormFields.text(changed.compactMap { name, value in value.map { (name, $0) } })))
    }
}

/// The users whose identities are all revoked.
final class Revoked: Sendable {
    private let users = Mutex<Set<String>>([])

    func contains(_ userID: String) -> Bool { users.withLock { $0.contains(userID) } }

    func insert(_ userID: String) { users.withLock { _ = $0.insert(userID) } }
}

/// A clock that only a test moves.
final class HeldClock: WallClock {
    private let time = Mutex(WallTime(seconds: 1_795_262_400))

    var now: WallTime { time.withLock { $0 } }

    func advance(by duration: Duration) { time.withLock { $0 = $0 + duration } }

    /// The provider never waits.
    func sleep(until deadline: WallTime) async throws { Issue.record("a clock that stands is waited for") }
}
