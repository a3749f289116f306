// SPDX-License-Identifier: Apache-2.0

import CPNG
import CQREncode

/// A QR code as a PNG: black on white, four modules of quiet zone.
enum QRPicture {
    private static let moduleSize = 8
    private static let quietZone = 4

    /// - Throws: `BackendError.invalidConfiguration` when the text does not fit into a code.
    static func png(of text: String) throws(BackendError) -> [UInt8] {
        let (modules, width) = try modules(of: Array(text.utf8))
        let side = (width + 2 * quietZone) * moduleSize
        var pixels = [UInt8](repeating: 255, count: side * side)
        for row in 0..<width {
            for column in 0..<width where modules[row * width + column] {
                for y in 0..<moduleSize {
                    let start = ((row + quietZone) * moduleSize + y) * side + (column + quietZone) * moduleSize
                    for x in 0..<moduleSize { pixels[start + x] = 0 }
                }
            }
        }
        return try encoded(pixels, side: side)
    }

    /// The code's modules, true for black, row by row.
    private static func modules(of bytes: [UInt8]) throws(BackendError) -> (modules: [Bool], width: Int) {
        // QRcode_encodeData reads as many bytes as it is told to.
        guard let code = unsafe QRcode_encodeData(Int32(bytes.count), bytes, 0, QR_ECLEVEL_M) else {
            throw .invalidConfiguration("the public URL is too long for a QR code")
        }
        defer { unsafe QRcode_free(code) }
        let width = Int(unsafe code.pointee.width)
        // The library gives width x width bytes, whose lowest bit is the colour.
        let modules = (0..<width * width).map { unsafe code.pointee.data[$0] & 1 == 1 }
        return (modules, width)
    }

    private static func encoded(_ pixels: [UInt8], side: Int) throws(BackendError) -> [UInt8] {
        var image = unsafe png_image()
        unsafe image.version = png_uint_32(PNG_IMAGE_VERSION)
        unsafe image.width = png_uint_32(side)
        unsafe image.height = png_uint_32(side)
        unsafe image.format = png_uint_32(PNG_FORMAT_GRAY)
        defer { unsafe png_image_free(&image) }
        var size: png_alloc_size_t = 0
        // Without a buffer libpng says how large it has to be.
        guard unsafe png_image_write_to_memory(&image, nil, &size, 0, pixels, 0, nil) != 0 else {
            throw .pictureFailed
        }
        var file = [UInt8](repeating: 0, count: Int(size))
        guard unsafe png_image_write_to_memory(&image, &file, &size, 0, pixels, 0, nil) != 0 else {
            throw .pictureFailed
        }
        return Array(file.prefix(Int(size)))
    }
}
