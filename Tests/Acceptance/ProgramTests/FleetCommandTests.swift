// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// An operator makes profiles on one machine, and kiosks apply them.
@Suite("login-kiosk fleet", .fewAtATime)
struct FleetCommandTests {
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private struct Number: Decodable {
        let publicKey: String
        let profile: UInt64?
        let operatorNumber: String?
    }

    private func number() async throws -> Number {
        try JSONDecoder().decode(
            Number.self, from: Data(try await scratch.kiosk(["fleet", "number", "--json"]).output.utf8))
    }

    private func makeProfile(
        by fleetOperator: TestOperator, for kiosk: String? = nil, _ options: [String] = []
    ) async throws -> Program.Run {
        let key = if let kiosk { kiosk } else { try await number().publicKey }
        let trust = try scratch.write("login.example.com\n", to: "trusted")
        let fleet = try scratch.write([UInt8](repeating: 5, count: 32), to: "fleet.key", mode: 0o600)
        return try await fleetOperator.card(
            settings: "screen:\n  language: de\n",
            ["--kiosk", key, "--trust", trust, "--fleet-key", fleet] + options)
    }

    private func apply(_ file: String = "login-kiosk.profile", _ options: String...) async throws -> Program.Run {
        try await scratch.kiosk(["fleet", "apply", scratch.path(file)] + options)
    }

    private func apply(confirming fleetOperator: TestOperator) async throws -> Program.Run {
        try await apply("login-kiosk.profile", "--from", fleetOperator.number)
    }

    @Test func aKioskIsSetUpByAFile() async throws {
        let before = try await number()
        #expect(before.profile == nil && before.operatorNumber == nil)
        let owner = try await TestOperator(in: scratch)
        try await makeProfile(by: owner, ["--svg", scratch.path("profile.svg")]).expect(0)
        // Neither the card nor a screen shows a secret.
        try await scratch.kiosk(["fleet", "show", scratch.path("login-kiosk.profile")]).expect(
            0, output: "brings the fleet's key", "    screen:\n      language: de")

        // The first operator has to be confirmed.
        try await apply().expect(65, "City library")
        try await apply("login-kiosk.profile", "--from", "1111 1111 1111 1111").expect(65)
        try await apply(confirming: owner).expect(0)
        let after = try await number()
        #expect(after.profile != nil && after.operatorNumber == owner.number)
        try await scratch.kiosk(["trust", "list"]).expect(0, printing: "login.example.com\n")
        try await scratch.kiosk(["config", "check"]).expect(0, output: "settings.yaml")
        // The audit log names the new operator.
        try await scratch.kiosk(["audit", "show"]).expect(
            0, output: "profile  applied  -  City library", "by command, operator key \(owner.number)")
        // A profile is applied only once.
        try await apply().expect(65, "already uses")
    }

    @Test func otherKiosksAndOtherOperatorsAreRefused() async throws {
        let owner = try await TestOperator(in: scratch)
        try await makeProfile(by: owner).expect(0)
        let other = ["--state", scratch.path("other-state"), "--config", scratch.path("other-config")]
        try await Program("login-kiosk").run(["fleet", "apply", scratch.path("login-kiosk.profile")] + other).expect(
            65, "another kiosk")
        try await apply(confirming: owner).expect(0)
        // A stranger with a key of his own.
        let stranger = try await TestOperator("stranger.key", in: scratch)
        try await makeProfile(by: stranger).expect(0)
        try await apply(confirming: stranger).expect(65, "not signed by this kiosk's operator")
    }

    @Test("A profile damaged anywhere, or no profile at all, gives an error and changes nothing")
    func damage() async throws {
        let owner = try await TestOperator(in: scratch)
        try await makeProfile(by: owner).expect(0)
        let whole = try Data(contentsOf: URL(filePath: scratch.path("login-kiosk.profile")))
        for content in [whole.prefix(whole.count / 2), Data("hello".utf8), Data(), Data(count: 100_000)] {
            try scratch.write(content, to: "broken")
            let run = try await apply("broken")
            #expect([65, 66].contains(run.status) && run.errors.contains("hint: "), "\(run)")
        }
        #expect(try await number().profile == nil)
        // A setting for another program.
        try await owner.card(settings: "keypads: {a: {driver: gpio}}\n").expect(0)
        try await apply(confirming: owner).expect(65, "keypads.a")
        let after = try await number()
        #expect(after.profile == nil && after.operatorNumber == nil)
    }

    @Test func whatCannotBeAProfileIsSaid() async throws {
        let owner = try await TestOperator(in: scratch)
        try await makeProfile(by: owner, for: "LOGIN-KIOSK-KEY:1:00").expect(65, "fleet number")
        let long = try scratch.write("# " + String(repeating: "x", count: 4_000) + "\n", to: "long.yaml")
        let open = try scratch.write([UInt8](repeating: 0, count: 32), to: "open.key")
        for (arguments, status, words) in [
            (["card", "--operator-key", owner.key, "--name", "X", "--settings", long], 65, "--file"),
            (["operator-key", open], 78, "open to other users"),
            (["card", "--operator-key", "x", "--name", "X", "--valid-days", "0"], 64, ""),
        ] as [([String], Int32, String)] {
            let run = try await Program("login-kiosk").run(["fleet"] + arguments).expect(status)
            #expect(words.isEmpty || run.errors.contains(words), "\(run)")
        }
        let key = try await Program("login-kiosk").run(["fleet", "operator-key", owner.key, "--json"])
        #expect(
            key.output.hasPrefix(#"{"made":false,"number":"\#(owner.number)","publicKey":"LOGIN-KIOSK-OPERATOR:1:"#))
    }
}
