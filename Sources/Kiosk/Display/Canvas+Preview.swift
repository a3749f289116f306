// SPDX-License-Identifier: Apache-2.0

import CPango
import KioskPorts

/// The picture of the camera, and the frame for aiming.
extension Canvas {
    /// Paints the mirrored picture, which fills the place, and the corners of a frame for aiming.
    func paintPreview(_ picture: PreviewPicture?, in place: Rectangle) {
        let radius = Double(place.height) / 24
        unsafe cairo_save(cairo)
        round(place, radius: radius)
        unsafe cairo_clip(cairo)
        fill(.raised)
        if let picture { paint(picture, in: place) }
        unsafe cairo_restore(cairo)
        roundLines()
        let side = Double(min(place.width, place.height)) * 0.68
        let (x, y) = place.centre
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
            place.centre.x + (Double(PreviewPicture.width) / 2 - Double(point.x)) * scale,
            place.centre.y + (Double(point.y) - Double(PreviewPicture.height) / 2) * scale
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
}
