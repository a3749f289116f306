// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import LinuxSystem
import Logging
import Subprocess
import SystemPackage
import Waiting

/// A program that opens the door, with arguments that are always the same.
///
/// No shell reads anything. The program starts in `/`, with nothing to read and in a clean environment; who it is
/// for stands in variables, which cannot be taken for options. It ends within ``limit``, or it is ended with
/// everything it started.
struct DoorCommand: DoorAction {
    static let limit = Duration.seconds(10)
    /// How much of what it says is logged, in bytes; the rest is read and dropped.
    static let outputLimit = 2048

    let command: String
    let arguments: [String]
    let time: Timekeeper
    let logger: Logger

    private enum Ending: Sendable {
        case ended(TerminationStatus, output: String)
        case notStarted(String)
        case tooLong
    }

    func carryOut(_ opening: Opening) async throws(DoorFailure) {
        // A variable would end there.
        guard !opening.userID.utf8.contains(0) else { throw DoorFailure(.broken, "no variable can have this identity") }
        // Each time, for another user may have got the right to change the file since the kiosk started.
        do throws(FileFault) { try OwnedFile.judge(command) } catch {
            throw DoorFailure(.broken, "\(command) cannot be started: \(error.advice)")
        }
        let ending = await withTaskGroup(of: Ending?.self) { group in
            group.addTask { await self.run(for: opening) }
            group.addTask {
                do { try await self.time.sleep(Self.limit) } catch { return nil }
                return .tooLong
            }
            defer { group.cancelAll() }
            for await ending in group {
                if let ending { return ending }
            }
            return .tooLong
        }
        switch ending {
        case .ended(.exited(0), let output):
            logger.debug("the door's command ended", metadata: ["door": "\(opening.door)", "output": "\(output)"])
        case .ended(let status, let output):
            logger.error(
                "the door's command failed",
                metadata: ["door": "\(opening.door)", "status": "\(status)", "output": "\(output)"])
            throw DoorFailure(.broken, "\(command) failed: \(status)")
        case .notStarted(let reason): throw DoorFailure(.broken, "\(command) cannot be started: \(reason)")
        case .tooLong: throw DoorFailure(.unknown, "\(command) did not end within \(Self.limit.text) and was ended")
        }
    }

    private func run(for opening: Opening) async -> Ending {
        var options = PlatformOptions()
        // A group of its own: Ctrl-C is meant for the kiosk, and what the program started ends with it.
        options.processGroupID = 0
        options.teardownSequence = [
            .gracefulShutDown(toProcessGroup: true, allowedDurationToNextStep: .milliseconds(500))
        ]
        do {
            let result = try await Subprocess.run(
                .path(FilePath(command)), arguments: Arguments(arguments),
                environment: .custom([
                    "PATH": "/usr/bin:/bin", "LOGIN_KIOSK_USER": opening.userID, "LOGIN_KIOSK_DOOR": opening.door,
                    "LOGIN_KIOSK_OPENING": opening.id,
                ]), workingDirectory: "/", platformOptions: options, input: .none, output: .sequence,
                error: .combinedWithOutput
            ) { execution in
                try await Self.start(of: execution.standardOutput)
            }
            return .ended(result.terminationStatus, output: result.closureResult)
        } catch {
            return .notStarted("\(error)")
        }
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
        return kept.isEmpty ? "" : DisplayLines.oneLine(String(decoding: kept, as: UTF8.self))
    }
}

/// What a program printed, made safe for a log.
enum DisplayLines {
    /// One line: line ends become ` | `, other control and direction characters go.
    static func oneLine(_ text: String) -> String {
        text.split(whereSeparator: \.isNewline).map { line in
            String(
                String.UnicodeScalarView(
                    line.unicodeScalars.filter { scalar in
                        switch scalar.properties.generalCategory {
                        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
                            .paragraphSeparator:
                            false
                        default: true
                        }
                    }))
        }.joined(separator: " | ")
    }
}
