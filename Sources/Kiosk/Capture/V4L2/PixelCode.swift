// SPDX-License-Identifier: Apache-2.0

/// The name of a pixel format: four characters, as V4L2 numbers them.
public struct PixelCode: Sendable, Hashable, CustomStringConvertible {
    let value: UInt32

    init(_ value: UInt32) {
        self.value = value
    }

    /// - Parameter name: such as `YUYV`; shorter names are filled up with blanks.
    /// - Returns: nil for what is not one to four printable ASCII characters.
    public init?(_ name: String) {
        let bytes = Array(name.utf8)
        guard (1...4).contains(bytes.count), bytes.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
        value = (bytes + [0x20, 0x20, 0x20]).prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// Whether it has no colours: all that a camera for infrared light offers.
    var isGrey: Bool { ["GREY", "Y8", "Y8I", "Y10", "Y10B", "Y12", "Y16"].contains(description) }

    public var description: String {
        let bytes = (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) & 0x7F }
        return String(decoding: bytes.map { $0 < 0x20 ? UInt8(ascii: "?") : $0 }, as: UTF8.self)
            .split(separator: " ").joined()
    }
}
