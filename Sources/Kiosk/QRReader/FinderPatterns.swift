// SPDX-License-Identifier: Apache-2.0

/// Looks for finder patterns: on any line through the middle, dark and light follow each other as 1:1:3:1:1
/// (ISO/IEC 18004, 6.3.3).
struct FinderPatterns: ~Copyable {
    /// Candidates of one picture.
    private static let mostCandidates = 400
    /// Patterns that are kept.
    private static let most = 48
    private static let rays = 32
    private static let directions: [Point] = (0..<rays).map { index in
        // A turn in steps: without Foundation there is no sine.
        var direction = Point(1, 0)
        let step = Point(0.980_785_28, 0.195_090_32)
        for _ in 0..<index {
            direction = Point(
                direction.x * step.x - direction.y * step.y, direction.x * step.y + direction.y * step.x)
        }
        return direction
    }

    private struct Candidate {
        var centre: Point
        var module: Float
        var rows: Int
        var isInverted: Bool
    }

    private var candidates: [Candidate] = []
    private var radii = [Float](repeating: 0, count: rays)
    /// The best ones first.
    private(set) var found: [FinderPattern] = []

    init() {
        candidates.reserveCapacity(FinderPatterns.mostCandidates)
        found.reserveCapacity(FinderPatterns.most + 1)
    }

    mutating func begin() { found.removeAll(keepingCapacity: true) }

    /// Adds what a black and white picture shows.
    ///
    /// - Parameters:
    ///   - scale: pixels of the frame in one of the picture.
    ///   - step: rows from one that is looked at to the next.
    mutating func search(_ picture: borrowing GreyPicture, scale: Float, step: Int) {
        candidates.removeAll(keepingCapacity: true)
        for y in Swift.stride(from: 0, to: picture.height, by: step) {
            searchRow(picture, y)
            if y / step % 64 == 63 { close(picture, above: Float(y), scale: scale, step: step) }
        }
        close(picture, above: .infinity, scale: scale, step: step)
    }

    /// Looks more closely at the candidates that no further row will meet, and forgets them.
    private mutating func close(_ picture: borrowing GreyPicture, above row: Float, scale: Float, step: Int) {
        var kept = 0
        for index in candidates.indices {
            let candidate = candidates[index]
            if candidate.centre.y + 2 * candidate.module + 2 >= row {
                candidates[kept] = candidate
                kept += 1
            } else if Float(candidate.rows * step) >= candidate.module, let pattern = confirm(candidate, picture) {
                var scaled = pattern
                scaled.centre = scale * pattern.centre
                scaled.across = scale * pattern.across
                scaled.down = scale * pattern.down
                keep(scaled)
            }
        }
        candidates.removeLast(candidates.count - kept)
    }

    private mutating func searchRow(_ picture: borrowing GreyPicture, _ y: Int) {
        let width = picture.width
        let row = y * width
        let pixels = picture.pixels.span
        var runs = (0, 0, 0, 0, 0)
        var colour = pixels[row]
        var start = 0
        for x in 1...width {
            let isEdge = x == width || pixels[row + x] != colour
            guard isEdge else { continue }
            runs = (runs.1, runs.2, runs.3, runs.4, x - start)
            start = x
            if runs.0 > 0, FinderPatterns.isAlternating(runs) {
                let middle = x - runs.4 - runs.3 - (runs.2 + 1) / 2
                cross(picture, middle, y, isInverted: colour == 0, length: runs.0 + runs.1 + runs.2 + runs.3 + runs.4)
            }
            if x < width { colour = pixels[row + x] }
        }
    }

    /// From edge to like edge it is 2:4:4:2, however much the light or the dark has grown.
    @inline(__always)
    private static func isAlternating(_ runs: (Int, Int, Int, Int, Int)) -> Bool {
        let total = runs.0 + runs.1 + runs.2 + runs.3 + runs.4
        guard total >= 7, runs.2 > runs.1, runs.2 > runs.3, runs.2 > runs.0, runs.2 > runs.4 else { return false }
        func isNear(_ length: Int, _ share: Int) -> Bool {
            // By 40 percent, and a pixel.
            abs(7 * length - share * total) * 10 <= share * total * 4 + 70
        }
        return isNear(runs.0 + runs.1, 2) && isNear(runs.1 + runs.2, 4) && isNear(runs.2 + runs.3, 4)
            && isNear(runs.3 + runs.4, 2)
    }

    /// Looks at the column through the middle of a row's find, and keeps what alternates there, too.
    private mutating func cross(
        _ picture: borrowing GreyPicture, _ x: Int, _ y: Int, isInverted: Bool, length: Int
    ) {
        let (width, height) = (picture.width, picture.height)
        let pixels = picture.pixels.span
        let middle: UInt8 = isInverted ? 0 : 1
        guard pixels[y * width + x] == middle else { return }
        let limit = 2 * length
        func run(_ from: Int, _ step: Int, _ colour: UInt8) -> Int {
            var row = from
            while row >= 0, row < height, abs(row - from) < limit, pixels[row * width + x] == colour { row += step }
            return abs(row - from)
        }
        let up = run(y, -1, middle)
        let down = run(y + 1, 1, middle)
        let lightUp = run(y - up, -1, 1 - middle)
        let lightDown = run(y + 1 + down, 1, 1 - middle)
        let darkUp = run(y - up - lightUp, -1, middle)
        let darkDown = run(y + 1 + down + lightDown, 1, middle)
        let runs = (darkUp, lightUp, up + down, lightDown, darkDown)
        guard darkUp > 0, darkDown > 0, FinderPatterns.isAlternating(runs) else { return }
        let height7 = darkUp + lightUp + up + down + lightDown + darkDown
        guard height7 < 4 * length, length < 4 * height7 else { return }
        let centre = Point(Float(x) + 0.5, Float(2 * y + 1 + down - up + 1) / 2)
        let module = Float(length + height7) / 14
        for index in candidates.indices where candidates[index].isInverted == isInverted {
            let distance = candidates[index].centre - centre
            guard abs(distance.x) < 1.5 * module + 1, abs(distance.y) < 1.5 * module + 1 else { continue }
            let rows = Float(candidates[index].rows)
            candidates[index].centre = 1 / (rows + 1) * (rows * candidates[index].centre + centre)
            candidates[index].rows += 1
            return
        }
        guard candidates.count < FinderPatterns.mostCandidates else { return }
        candidates.append(Candidate(centre: centre, module: module, rows: 1, isInverted: isInverted))
    }

    private mutating func keep(_ pattern: FinderPattern) {
        let same = found.firstIndex {
            $0.isInverted == pattern.isInverted
                && ($0.centre - pattern.centre).length < 2 * max($0.module, pattern.module)
        }
        if let same {
            if found[same].agreement >= pattern.agreement { return }
            found.remove(at: same)
        }
        let place = found.firstIndex { $0.agreement < pattern.agreement } ?? found.count
        found.insert(pattern, at: place)
        if found.count > FinderPatterns.most { found.removeLast() }
    }
}

extension FinderPatterns {
    /// Sends rays from the middle: each meets the light ring after 1.5 modules of its direction, the dark one after 2.5
    /// and its end after 3.5. The ends form a parallelogram.
    private mutating func confirm(_ candidate: Candidate, _ picture: borrowing GreyPicture) -> FinderPattern? {
        var agreeing = 0
        for index in 0..<FinderPatterns.rays {
            radii[index] = radius(candidate, picture, FinderPatterns.directions[index])
            if radii[index] > 0 { agreeing += 1 }
        }
        guard agreeing * 100 >= FinderPatterns.rays * 55 else { return nil }
        fill()
        // Moments of the area give the parallelogram but for a turn of the square before it was bent.
        var (area, xx, xy, yy): (Float, Float, Float, Float) = (0, 0, 0, 0)
        for index in 0..<FinderPatterns.rays {
            let (radius, direction) = (radii[index], FinderPatterns.directions[index])
            let square = radius * radius
            area += square / 2
            xx += square * square / 4 * direction.x * direction.x
            xy += square * square / 4 * direction.x * direction.y
            yy += square * square / 4 * direction.y * direction.y
        }
        let factor = 12 / (49 * area)
        (xx, xy, yy) = (xx * factor, xy * factor, yy * factor)
        // The lower triangle whose product with its own mirror image these are.
        let first = max(xx, 1e-6).squareRoot()
        let second = xy / first
        let third = max(yy - second * second, 1e-6).squareRoot()
        var best = (error: Float.infinity, across: Point(1, 0), down: Point(0, 1))
        for turn in 0..<FinderPatterns.rays / 4 {
            for half in 0..<2 {
                // Eight directions within a quarter, and eight between them.
                var direction = FinderPatterns.directions[turn]
                if half == 1 {
                    let sum = direction + FinderPatterns.directions[turn + 1]
                    direction = 1 / sum.length * sum
                }
                let across = Point(first * direction.x, second * direction.x + third * direction.y)
                let down = Point(-first * direction.y, -second * direction.y + third * direction.x)
                let error = error(across, down)
                if error < best.error { best = (error, across, down) }
            }
        }
        guard best.error < 0.15 else { return nil }
        return fitted(
            FinderPattern(
                centre: candidate.centre, across: best.across, down: best.down,
                agreement: Float(agreeing) / Float(FinderPatterns.rays) - best.error, isInverted: candidate.isInverted))
    }

    /// - Returns: the distance from the middle to the end; 0 where light and dark do not alternate as they should.
    private func radius(_ candidate: Candidate, _ picture: borrowing GreyPicture, _ direction: Point) -> Float {
        let middle: UInt8 = candidate.isInverted ? 0 : 1
        let limit = 10 * candidate.module + 4
        let step: Float = candidate.module > 6 ? 1 : 0.5
        var (first, second): (Float, Float) = (0, 0)
        var distance: Float = 0
        while distance < limit {
            let (x, y) = (candidate.centre.x + distance * direction.x, candidate.centre.y + distance * direction.y)
            guard x >= 0, y >= 0, Int(x) < picture.width, Int(y) < picture.height else { return 0 }
            let isMiddle = picture.pixels[Int(y) * picture.width + Int(x)] == middle
            if first == 0 {
                if !isMiddle { first = distance }
            } else if second == 0 {
                if isMiddle { second = distance }
            } else if !isMiddle {
                break
            }
            distance += step
        }
        guard distance < limit, first > 0 else { return 0 }
        // From edge to like edge, as on lines.
        let ring = (distance - first) / 2
        let whole = (second + (first + distance) / 2) / 5
        guard abs(ring - whole) < 0.5 * whole + step, abs(first - 1.5 * whole) < 0.75 * whole + step else { return 0 }
        return 3.5 * whole
    }

    /// The opposite ray stands in for a ray that saw no edge.
    private mutating func fill() {
        let half = FinderPatterns.rays / 2
        for index in 0..<FinderPatterns.rays where radii[index] == 0 {
            if radii[(index + half) % FinderPatterns.rays] > 0 {
                radii[index] = radii[(index + half) % FinderPatterns.rays]
                continue
            }
            var (before, after) = (index, index)
            while radii[(before + FinderPatterns.rays) % FinderPatterns.rays] == 0 { before -= 1 }
            while radii[after % FinderPatterns.rays] == 0 { after += 1 }
            radii[index] =
                (radii[(before + FinderPatterns.rays) % FinderPatterns.rays] + radii[after % FinderPatterns.rays]) / 2
        }
    }

    /// The mean share by which the ends miss the sides of a square of seven modules.
    private func error(_ across: Point, _ down: Point) -> Float {
        let area = Point.cross(across, down)
        var sum: Float = 0
        for index in 0..<FinderPatterns.rays {
            let end = radii[index] * FinderPatterns.directions[index]
            let reach = max(abs(Point.cross(end, down) / area), abs(Point.cross(across, end) / area))
            sum += abs(reach - 3.5)
        }
        return sum / 3.5 / Float(FinderPatterns.rays)
    }

    /// Moves and scales the pattern so that the ends lie on its sides on the average.
    private func fitted(_ pattern: FinderPattern) -> FinderPattern {
        var result = pattern
        for _ in 0..<3 {
            // The mean of what the ends are beyond each side.
            var sides: (Float, Float, Float, Float) = (0, 0, 0, 0)
            var counts: (Float, Float, Float, Float) = (1e-3, 1e-3, 1e-3, 1e-3)
            for index in 0..<FinderPatterns.rays {
                let end = pattern.centre + radii[index] * FinderPatterns.directions[index]
                let place = result.modules(end - result.centre)
                if abs(place.x) > abs(place.y) {
                    if place.x > 0 {
                        sides.0 += place.x - 3.5; counts.0 += 1
                    } else {
                        sides.1 += place.x + 3.5; counts.1 += 1
                    }
                } else {
                    if place.y > 0 {
                        sides.2 += place.y - 3.5; counts.2 += 1
                    } else {
                        sides.3 += place.y + 3.5; counts.3 += 1
                    }
                }
            }
            let (right, left) = (sides.0 / counts.0, sides.1 / counts.1)
            let (below, above) = (sides.2 / counts.2, sides.3 / counts.3)
            result.centre = result.centre + (right + left) / 2 * result.across + (below + above) / 2 * result.down
            result.across = (7 + right - left) / 7 * result.across
            result.down = (7 + below - above) / 7 * result.down
        }
        return result
    }
}
