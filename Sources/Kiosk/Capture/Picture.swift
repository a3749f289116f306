// SPDX-License-Identifier: Apache-2.0

public import KioskPorts

/// A still picture in grey: rows from the top without gaps, 0 is black.
public struct Picture: Sendable, Equatable {
    public let width: Int
    public let height: Int
    public private(set) var pixels: [UInt8]

    /// A picture of one shade.
    public init(width: Int, height: Int, shade: UInt8) {
        self.init(width: width, height: height, pixels: [UInt8](repeating: shade, count: width * height))
    }

    /// - Parameter pixels: `width * height` bytes; neither side is longer than `Frame.maximumSide`.
    public init(width: Int, height: Int, pixels: [UInt8]) {
        precondition((1...Frame.maximumSide).contains(width) && (1...Frame.maximumSide).contains(height))
        precondition(pixels.count == width * height)
        self.width = width
        self.height = height
        self.pixels = pixels
    }

    public subscript(x: Int, y: Int) -> UInt8 {
        get { pixels[y * width + x] }
        set { pixels[y * width + x] = newValue }
    }

    /// Puts a picture into this one.
    ///
    /// - Parameter x: the column of its left edge here, `y` the row of its upper one; it must fit.
    public mutating func draw(_ other: Picture, x: Int, y: Int) {
        for row in 0..<other.height {
            for column in 0..<other.width { self[x + column, y + row] = other[column, row] }
        }
    }

    /// Lends the picture as a frame.
    public func withFrame<Result>(captured: Duration, _ body: (borrowing Frame) -> Result) -> Result {
        // Safe: the array's bytes stay where they are during the call, and the frame cannot leave it.
        unsafe pixels.withUnsafeBufferPointer { bytes in
            unsafe body(
                Frame(borrowing: bytes, width: width, height: height, stride: width, captured: captured))
        }
    }
}
