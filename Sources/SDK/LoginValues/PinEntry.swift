// SPDX-License-Identifier: Apache-2.0

import Encoding

/// The digits typed so far.
///
/// One fixed allocation. It is wiped by `removeAll`, by `removeLast` (the removed digit) and by `deinit`, so that a
/// person who walks away leaves nothing behind.
@safe public struct PinEntry: ~Copyable, Sendable {
    private nonisolated(unsafe) let storage: UnsafeMutableBufferPointer<UInt8>
    /// The number of digits.
    public private(set) var count = 0

    /// Makes an entry without digits.
    public init() {
        // Safe: this value owns the bytes alone and gives them back in `deinit`.
        unsafe storage = SecretMemory.take(Pin.lengths.upperBound)
    }

    deinit {
        unsafe SecretMemory.release(storage)
    }

    /// Whether no digit was typed, or all were removed.
    public var isEmpty: Bool { count == 0 }

    /// Adds one digit.
    ///
    /// - Parameter digit: 0...9; anything else is refused.
    /// - Returns: false when the entry is full or `digit` is not a digit; the entry is then unchanged.
    @discardableResult
    public mutating func append(_ digit: UInt8) -> Bool {
        guard digit <= 9, count < Pin.lengths.upperBound else { return false }
        unsafe storage[count] = UInt8(ascii: "0") + digit
        count += 1
        return true
    }

    /// Takes the last digit back.
    public mutating func removeLast() {
        guard count > 0 else { return }
        count -= 1
        unsafe storage[count] = 0
    }

    /// Forgets everything typed so far.
    public mutating func removeAll() {
        unsafe wipe(storage)
        count = 0
    }

    borrowing func withDigits<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(unsafe storage.span.extracting(0..<count))
    }
}
