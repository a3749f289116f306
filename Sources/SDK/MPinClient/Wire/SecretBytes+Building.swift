// SPDX-License-Identifier: Apache-2.0

import Encoding
import LoginValues

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

extension SecretBytes {
    /// Makes the bytes that `write` appends.
    ///
    /// - Parameter capacity: the most bytes that `write` may append.
    convenience init<Failure: Error>(
        capacity: Int, write: (inout OutputSpan<UInt8>) throws(Failure) -> Void
    ) throws(Failure) {
        // Safe: this function alone owns the allocation, which outlives the span over it.
        let scratch = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: capacity)
        defer {
            if let address = scratch.baseAddress { unsafe explicit_bzero(address, capacity) }
            unsafe scratch.deallocate()
        }
        var output = unsafe OutputSpan(buffer: scratch, initializedCount: 0)
        try write(&output)
        let count = unsafe output.finalize(for: scratch)
        self.init(copying: unsafe scratch.extracting(0..<count).span)
    }
}

extension OutputSpan<UInt8> {
    @_lifetime(self: copy self)
    mutating func append(_ bytes: Span<UInt8>) {
        for index in bytes.indices { append(bytes[index]) }
    }

    @_lifetime(self: copy self)
    mutating func append(_ text: String) {
        for byte in text.utf8 { append(byte) }
    }

    @_lifetime(self: copy self)
    mutating func append(_ bytes: [UInt8]) {
        for byte in bytes { append(byte) }
    }

    @_lifetime(self: copy self)
    mutating func appendHex(_ bytes: Span<UInt8>) {
        for index in bytes.indices {
            append(Hexadecimal.digit(bytes[index] >> 4))
            append(Hexadecimal.digit(bytes[index] & 15))
        }
    }
}
