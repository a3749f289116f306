// SPDX-License-Identifier: Apache-2.0

/// The bytes of one mail on their way into libcurl.
final class MailUpload {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Copies as much as fits; 0 at the end.
    func read(into target: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(target.count, bytes.count - position)
        // `count` fits into the target and into what is left.
        unsafe target.copyBytes(from: bytes[position..<position + count])
        position += count
        return count
    }
}
