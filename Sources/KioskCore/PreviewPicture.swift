// SPDX-License-Identifier: Apache-2.0

/// What the camera sees, small and grey, for the person who holds a code up: rows from the top, 0 is black. Where the camera's
/// picture has other proportions, it stands in the middle and the rest is black.
public struct PreviewPicture: Sendable, Equatable {
    public static let width = 320
    public static let height = 180

    /// `width * height` bytes.
    public let luma: [UInt8]

    /// - Returns: nil for another number of bytes.
    public init?(luma: [UInt8]) {
        guard luma.count == PreviewPicture.width * PreviewPicture.height else { return nil }
        self.luma = luma
    }
}
