// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// A picture of our own between two steps of a pass. Its memory grows to the largest frame and is then used again.
final class LumaBuffer {
    private(set) var width = 0
    private(set) var height = 0
    private var pixels: [UInt8] = []

    /// Gives the picture a size; its content is undefined after that.
    func resize(width: Int, height: Int) {
        self.width = width
        self.height = height
        if pixels.count < width * height {
            pixels = [UInt8](repeating: 0, count: width * height)
        }
    }

    /// Makes a picture of that size from a frame, row by row.
    ///
    /// - Parameter makeRow: writes the row `y`, which begins at `y * width` of the target.
    @inline(__always)
    func make(
        width: Int, height: Int, from frame: borrowing Frame,
        _ makeRow: (_ y: Int, _ source: Span<UInt8>, _ target: inout MutableSpan<UInt8>) -> Void
    ) {
        resize(width: width, height: height)
        frame.withPixels { source in
            withPixels { target in
                for y in 0..<height { makeRow(y, source, &target) }
            }
        }
    }

    func withPixels(_ body: (inout MutableSpan<UInt8>) -> Void) {
        // Taken out for the call, so that `body` has no other access to them.
        var pixels: [UInt8] = []
        swap(&pixels, &self.pixels)
        var span = pixels.mutableSpan
        body(&span)
        swap(&pixels, &self.pixels)
    }

    func withFrame<Result>(captured: Duration, _ body: (borrowing Frame) -> Result) -> Result {
        // Safe: the array's bytes stay where they are during the call, and the frame cannot leave it.
        unsafe pixels.withUnsafeBufferPointer { bytes in
            unsafe body(Frame(borrowing: bytes, width: width, height: height, stride: width, captured: captured))
        }
    }
}
