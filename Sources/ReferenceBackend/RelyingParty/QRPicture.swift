// SPDX-License-Identifier: Apache-2.0

import CPNG
import QRWriting

/// A QR code as a PNG: black on white, four modules of quiet zone.
enum QRPicture {
    private static let moduleSize = 8

    /// - Throws: `BackendError.invalidConfiguration` when the text does not fit into a code.
    static func png(of text: String) throws(BackendError) -> [UInt8] {
        guard let code = QRMatrix(text) else {
            throw .invalidConfiguration("the public URL is too long for a QR code")
        }
        let side = (code.width + 2 * QRMatrix.quietZone) * moduleSize
        var pixels = [UInt8](repeating: 255, count: side * side)
        for row in 0..<code.width {
            for column in 0..<code.width where code[row, column] {
                for y in 0..<moduleSize {
                    let top = (row + QRMatrix.quietZone) * moduleSize + y
                    let start = top * side + (column + QRMatrix.quietZone) * moduleSize
                    for x in 0..<moduleSize { pixels[start + x] = 0 }
                }
            }
        }
        return try encoded(pixels, side: side)
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
