// SPDX-License-Identifier: Apache-2.0

import KioskTestKit
import LoginValues
import MPinClient
import Testing

/// Ending a browser session from the device that logged it in.
@Suite struct LogoutTests {
    @Test func endsTheSessionOnce() async throws {
        let device = try await Device().ready()
        let mpin = device.mpin
        let user = try await device.user(.registered)
        #expect(await !mpin.canLogout(user))
        try await expectFlowError(mpin, user)
        #expect(try await logIn(device, user).canLogout)
        #expect(await mpin.canLogout(user))
        device.transport.forgetRequests()
        try await mpin.logout(user)
        let request = try #require(device.transport.requests.first)
        #expect(request.method == .post && request.url.absoluteText == "https://rps.test/logout")
        #expect(request.body.map(text) == #"{"sessionToken":"abc"}"#)
        #expect(await !mpin.canLogout(user))
        try await expectFlowError(mpin, user)
        #expect(device.transport.requests.count == 1)
    }

    @Test func aFailedLogoutMayBeTriedAgain() async throws {
        let (device, user) = try await Device.with(.registered)
        _ = try await logIn(device, user)
        device.transport.on(.post, "/logout", .status(404), .status(201), .status(200))
        for status in [Status.httpRequestError, .responseParseError] {
            let error = await #expect(throws: MPinError.self) { try await device.mpin.logout(user) }
            #expect(error?.status == status)
            #expect(await device.mpin.canLogout(user))
        }
        try await device.mpin.logout(user)
        #expect(await !device.mpin.canLogout(user))
    }

    /// The relying party's data are sent back byte by byte, whatever JSON they are.
    @Test(arguments: [
        #"{"b":1.50,"a":["ö",null]}"#, #""text\u0041""#, "[1, 2]", "17", "true", #"{ }"#,
    ]) func sendsTheDataBackAsTheyCame(_ data: String) async throws {
        let (device, user) = try await Device.with(.registered)
        _ = try await logIn(device, user, reply: #"{"logoutURL":"/bye?x=1","logoutData": \#(data) }"#)
        try await device.mpin.logout(user)
        let request = try #require(device.transport.requests.last)
        #expect(request.body.map(text) == data)
        #expect(request.url.absoluteText == "https://rps.test/bye?x=1")
    }

    @Test(arguments: [
        #"{}"#, #"{"logoutURL":"/logout"}"#, #"{"logoutData":{}}"#, #"{"logoutURL":"","logoutData":{}}"#,
        #"{"logoutURL":"/logout","logoutData":null}"#, #"{"logoutURL":"logout","logoutData":{}}"#,
        #"{"logoutURL":"/a b","logoutData":{}}"#, #"{"logoutURL":"javascript:x","logoutData":{}}"#,
        #"{"logoutURL":"/x#y","logoutData":{}}"#,
    ]) func aLoginThatCannotBeEndedIsStillALogin(_ reply: String) async throws {
        let (device, user) = try await Device.with(.registered)
        // An older session's data do not outlive the newer one.
        _ = try await logIn(device, user)
        #expect(try await logIn(device, user, reply: reply).canLogout == false)
        #expect(await !device.mpin.canLogout(user))
        try await expectFlowError(device.mpin, user)
    }

    @Test func anAbsoluteAddressIsCheckedLikeAnyOther() async throws {
        let (device, user) = try await Device.with(.registered)
        _ = try await logIn(device, user, reply: #"{"logoutURL":"https://login.test/bye","logoutData":{}}"#)
        device.transport.on(.post, "/bye", .status(200))
        try await device.mpin.logout(user)
        #expect(device.transport.requests.last?.url.absoluteText == "https://login.test/bye")

        _ = try await logIn(device, user, reply: #"{"logoutURL":"https://evil.test/bye","logoutData":{}}"#)
        device.transport.forgetRequests()
        await expect(.untrustedDomainError) { try await device.mpin.logout(user) }
        #expect(device.transport.requests.isEmpty)
    }

    @Test func onlyABrowserSessionCanBeEnded() async throws {
        let (device, user) = try await Device.with(.registered)
        try await device.mpin.startAuthentication(of: user)
        let result = try await device.mpin.finishAuthentication(of: user, pin: makePin("1234"))
        // The reply contains these keys, which mean nothing in this dialect.
        #expect(text(result.resultData).contains("logoutURL") && !result.canLogout)
        #expect(await !device.mpin.canLogout(user))
    }

    @Test func belongsToOneIdentityAndGoesWithIt() async throws {
        let (device, alice) = try await Device.with(.registered)
        let bob = try await device.user(.registered, identity: "bob@example.com")
        _ = try await logIn(device, alice)
        #expect(await !device.mpin.canLogout(bob))
        try await device.mpin.deleteUser(alice)
        #expect(await !device.mpin.canLogout(alice))
        // Another client does not know it either.
        _ = try await logIn(device, bob)
        let other = try await device.next()
        #expect(await !other.mpin.canLogout(bob))
    }

    private func logIn(_ device: Device, _ user: User, reply: String? = nil) async throws -> AuthenticationResult {
        device.server.install()
        if let reply { device.transport.on(.post, "/rps/authenticate", .json(reply)) }
        device.transport.on(.post, "/bye", .status(200))
        try await device.mpin.startAuthentication(of: user)
        return try await device.mpin.finishAuthentication(of: user, pin: makePin("1234"), accessCode: accessCode)
    }

    private func expectFlowError(_ mpin: MPin, _ user: User) async throws {
        await expect(.flowError) { try await mpin.logout(user) }
    }
}
