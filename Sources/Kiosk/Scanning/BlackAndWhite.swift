// SPDX-License-Identifier: Apache-2.0

/// Pixels of which each is black or white.
struct BlackAndWhite: ~Escapable {
    let pixels: Span<UInt8>
    let width: Int
    let height: Int
    let stride: Int

    @_lifetime(copy pixels)
    init(pixels: Span<UInt8>, width: Int, height: Int, stride: Int) {
        (self.width, self.height, self.stride) = (width, height, stride)
        self.pixels = pixels
    }

    func isBlack(_ x: Int, _ y: Int) -> Bool { pixels[y * stride + x] < 128 }

    /// Whether sixteen pixels are of that colour.
    @inline(__always)
    func isPlain(_ x: Int, _ y: Int, black: Bool) -> Bool {
        let block = pixels.block(at: y * stride + x, as: PixelBlock.self)
        return black ? block.max() < 128 : block.min() >= 128
    }

    /// The five runs along a line through a black pixel, and the distance from there to the middle of the middle run.
    ///
    /// - Parameters:
    ///   - dx: columns from one pixel of the line to the next, `dy` rows.
    ///   - limit: pixels that are looked at to either side.
    /// - Returns: nil unless the line is black there and all five lie in the picture.
    func line(throughX x: Int, y: Int, dx: Int, dy: Int, limit: Int) -> (runs: FinderRuns, shift: Int)? {
        guard x >= 0, x < width, y >= 0, y < height, isBlack(x, y),
            let ahead = ray(fromX: x, y: y, dx: dx, dy: dy, limit: limit),
            let behind = ray(fromX: x, y: y, dx: -dx, dy: -dy, limit: limit)
        else { return nil }
        let runs = FinderRuns(
            first: behind.outer, second: behind.white, middle: behind.inner + 1 + ahead.inner, fourth: ahead.white,
            last: ahead.outer)
        return (runs, (ahead.inner - behind.inner) / 2)
    }

    /// The black, white and black run on one side of a pixel.
    private func ray(
        fromX x: Int, y: Int, dx: Int, dy: Int, limit: Int
    ) -> (inner: Int, white: Int, outer: Int)? {
        var (x, y, rest) = (x + dx, y + dy, limit)
        func run(black: Bool) -> Int {
            var count = 0
            while rest > 0, x >= 0, x < width, y >= 0, y < height, isBlack(x, y) == black {
                (x, y, rest, count) = (x + dx, y + dy, rest - 1, count + 1)
            }
            return count
        }
        let (inner, white, outer) = (run(black: true), run(black: false), run(black: true))
        guard white > 0, outer > 0 else { return nil }
        return (inner, white, outer)
    }
}
