// SPDX-License-Identifier: Apache-2.0

/// Rays from the middle of a finder pattern to its end. Each meets the light ring after 1.5 modules of its direction,
/// the dark one after 2.5, and its end after 3.5. The ends form a parallelogram.
struct FinderRays: ~Copyable {
    private static let count = 32
    private static let directions: [Point] = (0..<count).map { index in
        // A turn in steps: without Foundation there is no sine. The step is a 32nd of a circle.
        var direction = Point(1, 0)
        let step = Point(0.980_785_28, 0.195_090_32)
        for _ in 0..<index { direction = direction.turned(by: step) }
        return direction
    }
    /// Rays in percent that have to agree: a hand may hide two corners.
    private static let leastAgreeing = 55
    /// Mean share by which the ends may miss the sides of the parallelogram.
    private static let mostError: Float = 0.15
    private static let fittingRounds = 3

    private var radii = [Float](repeating: 0, count: count)

    mutating func pattern(_ candidate: FinderCandidate, _ picture: borrowing GreyPicture) -> FinderPattern? {
        var agreeing = 0
        for index in 0..<FinderRays.count {
            radii[index] = radius(candidate, picture, FinderRays.directions[index])
            if radii[index] > 0 { agreeing += 1 }
        }
        guard agreeing * 100 >= FinderRays.count * FinderRays.leastAgreeing else { return nil }
        fillGaps()
        let (across, down, error) = parallelogram()
        guard error < FinderRays.mostError else { return nil }
        return fitted(
            FinderPattern(
                centre: candidate.centre, across: across, down: down,
                agreement: Float(agreeing) / Float(FinderRays.count) - error, isInverted: candidate.isInverted))
    }

    /// - Returns: the distance from the middle to the end; 0 where light and dark do not alternate as they should.
    private func radius(_ candidate: FinderCandidate, _ picture: borrowing GreyPicture, _ direction: Point) -> Float {
        // Half a pixel if a module has only a few.
        let step: Float = candidate.module > 6 ? 1 : 0.5
        guard let edges = edges(candidate, picture, direction, step: step) else { return 0 }
        // Measured between like edges, as on lines: two modules of the rings, and five from the middle to the dark
        // ring.
        let ring = (edges.end - edges.light) / 2
        let module = (edges.dark + (edges.light + edges.end) / 2) / 5
        // The tolerance is half of each distance, and a step.
        guard abs(ring - module) < 0.5 * module + step, abs(edges.light - 1.5 * module) < 0.75 * module + step
        else { return 0 }
        return FinderPattern.reach * module
    }

    /// The distances from the middle to the light ring, to the dark one and to the end.
    private func edges(
        _ candidate: FinderCandidate, _ picture: borrowing GreyPicture, _ direction: Point, step: Float
    ) -> (light: Float, dark: Float, end: Float)? {
        let middle: UInt8 = candidate.isInverted ? 0 : 1
        // Three times as far as the end is in a pattern that is not tilted.
        let limit = 10 * candidate.module + 4
        var (light, dark, distance): (Float, Float, Float) = (0, 0, 0)
        while distance < limit {
            let (x, y) = (candidate.centre.x + distance * direction.x, candidate.centre.y + distance * direction.y)
            guard x >= 0, y >= 0, Int(x) < picture.width, Int(y) < picture.height else { return nil }
            let isMiddle = picture.pixels[Int(y) * picture.width + Int(x)] == middle
            if light == 0 {
                if !isMiddle { light = distance }
            } else if dark == 0 {
                if isMiddle { dark = distance }
            } else if !isMiddle {
                return (light, dark, distance)
            }
            distance += step
        }
        return nil
    }

    /// Replaces a ray that saw no edge by the opposite ray, or else by the mean of its neighbours.
    private mutating func fillGaps() {
        let count = FinderRays.count
        for index in 0..<count where radii[index] == 0 {
            let opposite = radii[(index + count / 2) % count]
            if opposite > 0 {
                radii[index] = opposite
                continue
            }
            var (before, after) = (index, index)
            while radii[(before + count) % count] == 0 { before -= 1 }
            while radii[after % count] == 0 { after += 1 }
            radii[index] = (radii[(before + count) % count] + radii[after % count]) / 2
        }
    }

    /// Computes the sides of a module from the second moments of the area. The moments do not determine the rotation of
    /// the undistorted square, so 16 rotations are tried and the one with the least error is taken.
    private func parallelogram() -> (across: Point, down: Point, error: Float) {
        let root = momentsRoot()
        var best = (across: Point(1, 0), down: Point(0, 1), error: Float.infinity)
        for index in 0..<FinderRays.count / 4 {
            let direction = FinderRays.directions[index]
            let between = direction + FinderRays.directions[index + 1]
            for turn in [direction, 1 / between.length * between] {
                let across = Point(root.xx * turn.x, root.xy * turn.x + root.yy * turn.y)
                let down = Point(-root.xx * turn.y, -root.xy * turn.y + root.yy * turn.x)
                let error = error(across, down)
                if error < best.error { best = (across, down, error) }
            }
        }
        return best
    }

    /// The lower triangle whose product with its own mirror image are the second moments of a module.
    private func momentsRoot() -> (xx: Float, xy: Float, yy: Float) {
        var (area, xx, xy, yy): (Float, Float, Float, Float) = (0, 0, 0, 0)
        for index in 0..<FinderRays.count {
            let (radius, direction) = (radii[index], FinderRays.directions[index])
            let square = radius * radius
            area += square / 2
            xx += square * square / 4 * direction.x * direction.x
            xy += square * square / 4 * direction.x * direction.y
            yy += square * square / 4 * direction.y * direction.y
        }
        // A square of 7 modules has second moments of 49 / 12 of its area.
        let factor = 12 / (49 * area)
        (xx, xy, yy) = (xx * factor, xy * factor, yy * factor)
        // Not 0: all rays may lie on a line.
        let first = max(xx, 1e-6).squareRoot()
        let second = xy / first
        return (first, second, max(yy - second * second, 1e-6).squareRoot())
    }

    /// The mean share by which the ends miss the sides of a square of seven modules.
    private func error(_ across: Point, _ down: Point) -> Float {
        let area = Point.cross(across, down)
        var sum: Float = 0
        for index in 0..<FinderRays.count {
            let end = radii[index] * FinderRays.directions[index]
            let reach = max(abs(Point.cross(end, down) / area), abs(Point.cross(across, end) / area))
            sum += abs(reach - FinderPattern.reach)
        }
        return sum / FinderPattern.reach / Float(FinderRays.count)
    }

    /// Moves and scales the pattern so that the ends lie on its sides on the average.
    private func fitted(_ pattern: FinderPattern) -> FinderPattern {
        var result = pattern
        for _ in 0..<FinderRays.fittingRounds {
            let beyond = meanBeyond(result, from: pattern.centre)
            let (right, left, below, above) = (beyond[0], beyond[1], beyond[2], beyond[3])
            result.centre = result.centre + (right + left) / 2 * result.across + (below + above) / 2 * result.down
            result.across = (FinderPattern.side + right - left) / FinderPattern.side * result.across
            result.down = (FinderPattern.side + below - above) / FinderPattern.side * result.down
        }
        return result
    }

    /// The mean distances of the ends beyond the right, left, lower and upper side, in modules rightwards or downwards.
    private func meanBeyond(_ pattern: FinderPattern, from centre: Point) -> InlineArray<4, Float> {
        var sums: InlineArray<4, Float> = [0, 0, 0, 0]
        // Not 0, to avoid a division by 0 for a side at which no ray ends.
        var counts: InlineArray<4, Float> = [1e-3, 1e-3, 1e-3, 1e-3]
        for index in 0..<FinderRays.count {
            let end = centre + radii[index] * FinderRays.directions[index]
            let place = pattern.modules(end - pattern.centre)
            let isAcross = abs(place.x) > abs(place.y)
            let distance = isAcross ? place.x : place.y
            let side = (isAcross ? 0 : 2) + (distance > 0 ? 0 : 1)
            sums[side] += distance > 0 ? distance - FinderPattern.reach : distance + FinderPattern.reach
            counts[side] += 1
        }
        return [sums[0] / counts[0], sums[1] / counts[1], sums[2] / counts[2], sums[3] / counts[3]]
    }
}
