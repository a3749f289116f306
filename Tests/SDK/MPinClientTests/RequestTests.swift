// SPDX-License-Identifier: Apache-2.0

import KioskTestKit
import LoginValues
import MPinClient
import Testing

/// The exact bytes of requests without random parts.
@Suite struct RequestTests {
    @Test func writesRegistrations() async throws {
        let device = try await Device().ready()
        var user = await device.mpin.makeNewUser("zo\u{EB}\"\\\u{1}@x.test", deviceName: "front door")
        user = try await device.mpin.startRegistration(
            of: user, activateCode: SecretBytes(copying: "12\"3".utf8), userData: "a\nb", accessCode: accessCode)
        let start = try #require(device.transport.requests.last)
        #expect(start.method == .put && start.url.absoluteText == "https://rps.test/rps/user")
        #expect(start.deadline == .seconds(10))
        #expect(
            start.body.map(text) == #"{"userId":"zo"# + "\u{EB}"
                + #"\"\\\u0001@x.test","mobile":1,"deviceName":"front door","#
                + #""userData":"a\u000ab","activateCode":"12\"3"}"#)
        _ = try await device.mpin.restartRegistration(of: user, userData: "")
        let restart = try #require(device.transport.requests.last)
        #expect(restart.url.path.hasPrefix("/rps/user/7b22"))
        let regOTT = try #require(object(restart)?["regOTT"] as? String)
        #expect(regOTT.count == 32)
        #expect(
            restart.body.map(text) == #"{"userId":"zo"# + "\u{EB}"
                + #"\"\\\u0001@x.test","mobile":1,"deviceName":"front door","#
                + #""regOTT":"\#(regOTT)"}"#)
    }

    @Test(arguments: [
        (nil, ""), ("", ""), ("apns:0aF-._~", "&pmiToken=apns%3A0aF-._~"),
        ("a b&c=\u{E9}/+%#?", "&pmiToken=a%20b%26c%3D%C3%A9%2F%2B%25%23%3F"),
    ]) func writesPushIdentifiers(_ identifier: String?, _ query: String) async throws {
        let device = try await Device().ready()
        let user = try await device.mpin.startRegistration(
            of: await device.mpin.makeNewUser("alice@example.com"), pushIdentifier: identifier)
        // The classic server gets it with the confirmation.
        let start = try #require(device.transport.requests.last)
        #expect(start.body.map(text) == #"{"userId":"alice@example.com","mobile":1}"#)
        device.server.change { $0.isActive = true }
        _ = try await device.mpin.confirmRegistration(of: user, pushIdentifier: identifier)
        let confirm = try #require(device.transport.requests.first { $0.url.path.hasPrefix("/rps/signature/") })
        #expect(confirm.url.query?.wholeMatch(of: /regOTT=[0-9a-f]{32}(.*)/).map { String($0.1) } == query)
    }

    /// Pass 2 and the `authenticate` request each get a new connection.
    @Test func saysWhatCountsOnce() async throws {
        let (device, user) = try await Device.with(.registered)
        try await device.mpin.startAuthentication(of: user, accessCode: accessCode)
        device.transport.forgetRequests()
        _ = try await device.mpin.finishAuthentication(of: user, pin: makePin("1234"), accessCode: accessCode)
        #expect(
            device.transport.requests.map { "\($0.url.path) \($0.isRepeatable)" } == [
                "/rps/pass1 true", "/rps/pass2 false", "/rps/authenticate false",
            ])
    }

    /// Two attempts with the same random number would reveal the secret to a server that saw both.
    @Test func eachTryHasPointsOfItsOwn() async throws {
        let (device, user) = try await Device.with(.registered)
        try await device.mpin.startAuthentication(of: user)
        device.transport.forgetRequests()
        for pin in ["1111", "2222"] {
            let error = await #expect(throws: MPinError.self) {
                try await device.mpin.finishAuthentication(of: user, pin: makePin(pin))
            }
            #expect(error?.kind == .wrongPIN)
        }
        _ = try await device.mpin.finishAuthentication(of: user, pin: makePin("1234"))
        let sent = device.transport.requests.filter { $0.url.absoluteText.hasSuffix("/pass1") }.map { object($0) }
        #expect(sent.count == 3)
        #expect(Set(sent.map { $0?["U"] as? String }).count == 3)
        #expect(Set(sent.map { $0?["UT"] as? String }).count == 3)
    }

    @Test func refusesAPushIdentifierThatIsTooLong() async throws {
        let (device, user) = try await Device.with(.startedRegistration)
        let long = String(repeating: "a", count: 257)
        for call in [
            { try await device.mpin.confirmRegistration(of: user, pushIdentifier: long) },
            {
                try await device.mpin.startRegistration(
                    of: await device.mpin.makeNewUser("bob@example.com"), pushIdentifier: long)
            },
        ] {
            await expect(.flowError) { _ = try await call() }
        }
        #expect(device.transport.requests.isEmpty)
    }

    @Test func writesSessionCalls() async throws {
        let device = try await Device().ready()
        _ = try await device.mpin.sessionDetails(for: accessCode)
        #expect(
            device.transport.requests.last?.body.map(text)
                == #"{"status":"wid","wid":"7a65de7b2ea743e795255dfe7baa1c05"}"#)
        try await device.mpin.abortSession(accessCode)
        #expect(
            device.transport.requests.last?.body.map(text)
                == #"{"status":"abort","wid":"7a65de7b2ea743e795255dfe7baa1c05"}"#)
        let user = try await device.user(.registered)
        try await device.mpin.startAuthentication(of: user, accessCode: accessCode)
        #expect(
            device.transport.requests.first?.body.map(text)
                == #"{"status":"user","wid":"7a65de7b2ea743e795255dfe7baa1c05","userId":"alice@example.com"}"#)
        #expect(
            device.transport.requests.map(\.url.path.description).map {
                $0.split(separator: "/").prefix(2).joined(separator: "/")
            }
                == ["rps/codeStatus", "rps/timePermit", "storage/app1", "dta/timePermit"])
    }

    @Test func writesAuthentications() async throws {
        let (device, user) = try await Device.with(.registered)
        try await device.mpin.startAuthentication(of: user)
        device.transport.forgetRequests()
        _ = try await device.mpin.finishAuthentication(of: user, pin: makePin("1234"), accessCode: accessCode)
        let requests = device.transport.requests
        #expect(
            requests.map(\.url.absoluteText) == ["pass1", "pass2", "authenticate"].map { "https://rps.test/rps/\($0)" })
        #expect(requests.map(\.deadline) == [.seconds(10), .seconds(10), .seconds(30)])
        let bodies = requests.compactMap { $0.body.map(text) }
        #expect(
            bodies[0].wholeMatch(
                of: /\{"pass":1,"mpin_id":"7b22[0-9a-f]*","UT":"04[0-9a-f]{128}","U":"04[0-9a-f]{128}"\}/) != nil)
        #expect(
            bodies[1].wholeMatch(
                of:
                    /\{"pass":2,"mpin_id":"7b22[0-9a-f]*","V":"04[0-9a-f]{128}","WID":"7a65de7b2ea743e795255dfe7baa1c05","OTP":false\}/
            )
                != nil)
        let authOTT = try #require(device.server.lastReply(to: "/rps/pass2").map(text))
        #expect(bodies[2] == #"{"mpinResponse":\#(authOTT)}"#)
    }

    @Test func takesAPermitFromStorageAndFromItsCache() async throws {
        let (device, user) = try await Device.with(.registered)
        device.server.change { $0.storedPermit = true }
        device.transport.forgetRequests()
        try await device.mpin.startAuthentication(of: user)
        let paths = device.transport.requests.map(\.url.path)
        #expect(paths.count == 2 && paths[1].hasPrefix("/storage/app1/20778/"))
        _ = try await device.mpin.finishAuthentication(of: user, pin: makePin("1234"))
        // The cache outlives the client.
        let second = try await device.next()
        try await second.mpin.startAuthentication(of: user)
        #expect(device.transport.requests.count == 1)
        _ = try await second.mpin.finishAuthentication(of: user, pin: makePin("1234"))
    }

    @Test func sendsItsHeaders() async throws {
        let device = try Device()
        try await device.mpin.initialize()
        try await device.setBackend()
        _ = try await device.mpin.sessionDetails(for: accessCode)
        let identity = [
            HTTPHeader("X-MIRACL-CID", "project1"), HTTPHeader("X-MIRACL-Client-ID", "project1"),
            HTTPHeader("X-MIRACL-OS-Class", "linux"), HTTPHeader("X-MIRACL-CLIENT", "login-kiosk/1.2.3"),
        ]
        let requests = device.transport.requests
        #expect(requests[0].headers == identity)
        #expect(
            requests[1].headers == [
                HTTPHeader("Content-Type", "application/json; charset=UTF-8"), HTTPHeader("Accept", "text/plain"),
            ] + identity)
    }

    @Test(arguments: [
        ("https://rps.test", "rps", "https://rps.test/rps/clientSettings"),
        ("https://rps.test///", "/rps/", "https://rps.test/rps/clientSettings"),
        ("https://rps.test/a/", "rps/v2", "https://rps.test/a/rps/v2/clientSettings"),
        ("https://rps.test", "", "https://rps.test/clientSettings"),
    ]) func asksForSettings(_ backend: String, _ prefix: String, _ url: String) async throws {
        let device = try Device()
        try await device.mpin.initialize()
        device.transport.on(.get, "*", .status(500))
        _ = try? await device.mpin.testBackend(try WebAddress(backend), rpsPrefix: prefix)
        #expect(device.transport.requests.last?.url.absoluteText == url)
    }

    @Test(arguments: ["../x", "a/../b", "a?b", "a#b", "a b", "..", "a//b", String(repeating: "a", count: 200)])
    func refusesAPrefixThatClimbs(_ prefix: String) async throws {
        let device = try Device()
        try await device.mpin.initialize()
        await expect(.flowError) {
            try await device.mpin.setBackend(try WebAddress("https://rps.test"), rpsPrefix: prefix)
        }
        #expect(device.transport.requests.isEmpty)
    }
}
