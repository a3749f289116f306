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
    let cairo: OpaquePointer?
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

    func set(_ colour: Colour) {
        let light = colour.light(look)
        unsafe cairo_set_source_rgb(
            cairo, Double(light.red) / 255, Double(light.green) / 255, Double(light.blue) / 255)
    }

    func fill(_ colour: Colour) {
        set(colour)
        unsafe cairo_paint(cairo)
    }

    func rectangle(_ place: Rectangle) {
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
        case .cell(let place, let fill, let edge, let radius):
            paintCell(place, fill: fill, edge: edge, radius: radius)
        case .sign(let place, let tone): paintSign(tone, in: place)
        case .dots(let place, let count, let capacity): paintDots(count, of: capacity, in: place)
        case .code(let place, let grid): paintCode(grid, in: place)
        case .preview(let place): paintPreview(preview, in: place)
        case .bar(let place, let share, let colour):
            paintCell(place, fill: .raised, edge: .raised, radius: place.height / 2)
            let left = Rectangle(x: place.x, y: place.y, width: place.width * share / 1000, height: place.height)
            if left.width > left.height { paintCell(left, fill: colour, edge: colour, radius: place.height / 2) }
        case .globe(let place, let colour): paintGlobe(colour, in: place)
        case .erase(let place, let colour): paintErase(colour, in: place)
        case .caret(let place):
            set(.of(.ready))
            rectangle(place)
            unsafe cairo_fill(cairo)
        }
    }

    /// Makes a circle the path.
    func circle(_ x: Double, _ y: Double, radius: Double) {
        unsafe cairo_new_path(cairo)
        unsafe cairo_arc(cairo, x, y, radius, 0, 2 * .pi)
    }

    /// Rounds the ends and corners of the lines that follow.
    func roundLines() {
        unsafe cairo_set_line_cap(cairo, CAIRO_LINE_CAP_ROUND)
        unsafe cairo_set_line_join(cairo, CAIRO_LINE_JOIN_ROUND)
    }

    func round(_ place: Rectangle, radius: Double, inset: Double = 0) {
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

    private func paintCell(_ place: Rectangle, fill: Colour, edge: Colour, radius: Int) {
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
}
