// SPDX-License-Identifier: Apache-2.0

import Foundation
import KioskPorts
import KioskTestKit
import Testing
import LinuxSystem
@testable import Doors

@Suite struct DoorCommandTests {
    let scratch: Scratch
    let clock = ManualClock()
    static let opening = Opening(id: "0f", door: "main hall", userID: "$(id); alice@example.com", time: 0)

    init() throws { scratch = try Scratch() }

    private func command(_ path: String, _ arguments: [String] = []) throws -> DoorCommand {
        DoorCommand(
            command: path, arguments: arguments, time: Timekeeper(clock), logger: Scratch.silent,
            supervisor: try Scratch.kiosk)
    }

    @Test func startsAProgramWithItsArgumentsAndACleanEnvironment() async throws {
        let out = scratch.file("out")
        let script = try scratch.script(#"{ printf '<%s>' "$@"; echo; env | sort; pwd; cat; } > "\#(out)""#)
        try await command(script, ["--door", "a b; $HOME", ""]).carryOut(Self.opening)
        let lines = try scratch.content("out").split(separator: "\n").map(String.init)
        #expect(
            // The shell itself adds the last two.
            Set(lines).subtracting(["PWD=/", "_=/usr/bin/env"]) == [
                "<--door><a b; $HOME><>", "LOGIN_KIOSK_DOOR=main hall", "LOGIN_KIOSK_OPENING=0f",
                "LOGIN_KIOSK_USER=$(id); alice@example.com", "PATH=/usr/bin:/bin", "/",
            ])
    }

    /// The kiosk ignores SIGPIPE, but its child programs may rely on it.
    @Test func aProgramIsEndedByAPipeWithoutAReader() async throws {
        signal(SIGPIPE, SIG_IGN)
        let out = scratch.file("out")
        let script = try scratch.script(#"exec grep -E 'SigIgn' /proc/self/status > "\#(out)""#)
        try await command(script).carryOut(Self.opening)
        let ignored = try #require(try scratch.content("out").firstMatch(of: /\t([0-9a-f]+)/))
        #expect(try #require(UInt64(ignored.output.1, radix: 16)) & (1 << UInt64(SIGPIPE - 1)) == 0)
    }

    @Test func aProgramThatFailsOpensNothing() async throws {
        let script = try scratch.script("echo jammed; exit 3")
        let error = await #expect(throws: DoorFailure.self) { try await command(script).carryOut(Self.opening) }
        #expect(error?.reason == .broken && error?.detail.contains("failed") == true)
        let none = await #expect(throws: DoorFailure.self) {
            try await command(scratch.file("none")).carryOut(Self.opening)
        }
        #expect(none?.reason == .broken && none?.detail.contains("cannot be started") == true)
        let nul = Opening(id: "", door: "", userID: "a\u{0}b", time: 0)
        let refused = await #expect(throws: DoorFailure.self) { try await command(script).carryOut(nul) }
        #expect(refused?.reason == .broken)
    }

    @Test func aProgramThatSaysTooMuchIsHeardToTheEnd() async throws {
        let script = try scratch.script("head -c 300000 /dev/zero | tr '\\0' x; touch \(scratch.file("end"))")
        try await command(script).carryOut(Self.opening)
        #expect(FileManager.default.fileExists(atPath: scratch.file("end")))
    }

    /// Runs a program until it has written `pid`, and then lets its time expire.
    private func carryOutTooLong(_ script: String) async throws {
        let command = try command(try scratch.script(script))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                while (try? scratch.content("pid").hasSuffix("\n")) != true, !Task.isCancelled { await Task.yield() }
                await clock.waitForSleepers()
                clock.advance(by: DoorCommand.limit)
            }
            defer { group.cancelAll() }
            try await command.carryOut(Self.opening)
        }
    }

    /// Whether the process in the file has ended.
    private func isGone(_ file: String = "pid") throws -> Bool {
        let process = try #require(pid_t(try scratch.content(file).trimmingCharacters(in: .newlines)))
        return kill(process, 0) < 0 && errno == ESRCH
    }

    @Test func aProgramThatHangsIsEndedWithWhatItStarted() async throws {
        let error = await #expect(throws: DoorFailure.self) {
            try await carryOutTooLong(
                """
                sleep 600 & echo $! > \(scratch.file("child")); trap '' TERM; echo $$ > \(scratch.file("pid")); wait; sleep 600
                """)
        }
        #expect(error?.reason == .unknown)
        #expect(try isGone() && isGone("child"))
    }

    @Test(
        "A process that leaves the program's group and session is ended with it",
        arguments: ["setsid -f", "( setsid", "( ( setsid", "env -i setsid -f nohup", "setsid -f setsid -f setsid -f"])
    func noChildEscapes(_ start: String) async throws {
        let ends = String(repeating: " & )", count: start.count { $0 == "(" })
        let child = "trap \"\" TERM HUP; echo $$ > \(scratch.file("pid")); while :; do /bin/sleep 600; done"
        let error = await #expect(throws: DoorFailure.self) {
            try await carryOutTooLong("\(start) /bin/sh -c '\(child)' > /dev/null 2>&1 < /dev/null\(ends); sleep 600")
        }
        #expect(error?.reason == .unknown)
        #expect(try isGone())
    }

    @Test func whatTheProgramLeftBehindIsEndedAndItsStatusCounts() async throws {
        // The child waits until the program's end was noticed, and only then the time expires.
        let child = """
            setsid -f sh -c 'while kill -0 $0; do sleep 0.01; done; echo $$ > \(scratch.file("pid")); exec sleep 600' $$ \
                > /dev/null 2>&1
            """
        try await carryOutTooLong(child)
        #expect(try isGone())
        try FileManager.default.removeItem(atPath: scratch.file("pid"))
        let error = await #expect(throws: DoorFailure.self) { try await carryOutTooLong("\(child); exit 3") }
        #expect(error?.reason == .broken)
        #expect(try isGone())
    }

    /// A program in the background that ends in time, such as one that switches a relay off, is awaited.
    @Test func whatEndsInTimeIsWaitedFor() async throws {
        let script = try scratch.script(
            """
            setsid -f sh -c 'while [ ! -e \(scratch.file("go")) ]; do sleep 0.01; done; echo off > \(scratch.file("relay"))' \
                > /dev/null 2>&1
            echo on > \(scratch.file("relay")); touch \(scratch.file("go"))
            """)
        try await command(script).carryOut(Self.opening)
        #expect(try scratch.content("relay") == "off\n")
    }

    @Test func aKilledKioskLeavesNoProgram() throws {
        let script = try scratch.script("setsid -f sh -c 'echo $$; exec sleep 600'; echo $$; exec sleep 600")
        let kiosk = try ChildProcess(
            "/bin/sh", ["-c", "\(try Scratch.kiosk) supervise $$ \(script); :"], environment: ["PATH=/usr/bin:/bin"])
        let processes = try [kiosk.readLine(), kiosk.readLine()].map { try #require(pid_t($0 ?? "")) }
        #expect(processes.allSatisfy { kill($0, 0) == 0 })
        kiosk.kill()
        // A process that may still write keeps the pipe open.
        #expect(kiosk.readLine() == nil)
        #expect(processes.allSatisfy { kill($0, 0) < 0 && errno == ESRCH })
    }

    @Test func outputBecomesOneLine() {
        #expect(DoorCommand.oneLine("a\u{1B}[31mb\r\nc\n\n\u{202E}d") == "a[31mb | c | d")
    }
}
