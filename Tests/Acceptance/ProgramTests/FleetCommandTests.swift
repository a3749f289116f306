// SPDX-License-Identifier: Apache-2.0

import Foundation
import KioskTestKit
import Testing

/// An operator makes setups on one machine, and kiosks apply them.
@Suite("login-kiosk fleet", .fewAtATime)
struct FleetCommandTests {
    let scratch: Scratch
    let kiosk: Program
    let owner: FleetOperator

    init() async throws {
        scratch = try Scratch()
        kiosk = try Program("login-kiosk")
        owner = try await FleetOperator(in: scratch)
    }

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

    /// Makes a setup with all parts for the first kiosk.
    private func makeSetup(by owner: FleetOperator? = nil, _ options: [String] = []) async throws -> String {
        let trust = try write("trusted", "login.example.com\n".utf8)
        let key = try write("fleet.key", [UInt8](repeating: 5, count: 32))
        // A file with the key among other lines.
        let number = try write("number", try await kiosk.run(["fleet", "number"] + places()).output.utf8)
        return try await (owner ?? self.owner).setup(
            for: number, settings: "screen:\n  language: de\n",
            ["--trust", trust, "--fleet-key", key] + options)
    }

    private func apply(_ setup: String, from number: String? = nil, at name: String = "one") async throws -> Program.Run
    {
        try await kiosk.run(["fleet", "apply", setup] + (number.map { ["--from", $0] } ?? []) + places(name))
    }

    @Test func aKioskIsSetUpByAFile() async throws {
        let before = try await number()
        #expect(before.setup == nil && before.operatorNumber == nil)
        let setup = try await makeSetup(["--svg", scratch.path("setup.svg")])
        // Neither the card nor a screen shows a secret.
        let shown = try await kiosk.run(["fleet", "show", setup] + places())
        #expect(shown.status == 0 && shown.output.contains("brings the fleet's key"), "\(shown)")
        #expect(shown.output.contains("    screen:\n      language: de"), "\(shown)")

        // The first operator has to be confirmed.
        let unasked = try await apply(setup)
        #expect(unasked.status == 65 && unasked.errors.contains("City library"), "\(unasked)")
        let other = try await apply(setup, from: "1111 1111 1111 1111")
        #expect(other.status == 65, "\(other)")
        let applied = try await apply(setup, from: owner.number)
        #expect(applied.status == 0, "\(applied)")
        let after = try await number()
        #expect(after.setup != nil && after.operatorNumber == owner.number)
        let trust = try await kiosk.run(["trust", "list"] + places())
        #expect(trust.output == "login.example.com\n", "\(trust)")
        let settings = try await kiosk.run(["config", "check"] + places())
        #expect(settings.status == 0 && settings.output.contains("settings.yaml"), "\(settings)")

        // The record names the new operator, and contains no secret.
        let record = try await kiosk.run(["audit", "show"] + places())
        #expect(record.output.contains("setup  applied  -  City library"), "\(record)")
        #expect(record.output.contains("by command, operator key \(owner.number)"), "\(record)")

        // A setup is applied only once.
        let again = try await apply(setup)
        #expect(again.status == 65 && again.errors.contains("counts already"), "\(again)")
    }

    @Test func otherKiosksAndOtherOperatorsAreRefused() async throws {
        let setup = try await makeSetup()
        let elsewhere = try await apply(setup, at: "two")
        #expect(elsewhere.status == 65 && elsewhere.errors.contains("another kiosk"), "\(elsewhere)")
        _ = try await apply(setup, from: owner.number)
        let stranger = try await FleetOperator(in: scratch, key: "stranger.key")
        let foreign = try await apply(try await makeSetup(by: stranger), from: stranger.number)
        #expect(foreign.status == 65 && foreign.errors.contains("not signed by this kiosk's operator"), "\(foreign)")
    }

    @Test("A setup damaged anywhere, or no setup at all, gives an error and changes nothing")
    func damage() async throws {
        let whole = try Data(contentsOf: URL(filePath: try await makeSetup()))
        for content in [whole.prefix(whole.count / 2), Data("hello".utf8), Data(), Data(count: 100_000)] {
            let run = try await apply(try write("broken", content))
            #expect([65, 66].contains(run.status) && run.errors.contains("hint: "), "\(run)")
        }
        #expect(try await number().setup == nil)
        // A setting for another program.
        let odd = try await owner.setup(settings: "keypads: {a: {driver: gpio}}\n")
        let refused = try await apply(odd, from: owner.number)
        #expect(refused.status == 65 && refused.errors.contains("keypads.a"), "\(refused)")
        let after = try await number()
        #expect(after.setup == nil && after.operatorNumber == nil)
    }

    @Test("A setup, a key or an option that makes no sense is named")
    func refusals() async throws {
        func card(_ options: String..., key: String? = nil) async throws -> Program.Run {
            try await kiosk.run(["fleet", "card", "--operator-key", key ?? owner.key, "--name", "X"] + options)
        }
        let open = try await card("--kiosk", "LOGIN-KIOSK-KEY:1:00")
        #expect(open.status == 65 && open.errors.contains("fleet number"), "\(open)")
        let long = try write("long.yaml", Data(("# " + String(repeating: "x", count: 4_000) + "\n").utf8))
        let large = try await card("--settings", long)
        #expect(large.status == 65 && large.errors.contains("--file"), "\(large)")
        let exposed = try await kiosk.run([
            "fleet", "operator-key", try write("open.key", Data(count: 32), mode: 0o644),
        ])
        #expect(exposed.status == 78 && exposed.errors.contains("open to other users"), "\(exposed)")
        #expect(try await card("--valid-days", "0", key: "x").status == 64)
        let key = try await kiosk.run(["fleet", "operator-key", owner.key, "--json"])
        #expect(
            key.output.hasPrefix(#"{"made":false,"number":"\#(owner.number)","publicKey":"LOGIN-KIOSK-OPERATOR:1:"#))
    }
}
