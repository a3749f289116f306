// SPDX-License-Identifier: Apache-2.0

import Capture
import Foundation
import LinuxSystem
import Patience
import KioskPorts

/// The built scanner program, started like by its parent.
final class RunningScanner {
    /// The limit of each wait on an idle machine, an end for a test that hangs.
    private static let patience = Duration.seconds(30)

    let process = Process()
    private let commands = Pipe()
    private let messages = Pipe()
    private var splitter = PipeMessageSplitter()

    /// - Parameters:
    ///   - further: arguments after the source.
    ///   - hasShell: whether the scanner's parent is a shell, which can end while its pipes stay open here.
    ///   - complaints: the file for standard error.
    init(source: String, _ further: String..., hasShell: Bool = false, complaints: String? = nil) throws {
        // It is built into the same folder as the tests.
        let tests = URL(fileURLWithPath: try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
        let program = tests.deletingLastPathComponent().appendingPathComponent("login-kiosk-scanner")
        if hasShell {
            process.executableURL = URL(fileURLWithPath: "/bin/sh")
            process.arguments = ["-c", #"exec 3<&0; "$0" --source "$1" <&3 3<&- & wait"#, program.path, source]
        } else {
            process.executableURL = program
            process.arguments = ["--source", source] + further
        }
        if let complaints { process.standardError = FileHandle(forWritingAtPath: complaints) }
        process.standardInput = commands
        process.standardOutput = messages
        try process.run()
        // The child has the only writing end, so that the pipe ends with the process.
        try messages.fileHandleForWriting.close()
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }

    func send(_ command: ScannerCommand) throws { try send(bytes: command.encoded()) }
    func send(bytes: [UInt8]) throws { try commands.fileHandleForWriting.write(contentsOf: bytes) }
    func closeCommands() throws { try commands.fileHandleForWriting.close() }

    /// The next message other than statistics; nil when the process has closed its end.
    func next() throws -> ScannerMessage? {
        while true {
            if let body = try splitter.next() {
                guard let message = try ScannerMessage(body: body), message != .looking else { continue }
                return message
            }
            var patience = Patience(RunningScanner.patience)
            while !Poll.isReadable(messages.fileHandleForReading.fileDescriptor, within: .milliseconds(500)) {
                if patience.isOver() { throw Silent() }
            }
            let data = messages.fileHandleForReading.availableData
            guard !data.isEmpty else { return nil }
            splitter.append(Array(data).span)
        }
    }

    /// Reads until the wanted message.
    func wait(for isWanted: (ScannerMessage) -> Bool) throws -> ScannerMessage {
        while let message = try next() {
            if isWanted(message) { return message }
        }
        throw EndOfMessages()
    }

    /// Reads until the scanner is in this state.
    func wait(for health: ScannerHealth) throws { _ = try wait { $0 == .health(health) } }

    /// Sends a command, and reads until the scanner is in this state.
    func send(_ command: ScannerCommand, until health: ScannerHealth) throws {
        try send(command)
        try wait(for: health)
    }

    /// Stops the scanner.
    ///
    /// - Returns: its exit code.
    func stop() throws -> Int32 {
        try send(.stop)
        return try finish().code
    }

    /// All remaining messages, and the exit code.
    func finish() throws -> (messages: [ScannerMessage], code: Int32) {
        var rest: [ScannerMessage] = []
        while let message = try next() { rest.append(message) }
        var patience = Patience(RunningScanner.patience)
        while process.isRunning {
            guard patience.pause() else { throw Silent() }
        }
        return (rest, process.terminationStatus)
    }

    struct EndOfMessages: Error {}
    /// The scanner is silent and does not end.
    struct Silent: Error {}
}

extension ScannerMessage {
    var isHello: Bool { if case .hello = self { true } else { false } }
    var isPreview: Bool { if case .preview = self { true } else { false } }
    var statistics: ScannerStatistics? { if case .stats(let statistics) = self { statistics } else { nil } }
    var symbol: Symbol? { if case .symbol(let symbol) = self { symbol } else { nil } }
    /// Why the scanner waits.
    var waiting: ScannerTrouble? { if case .health(.waiting(let trouble)) = self { trouble } else { nil } }
    /// Why the scanner has ended.
    var failure: ScannerTrouble? { if case .health(.failed(let trouble)) = self { trouble } else { nil } }
}
