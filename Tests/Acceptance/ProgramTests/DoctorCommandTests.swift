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
            let verdict: String
            let finding: String
            let remedy: String?
        }
        let checks: [Check]

        subscript(_ name: String) -> String {
            checks.first { $0.name == name }.map { "\($0.verdict): \($0.finding)" } ?? "not checked"
        }
    }

    private func doctor(_ arguments: [String]) async throws -> (Program.Run, Report) {
        let run = try await Program("login-kiosk").run(["doctor", "--json"] + arguments)
        let report = try JSONDecoder().decode(Report.self, from: Data(run.output.utf8))
        #expect(report.checks.allSatisfy { ($0.verdict == "ok") == ($0.remedy == nil) }, "\(run)")
        return (run, report)
    }

    private func picture() throws -> String {
        let path = scratch.path("wall.y4m")
        try Data("YUV4MPEG2 W4 H4 Cmono\nFRAME\n0123456789abcdef".utf8).write(to: URL(filePath: path))
        return path
    }

    @Test func aKioskThatWorks() async throws {
        let service = try await EnrolledService(user: "dora@example.com", pin: "2583", in: scratch)
        let arguments = service.places + ["--allow-loopback-http", "--source", try picture()]
        let (run, report) = try await doctor(arguments + ["--online"])
        #expect(run.status == 0, "\(run)")
        #expect(report["settings"].hasPrefix("ok"), "\(run)")
        #expect(report["scanner"].hasSuffix("runs confined"), "\(run)")
        #expect(report["camera"].hasPrefix("ok: \(try picture())"), "\(run)")
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
        let places = ["--state", scratch.path("state"), "--config", scratch.path("config")]
        let (run, report) = try await doctor(places + ["--source", "/nonexistent/camera"])
        #expect(run.status == 1, "\(run)")
        #expect(report["camera"].hasPrefix("failure: /nonexistent/camera"), "\(run)")
        #expect(report["store"].hasPrefix("warning"), "\(run)")
        #expect(report["trust"].hasPrefix("failure: no service is trusted"), "\(run)")
        let text = try await Program("login-kiosk").run(["doctor"] + places + ["--source", "/nonexistent/camera"])
        #expect(text.status == 1 && text.output.contains("\n  hint: login-kiosk trust add HOST\n"), "\(text)")
    }

    @Test func aScriptOfKeysIsNoPerson() async throws {
        let folder = scratch.path("config")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let keys = scratch.path("keys")
        try Data("keypads: {test: {driver: script, file: \(keys)}}\n".utf8).write(
            to: URL(filePath: "\(folder)/config.yaml"))
        let arguments = ["--state", scratch.path("state"), "--config", folder, "--source", try picture()]
        #expect(try await doctor(arguments).1["keypad"].hasPrefix("failure: the script of keys"))
        try Data("press 4711\n".utf8).write(to: URL(filePath: keys))
        #expect(try await doctor(arguments).1["keypad"].contains("line 1"))
        try Data("enter\n".utf8).write(to: URL(filePath: keys))
        #expect(try await doctor(arguments).1["keypad"].hasPrefix("warning"))
    }
}
