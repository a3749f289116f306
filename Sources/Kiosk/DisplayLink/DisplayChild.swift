// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import LinuxSystem
import Logging
import Subprocess
import Synchronization
import SystemPackage

/// One run of the display's process.
struct DisplayChild: Sendable {
    /// Enough for the message of a process that cannot start.
    private static let complaintLimit = 64 * 1024

    private let link: DisplayProcess
    private let arguments: [String]

    init(_ link: DisplayProcess, _ arguments: [String]) {
        self.link = link
        self.arguments = arguments
    }

    /// - Returns: the reason for its end.
    func run() async -> String {
        let (wakings, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        link.state.withLock { state in
            state.wake = wake
            state.due = DisplayProcess.DueOrders(settings: true, view: true)
        }
        wake.yield()
        defer { link.state.withLock { $0.wake = nil } }
        let teardown = [TeardownStep.gracefulShutDown(allowedDurationToNextStep: .seconds(1))]
        var options = PlatformOptions()
        // Ctrl-C is meant for the kiosk, which then ends its display in its own time.
        options.processGroupID = 0
        options.teardownSequence = teardown
        do {
            let result = try await Subprocess.run(
                .path(FilePath(link.executable)), arguments: Arguments(arguments), environment: .custom([:]),
                platformOptions: options, input: .inputWriter, output: .sequence,
                error: .string(limit: DisplayChild.complaintLimit)
            ) { execution in
                let reason = await converse(with: execution.standardOutput, wakings, execution.standardInputWriter)
                try? await execution.standardInputWriter.finish()
                await execution.teardown(using: teardown)
                return reason
            }
            guard let complaint = result.standardError.split(separator: "\n").last else { return result.closureResult }
            return "\(result.closureResult): \(complaint)"
        } catch {
            return "\(link.executable) cannot be started: \(error)"
        }
    }

    private func converse(
        with output: SubprocessOutputSequence, _ wakings: AsyncStream<Void>, _ input: StandardInputWriter
    ) async -> String {
        await withTaskGroup(of: String?.self) { group in
            group.addTask { await hear(output) }
            group.addTask {
                await sendOrders(at: wakings, to: input)
                return nil
            }
            group.addTask { await watch() }
            defer { group.cancelAll() }
            for await reason in group {
                if let reason { return reason }
            }
            return "it was cancelled"
        }
    }

    /// Sends the orders that are due, whenever it is woken, until the process takes no more.
    private func sendOrders(at wakings: AsyncStream<Void>, to input: StandardInputWriter) async {
        for await _ in wakings {
            for order in link.takeOrders() {
                guard (try? await input.write(order.encoded())) != nil else { return }
            }
        }
    }

    /// Watches whether the panel stays and the process answers.
    ///
    /// - Returns: the reason to end it; nil when the task is cancelled.
    private func watch() async -> String? {
        var owed = 0
        while !Task.isCancelled {
            try? await link.time.sleep(DisplayProcess.plugInterval)
            if link.arguments() != arguments { return "its panel has gone" }
            // The seconds without an answer are counted only while this process runs, so its own suspension does not
            // count.
            owed = link.owesAnswer ? owed + 1 : 0
            if owed >= DisplayProcess.patience { return "it does not answer" }
        }
        return nil
    }

    private func hear(_ output: SubprocessOutputSequence) async -> String {
        var splitter = PipeMessageSplitter()
        var wasGreeted = false
        do {
            for try await chunk in output {
                // Safe: the bytes are read while the chunk is lent.
                unsafe chunk.withUnsafeBytes { bytes in
                    unsafe splitter.append(bytes.bindMemory(to: UInt8.self).span)
                }
                while let body = try splitter.next() {
                    guard let message = try DisplayMessage(body: body) else { continue }
                    if case .hello = message { wasGreeted = true }
                    guard wasGreeted else { return "it does not begin with its version" }
                    try link.hear(message)
                }
            }
        } catch {
            return "\(error)"
        }
        return "it ended"
    }
}
