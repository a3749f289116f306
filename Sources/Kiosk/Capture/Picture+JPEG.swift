// SPDX-License-Identifier: Apache-2.0

import KioskPorts

extension Picture {
    /// Reads the luma of a JPEG.
    ///
    /// A picture that is cut off is refused rather than shown half grey. One that only breaks a rule is a picture.
    /// - Parameter isFlawed: becomes true for such a one.
    init(jpeg bytes: [UInt8], from place: String, isFlawed: inout Bool) throws(FrameSourceError) {
        var buffer = FrameBuffer()
        // Safe: the bytes are lent for the call.
        let answer: Result<Bool, FrameSourceError> = unsafe bytes.withUnsafeBytes { source in
            do throws(JPEGLuma.Damage) {
                let size = try unsafe JPEGLuma.size(of: source)
                do throws(FrameSourceError) {
                    try Picture.check(width: size.width, height: size.height, from: place)
                } catch {
                    return .failure(error)
                }
                return .success(try unsafe JPEGLuma.decode(source, size: size, into: &buffer))
            } catch {
                return .failure(
                    FrameSourceError(
                        .malformed, at: place, problem: "is a damaged JPEG (\(error.reason))",
                        remedy: "save the picture again"))
            }
        }
        isFlawed = try answer.get()
        self.init(width: buffer.width, height: buffer.height, pixels: buffer.pixels)
    }
}
