// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// Looks for the squares in three corners of a QR code: along any line through their middle, black and white alternate
/// as 1:1:3:1:1. For hints alone: a code may be there although nothing is read.
struct FinderSearch {
    /// One square, in pixels.
    struct Finder: Equatable {
        var x: Int
        var y: Int
        var module: Double
        /// Rows that met it.
        var rows = 1
    }

    static let capacity = 32

    /// - Parameters:
    ///   - frame: black and white.
    ///   - capacity: the most that are told apart.
    /// - Returns: squares that several rows meet.
    static func finders(in frame: borrowing Frame, atMost capacity: Int = FinderSearch.capacity) -> [Finder] {
        let (width, height, stride) = (frame.width, frame.height, frame.stride)
        var found: [Finder] = []
        frame.withPixels { pixels in
            var y = 0
            while y < height {
                // The last five runs, the newest last.
                var runs = (0, 0, 0, 0, 0)
                var isBlack = false
                var x = 0
                while x <= width {
                    let pixelIsBlack = x < width ? pixels[y * stride + x] == 0 : !isBlack
                    if pixelIsBlack == isBlack {
                        runs.4 += 1
                    } else {
                        if isBlack, let module = module(of: runs) {
                            let centre = x - runs.4 - runs.3 - runs.2 / 2 - 1
                            if isCrossed(pixels, x: centre, y: y, height: height, stride: stride, module: module) {
                                add(Finder(x: centre, y: y, module: module), to: &found, atMost: capacity)
                            }
                        }
                        runs = (runs.1, runs.2, runs.3, runs.4, 1)
                        isBlack = pixelIsBlack
                    }
                    x += 1
                }
                y += 2
            }
        }
        return found.filter { $0.rows >= 2 }
    }

    private static func module(of runs: (Int, Int, Int, Int, Int)) -> Double? {
        let module = Double(runs.0 + runs.1 + runs.2 + runs.3 + runs.4) / 7
        guard module >= 1 else { return nil }
        let slack = module * 0.6
        for run in [runs.0, runs.1, runs.3, runs.4] where abs(Double(run) - module) > slack { return nil }
        return abs(Double(runs.2) - 3 * module) <= 1.5 * slack ? module : nil
    }

    /// Whether the same alternation is met going down through the middle.
    private static func isCrossed(
        _ pixels: Span<UInt8>, x: Int, y: Int, height: Int, stride: Int, module: Double
    ) -> Bool {
        func length(from start: Int, by step: Int, black: Bool) -> Int {
            var row = start
            while row >= 0, row < height, abs(row - start) <= Int(4 * module) + 1,
                (pixels[row * stride + x] == 0) == black
            {
                row += step
            }
            return abs(row - start)
        }
        let up = length(from: y, by: -1, black: true)
        let down = length(from: y + 1, by: 1, black: true)
        guard up > 0 else { return false }
        let (upperWhite, lowerWhite) = (
            length(from: y - up, by: -1, black: false), length(from: y + 1 + down, by: 1, black: false)
        )
        let upperBlack = length(from: y - up - upperWhite, by: -1, black: true)
        let lowerBlack = length(from: y + 1 + down + lowerWhite, by: 1, black: true)
        guard let vertical = self.module(of: (upperBlack, upperWhite, up + down, lowerWhite, lowerBlack)) else {
            return false
        }
        return vertical < 2 * module && module < 2 * vertical
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
