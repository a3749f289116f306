// SPDX-License-Identifier: Apache-2.0

import Foundation
import KioskTestKit
import Testing

/// An operator makes setups on one machine, and kiosks apply them.
@Suite("login-kiosk fleet", .fewAtATime)
struct FleetCommandTests {
    let scratch: Scratch
    let kiosk: Program

    init() throws {
        scratch = try Scratch()
        kiosk = try Program("login-kiosk")
    }

    private var operatorKey: String { scratch.path("operator.key") }
    private var setup: String { scratch.path("login-kiosk.setup") }

    private func places(_ name: String = "one") -> [String] {
        ["--state", scratch.path("\(name)-state"), "--config", scratch.path("\(name)-config")]
    }

    private func write(_ name: String, _ content: some Sequence<UInt8>, mode: Int = 0o600) throws -> String {
        let path = scratch.path(name)
        try Data(content).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        return path
    }

    private struct Number: Decodable {
        let number: String
        let publicKey: String
        let setup: UInt64?
        let operatorNumber: String?
    }

    private func number(_ name: String = "one") async throws -> Number {
        let run = try await kiosk.run(["fleet", "number", "--json"] + places(name))
        return try JSONDecoder().decode(Number.self, from: Data(run.output.utf8))
    }

    private func makeSetup(for kiosk: String, _ more: [String] = []) async throws -> Program.Run {
        let settings = try write("settings.yaml", "screen:\n  language: de\n".utf8)
        let trust = try write("trusted", "login.example.com\n".utf8)
        let key = try write("fleet.key", [UInt8](repeating: 5, count: 32))
        _ = try await self.kiosk.run(["fleet", "operator-key", operatorKey])
        return try await self.kiosk.run(
            [
                "fleet", "card", "--operator-key", operatorKey, "--name", "City library", "--kiosk", kiosk,
                "--settings", settings, "--trust", trust, "--fleet-key", key, "--file", setup,
            ] + more)
    }

    private func operatorNumber() async throws -> String {
        let run = try await kiosk.run(["fleet", "operator-key", operatorKey, "--json"])
        return try JSONDecoder().decode([String: JSONValue].self, from: Data(run.output.utf8))["number"]?.text ?? ""
    }

    private enum JSONValue: Decodable {
        case text(String), other

        var text: String? { if case .text(let text) = self { text } else { nil } }

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            self = (try? container.decode(String.self)).map { .text($0) } ?? .other
        }
    }

    @Test func aKioskIsSetUpByAFile() async throws {
        let before = try await number()
        #expect(before.setup == nil && before.operatorNumber == nil)
        let made = try await makeSetup(for: before.publicKey, ["--svg", scratch.path("setup.svg")])
        #expect(made.status == 0, "\(made)")
        // Neither the card nor a screen shows a secret.
        let shown = try await kiosk.run(["fleet", "show", setup] + places())
        #expect(shown.status == 0 && shown.output.contains("brings the fleet's key"), "\(shown)")
        #expect(shown.output.contains("    screen:\n      language: de"), "\(shown)")

        // The first operator has to be confirmed.
        let unasked = try await kiosk.run(["fleet", "apply", setup] + places())
        #expect(unasked.status == 65 && unasked.errors.contains("City library"), "\(unasked)")
        let other = try await kiosk.run(["fleet", "apply", setup, "--from", "1111 1111 1111 1111"] + places())
        #expect(other.status == 65, "\(other)")
        let applied = try await kiosk.run(["fleet", "apply", setup, "--from", try await operatorNumber()] + places())
        #expect(applied.status == 0, "\(applied)")
        let after = try await number()
        let owner = try await operatorNumber()
        #expect(after.setup != nil && after.operatorNumber == owner)
        let trust = try await kiosk.run(["trust", "list"] + places())
        #expect(trust.output == "login.example.com\n", "\(trust)")
        let settings = try await kiosk.run(["config", "check"] + places())
        #expect(settings.status == 0 && settings.output.contains("settings.yaml"), "\(settings)")

        // The record names the new operator, and contains no secret.
        let record = try await kiosk.run(["audit", "show"] + places())
        #expect(record.output.contains("setup  applied  -  City library"), "\(record)")
        #expect(record.output.contains("by command, operator key \(owner)"), "\(record)")

        // A setup is applied only once.
        let again = try await kiosk.run(["fleet", "apply", setup] + places())
        #expect(again.status == 65 && again.errors.contains("counts already"), "\(again)")
    }

    @Test func otherKiosksAndOtherOperatorsAreRefused() async throws {
        _ = try await makeSetup(for: try await number().publicKey)
        let elsewhere = try await kiosk.run(["fleet", "apply", setup] + places("two"))
        #expect(elsewhere.status == 65 && elsewhere.errors.contains("another kiosk"), "\(elsewhere)")
        _ = try await kiosk.run(["fleet", "apply", setup, "--from", try await operatorNumber()] + places())
        // A stranger with a key of his own.
        try FileManager.default.removeItem(atPath: operatorKey)
        _ = try await makeSetup(for: try await number().publicKey)
        let foreign = try await kiosk.run(["fleet", "apply", setup, "--from", try await operatorNumber()] + places())
        #expect(foreign.status == 65 && foreign.errors.contains("not signed by this kiosk's operator"), "\(foreign)")
    }

    @Test("A setup damaged anywhere, or no setup at all, gives an error and changes nothing")
    func damage() async throws {
        _ = try await makeSetup(for: try await number().publicKey)
        let whole = try Data(contentsOf: URL(filePath: setup))
        for content in [whole.prefix(whole.count / 2), Data("hello".utf8), Data(), Data(count: 100_000)] {
            let path = try write("broken", content)
            let run = try await kiosk.run(["fleet", "apply", path] + places())
            #expect([65, 66].contains(run.status) && run.errors.contains("hint: "), "\(run)")
        }
        #expect(try await number().setup == nil)
        // A setting for another program.
        let settings = try write("odd.yaml", "keypads: {a: {driver: gpio}}\n".utf8)
        let odd = try await kiosk.run(
            [
                "fleet", "card", "--operator-key", operatorKey, "--name", "X", "--settings", settings, "--file", setup,
            ])
        #expect(odd.status == 0, "\(odd)")
        let refused = try await kiosk.run(["fleet", "apply", setup, "--from", try await operatorNumber()] + places())
        #expect(refused.status == 65 && refused.errors.contains("keypads.a"), "\(refused)")
        let after = try await number()
        #expect(after.setup == nil && after.operatorNumber == nil)
    }

    @Test func whatCannotBeASetupIsSaid() async throws {
        let key = try await number().publicKey
        let open = try await makeSetup(for: "LOGIN-KIOSK-KEY:1:00")
        #expect(open.status == 65 && open.errors.contains("fleet number"), "\(open)")
        let long = try write("long.yaml", Data(("# " + String(repeating: "x", count: 4_000) + "\n").utf8))
        _ = try await makeSetup(for: key)
        let card = try await kiosk.run(
            ["fleet", "card", "--operator-key", operatorKey, "--name", "X", "--settings", long])
        #expect(card.status == 65 && card.errors.contains("--file"), "\(card)")
        let exposed = try await kiosk.run([
            "fleet", "operator-key", try write("open.key", Data(count: 32), mode: 0o644),
        ])
        #expect(exposed.status == 78 && exposed.errors.contains("open to other users"), "\(exposed)")
        #expect(
            try await kiosk.run(["fleet", "card", "--operator-key", "x", "--name", "X", "--valid-days", "0"]).status
                == 64)
    }
}
