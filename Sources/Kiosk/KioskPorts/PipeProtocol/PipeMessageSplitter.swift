// SPDX-License-Identifier: Apache-2.0

public import LoginValues

/// Cuts the bytes of a pipe into messages or commands.
public struct PipeMessageSplitter {
    /// The longest message, without its length.
    public static let maximumLength = 65536

    // Bytes before `start` were handed out and are zero. The others may contain a login code, so bytes that leave this
    // buffer are overwritten.
    private var pending: [UInt8] = []
    private var start = 0

    public init() {}

    /// Adds bytes from the pipe. Take out all complete messages before the next call, so that the buffer stays below
    /// one message and one read.
    public mutating func append(_ bytes: Span<UInt8>) {
        let kept = pending.count - start
        if start > 0 {
            for index in 0..<kept { pending[index] = pending[start + index] }
            for index in kept..<pending.count { pending[index] = 0 }
            pending.removeLast(start)
            start = 0
        }
        // Reserved for the largest message: growing later would leave a copy behind.
        pending.reserveCapacity(max(kept + bytes.count, 2 * PipeMessageSplitter.maximumLength))
        for index in bytes.indices { pending.append(bytes[index]) }
    }

    /// The next complete message without its length, or nil while it is incomplete.
    ///
    /// - Throws: `invalidLength`; the rest of the pipe is then meaningless.
    public mutating func next() throws(PipeMessageError) -> SecretBytes? {
        guard pending.count - start >= 4 else { return nil }
        var length: UInt32 = 0
        for offset in 0..<4 { length |= UInt32(pending[start + offset]) << (8 * UInt32(offset)) }
        guard (1...UInt32(PipeMessageSplitter.maximumLength)).contains(length) else { throw .invalidLength(length) }
        let end = start + 4 + Int(length)
        guard pending.count >= end else { return nil }
        let body = SecretBytes(copying: pending.span.extracting(start + 4..<end))
        for index in start..<end { pending[index] = 0 }
        start = end
        return body
    }
}
