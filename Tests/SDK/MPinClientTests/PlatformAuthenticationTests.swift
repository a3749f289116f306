// SPDX-License-Identifier: Apache-2.0

import Foundation
import KioskTestKit
import LoginValues
import MPinClient
import Testing

/// Logins in the dialects since 2018: the exact bytes of requests without random parts, and the replies.
@Suite struct PlatformAuthenticationTests {
    static let point = "04[0-9a-f]{128}"

    @Test(arguments: DialectName.later) func writesALogin(_ generation: DialectName) async throws {
        let (device, user) = try await Device.with(.registered, generation)
        let isTrust = device.server.isTrust
        try await device.logIn(user)
        #expect(
            device.transport.requests.map(\.url.absoluteText)
                == ["codeStatus", "pass1", "pass2", "authenticate"].map { "https://rps.test/rps/v2/\($0)" })
        #expect(device.transport.requests.map(\.deadline) == [.seconds(10), .seconds(10), .seconds(10), .seconds(30)])
        #expect(device.transport.requests.suffix(3).map(\.isRepeatable) == [true, false, false])
        let bodies = device.bodies
        let code = text(accessCode)
        #expect(bodies[0] == #"{"status":"user","wid":"\#(code)","userId":"alice@example.com"}"#)
        let key = isTrust ? #","publicKey":"[0-9a-f]{256}""# : #","UT":"""#
        let pass1 = try Regex(
            #"\{"scope":\["oidc"\],"mpin_id":"\#(user.mpinID)","dtas":"\#(NSRegularExpression.escapedPattern(for: ScriptedServer.dtas))","U":"\#(Self.point)"\#(key)\}"#
        )
        #expect(bodies[1].wholeMatch(of: pass1) != nil, "\(bodies[1])")
        let pass2 = try Regex(#"\{"mpin_id":"\#(user.mpinID)","V":"\#(Self.point)","WID":"\#(code)"\}"#)
        #expect(bodies[2].wholeMatch(of: pass2) != nil)
        let end = isTrust ? #","wam":"dvs"}"# : "}"
        #expect(bodies[3].wholeMatch(of: try Regex(#"\{"authOTT":"auth-[0-9a-f]{32}"\#(end)"#)) != nil)
        let names = device.transport.requests[1].headers.map(\.name)
        #expect(
            names
                == (isTrust
                    ? ["Content-Type", "X-MIRACL-CID", "X-MIRACL-CLIENT"]
                    : ["Content-Type", "Accept", "X-MIRACL-CID", "X-MIRACL-OS-Class", "X-MIRACL-CLIENT"]))
    }

    @Test func makesOneTimePasswords() async throws {
        let (device, user) = try await Device.with(.registered, .mfaV2)
        try await device.mpin.startAuthenticationOTP(of: user)
        #expect(device.transport.requests.isEmpty)
        let password = try await device.mpin.finishAuthenticationOTP(of: user, pin: makePin("1234"))
        #expect(password.status == .ok && text(password.digits) == "130265" && password.ttlSeconds == 60)
        #expect(password.expires == Expiration(expireTimeSeconds: 1_795_252_437, nowTimeSeconds: 1_795_252_377))
        #expect(object(device.transport.requests[0])?["scope"] as? [String] == ["otp"])
        #expect(object(device.transport.requests[1])?["WID"] as? String == "0")
    }

    @Test(arguments: DialectName.later) func makesRegistrationCodes(_ generation: DialectName) async throws {
        let (device, user) = try await Device.with(.registered, generation)
        try await device.mpin.startAuthenticationRegCode(of: user)
        let code = try await device.mpin.finishAuthenticationRegCode(of: user, pin: makePin("1234"))
        #expect(code.status == .ok && text(code.digits) == ScriptedServer.registrationCode && code.ttlSeconds == 60)
        #expect(code.expires == Expiration(expireTimeSeconds: 1_795_252_437, nowTimeSeconds: 1_795_252_377))
        #expect(object(device.transport.requests[0])?["scope"] as? [String] == ["reg-code"])
        guard device.server.isTrust else { return }
        #expect(object(device.transport.requests[1])?["WID"] == nil)
        #expect(device.paths.last == "/verification/quickcode")
        #expect(
            device.bodies.last
                == #"{"projectId":"project1","jwt":"\#(ScriptedServer.jwt)","deviceName":"kiosk"}"#)
    }

    @Test func aDeviceMayBeRefusedCodes() async throws {
        let (platform, user) = try await Device.with(.registered, .mfaV2)
        try await platform.mpin.startAuthenticationRegCode(of: user)
        platform.server.refuse("/rps/v2/authenticate", 403)
        await expect(.operationNotAllowed) {
            try await platform.mpin.finishAuthenticationRegCode(of: user, pin: makePin("1234"))
        }
        // For any other login the same answer means the person.
        await expect(.identityNotAuthorized) { try await platform.logIn(user) }
        for path in ["/rps/v2/authenticate", "/verification/quickcode"] {
            let (device, user) = try await Device.with(.registered, .trust2025)
            try await device.mpin.startAuthenticationRegCode(of: user)
            device.server.refuse(path, 403, #"{"error":"LIMITED_QUICKCODE_GENERATION","info":""}"#)
            let error = await expect(.operationNotAllowed) {
                try await device.mpin.finishAuthenticationRegCode(of: user, pin: makePin("1234"))
            }
            #expect(error?.refusal == .limitedQuickCodeGeneration)
        }
    }

    @Test(arguments: DialectName.trust) func givesStatements(_ generation: DialectName) async throws {
        let (device, user) = try await Device.with(.registered, generation)
        try await device.mpin.startAuthentication(of: user)
        let jwt = try await device.mpin.finishAuthenticationJWT(of: user, pin: makePin("1234"))
        #expect(text(jwt) == ScriptedServer.jwt)
        #expect(object(device.transport.requests[0])?["scope"] as? [String] == ["jwt"])
        #expect(device.paths == ["/rps/v2/pass1", "/rps/v2/pass2", "/rps/v2/authenticate"])
        try await device.mpin.startAuthentication(of: user)
        device.transport.on(.post, "/rps/v2/authenticate", .json(#"{"status":200}"#))
        let error = await expect(.responseParseError) {
            try await device.mpin.finishAuthenticationJWT(of: user, pin: makePin("1234"))
        }
        #expect(error?.outcomeIsUnknown == true)
    }

    @Test(arguments: [true, false]) func givesAuthorizationCodes(_ hasSession: Bool) async throws {
        let (device, user) = try await Device.with(.registered, .mfaV2)
        let session = hasSession ? accessCode : nil
        try await device.mpin.startAuthentication(of: user, accessCode: session)
        device.transport.forgetRequests()
        let code = try await device.mpin.finishAuthenticationMFA(of: user, pin: makePin("1234"), accessCode: session)
        #expect(text(code) == "b2c4-authorization")
        #expect(object(device.transport.requests[1])?["WID"] as? String == (hasSession ? text(accessCode) : "0"))
        #expect(device.bodies.last?.hasSuffix(#","authzRequest":true}"#) == true)
    }

    /// A session that the application began itself, in the dialects with client settings.
    @Test func findsAnAccessCodeByAnAuthorizationURL() async throws {
        let device = try Device(.mfaV2)
        try await device.mpin.initialize()
        device.transport.on(
            .post, "/authorize", .json(#"{"webOTT":"x","qrURL":"https://a.test/#old#7a65de7b","accessURL":"y"}"#))
        let url = try WebAddress(
            "https://rps.test/authorize?client_id=c&redirect_uri=https%3A%2F%2Frp.test%2Flogin&state=s")
        let code = try await device.mpin.accessCode(fromAuthorizationURL: url)
        #expect(text(code) == "7a65de7b")
        let request = try #require(device.transport.requests.last)
        #expect(request.url == url && request.body.map(text) == "{}")
        #expect(request.headers.contains(HTTPHeader("X-MIRACL-CID", "project1")))
        for reply in [
            "{}", #"{"qrURL":""}"#, #"{"qrURL":"https://a.test/"}"#, #"{"qrURL":"https://a.test/#"}"#, "<html>",
        ] {
            device.transport.on(.post, "/authorize", .json(reply))
            await expect(.responseParseError, for: "\(reply)") {
                try await device.mpin.accessCode(fromAuthorizationURL: url)
            }
        }
        device.transport.forgetRequests()
        await expect(.untrustedDomainError) {
            try await device.mpin.accessCode(fromAuthorizationURL: try WebAddress("https://evil.test/authorize"))
        }
        #expect(device.transport.requests.isEmpty)
    }

    /// The table of states and `ResultFlowTests` have the other results.
    @Test(arguments: DialectName.later)
    func aDialectWithoutTheResultIsAFlowError(_ dialect: DialectName) async throws {
        let (device, user) = try await Device.with(.registered, dialect)
        let mpin = device.mpin
        try await mpin.startAuthentication(of: user)
        if device.server.isTrust {
            await expect(.flowError) { try await mpin.finishAuthentication(of: user, pin: makePin("1234")) }
            await expect(.flowError) { try await mpin.finishAuthenticationOTP(of: user, pin: makePin("1234")) }
            await expect(.flowError) { try await mpin.finishAuthenticationMFA(of: user, pin: makePin("1234")) }
        } else {
            await expect(.flowError) { try await mpin.finishAuthenticationJWT(of: user, pin: makePin("1234")) }
        }
        #expect(device.transport.requests.isEmpty)
    }
}
