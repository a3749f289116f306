// SPDX-License-Identifier: Apache-2.0

/// A point in pixels of a picture, or in modules of a symbol. The middle of the first pixel is (0.5, 0.5).
struct Point {
    var x: Float
    var y: Float

    init(_ x: Float, _ y: Float) { (self.x, self.y) = (x, y) }

    var length: Float { (x * x + y * y).squareRoot() }

    /// - Parameter direction: of length 1.
    func turned(by direction: Point) -> Point {
        Point(x * direction.x - y * direction.y, x * direction.y + y * direction.x)
    }

    static func + (left: Point, right: Point) -> Point { Point(left.x + right.x, left.y + right.y) }
    static func - (left: Point, right: Point) -> Point { Point(left.x - right.x, left.y - right.y) }
    static func * (factor: Float, point: Point) -> Point { Point(factor * point.x, factor * point.y) }
    /// The cross product: positive where `right` lies clockwise of `left`, as pictures are drawn.
    static func cross(_ left: Point, _ right: Point) -> Float { left.x * right.y - left.y * right.x }
    static func dot(_ left: Point, _ right: Point) -> Float { left.x * right.x + left.y * right.y }
}
