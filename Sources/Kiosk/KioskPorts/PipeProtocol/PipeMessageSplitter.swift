// SPDX-License-Identifier: Apache-2.0

public import LoginValues

/// Cuts the bytes of a pipe into messages or commands.
public struct PipeMessageSplitter {
    /// The longest message, without its length.
    public static let maximumLength = 65536
    /// The bytes of the length that precedes a message.
    static let lengthSize = 4

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
        let bodyStart = start + PipeMessageSplitter.lengthSize
        guard pending.count >= bodyStart else { return nil }
        var length: UInt32 = 0
        for index in (start..<bodyStart).reversed() { length = length << 8 | UInt32(pending[index]) }
        guard (1...UInt32(PipeMessageSplitter.maximumLength)).contains(length) else { throw .invalidLength(length) }
        let end = bodyStart + Int(length)
        guard pending.count >= end else { return nil }
        let body = SecretBytes(copying: pending.span.extracting(bodyStart..<end))
        for index in start..<end { pending[index] = 0 }
        start = end
        return body
    }
}
