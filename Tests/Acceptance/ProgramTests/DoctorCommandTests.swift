// SPDX-License-Identifier: Apache-2.0

import Foundation
import PictureTestKit
import Testing

@Suite("login-kiosk doctor", .fewAtATime)
struct DoctorCommandTests {
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private struct Report: Decodable {
        struct Check: Decodable {
            let name: String
            let status: String
            let finding: String
            let remedy: String?
        }
        let checks: [Check]

        subscript(_ name: String) -> String {
            checks.first { $0.name == name }.map { "\($0.status): \($0.finding)" } ?? "not checked"
        }
    }

    private func doctor(_ arguments: [String]) async throws -> (Program.Run, Report) {
        let run = try await Program("login-kiosk").run(["doctor", "--json"] + arguments)
        let report = try JSONDecoder().decode(Report.self, from: Data(run.output.utf8))
        #expect(report.checks.allSatisfy { ($0.status == "ok") == ($0.remedy == nil) }, "\(run)")
        return (run, report)
    }

    @Test func aKioskThatWorks() async throws {
        let service = try await ServiceWithUser(user: "dora@example.com", pin: "2583", in: scratch)
        let arguments = service.places + ["--allow-loopback-http", "--source", try scratch.wall()]
        let (run, report) = try await doctor(arguments + ["--online"])
        #expect(run.status == 0, "\(run)")
        #expect(report["settings"].hasPrefix("ok"), "\(run)")
        #expect(report["scanner"].hasSuffix("runs confined"), "\(run)")
        #expect(report["camera"].hasPrefix("ok: \(try scratch.wall())"), "\(run)")
        #expect(report["store"].hasPrefix("ok: 1 identity in"), "\(run)")
        #expect(report["trust"].hasSuffix("every named host answers"), "\(run)")
        #expect(!report["clock"].hasPrefix("failure"), "\(run)")
        #expect(report["memory"].contains("swap") && !report["memory"].hasPrefix("failure"), "\(run)")

        try await service.end()
        let (_, alone) = try await doctor(arguments + ["--online"])
        #expect(alone["trust"].hasPrefix("failure: no answer from 127.0.0.1:"), "\(alone.checks)")

        try FileManager.default.removeItem(atPath: scratch.path("config/identities.key"))
        let (keyless, without) = try await doctor(arguments)
        #expect(keyless.status == 1 && without["store"].hasPrefix("failure: the key file"), "\(keyless)")
    }

    @Test func anEmptyMachine() async throws {
        let places = scratch.places
        let (run, report) = try await doctor(places + ["--source", "/nonexistent/camera"])
        #expect(run.status == 1, "\(run)")
        #expect(report["camera"].hasPrefix("failure: /nonexistent/camera"), "\(run)")
        #expect(report["store"].hasPrefix("warning"), "\(run)")
        #expect(report["trust"].hasPrefix("failure: no service is trusted"), "\(run)")
        try await Program("login-kiosk").run(["doctor"] + places + ["--source", "/nonexistent/camera"]).expect(
            1, output: "\n  hint: login-kiosk trust add HOST\n",
            "\nsee \"By the doctor's check\" in docs/troubleshooting.md: camera,")
    }

    @Test func aScriptOfKeysIsNoPerson() async throws {
        let keys = scratch.path("keys")
        try scratch.write("keypads: {test: {driver: script, file: \(keys)}}\n", to: "config/config.yaml")
        let arguments = try scratch.places + ["--source", scratch.wall()]
        #expect(try await doctor(arguments).1["keypad"].hasPrefix("failure: the script of keys"))
        try scratch.write("press 4711\n", to: "keys")
        #expect(try await doctor(arguments).1["keypad"].contains("line 1"))
        try scratch.write("enter\n", to: "keys")
        #expect(try await doctor(arguments).1["keypad"].hasPrefix("warning"))
    }
}
