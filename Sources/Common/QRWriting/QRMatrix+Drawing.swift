// SPDX-License-Identifier: Apache-2.0

import CPNG

// A code for people and cameras, with its quiet zone.
extension QRMatrix {
    /// Modules on a side, with the quiet zone.
    public var side: Int { width + 2 * QRMatrix.quietZone }

    /// The modules with the quiet zone, rows from the top; dark ones are true.
    public var modules: [Bool] {
        let edge = QRMatrix.quietZone
        return (-edge..<width + edge).flatMap { row in (-edge..<width + edge).map { self[row, $0] } }
    }

    /// The code in characters, each two modules high. Blocks are dark modules, as on paper.
    public var halfBlocks: [String] {
        let edge = QRMatrix.quietZone
        return stride(from: -edge, to: width + edge, by: 2).map { row in
            (-edge..<width + edge).map { column in
                switch (self[row, column], self[row + 1, column]) {
                case (true, true): "█"
                case (true, false): "▀"
                case (false, true): "▄"
                case (false, false): " "
                }
            }.joined()
        }
    }

    /// The dark modules as the path of an SVG picture of ``side`` x ``side``: each run of a row is a rectangle.
    public var svgPath: String {
        let edge = QRMatrix.quietZone
        var path = ""
        for row in 0..<width {
            var column = 0
            while column < width {
                var end = column
                while self[row, end] { end += 1 }
                if end > column { path += "M\(column + edge) \(row + edge)h\(end - column)v1h-\(end - column)z" }
                column = end + 1
            }
        }
        return path
    }

    /// The code as a PNG file, black on white.
    ///
    /// - Parameter moduleSize: pixels of a module's side.
    /// - Returns: nil when libpng failed.
    public func png(moduleSize: Int) -> [UInt8]? {
        let pixels = side * moduleSize
        var picture = [UInt8](repeating: 255, count: pixels * pixels)
        for row in 0..<width {
            for column in 0..<width where self[row, column] {
                let left = (column + QRMatrix.quietZone) * moduleSize
                for y in 0..<moduleSize {
                    let start = ((row + QRMatrix.quietZone) * moduleSize + y) * pixels + left
                    for x in 0..<moduleSize { picture[start + x] = 0 }
                }
            }
        }
        var image = unsafe png_image()
        unsafe image.version = png_uint_32(PNG_IMAGE_VERSION)
        unsafe image.width = png_uint_32(pixels)
        unsafe image.height = png_uint_32(pixels)
        unsafe image.format = png_uint_32(PNG_FORMAT_GRAY)
        defer { unsafe png_image_free(&image) }
        var size: png_alloc_size_t = 0
        // Without a buffer libpng returns the needed size.
        guard unsafe png_image_write_to_memory(&image, nil, &size, 0, picture, 0, nil) != 0 else { return nil }
        var file = [UInt8](repeating: 0, count: Int(size))
        guard unsafe png_image_write_to_memory(&image, &file, &size, 0, picture, 0, nil) != 0 else { return nil }
        return Array(file.prefix(Int(size)))
    }
}
