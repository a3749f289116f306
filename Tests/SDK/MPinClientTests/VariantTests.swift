// SPDX-License-Identifier: Apache-2.0

import Foundation
import KioskTestKit
import LoginValues
import MPinClient
import Patience
import Testing

/// The variants of a login's last step: one-time password, authorization code, and no PIN at all.
@Suite struct VariantTests {
    @Test func issuesAOneTimePassword() async throws {
        let (device, user) = try await started()
        let password = try await device.mpin.finishAuthenticationOTP(of: user, pin: makePin("1234"))
        #expect(password.status == .ok && text(password.digits) == "130265" && password.ttlSeconds == 60)
        #expect(password.expires == Expiration(expireTimeSeconds: 1_795_252_437, nowTimeSeconds: 1_795_252_377))
        #expect(password.expires?.timeLeft == .seconds(60))
        let requests = device.transport.requests
        #expect(requests.map(\.url.path) == ["/rps/pass1", "/rps/pass2", "/mpinAuthenticate"])
        #expect(object(requests[1])?["OTP"] as? Bool == true && object(requests[1])?["WID"] as? String == "0")
        // The classic relying party gets the digits, as from every classic client.
        let reply = try #require(device.server.lastReply(to: "/rps/pass2").map(text))
        #expect(requests[2].body.map(text) == #"{"mpinResponse":\#(reply)}"#)
    }

    /// As servers of .NET put it before their replies. The classic relying party gets pass 2's reply within a request.
    @Test func aByteOrderMarkBeforeRepliesIsNotPassedOn() async throws {
        let (device, user) = try await started()
        device.server.change { $0.putsMarks = true }
        _ = try await device.mpin.finishAuthentication(of: user, pin: makePin("1234"))
        let body = try #require(device.transport.requests.last?.body.map(text))
        #expect(body.hasPrefix(#"{"mpinResponse":{"#), "\(body)")
    }

    @Test func aBackendWithoutOneTimePasswordsLogsInAllTheSame() async throws {
        let (device, user) = try await started()
        device.server.change { $0.issuesPasswords = false }
        let password = try await device.mpin.finishAuthenticationOTP(of: user, pin: makePin("1234"))
        #expect(password.status == .flowError)
        #expect(password.digits.count == 0 && password.expires == nil && password.ttlSeconds == 0)
    }

    static let times = #"{"expireTime":1795252437000,"ttlSeconds":60,"nowTime":1795252377000}"#

    @Test(arguments: [
        // Numbers written as texts are accepted.
        (#""130265""#, #"{"expireTime":"1795252437000","ttlSeconds":"60","nowTime":"1795252377000"}"#, Status.ok),
        (#""0000""#, times, .ok), (#""1234567890123456""#, times, .ok), ("null", times, .flowError),
        (#""130265""#, "", .responseParseError), (#""130265""#, "{}", .responseParseError),
        (#""130265""#, #"{"expireTime":0,"ttlSeconds":60,"nowTime":1795252377000}"#, .responseParseError),
        (#""130265""#, #"{"expireTime":1795252437000,"ttlSeconds":0,"nowTime":1}"#, .responseParseError),
        (#""130265""#, #"{"expireTime":1795252437000,"ttlSeconds":60}"#, .responseParseError),
        (#""130265""#, #"{"expireTime":-1,"ttlSeconds":60,"nowTime":1}"#, .responseParseError),
        (#""130265""#, #"{"expireTime":[],"ttlSeconds":60,"nowTime":1}"#, .responseParseError),
        (#""130265""#, #"{"expireTime":1.5,"ttlSeconds":60,"nowTime":1}"#, .responseParseError),
        (#""""#, times, .responseParseError), (#""123""#, times, .responseParseError),
        (#""12345678901234567""#, times, .responseParseError), (#""13026a""#, times, .responseParseError),
        (#""1302\u0036""#, times, .responseParseError), ("130265", times, .responseParseError),
        ("true", times, .responseParseError), ("[]", times, .responseParseError),
    ]) func readsAOneTimePassword(_ digits: String, _ verdict: String, _ status: Status) async throws {
        let (device, user) = try await started()
        let authOTT = String(repeating: "ab", count: 16)
        device.transport.on(.post, "/rps/pass2", .json(#"{"authOTT":"\#(authOTT)","OTP":\#(digits)}"#))
        device.transport.on(.post, "/mpinAuthenticate", .json(verdict))
        let password = try await device.mpin.finishAuthenticationOTP(of: user, pin: makePin("1234"))
        #expect(password.status == status)
        #expect((password.digits.count > 0) == (status == .ok))
        #expect((password.expires != nil) == (status == .ok))
    }

    /// Whatever two replies say: a password has digits and times, or neither.
    @Test func noReplyMakesHalfAPassword() async throws {
        let (device, user) = try await started()
        let seed: UInt64 = 0x07B_2026
        var random = SplitMix64(seed: seed)
        let pieces = [
            "\"", "1", "0", "9999999999999999999", "-", ".", "e", "[", "]", "{", "}", ":", ",", "null", "\\u0031", "\\",
            "\"OTP\":", "\"expireTime\":", "\"nowTime\":1000", "\"ttlSeconds\":60", " ", "\u{E9}",
        ]
        for round in 0..<400 {
            func value() -> String {
                (0..<Int.random(in: 1...3, using: &random)).map { _ in
                    pieces[Int.random(in: 0..<pieces.count, using: &random)]
                }.joined()
            }
            let authOTT = String(repeating: "ab", count: 16)
            let digits = Bool.random(using: &random) ? "\"\(1000 + round)\"" : value()
            device.transport.on(.post, "/rps/pass2", .json(#"{"authOTT":"\#(authOTT)","OTP":\#(digits)}"#))
            device.transport.on(
                .post, "/mpinAuthenticate",
                .json(#"{"expireTime":\#(value()),"nowTime":\#(value()),"ttlSeconds":\#(value())}"#))
            do {
                let password = try await device.mpin.finishAuthenticationOTP(of: user, pin: makePin("1234"))
                let isWhole = password.digits.count >= 4 && password.expires != nil && password.ttlSeconds > 0
                let isEmpty = password.digits.count == 0 && password.expires == nil && password.ttlSeconds == 0
                #expect(password.status == .ok ? isWhole : isEmpty, "seed \(seed), round \(round)")
                try await device.mpin.startAuthentication(of: user)
            } catch let error as MPinError {
                #expect(error.status == .responseParseError, "seed \(seed), round \(round)")
            }
        }
    }

    @Test func givesAnAuthorizationCode() async throws {
        let (device, user) = try await started()
        let code = try await device.mpin.finishAuthenticationMFA(of: user, pin: makePin("1234"))
        #expect(text(code) == "b2c4-authorization")
        let requests = device.transport.requests
        #expect(requests.map(\.url.path) == ["/rps/pass1", "/rps/pass2", "/mpinAuthenticate"])
        #expect(object(requests[1])?["WID"] as? String == "0" && object(requests[1])?["OTP"] as? Bool == false)
        #expect(object(requests[2])?["authzRequest"] as? Bool == true)
    }

    @Test(arguments: [
        "{}", #"{"code":""}"#, #"{"code":null}"#, #"{"code":7}"#, #"{"code":"a b"}"#, #"{"code":"a\u0062"}"#,
        #"{"code":["a"]}"#,
    ]) func saysWhenNoAuthorizationCodeCame(_ reply: String) async throws {
        let (device, user) = try await started()
        device.transport.on(.post, "/mpinAuthenticate", .json(reply))
        let error = await #expect(throws: MPinError.self) {
            try await device.mpin.finishAuthenticationMFA(of: user, pin: makePin("1234"))
        }
        // The login happened: only its code is missing.
        #expect(error?.status == .responseParseError && error?.outcomeIsUnknown == true)
    }

    @Test func anAuthorizationCodeNeedsAClientID() async throws {
        let (device, user) = try await started()
        try await device.mpin.setClientID(nil)
        await expect(.flowError) { try await device.mpin.finishAuthenticationMFA(of: user, pin: makePin("1234")) }
        #expect(device.transport.requests.isEmpty)
        try await device.mpin.setClientID("project1")
        _ = try await device.mpin.finishAuthenticationMFA(of: user, pin: makePin("1234"))
    }

    enum Finish: CaseIterable { case plain, browser, otp, mfa }

    @Test(arguments: Finish.allCases) func aMissingPINCancels(_ finish: Finish) async throws {
        let (device, user) = try await started()
        await expect(.pinInputCanceled) { try await call(finish, device, user, nil) }
        #expect(device.transport.requests.isEmpty)
        // The authentication is still started.
        try await call(finish, device, user, "1234")
    }

    @Test func aMissingNewPINCancels() async throws {
        let (device, user) = try await Device.with(.activated)
        // The state comes first: without shares nobody is asked for a PIN.
        await expect(.flowError) { try await device.mpin.finishRegistration(of: user, pin: nil) }
        _ = try await device.mpin.confirmRegistration(of: user)
        await expect(.pinInputCanceled) { try await device.mpin.finishRegistration(of: user, pin: nil) }
        #expect(try await device.mpin.user(user.key)?.state == .activated)
        // The shares are still there.
        #expect(try await device.mpin.finishRegistration(of: user, pin: makePin("1234")).state == .registered)
    }

    private func call(_ finish: Finish, _ device: Device, _ user: User, _ digits: String?) async throws {
        let mpin = device.mpin
        switch finish {
        case .plain: _ = try await mpin.finishAuthentication(of: user, pin: typedPIN(digits))
        case .browser: _ = try await mpin.finishAuthentication(of: user, pin: typedPIN(digits), accessCode: accessCode)
        case .otp: _ = try await mpin.finishAuthenticationOTP(of: user, pin: typedPIN(digits))
        case .mfa: _ = try await mpin.finishAuthenticationMFA(of: user, pin: typedPIN(digits))
        }
    }

    /// A device with a started login.
    private func started() async throws -> (Device, User) {
        let (device, user) = try await Device.with(.registered)
        try await device.mpin.startAuthentication(of: user)
        device.transport.forgetRequests()
        return (device, user)
    }
}
