// SPDX-License-Identifier: Apache-2.0

import Glibc
public import KioskPorts
import LinuxSystem

/// Messages to the parent on standard output, orders from it on standard input.
public struct ParentPipe<Message: PipeMessage, Order: PipeMessage> {
    /// A parent that does not read for this long is treated as lost.
    private static var patience: Duration { .seconds(5) }

    private let parent = getppid()
    private var splitter = PipeMessageSplitter()

    public init() {}

    /// A pipe does not show that another process has inherited its other end. The kernel does, by giving an orphan
    /// another parent.
    public func checkParent() throws(ParentLost) {
        guard getppid() == parent else { throw .isGone }
    }

    public func send(_ message: Message) throws(ParentLost) {
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

    /// The orders so far, after waiting for some within the limit.
    public mutating func orders(within limit: Duration) throws(ParentLost) -> [Order] {
        guard Poll.isReadable(STDIN_FILENO, within: limit) else { return [] }
        var chunk = [UInt8](repeating: 0, count: 16_384)
        // Safe: the count is the buffer's own.
        let count = unsafe chunk.withUnsafeMutableBytes { unsafe read(STDIN_FILENO, $0.baseAddress, $0.count) }
        if count < 0 && (errno == EINTR || errno == EAGAIN) { return [] }
        guard count > 0 else { throw .isGone }
        splitter.append(chunk.span.extracting(..<count))
        do throws(PipeMessageError) {
            var orders: [Order] = []
            while let body = try splitter.next() {
                if let order = try Order(body: body) { orders.append(order) }
            }
            return orders
        } catch {
            throw .speaksNonsense(error)
        }
    }
}

/// The reason why the process has lost its parent.
public enum ParentLost: Error {
    case isGone
    case doesNotRead
    case speaksNonsense(PipeMessageError)
}
