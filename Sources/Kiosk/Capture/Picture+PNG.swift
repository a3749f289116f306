// SPDX-License-Identifier: Apache-2.0

import CPNG
import KioskPorts

extension Picture {
    /// Reads a PNG by libpng's simplified interface.
    init(png bytes: [UInt8], from place: String) throws(FrameSourceError) {
        // Safe: the structure is plain data, and zero is its documented start.
        var image = unsafe png_image()
        unsafe image.version = png_uint_32(PNG_IMAGE_VERSION)
        // Safe: frees what libpng holds, also after an error; does nothing if that has happened.
        defer { unsafe png_image_free(&image) }
        // Safe: the bytes stay in place during the call, and libpng reads them again only in `finish_read` below, which
        // runs inside the same closure.
        let pixels: Result<[UInt8], FrameSourceError> = unsafe bytes.withUnsafeBytes { source in
            guard unsafe png_image_begin_read_from_memory(&image, source.baseAddress, source.count) != 0 else {
                return .failure(unsafe Picture.damagedPNG(image, at: place))
            }
            let (width, height) = (unsafe Int(image.width), unsafe Int(image.height))
            do throws(FrameSourceError) { try Picture.check(width: width, height: height, from: place) } catch {
                return .failure(error)
            }
            unsafe image.format = 0  // PNG_FORMAT_GRAY: eight bits of luma, no flag set
            var white = png_color(red: 255, green: 255, blue: 255)
            var pixels = [UInt8](repeating: 0, count: width * height)
            let done = unsafe pixels.withUnsafeMutableBytes { target in
                unsafe png_image_finish_read(&image, &white, target.baseAddress, png_int_32(width), nil)
            }
            return done != 0 ? .success(pixels) : .failure(unsafe Picture.damagedPNG(image, at: place))
        }
        let (width, height) = (unsafe Int(image.width), unsafe Int(image.height))
        self.init(width: width, height: height, pixels: try pixels.get())
    }

    private static func damagedPNG(_ image: png_image, at place: String) -> FrameSourceError {
        // Safe: libpng terminates its message, which lies inside the structure.
        let message = unsafe withUnsafeBytes(of: image.message) { bytes in
            unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        return FrameSourceError(
            .malformed, at: place, problem: "is a damaged PNG (\(message))", remedy: "save the picture again")
    }
}
