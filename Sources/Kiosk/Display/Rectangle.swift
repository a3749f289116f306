// SPDX-License-Identifier: Apache-2.0

/// A part of the panel, in pixels from its upper left corner.
public struct Rectangle: Sendable, Hashable {
    public var x: Int
    public var y: Int
    public var width: Int
    public var height: Int

    public init(x: Int, y: Int, width: Int, height: Int) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    var right: Int { x + width }
    var bottom: Int { y + height }
    var area: Int { width * height }
    /// The point in the middle.
    var centre: (x: Double, y: Double) {
        (Double(x) + Double(width) / 2, Double(y) + Double(height) / 2)
    }

    func inset(by margin: Int) -> Rectangle { inset(margin, margin) }

    func inset(_ across: Int, _ down: Int) -> Rectangle {
        Rectangle(x: x + across, y: y + down, width: max(width - 2 * across, 1), height: max(height - 2 * down, 1))
    }

    /// A rectangle of a size in the middle of this one.
    func centred(width: Int, height: Int) -> Rectangle {
        Rectangle(x: x + (self.width - width) / 2, y: y + (self.height - height) / 2, width: width, height: height)
    }

    /// The part below a strip of that height.
    func dropping(top height: Int) -> Rectangle {
        Rectangle(x: x, y: y + height, width: width, height: max(self.height - height, 1))
    }

    /// The part above a strip of that height.
    func dropping(bottom height: Int) -> Rectangle {
        Rectangle(x: x, y: y, width: width, height: max(self.height - height, 1))
    }

    /// A column of that width at the left, and what is right of it and of a gap.
    func columns(first width: Int, gap: Int = 0) -> (first: Rectangle, second: Rectangle) {
        let taken = width + gap
        return (
            Rectangle(x: x, y: y, width: width, height: height),
            Rectangle(x: x + taken, y: y, width: self.width - taken, height: height)
        )
    }

    func intersects(_ other: Rectangle) -> Bool {
        x < other.right && other.x < right && y < other.bottom && other.y < bottom
    }

    public func contains(_ other: Rectangle) -> Bool {
        x <= other.x && y <= other.y && right >= other.right && bottom >= other.bottom
    }

    func union(_ other: Rectangle) -> Rectangle {
        let (left, top) = (min(x, other.x), min(y, other.y))
        return Rectangle(
            x: left, y: top, width: max(right, other.right) - left, height: max(bottom, other.bottom) - top)
    }

    func intersection(_ other: Rectangle) -> Rectangle? {
        guard intersects(other) else { return nil }
        let (left, top) = (max(x, other.x), max(y, other.y))
        return Rectangle(
            x: left, y: top, width: min(right, other.right) - left, height: min(bottom, other.bottom) - top)
    }
}
