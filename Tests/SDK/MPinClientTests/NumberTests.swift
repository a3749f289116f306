// SPDX-License-Identifier: Apache-2.0

import KioskTestKit
import LoginValues
import MPinClient
import Testing

/// A person keeps the number that the kiosk showed.
@Suite struct NumberTests {
    @Test func isKeptAndNeverGivenAgain() async throws {
        let device = try await Device().ready()
        let alice = try await device.mpin.startRegistration(of: await device.mpin.makeNewUser("alice@example.com"))
        let bob = try await device.mpin.startRegistration(of: await device.mpin.makeNewUser("bob@example.com"))
        #expect(await device.mpin.makeNewUser("carol@example.com").number == nil)
        #expect([alice.number, bob.number] == [1, 2])
        #expect(try await device.mpin.restartRegistration(of: alice).number == 1)
        try await device.mpin.deleteUser(alice)
        #expect(try await device.mpin.users().map(\.number) == [2])
        #expect(try await device.mpin.startRegistration(of: alice).number == 3)
        // Even for a new client on the same store.
        let next = try await device.next()
        #expect(try await next.mpin.users().map(\.number) == [2, 3])
    }

    /// A registration that is not stored has no number, unless its identity is stored.
    @Test(arguments: DialectName.trust) func comesWithTheIdentity(_ generation: DialectName) async throws {
        let device = try await Device(generation).ready()
        let new = await device.mpin.makeNewUser("alice@example.com")
        for number in [nil, 1] {
            var user = try await device.mpin.startRegistration(of: new, activateCode: Device.token)
            #expect(user.number == number)
            user = try await device.mpin.confirmRegistration(of: user)
            user = try await device.mpin.finishRegistration(of: user, pin: makePin("1234"))
            #expect(user.number == 1)
        }
    }
}
