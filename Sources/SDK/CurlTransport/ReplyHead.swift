// SPDX-License-Identifier: Apache-2.0

/// What is kept of a reply's header while curl reports its lines.
struct ReplyHead {
    /// The longest header in bytes, status lines included; real ones are below 2 KiB.
    private static let maximumLength = 32 * 1024

    private var length = 0
    /// Whether the line came that ends it.
    private(set) var isWhole = false

    var isTooLong: Bool { length > ReplyHead.maximumLength }

    /// - Parameter status: of the reply that the line belongs to.
    /// - Returns: whether the line ends the header. An empty line does; those of interim replies (1xx) do not count.
    mutating func take(_ line: UnsafeRawBufferPointer, status: Int) -> Bool {
        length += line.count
        let isEmpty = unsafe line.first == UInt8(ascii: "\r") || line.first == UInt8(ascii: "\n")
        guard isEmpty, status >= 200 else { return false }
        isWhole = true
        return true
    }
}
