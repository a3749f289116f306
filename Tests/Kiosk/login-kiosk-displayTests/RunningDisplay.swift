// SPDX-License-Identifier: Apache-2.0

import Foundation
import KioskPorts
import LinuxSystem
import Patience

/// The built display program, started like by its parent.
final class RunningDisplay {
    /// The limit of each wait on an idle machine, an end for a test that hangs.
    private static let patience = Duration.seconds(30)

    let process = Process()
    private let orders = Pipe()
    private let messages = Pipe()
    private var splitter = PipeMessageSplitter()

    init(_ arguments: String...) throws {
        // It is built into the same folder as the tests.
        let tests = URL(fileURLWithPath: try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
        process.executableURL = tests.deletingLastPathComponent().appendingPathComponent("login-kiosk-display")
        process.arguments = arguments
        process.environment = [:]
        process.standardInput = orders
        process.standardOutput = messages
        try process.run()
        try messages.fileHandleForWriting.close()
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }

    func send(_ order: DisplayOrder) throws { try send(bytes: order.encoded()) }

    func send(bytes: [UInt8]) throws { try orders.fileHandleForWriting.write(contentsOf: bytes) }

    func closeOrders() throws { try orders.fileHandleForWriting.close() }

    /// The next message; nil when the process has closed its end.
    func next() throws -> DisplayMessage? {
        while true {
            if let body = try splitter.next() {
                guard let message = try DisplayMessage(body: body) else { continue }
                return message
            }
            var patience = Patience(RunningDisplay.patience)
            while !Poll.isReadable(messages.fileHandleForReading.fileDescriptor, within: .milliseconds(500)) {
                if patience.isOver() { throw Silent() }
            }
            let data = messages.fileHandleForReading.availableData
            guard !data.isEmpty else { return nil }
            splitter.append(Array(data).span)
        }
    }

    /// The exit code, after all remaining messages.
    func finish() throws -> Int32 {
        while try next() != nil {}
        var patience = Patience(RunningDisplay.patience)
        while process.isRunning {
            guard patience.pause() else { throw Silent() }
        }
        return process.terminationStatus
    }

    /// The process is silent and does not end.
    struct Silent: Error {}
}
