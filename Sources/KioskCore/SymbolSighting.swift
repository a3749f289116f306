// SPDX-License-Identifier: Apache-2.0

/// Where in the frame a symbol was seen, and how well. Positions and lengths are pixels of the frame as it was captured.
public struct SymbolSighting: Sendable, Equatable {
    /// The frame's instant: see `Frame.captured`.
    public var captured: Duration
    public var frameWidth: Int
    public var frameHeight: Int
    /// The symbol's centre.
    public var centreX: Int
    public var centreY: Int
    /// The mean length of the symbol's four edges.
    public var edge: Int
    /// Mean luma of the symbol's bounding box, 0 (black) ... 255 (white).
    public var brightness: UInt8
    /// Mean difference between horizontal neighbours in the bounding box, 0 (flat or blurred) ... 255.
    public var sharpness: UInt8

    public init(
        captured: Duration, frameWidth: Int, frameHeight: Int, centreX: Int, centreY: Int, edge: Int,
        brightness: UInt8, sharpness: UInt8
    ) {
        self.captured = captured
        self.frameWidth = frameWidth
        self.frameHeight = frameHeight
        self.centreX = centreX
        self.centreY = centreY
        self.edge = edge
        self.brightness = brightness
        self.sharpness = sharpness
    }

    /// Square of the distance between the symbol's centre and the frame's: orders several symbols in view.
    public var squaredDistanceFromCentre: Int {
        let across = 2 * centreX - frameWidth
        let down = 2 * centreY - frameHeight
        return (across * across + down * down) / 4
    }
}
