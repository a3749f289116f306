// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// A picture of the reader's own. Its memory grows to the largest frame and is then used again.
struct GreyPicture: ~Copyable {
    private(set) var width = 0
    private(set) var height = 0
    /// Pixels of the frame in one of the picture: a power of two.
    private(set) var scale: Float = 1
    var pixels: [UInt8] = []

    mutating func resize(width: Int, height: Int, scale: Float) {
        (self.width, self.height, self.scale) = (width, height, scale)
        if pixels.count < width * height { pixels = [UInt8](repeating: 0, count: width * height) }
    }

    mutating func copy(_ frame: borrowing Frame) {
        let (width, height, stride) = (frame.width, frame.height, frame.stride)
        resize(width: width, height: height, scale: 1)
        var target = pixels.mutableSpan
        frame.withPixels { source in
            for y in 0..<height {
                for x in 0..<width { target[y * width + x] = source[y * stride + x] }
            }
        }
    }

    /// Takes the means of squares of four pixels.
    mutating func halve(_ source: borrowing GreyPicture) {
        resize(width: source.width / 2, height: source.height / 2, scale: 2 * source.scale)
        let (width, height, stride) = (width, height, source.width)
        let from = source.pixels.span
        var target = pixels.mutableSpan
        for y in 0..<height {
            let row = 2 * y * stride
            for x in 0..<width {
                let place = row + 2 * x
                let sum = UInt16(from[place]) &+ UInt16(from[place + 1]) &+ UInt16(from[place + stride])
                target[y * width + x] = UInt8(truncatingIfNeeded: (sum &+ UInt16(from[place + stride + 1]) &+ 2) >> 2)
            }
        }
    }

    /// The pixel of this picture at a pixel of the frame.
    @inline(__always)
    func pixel(ofFrame point: Point) -> Point { (1 / scale) * point }

    /// The value at a pixel of the frame.
    @inline(__always)
    func value(ofFrame point: Point) -> Float { value(pixel(ofFrame: point)) }

    /// The value between the four nearest pixels. Outside the picture, the values of its border are repeated.
    @inline(__always)
    func value(_ point: Point) -> Float {
        let x = min(max(point.x - 0.5, 0), Float(width - 1))
        let y = min(max(point.y - 0.5, 0), Float(height - 1))
        let (left, top) = (min(Int(x), max(width - 2, 0)), min(Int(y), max(height - 2, 0)))
        let (across, down) = (x - Float(left), y - Float(top))
        let place = top * width + left
        let (right, below) = (width > 1 ? 1 : 0, height > 1 ? width : 0)
        let upper = Float(pixels[place]) * (1 - across) + Float(pixels[place + right]) * across
        let lower = Float(pixels[place + below]) * (1 - across) + Float(pixels[place + below + right]) * across
        return upper * (1 - down) + lower * down
    }
}
