// SPDX-License-Identifier: Apache-2.0

import Foundation
import KioskTestKit
import LoginValues
import MPinClient
import MPinCrypto
import Patience
import Testing

/// Answers of a broken or hostile server. Each gives a clear status and never a crash or a request to an untrusted
/// host, and the identity still works afterwards.
@Suite struct HostileReplyTests {
    /// Bodies that are no JSON object. Every endpoint that reads its reply refuses them.
    static let bodies: [(name: String, bytes: [UInt8])] = [
        ("html", Array("<!DOCTYPE html><html><body>Sign in to the hotel network</body></html>".utf8)),
        ("text", Array("OK".utf8)), ("number", Array("42".utf8)), ("true", Array("true".utf8)),
        ("null", Array("null".utf8)), ("string", Array(#""{}""#.utf8)), ("array", Array("[]".utf8)),
        ("array of object", Array(#"[{"y":"00"}]"#.utf8)), ("two objects", Array("{}{}".utf8)),
        ("trailing text", Array("{} x".utf8)), ("trailing comma", Array(#"{"a":1,}"#.utf8)),
        ("leading comma", Array(#"{,"a":1}"#.utf8)), ("no quotes", Array("{a:1}".utf8)),
        ("single quotes", Array("{'a':1}".utf8)), ("comment", Array("{/* */}".utf8)), ("open", Array("{".utf8)),
        ("open string", Array(#"{"a":"#.utf8)), ("cut escape", Array(#"{"a":"\"#.utf8)),
        ("two byte order marks", [0xEF, 0xBB, 0xBF, 0xEF, 0xBB, 0xBF] + Array("{}".utf8)),
        ("utf-16", [0xFF, 0xFE, 0x7B, 0, 0x7D, 0]),
        ("nul", [0]), ("nul before", [0] + Array("{}".utf8)), ("nul behind", Array("{}".utf8) + [0]),
        ("nul in a text", Array("{\"a\":\"".utf8) + [0] + Array("\"}".utf8)),
        ("line end in a text", Array("{\"a\":\"\n\"}".utf8)),
        ("not utf-8", Array("{\"a\":\"".utf8) + [0xC3, 0x28, 0x22, 0x7D]),
        ("overlong utf-8", Array("{\"a\":\"".utf8) + [0xC0, 0xAF, 0x22, 0x7D]),
        ("surrogate in utf-8", Array("{\"a\":\"".utf8) + [0xED, 0xA0, 0x80, 0x22, 0x7D]),
        ("bad escape in a key", Array(#"{"\x":1}"#.utf8)), ("half a surrogate pair", Array(#"{"\ud800":1}"#.utf8)),
        ("nul in a key", Array(#"{"\u0000":1}"#.utf8)), ("leading zero", Array(#"{"a":01}"#.utf8)),
        ("plus", Array(#"{"a":+1}"#.utf8)), ("hex", Array(#"{"a":0x1}"#.utf8)), ("nan", Array(#"{"a":NaN}"#.utf8)),
        ("infinity", Array(#"{"a":Infinity}"#.utf8)), ("bare point", Array(#"{"a":1.}"#.utf8)),
        ("bare exponent", Array(#"{"a":1e}"#.utf8)), ("minus", Array(#"{"a":-}"#.utf8)),
        ("capital", Array(#"{"a":True}"#.utf8)), ("undefined", Array(#"{"a":undefined}"#.utf8)),
        ("key twice", Array(#"{"a":1,"a":2}"#.utf8)), ("key twice, once escaped", Array(#"{"a":1,"\u0061":2}"#.utf8)),
        ("deep arrays", Array(#"{"a":"#.utf8) + [UInt8](repeating: 0x5B, count: 30_000)),
        (
            "deep arrays, closed",
            Array((#"{"a":"# + String(repeating: "[", count: 20) + String(repeating: "]", count: 20) + "}").utf8)
        ),
        ("deep objects", Array(String(repeating: #"{"a":"#, count: 9_000).utf8)),
        ("many members", Array(("{" + (0..<300).map { "\"k\($0)\":0" }.joined(separator: ",") + "}").utf8)),
        ("gzip", [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]), ("too long", [UInt8](repeating: 0x20, count: 64 * 1024 + 1)),
        ("binary", (0..<2000).map { UInt8(truncatingIfNeeded: $0 &* 131) }),
    ]

    /// One of each kind of body, for the dialects since 2018. The JSON reader is the same.
    static let fewBodies: Set<String> = [
        "html", "text", "null", "array", "trailing text", "open string", "two byte order marks", "not utf-8",
        "key twice", "deep arrays", "many members", "binary",
    ]

    /// The required form of each key of each reply. Anything else is refused.
    static let required: [Endpoint: [String]] = [
        .service: ["name", "url", "rps_prefix", "logo_url", "type"],
        .settings: [
            "registerURL", "signatureURL", "certivoxURL", "mpinAuthServerURL", "authenticateURL",
            "mobileAuthenticateURL", "timePermitsURL", "appID",
        ],
        .test: ["registerURL", "signatureURL"],
        .register: ["mpinId", "regOTT", "active"], .restart: ["mpinId", "regOTT", "active"],
        .secretShare1: ["clientSecretShare", "params"], .secretShare2: ["clientSecret"],
        .permitShare1: ["timePermit", "date", "storageId", "signature"], .permitShare2: ["timePermit"],
        .pass1: ["y"], .pass2: ["authOTT"],
        .laterSettings: ["registerURL", "signatureURL", "mpinAuthServerURL", "authenticateURL"],
        .laterRegister: ["mpinId", "regOTT"], .signature: ["clientSecretShare", "cs2url", "curve", "dtas"],
        .share: ["clientSecret"], .registration: ["mpinId", "dtas", "curve", "secretUrls"],
        .secretURL: ["dvsClientSecret"], .laterPass1: ["y"], .laterPass2: ["authOTT"],
        .keyRegistration: ["mpinId", "dvsClientSecretShare", "cs2url", "curve", "dtas"],
        .finishVerification: ["actToken"],
    ]

    /// Values of the wrong type or form for every required key, including texts.
    static let wrongValues: [String] = [
        "1", "-1", "0", "1.5", "1e3", "99999999999999999999", "true", "false", "null", "[]", "[\"a\"]", "{}",
        "{\"a\":\"b\"}", "\"\\ud800\"", "\"\\u0000\"", "\"\\q\"",
    ]

    /// More of them for the lists of the dialects since 2018, whose texts may not be empty.
    static let wrongLists = [
        #""""#, #"["a","b","c"]"#, #"[1,2]"#, #"["https://dta.test/a",7]"#, #"["x","y"]"#,
    ]

    /// Texts that are no hexadecimal number of a length in the protocol.
    static let wrongHex = ["", "0", "zz", "0x04", "04 ", "\u{FF10}4", "\n04", String(repeating: "a", count: 60_000)]

    /// Hexadecimal numbers that are no points: a form of infinity, other lengths, another encoding, off the curve, a
    /// coordinate beyond the field.
    static let wrongPoints = [
        "04", String(repeating: "0", count: 130), "04" + String(repeating: "0", count: 128),
        "04" + String(repeating: "f", count: 128), "02" + String(repeating: "1", count: 64),
        "04" + String(repeating: "1", count: 128), String(repeating: "04", count: 66),
        "00" + String(repeating: "1", count: 128), "04" + String(repeating: "g", count: 128),
    ]

    static let anyLength: Set<String> = ["mpinId", "y"]
    static let hexKeys: Set<String> = [
        "mpinId", "regOTT", "clientSecretShare", "clientSecret", "timePermit", "storageId", "signature", "y", "authOTT",
    ]

    @Test(arguments: Endpoint.allCases) func refusesBodiesThatAreNoObject(_ endpoint: Endpoint) async throws {
        let stage = try await Stage(endpoint)
        #expect(Self.bodies.count >= 50)
        for (name, bytes) in Self.bodies where endpoint.dialect == .milagro || Self.fewBodies.contains(name) {
            stage.reply(bytes)
            let error = try await stage.callFails()
            if endpoint == .project {
                #expect(error?.httpStatus == 404, "\(name)")
            } else if endpoint.isSwallowed || endpoint.ignoresBody && name != "too long" {
                #expect(error == nil, "\(name)")
            } else if name == "too long" {
                #expect(error?.status == .networkError, "\(name)")
            } else {
                #expect(error?.status == .responseParseError, "\(name)")
                #expect(error?.outcomeIsUnknown == endpoint.isFinal, "\(name)")
            }
        }
        try await stage.worksAgain()
    }

    @Test(arguments: required.keys.sorted { $0.rawValue < $1.rawValue })
    func refusesMissingAndWrongValues(_ endpoint: Endpoint) async throws {
        let stage = try await Stage(endpoint)
        let good = try await stage.goodReply()
        let isClassic = endpoint.dialect == .milagro
        func expectRefusal(_ reply: [UInt8], _ comment: String) async throws {
            stage.reply(reply)
            #expect(try await stage.callFails()?.status == .responseParseError, "\(comment)")
        }
        for key in Self.required[endpoint] ?? [] {
            var without = good
            without[key] = nil
            try await expectRefusal(encoded(without), "without \(key)")
            let rest = String(decoding: try encoded(without), as: UTF8.self).dropFirst()
            // Where each try costs a key or a whole login, one value of each kind.
            let isCostly = [.registration, .secretURL, .keyRegistration].contains(endpoint)
            let values = isCostly ? ["1", "null", "[]"] : Self.wrongValues
            for value in values + (isClassic ? [] : Self.wrongLists) {
                if key == "active", ["true", "false"].contains(value) { continue }
                if key == "date", value == "1" { continue }
                let reply = "{\"\(key)\":\(value)\(rest == "}" ? "" : ",")\(rest)"
                try await expectRefusal(Array(reply.utf8), "\(key): \(value)")
            }
            guard isClassic, Self.hexKeys.contains(key) else { continue }
            for value in Self.wrongHex + (Self.anyLength.contains(key) ? [] : Self.wrongPoints) {
                var changed = good
                changed[key] = value
                try await expectRefusal(encoded(changed), "\(key): \(value.prefix(20))")
            }
        }
        try await stage.worksAgain()
    }

    /// Seeded damage to good replies. Each gives one of the statuses, and no untrusted host is asked.
    @Test(arguments: Endpoint.later) func survivesDamage(_ endpoint: Endpoint) async throws {
        let seed: UInt64 = 0xDA_4A_2026
        var random = SplitMix64(seed: seed)
        var stage = try await Stage(endpoint)
        let good = try encoded(try await stage.goodReply())
        let pieces = [
            "\"", "{", "}", "[", "]", ",", ":", "null", "0", "\\u0000", "https://evil.test/", "04", "#", "é", "true",
        ]
        for round in 0..<25 {
            var bytes = good
            for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                case 1: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...9, using: &random)))
                case 2:
                    bytes.insert(contentsOf: pieces[Int.random(in: 0..<pieces.count, using: &random)].utf8, at: place)
                default: bytes.removeLast(min(bytes.count, Int.random(in: 1...40, using: &random)))
                }
            }
            stage.reply(bytes)
            let error = try await stage.callFails()
            #expect(error?.status != .cryptoError && error?.status != .storageError, "seed \(seed), round \(round)")
            stage.expectTrustedHosts("seed \(seed), round \(round)")
            // The damage may have made it a wrong PIN's answer: begin with a new device.
            if try await stage.device.mpin.user(stage.user.key)?.state == .blocked { stage = try await Stage(endpoint) }
        }
    }

    // MARK: Addresses

    /// Addresses that a backend must not name, and why.
    static let evil: [(String, TrustPolicy.Refusal)] =
        [
            "https://evil.test/x", "https://rps.test.evil.test/x", "https://evil.test:443/rps.test/",
            "https://rps.test:8443/x", "wss://evil.test/x", "https://[::1]/x", "https://127.0.0.1/x",
            "https://169.254.169.254/latest/", "https://xn--rps-test.evil.test/",
        ].map { ($0, .notListed) } + [
            ("http://rps.test/x", .notHTTPS), ("ws://rps.test/x", .notHTTPS),
            // A service of its own on the same trust list.
            ("https://other.test/x/", .anotherService),
        ]

    static let malformed = [
        "https://rps.test@evil.test/x", "https://evil.test\\@rps.test/x", "javascript:alert(1)", "file:///etc/passwd",
        "https://rps.test/x#y", "https://rps.test/ x", "https:///x", "rps.test/x", "ftp://rps.test/",
        "https://rps..test/", "https://rps.test:99999/", "https://2130706433/", "https://0x7f.1/",
        "https://rps.test/\u{E9}",
    ]

    /// Each address in the client settings.
    @Test(arguments: [
        ("registerURL", Endpoint.register), ("signatureURL", .secretShare1), ("certivoxURL", .secretShare2),
        ("timePermitsURL", .permitShare1), ("certivoxURL", .permitShare2), ("mpinAuthServerURL", .pass1),
        ("mobileAuthenticateURL", .browserSession), ("authenticateURL", .relyingParty),
        ("codeStatusURL", .sessionDetails), ("codeStatusURL", .abort),
    ]) func settingsCannotLeadTheClientAstray(_ key: String, _ endpoint: Endpoint) async throws {
        let stage = try await Stage(endpoint)
        for (value, refusal) in Self.evil {
            stage.device.server.tell([key: key == "certivoxURL" && !value.hasSuffix("/") ? value + "/" : value])
            try await stage.device.setBackend()
            if endpoint.isOfLogin { try await stage.device.mpin.startAuthentication(of: stage.user) }
            let error = try await stage.callFails()
            #expect(error?.status == .untrustedDomainError && error?.kind == .untrustedHost(refusal), "\(value)")
            #expect(error?.outcomeIsUnknown == false)
        }
        for value in Self.malformed {
            stage.device.server.tell([key: value])
            await expect(.responseParseError, for: "\(value)") { try await stage.device.setBackend() }
        }
        stage.expectTrustedHosts()
        #expect(!stage.transport.requests.contains { $0.url.origin.host == "other.test" })
    }

    @Test(arguments: ["https://evil.test/storage", "https://other.test"])
    func passesOverAnotherHostsPermitStorage(_ address: String) async throws {
        let stage = try await Stage(.permitShare2)
        stage.device.server.tell(["timePermitsStorageURL": address])
        try await stage.device.setBackend()
        try await stage.device.mpin.startAuthentication(of: stage.user)
        #expect(stage.transport.requests.allSatisfy { ["rps.test", "dta.test"].contains($0.url.origin.host) })
        #expect(stage.transport.requests.last?.url.path == "/dta/timePermit")
    }

    @Test(arguments: [
        "https://evil.test/x", "http://dta.test/x", "https://dta.test:8443/x", "https://dta.test.evil.test/x",
        "https://127.0.0.1/x", "https://other.test/x",
    ]) func asksNoUntrustedHostForAShare(_ url: String) async throws {
        for endpoint in [Endpoint.registration, .signature, .keyRegistration] {
            let stage = try await Stage(endpoint)
            var reply = try await stage.goodReply()
            if endpoint == .registration { reply["secretUrls"] = [url, url] } else { reply["cs2url"] = url }
            stage.reply(try encoded(reply))
            var error = try await stage.callFails()
            // The addresses in a registration are used later.
            if endpoint == .registration {
                #expect(error == nil)
                error = try await failure { try await stage.device.mpin.confirmRegistration(of: stage.user) }
            }
            #expect(error?.status == .untrustedDomainError, "\(endpoint)")
            stage.expectTrustedHosts()
            #expect(!stage.transport.requests.contains { $0.url.origin.host == "other.test" })
        }
    }

    // MARK: Values

    @Test(arguments: [
        (Endpoint.registration, "curve", "BLS381"), (.registration, "projectId", "project2"),
        (.signature, "curve", "bn254cx"), (.keyRegistration, "curve", "BN254"), (.registration, "pinLength", "four"),
        (.laterRegister, "pinLength", ""),
    ]) func refusesAnotherCurveAndAnotherProject(_ endpoint: Endpoint, _ key: String, _ value: String) async throws {
        let stage = try await Stage(endpoint)
        var reply = try await stage.goodReply()
        reply[key] = value
        stage.reply(try encoded(reply))
        #expect(try await stage.callFails()?.status == .responseParseError)
    }

    @Test(arguments: [
        "x#y", "a b", "\u{E9}", "a\"b", "a\\b", String(repeating: "a", count: 2100), "a\r\nHost: evil.test",
    ])
    func refusesParametersThatAreNoQuery(_ params: String) async throws {
        let stage = try await Stage(.secretShare1)
        var reply = try await stage.goodReply()
        reply["params"] = params
        stage.reply(try encoded(reply))
        #expect(try await stage.callFails()?.status == .responseParseError)
        #expect(stage.transport.requests.allSatisfy { $0.url.path != "/dta/clientSecret" })
    }

    @Test func parametersCannotChangeTheHost() async throws {
        let stage = try await Stage(.secretShare1)
        var reply = try await stage.goodReply()
        reply["params"] = "@evil.test/?x=//evil.test"
        stage.reply(try encoded(reply))
        _ = try await stage.callFails()
        let last = try #require(stage.transport.requests.last)
        #expect(last.url.origin.host == "dta.test" && last.url.path == "/dta/clientSecret")
    }

    @Test func refusesSharesThatCancelOut() async throws {
        let stage = try await Stage(.secretShare1)
        let share = try #require(try await stage.goodReply()["clientSecretShare"] as? String)
        // The negative of a point has the other y: p - y.
        let negative = "04" + share.dropFirst(2).prefix(64) + subtractFromP(String(share.suffix(64)))
        stage.transport.on(.get, "/dta/clientSecret", json(["clientSecret": negative]))
        stage.reply(try encoded(["clientSecretShare": share, "params": "a=b"]))
        let error = try await stage.callFails()
        #expect(error?.status == .responseParseError && error?.kind == .registrationGone)
    }

    @Test func refusesAnotherIdentitysPermit() async throws {
        let stage = try await Stage(.permitShare1)
        var reply = try await stage.goodReply()
        reply["storageId"] = String(repeating: "ab", count: 32)
        stage.reply(try encoded(reply))
        #expect(try await stage.callFails()?.status == .responseParseError)
    }

    @Test(arguments: ["0", "-1", "2147483648", "4294967296", "20778.0", "2e4", "\"20778\""])
    func refusesMalformedDays(_ day: String) async throws {
        let stage = try await Stage(.permitShare1)
        var reply = try await stage.goodReply()
        reply["date"] = nil
        let rest = String(decoding: try encoded(reply), as: UTF8.self).dropFirst()
        stage.reply(Array("{\"date\":\(day),\(rest)".utf8))
        #expect(try await stage.callFails()?.status == .responseParseError)
    }

    @Test(arguments: [
        "00", String(repeating: "0", count: 64), "0", String(repeating: "1", count: 66), "-1", "g0",
        // The order of the group, which is 0 modulo itself.
        "2400000008702a0db0bddf647a6366d2c43fd6ee0cc906cebe11c0a636eb1f6d",
    ]) func refusesMalformedChallenges(_ y: String) async throws {
        let stage = try await Stage(.pass1)
        stage.reply(try encoded(["y": y]))
        #expect(try await stage.callFails()?.status == .responseParseError)
        #expect(stage.transport.requests.last?.url.path == "/rps/pass1")
    }

    @Test func takesAShortChallenge() async throws {
        let stage = try await Stage(.pass1)
        stage.reply(try encoded(["y": "05"]))
        _ = try await stage.callFails()
        #expect(stage.transport.requests.map(\.url.path).contains("/rps/pass2"))
    }

    private func subtractFromP(_ y: String) -> String {
        let p = bytes("2400000008702a0db0bddf647a6366d3243fd6ee18093ee1be6623ef5c1b55b3")
        var borrow = 0
        var result = p
        for (index, byte) in bytes(y).enumerated().reversed() {
            let difference = Int(p[index]) - Int(byte) - borrow
            borrow = difference < 0 ? 1 : 0
            result[index] = UInt8(truncatingIfNeeded: difference)
        }
        return hex(result)
    }
}
