// SPDX-License-Identifier: Apache-2.0

/// The frames of a stream without headers: YUV 4:2:0, three planes without gaps, luma first.
public struct RawStreamFormat: Sendable, Equatable {
    /// The image processors of Raspberry Pi pad rows of other widths to this multiple, and the stream does not show it.
    static let alignment = 64

    /// Pixels in a row, a multiple of 64, and rows, an even number.
    public let width: Int
    public let height: Int

    /// Nil for sizes in which the length of a frame is unknown.
    public init?(width: Int, height: Int) {
        guard width > 0, height > 0, width.isMultiple(of: RawStreamFormat.alignment), height.isMultiple(of: 2) else {
            return nil
        }
        self.width = width
        self.height = height
    }

    var chromaCount: Int { width * height / 2 }
}
