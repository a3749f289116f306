// SPDX-License-Identifier: Apache-2.0

/// Bytes that must not outlive their use: a token, a share, a registration token, a request body that carries one.
///
/// The bytes live in one allocation that is never copied or resized, and that is overwritten when the last reference
/// goes. Only `withBytes` gives access to them; printing or reflecting the value shows its length at most.
@safe public final class SecretBytes: Sendable {
    // Written during initialisation only, so that sharing it between threads is safe.
    private nonisolated(unsafe) let storage: UnsafeMutableBufferPointer<UInt8>

    /// Makes `count` bytes and lets `fill` write them.
    ///
    /// - Parameters:
    ///   - count: number of bytes.
    ///   - fill: receives zeroed bytes. If it throws, the bytes are wiped.
    public init<Failure: Error>(count: Int, fill: (inout MutableSpan<UInt8>) throws(Failure) -> Void) throws(Failure) {
        // Safe: this object owns the bytes alone until `deinit` gives them back.
        unsafe storage = SecretMemory.take(count)
        var bytes = unsafe storage.mutableSpan
        try fill(&bytes)
    }

    /// Makes `count` bytes and lets a function of C write them.
    ///
    /// - Parameter fill: receives zeroed bytes. If it returns false, the bytes are wiped.
    /// - Returns: nil when `fill` returned false.
    package convenience init?(filling count: Int, by fill: (UnsafeMutableRawBufferPointer) -> Bool) {
        do throws(NotFilled) {
            try self.init(count: count) { bytes throws(NotFilled) in
                // Safe: the bytes are lent for the call.
                guard unsafe bytes.withUnsafeMutableBytes({ unsafe fill($0) }) else { throw NotFilled() }
            }
        } catch { return nil }
    }

    private struct NotFilled: Error {}

    /// Copies `bytes`. The caller wipes the original.
    public convenience init(copying bytes: some Collection<UInt8>) {
        self.init(count: bytes.count) { target in
            var index = 0
            for byte in bytes {
                target[index] = byte
                index += 1
            }
        }
    }

    /// Takes bytes over: they are overwritten where they were, unless somebody else has them, too.
    package convenience init(_ bytes: consuming [UInt8]) {
        var taken = consume bytes
        self.init(copying: taken)
        wipe(&taken)
    }

    /// Copies a borrowed run of bytes.
    public convenience init(copying bytes: Span<UInt8>) {
        self.init(count: bytes.count) { target in
            for index in bytes.indices { target[index] = bytes[index] }
        }
    }

    deinit {
        unsafe SecretMemory.release(storage)
    }

    /// Number of bytes.
    public var count: Int { unsafe storage.count }

    /// Lends the bytes. Do not copy them into anything that is not wiped.
    public func withBytes<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(unsafe storage.span)
    }

    /// Lends the bytes to a function of C.
    package func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        unsafe body(UnsafeRawBufferPointer(storage))
    }
}

extension SecretBytes: Equatable {
    /// Compares in a time that depends on the lengths only.
    public static func == (left: SecretBytes, right: SecretBytes) -> Bool {
        guard left.count == right.count else { return false }
        return left.withBytes { left in
            right.withBytes { right in
                var difference: UInt8 = 0
                for index in left.indices { difference |= left[index] ^ right[index] }
                return difference == 0
            }
        }
    }
}

extension SecretBytes: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "<redacted \(count) bytes>" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
