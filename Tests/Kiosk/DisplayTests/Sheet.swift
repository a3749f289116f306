// SPDX-License-Identifier: Apache-2.0

import CPNG
import CPango
import Foundation

@testable import Display

/// A picture in memory: a single screen, or many screens in rows, each with its name.
@safe final class Sheet {
    let width: Int
    let height: Int
    // Safe: released in `deinit`. Cairo owns the pixels.
    private let surface: OpaquePointer?
    private let cairo: OpaquePointer?

    init(width: Int, height: Int) {
        (self.width, self.height) = (width, height)
        let made = unsafe cairo_image_surface_create(CAIRO_FORMAT_RGB24, Int32(width), Int32(height))
        unsafe surface = unsafe made
        unsafe cairo = unsafe cairo_create(made)
        unsafe cairo_set_source_rgb(cairo, 0.25, 0.26, 0.28)
        unsafe cairo_paint(cairo)
    }

    deinit {
        unsafe cairo_destroy(cairo)
        unsafe cairo_surface_destroy(surface)
    }

    private static let (gap, caption) = (8, 18)

    /// Room for a number of screens of a size, as wide as `cell`.
    static func rows(of count: Int, columns: Int, cell: Int, width: Int, height: Int) -> Sheet {
        let rows = (count + columns - 1) / columns
        return Sheet(
            width: columns * (cell + gap) + gap, height: rows * (cell * height / width + gap + caption) + gap)
    }

    /// Adds a screen at its place in a row.
    func add(_ canvas: Canvas, _ name: String, at index: Int, columns: Int, cell: Int) {
        let row = cell * canvas.height / canvas.width + Sheet.gap + Sheet.caption
        let x = Sheet.gap + index % columns * (cell + Sheet.gap)
        let y = Sheet.gap + index / columns * row
        add(canvas, x: x, y: y, width: cell)
        unsafe cairo_set_source_rgb(cairo, 1, 1, 1)
        unsafe cairo_set_font_size(cairo, 11)
        unsafe cairo_move_to(cairo, Double(x), Double(y + cell * canvas.height / canvas.width + 13))
        unsafe cairo_show_text(cairo, name)
    }

    func add(_ canvas: Canvas, x: Int, y: Int, width: Int) {
        unsafe canvas.withPixels { pixels in
            // Safe: cairo reads from the pixels, which live during the call.
            let start = unsafe UnsafeMutableRawPointer(mutating: pixels.baseAddress)?.assumingMemoryBound(
                to: UInt8.self)
            let picture = unsafe cairo_image_surface_create_for_data(
                start, CAIRO_FORMAT_RGB24, Int32(canvas.width), Int32(canvas.height), Int32(canvas.stride))
            defer { unsafe cairo_surface_destroy(picture) }
            unsafe cairo_save(cairo)
            unsafe cairo_translate(cairo, Double(x), Double(y))
            let scale = Double(width) / Double(canvas.width)
            unsafe cairo_scale(cairo, scale, scale)
            unsafe cairo_set_source_surface(cairo, picture, 0, 0)
            unsafe cairo_pattern_set_filter(cairo_get_source(cairo), CAIRO_FILTER_GOOD)
            unsafe cairo_paint(cairo)
            unsafe cairo_restore(cairo)
        }
    }

    /// Red, green and blue of each pixel.
    private var pixels: [UInt32] {
        unsafe cairo_surface_flush(surface)
        guard let data = unsafe cairo_image_surface_get_data(surface) else { return [] }
        let row = Int(unsafe cairo_image_surface_get_stride(surface)) / 4
        // Safe: the surface has `row * height` pixels of four bytes.
        return unsafe data.withMemoryRebound(to: UInt32.self, capacity: row * height) { words in
            var pixels: [UInt32] = []
            pixels.reserveCapacity(width * height)
            for y in 0..<height { for x in 0..<width { unsafe pixels.append(words[y * row + x] & 0xFF_FFFF) } }
            return pixels
        }
    }

    /// Writes the picture with its 256 most frequent colours: a quarter of the size of one with all.
    func write(to path: String) -> Bool {
        let pixels = pixels
        /// Five bits of each part.
        func bucket(_ pixel: UInt32) -> Int {
            let (red, green, blue) = (pixel >> 19 & 31, pixel >> 11 & 31, pixel >> 3 & 31)
            return Int(red << 10 | green << 5 | blue)
        }
        var counts = [Int](repeating: 0, count: 1 << 15)
        var samples = [UInt32](repeating: 0, count: 1 << 15)
        for pixel in pixels {
            let bucket = bucket(pixel)
            counts[bucket] += 1
            // Exact for the colours of the design, which are there first and most often.
            if counts[bucket] == 1 { samples[bucket] = pixel }
        }
        let used = counts.indices.filter { counts[$0] > 0 }
        let chosen = used.sorted { counts[$0] > counts[$1] }.prefix(256)
        let palette = chosen.map { samples[$0] }
        func distance(_ one: UInt32, _ other: UInt32) -> Int {
            var sum = 0
            for shift in [UInt32(0), 8, 16] {
                let step = Int(one >> shift & 255) - Int(other >> shift & 255)
                sum += step * step
            }
            return sum
        }
        var places = [UInt8](repeating: 0, count: 1 << 15)
        for bucket in counts.indices where counts[bucket] > 0 {
            let nearest = palette.indices.min {
                distance(palette[$0], samples[bucket]) < distance(palette[$1], samples[bucket])
            }
            places[bucket] = UInt8(nearest ?? 0)
        }
        let indices = pixels.map { places[bucket($0)] }
        var colours: [UInt8] = []
        for colour in palette {
            for shift in [UInt32(16), 8, 0] { colours.append(UInt8(truncatingIfNeeded: colour >> shift)) }
        }
        var image = unsafe png_image()
        unsafe image.version = png_uint_32(PNG_IMAGE_VERSION)
        unsafe image.width = png_uint_32(width)
        unsafe image.height = png_uint_32(height)
        unsafe image.format = png_uint_32(PNG_FORMAT_FLAG_COLOR | PNG_FORMAT_FLAG_COLORMAP)
        unsafe image.colormap_entries = png_uint_32(palette.count)
        defer { unsafe png_image_free(&image) }
        return unsafe png_image_write_to_file(&image, path, 0, indices, 0, colours) != 0
    }

    /// The mean light of each square of 16 by 16 pixels: another version of a font changes little of it.
    var coarse: [Int] {
        let lights = pixels.map { pixel -> Int in
            let (red, green, blue) = (pixel >> 16 & 255, pixel >> 8 & 255, pixel & 255)
            return Int((red + green + blue) / 3)
        }
        return Sheet.coarse(lights, width)
    }

    /// - Returns: nil when there is no such picture.
    static func coarse(ofFile path: String) -> (width: Int, height: Int, squares: [Int])? {
        var image = unsafe png_image()
        unsafe image.version = png_uint_32(PNG_IMAGE_VERSION)
        guard unsafe png_image_begin_read_from_file(&image, path) != 0 else { return nil }
        unsafe image.format = png_uint_32(PNG_FORMAT_FLAG_COLOR)
        let (width, height) = (Int(unsafe image.width), Int(unsafe image.height))
        var bytes = [UInt8](repeating: 0, count: width * height * 3)
        guard unsafe png_image_finish_read(&image, nil, &bytes, 0, nil) != 0 else { return nil }
        let lights = (0..<width * height).map { place -> Int in
            let (red, green, blue) = (Int(bytes[place * 3]), Int(bytes[place * 3 + 1]), Int(bytes[place * 3 + 2]))
            return (red + green + blue) / 3
        }
        return (width, height, coarse(lights, width))
    }

    private static func coarse(_ lights: [Int], _ width: Int) -> [Int] {
        let columns = (width + 15) / 16
        let rows = (lights.count / width + 15) / 16
        var sums = [Int](repeating: 0, count: columns * rows)
        var counts = sums
        for (place, light) in lights.enumerated() {
            let square = place / width / 16 * columns + place % width / 16
            sums[square] += light
            counts[square] += 1
        }
        return zip(sums, counts).map { $0 / max($1, 1) }
    }
}
