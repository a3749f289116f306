// SPDX-License-Identifier: Apache-2.0

import KioskTestKit
import LoginValues
import MPinClient
import Testing

/// A restart begins a new registration when the old one is gone, and a failure loses nothing.
@Suite struct RestartTests {
    @Test func aForgottenRegistrationIsBegunAnew() async throws {
        let (device, user) = try await Device.with(.startedRegistration)
        let first = try #require(try await device.storage.identities().first)
        device.transport.forgetRequests()
        device.transport.onNext(.put, "/rps/user/*", .status(404))
        let restarted = try await device.mpin.restartRegistration(of: user)
        let requests = device.transport.requests
        #expect(requests.count == 2 && requests[0].url.path.hasPrefix("/rps/user/7b22"))
        #expect(requests[1].url.path == "/rps/user" && object(requests[1])?["regOTT"] == nil)
        #expect(restarted.state == .startedRegistration && restarted.deviceName == "kiosk")
        #expect(restarted.number == user.number)
        let stored = try await device.storage.identities()
        #expect(stored.count == 1 && stored[0].record != first.record)
        device.server.change { $0.isActive = true }
        _ = try await device.mpin.confirmRegistration(of: restarted)
        #expect(try await device.mpin.finishRegistration(of: restarted, pin: makePin("1234")).state == .registered)
    }

    /// An activated registration waits for no mail, and its shares are lost with it.
    @Test func anActivatedRegistrationIsBegunAnew() async throws {
        let (device, user) = try await Device.with(.activated)
        _ = try await device.mpin.confirmRegistration(of: user)
        device.transport.forgetRequests()
        device.server.change { $0.forceActivate = false }
        let restarted = try await device.mpin.restartRegistration(of: user)
        #expect(device.transport.requests.map(\.url.path) == ["/rps/user"])
        #expect(restarted.state == .startedRegistration)
        let error = await #expect(throws: MPinError.self) {
            try await device.mpin.finishRegistration(of: restarted, pin: makePin("1234"))
        }
        #expect(error?.kind == .misuse)
    }

    @Test func aRestartBelongsToTheSessionOfToday() async throws {
        let device = try await Device(.mfaV2).ready()
        let user = try await device.mpin.startRegistration(
            of: await device.mpin.makeNewUser("alice@example.com"), accessCode: accessCode)
        let later = try #require(AccessCode("0123456789abcdef0123456789abcdef"))
        device.transport.forgetRequests()
        device.transport.onNext(.put, "/rps/v2/user/*", .status(404))
        _ = try await device.mpin.restartRegistration(of: user, accessCode: later)
        let sessions = device.transport.requests.map { object($0)?["wid"] as? String }
        #expect(sessions == [text(later), text(later)])
        device.transport.forgetRequests()
        device.transport.onNext(.put, "/rps/v2/user/*", .status(404))
        _ = try await device.mpin.restartRegistration(of: user)
        #expect(device.transport.requests.map { object($0)?["wid"] as? String } == [text(later), nil])
    }

    @Test(arguments: [403, 404, 406, 500]) func aFailureKeepsWhatWas(_ status: Int) async throws {
        let device = try await Device().ready()
        for state in [UserState.startedRegistration, .activated] {
            let user = try await device.user(state, identity: "\(state)@example.com")
            let stored = try await device.storage.identities().map(\.record)
            device.transport.onNext(.put, "/rps/user", .status(status))
            device.transport.onNext(.put, "/rps/user/*", .status(404))
            let error = await #expect(throws: MPinError.self) {
                try await device.mpin.restartRegistration(of: user)
            }
            #expect(error?.httpStatus == status)
            #expect(try await device.mpin.user(user.key) == user)
            #expect(try await device.storage.identities().map(\.record) == stored)
        }
    }

    /// After any other answer of the server the registration is still there.
    @Test func onlyAForgottenRegistrationIsBegunAnew() async throws {
        let (device, user) = try await Device.with(.startedRegistration)
        for status in [302, 400, 403, 406, 410, 500, 503] {
            device.transport.forgetRequests()
            device.transport.onNext(.put, "/rps/user/*", .status(status))
            let error = await #expect(throws: MPinError.self) {
                try await device.mpin.restartRegistration(of: user)
            }
            #expect(error?.httpStatus == status && device.transport.requests.count == 1)
        }
    }
}
