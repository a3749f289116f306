// SPDX-License-Identifier: Apache-2.0

import KioskPorts

/// Decodes what cameras deliver as MJPEG.
enum CameraJPEG {
    /// A larger picture is decoded at half its size, which costs a quarter and keeps codes readable.
    private static let largestWidth = 1920

    /// The smallest width to which a picture is decoded to save time.
    private static let smallestWidth = 160

    /// - Parameter sparesSize: whether a picture with a quarter of the sides is enough, which takes a fraction of the
    ///   time.
    /// - Returns: whether the picture breaks a rule somewhere, although every block was decoded.
    static func decode(
        _ bytes: UnsafeRawBufferPointer, sparesSize: Bool = false, into frame: inout FrameBuffer
    ) throws(JPEGLuma.Damage) -> Bool {
        let size = try unsafe JPEGLuma.size(of: bytes)
        guard size.width <= Frame.maximumSide, size.height <= Frame.maximumSide else {
            throw JPEGLuma.Damage(reason: "\(size.width) x \(size.height) pixels are too many")
        }
        let isSmall = sparesSize && size.width >= 4 * smallestWidth
        let divisor = isSmall ? 4 : size.width > largestWidth ? 2 : 1
        return try unsafe JPEGLuma.decode(bytes, size: size, divisor: divisor, isFast: true, into: &frame)
    }
}
