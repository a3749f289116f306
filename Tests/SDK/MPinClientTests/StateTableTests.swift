// SPDX-License-Identifier: Apache-2.0

import KioskTestKit
import LoginValues
import MPinClient
import Testing

/// Every call in every state. A call that the table forbids is a flow error and makes no request.
@Suite struct StateTableTests {
    enum Call: String, CaseIterable {
        case startVerification, finishVerification, startRegistration, restartRegistration, confirmRegistration
        case finishRegistration, startAuthentication, finishAuthentication, finishPlain, finishOTP, finishMFA
        case finishRegCode, changePIN, startDVS, finishDVS, sign, signingSession, logout, delete
    }

    /// The table allows the call, and it succeeds without preparation.
    static func succeeds(_ call: Call, in state: UserState, _ dialect: DialectName) -> Bool {
        let isTrust = DialectName.trust.contains(dialect)
        return switch (state, call) {
        case (_, .delete): true
        case (.startedVerification, .startVerification), (.startedVerification, .finishVerification): true
        case (.invalid, .startVerification), (.invalid, .finishVerification): !dialect.isClassic
        case (.invalid, .startRegistration), (.startedVerification, .startRegistration): true
        case (.registered, .startVerification), (.registered, .finishVerification), (.registered, .startRegistration):
            isTrust
        case (.blocked, .startVerification), (.blocked, .finishVerification), (.blocked, .startRegistration): isTrust
        case (.startedRegistration, .restartRegistration), (.startedRegistration, .confirmRegistration): true
        case (.activated, .restartRegistration): !isTrust
        case (.activated, .confirmRegistration): true
        case (.registered, .startAuthentication): true
        case (.registered, .startDVS): dialect == .mfaV2
        case (.registered, .sign): isTrust
        case (_, .signingSession): isTrust
        default: false
        }
    }

    /// A classic identity is not verified. Where a registration needs a code there is no mail to wait for.
    static let states: [(DialectName, UserState)] = DialectName.allCases.flatMap { dialect in
        UserState.allCases.filter {
            switch $0 {
            case .startedVerification: !dialect.isClassic
            case .startedRegistration: !DialectName.trust.contains(dialect)
            default: true
            }
        }.map { (dialect, $0) }
    }

    @Test(arguments: states)
    func obeysTheTable(_ dialect: DialectName, _ state: UserState) async throws {
        var (device, user) = try await Device.with(state, dialect)
        for call in Call.allCases {
            #expect(user.state == state)
            device.server.change { ($0.isActive, $0.sessionHash) = (true, String(repeating: "ab", count: 32)) }
            let changes = device.storage.changes
            let error = try await failure { try await make(call, device.mpin, user) }
            if Self.succeeds(call, in: state, dialect) {
                #expect(error == nil, "\(call)")
                // The call changed something: begin again.
                if call != .delete { (device, user) = try await Device.with(state, dialect) }
            } else {
                #expect(error?.status == .flowError, "\(call)")
                #expect(device.transport.requests.isEmpty && device.storage.changes == changes, "\(call)")
                #expect(try await device.mpin.user(user.key)?.state ?? .invalid == state, "\(call)")
            }
        }
        #expect(try await device.mpin.user(user.key) == nil)
        #expect(try await device.storage.identities().isEmpty && device.transport.requests.isEmpty)
    }

    private func make(_ call: Call, _ mpin: MPin, _ user: User) async throws {
        let pin = try makePin("1234")
        switch call {
        case .startVerification: _ = try await mpin.startVerification(of: user)
        case .finishVerification: _ = try await mpin.finishVerification(of: user, code: VerificationTests.code)
        // The dialect mfa-v1 needs a session.
        case .startRegistration:
            _ = try await mpin.startRegistration(of: user, activateCode: Device.token, accessCode: accessCode)
        case .restartRegistration: _ = try await mpin.restartRegistration(of: user, accessCode: accessCode)
        case .confirmRegistration: _ = try await mpin.confirmRegistration(of: user)
        case .finishRegistration: _ = try await mpin.finishRegistration(of: user, pin: pin)
        case .startAuthentication: try await mpin.startAuthentication(of: user)
        case .finishAuthentication:
            _ = try await mpin.finishAuthentication(of: user, pin: pin, accessCode: accessCode)
        case .finishPlain: _ = try await mpin.finishAuthentication(of: user, pin: pin)
        case .finishOTP: _ = try await mpin.finishAuthenticationOTP(of: user, pin: pin)
        case .finishMFA: _ = try await mpin.finishAuthenticationMFA(of: user, pin: pin)
        case .finishRegCode: _ = try await mpin.finishAuthenticationRegCode(of: user, pin: pin)
        case .changePIN: _ = try await mpin.changePIN(of: user, from: pin, to: makePin("4321"))
        case .startDVS: try await mpin.startRegistrationDVS(of: user, pin: pin)
        case .finishDVS: _ = try await mpin.finishRegistrationDVS(of: user, pinDVS: pin)
        case .sign: _ = try await mpin.sign(documentHash: MPin.hashDocument([]), as: user, pin: pin)
        case .signingSession: _ = try await mpin.signingSessionDetails(for: accessCode)
        case .logout: try await mpin.logout(user)
        case .delete: try await mpin.deleteUser(user)
        }
    }

    @Test func nothingWorksBeforeInitialize() async throws {
        let device = try Device()
        let mpin = device.mpin
        let address = try WebAddress(ScriptedServer.url)
        let user = await mpin.makeNewUser("alice@example.com")
        let calls: [() async throws -> Void] = [
            { _ = try await mpin.serviceDetails(at: address) }, { try await mpin.testBackend(address) },
            { try await mpin.setBackend(address) }, { _ = try await mpin.allUsers() },
            { _ = try await mpin.user(user.key) }, { try await mpin.deleteUser(user) },
            { _ = try await mpin.startRegistration(of: user) }, { try await mpin.logout(user) },
        ]
        let callsOfABackend: [() async throws -> Void] = [
            { _ = try await mpin.clientParameter("appID") }, { try await mpin.checkAccessNumber(accessCode) },
            { _ = try await mpin.sessionDetails(for: accessCode) }, { try await mpin.abortSession(accessCode) },
            { _ = try await mpin.users() },
        ]
        for call in calls + callsOfABackend { await expect(.flowError) { try await call() } }
        try await mpin.initialize()
        try await mpin.initialize()
        for call in callsOfABackend { await expect(.flowError) { try await call() } }
        #expect(device.transport.requests.isEmpty)
    }

    @Test func refusesAnIdentityOfAnotherBackend() async throws {
        let (device, user) = try await Device.with(.registered)
        try await device.setBackend("https://login.test")
        device.transport.forgetRequests()
        await expect(.flowError) { try await device.mpin.startAuthentication(of: user) }
        #expect(device.transport.requests.isEmpty)
        #expect(try await device.mpin.users().isEmpty)
        #expect(try await device.mpin.users(ofBackend: "rps.test") == [user])
        #expect(try await device.mpin.allUsers() == [user])
        #expect(try await device.mpin.backends() == ["rps.test"])
    }

    @Test func bindsANewIdentityToTheBackendOfItsRegistration() async throws {
        let device = try Device()
        let early = await device.mpin.makeNewUser("bob@example.com")
        #expect(early.key.backend.isEmpty)
        _ = try await device.ready()
        #expect(try await device.mpin.startRegistration(of: early).key.backend == "rps.test")
    }

    @Test func aFailedBackendKeepsTheOldOne() async throws {
        let (device, user) = try await Device.with(.registered)
        device.transport.on(.get, "/rps/clientSettings", .status(500))
        await expect(.httpServerError) { try await device.setBackend("https://login.test") }
        #expect(try await device.mpin.users() == [user])
        try await device.mpin.startAuthentication(of: user)
    }

    @Test func refusesNamesThatAreTooLong() async throws {
        let device = try await Device().ready()
        for (identity, name) in [
            ("", ""), (String(repeating: "a", count: 257), ""), ("a", String(repeating: "n", count: 257)),
        ] {
            let user = await device.mpin.makeNewUser(identity, deviceName: name)
            await expect(.flowError) { try await device.mpin.startRegistration(of: user) }
        }
        #expect(device.transport.requests.isEmpty)
    }
}
