// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import KioskTestKit
import LoginValues
import MPinClient
import Testing

@testable import MPinServer
@testable import ReferenceBackend

/// The SDK's client changes a PIN at this backend in every dialect. Whatever happens, exactly the PIN that the call
/// reported works afterwards.
@Suite struct ChangePINFlowTests {
    @Test(arguments: DialectFlow.dialects) func changesThePIN(_ dialect: Dialect) async throws {
        try await withClient(dialect) { kiosk in
            let user = try await kiosk.register()
            let wrong = try await kiosk.changeFailure(user, from: "9999")
            #expect(wrong?.status == .incorrectPIN && wrong?.httpStatus == 401)
            try await kiosk.expectPIN("1234", not: "4321", of: user)
            #expect(try await kiosk.changeFailure(user) == nil)
            try await kiosk.expectPIN("4321", not: "1234", of: user)
            // Only the PIN has changed.
            #expect(try await kiosk.mpin.user(user.key) == user)
            #expect(try await kiosk.stored(user)?.mpinID == user.mpinID)
            // A wrong old PIN counts as in a login, and the third one blocks.
            for httpStatus in [401, 401, 410] {
                let error = try await kiosk.changeFailure(user, from: "9999", to: "2583")
                #expect(error?.status == .incorrectPIN && error?.httpStatus == httpStatus)
                kiosk.backend.clock.letDelaysPass()
            }
            try await kiosk.expectBlocked(user)
        }
    }

    /// The server gives its verdict, and the device does not get it.
    @Test(arguments: DialectFlow.dialects) func doesNotHearTheAnswer(_ dialect: Dialect) async throws {
        try await withClient(dialect) { kiosk in
            let user = try await kiosk.registerAnew()
            // A time permit is stored with the identity.
            try await kiosk.logIn(user)
            for step in kiosk.steps where step != "timePermit" {
                let before = try await kiosk.storage.identities()
                kiosk.network.loseReply(to: step)
                let error = try await kiosk.changeFailure(user)
                kiosk.network.restore()
                #expect(error?.status == .networkError && error?.outcomeIsUnknown == (step != "pass1"), "\(step)")
                #expect(try await kiosk.storage.identities() == before, "\(step)")
                try await kiosk.expectPIN("1234", not: "4321", of: user)
            }
        }
    }

    /// A proxy sends the replies of other requests, or a reply twice. This makes no wrong PIN right, and no second
    /// PIN work.
    @Test(arguments: DialectFlow.dialects, ConfusedProxy.Fault.allCases)
    func isNotConfused(_ dialect: Dialect, _ fault: ConfusedProxy.Fault) async throws {
        try await withConfusedClient(dialect) { kiosk, proxy in
            let user = try await kiosk.registerAnew()
            let task = try await ConfusedTask("change, wrong PIN", proxy, isExpectedToFail: true) {
                try await kiosk.change(user, from: "9999", to: "5555")
            }
            var pins = ["1234", "4321"]
            for (index, request) in task.requests.enumerated() {
                try await kiosk.forgetFailures(user)
                let isChanged = try await task.succeeds(despite: fault, at: index, proxy)
                #expect(!isChanged, "\(fault) at \(request)")
                try await kiosk.forgetFailures(user)
                proxy.obey(fault, at: index)
                let error = try await kiosk.changeFailure(user, from: pins[0], to: pins[1])
                proxy.obey(nil)
                if error == nil { pins.swapAt(0, 1) }
                // The fault may have made it a wrong PIN, after which the backend waits before it answers.
                kiosk.backend.clock.letDelaysPass()
                // One more attempt discovers the connection with an additional reply.
                _ = try await kiosk.failure(user, pin: pins[0])
                try await kiosk.expectPIN(pins[0], not: pins[1], of: user)
            }
        }
    }
}

extension OwnClient {
    func change(_ user: User, from old: String = "1234", to new: String = "4321") async throws {
        try await mpin.startAuthentication(of: user)
        _ = try await mpin.changePIN(of: user, from: newPIN(old), to: newPIN(new))
    }

    /// The error of a change of the PIN; nil for a success.
    func changeFailure(_ user: User, from old: String = "1234", to new: String = "4321") async throws -> MPinError? {
        do {
            try await change(user, from: old, to: new)
            return nil
        } catch let error as MPinError { return error }
    }

    /// Expects that only one of two PINs works.
    func expectPIN(_ pin: String, not other: String, of user: User) async throws {
        backend.clock.letDelaysPass()
        #expect(try await failure(user, pin: other)?.status == .incorrectPIN, "\(other) works")
        backend.clock.letDelaysPass()
        #expect(try await failure(user, pin: pin) == nil, "\(pin) does not work")
        #expect(try await stored(user)?.state == .registered)
    }
}
