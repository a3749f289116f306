// SPDX-License-Identifier: Apache-2.0

import Glibc
import KioskPorts

/// The bytes of one read. They are wiped when the chunk goes, because they may be digits of a PIN.
@safe struct InputChunk: ~Copyable {
    private static let capacity = 256
    // Safe: this value owns the allocation alone and frees it in `deinit`.
    private let storage: UnsafeMutableRawBufferPointer
    private let count: Int

    /// - Returns: nil at the end of the input, and when it cannot be read any more.
    init?(reading descriptor: Int32) {
        let storage = UnsafeMutableRawBufferPointer.allocate(byteCount: InputChunk.capacity, alignment: 1)
        var count: Int
        repeat {
            // Safe: at most the size of the buffer.
            count = unsafe read(descriptor, storage.baseAddress, storage.count)
        } while count < 0 && errno == EINTR
        guard count > 0 else {
            unsafe storage.deallocate()
            return nil
        }
        unsafe self.storage = storage
        self.count = count
    }

    deinit {
        // Safe: address and size are the buffer's own.
        if let address = unsafe storage.baseAddress { unsafe explicit_bzero(address, storage.count) }
        unsafe storage.deallocate()
    }

    func decode(by decoder: inout KeyDecoder) -> [KeyPress] {
        // Safe: the system has written `count` bytes, and the span ends before the value does.
        let bytes = unsafe storage.bindMemory(to: UInt8.self)
        return unsafe decoder.decode(Span(_unsafeElements: UnsafeBufferPointer(bytes)).extracting(0..<count))
    }
}
