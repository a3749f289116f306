// SPDX-License-Identifier: Apache-2.0

import Foundation
import KioskPorts
import Patience
import PictureTestKit
import Testing

/// The audit log, which the kiosk writes and its operator reads and verifies.
@Suite("login-kiosk audit", .fewAtATime)
struct AuditCommandTests {
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private var file: String { scratch.path("kiosk/audit/audit.jsonl") }

    private func audit(_ arguments: String...) async throws -> Program.Run {
        try await scratch.kiosk(["audit"] + arguments)
    }

    private struct Shown: Decodable {
        struct Record: Decodable {
            let number: Int
            let event: String?
            let service: String?
            let who: String?
            let outcome: String?
        }
        let records: [Record]
        let head: String
        let breaches: Int
    }

    /// Runs a login, then one that the person declines.
    private func keepALog() async throws -> String {
        let service = try await ServiceWithUser(user: "carol@example.com", pin: "739154", in: scratch)
        let browser = try await SiteClient(opening: service.site)
        try await browser.picture().write(to: scratch.url.appending(path: "code.png"))
        try await service.logIn(source: "file,loop:\(scratch.path("code.png"))", in: scratch, polling: [browser])
        let other = try await SiteClient(opening: service.site)
        try await other.picture().write(to: scratch.url.appending(path: "other.png"))
        let terminal = try service.runKiosk(source: "file,loop:\(scratch.path("other.png"))", in: scratch)
        try await terminal.shows("Do you want to log in here?")
        try await terminal.press(.back)
        try await Patience.until(every: .milliseconds(100)) {
            try await audit("show", "--json").output.contains("declined")
        }
        #expect(try await terminal.end() == 0, "\(terminal.errorText)")
        try await service.end()
        return service.host
    }

    @Test func whoDidWhatAndWhetherItWasChanged() async throws {
        let host = try await keepALog()
        let shown = try await audit("show", "--json").expect(0)
        let document = try JSONDecoder().decode(Shown.self, from: Data(shown.output.utf8))
        let entries = document.records.filter { $0.event != nil }
        #expect(entries.map(\.outcome) == ["loggedIn", "declined"], "\(shown)")
        #expect(entries.map(\.who) == ["carol@example.com", nil])
        #expect(entries.allSatisfy { $0.event == "login" && $0.service == host })
        #expect(document.breaches == 0)
        let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
        #expect(mode == 0o640)

        let backend = try await verdicts(in: scratch)
        #expect(backend.map(\.outcome) == ["right"] && backend.map(\.who) == ["carol@example.com"])
        #expect(backend.map(\.event) == ["login"])

        let text = try await audit("show", "--last", "1")
        #expect(text.output.contains("declined") && !text.output.contains("carol"), "\(text)")
        #expect(text.output.hasSuffix("\(document.head)\n"), "\(text)")
        let export = try await audit("export", "--format", "csv")
        let rows = export.output.split(whereSeparator: \.isNewline)
        #expect(rows.first == "number,time,event,service,who,outcome,detail,count" && rows.count == 4, "\(export)")
        let objects = try await audit("export")
        #expect(objects.status == 0 && !objects.output.contains("739154"), "\(objects)")
        try await audit("verify", "--head", document.head).expect(0)

        try await theVerifierTells(head: document.head)
    }

    /// The verdicts that the backend in `scratch` has recorded.
    private func verdicts(in scratch: Scratch) async throws -> [Shown.Record] {
        let run = try await Program("login-kiosk-backend").run(
            ["audit", "show", "--json", "--state", scratch.path("backend")]).expect(0)
        let document = try JSONDecoder().decode(Shown.self, from: Data(run.output.utf8))
        #expect(document.breaches == 0)
        return document.records.filter { $0.event != nil }
    }

    /// The backend counts, so it records wrong PINs and the one that blocks.
    @Test func theBackendRecordsWrongPINs() async throws {
        let kiosk = try await KioskWithUser()
        for _ in 0..<3 {
            let run = try await kiosk.logIn(try await kiosk.accessCode(), pin: "739155")
            #expect(["wrongPIN", "blocked"].contains(run.outcome), "\(run)")
        }
        // The backend writes the audit log without delaying its replies.
        let recorded = try await Patience.wait(Program.patience) {
            let verdicts = try await self.verdicts(in: kiosk.scratch)
            return verdicts.count >= 3 ? verdicts : nil
        }
        #expect(recorded?.map(\.outcome) == ["wrongPIN", "wrongPIN", "blocked"])
        #expect(recorded?.allSatisfy { $0.who == KioskWithUser.user && $0.event == "login" } == true)
    }

    /// Verifies after an edit, and after the end was removed.
    private func theVerifierTells(head: String) async throws {
        let written = try String(contentsOfFile: file, encoding: .utf8)
        try written.replacing("carol@", with: "mallory@").write(toFile: file, atomically: true, encoding: .utf8)
        try await audit("verify").expect(65, "hint:", output: "\(file):2: ")
        try await audit("export").expect(65)
        try await audit("show").expect(0, "audit verify")

        let lines = written.split(separator: "\n").map { $0 + "\n" }
        try lines.dropLast().joined().write(toFile: file, atomically: true, encoding: .utf8)
        #expect(try await audit("verify").status == 0, "a chain alone does not know its end")
        try await audit("verify", "--head", head, "--json").expect(65, output: #""isSound":false"#)
    }

    @Test func complainsWithAHint() async throws {
        try await audit("show").expect(66, "hint: it begins with the first session")
        try FileManager.default.createDirectory(
            atPath: scratch.path("kiosk/audit"), withIntermediateDirectories: true)
        try Data().write(to: URL(filePath: file))
        try await audit("verify", "--head", "abc").expect(64, "hint:")
        try await audit("show", "--last", "0").expect(64)
    }

    /// The kiosk continues, and reports once why there is no audit log.
    @Test func aRecordThatCannotBeKeptStopsNothing() async throws {
        try FileManager.default.createDirectory(
            atPath: scratch.path("kiosk"), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try FileManager.default.createSymbolicLink(atPath: scratch.path("kiosk/audit"), withDestinationPath: "nowhere")
        let arguments = try scratch.atAWall()
        let run = try BackgroundProgram("login-kiosk", arguments, in: scratch)
        try await run.error(containing: "audit log cannot be kept")
        try await run.output(containing: "login-kiosk setup")
        #expect(try await run.end() == 0, "\(run.errorText)")
        #expect(run.errorText.matches(of: /audit log cannot be kept/).count == 1, "\(run.errorText)")
        let silent = try BackgroundProgram(
            "login-kiosk", arguments, environment: ["LOGIN_KIOSK_AUDIT_LOG": "false"], in: scratch)
        try await silent.output(containing: "login-kiosk setup")
        #expect(try await silent.end() == 0 && !silent.errorText.contains("audit log"), "\(silent.errorText)")
    }
}
