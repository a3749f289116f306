// SPDX-License-Identifier: Apache-2.0

/// What the scanner finds about the picture as a whole.
public struct ScannerAdvice: Sendable, Equatable {
    /// nil when nothing is in the way.
    public var hint: ScannerHint?
    /// Mean luma of the frame, 0 (black) ... 255 (white).
    public var brightness: UInt8
    /// How much of the picture's contrast its steepest edges take within two pixels: 0 (flat or blurred) ... 255 (sharp).
    public var sharpness: UInt8

    public init(hint: ScannerHint?, brightness: UInt8, sharpness: UInt8) {
        self.hint = hint
        self.brightness = brightness
        self.sharpness = sharpness
    }
}
