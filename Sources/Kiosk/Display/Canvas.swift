// SPDX-License-Identifier: Apache-2.0

import CPango
public import KioskPorts

/// A picture in memory on which scenes are painted: 32 bits a pixel, blue first.
@safe public final class Canvas {
    public let width: Int
    public let height: Int
    /// Bytes from the start of a row to the start of the next.
    public let stride: Int

    private let text: PangoText
    // Safe: released in `deinit`. Cairo owns the pixels.
    private let surface: OpaquePointer?
    private let cairo: OpaquePointer?
    /// The look of the scene that is painted.
    private var look = ScreenLook.usual

    /// - Returns: nil when memory is short or a side is 0.
    public init?(width: Int, height: Int, text: PangoText) {
        guard Panel.sides.contains(width), Panel.sides.contains(height) else { return nil }
        let made = unsafe cairo_image_surface_create(CAIRO_FORMAT_RGB24, Int32(width), Int32(height))
        guard unsafe cairo_surface_status(made) == CAIRO_STATUS_SUCCESS else {
            unsafe cairo_surface_destroy(made)
            return nil
        }
        unsafe surface = unsafe made
        unsafe cairo = unsafe cairo_create(made)
        (self.width, self.height) = (width, height)
        stride = Int(unsafe cairo_image_surface_get_stride(made))
        self.text = text
    }

    deinit {
        unsafe cairo_destroy(cairo)
        unsafe cairo_surface_destroy(surface)
    }

    /// Lends the pixels.
    public func withPixels(_ body: (UnsafeRawBufferPointer) -> Void) {
        unsafe cairo_surface_flush(surface)
        guard let pixels = unsafe cairo_image_surface_get_data(surface) else { return }
        // Safe: the surface has that many bytes, and lives during the call.
        unsafe body(UnsafeRawBufferPointer(start: pixels, count: stride * height))
    }

    /// Paints parts of a scene.
    ///
    /// - Parameter preview: the camera's picture, for a scene with a place for it.
    public func paint(_ scene: Scene, _ parts: [Rectangle], preview: PreviewPicture? = nil) {
        look = scene.look
        for part in parts {
            unsafe cairo_save(cairo)
            rectangle(part)
            unsafe cairo_clip(cairo)
            fill(.ground)
            for element in scene.elements where element.painted.intersects(part) { paint(element, preview) }
            if scene.isDim {
                unsafe cairo_set_source_rgba(cairo, 0, 0, 0, 0.67)
                unsafe cairo_paint(cairo)
            }
            unsafe cairo_restore(cairo)
        }
    }

    /// Writes the picture as a PNG file.
    ///
    /// - Returns: whether that was possible.
    public func write(to path: String) -> Bool {
        unsafe cairo_surface_write_to_png(surface, path) == CAIRO_STATUS_SUCCESS
    }

    private func set(_ colour: Colour) {
        let light = colour.light(look)
        unsafe cairo_set_source_rgb(
            cairo, Double(light.red) / 255, Double(light.green) / 255, Double(light.blue) / 255)
    }

    private func fill(_ colour: Colour) {
        set(colour)
        unsafe cairo_paint(cairo)
    }

    private func rectangle(_ place: Rectangle) {
        unsafe cairo_rectangle(cairo, Double(place.x), Double(place.y), Double(place.width), Double(place.height))
    }

    private func paint(_ element: Shape, _ preview: PreviewPicture?) {
        switch element {
        case .words(let place, let words):
            // A character may be as wide as a sentence, or have hundreds of marks above it.
            unsafe cairo_save(cairo)
            rectangle(element.painted)
            unsafe cairo_clip(cairo)
            set(words.colour)
            unsafe text.paint(words, in: place, on: cairo)
            unsafe cairo_restore(cairo)
        case .cell(let place, let fill, let edge, let radius): paintCell(place, fill, edge, radius)
        case .sign(let place, let tone): paintSign(tone, in: place)
        case .dots(let place, let count, let capacity): paintDots(count, of: capacity, in: place)
        case .code(let place, let grid): paintCode(grid, in: place)
        case .preview(let place): paintPreview(preview, in: place)
        case .bar(let place, let share, let colour):
            paintCell(place, .raised, .raised, place.height / 2)
            let left = Rectangle(x: place.x, y: place.y, width: place.width * share / 1000, height: place.height)
            if left.width > left.height { paintCell(left, colour, colour, place.height / 2) }
        case .globe(let place, let colour): paintGlobe(colour, in: place)
        case .erase(let place, let colour): paintErase(colour, in: place)
        case .caret(let place):
            set(.of(.ready))
            rectangle(place)
            unsafe cairo_fill(cairo)
        }
    }

    private func round(_ place: Rectangle, radius: Double, inset: Double = 0) {
        let (left, top) = (Double(place.x) + inset, Double(place.y) + inset)
        let (right, bottom) = (Double(place.right) - inset, Double(place.bottom) - inset)
        let radius = min(radius, (right - left) / 2, (bottom - top) / 2)
        unsafe cairo_new_sub_path(cairo)
        unsafe cairo_arc(cairo, right - radius, top + radius, radius, -.pi / 2, 0)
        unsafe cairo_arc(cairo, right - radius, bottom - radius, radius, 0, .pi / 2)
        unsafe cairo_arc(cairo, left + radius, bottom - radius, radius, .pi / 2, .pi)
        unsafe cairo_arc(cairo, left + radius, top + radius, radius, .pi, .pi * 1.5)
        unsafe cairo_close_path(cairo)
    }

    private func paintCell(_ place: Rectangle, _ fill: Colour, _ edge: Colour, _ radius: Int) {
        round(place, radius: Double(radius))
        set(fill)
        unsafe cairo_fill(cairo)
        guard edge != fill else { return }
        let line = max(Double(radius) / 5, 1.5)
        round(place, radius: Double(radius), inset: line / 2)
        set(edge)
        unsafe cairo_set_line_width(cairo, line)
        unsafe cairo_stroke(cairo)
    }

    /// Paints a disc in the mood's colour with a mark.
    private func paintSign(_ tone: Tone, in place: Rectangle) {
        let side = Double(min(place.width, place.height))
        let (x, y) = (Double(place.x) + Double(place.width) / 2, Double(place.y) + Double(place.height) / 2)
        unsafe cairo_new_path(cairo)
        unsafe cairo_arc(cairo, x, y, side / 2, 0, 2 * .pi)
        set(.of(tone))
        unsafe cairo_fill(cairo)
        set(.ground)
        unsafe cairo_set_line_width(cairo, side * 0.1)
        unsafe cairo_set_line_cap(cairo, CAIRO_LINE_CAP_ROUND)
        unsafe cairo_set_line_join(cairo, CAIRO_LINE_JOIN_ROUND)
        func line(_ points: [(Double, Double)]) {
            for (index, point) in points.enumerated() {
                let (px, py) = (x + point.0 * side, y + point.1 * side)
                if index == 0 { unsafe cairo_move_to(cairo, px, py) } else { unsafe cairo_line_to(cairo, px, py) }
            }
            unsafe cairo_stroke(cairo)
        }
        func dot(_ dx: Double, _ dy: Double, _ radius: Double) {
            unsafe cairo_new_path(cairo)
            unsafe cairo_arc(cairo, x + dx * side, y + dy * side, radius * side, 0, 2 * .pi)
            unsafe cairo_fill(cairo)
        }
        switch tone {
        case .ready: line([(-0.1, -0.2), (0.12, 0), (-0.1, 0.2)])
        case .working: for step in -1...1 { dot(Double(step) * 0.22, 0, 0.075) }
        case .ask:
            unsafe cairo_new_path(cairo)
            unsafe cairo_arc(cairo, x, y - side * 0.12, side * 0.15, -.pi, .pi * 0.35)
            unsafe cairo_line_to(cairo, x, y + side * 0.1)
            unsafe cairo_stroke(cairo)
            dot(0, 0.27, 0.065)
        case .success: line([(-0.22, 0.02), (-0.06, 0.18), (0.23, -0.15)])
        case .failure:
            line([(-0.17, -0.17), (0.17, 0.17)])
            line([(-0.17, 0.17), (0.17, -0.17)])
        case .trouble:
            line([(0, -0.27), (0, 0.07)])
            dot(0, 0.26, 0.065)
        }
    }

    private func paintDots(_ count: Int, of capacity: Int, in place: Rectangle) {
        guard capacity > 0 else { return }
        let step = Double(place.width) / Double(capacity)
        let radius = min(step * 0.3, Double(place.height) / 2 - 1)
        for index in 0..<capacity {
            let x = Double(place.x) + step * (Double(index) + 0.5)
            unsafe cairo_new_path(cairo)
            let isTyped = index < count
            unsafe cairo_arc(cairo, x, Double(place.y) + Double(place.height) / 2, radius * 0.94, 0, 2 * .pi)
            set(isTyped ? .of(.ask) : .quiet)
            if isTyped {
                unsafe cairo_fill(cairo)
            } else {
                unsafe cairo_set_line_width(cairo, max(radius * 0.16, 1.5))
                unsafe cairo_stroke(cairo)
            }
        }
    }

    private func paintCode(_ grid: ModuleGrid, in place: Rectangle) {
        let module = place.width / grid.side
        set(.white)
        rectangle(place)
        unsafe cairo_fill(cairo)
        set(.black)
        unsafe cairo_set_antialias(cairo, CAIRO_ANTIALIAS_NONE)
        for row in 0..<grid.side {
            for column in 0..<grid.side where grid.isDark[row * grid.side + column] {
                rectangle(
                    Rectangle(
                        x: place.x + column * module, y: place.y + row * module, width: module, height: module))
            }
        }
        unsafe cairo_fill(cairo)
        unsafe cairo_set_antialias(cairo, CAIRO_ANTIALIAS_DEFAULT)
    }

    /// Paints the mirrored picture, which fills the place, and the corners of a frame for aiming.
    private func paintPreview(_ picture: PreviewPicture?, in place: Rectangle) {
        let radius = Double(place.height) / 24
        unsafe cairo_save(cairo)
        round(place, radius: radius)
        unsafe cairo_clip(cairo)
        fill(.raised)
        if let picture { paint(picture, in: place) }
        unsafe cairo_restore(cairo)
        unsafe cairo_set_line_cap(cairo, CAIRO_LINE_CAP_ROUND)
        unsafe cairo_set_line_join(cairo, CAIRO_LINE_JOIN_ROUND)
        let side = Double(min(place.width, place.height)) * 0.68
        let (x, y) = (Double(place.x) + Double(place.width) / 2, Double(place.y) + Double(place.height) / 2)
        var corners = [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)].map { (x: x + $0 * side, y: y + $1 * side) }
        var colour = Colour.of(.ready)
        // The frame snaps to a code that was found.
        if let outline = picture?.outline, !outline.isEmpty {
            corners = outline.map { Canvas.place($0, in: place) }
            colour = .of(.success)
        }
        unsafe cairo_save(cairo)
        round(place, radius: radius)
        unsafe cairo_clip(cairo)
        for (colour, line) in [(Colour.ground, 0.04), (colour, 0.022)] {
            set(colour)
            unsafe cairo_set_line_width(cairo, side * line)
            paintFrame(corners)
        }
        unsafe cairo_restore(cairo)
    }

    /// Paints a fifth of each edge at both of its corners.
    private func paintFrame(_ corners: [(x: Double, y: Double)]) {
        for (index, corner) in corners.enumerated() {
            let before = corners[(index + corners.count - 1) % corners.count]
            let after = corners[(index + 1) % corners.count]
            unsafe cairo_move_to(
                cairo, corner.x + (before.x - corner.x) * 0.2, corner.y + (before.y - corner.y) * 0.2)
            unsafe cairo_line_to(cairo, corner.x, corner.y)
            unsafe cairo_line_to(cairo, corner.x + (after.x - corner.x) * 0.2, corner.y + (after.y - corner.y) * 0.2)
            unsafe cairo_stroke(cairo)
        }
    }

    /// Pixels of the panel for each of the picture, so that it fills the place.
    private static func scale(in place: Rectangle) -> Double {
        max(
            Double(place.width) / Double(PreviewPicture.width), Double(place.height) / Double(PreviewPicture.height))
    }

    /// The place of a point of the mirrored picture.
    private static func place(_ point: PixelPoint, in place: Rectangle) -> (x: Double, y: Double) {
        let scale = scale(in: place)
        return (
            Double(place.x) + Double(place.width) / 2 + (Double(PreviewPicture.width) / 2 - Double(point.x)) * scale,
            Double(place.y) + Double(place.height) / 2 + (Double(point.y) - Double(PreviewPicture.height) / 2) * scale
        )
    }

    private func paint(_ picture: PreviewPicture, in place: Rectangle) {
        let (width, height) = (PreviewPicture.width, PreviewPicture.height)
        let grey = unsafe cairo_image_surface_create(CAIRO_FORMAT_RGB24, Int32(width), Int32(height))
        defer { unsafe cairo_surface_destroy(grey) }
        guard let pixels = unsafe cairo_image_surface_get_data(grey) else { return }
        let row = Int(unsafe cairo_image_surface_get_stride(grey)) / 4
        unsafe cairo_surface_flush(grey)
        // Safe: the surface has `row * height` pixels of four bytes, aligned to four.
        let words = unsafe UnsafeMutableRawPointer(pixels).assumingMemoryBound(to: UInt32.self)
        for y in 0..<height {
            for x in 0..<width {
                unsafe words[y * row + width - 1 - x] = UInt32(picture.luma[y * width + x]) * 0x01_01_01
            }
        }
        unsafe cairo_surface_mark_dirty(grey)
        let scale = Canvas.scale(in: place)
        unsafe cairo_translate(
            cairo, Double(place.x) + (Double(place.width) - Double(width) * scale) / 2,
            Double(place.y) + (Double(place.height) - Double(height) * scale) / 2)
        unsafe cairo_scale(cairo, scale, scale)
        unsafe cairo_set_source_surface(cairo, grey, 0, 0)
        unsafe cairo_pattern_set_filter(cairo_get_source(cairo), CAIRO_FILTER_BILINEAR)
        unsafe cairo_paint(cairo)
    }

    /// Paints an arrow to the left with a cross in it.
    private func paintErase(_ colour: Colour, in place: Rectangle) {
        let side = Double(place.height)
        let (left, right, middle) = (Double(place.x) + 1.5, Double(place.right) - 1.5, Double(place.y) + side / 2)
        set(colour)
        unsafe cairo_set_line_width(cairo, max(side / 12, 1.5))
        unsafe cairo_set_line_cap(cairo, CAIRO_LINE_CAP_ROUND)
        unsafe cairo_set_line_join(cairo, CAIRO_LINE_JOIN_ROUND)
        unsafe cairo_new_path(cairo)
        unsafe cairo_move_to(cairo, left, middle)
        for (x, y) in [(left + side / 2, -0.42), (right, -0.42), (right, 0.42), (left + side / 2, 0.42)] {
            unsafe cairo_line_to(cairo, x, middle + y * side)
        }
        unsafe cairo_close_path(cairo)
        let cross = (left + side / 2 + right) / 2
        for slope in [-0.18, 0.18] {
            unsafe cairo_move_to(cairo, cross - 0.18 * side, middle - slope * side)
            unsafe cairo_line_to(cairo, cross + 0.18 * side, middle + slope * side)
        }
        unsafe cairo_stroke(cairo)
    }

    private func paintGlobe(_ colour: Colour, in place: Rectangle) {
        let radius = Double(min(place.width, place.height)) / 2 - 1.5
        let (x, y) = (Double(place.x) + Double(place.width) / 2, Double(place.y) + Double(place.height) / 2)
        set(colour)
        unsafe cairo_set_line_width(cairo, max(radius / 7, 1.2))
        for narrow in [1.0, 0.42] {
            unsafe cairo_new_path(cairo)
            unsafe cairo_save(cairo)
            unsafe cairo_translate(cairo, x, y)
            unsafe cairo_scale(cairo, narrow, 1)
            unsafe cairo_arc(cairo, 0, 0, radius, 0, 2 * .pi)
            unsafe cairo_restore(cairo)
            unsafe cairo_stroke(cairo)
        }
        unsafe cairo_move_to(cairo, x - radius, y)
        unsafe cairo_line_to(cairo, x + radius, y)
        for side in [-0.5, 0.5] {
            unsafe cairo_move_to(cairo, x - radius * 0.85, y + radius * side)
            unsafe cairo_line_to(cairo, x + radius * 0.85, y + radius * side)
        }
        unsafe cairo_stroke(cairo)
    }
}
