// SPDX-License-Identifier: Apache-2.0

/// The two timing patterns of a symbol: modules in turn dark and light between the finder patterns (ISO/IEC 18004,
/// 6.3.5). They tell the number of modules, and how a symbol on a bottle is bent.
struct TimingPatterns: ~Copyable {
    private var values = [Float](repeating: 0, count: SymbolVersion.mostModules)

    /// How far the middle of an edge lies beside the straight line, in modules along the edge and across it.
    struct Bend {
        var along: Float = 0
        var across: Float = 0
        var agreement: Float = -.infinity
    }

    /// - Parameters:
    ///   - isDown: whether the pattern at the left is meant, and not the one above.
    ///   - contrast: between light and dark modules; negative for light symbols on dark.
    /// - Returns: the bend with which the pattern agrees best.
    mutating func bend(
        _ picture: borrowing GreyPicture, _ homography: Homography, dimension: Int, scale: Float, contrast: Float,
        isDown: Bool
    ) -> Bend {
        var best = Bend()
        var merit = -Float.infinity
        let reach = dimension < 30 ? 4 : 6
        for across in -reach...reach {
            for along in -2...2 {
                var bend = Bend(along: Float(along) / 2, across: Float(across) / 2)
                bend.agreement = agreement(picture, homography, dimension, scale, contrast, isDown, bend)
                let value = bend.agreement - 0.03 * (abs(bend.along) + abs(bend.across))
                if value > merit { (best, merit) = (bend, value) }
            }
        }
        return best
    }

    private mutating func agreement(
        _ picture: borrowing GreyPicture, _ homography: Homography, _ dimension: Int, _ scale: Float,
        _ contrast: Float, _ isDown: Bool, _ bend: Bend
    ) -> Float {
        for index in 6...dimension - 7 {
            let place = Float(index) + 0.5
            let sag = TimingPatterns.sag(place, dimension)
            let (along, across) = (place + sag * bend.along, 6.5 + sag * bend.across)
            let pixel = isDown ? homography.point(across, along) : homography.point(along, across)
            values[index] = picture.value((1 / scale) * pixel)
        }
        var sum: Float = 0
        for index in 7...dimension - 8 {
            let difference = (values[index - 1] + values[index + 1] - 2 * values[index]) / (2 * contrast)
            sum += min(max(index % 2 == 0 ? difference : -difference, -1), 1)
        }
        return sum / Float(dimension - 14)
    }

    /// The share of a bend at a place along an edge: all of it in the middle, nothing at the finder patterns.
    static func sag(_ place: Float, _ dimension: Int) -> Float {
        let share = min(max((place - 5) / Float(dimension - 10), 0), 1)
        return 4 * share * (1 - share)
    }
}
