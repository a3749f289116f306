// SPDX-License-Identifier: Apache-2.0

import CPango

/// Texts by Pango: measured, and painted in the same way.
@safe public final class PangoText {
    private struct Question: Hashable {
        let text: String
        let style: TextStyle
        let width: Int?
    }

    /// Names of the families, the most legible first. The last stands for any font of the system.
    private static let families: [TextStyle.Face: String] = [
        .words: "Open Sans, Noto Sans, DejaVu Sans, Sans", .rows: "DejaVu Sans Mono, Noto Sans Mono, Monospace",
    ]
    /// Fonts for a screen have more room between lines than a screen with few words needs.
    private static let lineSpacing: Float = 0.92

    // Safe: released in `deinit`, and used by this class alone.
    private let context: OpaquePointer?
    private var known: [Question: TextSize] = [:]

    public init() {
        unsafe context = unsafe pango_font_map_create_context(pango_cairo_font_map_get_default())
        let options = unsafe cairo_font_options_create()
        unsafe cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY)
        unsafe cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_SLIGHT)
        unsafe cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
        unsafe pango_cairo_context_set_font_options(context, options)
        unsafe cairo_font_options_destroy(options)
    }

    deinit { unsafe cpango_release(UnsafeMutableRawPointer(context)) }

    /// Whether any font has the letters of hosts. Without them nobody could read what OK agrees to.
    public var hasLetters: Bool {
        var unknown: Int32 = 0
        unsafe withLayout("login@example-1.com", TextStyle(24), width: nil) { layout in
            unknown = unsafe pango_layout_get_unknown_glyphs_count(layout)
        }
        return unknown == 0
    }

    /// - Parameter width: lines break at this width; nil for a single line.
    func size(of text: String, _ style: TextStyle, width: Int?) -> TextSize {
        let question = Question(text: text, style: style, width: width)
        if let size = known[question] { return size }
        var extents = PangoRectangle()
        unsafe withLayout(text, style, width: width) { layout in
            unsafe pango_layout_get_pixel_extents(layout, nil, &extents)
        }
        let size = TextSize(width: Int(extents.width), height: Int(extents.height))
        if known.count > 4096 { known.removeAll() }
        known[question] = size
        return size
    }

    /// Paints words in the colour that is set, centred between the upper and the lower edge of their place.
    func paint(_ words: Words, in place: Rectangle, on cairo: OpaquePointer?) {
        unsafe withLayout(words.text, words.style, width: place.width, alignment: words.alignment) { layout in
            var extents = PangoRectangle()
            unsafe pango_layout_get_pixel_extents(layout, nil, &extents)
            unsafe cairo_move_to(cairo, Double(place.x), Double(place.y + (place.height - Int(extents.height)) / 2))
            unsafe pango_cairo_show_layout(cairo, layout)
        }
    }

    private func withLayout(
        _ text: String, _ style: TextStyle, width: Int?, alignment: Words.Alignment = .left,
        _ body: (OpaquePointer?) -> Void
    ) {
        // Safe: layout and description are released below. The text is copied by the call.
        let layout = unsafe pango_layout_new(context)
        let font = unsafe pango_font_description_new()
        unsafe pango_font_description_set_family(font, PangoText.families[style.face] ?? "Sans")
        unsafe pango_font_description_set_weight(font, PangoWeight(rawValue: UInt32(style.weight)))
        unsafe pango_font_description_set_absolute_size(font, Double(style.size) * Double(PANGO_SCALE))
        unsafe pango_layout_set_font_description(layout, font)
        unsafe pango_layout_set_text(layout, text, -1)
        unsafe pango_layout_set_line_spacing(layout, PangoText.lineSpacing)
        unsafe pango_layout_set_auto_dir(layout, 0)
        unsafe pango_layout_set_alignment(layout, alignment == .left ? PANGO_ALIGN_LEFT : PANGO_ALIGN_CENTER)
        if let width {
            unsafe pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR)
            unsafe pango_layout_set_width(layout, Int32(clamping: width) * PANGO_SCALE)
        }
        unsafe body(layout)
        unsafe pango_font_description_free(font)
        unsafe cpango_release(UnsafeMutableRawPointer(layout))
    }
}
