// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import LinuxSystem
import Logging
import Subprocess
import SystemPackage

/// A program that opens the door, always with the same arguments.
///
/// No shell is involved. The program starts in `/`, without input and in a clean environment; variables name the
/// person, because they cannot be taken for options. It ends when the program and everything it started have ended.
/// After ``limit`` all of it is killed, in every group and session (``SupervisedProgram``).
struct DoorCommand: DoorAction {
    static let limit = Duration.seconds(10)
    /// The greatest length of its output in the log, in bytes; the rest is read and dropped.
    static let outputLimit = 2048

    let command: String
    let arguments: [String]
    let time: Timekeeper
    let logger: Logger
    /// The executable that calls ``SupervisedProgram/takeOver()``: the running one, except in tests.
    let supervisor: String

    private typealias Ending = (status: TerminationStatus, output: String)

    func carryOut(_ opening: Opening) async throws(DoorFailure) {
        // A zero byte would end the variable.
        guard !opening.userID.utf8.contains(0) else { throw DoorFailure(.broken, "no variable can have this identity") }
        // Checked each time, because another user may have gained access to the file since the kiosk started.
        do throws(FileFault) { try OwnedFile.check(command) } catch {
            throw DoorFailure(.broken, "\(command) cannot be started: \(error.advice)")
        }
        let ending: Ending
        do { ending = try await run(for: opening) } catch {
            throw DoorFailure(.broken, "\(command) cannot be started: \(error)")
        }
        switch ending {
        case (.exited(0), let output):
            logger.debug("the door's command ended", metadata: ["door": "\(opening.door)", "output": "\(output)"])
        // The supervisor's sign that it had to kill the program.
        case (.signaled, _):
            throw DoorFailure(.unknown, "\(command) did not end within \(Self.limit.text) and was ended")
        case (let status, let output):
            logger.error(
                "the door's command failed",
                metadata: ["door": "\(opening.door)", "status": "\(status)", "output": "\(output)"])
            throw DoorFailure(.broken, "\(command) failed: \(status)")
        }
    }

    private func run(for opening: Opening) async throws -> Ending {
        // The supervisor needs half a second to end everything. If it were killed itself, nobody would.
        let teardown = [TeardownStep.gracefulShutDown(allowedDurationToNextStep: .seconds(5))]
        var options = PlatformOptions()
        // A group of its own, because Ctrl-C is meant for the kiosk.
        options.processGroupID = 0
        options.teardownSequence = teardown
        let result = try await Subprocess.run(
            .path(FilePath(supervisor)), arguments: Arguments(SupervisedProgram.arguments(command, arguments)),
            environment: .custom([
                "PATH": "/usr/bin:/bin", "LOGIN_KIOSK_USER": opening.userID, "LOGIN_KIOSK_DOOR": opening.door,
                "LOGIN_KIOSK_OPENING": opening.id,
            ]), workingDirectory: "/", platformOptions: options, input: .none, output: .sequence,
            error: .combinedWithOutput
        ) { execution in
            try await withThrowingTaskGroup(of: String.self) { group in
                // The supervisor writes nothing, and keeps its end open until everything has ended.
                group.addTask { try await Self.start(of: execution.standardOutput) }
                group.addTask {
                    try await time.sleep(Self.limit)
                    await execution.teardown(using: teardown)
                    return ""
                }
                defer { group.cancelAll() }
                return try await group.next() ?? ""
            }
        }
        return (result.terminationStatus, result.closureResult)
    }

    /// Reads everything, and keeps the beginning as one line.
    private static func start(of output: SubprocessOutputSequence) async throws -> String {
        var kept: [UInt8] = []
        for try await chunk in output {
            // Safe: the bytes are copied while the chunk is lent.
            unsafe chunk.withUnsafeBytes { bytes in
                unsafe kept.append(contentsOf: bytes.prefix(outputLimit - kept.count))
            }
        }
        return kept.isEmpty ? "" : oneLine(String(decoding: kept, as: UTF8.self))
    }

    /// The output of a program, made safe for a log: line ends become ` | `, other control and direction characters are
    /// removed.
    static func oneLine(_ text: String) -> String {
        let lines = text.split(whereSeparator: \.isNewline)
        return lines.map { String(String.UnicodeScalarView($0.unicodeScalars.filter(isVisible))) }
            .joined(separator: " | ")
    }

    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }
}
