// SPDX-License-Identifier: Apache-2.0

import Foundation
import Patience
import PictureTestKit
import Testing

/// The operator's errors: a name, an exit code, and advice.
@Suite("Operators' commands that fail", .fewAtATime)
struct OperatorTroubleTests {
    static let user = "alice@example.com"

    /// Enrols at a service that verifies by mail. If the service delays another mail, it waits.
    private func enroll(_ stage: OperatorStage, pin: String, environment: [String: String] = [:]) async throws
        -> Program.Run
    {
        var mailed = try await stage.run("enroll", "--backend", stage.site, "--user", Self.user)
        if mailed.status == 75 {
            try await Patience.until(every: .seconds(1)) {
                mailed = try await stage.run("enroll", "--backend", stage.site, "--user", Self.user)
                return mailed.status != 75
            }
        }
        #expect(mailed.status == 88, "\(mailed)")
        return try await stage.run(
            "enroll", "--backend", stage.site, "--user", Self.user, lines: [try await stage.mailedLink(), pin],
            environment: environment)
    }

    @Test("Wrong PINs block, a revoked identity is reported, and both can be enrolled again")
    func refusedIdentities() async throws {
        let stage = try await OperatorStage(.trust2025)
        #expect(try await enroll(stage, pin: "7391").status == 0)
        // A PIN of another length is wrong in any case, so the server is not asked and does not count it.
        let long = try await stage.run("bootstrap", "--user", Self.user, lines: ["739154"])
        #expect(long.status == 65 && long.errors.contains("the PIN has 4 digits here"), "\(long)")
        for status in [80, 80, 81, 81] {
            let run = try await stage.run("bootstrap", "--user", Self.user, lines: ["7392"])
            #expect(run.status == status, "\(run)")
        }
        let list = try await stage.run("identities", "list")
        #expect(list.output.contains("blocked"), "\(list)")
        let again = try await enroll(stage, pin: "7391")
        #expect(again.status == 0, "\(again)")
        let document = stage.scratch.path("document")
        try Data("Nothing.".utf8).write(to: URL(filePath: document))
        // The service wants another document signed.
        let server = PageServer { _ in
            .init(
                headers: ["Content-Type: application/json"],
                body: Array(#"{"hash":"\#(String(repeating: "0", count: 64))","timestamp":1,"authToken":"t"}"#.utf8))
        }
        let site = String(server.address().dropLast())
        let trust = try await Program("login-kiosk").run(
            ["trust", "add", String(site.dropFirst("http://".count))] + stage.options().prefix(4))
        #expect(trust.status == 0, "\(trust)")
        for format in [["--json"], []] {
            let other = try await stage.run(
                "sign", "--user", Self.user, "--document", document, "--application", site, with: format,
                lines: ["7391"])
            #expect(other.status == 76 && !"\(other)".contains("(CRYPTO_ERROR)"), "\(other)")
            #expect(format.isEmpty || other.outcome == "documentDiffers", "\(other)")
            #expect(!other.output.contains("status"), "\(other)")
        }
        try await stage.backend("revoke", Self.user)
        let revoked = try await stage.run(
            "sign", "--user", Self.user, "--document", document, "--json", lines: ["7391"])
        #expect(revoked.status == 82 && revoked.outcome == "revoked", "\(revoked)")
    }

    /// Finders of a copied card would try PINs that are easy to guess.
    @Test func aFleetTakesNoWeakPIN() async throws {
        let stage = try await OperatorStage(.trust2023)
        let key = stage.scratch.path("fleet.key")
        try Data(repeating: 7, count: 32).write(to: URL(filePath: key))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key)
        let fleet = ["LOGIN_KIOSK_FLEET_KEY_FILE": key, "LOGIN_KIOSK_POLICY_WEAK_PINS": "warn"]
        let weak = try await enroll(stage, pin: "1234", environment: fleet)
        #expect(weak.status == 90 && weak.errors.contains("easy to guess"), "\(weak)")
    }

    @Test("The policy on PINs applies to operators too")
    func policy() async throws {
        let stage = try await OperatorStage(.trust2023)
        let refuse = ["LOGIN_KIOSK_POLICY_WEAK_PINS": "refuse"]
        let weak = try await enroll(stage, pin: "1234", environment: refuse)
        #expect(weak.status == 90 && weak.errors.contains("easy to guess"), "\(weak)")
        // The verification is used up.
        let used = try await stage.run(
            "enroll", "--backend", stage.site, "--user", Self.user, lines: [try await stage.mailedLink(), "7391"])
        #expect(used.status == 77, "\(used)")
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
        let trust = try await Program("login-kiosk").run(
            ["trust", "add", String(two.site.dropFirst("http://".count))] + one.options().prefix(4))
        #expect(trust.status == 0, "\(trust)")
        for stage in [one, two] {
            let mailed = try await one.run("enroll", "--backend", stage.site, "--user", Self.user)
            #expect(mailed.status == 88, "\(mailed)")
        }
        let either = try await one.run("identities", "show", "--user", Self.user)
        #expect(either.status == 64 && either.errors.contains("hint: name one of them: --backend"), "\(either)")
        #expect(either.errors.contains(two.site.dropFirst("http://".count)), "\(either)")
        let named = try await one.run("identities", "show", "--user", Self.user, "--backend", two.site)
        #expect(named.status == 0 && named.output.contains("state: startedVerification"), "\(named)")
        let unfinished = try await one.run("bootstrap", "--user", Self.user, "--backend", two.site)
        #expect(unfinished.status == 88 && unfinished.errors.contains("hint: go on with it"), "\(unfinished)")
        let unknown = try await one.run("otp", "--user", "bob@example.com")
        #expect(unknown.status == 67 && unknown.errors.contains("hint: see who is"), "\(unknown)")
        let foreign = try await one.run("enroll", "--backend", "http://127.0.0.2:1", "--user", Self.user)
        #expect(foreign.status == 78 && foreign.errors.contains("trust add"), "\(foreign)")
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
        let places = ["--state", scratch.path("state"), "--config", scratch.path("config")]
        let run = try await Program("login-kiosk").run(arguments + places)
        #expect(run.status == 64 && run.output.isEmpty && !run.errors.isEmpty, "\(run)")
        #expect(!FileManager.default.fileExists(atPath: scratch.path("state")))
    }

    @Test("Hostile documents and codes give an error")
    func hostileInput() async throws {
        let scratch = try Scratch()
        let kiosk = try Program("login-kiosk")
        let places = ["--state", scratch.path("state"), "--config", scratch.path("config")]
        let document = scratch.path("document")
        func sign(_ bytes: [UInt8]) async throws -> Program.Run {
            try Data(bytes).write(to: URL(filePath: document))
            return try await kiosk.run(["sign", "--user", Self.user, "--document", document] + places)
        }
        let binary = try await sign([0xFF, 0xFE, 0])
        #expect(binary.status == 65 && binary.errors.contains("it is not UTF-8"), "\(binary)")
        let long = try await sign(Array(repeating: UInt8(ascii: "a"), count: 256 * 1024 + 1))
        #expect(long.status == 65 && long.errors.contains("has at most 262144 bytes"), "\(long)")
        let unreadable = try await sign(Array(repeating: UInt8(ascii: "a"), count: 32 * 1024 + 1))
        #expect(unreadable.status == 65 && unreadable.errors.contains("32769 bytes"), "\(unreadable)")
        let missing = try await kiosk.run(["sign", "--user", Self.user, "--document", scratch.path("no")] + places)
        #expect(missing.status == 66, "\(missing)")
        for code in [
            "", "nonsense", "javascript:alert(1)#c", "https://a.org/#c#d", String(repeating: "a", count: 5000),
        ] {
            let run = try await kiosk.run(["sign", "--user", Self.user, "--qr"] + places, input: code + "\n7391\n")
            #expect(run.status == 65 && run.output.isEmpty, "\(run)")
        }
    }
}
