// SPDX-License-Identifier: Apache-2.0

import BackendValues
import BackendTestKit
import Encoding
import KioskTestKit
import LoginValues
import MPinClient
import Synchronization
import Testing

@testable import MPinServer
@testable import ReferenceBackend

/// A proxy in front of the backend sends the wrong replies, for each request of each flow, in every known way. A
/// reply to another request must never log anybody in, confirm a registration, or delete an identity.
@Suite(.timeLimit(.minutes(10))) struct ForeignReplyTests {
    @Test(arguments: DialectFlow.dialects, ConfusedProxy.Fault.allCases)
    func neverMakeAWrongPINRight(_ dialect: Dialect, _ fault: ConfusedProxy.Fault) async throws {
        try await withConfusedClient(dialect) { kiosk, proxy in
            for flow in PINFlow.all(in: dialect) where flow != .pinChange {
                let user = try await flow.person(kiosk)
                let task = try await ConfusedTask("\(flow), wrong PIN", proxy, isExpectedToFail: true) {
                    try await kiosk.run(flow, user, pin: "9999")
                }
                for index in task.requests.indices {
                    try await kiosk.forgetFailures(user)
                    let isLoggedIn = try await task.succeeds(despite: fault, at: index, proxy)
                    #expect(!isLoggedIn, "\(flow): \(fault) at \(task.requests[index])")
                }
                try await kiosk.expectGood(user, "\(flow)")
            }
        }
    }

    /// Replies left over from a login with a right PIN must not answer one with a wrong PIN. Each time a new kiosk is
    /// used, which has noticed nothing yet.
    @Test(arguments: DialectFlow.dialects, ConfusedProxy.Fault.allCases)
    func ofARightPINNeverMakeTheNextOneRight(_ dialect: Dialect, _ fault: ConfusedProxy.Fault) async throws {
        try await withConfusedClient(dialect) { first, proxy in
            for pass in 0..<4 {
                try await OwnClient.connected(to: first.backend, dialect) { kiosk in
                    let user = try await kiosk.registerWithoutChecks()
                    let task = try await ConfusedTask("right PIN, wrong PIN", proxy, isExpectedToFail: true) {
                        try? await kiosk.logInABrowser(user)
                        try await kiosk.logInABrowser(user, pin: "9999")
                    }
                    let passes = task.requests.indices.filter { task.requests[$0].contains("/pass") }
                    try #require(passes.count == 4)
                    try await kiosk.forgetFailures(user)
                    let isLoggedIn = try await task.succeeds(despite: fault, at: passes[pass], proxy)
                    let comment = "\(fault) at \(passes[pass]), \(task.requests[passes[pass]])"
                    #expect(!isLoggedIn, "\(comment)")
                    try await kiosk.expectGood(user, comment)
                }
            }
        }
    }

    @Test(arguments: DialectFlow.dialects, ConfusedProxy.Fault.allCases)
    func neverCostAnIdentity(_ dialect: Dialect, _ fault: ConfusedProxy.Fault) async throws {
        try await withConfusedClient(dialect) { kiosk, proxy in
            for flow in PINFlow.all(in: dialect) where flow != .pinChange {
                let user = try await flow.person(kiosk)
                let task = try await ConfusedTask("\(flow)", proxy) { try await kiosk.run(flow, user, pin: nil) }
                for index in task.requests.indices {
                    _ = try await task.succeeds(despite: fault, at: index, proxy)
                    try await kiosk.expectGood(user, "\(flow): \(fault) at \(task.requests[index])")
                }
            }
        }
    }

    /// A proxy sends the last request of a login twice, and the second reply arrives. The browser is logged in, so
    /// the person must not read that its code has expired.
    @Test(arguments: DialectFlow.dialects) func ofALoginSentTwiceAreUnknown(_ dialect: Dialect) async throws {
        try await withConfusedClient(dialect) { kiosk, proxy in
            let user = try await kiosk.registerWithoutChecks()
            proxy.sendTwice("authenticate")
            let error = await #expect(throws: MPinError.self) { try await kiosk.logInABrowser(user) }
            #expect(error?.kind == .outcomeUnknown && error?.outcomeIsUnknown == true)
            proxy.sendTwice("mpinAuthenticate")
            if dialect.isClassic, dialect != .mfaV1 {
                let plain = await #expect(throws: MPinError.self) { try await kiosk.logIn(user) }
                #expect(plain?.kind == .outcomeUnknown)
            }
            proxy.sendTwice(nil)
            try await kiosk.expectGood(user, "afterwards")
        }
    }

    @Test(arguments: DialectFlow.dialects, ConfusedProxy.Fault.allCases)
    func neverConfirmARegistration(_ dialect: Dialect, _ fault: ConfusedProxy.Fault) async throws {
        try await withConfusedClient(dialect) { kiosk, proxy in
            let task = try await ConfusedTask("registration", proxy) { _ = try await kiosk.registerWithoutChecks() }
            for index in task.requests.indices {
                let isRegistered = try await task.succeeds(despite: fault, at: index, proxy)
                let step = "\(fault) at \(task.requests[index])"
                let users = try await kiosk.mpin.users()
                #expect(users.contains { $0.state == .registered } == isRegistered, "\(step)")
                for user in users where user.state == .registered { try await kiosk.expectGood(user, step) }
            }
        }
    }

    /// A copy of one person's share waits on a connection until the next person registers. It has the right form.
    @Test(arguments: DialectFlow.dialects)
    func neverGiveAPersonTheSecretOfAnother(_ dialect: Dialect) async throws {
        try await withConfusedClient(dialect) { kiosk, proxy in
            let task = try await ConfusedTask("registration", proxy) { _ = try await kiosk.registerWithoutChecks() }
            for index in task.requests.indices {
                _ = try await task.succeeds(despite: .twiceLate, at: index, proxy)
                guard let user = try? await kiosk.registerWithoutChecks() else { continue }
                try await kiosk.expectGood(user, "after \(task.requests[index])")
            }
        }
    }

    @Test(arguments: RenewalFlowTests.dialects, ConfusedProxy.Fault.allCases)
    func neverSpoilARenewal(_ dialect: Dialect, _ fault: ConfusedProxy.Fault) async throws {
        try await withConfusedClient(dialect) { kiosk, proxy in
            let user = try await kiosk.registerWithoutChecks()
            let task = try await ConfusedTask("renewal", proxy) {
                try await kiosk.state.renew(userID: user.identity)
                try await kiosk.logIn(user)
            }
            for index in task.requests.indices {
                _ = try await task.succeeds(despite: fault, at: index, proxy)
                try await kiosk.expectGood(user, "\(fault) at \(task.requests[index])")
            }
        }
    }

    @Test(arguments: ConfusedProxy.Fault.allCases)
    func neverEndASessionInWordsOnly(_ fault: ConfusedProxy.Fault) async throws {
        try await withConfusedClient(.milagro) { kiosk, proxy in
            let user = try await kiosk.registerWithoutChecks()
            for index in 0..<2 {
                let page = try await kiosk.openPage()
                try await kiosk.logInABrowser(user, page)
                proxy.obey(fault, at: index)
                // The first request's reply may be doubled, and then answer the logout.
                if index == 1 { _ = try? await kiosk.mpin.sessionDetails(for: try await kiosk.session().code) }
                let isOver = (try? await kiosk.mpin.logout(user)) != nil
                proxy.obey(nil)
                if isOver { #expect(try await page.get("/protected").status == 401, "\(fault)") }
                try await kiosk.expectGood(user, "\(fault)")
            }
        }
    }

    /// The application's own server finally decides who logged in.
    @Test(arguments: [Dialect.mfaV1, .mfaV2], ConfusedProxy.Fault.allCases)
    func neverLetAnotherPersonIn(_ dialect: Dialect, _ fault: ConfusedProxy.Fault) async throws {
        try await withConfusedClient(dialect) { kiosk, proxy in
            let user = try await kiosk.registerWithoutChecks()
            let host = try TrustEntry(OwnClient.name(of: kiosk.backend))
            let application = RelyingPartyApplication(
                at: try WebAddress(kiosk.backend.addresses.publicURL), transport: kiosk.network,
                trust: TrustPolicy(entries: [host], allowsLoopbackHTTP: true), logger: kiosk.backend.log.logger)
            let task = try await ConfusedTask("local login", proxy, isExpectedToFail: true) {
                let code = try await kiosk.mpin.accessCode(fromAuthorizationURL: application.authorizationURL())
                try await kiosk.mpin.startAuthentication(of: user, accessCode: code)
                let authorization = try await kiosk.mpin.finishAuthenticationMFA(
                    of: user, pin: newPIN("1234"), accessCode: code)
                try await application.submit(authorizationCode: authorization, userID: "bob@example.com")
            }
            for index in task.requests.indices {
                let isLetIn = try await task.succeeds(despite: fault, at: index, proxy)
                #expect(!isLetIn, "\(fault) at \(task.requests[index])")
                try await kiosk.expectGood(user, "\(fault) at \(task.requests[index])")
            }
        }
    }

    @Test(
        arguments: DialectFlow.dialects.filter { DialectFlow.verification.isThere(in: $0) },
        ConfusedProxy.Fault.allCases)
    func neverVerifyAnAddress(_ dialect: Dialect, _ fault: ConfusedProxy.Fault) async throws {
        try await withConfusedClient(dialect) { kiosk, proxy in
            let task = try await ConfusedTask("verification, wrong code", proxy, isExpectedToFail: true) {
                for user in try await kiosk.mpin.users() { try await kiosk.mpin.deleteUser(user) }
                kiosk.backend.clock.advance(by: .seconds(700))
                let new = await kiosk.mpin.makeNewUser("alice@example.com")
                _ = try await kiosk.mpin.startVerification(of: new)
                _ = try await kiosk.mpin.finishVerification(of: new, code: SecretBytes(copying: Array("000000".utf8)))
            }
            for index in task.requests.indices {
                let isVerified = try await task.succeeds(despite: fault, at: index, proxy)
                #expect(!isVerified, "\(fault) at \(task.requests[index])")
            }
        }
    }
}

/// Ends a browser's polling between two polls.
private final class Polling: Sendable {
    private let state = Mutex(false)

    var isOver: Bool { state.withLock { $0 } }

    func end() { state.withLock { $0 = true } }
}

extension OwnClient {
    fileprivate func run(_ flow: PINFlow, _ user: User, pin: String?) async throws {
        guard flow != .login else { return try await logInABrowser(user, pin: pin ?? "1234") }
        try await flow.prepared(self, user, pin: pin)()
    }

    /// A login in a browser as at the kiosk, with the details of the code's session.
    func logInABrowser(_ user: User, _ given: Browser? = nil, pin digits: String = "1234") async throws {
        let waiting: WaitingBrowser
        if let given {
            waiting = WaitingBrowser(code: try await code(on: given), page: given, webOTT: "")
        } else {
            waiting = try await session()
        }
        _ = try await mpin.sessionDetails(for: waiting.code)
        try await mpin.startAuthentication(of: user, accessCode: waiting.code)
        guard let page = waiting.page else {
            _ = try await mpin.finishAuthentication(of: user, pin: newPIN(digits), accessCode: waiting.code)
            #expect(try await waiting.user(at: backend) == user.identity)
            return
        }
        // A classic device waits for its browser, which finishes its last poll first.
        let polling = Polling()
        try await withThrowingTaskGroup { group in
            group.addTask {
                while !polling.isOver {
                    _ = try? await page.get("/session")
                    try? await Task.sleep(for: .milliseconds(10))
                }
            }
            defer { polling.end() }
            _ = try await mpin.finishAuthentication(of: user, pin: newPIN(digits), accessCode: waiting.code)
        }
        #expect(try await page.get("/protected").status == 200)
    }

    /// Registers a person on an otherwise empty device. Expects nothing: what the proxy confuses may throw.
    func registerWithoutChecks() async throws -> User {
        for user in try await mpin.users() { try await mpin.deleteUser(user) }
        backend.clock.advance(by: .seconds(700))
        let new = await mpin.makeNewUser("user\(backend.clock.now.seconds)@example.com", deviceName: "front door")
        if dialect.isTrust { return try await register(new, code: try await verified(new)) }
        var user = try await mpin.startRegistration(of: new, accessCode: try await session().code)
        try await backend.confirmNewestMail()
        user = try await mpin.confirmRegistration(of: user)
        return try await mpin.finishRegistration(of: user, pin: newPIN("1234"))
    }

    /// Resets the server's count of wrong PINs.
    func forgetFailures(_ user: User) async throws {
        _ = try await state.unblock(userID: user.identity)
        backend.clock.letDelaysPass()
    }

    /// Expects that the person can log in, at once or after one attempt in which the kiosk notices the network's
    /// faults.
    func expectGood(_ user: User, _ when: String) async throws {
        backend.clock.letDelaysPass()
        if (try? await logIn(user)) == nil {
            backend.clock.letDelaysPass()
            do { try await logIn(user) } catch { Issue.record("\(when): \(error)") }
        }
        #expect(try await mpin.user(user.key)?.state == .registered, "\(when)")
    }
}
