// SPDX-License-Identifier: Apache-2.0

import Glibc
import LoginValues
import MPinClient

/// Collects one reply's body; grows by doubling up to the cap and leaves no copy unwiped.
@safe struct ReplyBuffer: ~Copyable {
    private var storage = unsafe UnsafeMutableRawBufferPointer(start: nil, count: 0)
    private(set) var count = 0

    deinit { unsafe ReplyBuffer.wipeAndFree(storage) }

    /// - Returns: false when the body would be longer than the cap; then nothing is added.
    mutating func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count <= HTTPRequest.maximumReplyLength - count else { return false }
        reserve(count + bytes.count)
        // Safe: the room was just made, and the two do not overlap: curl's buffer is not ours.
        unsafe UnsafeMutableRawBufferPointer(rebasing: storage[count...]).copyMemory(from: bytes)
        count += bytes.count
        return true
    }

    func finish() -> SecretBytes {
        SecretBytes(count: count) { target in
            // Safe: `count` bytes of the storage were written.
            for index in 0..<count { target[index] = unsafe storage[index] }
        }
    }

    private mutating func reserve(_ needed: Int) {
        guard unsafe needed > storage.count else { return }
        let capacity = min(max(needed, 2 * count, 4096), HTTPRequest.maximumReplyLength)
        let grown = UnsafeMutableRawBufferPointer.allocate(byteCount: capacity, alignment: 1)
        unsafe grown.copyMemory(from: UnsafeRawBufferPointer(rebasing: storage[..<count]))
        unsafe ReplyBuffer.wipeAndFree(storage)
        unsafe storage = unsafe grown
    }

    @unsafe private static func wipeAndFree(_ storage: UnsafeMutableRawBufferPointer) {
        guard let address = storage.baseAddress else { return }
        unsafe explicit_bzero(address, storage.count)
        unsafe storage.deallocate()
    }
}
