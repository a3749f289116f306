// SPDX-License-Identifier: Apache-2.0

import Foundation
import Patience
import Testing

/// A running kiosk, and its operator's commands.
@Suite("login-kiosk status", .fewAtATime)
struct StatusCommandTests {
    let scratch: Scratch
    private let port: UInt16

    init() throws {
        scratch = try Scratch()
        port = try LoopbackListener.freePort()
    }

    private func start(_ options: [String] = []) throws -> BackgroundProgram {
        try BackgroundProgram(
            "login-kiosk", scratch.atAWall(loops: true) + options,
            environment: ["LOGIN_KIOSK_METRICS_PORT": "\(port)"], in: scratch)
    }

    private func status(_ arguments: String...) async throws -> Program.Run {
        try await scratch.kiosk(["status"] + arguments)
    }

    /// The status of a kiosk that is ready and keeps its audit log, which is opened beside everything else.
    private func ready() async throws -> Program.Run? {
        try await Patience.wait(Program.patience, every: .milliseconds(100), progress: { 0 }) {
            let run = try await self.status("--json")
            let isReady = [#""condition":"ready""#, #""number":"#].allSatisfy { run.output.contains($0) }
            return isReady ? run : nil
        }
    }

    private func get(_ path: String) async throws -> String {
        try await SiteClient(site: "http://127.0.0.1:\(port)").page(path)
    }

    @Test func saysHowTheKioskIs() async throws {
        try await scratch.kiosk(["trust", "add", "login.example.com"]).expect(0)
        try await status().expect(69, "hint: does it run?")

        let kiosk = try start()
        let document = try #require(try await ready(), "\(kiosk.outputText) \(kiosk.errorText)")
        #expect(document.output.contains(#""sessions":{}"#) && document.output.contains(#""number":1"#), "\(document)")
        let words = try await status()
        #expect(words.status == 0 && words.output.hasPrefix("ready for a QR code\n"), "\(words)")
        // Socket and port are opened beside each other.
        try await Patience.until { (try? await get("/healthz")) == "ok\n" }
        #expect(try await get("/status").contains(#""condition":"ready""#))

        let metrics = try await get("/metrics")
        #expect(metrics.contains("login_kiosk_condition{condition=\"ready\"} 1\n"), "\(metrics)")
        #expect(metrics.contains("login_kiosk_sessions_total{outcome=\"loggedIn\"} 0\n"))
        #expect(!metrics.contains("login.example.com"))
        try everyNameIsOnThePage(metrics)
        try await PromTool.check(metrics, in: scratch)

        // A killed kiosk leaves its socket, and the next one replaces it.
        _ = try await kiosk.end(by: SIGKILL)
        #expect(FileManager.default.fileExists(atPath: scratch.path("kiosk/status.sock")))
        try await status().expect(69)
        let next = try start()
        #expect(try await ready() != nil, "\(next.errorText)")
        #expect(try await next.end() == 0, "\(next.errorText)")
    }

    @Test func saysWhyNoPanelShowsTheScreen() async throws {
        try await scratch.kiosk(["trust", "add", "login.example.com"]).expect(0)
        let kiosk = try start(["--display", "card250"])
        let reason = "no panel shows the screen: no panel is connected\n"
        let isSaid = try await Patience.wait(Program.patience, every: .milliseconds(100), progress: { 0 }) {
            try await self.status().output.contains(reason) ? true : nil
        }
        #expect(isSaid == true, "\(kiosk.errorText)")
        let document = try await status("--json")
        #expect(document.output.contains(#""state":"missing""#), "\(document)")
        #expect(try await kiosk.end() == 0, "\(kiosk.errorText)")
    }

    /// `docs/metrics.md` lists exactly the existing metrics, except that a machine may have no thermometer.
    private func everyNameIsOnThePage(_ metrics: String) throws {
        let text = try ProjectFile.text("docs/metrics.md").components(separatedBy: "## The backend")[0]
        let told = text.matches(of: /`(login_kiosk_[a-z_]+)`/)
        let served = Set(metrics.matches(of: #/\# TYPE ([a-z_]+)/#).map { String($0.output.1) })
        let missing = Set(told.map { String($0.output.1) }).subtracting(served)
        #expect(served.subtracting(told.map { String($0.output.1) }) == [])
        #expect(
            missing.isSubset(of: [
                "login_kiosk_temperature_celsius", "login_kiosk_under_voltage", "login_kiosk_camera_up",
                "login_kiosk_keypad_up",
            ]), "\(missing)")
    }
}

/// Prometheus's own tool, from Debian's package `prometheus`.
enum PromTool {
    static let path = "/usr/bin/promtool"

    static func check(_ metrics: String, in scratch: Scratch) async throws {
        guard FileManager.default.isExecutableFile(atPath: path) else {
            return print("the metrics are not checked by promtool: apt install prometheus")
        }
        try await Program(executable: URL(filePath: path)).run(["check", "metrics"], input: metrics).expect(0)
    }
}
