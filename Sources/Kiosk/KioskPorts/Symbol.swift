// SPDX-License-Identifier: Apache-2.0

public import LoginValues

/// One QR code that was read in a frame.
///
/// Its bytes may contain an access code and are treated like one: wiped when dropped, never printed.
public struct Symbol: Sendable, Equatable {
    /// The possible lengths of a payload, up to that of the largest QR code (version 40, level L, byte mode): ISO/IEC
    /// 18004, table 7.
    public static let payloadLengths = 1...2953

    /// The bytes of the code, unchanged: no character set is guessed.
    public let payload: SecretBytes
    /// The number of QR codes that the bytes were joined from (structured append); 1 is an undivided code.
    public let parts: Int
    public var sighting: SymbolSighting

    /// - Returns: nil when the payload is empty or longer than a QR code can be, or `parts` is not 1...16.
    public init?(payload: SecretBytes, parts: Int, sighting: SymbolSighting) {
        guard Symbol.payloadLengths.contains(payload.count), (1...16).contains(parts) else { return nil }
        self.payload = payload
        self.parts = parts
        self.sighting = sighting
    }
}

/// The position of a symbol in the frame, and its quality. Positions and lengths are pixels of the captured frame.
public struct SymbolSighting: Sendable, Equatable {
    /// The frame's time: see `Frame.captured`.
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
    /// The symbol's corners, one after the other, perhaps beyond the frame. The scanner's process alone knows them.
    public var corners: [PixelPoint] = []

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

    /// Square of the distance between the centres of symbol and frame, which orders several symbols in view.
    public var squaredDistanceFromCentre: Int {
        let across = 2 * centreX - frameWidth
        let down = 2 * centreY - frameHeight
        return (across * across + down * down) / 4
    }
}

/// Reads QR codes in a frame.
public protocol SymbolDecoder: ~Copyable {
    /// The symbols in view, the one nearest to the frame's centre first. Never a text that is not in the picture: a
    /// damaged, partial or foreign code yields nothing.
    mutating func symbols(in frame: borrowing Frame) -> [Symbol]
}
