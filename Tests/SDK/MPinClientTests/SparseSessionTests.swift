// SPDX-License-Identifier: Apache-2.0

import KioskTestKit
import LoginValues
import MPinClient
import Testing

/// The newest clients of today's platform read neither a project's name and logo, nor the length of a PIN and the
/// kind of identity, so a session may omit them.
@Suite struct SparseSessionTests {
    @Test(arguments: DialectName.trust) func isEnoughToRegisterAndLogIn(_ generation: DialectName) async throws {
        let device = try await PlatformDevice(generation).ready()
        device.platform.change { ($0.saysLittle, $0.pinLength) = (true, nil) }
        let mpin = device.mpin
        let session = try await mpin.sessionDetails(for: accessCode)
        #expect(session.prerollID == "alice@example.com" && session.projectID == ScriptedPlatform.projectID)
        #expect(session.appName.isEmpty && session.appIconURL.isEmpty && session.description.isEmpty)
        #expect(session.pinLength == nil && session.identityType == .email)
        #expect(session.verificationMethod == .standardEmail && !session.isSigningSession)

        // The person chooses the number of digits, which then stays the same.
        var user = await mpin.makeNewUser(session.prerollID)
        user = try await mpin.startRegistration(of: user, activateCode: PlatformDevice.token)
        #expect(user.pinLength == nil)
        user = try await mpin.confirmRegistration(of: user)
        user = try await mpin.finishRegistration(of: user, pin: makePin("25836"))
        #expect(user.pinLength == 5)
        try await device.logIn(user, pin: "25836")
        let error = await #expect(throws: MPinError.self) { try await device.logIn(user, pin: "2583") }
        #expect(error?.kind == .pinLength(5))
    }
}
