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

        /// Whether the find of a later row belongs to this square, which is seven modules wide and high.
        fileprivate func isMet(by later: Finder) -> Bool {
            abs(x - later.x) <= Int(3 * module) && abs(y - later.y) <= Int(4 * module)
        }
    }

    static let capacity = 32

    /// The distance of the rows searched for hints. The middle of a square of modules of two pixels is met three times.
    private static let rowStep = 2
    /// The distance of the rows that zxing-cpp looks at. The middle of a square of modules of one pixel is met once.
    private static let rowStepOfZXing = 3
    /// Pixels by which zxing-cpp lets a run be longer or shorter, besides its share of a module, for small modules.
    private static let marginOfZXing = 0.5
    /// The share of a module by which a run of a row or a column may be longer or shorter. zxing-cpp allows half a
    /// module, and the count must not be stricter.
    private static let straightTolerance = 0.6
    /// The same along a diagonal: zxing-cpp's relaxed threshold.
    private static let diagonalTolerance = 0.75
    /// The factor by which the tolerance of the middle run is larger: it is three modules long.
    private static let middleFactor = 1.5
    /// Pixels looked at to either side of the middle, in modules: three patterns, as zxing-cpp does for oblique views.
    private static let reach = 21.0
    /// The greatest ratio of the pattern's lengths along row and column, either way: zxing-cpp's limit, a tilt of 78
    /// degrees.
    private static let longest = 5.0

    /// - Parameters:
    ///   - frame: black and white.
    ///   - capacity: the most that are distinguished.
    /// - Returns: squares that several rows meet.
    static func finders(in frame: borrowing Frame, atMost capacity: Int = FinderSearch.capacity) -> [Finder] {
        var found: [Finder] = []
        scan(frame, rows: stride(from: 0, to: frame.height, by: rowStep), margin: 0) { finder in
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
        let rows = stride(from: rowStepOfZXing - 1, to: frame.height, by: rowStepOfZXing)
        let density = scan(frame, rows: rows, margin: marginOfZXing) { finder in
            add(finder, to: &found, atMost: most)
            return found.count < most
        }
        return (found.count, density)
    }

    /// - Parameters:
    ///   - margin: pixels by which a run may be longer or shorter, besides its share of a module.
    ///   - body: gets a finder for each row that meets it, and returns whether to go on.
    /// - Returns: how often black and white alternate, as a share of the pixels looked at.
    @discardableResult private static func scan(
        _ frame: borrowing Frame, rows: StrideTo<Int>, margin: Double, _ body: (Finder) -> Bool
    ) -> Double {
        let (width, height, stride) = (frame.width, frame.height, frame.stride)
        return frame.withPixels { pixels in
            let picture = BlackAndWhite(pixels: pixels, width: width, height: height, stride: stride)
            var (edges, seen) = (0, 0)
            search: for y in rows {
                seen += width
                var row = RowRuns(y: y)
                while row.advance(in: picture) {
                    edges += 1
                    guard row.endsBlack, row.runs.first > 0 else { continue }
                    if let finder = crossCheck(row, in: picture, margin: margin), !body(finder) { break search }
                }
            }
            return seen > 0 ? Double(edges) / Double(seen) : 0
        }
    }

    /// Cross-checks the last five runs of a row by the other lines through their middle: down, along the row again from
    /// the middle that this shows, and along both diagonals.
    private static func crossCheck(_ row: RowRuns, in picture: BlackAndWhite, margin: Double) -> Finder? {
        let (runs, y) = (row.runs, row.y)
        guard let module = module(of: runs, tolerance: straightTolerance, margin: margin) else { return nil }
        let x = row.end - runs.last - runs.fourth - runs.middle / 2 - 1
        let limit = Int(reach * module)
        guard let column = picture.line(throughX: x, y: y, dx: 0, dy: 1, limit: limit),
            let vertical = Self.module(of: column.runs, tolerance: straightTolerance, margin: margin),
            vertical < longest * module, module < longest * vertical
        else { return nil }
        let centreY = y + column.shift
        guard let across = picture.line(throughX: x, y: centreY, dx: 1, dy: 0, limit: limit),
            Self.module(of: across.runs, tolerance: straightTolerance, margin: margin) != nil
        else { return nil }
        let centreX = x + across.shift
        for dx in [1, -1] {
            guard let diagonal = picture.line(throughX: centreX, y: centreY, dx: dx, dy: 1, limit: limit),
                Self.module(of: diagonal.runs, tolerance: diagonalTolerance, margin: margin) != nil
            else { return nil }
        }
        return Finder(x: x, y: y, module: module)
    }

    /// - Parameters:
    ///   - tolerance: the share of a module by which a run may be longer or shorter.
    ///   - margin: pixels by which it may, besides.
    /// - Returns: the length of a module; nil unless the runs are 1:1:3:1:1.
    private static func module(of runs: FinderRuns, tolerance: Double, margin: Double) -> Double? {
        let module = Double(runs.total) / 7
        guard module >= 1 else { return nil }
        let slack = module * tolerance + margin
        func isModule(_ run: Int) -> Bool { abs(Double(run) - module) <= slack }
        guard isModule(runs.first), isModule(runs.second), isModule(runs.fourth), isModule(runs.last) else {
            return nil
        }
        return abs(Double(runs.middle) - 3 * module) <= middleFactor * slack ? module : nil
    }

    private static func add(_ finder: Finder, to found: inout [Finder], atMost capacity: Int) {
        if let met = found.firstIndex(where: { $0.isMet(by: finder) }) {
            found[met].rows += 1
        } else if found.count < capacity {
            found.append(finder)
        }
    }
}
