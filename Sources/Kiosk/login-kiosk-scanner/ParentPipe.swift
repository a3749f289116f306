// SPDX-License-Identifier: Apache-2.0

import Capture
import Glibc
import LinuxSystem
import KioskPorts

/// Messages to the parent on standard output, commands from it on standard input.
struct ParentPipe {
    /// A parent that does not read for this long counts as lost.
    private static let patience = Duration.seconds(5)

    private let parent = getppid()
    private var splitter = PipeMessageSplitter()

    /// A pipe does not tell when another process has inherited its other end. The kernel does, by giving an orphan
    /// another parent.
    func checkParent() throws(ParentLost) {
        guard getppid() == parent else { throw .isGone }
    }

    func send(_ message: ScannerMessage) throws(ParentLost) {
        let bytes = message.encoded()
        var done = 0
        while done < bytes.count {
            guard Poll.isWritable(STDOUT_FILENO, within: ParentPipe.patience) else { throw .doesNotRead }
            // Safe: the rest of our own bytes.
            let count = unsafe bytes.withUnsafeBytes { buffer in
                unsafe write(STDOUT_FILENO, buffer.baseAddress.map { unsafe $0 + done }, bytes.count - done)
            }
            if count < 0 && (errno == EINTR || errno == EAGAIN) { continue }
            guard count > 0 else { throw .isGone }
            done += count
        }
    }

    /// The commands so far, after waiting for some within the limit.
    mutating func commands(within limit: Duration) throws(ParentLost) -> [ScannerCommand] {
        guard Poll.isReadable(STDIN_FILENO, within: limit) else { return [] }
        var chunk = [UInt8](repeating: 0, count: 256)
        // Safe: the count is the buffer's own.
        let count = unsafe chunk.withUnsafeMutableBytes { unsafe read(STDIN_FILENO, $0.baseAddress, $0.count) }
        if count < 0 && (errno == EINTR || errno == EAGAIN) { return [] }
        guard count > 0 else { throw .isGone }
        splitter.append(chunk.span.extracting(..<count))
        do throws(PipeMessageError) {
            var commands: [ScannerCommand] = []
            while let body = try splitter.next() {
                if let command = try ScannerCommand(body: body) { commands.append(command) }
            }
            return commands
        } catch {
            throw .speaksNonsense(error)
        }
    }
}

/// Why the process has lost its parent.
enum ParentLost: Error {
    case isGone
    case doesNotRead
    case speaksNonsense(PipeMessageError)
}
