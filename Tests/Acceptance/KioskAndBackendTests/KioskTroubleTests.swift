// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import KioskPorts
import KioskTestKit
import LoginValues
import MPinClient
import Patience
import Testing

@testable import MPinServer
@testable import ReferenceBackend

/// A person's identity is revoked, blocked, renewed, or too late, before a flow begins and before each of its
/// requests, at a whole kiosk. The tests check the final screen, and that the store agrees with it.
@Suite(.timeLimit(.minutes(10))) struct KioskTroubleTests {
    /// The event, and the kiosk's answer.
    enum Trouble: CaseIterable { case revoked, blocked, renewed, late }

    static let flows: [(Dialect, [KioskFlow])] = [
        (.milagro, [.login]), (.mfaV1, [.oneTimePassword]), (.mfaV2, [.localLogin, .signingKey, .deletion]),
        (.trust2025, [.login, .otherDevice, .document, .signingSession]),
    ]

    @Test(arguments: flows) func isToldAtEveryStep(_ dialect: Dialect, _ flows: [KioskFlow]) async throws {
        try await withClient(dialect) { client in
            let door = FakeDoor()
            let document = try KioskSigningTests.template()
            for flow in flows {
                for request in [nil] + flow.requests(client).map({ $0 }) {
                    for trouble in Trouble.allCases where trouble != .renewed || !dialect.isClassic {
                        // The kiosk's time stands still, so that nothing is given up on a busy machine. Each time
                        // another kiosk, because its delay would stop people after three wrong PINs.
                        let kiosk = try KioskPerson(
                            client, document: document, doors: [("Front door", door)],
                            clock: ManualClock())
                        try await kiosk.run { person in
                            try await Self.walk(flow, trouble, before: request, person, client)
                        }
                    }
                }
            }
            #expect(door.people.isEmpty == !flows.contains(.localLogin))
        }
    }

    /// The first of a renewal's two logins succeeded, and the result of the second is unknown. The person is told the
    /// decisive part.
    @Test func isRevokedWhileRenewing() async throws {
        try await withClient(.trust2025) { client in
            try await KioskPerson.unhurried(client).run { person in
                let user = try await client.registerAnew()
                let state = try client.state
                try await state.renew(userID: user.identity)
                _ = try await KioskFlow.login.begin(person, client) {}
                let view = try await person.agree {
                    client.network.before("dta/2/") { try await state.revoke(userID: user.identity) }
                }
                #expect(view.title.key == .authenticationFailed && client.network.isSettled)
                try await person.leave()
                try await Self.expectStore(client, user, isGone: false, "renewal")
            }
        }
    }

    /// - Parameter request: nil for an event before everything.
    private static func walk(
        _ flow: KioskFlow, _ trouble: Trouble, before request: String?, _ person: KioskPerson, _ client: OwnClient
    ) async throws {
        let user = try await client.registerAnew()
        let (network, comment) = (client.network, Comment("\(client.dialect) \(flow) \(trouble) \(request ?? "first")"))
        let state = try client.state
        let happen = { @Sendable in
            switch trouble {
            case .revoked: try await state.revoke(userID: user.identity)
            case .blocked: try await client.block(user.identity)
            case .renewed: try await state.renew(userID: user.identity)
            case .late: client.backend.clock.advance(by: .seconds(306))
            }
        }
        let page = try await flow.begin(person, client) {
            guard let request else { return try await happen() }
            if KioskFlow.isEarly(request) { network.before(request, happen) }
        }
        // The relying party decides when the page polls.
        async let _ = poll(page)
        let view = try await person.agree {
            if let request, !KioskFlow.isEarly(request) { network.before(request, happen) }
        }
        #expect(network.isSettled, comment)
        let expected = sentence(flow, trouble, request, client.dialect)
        #expect((view.stage == .issuedCode ? nil : view.title.key) == expected, comment)
        try await person.leave()
        // The application's server only reports it: the backend decides about the identity.
        let isBlocked = expected == .blocked && request != "VerifySignature"
        try await expectStore(client, user, isGone: isBlocked ? nil : expected == .identityDeleted, comment)
    }

    private static func poll(_ page: Browser?) async throws {
        while let page {
            _ = try await page.session()
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    /// Expects that memory and store agree with the message to the person.
    ///
    /// - Parameter isGone: nil for an identity that is blocked and kept.
    private static func expectStore(
        _ client: OwnClient, _ user: User, isGone: Bool?, _ comment: Comment
    ) async throws {
        guard let isGone else {
            // Blocked, and kept.
            #expect(try await client.mpin.user(user.key)?.blockedUntil != nil, comment)
            #expect(try await client.stored(user)?.state == .blocked, comment)
            return
        }
        guard isGone else {
            #expect(try await client.mpin.user(user.key)?.state == .registered, comment)
            #expect(try await client.stored(user)?.state == .registered, comment)
            return
        }
        // The kiosk does not wait for it.
        try await Patience.until { try await client.mpin.users().isEmpty }
        #expect(try await client.storage.identities().isEmpty, comment)
    }

    // MARK: The screen's messages

    private static func sentence(
        _ flow: KioskFlow, _ trouble: Trouble, _ request: String?, _ dialect: Dialect
    ) -> PromptKey? {
        switch trouble {
        case .renewed: flow.success
        case .revoked: refusal(flow, request, dialect, isRevoked: true)
        case .blocked: refusal(flow, request, dialect, isRevoked: false)
        case .late: delay(flow, request, dialect)
        }
    }

    /// The message over plain http, where only a verdict deletes the identity.
    private static func refusalWithoutVerdict(_ flow: KioskFlow) -> PromptKey {
        switch flow {
        case .signingKey: .signingKeyFailed
        case .document, .signingSession: .signingFailed
        case .login, .oneTimePassword, .otherDevice, .localLogin, .deletion: .authenticationFailed
        }
    }

    /// The message for a person who may not log in. A backend has one error before the PIN and another after it. Only
    /// the first says that it is not the PIN, and only where permits are issued it means a revocation.
    private static func refusal(
        _ flow: KioskFlow, _ request: String?, _ dialect: Dialect, isRevoked: Bool
    ) -> PromptKey? {
        let isBeforePIN = request == nil || request == "pass1" || request.map(KioskFlow.isEarly) == true
        switch request {
        case "authtoken": return flow.success
        case "quickcode", "codeStatus", "dvs/session", "dvsregister": return refusalWithoutVerdict(flow)
        // The key exists, and its first use is refused.
        case "clientSecret": return .signingFailed
        default: break
        }
        switch dialect {
        case .milagro:
            let isAtPermits = isRevoked && (request == nil || request == "timePermit")
            return isAtPermits ? refusalWithoutVerdict(flow) : .blocked
        case .mfaV1: return .blocked
        default: return isBeforePIN ? refusalWithoutVerdict(flow) : .blocked
        }
    }

    private static func delay(_ flow: KioskFlow, _ request: String?, _ dialect: Dialect) -> PromptKey? {
        switch (flow, request) {
        // The state of pass 1 is gone, so no PIN was tried.
        case (.signingKey, "pass2"): .signingKeyFailed
        case (.document, "pass2"), (.signingSession, "pass2"): .signingFailed
        case (_, "pass2"): .authenticationFailed
        // The state of pass 2 is gone, or its session. In the first case the outcome is unknown.
        case (.login, "/authenticate"): .outcomeUnknown
        case (.login, _): .sessionExpired
        case (.signingKey, "/authenticate"): .unreachable
        case (.document, "/authenticate"), (.signingSession, "/authenticate"): .signingOutcomeUnknown
        case (.signingSession, nil): .sessionExpired
        case (.signingSession, _): .signingExpired
        case (_, "/authenticate"): .taskOutcomeUnknown
        case (.localLogin, "pass1"): .taskExpired
        case (.localLogin, "authtoken"): .notAuthorized
        case (.otherDevice, "quickcode"): .authenticationFailed
        case (.signingKey, "dvsregister"), (.signingKey, "clientSecret"): .signingKeyFailed
        default: flow.success
        }
    }
}
