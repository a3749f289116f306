// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import Encoding
import Patience
import Synchronization
import Testing

@testable import BackendValues
@testable import MPinServer
@testable import OpenIDProvider
@testable import ReferenceBackend

/// A code that is used more than once at the same moment: a thief's use and its owner's. RFC 6749, section 4.1.2.
@Suite struct UsedCodeTests {
    private static let redirectURI = "https://app.example.com/back"
    private static let id = "shop"
    private let state = TemporaryFolder()
    private let clock = ManualWallClock()

    private func provider(_ storage: any VolatileStorage) throws -> OpenIDProvider {
        let ring = try SharedSigningKey.ring()
        return OpenIDProvider(
            at: "here", issuer: { "https://login.example.com" },
            tokens: WebTokenIssuer(keys: { ring }, clock: clock),
            clients: OpenIDClients(
                site: OpenIDClient(
                    id: Self.id, redirectURIs: [Self.redirectURI], secret: SecretBytes(Array("secret".utf8))),
                sitePath: "/login"),
            settings: OpenIDSettings(refreshLifetime: .seconds(3600)), mayLogIn: { _ in true },
            applicationLogins: nil, storage: storage, clock: clock)
    }

    /// At two processes.
    @Test(arguments: StorageUnderTest.allCases)
    func itsTokensEndWhoeverComesFirst(_ kind: StorageUnderTest) async throws {
        let (first, second) = try kind.openTwice(in: state)
        let providers = try [first, second].map { try provider($0.volatile) }
        for round in 0..<20 {
            let code = try await code(at: providers[0])
            let uses = try await together(6) { try await Self.redeem(code, at: providers[$0 % 2]) }
            try await Self.expectNoToken(of: uses, at: providers[round % 2], "round \(round)")
        }
        // One use alone gives what it should.
        #expect(try await Self.redeem(try await code(at: providers[0]), at: providers[1]) != nil)
    }

    /// Of two uses one is the first, and the other ends its tokens, whichever call of the storage it comes before.
    @Test(arguments: ["openid", "openid offline_access"])
    func itIsUsedBetweenTwoCalls(_ scope: String) async throws {
        let second = SecondUse()
        let provider = try provider(WatchedTables(inner: MemoryTables(), before: { _ in await second.call() }))
        var moment = 0
        while true {
            moment += 1
            let code = try await code(scope, at: provider)
            second.prepare(before: moment) { try? await Self.redeem(code, at: provider) }
            let first = try await Self.redeem(code, at: provider)
            guard let other = second.end() else { break }
            try await Self.expectNoToken(of: [first, other], at: provider, "before call \(moment)")
        }
        // The login, the mark, the code, the access token and its note.
        #expect(moment > 5)
    }

    private static func expectNoToken(
        of uses: [JSONObject?], at provider: OpenIDProvider, _ comment: Comment
    ) async throws {
        let issued = uses.compactMap { $0 }
        #expect(issued.count <= 1, comment)
        for tokens in issued {
            await #expect(throws: TokenError.self, comment) {
                try await provider.userInfo("Bearer " + (tokens.string("access_token") ?? ""), form: nil)
            }
            let refresh = [("grant_type", "refresh_token"), ("refresh_token", tokens.string("refresh_token") ?? "")]
            #expect(try await redeem(refresh, at: provider) == nil, comment)
        }
    }

    private func code(
        _ scope: String = "openid offline_access", at provider: OpenIDProvider
    ) async throws -> String {
        let fields = FormFields.text([
            ("client_id", Self.id), ("redirect_uri", Self.redirectURI), ("response_type", "code"), ("scope", scope),
        ])
        let request = try await provider.request(try #require(FormFields(fields)))
        let answer = try await provider.grant(request, to: "alice@example.com", authenticated: clock.now)
        let query = try #require(answer.location.split(separator: "?").last)
        return try #require(FormFields(query)?["code"])
    }

    private static func redeem(_ code: String, at provider: OpenIDProvider) async throws -> JSONObject? {
        try await redeem(
            [("grant_type", "authorization_code"), ("code", code), ("redirect_uri", redirectURI)], at: provider)
    }

    /// - Returns: nil for a refusal.
    private static func redeem(_ fields: [(String, String)], at provider: OpenIDProvider) async throws -> JSONObject? {
        let form = try #require(FormFields(FormFields.text(fields.map { (name: $0.0, value: $0.1) })))
        let client = try await provider.ownClient
        do { return try await provider.redeem(form, by: client).json } catch is TokenError { return nil }
    }
}

/// Another use of a code, which comes between two calls of the storage.
private final class SecondUse: Sendable {
    /// Whether this task is the second use, whose own calls are not counted.
    @TaskLocal private static var isUnderWay = false
    private struct State {
        var calls = 0
        var moment = 0
        var use: (@Sendable () async -> JSONObject?)?
        var tokens: JSONObject??
    }
    private let state = Mutex(State())

    /// - Parameter moment: the number of the call before which it comes, from 1.
    func prepare(before moment: Int, _ use: @escaping @Sendable () async -> JSONObject?) {
        state.withLock { $0 = State(moment: moment, use: use) }
    }

    /// - Returns: the tokens that it got, if any; nil when there were fewer calls.
    func end() -> JSONObject?? {
        state.withLock { state in
            defer { state = State() }
            return state.tokens
        }
    }

    func call() async {
        guard !SecondUse.isUnderWay else { return }
        let use = state.withLock { state in
            state.calls += 1
            return state.calls == state.moment ? state.use : nil
        }
        guard let use else { return }
        let tokens = await SecondUse.$isUnderWay.withValue(true) { await use() }
        state.withLock { $0.tokens = .some(tokens) }
    }
}
