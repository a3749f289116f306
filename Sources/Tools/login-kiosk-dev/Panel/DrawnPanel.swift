// SPDX-License-Identifier: Apache-2.0

import Display
import KioskPorts

/// The last view of some orders, drawn as the display draws it.
struct DrawnPanel {
    struct Unusable: Error, CustomStringConvertible {
        let description: String
    }

    let title: String
    /// Each key: its name, the pixel in its middle, its label.
    let keys: [String]
    private let canvas: Canvas
    private let mounting: PanelMounting
    private let previewPlace: Rectangle?
    /// Rows from here on may show the time that is left.
    private let timeRow: Int

    init(orders: [UInt8], width: Int, height: Int) throws {
        let (settings, view) = try DrawnPanel.end(of: orders)
        let mounting = PanelMounting(width: width, height: height, rotation: settings.rotation)
        let (wide, high) = mounting.seenSize
        let text = PangoText()
        guard let canvas = Canvas(width: wide, height: high, text: text) else {
            throw Unusable(description: "no such panel")
        }
        let scene = ScreenDesign(width: wide, height: high, settings: settings, text: text).scene(of: view)
        canvas.paint(scene, [Rectangle(x: 0, y: 0, width: wide, height: high)])
        (self.canvas, self.mounting, title) = (canvas, mounting, view.title)
        previewPlace = scene.previewPlace
        timeRow = view.countdown == nil ? high : high - min(wide, high) / 24
        keys = scene.keys.map { place in
            let (x, y) = mounting.pixel(at: (place.x + place.width / 2, place.y + place.height / 2))
            return DrawnPanel.line(for: place.key, at: "\(x) \(y)", in: view)
        }
    }

    /// The settings and the view that the orders leave.
    private static func end(of orders: [UInt8]) throws -> (DisplaySettings, DisplayView) {
        var splitter = PipeMessageSplitter()
        var (settings, newest): (DisplaySettings?, DisplayView?) = (nil, nil)
        for start in stride(from: 0, to: orders.count, by: 4096) {
            splitter.append(orders[start..<min(start + 4096, orders.count)].span)
            while let body = try splitter.next() {
                switch try DisplayOrder(body: body) {
                case .settings(let new): settings = new
                case .view(_, let view): newest = view
                default: break
                }
            }
        }
        guard let settings, let newest else { throw Unusable(description: "it has no view") }
        return (settings, newest)
    }

    private static func line(for key: KeyPlace.Key, at place: String, in view: DisplayView) -> String {
        switch key {
        case .digit(let digit): return "digit-\(digit) \(place)"
        case .character(let index):
            let characters = Array((view.keyboard?.rows ?? []).joined())
            return "letter-\(characters[index]) \(place)"
        case .domain(let index): return "domain-\(index) \(place)"
        case .otherKeyboard: return "keyboard \(place)"
        case .ofView(let index):
            let key = view.keys[index]
            let name = key.role == .digit || key.role == .other ? key.cap : "\(key.role)"
            return "\(name.isEmpty ? "-" : name) \(place) \(key.label)"
        }
    }

    /// - Returns: nil when the picture shows the view, and also a camera's picture if the view has a place for it.
    func difference(from picture: PortablePixmap) -> String? {
        let places = (0..<timeRow).flatMap { y in (0..<canvas.width).map { x in (x: x, y: y) } }
        let drawn = PortablePixmap(canvas)
        let wrong = places.filter { !isPreview($0) && drawn[$0] != picture[mounting.pixel(at: $0)] }
        if let first = wrong.first { return "\(wrong.count) pixels differ, the first at \(first.x), \(first.y)" }
        let preview = places.filter(isPreview)
        let grey = preview.count { picture[mounting.pixel(at: $0)].isGrey }
        return preview.count > 2 * grey ? "it has no camera's picture" : nil
    }

    private func isPreview(_ place: (x: Int, y: Int)) -> Bool {
        previewPlace?.contains(Rectangle(x: place.x, y: place.y, width: 1, height: 1)) ?? false
    }
}

/// A panel as it is built, and the way in which it hangs.
private struct PanelMounting {
    let width: Int
    let height: Int
    let rotation: DisplaySettings.Rotation

    /// The size as a person sees it.
    var seenSize: (width: Int, height: Int) { rotation.isSideways ? (height, width) : (width, height) }

    /// The pixel of the panel that a person sees at a place.
    func pixel(at seen: (x: Int, y: Int)) -> (x: Int, y: Int) {
        switch rotation {
        case .none: seen
        case .right: (width - 1 - seen.y, seen.x)
        case .half: (width - 1 - seen.x, height - 1 - seen.y)
        case .left: (seen.y, height - 1 - seen.x)
        }
    }
}
