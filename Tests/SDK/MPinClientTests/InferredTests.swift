// SPDX-License-Identifier: Apache-2.0

import Encoding
import KioskTestKit
import LoginValues
import Testing

@testable import MPinClient

/// Undocumented forms are accepted in every likely spelling, and handled in one place.
@Suite struct InferredTests {
    @Test(arguments: ["OTP", "otp", "regCode", "code"], [true, false])
    func takesDigitsUnderAnyName(_ key: String, _ isMilliseconds: Bool) throws {
        let unit = isMilliseconds ? "000" : ""
        let object = try JSONObject(
            #"{"\#(key)":"314159","expireTime":1795252437\#(unit),"nowTime":1795252377\#(unit),"ttlSeconds":60}"#)
        let password = try #require(OneTimePassword(platform: object))
        #expect(password.status == .ok && text(password.digits) == "314159")
        #expect(password.expires == Expiration(expireTimeSeconds: 1_795_252_437, nowTimeSeconds: 1_795_252_377))
    }

    @Test(arguments: [
        (#"{"code":"314159","expireTime":1795252437,"ttlSeconds":60}"#, Int64(1_795_252_377), Int64(60)),
        (#"{"code":"314159","expireTime":1795252437,"nowTime":1795252427}"#, 1_795_252_427, 10),
        (#"{"code":"314159","expireTime":"2026-11-21T09:53:57Z","ttlSeconds":"60"}"#, 1_795_254_777, 60),
    ]) func timesFollowFromEachOther(_ reply: String, _ now: Int64, _ life: Int64) throws {
        let password = try #require(OneTimePassword(platform: JSONObject(reply)))
        #expect(password.status == .ok && password.ttlSeconds == life)
        #expect(password.expires?.nowTimeSeconds == now && password.expires?.expireTimeSeconds == now + life)
    }

    @Test(arguments: [
        #"{"code":"314159"}"#, #"{"code":"314159","expireTime":1795252437}"#, #"{"code":"314159","ttlSeconds":60}"#,
        #"{"code":"314159","expireTime":0,"ttlSeconds":60}"#, #"{"code":"314159","expireTime":30,"ttlSeconds":60}"#,
        #"{"code":"314159","expireTime":1795252437,"ttlSeconds":0}"#,
        #"{"code":"abc","expireTime":1795252437,"ttlSeconds":60}"#,
        #"{"code":"","expireTime":1795252437,"ttlSeconds":60}"#,
        #"{"code":314159,"expireTime":1795252437,"ttlSeconds":60}"#,
        #"{"code":"314159","expireTime":-9223372036854775808,"ttlSeconds":9223372036854775807}"#,
    ]) func halfACodeIsNone(_ reply: String) throws {
        let password = try #require(OneTimePassword(platform: JSONObject(reply)))
        #expect(password.status == .responseParseError && password.digits.count == 0 && password.expires == nil)
        #expect(OneTimePassword(platform: try JSONObject("{}")) == nil)
    }

    @Test func tellsSecondsFromMilliseconds() {
        #expect(
            Inferred.seconds(1_795_252_437) == 1_795_252_437 && Inferred.seconds(1_795_252_437_999) == 1_795_252_437)
        #expect(
            Inferred.seconds(100_000_000_000) == 100_000_000_000 && Inferred.seconds(100_000_000_001) == 100_000_000)
    }

    @Test(arguments: [
        ("314159", true), ("0", true), ("1234567890", true), ("12345678901", false), ("31415a", false),
        ("c0ffee", false),
    ]) func tellsACodeFromAToken(_ code: String, _ isCode: Bool) {
        #expect(Inferred.isRegistrationCode(SecretBytes(copying: code.utf8)) == isCode)
    }

    static let details: [(String, any KeyPath<SessionDetails, String> & Sendable, String)] = [
        (#"{"prerollId":"a"}"#, \.prerollID, "a"), (#"{"PrerollId":"a"}"#, \.prerollID, "a"),
        (#"{"appName":"a"}"#, \.appName, "a"), (#"{"AppName":"a"}"#, \.appName, "a"),
        (#"{"projectName":"a"}"#, \.appName, "a"), (#"{"appLogoURL":"a"}"#, \.appIconURL, "a"),
        (#"{"AppLogoUrl":"a"}"#, \.appIconURL, "a"), (#"{"projectLogoURL":"a"}"#, \.appIconURL, "a"),
        (#"{"customerId":"a"}"#, \.customerID, "a"), (#"{"customerName":"a"}"#, \.customerName, "a"),
        (#"{"customerLogoURL":"a"}"#, \.customerIconURL, "a"), (#"{"clientId":"a"}"#, \.clientID, "a"),
        (#"{"client_id":"a"}"#, \.clientID, "a"), (#"{"redirectURI":"a"}"#, \.redirectURI, "a"),
        (#"{"redirect_uri":"a"}"#, \.redirectURI, "a"), (#"{"redirectUri":"a"}"#, \.redirectURI, "a"),
        (#"{"projectId":"a"}"#, \.projectID, "a"), (#"{"verificationURL":"a"}"#, \.verificationURL, "a"),
        (#"{"verificationCustomText":"a"}"#, \.verificationCustomText, "a"),
        (#"{"identityTypeLabel":"a"}"#, \.identityTypeLabel, "a"), (#"{"description":"a"}"#, \.description, "a"),
        (#"{"hash":""}"#, \.hash, ""), (#"{"hash":null}"#, \.hash, ""),
        (#"{"hash":"\#(String(repeating: "AB", count: 32))"}"#, \.hash, String(repeating: "ab", count: 32)),
    ]

    @Test(arguments: details.indices) func readsEveryKeyOfASession(_ index: Int) throws {
        let (reply, path, value) = Self.details[index]
        let details = try SessionDetails(JSONObject(reply))
        #expect(details[keyPath: path] == value)
    }

    @Test func readsTheRestOfASession() throws {
        let all = try SessionDetails(
            JSONObject(
                #"{"registerOnly":true,"pinLength":5,"verificationMethod":"fullCustom","identityType":"alphanumeric","enableRegistrationCode":true,"limitRegCodeVerified":true}"#
            ))
        #expect(all.registerOnly && all.pinLength == 5 && all.enableRegistrationCode && all.limitRegCodeVerified)
        #expect(all.verificationMethod == .fullCustom && all.identityType == .alphanumeric && !all.isSigningSession)
        let other = try SessionDetails(
            JSONObject(#"{"register_only":"true","pinLength":9,"verificationMethod":"dance"}"#))
        #expect(other.registerOnly && other.pinLength == 6 && other.verificationMethod == .standardEmail)
        let elsewhere = try SessionDetails(
            JSONObject(#"{"browserLocation":"other","browserRefused":true,"codeExpired":true}"#))
        #expect(elsewhere.browserLocation == .other && elsewhere.isBrowserRefused && elsewhere.isCodeExpired)
        let unheard = try SessionDetails(
            JSONObject(#"{"browserLocation":"moon"}"#))
        #expect(unheard.browserLocation == .unknown && !unheard.isBrowserRefused && !unheard.isCodeExpired)
        // A server that does not say vouches for nobody, in any spelling of the name.
        for name in ["prerollId", "PrerollId"] {
            for (proof, isVerified) in [
                ("", false), (#","userVerified":false"#, false), (#","userVerified":true"#, true),
            ] {
                let named = try SessionDetails(
                    JSONObject("{\"\(name)\":\"alice@example.com\"\(proof)}"))
                #expect(named.prerollID == "alice@example.com" && named.isUserVerified == isVerified)
            }
        }
        let none = try SessionDetails(JSONObject("{}"))
        #expect(none == SessionDetails())
        for reply in [#"{"hash":"ab"}"#, #"{"hash":7}"#, #"{"description":7}"#, #"{"prerollId":[]}"#] {
            #expect(throws: JSONError.self) { try SessionDetails(JSONObject(reply)) }
        }
    }

    /// Today's wall clock is after this was written, and a number of seconds.
    @Test func readsTheClock() {
        #expect((1_760_000_000...4_000_000_000).contains(WallClock.seconds()))
    }
}

extension JSONObject {
    init(_ text: String) throws(JSONError) { try self.init(SecretBytes(copying: text.utf8)) }
}
