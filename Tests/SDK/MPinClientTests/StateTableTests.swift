// SPDX-License-Identifier: Apache-2.0

import KioskTestKit
import LoginValues
import MPinClient
import Testing

/// Every call in every state. A call that the table forbids is a flow error and makes no request.
@Suite struct StateTableTests {
    enum Call: String, CaseIterable {
        case startRegistration, restartRegistration, confirmRegistration, finishRegistration, startAuthentication
        case finishAuthentication, finishPlain, finishOTP, finishMFA, logout, changePIN, delete
    }

    static let states: [UserState] = [.invalid, .startedRegistration, .activated, .registered, .blocked]

    /// The table allows the call, and it succeeds without preparation.
    static func succeeds(_ call: Call, in state: UserState) -> Bool {
        switch (state, call) {
        case (_, .delete): true
        case (.invalid, .startRegistration): true
        case (.startedRegistration, .restartRegistration), (.startedRegistration, .confirmRegistration): true
        case (.activated, .restartRegistration), (.activated, .confirmRegistration): true
        case (.registered, .startAuthentication): true
        default: false
        }
    }

    @Test(arguments: states, Call.allCases) func obeysTheTable(_ state: UserState, _ call: Call) async throws {
        let device = try await Device().ready()
        let user = try await device.user(state)
        #expect(user.state == state)
        device.backend.change { $0.isActive = true }
        device.transport.forgetRequests()
        let changes = device.storage.changes
        let mpin = device.mpin
        var failure: MPinError?
        do {
            switch call {
            case .startRegistration: _ = try await mpin.startRegistration(of: user)
            case .restartRegistration: _ = try await mpin.restartRegistration(of: user)
            case .confirmRegistration: _ = try await mpin.confirmRegistration(of: user)
            case .finishRegistration: _ = try await mpin.finishRegistration(of: user, pin: makePin("1234"))
            case .startAuthentication: try await mpin.startAuthentication(of: user)
            case .finishAuthentication:
                _ = try await mpin.finishAuthentication(of: user, pin: makePin("1234"), accessCode: accessCode)
            case .finishPlain: _ = try await mpin.finishAuthentication(of: user, pin: makePin("1234"))
            case .finishOTP: _ = try await mpin.finishAuthenticationOTP(of: user, pin: makePin("1234"))
            case .finishMFA: _ = try await mpin.finishAuthenticationMFA(of: user, pin: makePin("1234"))
            case .logout: try await mpin.logout(user)
            case .changePIN:
                _ = try await mpin.changePIN(of: user, from: makePin("1234"), to: makePin("4321"))
            case .delete: try await mpin.deleteUser(user)
            }
        } catch let error as MPinError { failure = error }
        if StateTableTests.succeeds(call, in: state) {
            #expect(failure == nil)
        } else {
            #expect(failure?.status == .flowError)
            #expect(device.transport.requests.isEmpty)
            #expect(device.storage.changes == changes)
            #expect(try await mpin.user(user.key)?.state ?? .invalid == state)
        }
        if call == .delete {
            #expect(try await mpin.user(user.key) == nil)
            #expect(try await device.storage.identities().isEmpty)
            #expect(device.transport.requests.isEmpty)
        }
    }

    @Test func nothingWorksBeforeInitialize() async throws {
        let device = try Device()
        let mpin = device.mpin
        let address = try WebAddress(ScriptedBackend.backendURL)
        let user = await mpin.makeNewUser("alice@example.com")
        await #expect(throws: MPinError.self) { try await mpin.serviceDetails(at: address) }
        await #expect(throws: MPinError.self) { try await mpin.testBackend(address) }
        await #expect(throws: MPinError.self) { try await mpin.setBackend(address) }
        await #expect(throws: MPinError.self) { try await mpin.allUsers() }
        await #expect(throws: MPinError.self) { try await mpin.user(user.key) }
        await #expect(throws: MPinError.self) { try await mpin.deleteUser(user) }
        await #expect(throws: MPinError.self) { try await mpin.startRegistration(of: user) }
        await #expect(throws: MPinError.self) { try await mpin.logout(user) }
        await #expect(throws: MPinError.self) { try await mpin.clientParameter("appID") }
        await #expect(throws: MPinError.self) { try await mpin.checkAccessNumber(accessCode) }
        try await mpin.initialize()
        try await mpin.initialize()
        for call in [
            mpin.sessionDetails,
            {
                try await mpin.abortSession($0); return SessionDetails()
            },
            {
                try await mpin.checkAccessNumber($0); return SessionDetails()
            },
            {
                _ = try await mpin.clientParameter(text($0)); return SessionDetails()
            },
        ] {
            let error = await #expect(throws: MPinError.self) { _ = try await call(accessCode) }
            #expect(error?.status == .flowError)
        }
        let error = await #expect(throws: MPinError.self) { try await mpin.users() }
        #expect(error?.status == .flowError)
        #expect(device.transport.requests.isEmpty)
    }

    @Test func refusesAnIdentityOfAnotherBackend() async throws {
        let device = try await Device().ready()
        let user = try await device.user(.registered)
        try await device.mpin.setBackend(try WebAddress("https://login.test"))
        device.transport.forgetRequests()
        let error = await #expect(throws: MPinError.self) { try await device.mpin.startAuthentication(of: user) }
        #expect(error?.status == .flowError)
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
        let device = try await Device().ready()
        let user = try await device.user(.registered)
        device.transport.on(.get, "/rps/clientSettings", .status(500))
        await #expect(throws: MPinError.self) {
            try await device.mpin.setBackend(try WebAddress("https://login.test"))
        }
        #expect(try await device.mpin.users() == [user])
        try await device.mpin.startAuthentication(of: user)
    }

    @Test func refusesNamesThatAreTooLong() async throws {
        let device = try await Device().ready()
        device.transport.forgetRequests()
        for (identity, name) in [
            ("", ""), (String(repeating: "a", count: 257), ""), ("a", String(repeating: "n", count: 257)),
        ] {
            let user = await device.mpin.makeNewUser(identity, deviceName: name)
            let error = await #expect(throws: MPinError.self) { try await device.mpin.startRegistration(of: user) }
            #expect(error?.status == .flowError)
        }
        #expect(device.transport.requests.isEmpty)
    }
}
