// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// Looks for the squares in three corners of a QR code: along any line through their middle, black and white alternate
/// as 1:1:3:1:1. For hints, and to count what zxing-cpp would have to work on.
struct FinderSearch {
    /// One square, in pixels.
    struct Finder: Equatable {
        var x: Int
        var y: Int
        var module: Double
        /// Rows that met it.
        var rows = 1
    }

    private typealias Runs = (Int, Int, Int, Int, Int)

    static let capacity = 32

    /// - Parameters:
    ///   - frame: black and white.
    ///   - capacity: the most that are told apart.
    /// - Returns: squares that several rows meet.
    static func finders(in frame: borrowing Frame, atMost capacity: Int = FinderSearch.capacity) -> [Finder] {
        var found: [Finder] = []
        scan(frame, rows: stride(from: 0, to: frame.height, by: 2), slack: 0) { finder in
            add(finder, to: &found, atMost: capacity)
            return true
        }
        return found.filter { $0.rows >= 2 }
    }

    /// Counts the squares in the rows that zxing-cpp looks at, and not more strictly than it does.
    ///
    /// - Parameter most: the count at which it ends.
    /// - Returns: also how often black and white alternate, as a share of the pixels looked at.
    static func count(in frame: borrowing Frame, atMost most: Int) -> (finders: Int, density: Double) {
        var found: [Finder] = []
        let density = scan(frame, rows: stride(from: 2, to: frame.height, by: 3), slack: 0.5) { finder in
            add(finder, to: &found, atMost: most)
            return found.count < most
        }
        return (found.count, density)
    }

    /// - Parameters:
    ///   - slack: pixels by which a run may be longer or shorter, besides its share of a module.
    ///   - body: gets a finder for each row that meets it, and returns whether to go on.
    /// - Returns: how often black and white alternate, as a share of the pixels looked at.
    @discardableResult private static func scan(
        _ frame: borrowing Frame, rows: StrideTo<Int>, slack: Double, _ body: (Finder) -> Bool
    ) -> Double {
        let (width, stride) = (frame.width, frame.stride)
        let height = frame.height
        return frame.withPixels { pixels in
            let picture = BlackAndWhite(pixels: pixels, width: width, height: height, stride: stride)
            var (edges, seen) = (0, 0)
            for y in rows {
                seen += width
                // The last five runs, the newest last.
                var runs: Runs = (0, 0, 0, 0, 0)
                var isBlack = false
                var start = 0
                var x = 0
                while x <= width {
                    if x % 16 == 0, x + 16 <= width, picture.isPlain(x, y, black: isBlack) {
                        x += 16
                        continue
                    }
                    let pixelIsBlack = x < width ? picture.isBlack(x, y) : !isBlack
                    if pixelIsBlack != isBlack {
                        edges += 1
                        runs = (runs.1, runs.2, runs.3, runs.4, x - start)
                        start = x
                        if isBlack, runs.0 > 0, let finder = finder(endingAt: x, y, runs, in: picture, slack),
                            !body(finder)
                        {
                            return Double(edges) / Double(seen)
                        }
                        isBlack = pixelIsBlack
                    }
                    x += 1
                }
            }
            return seen > 0 ? Double(edges) / Double(seen) : 0
        }
    }

    private static func finder(
        endingAt x: Int, _ y: Int, _ runs: Runs, in picture: borrowing BlackAndWhite, _ slack: Double
    ) -> Finder? {
        guard let module = module(of: runs, 0.6, slack) else { return nil }
        let middle = x - runs.4 - runs.3 - runs.2 / 2 - 1
        // Down, along the row again from the middle that this shows, and along both diagonals.
        let limit = Int(21 * module)
        guard let column = picture.runs(through: middle, y, 0, 1, limit: limit),
            let vertical = Self.module(of: column.runs, 0.6, slack), vertical < 5 * module, module < 5 * vertical
        else { return nil }
        let centre = y + (column.ahead - column.behind) / 2
        guard let row = picture.runs(through: middle, centre, 1, 0, limit: limit),
            Self.module(of: row.runs, 0.6, slack) != nil
        else { return nil }
        let across = middle + (row.ahead - row.behind) / 2
        for direction in [1, -1] {
            guard let diagonal = picture.runs(through: across, centre, direction, 1, limit: limit),
                Self.module(of: diagonal.runs, 0.75, slack) != nil
            else { return nil }
        }
        return Finder(x: middle, y: y, module: module)
    }

    private static func module(of runs: Runs, _ share: Double, _ pixels: Double) -> Double? {
        let module = Double(runs.0 + runs.1 + runs.2 + runs.3 + runs.4) / 7
        guard module >= 1 else { return nil }
        let slack = module * share + pixels
        for run in [runs.0, runs.1, runs.3, runs.4] where abs(Double(run) - module) > slack { return nil }
        return abs(Double(runs.2) - 3 * module) <= 1.5 * slack ? module : nil
    }

    private static func add(_ finder: Finder, to found: inout [Finder], atMost capacity: Int) {
        let near = found.firstIndex {
            abs($0.x - finder.x) <= Int(3 * $0.module) && abs($0.y - finder.y) <= Int(4 * $0.module)
        }
        if let near {
            found[near].rows += 1
        } else if found.count < capacity {
            found.append(finder)
        }
    }
}

/// Pixels of which each is black or white.
private struct BlackAndWhite: ~Escapable {
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

    /// The five runs along a line through a black pixel, and how far the middle one reaches to either side.
    ///
    /// - Parameter limit: pixels that are looked at to either side.
    /// - Returns: nil unless the line is black there and all five lie in the picture.
    func runs(
        through x: Int, _ y: Int, _ dx: Int, _ dy: Int, limit: Int
    ) -> (runs: (Int, Int, Int, Int, Int), ahead: Int, behind: Int)? {
        guard x >= 0, x < width, y >= 0, y < height, isBlack(x, y),
            let ahead = half(x + dx, y + dy, dx, dy, limit), let behind = half(x - dx, y - dy, -dx, -dy, limit)
        else { return nil }
        return ((behind.2, behind.1, behind.0 + 1 + ahead.0, ahead.1, ahead.2), ahead.0, behind.0)
    }

    private func half(_ x: Int, _ y: Int, _ dx: Int, _ dy: Int, _ limit: Int) -> (Int, Int, Int)? {
        var (x, y, rest) = (x, y, limit)
        func run(black: Bool) -> Int {
            var count = 0
            while rest > 0, x >= 0, x < width, y >= 0, y < height, isBlack(x, y) == black {
                (x, y, rest, count) = (x + dx, y + dy, rest - 1, count + 1)
            }
            return count
        }
        let runs = (run(black: true), run(black: false), run(black: true))
        return runs.1 > 0 && runs.2 > 0 ? runs : nil
    }
}
