// SPDX-License-Identifier: Apache-2.0

import Patience
import Foundation
import KioskPorts
import KioskTestKit
import Logging
import LoginValues
import PictureTestKit
import Testing
@testable import ScannerLink

@Suite("The scanner's process and its parent's end of the pipe", .serialized, .timeLimit(.minutes(10)))
struct ScannerProcessTests {
    private static let text = "https://login.example.com/mfa#c0de"
    private static let secret = SecretBytes(copying: Array(text.utf8))

    /// A folder with one picture of the code.
    private static func folder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder.made()
        try folder.write(QRPicture.encode(text).png(), to: "1.png")
        return folder
    }

    /// A program instead of the scanner, which first records its process id.
    private static func script(_ text: String, in folder: TemporaryFolder) throws -> String {
        let lines = ["#!/bin/sh", "echo $$ >> '\(folder.path)/numbers'", text, ""]
        let path = try folder.write(Array(lines.joined(separator: "\n").utf8), to: "scanner")
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
        return path
    }

    /// The process ids of all such programs.
    private static func noted(in folder: TemporaryFolder) throws -> [pid_t] {
        try String(contentsOfFile: folder.path + "/numbers", encoding: .utf8).split(separator: "\n")
            .compactMap { pid_t($0) }
    }

    @Test func aSymbolArrivesAndTheSourceEnds() async throws {
        let folder = try Self.folder()
        try await RunningLink.with(source: "dir:\(folder.path)") { running in
            #expect(await running.untilAvailable().isEmpty)
            #expect(await running.symbol() == Self.secret)
            #expect(await running.next() == nil)
        }
    }

    /// Nothing is opened during a pause, so the first pictures come after it.
    @Test func aPauseHoldsFromBeforeTheStartAndAcrossARestart() async throws {
        let folder = try Self.folder()
        try await RunningLink.with(source: "dir,loop,rate=200:\(folder.path)", isPaused: true) { running in
            let first = try await ProcessTable.child(with: folder.path)
            kill(first, SIGKILL)
            guard case .unavailable = await running.next() else {
                Issue.record("something was seen in a pause")
                return
            }
            _ = try await ProcessTable.child(with: folder.path, after: first)
            await running.link.resume()
            #expect(await running.untilAvailable().isEmpty)
            #expect(await running.symbol() == Self.secret)
        }
    }

    /// Previews go on, too, as long as they are wanted.
    @Test func aKilledScannerIsStartedAgainAndGoesOnReading() async throws {
        let folder = try Self.folder()
        try await RunningLink.with(source: "dir,loop,rate=200:\(folder.path)") { running in
            running.link.wantsPreviews(true)
            var previews = running.link.previews.makeAsyncIterator()
            for _ in 0..<2 {
                #expect(await running.symbol() == Self.secret)
                #expect(await previews.next() != nil)
                let child = try #require(ProcessTable.children(with: folder.path).first)
                kill(child, SIGKILL)
                #expect(await running.untilUnavailable()?.contains("ended without a word") == true)
            }
            #expect(await running.symbol() == Self.secret)
            // One that was on its way, and one of the new process.
            for _ in 0..<2 { #expect(await previews.next() != nil) }
        }
    }

    @Test func aBadSourceIsNamedWithARemedy() async throws {
        try await RunningLink.with(source: "dir:/nowhere/at/all") { running in
            let reason = await running.untilUnavailable()
            #expect(reason?.contains("/nowhere/at/all") == true)
            #expect(reason?.contains("check the path") == true)
        }
    }

    @Test func aMissingProgramIsNamed() async throws {
        try await RunningLink.with("/nowhere/login-kiosk-scanner", source: "x") { running in
            #expect(await running.untilUnavailable()?.contains("/nowhere/login-kiosk-scanner") == true)
        }
    }

    /// A child that was taken over, or is not the scanner at all. It is killed and restarted, and none of its output
    /// is believed.
    @Test(arguments: [
        "exec yes", "exec cat /dev/zero", "exec cat /dev/urandom", "exec yes >&2", "exec echo", "exec true",
        #"printf '\4\0\0\0\1\7\0\0'; exec sleep 1000"#,
        "trap '' TERM; printf zzzz; while :; do read x || sleep 1; done",
    ])
    func aHostileChildIsSurvived(text: String) async throws {
        let folder = try TemporaryFolder.made()
        try await RunningLink.with(try Self.script(text, in: folder), source: "x") { running in
            for _ in 0..<2 {
                guard case .unavailable = await running.next() else {
                    Issue.record("it was believed")
                    return
                }
            }
        }
        let children = try Self.noted(in: folder)
        #expect(children.count >= 2 && !children.contains(where: ProcessTable.has))
    }

    @Test func aChildThatSaysNothingIsEnded() async throws {
        let folder = try TemporaryFolder.made()
        try await RunningLink.with(try Self.script("exec sleep 1000", in: folder), source: "x") { running in
            #expect(await running.untilUnavailable()?.contains("said nothing") == true)
        }
        #expect(try !Self.noted(in: folder).contains(where: ProcessTable.has))
    }

    /// Time runs fast. The child is silent until its parent has said that it looks for longer than others may be silent.
    @Test func aChildThatAnnouncesALongLookIsWaitedFor() async throws {
        let folder = try TemporaryFolder.made()
        let end = folder.path + "/end"
        let words =
            #"printf '\4\0\0\0\1\\#(ScannerMessage.version)\0\0\1\0\0\0\7'; "#
            + #"until [ -e '\#(end)' ]; do sleep 0.1; done; printf '\2\0\0\0\5\3'"#
        try await RunningLink.with(try Self.script(words, in: folder), source: "x", clock: HurriedClock()) { running in
            var longest = Duration.zero
            while let report = await running.next() {
                guard case .looking(let duration) = report else {
                    Issue.record("it was not waited for: \(report)")
                    return
                }
                longest = duration
                if duration > ScannerProcess.patience { try folder.write([], to: "end") }
            }
            #expect(longest > ScannerProcess.patience)
        }
        #expect(try Self.noted(in: folder).count == 1)
    }

    /// As a scanner that crashes while it varies the camera's exposure.
    @Test func theNextChildGivesBackWhatTheFirstTook() async throws {
        let folder = try TemporaryFolder.made()
        let words =
            "echo \"$@\" >> '\(folder.path)/arguments'; "
            + #"printf '\4\0\0\0\1\\#(ScannerMessage.version)\0\1\13\0\0\0\11\1\1\11\232\0\3\0\0\0\2'"#
        try await RunningLink.with(try Self.script(words, in: folder), source: "x") { running in
            for _ in 0..<2 { #expect(await running.untilUnavailable() != nil) }
        }
        let arguments = try String(contentsOfFile: folder.path + "/arguments", encoding: .utf8)
        #expect(arguments.hasPrefix("--source x\n--source x --give-back 10094849:3:2\n"), "\(arguments)")
    }

    @Test func aChildThatSaysTheEndAndStaysIsEnded() async throws {
        let folder = try TemporaryFolder.made()
        let words = #"printf '\4\0\0\0\1\\#(ScannerMessage.version)\0\0\2\0\0\0\5\3'; exec sleep 1000 >/dev/null"#
        try await RunningLink.with(try Self.script(words, in: folder), source: "x") { running in
            #expect(await running.next() == nil)
        }
        #expect(try !Self.noted(in: folder).contains(where: ProcessTable.has))
    }

    /// The message for the operator is above the default log level.
    @Test(arguments: [false, true])
    func aKernelThatDoesNotConfineFilesIsWarnedOf(confinesFiles: Bool) async throws {
        let folder = try TemporaryFolder.made()
        // It is silent until the test allows it to speak.
        let go = folder.path + "/go"
        let words =
            #"until [ -e '\#(go)' ]; do sleep 0.1; done; "#
            + #"printf '\4\0\0\0\1\\#(ScannerMessage.version)\0\\#(confinesFiles ? 1 : 0)\4\0\0\0\5\1\0\0'; exec sleep 1000"#
        let log = LogCapture()
        try await RunningLink.with(try Self.script(words, in: folder), source: "x", log: log) { running in
            #expect(running.link.confinesFiles == nil)
            try Data().write(to: URL(fileURLWithPath: go))
            #expect(await running.untilAvailable().isEmpty)
            #expect(running.link.confinesFiles == confinesFiles)
        }
        #expect(log.messages(at: .warning).contains { $0.contains("no Landlock") } == !confinesFiles)
    }

    @Test(arguments: [false, true])
    func cancellingEndsTheChild(isPaused: Bool) async throws {
        let folder = try Self.folder()
        var children: [pid_t] = []
        try await RunningLink.with(source: "dir,loop,rate=200:\(folder.path)", isPaused: isPaused) { running in
            if !isPaused { #expect(await running.untilAvailable().isEmpty) }
            children = [try await ProcessTable.child(with: folder.path)]
        }
        #expect(children.count == 1 && !children.contains(where: ProcessTable.has))
    }
}
