// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandLineInterface
import Display
import Foundation
import KioskPorts
import LoginValues

/// Draws what a display process was told to show, and compares it with a picture of the panel. For the device tests.
struct PanelCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "panel", abstract: "Compare a panel's picture with the last view that its process was sent.",
        discussion: """
            ORDERS is what went to login-kiosk-display. Without a PICTURE this prints the view's keys with their \
            middle on the panel, as it is built:

                enter 200 400 OK
            """)

    @Argument(help: "A file with the orders to the display.") var orders: String
    @Argument(help: "The panel's size in pixels, as it is built: 800x480.") var size: String
    @Argument(help: "A picture of the panel, as QEMU writes it (PPM).") var picture: String?

    func run() async throws {
        let sides = size.split(separator: "x").compactMap { Int($0) }
        guard sides.count == 2 else { throw ValidationError("\(size): expected a size such as 800x480") }
        let panel: DrawnPanel
        do { panel = try DrawnPanel(orders: [UInt8](read(orders)), width: sides[0], height: sides[1]) } catch {
            throw Complaint.make("\(orders): \(error)", status: .dataError)
        }
        guard let picture else {
            for line in panel.keys { print(line) }
            return
        }
        guard let shown = PortablePixmap(try read(picture)), shown.width == sides[0], shown.height == sides[1] else {
            throw Complaint.make("\(picture) is no picture of \(size) pixels", status: .dataError)
        }
        if let difference = panel.difference(from: shown) {
            throw Complaint.make("the panel does not show \"\(panel.title)\": \(difference)", status: .internalError)
        }
        print("the panel shows \"\(panel.title)\"")
    }

    private func read(_ path: String) throws -> Data {
        do { return try Data(contentsOf: URL(fileURLWithPath: path)) } catch {
            throw Complaint.make("\(path) cannot be read", status: .noInput)
        }
    }
}

/// The last view of some orders, drawn as the display draws it.
private struct DrawnPanel {
    struct Unusable: Error, CustomStringConvertible {
        let description: String
    }

    let title: String
    let keys: [String]
    private let canvas: Canvas
    private let rotation: DisplaySettings.Rotation
    private let width: Int
    private let height: Int
    private let previewPlace: Rectangle?
    /// Rows from here on may show the time that is left.
    private let timeRow: Int

    init(orders bytes: [UInt8], width: Int, height: Int) throws {
        var splitter = PipeMessageSplitter()
        var (settings, newest): (DisplaySettings?, DisplayView?) = (nil, nil)
        for start in stride(from: 0, to: bytes.count, by: 4096) {
            splitter.append(bytes[start..<min(start + 4096, bytes.count)].span)
            while let body = try splitter.next() {
                switch try DisplayOrder(body: body) {
                case .settings(let new): settings = new
                case .view(_, let view): newest = view
                default: break
                }
            }
        }
        guard let settings, let newest else { throw Unusable(description: "it has no view") }
        let (wide, high) = settings.rotation.isSideways ? (height, width) : (width, height)
        let text = PangoText()
        guard let canvas = Canvas(width: wide, height: high, text: text) else {
            throw Unusable(description: "no such panel")
        }
        let scene = ScreenDesign(width: wide, height: high, settings: settings, text: text).scene(of: newest)
        canvas.paint(scene, [Rectangle(x: 0, y: 0, width: wide, height: high)])
        (self.canvas, self.width, self.height, title) = (canvas, width, height, newest.title)
        rotation = settings.rotation
        previewPlace = scene.previewPlace
        timeRow = newest.countdown == nil ? high : high - min(wide, high) / 24
        let characters = Array((newest.keyboard?.rows ?? []).joined())
        keys = scene.keys.map { place in
            let middle = (place.x + place.width / 2, place.y + place.height / 2)
            let (x, y) = DrawnPanel.place(middle, settings.rotation, width, height)
            switch place.key {
            case .digit(let digit): return "digit-\(digit) \(x) \(y)"
            case .character(let index): return "letter-\(characters[index]) \(x) \(y)"
            case .domain(let index): return "domain-\(index) \(x) \(y)"
            case .otherKeyboard: return "keyboard \(x) \(y)"
            case .ofView(let index):
                let key = newest.keys[index]
                let name = key.role == .digit || key.role == .other ? key.cap : "\(key.role)"
                return "\(name.isEmpty ? "-" : name) \(x) \(y) \(key.label)"
            }
        }
    }

    /// The pixel of the panel, as it is built, that a person sees at a place.
    private static func place(
        _ seen: (x: Int, y: Int), _ rotation: DisplaySettings.Rotation, _ width: Int, _ height: Int
    ) -> (Int, Int) {
        switch rotation {
        case .none: seen
        case .right: (width - 1 - seen.y, seen.x)
        case .half: (width - 1 - seen.x, height - 1 - seen.y)
        case .left: (seen.y, height - 1 - seen.x)
        }
    }

    /// - Returns: nil when the picture shows the view, and also a camera's picture if the view has a place for it.
    func difference(from picture: PortablePixmap) -> String? {
        var (wrong, grey, ofPreview) = (0, 0, 0)
        var first: (x: Int, y: Int)?
        unsafe canvas.withPixels { pixels in
            for y in 0..<min(timeRow, canvas.height) {
                for x in 0..<canvas.width {
                    let (column, row) = DrawnPanel.place((x, y), rotation, width, height)
                    let shown = picture.pixel(column, row)
                    if let place = previewPlace, (place.x..<place.x + place.width).contains(x),
                        (place.y..<place.y + place.height).contains(y)
                    {
                        ofPreview += 1
                        if shown.0 == shown.1, shown.1 == shown.2 { grey += 1 }
                        continue
                    }
                    let offset = y * canvas.stride + 4 * x
                    let (red, green, blue) = unsafe (pixels[offset + 2], pixels[offset + 1], pixels[offset])
                    if (red, green, blue) != shown {
                        wrong += 1
                        first = first ?? (x, y)
                    }
                }
            }
        }
        if let first { return "\(wrong) pixels differ, the first at \(first.x), \(first.y)" }
        return ofPreview > 2 * grey ? "it has no camera's picture" : nil
    }
}

/// A picture of three bytes a pixel: `P6`, a size, 255, and the pixels.
private struct PortablePixmap {
    let width: Int
    let height: Int
    private let pixels: ArraySlice<UInt8>

    init?(_ file: Data) {
        let bytes = [UInt8](file)
        var (words, start): ([Int], Int) = ([], 2)
        guard bytes.starts(with: Array("P6".utf8)) else { return nil }
        while words.count < 3 {
            guard let end = bytes[min(start + 1, bytes.count)...].firstIndex(where: { $0 <= 32 }),
                let number = Int(String(decoding: bytes[start + 1..<end], as: UTF8.self))
            else { return nil }
            words.append(number)
            start = end
        }
        (width, height) = (words[0], words[1])
        guard width > 0, height > 0, width < 10_000, height < 10_000, words[2] == 255,
            bytes.count - start - 1 == 3 * width * height
        else { return nil }
        pixels = bytes[(start + 1)...]
    }

    func pixel(_ x: Int, _ y: Int) -> (UInt8, UInt8, UInt8) {
        let start = pixels.startIndex + 3 * (y * width + x)
        return (pixels[start], pixels[start + 1], pixels[start + 2])
    }
}
