// SPDX-License-Identifier: Apache-2.0

public import LoginValues

/// Cuts the bytes of a pipe, as they arrive, into messages or commands.
public struct ScannerMessageSplitter {
    /// The longest message, without its length.
    public static let maximumLength = 65536

    // Bytes before `start` were handed out and are zero. A login code may be among the others, so that whatever leaves
    // this buffer is overwritten here.
    private var pending: [UInt8] = []
    private var start = 0

    public init() {}

    /// Takes what was read from the pipe. Take out all complete messages before the next call: that keeps what waits
    /// here below one message and one read.
    public mutating func append(_ bytes: Span<UInt8>) {
        let kept = pending.count - start
        if start > 0 {
            for index in 0..<kept { pending[index] = pending[start + index] }
            for index in kept..<pending.count { pending[index] = 0 }
            pending.removeLast(start)
            start = 0
        }
        // At once for the largest message: growing would leave a copy behind.
        pending.reserveCapacity(max(kept + bytes.count, 2 * ScannerMessageSplitter.maximumLength))
        for index in bytes.indices { pending.append(bytes[index]) }
    }

    /// The next complete message without its length, or nil while it is not all there.
    ///
    /// - Throws: `invalidLength`; the rest of the pipe means nothing after that.
    public mutating func next() throws(ScannerMessageError) -> SecretBytes? {
        guard pending.count - start >= 4 else { return nil }
        var length: UInt32 = 0
        for offset in 0..<4 { length |= UInt32(pending[start + offset]) << (8 * UInt32(offset)) }
        guard (1...UInt32(ScannerMessageSplitter.maximumLength)).contains(length) else { throw .invalidLength(length) }
        let end = start + 4 + Int(length)
        guard pending.count >= end else { return nil }
        let body = SecretBytes(copying: pending.span.extracting(start + 4..<end))
        for index in start..<end { pending[index] = 0 }
        start = end
        return body
    }
}
