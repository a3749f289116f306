// SPDX-License-Identifier: Apache-2.0

import Foundation
import KioskPorts
import KioskTestKit
import Testing
import Waiting
@testable import Doors

@Suite struct DoorCommandTests {
    let scratch: Scratch
    let clock = ManualClock()
    static let opening = Opening(id: "0f", door: "main hall", userID: "$(id); alice@example.com", time: 0)

    init() throws { scratch = try Scratch() }

    private func command(_ path: String, _ arguments: [String] = []) -> DoorCommand {
        DoorCommand(command: path, arguments: arguments, time: Timekeeper(clock), logger: Scratch.silent)
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

    /// The kiosk ignores a pipe without a reader; what it starts may rely on the signal.
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

    @Test func aProgramThatHangsIsEndedWithWhatItStarted() async throws {
        let script = try scratch.script("echo $$ > \(scratch.file("pid")); trap '' TERM; sleep 600 & wait; sleep 600")
        let command = command(script)
        let error = await withTaskGroup(of: Void.self) { group in
            group.addTask {
                // Not before the program runs.
                while (try? scratch.content("pid").hasSuffix("\n")) != true, !Task.isCancelled { await Task.yield() }
                await clock.waitForSleepers()
                clock.advance(by: DoorCommand.limit)
            }
            defer { group.cancelAll() }
            return await #expect(throws: DoorFailure.self) { try await command.carryOut(Self.opening) }
        }
        #expect(error?.reason == .unknown)
        let group = try #require(
            pid_t(try scratch.content("pid").trimmingCharacters(in: .whitespacesAndNewlines)))
        // Gone as soon as somebody has taken note of it.
        while kill(-group, 0) == 0, !Task.isCancelled { try await Task.sleep(for: .milliseconds(10)) }
        #expect(errno == ESRCH)
    }

    @Test func outputBecomesOneLine() {
        #expect(DisplayLines.oneLine("a\u{1B}[31mb\r\nc\n\n\u{202E}d") == "a[31mb | c | d")
    }
}
