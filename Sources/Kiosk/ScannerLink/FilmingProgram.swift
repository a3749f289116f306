// SPDX-License-Identifier: Apache-2.0

import Glibc
import KioskPorts
public import Logging
import Subprocess
import Synchronization
import SystemPackage
import LinuxSystem

/// A program that films to its standard output, such as `rpicam-vid`. It runs while the scanner has the named pipe
/// open for reading. The scanner may start no program, so its parent does.
public final class FilmingProgram: Sendable {
    /// The time between two checks whether the pipe has a reader.
    private static let readerInterval = Duration.milliseconds(100)
    /// The length of the program's last output that is kept, in bytes.
    private static let complaintLimit = 1024

    private let executable: String
    private let arguments: [String]
    private let pipe: String
    private let time: Timekeeper
    private let logger: Logger
    private let complaint = Mutex<String?>(nil)

    /// The program's last message on its standard error; nil when there was none.
    public var lastComplaint: String? { complaint.withLock(\.self) }

    /// - Parameters:
    ///   - executable: its path.
    ///   - pipe: path of the named pipe.
    ///   - clock: for the pauses between starts.
    public init(
        executable: String, arguments: [String], pipe: String, clock: some Clock<Duration> = ContinuousClock(),
        logger: Logger
    ) {
        self.executable = executable
        self.arguments = arguments
        self.pipe = pipe
        time = Timekeeper(clock)
        self.logger = logger
    }

    /// Runs until the task is cancelled.
    public func run() async {
        var failures = 0
        while !Task.isCancelled {
            guard let end = openEnd() else {
                try? await time.sleep(FilmingProgram.readerInterval)
                continue
            }
            let started = time.elapsed()
            guard await endsByItself(filming: end), !Task.isCancelled else {
                failures = 0
                continue
            }
            if time.elapsed() - started > ScannerProcess.healthyAge { failures = 0 }
            let pause = ScannerProcess.restartPauses[min(failures, ScannerProcess.restartPauses.count - 1)]
            failures += 1
            logger.warning(
                "\(executable) ended",
                metadata: ["complaint": "\(lastComplaint ?? "none")", "again in": "\(pause.text)"])
            try? await time.sleep(pause)
        }
    }

    /// - Returns: nil when the pipe has no reader.
    private func openEnd() -> FileDescriptor? {
        // Safe: the text is lent for the call.
        let number = unsafe open(pipe, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
        return number < 0 ? nil : FileDescriptor(rawValue: number)
    }

    /// Runs the program once.
    ///
    /// - Returns: false when it was ended because the pipe lost its reader.
    private func endsByItself(filming end: FileDescriptor) async -> Bool {
        // From here on the program waits for its reader.
        _ = fcntl(end.rawValue, F_SETFL, 0)
        let teardown = [TeardownStep.gracefulShutDown(allowedDurationToNextStep: .milliseconds(500))]
        var options = PlatformOptions()
        options.processGroupID = 0
        options.teardownSequence = teardown
        do {
            return try await Subprocess.run(
                .path(FilePath(executable)), arguments: Arguments(arguments), platformOptions: options, input: .none,
                output: .fileDescriptor(end, closeAfterSpawningProcess: true), error: .sequence
            ) { execution in
                let endsByItself = await self.endsByItself(hearing: execution.standardError)
                await execution.teardown(using: teardown)
                return endsByItself
            }.closureResult
        } catch {
            complaint.withLock { $0 = "it cannot be started: \(error)" }
            return true
        }
    }

    /// Waits for the end of the program, or of the pipe's reader.
    private func endsByItself(hearing output: SubprocessOutputSequence) async -> Bool {
        await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                await self.hear(output)
                return true
            }
            group.addTask {
                while !Task.isCancelled, let end = self.openEnd() {
                    try? end.close()
                    try? await self.time.sleep(FilmingProgram.readerInterval)
                }
                return false
            }
            defer { group.cancelAll() }
            return await group.next() ?? false
        }
    }

    /// Keeps the last line of the program's standard error, until it ends.
    private func hear(_ output: SubprocessOutputSequence) async {
        var words: [UInt8] = []
        do {
            for try await chunk in output {
                // Safe: the bytes are copied while the chunk is lent.
                unsafe chunk.withUnsafeBytes { unsafe words += Array($0) }
                words = words.suffix(FilmingProgram.complaintLimit)
                let line = String(decoding: words, as: UTF8.self).split(separator: "\n").last.map(String.init)
                complaint.withLock { $0 = line }
            }
        } catch {
            complaint.withLock { $0 = "\(error)" }
        }
    }
}
