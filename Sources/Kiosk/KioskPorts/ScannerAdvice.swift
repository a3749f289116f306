// SPDX-License-Identifier: Apache-2.0

/// The scanner's findings about the picture as a whole.
public struct ScannerAdvice: Sendable, Equatable {
    /// Nil when nothing hinders reading.
    public var hint: ScannerHint?
    /// Mean luma of the frame, 0 (black) ... 255 (white).
    public var brightness: UInt8
    /// The share of the picture's contrast that its steepest edges take within two pixels: 0 (flat or blurred) ... 255
    /// (sharp).
    public var sharpness: UInt8

    public init(hint: ScannerHint?, brightness: UInt8, sharpness: UInt8) {
        self.hint = hint
        self.brightness = brightness
        self.sharpness = sharpness
    }
}

/// The reason why a code may not be read, for the person who holds it. The raw value is the byte on the pipe; 0 is no
/// hint.
public enum ScannerHint: UInt8, Sendable, Hashable, CaseIterable {
    /// Even the brightest parts of the picture are dark: no light, or a covered lens.
    case tooDark = 1
    /// Even the darkest parts are bright, or most is white: a display too bright, or light in the lens.
    case tooBright = 2
    /// Edges are wide: out of focus, or moving.
    case blurred = 3
    /// Corners of a code are visible, with too few pixels a module.
    case tooSmall = 4
    /// Corners of a code are visible, sharp and large enough, but the code cannot be read.
    case unreadable = 5
    /// The code is read as a mirror image: the camera is configured so.
    case mirrored = 6
    /// More codes, or patterns like corners of codes, are visible than can be searched at once.
    case tooManyCodes = 7
}
