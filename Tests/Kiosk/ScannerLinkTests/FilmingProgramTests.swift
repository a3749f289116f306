// SPDX-License-Identifier: Apache-2.0

import Capture
import Foundation
import Glibc
import KioskPorts
import Logging
import LoginValues
import Patience
import PictureTestKit
import ScannerLink
import Testing

/// The whole path of a sensor: a program instead of `rpicam-vid`, the named pipe, the confined scanner.
@Suite("A program that films", .serialized, .timeLimit(.minutes(10)))
final class FilmingProgramTests {
    private static let text = "https://login.example.com/mfa#c0de"

    private let folder: TemporaryFolder
    private let pipe: String

    init() throws {
        folder = try TemporaryFolder.made()
        pipe = folder.path + "/film.yuv"
        // Safe: the text is lent for the call.
        let status = unsafe mkfifo(pipe, 0o600)
        try #require(status == 0)
        let code = QRPicture.encode(Self.text)
        let picture = code.placed(
            onWidth: 640, height: 480, x: (640 - code.width) / 2, y: (480 - code.height) / 2, shade: 200)
        try folder.write(picture.pixels + [UInt8](repeating: 128, count: 640 * 480 / 2), to: "frame.yuv")
    }

    /// Runs a program for a scanner. The program records its process id and arguments.
    private func film(
        _ script: String, _ body: (inout RunningLink) async throws -> Void
    ) async throws {
        let lines = ["#!/bin/sh", "cd '\(folder.path)'", "echo $$ >> numbers", #"echo "$@" > arguments"#, script, ""]
        let path = try folder.write(Array(lines.joined(separator: "\n").utf8), to: SensorRequest.program)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
        let request = SensorRequest(try #require(RawStreamFormat(width: 640, height: 480)), rate: 15)
        let program = FilmingProgram(
            executable: path, arguments: request.arguments, pipe: pipe, clock: ImpatientClock(),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await program.run() }
            try await RunningLink.with(source: request.source(readFrom: pipe), body)
            group.cancelAll()
        }
        #expect(try !numbers().contains(where: ProcessTable.has))
    }

    /// The process ids of all its runs.
    private func numbers() throws -> [pid_t] {
        try String(contentsOfFile: folder.path + "/numbers", encoding: .utf8).split(separator: "\n")
            .compactMap { pid_t($0) }
    }

    @Test func aCodeIsReadAndARestEndsTheProgram() async throws {
        try await film("while cat frame.yuv; do sleep 0.05; done") { running in
            #expect(await running.symbol() == SecretBytes(copying: Array(Self.text.utf8)))
            let arguments = try String(contentsOfFile: folder.path + "/arguments", encoding: .utf8)
            #expect(arguments.contains("--codec yuv420 --width 640 --height 480 --framerate 15.0"))
            await running.link.pause()
            let filming = try #require(try numbers().last)
            _ = try await Patience.wait { ProcessTable.has(filming) ? nil : true }
            #expect(!ProcessTable.has(filming))
            await running.link.resume()
            // A code that was seen before the pause may still be on its way.
            try await Patience.until { try numbers().count >= 2 }
            #expect(await running.symbol() == SecretBytes(copying: Array(Self.text.utf8)))
        }
    }

    /// The program ends in the middle of a frame, and is restarted.
    @Test func aProgramThatEndsIsStartedAgain() async throws {
        try await film("cat frame.yuv frame.yuv; head -c 1000 frame.yuv; echo 'no sensor' >&2; exit 1") { running in
            for _ in 0..<3 {
                #expect(await running.symbol() == SecretBytes(copying: Array(Self.text.utf8)))
                #expect(await running.untilUnavailable()?.contains("the program that films has ended") == true)
            }
        }
        #expect(try numbers().count >= 3)
    }

    @Test func aSilentProgramIsStartedAgain() async throws {
        try await film("[ -e heard ] || exec sleep 1000; while cat frame.yuv; do sleep 0.05; done") { running in
            #expect(await running.untilUnavailable()?.contains("has brought no frame for") == true)
            // Not before: the scanner may close the pipe before it reads, which ends the first program.
            try folder.write([], to: "heard")
            #expect(await running.symbol() == SecretBytes(copying: Array(Self.text.utf8)))
        }
    }
}
