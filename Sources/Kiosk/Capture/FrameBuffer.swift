// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// A frame's pixels in memory of our own, used again and again.
struct FrameBuffer {
    var width = 0
    var height = 0
    var captured = Duration.zero
    var pixels: [UInt8] = []

    /// Makes room for a picture; memory of the right size is kept.
    mutating func resize(_ width: Int, _ height: Int) {
        self.width = width
        self.height = height
        if pixels.count != width * height { pixels = [UInt8](repeating: 0, count: width * height) }
    }

    /// Copies rows that are `stride` bytes apart; the picture has its size already, and all the rows are there.
    mutating func fill(from bytes: UnsafeRawBufferPointer, stride: Int) {
        let (width, height) = (width, height)
        // Safe: both hold as many rows.
        unsafe pixels.withUnsafeMutableBytes { target in
            for y in 0..<height {
                unsafe UnsafeMutableRawBufferPointer(rebasing: target[y * width..<(y + 1) * width]).copyMemory(
                    from: UnsafeRawBufferPointer(rebasing: bytes[y * stride..<y * stride + width]))
            }
        }
    }

    /// Lends the pixels as a frame.
    func lend(to body: (borrowing Frame) -> Void) {
        // Safe: the array's bytes stay where they are during the call, and the frame cannot leave it.
        unsafe pixels.withUnsafeBufferPointer { bytes in
            unsafe body(
                Frame(borrowing: bytes, width: width, height: height, stride: width, captured: captured))
        }
    }
}
