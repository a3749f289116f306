// SPDX-License-Identifier: Apache-2.0

import Foundation
import Patience
import PictureTestKit
import Testing

/// The operator's errors: a name, an exit code, and advice.
@Suite("Operators' commands that fail", .fewAtATime)
struct OperatorTroubleTests {
    private static let user = OperatorStage.user

    @Test("Wrong PINs block, a revoked identity is reported, and both can be registered again")
    func refusedIdentities() async throws {
        let stage = try await OperatorStage(.trust2025)
        try await stage.enroll(pin: "7391").expect(0)
        // A PIN of another length is wrong in any case, so the server is not asked and does not count it.
        try await stage.run("registration-code", "--user", Self.user, lines: ["739154"]).expect(
            65, "the PIN has 4 digits here")
        for status: Int32 in [80, 80, 81, 81] {
            try await stage.run("registration-code", "--user", Self.user, lines: ["7392"]).expect(status)
        }
        let list = try await stage.run("identities", "list")
        #expect(list.output.contains("blocked"), "\(list)")
        try await stage.enroll(pin: "7391").expect(0)
        let document = try stage.scratch.write("Nothing.", to: "document")
        // The service wants another document signed.
        let server = PageServer { _ in
            .init(
                headers: ["Content-Type: application/json"],
                body: Array(#"{"hash":"\#(String(repeating: "0", count: 64))","timestamp":1,"authToken":"t"}"#.utf8))
        }
        let site = String(server.address().dropLast())
        try await Program("login-kiosk").run(
            ["trust", "add", String(site.dropFirst("http://".count))] + stage.scratch.places
        ).expect(0)
        for format in [["--json"], []] {
            let other = try await stage.run(
                "sign", "--user", Self.user, "--document", document, "--application", site, with: format,
                lines: ["7391"])
            #expect(other.status == 76 && !"\(other)".contains("(CRYPTO_ERROR)"), "\(other)")
            #expect(format.isEmpty || other.outcome == "documentDiffers", "\(other)")
            #expect(!other.output.contains("status"), "\(other)")
        }
        try await stage.backend("revoke", Self.user)
        try await stage.run(
            "sign", "--user", Self.user, "--document", document, "--json", lines: ["7391"]
        ).expect(82, outcome: "revoked")
    }

    /// Finders of a copied card would try PINs that are easy to guess.
    @Test func aFleetTakesNoWeakPIN() async throws {
        let stage = try await OperatorStage(.trust2023)
        let key = try stage.scratch.write([UInt8](repeating: 7, count: 32), to: "fleet.key", mode: 0o600)
        let fleet = ["LOGIN_KIOSK_FLEET_KEY_FILE": key, "LOGIN_KIOSK_POLICY_WEAK_PINS": "warn"]
        try await stage.enroll(pin: "1234", environment: fleet).expect(90, "easy to guess")
    }

    @Test("The policy on PINs applies to operators too")
    func policy() async throws {
        let stage = try await OperatorStage(.trust2023)
        let refuse = ["LOGIN_KIOSK_POLICY_WEAK_PINS": "refuse"]
        try await stage.enroll(pin: "1234", environment: refuse).expect(90, "easy to guess")
        // The verification is used up.
        let used = try await stage.run(
            "enroll", "--backend", stage.site, "--user", Self.user, lines: [try await stage.mailedLink(), "7391"]
        ).expect(77)
        // The wait doubles with each mail, so that a slow machine reaches it as well.
        for format in [["--json"], []] {
            var soon = used
            for _ in 0..<8 where soon.status != 75 {
                soon = try await stage.run(
                    "enroll", "--backend", stage.site, "--user", Self.user, "--send-again", with: format)
            }
            #expect(soon.status == 75, "\(soon)")
            #expect(
                soon.outcome == "mailTooSoon" || soon.errors.contains("hint: wait until then, or give the link"),
                "\(soon)")
        }
    }

    @Test("A user at two services needs a choice, and an unknown one is reported")
    func names() async throws {
        let (one, two) = (try await OperatorStage(.trust2025), try await OperatorStage(.trust2025))
        try await Program("login-kiosk").run(
            ["trust", "add", String(two.site.dropFirst("http://".count))] + one.scratch.places
        ).expect(0)
        for stage in [one, two] {
            try await one.run("enroll", "--backend", stage.site, "--user", Self.user).expect(88)
        }
        try await one.run("identities", "show", "--user", Self.user).expect(
            64, "hint: name one of them: --backend", two.service.host)
        try await one.run("identities", "show", "--user", Self.user, "--backend", two.site).expect(
            0, output: "state: startedVerification")
        try await one.run("registration-code", "--user", Self.user, "--backend", two.site).expect(
            88, "hint: go on with it")
        try await one.run("otp", "--user", "bob@example.com").expect(67, "hint: see who is")
        try await one.run("enroll", "--backend", "http://127.0.0.2:1", "--user", Self.user).expect(78, "trust add")
    }

    @Test(
        "Invalid input is refused before any request",
        arguments: [
            ["otp"], ["enroll", "--user", "a@b.org"],
            ["enroll", "--user", "a@b.org", "--backend", "login.example.com"],
            ["enroll", "--user", "a@b.org", "--qr", "--backend", "https://a.org"], ["sign", "--user", "a@b.org"],
            ["sign", "--document", "/dev/null"], ["sign", "--user", "a@b.org", "--qr", "--hash"],
            ["identities", "show"], ["identities", "delete", "--user", "a@b.org"],
        ])
    func usage(_ arguments: [String]) async throws {
        let scratch = try Scratch()
        let run = try await Program("login-kiosk").run(arguments + scratch.places)
        #expect(run.status == 64 && run.output.isEmpty && !run.errors.isEmpty, "\(run)")
        #expect(!FileManager.default.fileExists(atPath: scratch.path("kiosk")))
    }

    @Test("Hostile documents and codes give an error")
    func hostileInput() async throws {
        let scratch = try Scratch()
        let kiosk = try Program("login-kiosk")
        let places = scratch.places
        func sign(_ bytes: [UInt8]) async throws -> Program.Run {
            let document = try scratch.write(bytes, to: "document")
            return try await kiosk.run(["sign", "--user", Self.user, "--document", document] + places)
        }
        try await sign([0xFF, 0xFE, 0]).expect(65, "it is not UTF-8")
        try await sign(Array(repeating: UInt8(ascii: "a"), count: 256 * 1024 + 1)).expect(
            65, "has at most 262144 bytes")
        try await sign(Array(repeating: UInt8(ascii: "a"), count: 32 * 1024 + 1)).expect(65, "32769 bytes")
        try await kiosk.run(["sign", "--user", Self.user, "--document", scratch.path("no")] + places).expect(66)
        for code in [
            "", "nonsense", "javascript:alert(1)#c", "https://a.org/#c#d", String(repeating: "a", count: 5000),
        ] {
            try await kiosk.run(["sign", "--user", Self.user, "--qr"] + places, input: code + "\n7391\n").expect(
                65, printing: "")
        }
    }
}
