// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationNetworking
import Glibc
import LinuxSystem
import Patience
import Testing

/// Long-running programs under signals at any moment, and with closed streams at the start.
@Suite("Programs that are told to stop", .fewAtATime)
struct StopTests {
    private static let repetitions = TestEffort.rounds(2)

    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    enum Lasting: String, CaseIterable, Sendable {
        case run, backend, demo, scan

        /// The exit code after a requested end.
        var status: Int32 { self == .demo ? 75 : 0 }
    }

    private func arguments(_ lasting: Lasting) throws -> [String] {
        switch lasting {
        case .run: try scratch.atAWall(keys: "wait 60\n")
        case .backend: ["backend", "--listen", "127.0.0.1:0", "--admit", "anybody", "--state", scratch.path("backend")]
        case .demo: ["demo"]
        case .scan: ["scan", "--source", "file,loop:\(try scratch.wall())"]
        }
    }

    /// A backend reads its certificate again after SIGHUP.
    private static let stops = Lasting.allCases.flatMap { lasting in
        ([SIGTERM, SIGINT, SIGQUIT] + (lasting == .backend ? [] : [SIGHUP])).map { (lasting, $0) }
    }

    /// From the program's first statement, which handles signals, until it has worked for some time.
    @Test(arguments: stops)
    func atAnyMoment(lasting: Lasting, signal: Int32) async throws {
        let temporary = scratch.path("tmp")
        try FileManager.default.createDirectory(atPath: temporary, withIntermediateDirectories: true)
        for _ in 0..<Self.repetitions {
            let program = try BackgroundProgram(
                "login-kiosk", arguments(lasting), environment: ["TMPDIR": temporary], in: scratch)
            let isCaught = try await Patience.wait(every: .milliseconds(1)) {
                Self.catches(signal, program.processID) || !program.isRunning ? true : nil
            }
            try #require(isCaught == true && program.isRunning, "\(program.errorText)")
            let delay = Int.random(in: 0..<600)
            try await Task.sleep(for: .milliseconds(delay))
            let status = try await program.end(by: signal)
            #expect(status == lasting.status, "after \(delay) ms: \(program.outputText) \(program.errorText)")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary) == [])
    }

    /// Before and after it serves, and again and again.
    @Test func aBackendServesOnAfterHangups() async throws {
        let backend = try BackgroundProgram("login-kiosk", arguments(.backend), in: scratch)
        _ = try await Patience.wait(every: .milliseconds(1)) {
            Self.catches(SIGHUP, backend.processID) || !backend.isRunning ? true : nil
        }
        for _ in 0..<5 { kill(backend.processID, SIGHUP) }
        let site = try await backend.line(after: "serving ")
        for _ in 0..<5 {
            kill(backend.processID, SIGHUP)
            let url = try #require(URL(string: site + "/healthz"))
            #expect(String(decoding: try await URLSession.shared.data(from: url).0, as: UTF8.self) == "ok\n")
        }
        #expect(try await backend.end(by: SIGTERM) == 0)
    }

    /// A load balancer notices that the process stops while people are still served.
    @Test func aBackendDrains() async throws {
        let backend = try BackgroundProgram(
            "login-kiosk", arguments(.backend) + ["--drain-time", "300"], in: scratch)
        let site = try await backend.line(after: "serving ")
        func answer(_ path: String) async throws -> String {
            String(
                decoding: try await URLSession.shared.data(from: #require(URL(string: site + path))).0, as: UTF8.self)
        }
        #expect(try await answer("/readyz") == "ready\n")
        kill(backend.processID, SIGTERM)
        _ = try await Patience.wait { try await answer("/readyz") == "stopping\n" ? true : nil }
        #expect(try await answer("/readyz") == "stopping\n")
        #expect(try await answer("/healthz") == "ok\n")
        #expect(try await answer("/").contains("qr.png"))
        #expect(backend.isRunning)
    }

    /// Whether a process has a handler for a signal.
    private static func catches(_ signal: Int32, _ process: Int32) -> Bool {
        let status = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
        let mask = status.firstMatch(of: /SigCgt:\s*([0-9a-f]+)/).flatMap { UInt64($0.output.1, radix: 16) } ?? 0
        return mask & (1 << UInt64(signal - 1)) != 0
    }

    /// A program started with `nohup` outlives its terminal.
    @Test func whatIsToOutliveItsTerminalDoes() async throws {
        let program = try Program("login-kiosk").executable.path()
        let shell = try BackgroundProgram(
            Program(executable: URL(filePath: "/bin/sh")),
            ["-c", #"trap '' HUP; exec "$@""#, "sh", program] + arguments(.backend), in: scratch)
        _ = try await shell.line(after: "serving ")
        kill(shell.processID, SIGHUP)
        #expect(try await shell.end(by: SIGTERM) == 0)
        #expect(shell.outputText.contains("operator's page"))
    }

    /// A backend in the foreground ends with its terminal. One that the shell has disowned goes on, and then reads its
    /// certificate again when a person sends the signal.
    @Test(arguments: [false, true]) func aClosedTerminalEndsItsOwnBackend(isDisowned: Bool) async throws {
        var terminal = PseudoTerminal()
        let (output, process) = (scratch.url.appending(path: "serving"), Process())
        try Data().write(to: output)
        // The shell leads the terminal's session. With `set -m` each job has a process group of its own.
        let script =
            isDisowned
            ? #"set -m; "$@" > "$0" & disown; echo $! > "$0.pid"; cat"# : #"echo $$ > "$0.pid"; exec "$@" > "$0""#
        process.executableURL = URL(filePath: "/usr/bin/setsid")
        process.arguments =
            try ["--ctty", "/bin/bash", "-c", script, output.path(), try Program("login-kiosk").executable.path()]
            + arguments(.backend)
        process.environment = Program.cleanEnvironment
        process.standardInput = FileHandle(fileDescriptor: try #require(terminal).device, closeOnDealloc: false)
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        let address = try #require(
            try await Patience.wait(Program.patience) {
                let lines = (try? String(contentsOf: output, encoding: .utf8))?.split(separator: "\n") ?? []
                return lines.first { $0.hasPrefix("serving ") }.map { String($0.dropFirst("serving ".count)) }
            })
        // The backend may serve before the shell has disowned it and tells its number.
        let backend = try #require(
            try await Patience.wait(Program.patience) {
                let line = (try? String(contentsOfFile: output.path() + ".pid", encoding: .utf8)) ?? ""
                return line.last == "\n" ? Int32(line.dropLast()) : nil
            })
        defer { kill(backend, SIGKILL) }
        let url = try #require(URL(string: address + "/healthz"))
        func serves() async -> Bool { (try? await URLSession.shared.data(from: url))?.0 == Data("ok\n".utf8) }
        #expect(await serves())
        terminal = nil
        if isDisowned {
            for _ in 0..<5 {
                kill(backend, SIGHUP)
                #expect(await serves())
            }
            kill(backend, SIGTERM)
        }
        let hasEnded = try await Patience.wait(Program.patience) { await serves() ? nil : true }
        #expect(hasEnded != nil)
    }

    @Test(arguments: ["<&-", ">&-", "2>&-", "<&- >&- 2>&-", "| true", "2>&1 | true"])
    func withStreamsThatAreClosed(streams: String) async throws {
        let program = try Program("login-kiosk").executable.path()
        let (arguments, status) = (try scratch.atAWall(keys: ""), scratch.path("status"))
        for _ in 0..<Self.repetitions {
            _ = try await Program(executable: URL(filePath: "/bin/sh")).run(
                ["-c", #"{ "$@"; echo $? > '\#(status)'; } \#(streams)"#, "sh", program] + arguments)
            #expect(try String(contentsOfFile: status, encoding: .utf8) == "0\n")
        }
    }
}
