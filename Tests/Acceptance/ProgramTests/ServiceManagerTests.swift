// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Patience
import Testing

/// `run` under a service manager: its socket, a watchdog, a journal, and `SIGHUP`.
@Suite("login-kiosk run under a service manager", .fewAtATime)
struct ServiceManagerTests {
    let scratch: Scratch
    private let manager: Manager

    init() throws {
        scratch = try Scratch()
        manager = try Manager()
    }

    /// The other end of `NOTIFY_SOCKET`.
    private final class Manager {
        let name = "@login-kiosk-test-\(UUID().uuidString)"
        private let descriptor: Int32
        private(set) var lines: [String] = []

        init() throws {
            descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            let bytes = [0] + Array(name.utf8.dropFirst())
            unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
            let offset = try #require(MemoryLayout<sockaddr_un>.offset(of: \.sun_path))
            let length = socklen_t(offset + bytes.count)
            let bound = unsafe withUnsafePointer(to: &address) { address in
                unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe bind(descriptor, $0, length) }
            }
            try #require(bound == 0)
        }

        deinit { close(descriptor) }

        private func take() {
            var buffer = [UInt8](repeating: 0, count: 4096)
            while true {
                let count = unsafe recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
                guard count > 0 else { return }
                lines += String(decoding: buffer[..<count], as: UTF8.self).split(separator: "\n").map(String.init)
            }
        }

        /// Waits for the next message with this prefix.
        func hears(_ prefix: String) async throws {
            let found = try await Patience.wait { () -> Int? in
                take()
                return lines.firstIndex { $0.hasPrefix(prefix) }
            }
            let index = try #require(found, "no \(prefix) in \(lines)")
            lines.removeSubrange(...index)
        }
    }

    private func start(_ environment: [String: String] = [:]) throws -> BackgroundProgram {
        // Standard error is the journal if device and inode match.
        let script = #"JOURNAL_STREAM=$(stat -L -c %d:%i /proc/self/fd/2) exec "$@""#
        return try BackgroundProgram(
            Program(executable: URL(filePath: "/bin/sh")),
            ["-c", script, "sh", Program("login-kiosk").executable.path()] + scratch.atAWall(loops: true)
                + ["--log-level", "notice"],
            environment: ["NOTIFY_SOCKET": manager.name].merging(environment) { $1 }, in: scratch)
    }

    private func write(_ name: String, _ text: String) throws { try scratch.write(text, to: "config/\(name)") }

    @Test func fromReadyToStopping() async throws {
        try write("trusted", "login.example.com\n")
        let program = try start(["WATCHDOG_USEC": "200000"])
        try await manager.hears("READY=1")
        try await manager.hears("STATUS=ready for a QR code")
        for _ in 0..<3 { try await manager.hears("WATCHDOG=1") }
        #expect(try await program.end() == 0)
        try await manager.hears("STOPPING=1")
        try await manager.hears("STATUS=stopping")
    }

    @Test("Kiosk and scanner release memory of code that only the start needs, and continue")
    func letsGoOfCode() async throws {
        try write("trusted", "login.example.com\n")
        let program = try start(["WATCHDOG_USEC": "200000"])
        try await manager.hears("READY=1")
        let isLess = try await Patience.wait { () -> Bool? in
            let processes = [program.processID] + children(of: program.processID)
            // Without the release nine of ten pages would be file pages.
            return processes.count == 2 && processes.allSatisfy { kib("RssFile", $0) * 2 < kib("VmHWM", $0) }
                ? true : nil
        }
        #expect(isLess == true)
        try await manager.hears("WATCHDOG=1")
        #expect(try await program.end() == 0)
    }

    /// - Returns: a number from the process's status, which every user may read.
    private func kib(_ name: String, _ process: Int32) -> Int {
        let status = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix(name + ":") }
        return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0
    }

    private func children(of process: Int32) -> [Int32] {
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? []
        return threads.flatMap { thread in
            let path = "/proc/\(process)/task/\(thread)/children"
            return ((try? String(contentsOfFile: path, encoding: .utf8)) ?? "").split(separator: " ").compactMap {
                Int32($0)
            }
        }
    }

    @Test("Settings and trust list are reloaded, and mistakes in them change nothing")
    func hangup() async throws {
        try write("trusted", "")
        let program = try start()
        try await manager.hears("READY=1")
        try await manager.hears("STATUS=no service is trusted yet")

        try write("trusted", "login.example.com\n")
        kill(program.processID, SIGHUP)
        try await manager.hears("RELOADING=1")
        try await manager.hears("MONOTONIC_USEC=")
        try await manager.hears("READY=1")
        try await manager.hears("STATUS=ready for a QR code")

        try write("trusted", "login.example.com\nno host at all!\n")
        kill(program.processID, SIGHUP)
        try await manager.hears("RELOADING=1")
        try await manager.hears("READY=1")
        try await manager.hears(
            "STATUS=ready for a QR code; the settings stay as they were: \(scratch.path("config/trusted")):2")

        try write("trusted", "login.example.com\n")
        try write("config.d/10.yaml", "policy: {weak-pins: refuse}\nscreen: {language: de}\n")
        kill(program.processID, SIGHUP)
        try await manager.hears("READY=1")
        try await manager.hears("STATUS=ready for a QR code; at the next start: screen.language")

        try write("config.d/10.yaml", "network: {ca-file: \(scratch.path("wall.y4m"))}\n")
        kill(program.processID, SIGHUP)
        try await manager.hears("READY=1")
        try await manager.hears("STATUS=ready for a QR code; the settings stay as they were: \(scratch.path("config"))")
        #expect(program.isRunning)
        #expect(try await program.end() == 0)
        // Lines for the journal have a priority, and no time.
        let lines = program.errorText.split(separator: "\n")
        #expect(lines.allSatisfy { $0.wholeMatch(of: /<[2-7]>kiosk: .*/) != nil }, "\(program.errorText)")
        #expect(lines.contains { $0.hasPrefix("<3>kiosk: reason=") && $0.hasSuffix("the settings stay as they were") })
        #expect(lines.contains { $0 == "<4>kiosk: settings=screen.language takes effect at the next start" })
    }

    @Test("Invalid values are logged, and the kiosk runs without them")
    func badValues() async throws {
        try write("trusted", "login.example.com\n")
        for (environment, words) in [
            (["NOTIFY_SOCKET": "vsock:2:1"], "NOTIFY_SOCKET is neither"),
            (["WATCHDOG_USEC": "soon"], "WATCHDOG_USEC is not a number"),
        ] {
            let program = try start(environment)
            try await program.error(containing: words)
            #expect(try await program.end() == 0, "\(program.errorText)")
        }
    }
}
