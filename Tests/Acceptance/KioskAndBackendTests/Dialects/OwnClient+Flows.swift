// SPDX-License-Identifier: Apache-2.0

import Patience
import BackendTestKit
import Encoding
import KioskTestKit
import LoginValues
import MPinClient
import Testing

@testable import BackendDatabases
@testable import BackendValues
@testable import MPinServer
@testable import ReferenceBackend

extension OwnClient {
    /// Registers a person with the PIN 1234, in the dialect's way.
    func register(_ identity: String = "alice@example.com") async throws -> User {
        guard dialect.isTrust else { return try await register(identity, try await session().code) }
        let new = await mpin.makeNewUser(identity, deviceName: "front door")
        return try await register(new, code: try await verified(new))
    }

    /// Registers a person on an otherwise empty device.
    func registerAnew() async throws -> User {
        for user in try await mpin.users() { try await mpin.deleteUser(user) }
        backend.clock.advance(by: .seconds(700))
        return try await register("user\(backend.clock.now.seconds)@example.com")
    }

    func register(_ new: User, code: LoginValues.SecretBytes, pin: String = "1234") async throws -> User {
        var user = try await mpin.startRegistration(of: new, activateCode: code)
        user = try await mpin.confirmRegistration(of: user)
        return try await mpin.finishRegistration(of: user, pin: try newPIN(pin))
    }

    /// An activation token from a mail's link.
    func verified(_ new: User) async throws -> LoginValues.SecretBytes {
        #expect(try await mpin.startVerification(of: new).method == .codeOrLink)
        return try await mpin.finishVerification(of: new, code: try await newestCode()).activationToken
    }

    /// The verification code of the newest mail.
    func newestCode() async throws -> LoginValues.SecretBytes {
        let link = try await backend.mailedPage()
        let code = try #require(link.split(separator: "?").last.flatMap { FormFields($0) }?["code"])
        return SecretBytes(copying: Array(code.utf8))
    }

    /// Makes a registration code.
    func code(by user: User) async throws -> LoginValues.SecretBytes {
        try await mpin.startAuthenticationRegCode(of: user)
        return try await mpin.finishAuthenticationRegCode(of: user, pin: try newPIN("1234")).digits
    }

    /// Opens a waiting browser session: its code, and its page or token.
    func session(_ members: [String: JSONValue] = [:]) async throws -> WaitingBrowser {
        guard !dialect.isClassic else {
            let page = try await openPage()
            return WaitingBrowser(code: try await code(on: page), page: page, webOTT: "")
        }
        let reply = try await backend.client.post(
            "/rps/v2/session", ["projectId": .string(companyID)].merging(members) { $1 })
        try #require(reply.status == 200, "\(reply.text)")
        let accessID = try #require(reply.object.string("accessId"))
        return WaitingBrowser(
            code: try #require(AccessCode(accessID)), page: nil, webOTT: try #require(reply.object.string("webOTT")))
    }

    /// A login by the shortest way of the dialect, from the first call to the verdict.
    func logIn(_ user: User, pin: String = "1234") async throws {
        guard !dialect.isClassic else {
            try await mpin.startAuthentication(of: user)
            _ = try await mpin.finishAuthentication(of: user, pin: try newPIN(pin))
            return
        }
        let code = try await session().code
        try await mpin.startAuthentication(of: user, accessCode: code)
        _ = try await mpin.finishAuthentication(of: user, pin: try newPIN(pin), accessCode: code)
    }

    /// Logs a waiting browser in.
    ///
    /// - Returns: its user, and the device's result.
    func logIn(
        _ user: User, at browser: WaitingBrowser, pin: String = "1234"
    ) async throws -> (user: String?, login: AuthenticationResult) {
        try await mpin.startAuthentication(of: user, accessCode: browser.code)
        async let login = mpin.finishAuthentication(of: user, pin: newPIN(pin), accessCode: browser.code)
        // A classic device waits for its browser. A later one gets its answer before the browser asks.
        if !dialect.isClassic { _ = try await login }
        let admitted = try await browser.user(at: backend)
        return (admitted, try await login)
    }

    /// The error of a login; nil for a success.
    func failure(_ user: User, pin: String = "1234") async throws -> MPinError? {
        do {
            try await logIn(user, pin: pin)
            return nil
        } catch let error as MPinError { return error }
    }

    /// The requests of a login in their order, each as a part of the path.
    var steps: [String] {
        switch dialect {
        case .milagro: ["timePermit", "pass1", "pass2", "mpinAuthenticate"]
        default: ["pass1", "pass2", "authenticate"]
        }
    }

    /// Expects that a call that the dialect lacks fails at once.
    func expectAbsent(_ status: Status = .flowError, _ call: () async throws -> Void) async {
        network.forget()
        let error = await #expect(throws: MPinError.self) { try await call() }
        #expect(error?.status == status)
        if status == .flowError { #expect(network.paths.isEmpty) }
    }

    /// The user as a restarted client finds it in the store.
    func stored(_ user: User) async throws -> User? {
        let name = Self.name(of: backend)
        let fresh = MPin(
            transport: network, storage: InMemoryStorage(try await storage.identities()),
            trust: TrustPolicy(entries: [try TrustEntry(name)], allowsLoopbackHTTP: true),
            configuration: MPin.Configuration(companyID: companyID, clientVersion: "1.0"), logger: backend.log.logger)
        try await fresh.initialize()
        let users = try await fresh.allUsers()
        #expect(users.count == 1)
        return users.first { $0.key == user.key }
    }

    /// Expects that memory and store agree on an identity that may not log in any more and makes no request.
    func expectBlocked(_ user: User) async throws {
        #expect(try await mpin.user(user.key)?.state == .blocked)
        #expect(try await stored(user)?.state == .blocked)
        network.forget()
        let refused = await #expect(throws: MPinError.self) { try await mpin.startAuthentication(of: user) }
        #expect(refused?.status == .flowError && network.paths.isEmpty)
    }

    /// Expects that memory and store agree after a refusal. These backends use plain http, where only a verdict
    /// deletes the identity: after any other refusal it is unchanged, and is refused again.
    func expectRefused(_ user: User, by error: MPinError?) async throws {
        #expect(error?.isFinalRefusal == (error?.status == .incorrectPIN))
        guard error?.status == .revoked else { return try await expectBlocked(user) }
        #expect(try await mpin.user(user.key)?.state == .registered)
        #expect(try await stored(user)?.state == .registered)
        let again = try await failure(user)
        #expect(again?.status == .revoked || again?.isFinalRefusal == true)
    }

    /// Expects that memory and store agree on an unchanged identity, which can still log in.
    func expectUnchanged(_ user: User) async throws {
        #expect(try await mpin.user(user.key) == user)
        let stored = try await stored(user)
        #expect(stored?.state == .registered && stored?.mpinID == user.mpinID)
        try await logIn(user)
    }

    var state: BackendState {
        get throws { try BackendState(directory: backend.state.path, clock: backend.clock) }
    }

    /// Types three wrong PINs on another copy of the device.
    func block(_ userID: String) async throws {
        let database = try BackendDatabase(state: try StateDirectory(path: backend.state.path))
        let now = backend.clock.now
        let verdict = LoginVerdict(
            isRight: false, forgives: true, wrong: RegisteredIdentity.maximumFailures, time: now)
        try await database.change(all: IdentitySelection(userID: userID)) { identity in
            _ = identity.count(verdict, lease: LoginLease(now))
            return true
        }
    }
}

/// A browser that waits for a device, of any dialect.
struct WaitingBrowser: Sendable {
    let code: AccessCode
    /// The page, in the classic dialects.
    let page: Browser?
    /// The token, in the other dialects.
    let webOTT: String

    /// The user who logged in, once the device has sent its proof.
    func user(at backend: RunningBackend) async throws -> String? {
        if let page { return try await page.waitForLogin() }
        let access = try await access(at: backend)
        return access.string("status") == "authenticate" ? access.string("userId") : nil
    }

    /// The reply to a poll with the token.
    func access(at backend: RunningBackend) async throws -> JSONObject {
        try await backend.client.post("/rps/v2/access", ["webOTT": .string(webOTT)]).object
    }
}
