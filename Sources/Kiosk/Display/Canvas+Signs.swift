// SPDX-License-Identifier: Apache-2.0

import CPango
import KioskPorts

/// Signs, dots and codes, made of lines and circles.
extension Canvas {
    /// Paints a disc in the mood's colour with a mark.
    func paintSign(_ tone: Tone, in place: Rectangle) {
        let side = Double(min(place.width, place.height))
        circle(place.centre.x, place.centre.y, radius: side / 2)
        set(.of(tone))
        unsafe cairo_fill(cairo)
        set(.ground)
        unsafe cairo_set_line_width(cairo, side * 0.1)
        roundLines()
        paintMark(tone, around: place.centre, side: side)
    }

    /// - Parameter side: of the sign, of which lengths and places in a mark are parts.
    private func paintMark(_ tone: Tone, around centre: (x: Double, y: Double), side: Double) {
        let (x, y) = centre
        func line(_ points: [(Double, Double)]) {
            for (index, point) in points.enumerated() {
                let (px, py) = (x + point.0 * side, y + point.1 * side)
                if index == 0 { unsafe cairo_move_to(cairo, px, py) } else { unsafe cairo_line_to(cairo, px, py) }
            }
            unsafe cairo_stroke(cairo)
        }
        func dot(_ dx: Double, _ dy: Double, _ radius: Double) {
            circle(x + dx * side, y + dy * side, radius: radius * side)
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

    func paintDots(_ count: Int, of capacity: Int, in place: Rectangle) {
        guard capacity > 0 else { return }
        let step = Double(place.width) / Double(capacity)
        let radius = min(step * 0.3, Double(place.height) / 2 - 1)
        for index in 0..<capacity {
            let x = Double(place.x) + step * (Double(index) + 0.5)
            let isTyped = index < count
            circle(x, place.centre.y, radius: radius * 0.94)
            set(isTyped ? .of(.ask) : .quiet)
            if isTyped {
                unsafe cairo_fill(cairo)
            } else {
                unsafe cairo_set_line_width(cairo, max(radius * 0.16, 1.5))
                unsafe cairo_stroke(cairo)
            }
        }
    }

    func paintCode(_ grid: ModuleGrid, in place: Rectangle) {
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

    /// Paints an arrow to the left with a cross in it.
    func paintErase(_ colour: Colour, in place: Rectangle) {
        let side = Double(place.height)
        let (left, right, middle) = (Double(place.x) + 1.5, Double(place.right) - 1.5, Double(place.y) + side / 2)
        set(colour)
        unsafe cairo_set_line_width(cairo, max(side / 12, 1.5))
        roundLines()
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

    func paintGlobe(_ colour: Colour, in place: Rectangle) {
        let radius = Double(min(place.width, place.height)) / 2 - 1.5
        let (x, y) = place.centre
        set(colour)
        unsafe cairo_set_line_width(cairo, max(radius / 7, 1.2))
        for narrow in [1.0, 0.42] {
            unsafe cairo_save(cairo)
            unsafe cairo_translate(cairo, x, y)
            unsafe cairo_scale(cairo, narrow, 1)
            circle(0, 0, radius: radius)
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
