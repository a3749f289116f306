// SPDX-License-Identifier: Apache-2.0

/// A finder pattern in a picture: its middle, and the two directions of its sides.
struct FinderPattern {
    /// Modules on a side.
    static let side: Float = 7
    /// Modules from the middle to a side.
    static let reach = side / 2

    var centre: Point
    /// A module along one side, and along the next side clockwise.
    var across: Point
    var down: Point
    /// The agreement of rays from the middle: 1 if all agree.
    var agreement: Float
    /// Whether it is light on dark.
    var isInverted: Bool

    /// The length of a module's side.
    var module: Float { abs(Point.cross(across, down)).squareRoot() }

    /// A vector of the picture in modules of this pattern.
    func modules(_ vector: Point) -> Point {
        let area = Point.cross(across, down)
        return Point(Point.cross(vector, down) / area, Point.cross(across, vector) / area)
    }

    /// The pixel of a place that is given in modules from the middle.
    func pixel(_ place: Point) -> Point { centre + place.x * across + place.y * down }

    /// The same pattern in a picture that is larger by a factor.
    func scaled(by factor: Float) -> FinderPattern {
        var result = self
        (result.centre, result.across, result.down) = (factor * centre, factor * across, factor * down)
        return result
    }

    /// The same pattern, named from another of its corners.
    func turned(_ quarters: Int) -> FinderPattern {
        var result = self
        for _ in 0..<quarters { (result.across, result.down) = (result.down, -1 * result.across) }
        return result
    }

    /// The same pattern, named so that ``across`` goes along `direction`.
    func facing(across direction: Point) -> FinderPattern {
        let place = modules(direction)
        if abs(place.x) >= abs(place.y) { return place.x > 0 ? self : turned(2) }
        return place.y > 0 ? turned(1) : turned(3)
    }

    /// The same pattern, named so that ``down`` goes along `direction`.
    func facing(down direction: Point) -> FinderPattern { facing(across: direction).turned(3) }
}
