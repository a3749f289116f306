// SPDX-License-Identifier: Apache-2.0

import Foundation
import KioskTestKit
import LoginValues
import MPinClient
import Patience
import Testing

/// Answers of a broken or hostile platform. Each gives a clear status and never a crash or a request to an untrusted
/// host, and the identity still works.
@Suite struct PlatformHostileTests {
    /// The required form of each key of each reply. Anything else is refused.
    static let required: [PlatformEndpoint: [String]] = [
        .settings: ["registerURL", "signatureURL", "mpinAuthServerURL", "authenticateURL"],
        .register: ["mpinId", "regOTT"], .signature: ["clientSecretShare", "cs2url", "curve", "dtas"],
        .share: ["clientSecret"], .registration: ["mpinId", "dtas", "curve", "secretUrls"],
        .secretURL: ["dvsClientSecret"], .pass1: ["y"], .pass2: ["authOTT"],
        .keyRegistration: ["mpinId", "dvsClientSecretShare", "cs2url", "curve", "dtas"],
        .finishVerification: ["actToken"],
    ]

    /// One of each kind of body that is no object. The tests of the JSON reader cover others.
    static let bodies: Set<String> = [
        "html", "text", "null", "array", "trailing text", "open string", "two byte order marks", "not utf-8",
        "key twice",
        "deep arrays", "many members", "binary",
    ]

    static let wrong = [
        "1", "-1", "1.5", "true", "[]", "{}", "null", #""""#, #""\ud800""#, #""\u0000""#, #"["a","b","c"]"#, #"["a"]"#,
        #"[1,2]"#, #"["https://dta.test/a",7]"#, #"["x","y"]"#,
    ]

    @Test(arguments: required.keys.sorted { $0.rawValue < $1.rawValue })
    func refusesMissingAndWrongValues(_ endpoint: PlatformEndpoint) async throws {
        let good = try await goodReply(endpoint)
        let stage = try await PlatformStage(endpoint)
        for key in Self.required[endpoint] ?? [] {
            var rest = good
            rest[key] = nil
            stage.reply(try encoded(rest))
            #expect(try await stage.callFails()?.status == .responseParseError, "without \(key)")
            let others = String(decoding: try encoded(rest), as: UTF8.self).dropFirst()
            // Where each try costs a key or a whole login, one value of each kind.
            let isCostly = [.registration, .secretURL, .keyRegistration].contains(endpoint)
            for value in isCostly ? ["1", "null", #""""#, "[]", #"["x","y"]"#] : Self.wrong {
                stage.reply(Array("{\"\(key)\":\(value)\(others == "}" ? "" : ",")\(others)".utf8))
                #expect(try await stage.callFails()?.status == .responseParseError, "\(key): \(value)")
            }
        }
    }

    @Test(arguments: PlatformEndpoint.allCases) func refusesBodiesThatAreNoObject(_ endpoint: PlatformEndpoint)
        async throws
    {
        let stage = try await PlatformStage(endpoint)
        for (name, bytes) in HostileReplyTests.bodies where Self.bodies.contains(name) {
            stage.reply(bytes)
            let error = try await stage.callFails()
            if endpoint == .project {
                #expect(error?.httpStatus == 404, "\(name)")
            } else if endpoint == .handIn {
                // The client ignores this body.
                #expect(error == nil, "\(name)")
            } else {
                #expect(error?.status == .responseParseError, "\(name)")
                #expect(error?.outcomeIsUnknown == endpoint.isFinal, "\(name)")
            }
        }
    }

    /// Seeded damage to good replies. Each gives one of the statuses, and the identity still logs in.
    @Test(arguments: PlatformEndpoint.allCases) func survivesDamage(_ endpoint: PlatformEndpoint) async throws {
        let seed: UInt64 = 0xDA_4A_2026
        var random = SplitMix64(seed: seed)
        let good = try encoded(try await goodReply(endpoint))
        var stage = try await PlatformStage(endpoint)
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
            let trusted = Device.trust()
            #expect(
                stage.device.transport.requests.allSatisfy { trusted.allows($0.url.origin) },
                "seed \(seed), round \(round)")
            // The damage may have made it a wrong PIN's answer: begin with a new device.
            if try await stage.device.mpin.user(stage.user.key)?.state == .blocked {
                stage = try await PlatformStage(endpoint)
            }
        }
    }

    @Test(arguments: [
        "https://evil.test/x", "http://dta.test/x", "https://dta.test:8443/x", "https://dta.test.evil.test/x",
        "https://127.0.0.1/x", "https://other.test/x",
    ]) func goesNowhereItMustNot(_ url: String) async throws {
        for endpoint in [PlatformEndpoint.registration, .signature, .keyRegistration] {
            var reply = try await goodReply(endpoint)
            if endpoint == .registration { reply["secretUrls"] = [url, url] } else { reply["cs2url"] = url }
            let stage = try await PlatformStage(endpoint)
            stage.reply(try encoded(reply))
            var error = try await stage.callFails()
            // The addresses in a registration are used later.
            if endpoint == .registration {
                #expect(error == nil)
                error = await #expect(throws: MPinError.self) {
                    try await stage.device.mpin.confirmRegistration(of: stage.user)
                }
            }
            #expect(error?.status == .untrustedDomainError, "\(endpoint)")
            let trusted = Device.trust()
            #expect(
                stage.device.transport.requests.allSatisfy {
                    trusted.allows($0.url.origin) && $0.url.origin.host != "other.test"
                })
        }
    }

    @Test func refusesAnotherCurveAndAnotherProject() async throws {
        for (endpoint, key, value) in [
            (PlatformEndpoint.registration, "curve", "BLS381"), (.registration, "projectId", "project2"),
            (.signature, "curve", "bn254cx"), (.keyRegistration, "curve", "BN254"),
            (.registration, "pinLength", "four"),
            (.register, "pinLength", ""),
        ] {
            var reply = try await goodReply(endpoint)
            reply[key] = value
            let stage = try await PlatformStage(endpoint)
            stage.reply(try encoded(reply))
            #expect(try await stage.callFails()?.status == .responseParseError, "\(endpoint) \(key)")
        }
    }

    private func encoded(_ object: [String: Any]) throws -> [UInt8] {
        Array(try JSONSerialization.data(withJSONObject: object, options: [.withoutEscapingSlashes]))
    }

    /// The scripted platform's regular answer.
    private func goodReply(_ endpoint: PlatformEndpoint) async throws -> [String: Any] {
        let stage = try await PlatformStage(endpoint)
        #expect(try await stage.callFails() == nil)
        let body = text(try #require(stage.device.platform.lastReply(to: endpoint.path)))
        guard !body.isEmpty else { return [:] }
        return try JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any] ?? [:]
    }
}
