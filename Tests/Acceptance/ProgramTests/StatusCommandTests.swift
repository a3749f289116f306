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
        // The port was free a moment ago, and is released here.
        port = try LoopbackListener().port
    }

    private var places: [String] { ["--state", scratch.path("kiosk"), "--config", scratch.path("config")] }

    private func start(_ options: [String] = []) throws -> BackgroundProgram {
        try Data("YUV4MPEG2 W4 H4 Cmono\nFRAME\n0123456789abcdef".utf8).write(to: scratch.url.appending(path: "a.y4m"))
        try Data("wait 600\n".utf8).write(to: scratch.url.appending(path: "keys"))
        return try BackgroundProgram(
            "login-kiosk",
            ["run", "--source", "file,loop:\(scratch.path("a.y4m"))", "--keys", scratch.path("keys")] + options
                + places,
            environment: ["LOGIN_KIOSK_METRICS_PORT": "\(port)"], in: scratch)
    }

    private func status(_ arguments: String...) async throws -> Program.Run {
        try await Program("login-kiosk").run(["status"] + arguments + places)
    }

    private func ready() async throws -> Program.Run? {
        try await Patience.wait(Program.patience, every: .milliseconds(100), progress: { 0 }) {
            let run = try await self.status("--json")
            return run.output.contains(#""condition":"ready""#) ? run : nil
        }
    }

    private func get(_ path: String) throws -> String {
        let connection = try LoopbackConnection(port: port)
        connection.send("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
        return try #require(WireMessage(from: connection)).bodyText
    }

    @Test func saysHowTheKioskIs() async throws {
        let trust = try await Program("login-kiosk").run(["trust", "add", "login.example.com"] + places)
        #expect(trust.status == 0, "\(trust)")
        let silent = try await status()
        #expect(silent.status == 69 && silent.errors.contains("hint: does it run?"), "\(silent)")

        let kiosk = try start()
        let document = try #require(try await ready(), "\(kiosk.outputText) \(kiosk.errorText)")
        #expect(document.output.contains(#""sessions":{}"#) && document.output.contains(#""number":1"#), "\(document)")
        let words = try await status()
        #expect(words.status == 0 && words.output.hasPrefix("ready for a QR code\n"), "\(words)")
        #expect(try get("/healthz") == "ok\n")
        #expect(try get("/status").contains(#""condition":"ready""#))

        let metrics = try get("/metrics")
        #expect(metrics.contains("login_kiosk_condition{condition=\"ready\"} 1\n"), "\(metrics)")
        #expect(metrics.contains("login_kiosk_sessions_total{outcome=\"loggedIn\"} 0\n"))
        #expect(!metrics.contains("login.example.com"))
        try everyNameIsOnThePage(metrics)
        try await PromTool.check(metrics, in: scratch)

        // A killed kiosk leaves its socket, and the next one replaces it.
        _ = try await kiosk.end(by: SIGKILL)
        #expect(FileManager.default.fileExists(atPath: scratch.path("kiosk/status.sock")))
        #expect(try await status().status == 69)
        let next = try start()
        #expect(try await ready() != nil, "\(next.errorText)")
        #expect(try await next.end() == 0, "\(next.errorText)")
    }

    @Test func saysWhyNoPanelShowsTheScreen() async throws {
        let trust = try await Program("login-kiosk").run(["trust", "add", "login.example.com"] + places)
        #expect(trust.status == 0, "\(trust)")
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
        let page = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../docs/metrics.md")
        let text = try String(contentsOf: page, encoding: .utf8).components(separatedBy: "## The backend")[0]
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
        let checked = try await Program(executable: URL(filePath: path)).run(["check", "metrics"], input: metrics)
        #expect(checked.status == 0, "\(checked)")
    }
}
