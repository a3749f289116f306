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
        let device = try await PlatformDevice(generation).ready()
        let user = try await device.register()
        let isTrust = device.platform.isTrust
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
            #"\{"scope":\["oidc"\],"mpin_id":"\#(user.mpinID)","dtas":"\#(NSRegularExpression.escapedPattern(for: ScriptedPlatform.dtas))","U":"\#(Self.point)"\#(key)\}"#
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

    @Test(arguments: DialectName.later) func outlivesTheClient(_ generation: DialectName) async throws {
        let first = try await PlatformDevice(generation).ready()
        let user = try await first.register()
        let second = try await PlatformDevice(first.platform, storage: first.storage).ready()
        #expect(try await second.mpin.users() == [user])
        try await second.logIn(user)
    }

    @Test(arguments: DialectName.later) func theServerCountsWrongPINs(_ generation: DialectName) async throws {
        let device = try await PlatformDevice(generation).ready()
        let user = try await device.register()
        for attempt in 1...3 {
            let error = await #expect(throws: MPinError.self) { try await device.logIn(user, pin: "9999") }
            #expect(error?.status == .incorrectPIN, "\(attempt)")
            #expect(try await device.mpin.user(user.key)?.state == (attempt < 3 ? .registered : .blocked))
        }
        // Sealed as before, and of no use: BlockedTests.
        let known = try #require(try await device.mpin.user(user.key))
        #expect(known.isRevoked && known.blockedUntil != nil)
    }

    @Test func makesOneTimePasswords() async throws {
        let device = try await PlatformDevice(.mfaV2).ready()
        let user = try await device.register()
        try await device.mpin.startAuthenticationOTP(of: user)
        #expect(device.transport.requests.isEmpty)
        let password = try await device.mpin.finishAuthenticationOTP(of: user, pin: makePin("1234"))
        #expect(password.status == .ok && text(password.digits) == "130265" && password.ttlSeconds == 60)
        #expect(password.expires == Expiration(expireTimeSeconds: 1_795_252_437, nowTimeSeconds: 1_795_252_377))
        #expect(object(device.transport.requests[0])?["scope"] as? [String] == ["otp"])
        #expect(object(device.transport.requests[1])?["WID"] as? String == "0")
    }

    @Test(arguments: DialectName.later) func makesRegistrationCodes(_ generation: DialectName) async throws {
        let device = try await PlatformDevice(generation).ready()
        let user = try await device.register()
        try await device.mpin.startAuthenticationRegCode(of: user)
        let code = try await device.mpin.finishAuthenticationRegCode(of: user, pin: makePin("1234"))
        #expect(code.status == .ok && text(code.digits) == ScriptedPlatform.quickCode && code.ttlSeconds == 60)
        #expect(code.expires == Expiration(expireTimeSeconds: 1_795_252_437, nowTimeSeconds: 1_795_252_377))
        #expect(object(device.transport.requests[0])?["scope"] as? [String] == ["reg-code"])
        guard device.platform.isTrust else { return }
        #expect(object(device.transport.requests[1])?["WID"] == nil)
        #expect(device.paths.last == "/verification/quickcode")
        #expect(
            device.bodies.last
                == #"{"projectId":"project1","jwt":"\#(ScriptedPlatform.jwt)","deviceName":"kiosk"}"#)
        // Which enrols another device.
        let other = try await PlatformDevice(device.platform).ready()
        _ = try await other.mpin.startRegistration(
            of: await other.mpin.makeNewUser("alice@example.com"), activateCode: code.digits)
    }

    @Test func aDeviceMayBeRefusedCodes() async throws {
        let platform = try await PlatformDevice(.mfaV2).ready()
        let user = try await platform.register()
        try await platform.mpin.startAuthenticationRegCode(of: user)
        platform.platform.refuse("/rps/v2/authenticate", 403)
        let error = await #expect(throws: MPinError.self) {
            try await platform.mpin.finishAuthenticationRegCode(of: user, pin: makePin("1234"))
        }
        #expect(error?.status == .operationNotAllowed)
        // For any other login the same answer means the person.
        let login = await #expect(throws: MPinError.self) { try await platform.logIn(user) }
        #expect(login?.status == .identityNotAuthorized)
        for path in ["/rps/v2/authenticate", "/verification/quickcode"] {
            let device = try await PlatformDevice(.trust2025).ready()
            let user = try await device.register()
            try await device.mpin.startAuthenticationRegCode(of: user)
            device.platform.refuse(path, 403, #"{"error":"LIMITED_QUICKCODE_GENERATION","info":""}"#)
            let error = await #expect(throws: MPinError.self) {
                try await device.mpin.finishAuthenticationRegCode(of: user, pin: makePin("1234"))
            }
            #expect(error?.status == .operationNotAllowed)
            #expect(error?.refusal == ServerRefusal(.limitedQuickCodeGeneration))
        }
    }

    @Test(arguments: DialectName.trust) func givesStatements(_ generation: DialectName) async throws {
        let device = try await PlatformDevice(generation).ready()
        let user = try await device.register()
        try await device.mpin.startAuthentication(of: user)
        let jwt = try await device.mpin.finishAuthenticationJWT(of: user, pin: makePin("1234"))
        #expect(text(jwt) == ScriptedPlatform.jwt)
        #expect(object(device.transport.requests[0])?["scope"] as? [String] == ["jwt"])
        #expect(device.paths == ["/rps/v2/pass1", "/rps/v2/pass2", "/rps/v2/authenticate"])
        try await device.mpin.startAuthentication(of: user)
        device.transport.on(.post, "/rps/v2/authenticate", .json(#"{"status":200}"#))
        let error = await #expect(throws: MPinError.self) {
            try await device.mpin.finishAuthenticationJWT(of: user, pin: makePin("1234"))
        }
        #expect(error?.status == .responseParseError && error?.outcomeIsUnknown == true)
    }

    @Test(arguments: [true, false]) func givesAuthorizationCodes(_ hasSession: Bool) async throws {
        let device = try await PlatformDevice(.mfaV2).ready()
        let user = try await device.register()
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
        let device = try PlatformDevice(.mfaV2)
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
            let error = await #expect(throws: MPinError.self, "\(reply)") {
                try await device.mpin.accessCode(fromAuthorizationURL: url)
            }
            #expect(error?.status == .responseParseError)
        }
        device.transport.forgetRequests()
        let evil = await #expect(throws: MPinError.self) {
            try await device.mpin.accessCode(fromAuthorizationURL: try WebAddress("https://evil.test/authorize"))
        }
        #expect(evil?.status == .untrustedDomainError && device.transport.requests.isEmpty)
    }

    enum Variant: String, CaseIterable { case plain, otp, mfa, regCode, jwt, startOTP, startRegCode, startDVS, sign }

    static func isThere(_ variant: Variant, in dialect: DialectName) -> Bool {
        switch (variant, dialect) {
        case (.plain, .mfaV2), (.otp, .mfaV2), (.mfa, .mfaV2), (.startOTP, .mfaV2), (.startDVS, .mfaV2): true
        case (.regCode, _), (.startRegCode, _): true
        case (.jwt, .trust2023), (.jwt, .trust2025), (.sign, .trust2023), (.sign, .trust2025): true
        default: false
        }
    }

    @Test(arguments: DialectName.later, Variant.allCases)
    func whatADialectDoesNotHaveIsAFlowError(_ dialect: DialectName, _ variant: Variant) async throws {
        let device = try await PlatformDevice(dialect).ready()
        let user = try await device.register()
        try await device.mpin.startAuthentication(of: user)
        let mpin = device.mpin
        var failure: MPinError?
        do {
            switch variant {
            case .plain: _ = try await mpin.finishAuthentication(of: user, pin: makePin("1234"))
            case .otp: _ = try await mpin.finishAuthenticationOTP(of: user, pin: makePin("1234"))
            case .mfa: _ = try await mpin.finishAuthenticationMFA(of: user, pin: makePin("1234"))
            case .regCode: _ = try await mpin.finishAuthenticationRegCode(of: user, pin: makePin("1234"))
            case .jwt: _ = try await mpin.finishAuthenticationJWT(of: user, pin: makePin("1234"))
            case .startOTP: try await mpin.startAuthenticationOTP(of: user)
            case .startRegCode: try await mpin.startAuthenticationRegCode(of: user)
            case .startDVS: try await mpin.startRegistrationDVS(of: user, pin: makePin("1234"))
            case .sign:
                _ = try await mpin.sign(documentHash: [UInt8](repeating: 1, count: 32), as: user, pin: makePin("1234"))
            }
        } catch let error as MPinError { failure = error }
        if Self.isThere(variant, in: dialect) {
            #expect(failure == nil)
        } else {
            #expect(failure?.status == .flowError && device.transport.requests.isEmpty)
        }
    }
}
