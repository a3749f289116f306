// SPDX-License-Identifier: Apache-2.0

import KioskTestKit
import LoginValues
import MPinClient
import Testing

/// Every call in every state of the dialects since 2018. A call that the table forbids is a flow error and makes no
/// request.
@Suite struct PlatformStateTests {
    enum Call: String, CaseIterable {
        case startVerification, finishVerification, startRegistration, restartRegistration, confirmRegistration
        case finishRegistration, startAuthentication, finishAuthentication, finishRegCode, startDVS, finishDVS, sign
        case logout, delete
    }

    static let states = UserState.allCases

    static func succeeds(_ call: Call, in state: UserState, _ dialect: DialectName) -> Bool {
        let isTrust = dialect != .mfaV2
        return switch (state, call) {
        case (_, .delete): true
        case (.invalid, .startVerification), (.invalid, .finishVerification), (.invalid, .startRegistration): true
        case (.startedVerification, .startVerification), (.startedVerification, .finishVerification): true
        case (.startedVerification, .startRegistration): true
        case (.registered, .startVerification), (.registered, .finishVerification), (.registered, .startRegistration):
            isTrust
        case (.blocked, .startVerification), (.blocked, .finishVerification), (.blocked, .startRegistration): isTrust
        case (.startedRegistration, .restartRegistration), (.startedRegistration, .confirmRegistration): true
        case (.activated, .restartRegistration): !isTrust
        case (.activated, .confirmRegistration): true
        case (.registered, .startAuthentication): true
        case (.registered, .startDVS): !isTrust
        case (.registered, .sign): isTrust
        default: false
        }
    }

    @Test(arguments: DialectName.later, states) func obeysTheTable(_ dialect: DialectName, _ state: UserState)
        async throws
    {
        // Where a registration needs a code there is no mail to wait for.
        if dialect != .mfaV2, state == .startedRegistration { return }
        var device = try await PlatformDevice(dialect).ready()
        var user = try await self.user(device, state)
        for call in Call.allCases {
            #expect(user.state == state)
            device.platform.change { $0.isActive = true }
            device.transport.forgetRequests()
            let changes = device.storage.changes
            let mpin = device.mpin
            var failure: MPinError?
            do {
                switch call {
                case .startVerification: _ = try await mpin.startVerification(of: user)
                case .finishVerification: _ = try await mpin.finishVerification(of: user, code: VerificationTests.code)
                case .startRegistration:
                    _ = try await mpin.startRegistration(of: user, activateCode: PlatformDevice.token)
                case .restartRegistration: _ = try await mpin.restartRegistration(of: user)
                case .confirmRegistration: _ = try await mpin.confirmRegistration(of: user)
                case .finishRegistration: _ = try await mpin.finishRegistration(of: user, pin: makePin("1234"))
                case .startAuthentication: try await mpin.startAuthentication(of: user)
                case .finishAuthentication:
                    _ = try await mpin.finishAuthentication(of: user, pin: makePin("1234"), accessCode: accessCode)
                case .finishRegCode: _ = try await mpin.finishAuthenticationRegCode(of: user, pin: makePin("1234"))
                case .startDVS: try await mpin.startRegistrationDVS(of: user, pin: makePin("1234"))
                case .finishDVS: _ = try await mpin.finishRegistrationDVS(of: user, pinDVS: makePin("1234"))
                case .sign:
                    _ = try await mpin.sign(
                        documentHash: MPin.hashDocument([]), as: user, pin: makePin("1234"))
                case .logout: try await mpin.logout(user)
                case .delete: try await mpin.deleteUser(user)
                }
            } catch let error as MPinError { failure = error }
            if Self.succeeds(call, in: state, dialect) {
                #expect(failure == nil, "\(call)")
                if call != .delete {
                    // The call changed something: begin again.
                    device = try await PlatformDevice(dialect).ready()
                    user = try await self.user(device, state)
                }
            } else {
                #expect(failure?.status == .flowError, "\(call)")
                #expect(device.transport.requests.isEmpty && device.storage.changes == changes, "\(call)")
                #expect(try await mpin.user(user.key)?.state ?? .invalid == state, "\(call)")
            }
            guard call == .delete else { continue }
            #expect(try await mpin.user(user.key) == nil)
            #expect(try await device.storage.identities().isEmpty)
        }
    }

    private func user(_ device: PlatformDevice, _ state: UserState) async throws -> User {
        let fresh = await device.mpin.makeNewUser("alice@example.com", deviceName: "kiosk")
        switch state {
        case .invalid: return fresh
        case .startedVerification:
            _ = try await device.mpin.startVerification(of: fresh)
            return try #require(try await device.mpin.user(fresh.key))
        case .startedRegistration: return try await device.mpin.startRegistration(of: fresh, accessCode: accessCode)
        case .activated: return try await device.mpin.startRegistration(of: fresh, activateCode: PlatformDevice.token)
        case .registered: return try await device.register()
        case .blocked:
            let user = try await device.register()
            device.platform.change { $0.failures = 2 }
            try? await device.logIn(user, pin: "9999")
            return try #require(try await device.mpin.user(user.key))
        }
    }
}
