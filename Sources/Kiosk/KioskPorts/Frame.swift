// SPDX-License-Identifier: Apache-2.0

/// One grey picture of the camera, lent for the length of a call.
///
/// A frame points into memory of its source (a driver's mapped buffer, a file's pixels), and is not copied on its way
/// to the decoder. It can neither be copied nor kept: a source lends it to a closure and takes the buffer back when
/// the closure returns.
@safe public struct Frame: ~Copyable {
    /// The greatest width and height of a frame, in pixels.
    public static let maximumSide = 8192

    /// Width in pixels.
    public let width: Int
    /// Height in pixels.
    public let height: Int
    /// Bytes from the start of a row to the start of the next; at least `width`.
    public let stride: Int
    /// The time of the picture since the machine started, on V4L2's monotonic clock.
    public let captured: Duration

    private let pixels: UnsafeBufferPointer<UInt8>

    /// Wraps pixels without copying them.
    ///
    /// - Parameter pixels: at least `stride * (height - 1) + width` bytes, rows from the top, 0 is black. They must
    ///   stay valid and unchanged as long as the frame lives.
    @unsafe public init(
        borrowing pixels: UnsafeBufferPointer<UInt8>, width: Int, height: Int, stride: Int, captured: Duration
    ) {
        precondition((1...Frame.maximumSide).contains(width) && (1...Frame.maximumSide).contains(height))
        precondition(stride >= width && pixels.count >= stride * (height - 1) + width)
        self.width = width
        self.height = height
        self.stride = stride
        self.captured = captured
        unsafe self.pixels = unsafe pixels
    }

    /// Lends the pixels: row `y` starts at `y * stride`.
    public borrowing func withPixels<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // Safe: the source keeps the memory valid while the frame lives, and the frame lives during this call.
        try body(unsafe pixels.span)
    }

    /// Lends the pixels to C code.
    @unsafe public borrowing func withUnsafePixels<Result, Failure: Error>(
        _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe body(pixels)
    }
}

/// The camera's picture, small and grey, for the person who holds up a code: rows from the top, 0 is black. A picture
/// of other proportions is centred on black.
public struct PreviewPicture: Sendable, Equatable {
    public static let width = 320
    public static let height = 180

    /// The number of corners of an outline.
    public static let corners = 4

    /// `width * height` bytes.
    public let luma: [UInt8]
    /// The corners of a code that was found, one after the other; empty without one.
    public let outline: [PixelPoint]

    /// - Returns: nil for another number of bytes or corners, or for a corner beside the picture.
    public init?(luma: [UInt8], outline: [PixelPoint] = []) {
        guard luma.count == PreviewPicture.width * PreviewPicture.height,
            outline.isEmpty || outline.count == PreviewPicture.corners,
            outline.allSatisfy({
                (0..<PreviewPicture.width).contains($0.x) && (0..<PreviewPicture.height).contains($0.y)
            })
        else { return nil }
        (self.luma, self.outline) = (luma, outline)
    }
}

/// A place in a picture, in pixels from its upper left corner.
public struct PixelPoint: Sendable, Hashable {
    public var x: Int
    public var y: Int

    public init(x: Int, y: Int) {
        self.x = x
        self.y = y
    }
}
