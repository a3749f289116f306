// SPDX-License-Identifier: Apache-2.0

/// The frames of a stream that says nothing about itself: YUV 4:2:0, three planes without gaps, luma first.
public struct RawStreamFormat: Sendable, Equatable {
    /// Rows of other widths end with bytes that are not told: the image processors of Raspberry Pi align them so.
    static let alignment = 64

    /// Pixels in a row, a multiple of 64, and rows, an even number.
    public let width: Int
    public let height: Int

    /// Nil for sizes of which no frame can be told from the next one.
    public init?(width: Int, height: Int) {
        guard width > 0, height > 0, width.isMultiple(of: RawStreamFormat.alignment), height.isMultiple(of: 2) else {
            return nil
        }
        self.width = width
        self.height = height
    }

    var chromaCount: Int { width * height / 2 }
}
