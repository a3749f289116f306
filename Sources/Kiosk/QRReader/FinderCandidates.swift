// SPDX-License-Identifier: Apache-2.0

/// A place where a row and a column of a black and white picture cross in the middle of a possible finder pattern.
struct FinderCandidate {
    /// The mean of the results of its rows.
    var centre: Point
    var module: Float
    var rows = 1
    var isInverted: Bool

    /// Whether a find of another row is this candidate, too: it lies within the middle, give or take a pixel.
    func isNear(_ place: Point, module: Float) -> Bool {
        let distance = centre - place
        return abs(distance.x) < 1.5 * module + 1 && abs(distance.y) < 1.5 * module + 1
    }

    mutating func add(_ place: Point) {
        let count = Float(rows)
        centre = 1 / (count + 1) * (count * centre + place)
        rows += 1
    }

    /// The row from which on no further one meets the middle.
    var end: Float { centre.y + 2 * module + 2 }
}

/// The candidates of one picture, row by row.
struct FinderCandidates: ~Copyable {
    /// The largest number of candidates: more than pictures without noise show.
    private static let most = 400
    /// The greatest ratio of the pattern's lengths along row and column, either way: four is a tilt of 75 degrees.
    private static let longest = 4

    private var all: [FinderCandidate] = []

    init() { all.reserveCapacity(FinderCandidates.most) }

    mutating func begin() { all.removeAll(keepingCapacity: true) }

    /// Removes the candidates that no row from this one on meets.
    mutating func removeAll(before row: Float) -> [FinderCandidate] {
        let removed = all.filter { $0.end < row }
        all.removeAll { $0.end < row }
        return removed
    }

    mutating func searchRow(_ picture: borrowing GreyPicture, _ y: Int) {
        let width = picture.width
        let row = y * width
        let pixels = picture.pixels.span
        var runs = FinderRuns()
        var colour = pixels[row]
        var start = 0
        for x in 1...width {
            let isEdge = x == width || pixels[row + x] != colour
            guard isEdge else { continue }
            runs.append(x - start)
            start = x
            if runs.first > 0, runs.areOfFinder {
                let middle = x - runs.last - runs.fourth - (runs.middle + 1) / 2
                searchColumn(picture, middle, y, colour: colour, length: runs.total)
            }
            if x < width { colour = pixels[row + x] }
        }
    }

    /// Keeps a row's find where the column through its middle shows the pattern, too.
    ///
    /// - Parameters:
    ///   - colour: of the middle.
    ///   - length: of the pattern in the row.
    private mutating func searchColumn(
        _ picture: borrowing GreyPicture, _ x: Int, _ y: Int, colour: UInt8, length: Int
    ) {
        guard let (runs, middle) = column(picture, x, y, colour: colour, limit: 2 * length), runs.areOfFinder,
            runs.total < FinderCandidates.longest * length, length < FinderCandidates.longest * runs.total
        else { return }
        keep(Point(Float(x) + 0.5, middle), module: Float(length + runs.total) / 14, isInverted: colour == 0)
    }

    /// The runs of a column around a pixel, and the middle between the ends of that pixel's run.
    ///
    /// - Returns: nil when the pixel has another colour or a dark run is missing.
    private func column(
        _ picture: borrowing GreyPicture, _ x: Int, _ y: Int, colour: UInt8, limit: Int
    ) -> (runs: FinderRuns, middle: Float)? {
        let (width, height) = (picture.width, picture.height)
        let pixels = picture.pixels.span
        guard pixels[y * width + x] == colour else { return nil }
        func run(_ from: Int, _ step: Int, _ colour: UInt8) -> Int {
            var row = from
            while row >= 0, row < height, abs(row - from) < limit, pixels[row * width + x] == colour { row += step }
            return abs(row - from)
        }
        let (up, down) = (run(y, -1, colour), run(y + 1, 1, colour))
        var runs = FinderRuns(middle: up + down)
        runs.second = run(y - up, -1, 1 - colour)
        runs.fourth = run(y + 1 + down, 1, 1 - colour)
        runs.first = run(y - up - runs.second, -1, colour)
        runs.last = run(y + 1 + down + runs.fourth, 1, colour)
        guard runs.first > 0, runs.last > 0 else { return nil }
        return (runs, Float(2 * y + 1 + down - up + 1) / 2)
    }

    private mutating func keep(_ place: Point, module: Float, isInverted: Bool) {
        for index in all.indices where all[index].isInverted == isInverted && all[index].isNear(place, module: module) {
            return all[index].add(place)
        }
        guard all.count < FinderCandidates.most else { return }
        all.append(FinderCandidate(centre: place, module: module, isInverted: isInverted))
    }
}
