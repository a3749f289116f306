// SPDX-License-Identifier: Apache-2.0

import Foundation
import KioskPorts
import ScreenTestKit
import Signage
import Testing

@testable import Display

/// The pictures in the documentation are drawn here, and none is older than its words. `make pictures` draws them again,
/// and a sheet of all views for each size and language.
@Suite("Pictures of the panel")
struct PictureTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../docs/pictures").standardizedFileURL.path
    private static let wordsFile = "panel.txt"
    private let text = PangoText()

    /// One picture of the documentation.
    struct Shown: CustomStringConvertible {
        let file: String
        let language: String
        let size: (width: Int, height: Int)
        var isTouched = false
        /// A single view, or those of a sheet.
        let views: [String]
        var look = ScreenLook.usual

        var description: String { file }
    }

    /// One view of each kind.
    private static let kinds = [
        "scan with a menu", "invalid code", "consent with a third key", "consent to a browser elsewhere", "menu",
        "e-mail",
        "new PIN typed", "PIN", "logging in", "success", "session expired", "cancelled", "oneTimePassword",
        "another card", "document", "sign", "which service", "identity to be deleted", "setup, page 1", "reset",
    ]

    static let shown = [
        Shown(file: "kiosk-scan.png", language: "en", size: (800, 480), views: ["scan with a menu"]),
        Shown(file: "kiosk-consent.png", language: "en", size: (800, 480), views: ["consent"]),
        Shown(file: "panel-landscape.png", language: "en", size: (800, 480), views: kinds),
        Shown(file: "panel-portrait.png", language: "de", size: (480, 800), isTouched: true, views: kinds),
        Shown(
            file: "panel-large.png", language: "fr", size: (800, 480), views: Array(kinds.prefix(8)),
            look: ScreenLook(hasLargeText: true, hasHighContrast: true)),
    ]

    private func scenes(of shown: Shown) throws -> [(name: String, scene: Scene)] {
        let design = ScreenDesign(
            width: shown.size.width, height: shown.size.height, settings: DisplaySettings(isTouched: shown.isTouched),
            text: text)
        let languages = try #require(Languages(first: shown.language))
        return try shown.views.map { name in
            let found = MoreViews.catalogue.first { $0.name == name }
            var view = DisplayView(try #require(found, "no view is named '\(name)'").view, in: languages)
            view.look = shown.look
            return (name, design.scene(of: view, share: view.countdown.map { _ in 600 }))
        }
    }

    private func canvas(of scene: Scene) throws -> Canvas {
        let canvas = try #require(Canvas(width: scene.bounds.width, height: scene.bounds.height, text: text))
        let isHinted = scene.elements.contains {
            if case .cell(_, Colour.of(.trouble), _, _) = $0 { true } else { false }
        }
        canvas.paint(scene, [scene.bounds], preview: isHinted ? AimedPicture.unread : AimedPicture.picture)
        return canvas
    }

    private func picture(of scenes: [(name: String, scene: Scene)], columns: Int, cell: Int) throws -> Sheet {
        let bounds = try #require(scenes.first?.scene.bounds)
        guard scenes.count > 1 else {
            let single = Sheet(width: bounds.width, height: bounds.height)
            single.add(try canvas(of: scenes[0].scene), x: 0, y: 0, width: bounds.width)
            return single
        }
        let sheet = Sheet.rows(
            of: scenes.count, columns: columns, cell: cell, width: bounds.width, height: bounds.height)
        for (index, (name, scene)) in scenes.enumerated() {
            sheet.add(try canvas(of: scene), name, at: index, columns: columns, cell: cell)
        }
        return sheet
    }

    private func picture(of shown: Shown) throws -> Sheet {
        let isPortrait = shown.size.height > shown.size.width
        return try picture(of: try scenes(of: shown), columns: isPortrait ? 7 : 4, cell: isPortrait ? 220 : 400)
    }

    /// The words of a picture, in their order.
    private func words(of shown: Shown) throws -> String {
        let scenes = try scenes(of: shown).map { name, scene in
            let words = scene.elements.compactMap { if case .words(_, let words) = $0 { words.text } else { nil } }
            return "  \(name): " + words.joined(separator: " | ").filter { $0 != Wording.breakable && $0 != "\u{2060}" }
        }
        return ([shown.file] + scenes).joined(separator: "\n")
    }

    @Test(arguments: shown) func noPictureIsOlderThanItsWords(_ shown: Shown) throws {
        let known = try String(contentsOfFile: "\(Self.folder)/\(Self.wordsFile)", encoding: .utf8)
        let words = try words(of: shown)
        let isKnown = (known + "\n").contains(words + "\n")
        #expect(isKnown, "docs/pictures/\(shown.file) is older than its words; draw it again: make pictures")
        let file = try #require(Sheet.coarse(ofFile: "\(Self.folder)/\(shown.file)"), "there is no picture")
        let drawn = try picture(of: shown)
        try #require(file.width == drawn.width && file.height == drawn.height, "another size: make pictures")
        let differences = zip(file.squares, drawn.coarse).map { abs($0 - $1) }
        let (mean, far) = (differences.reduce(0, +) * 10 / differences.count, differences.count { $0 > 64 })
        #expect(
            mean < 40 && far * 50 < differences.count,
            "docs/pictures/\(shown.file) has another layout (\(mean), \(far)); draw it again: make pictures")
    }

    /// LOGIN_KIOSK_PICTURES names the folder for the sheets; LOGIN_KIOSK_LANGUAGE is the only one that is wanted.
    @Test(.enabled(if: ProcessInfo.processInfo.environment["LOGIN_KIOSK_PICTURES"] != nil, "no folder is named"))
    func draw() throws {
        let environment = ProcessInfo.processInfo.environment
        let folder = try #require(environment["LOGIN_KIOSK_PICTURES"])
        var all = ""
        for shown in Self.shown {
            #expect(try picture(of: shown).write(to: "\(Self.folder)/\(shown.file)"))
            all += try words(of: shown) + "\n"
        }
        try all.write(toFile: "\(Self.folder)/\(Self.wordsFile)", atomically: true, encoding: .utf8)
        let names = MoreViews.catalogue.map(\.name)
        for language in ScreenDesignTests.languages
        where environment["LOGIN_KIOSK_LANGUAGE"].map({ $0 == language }) ?? true {
            for size in ScreenDesignTests.sizes {
                for isTouched in [false, true] {
                    let shown = Shown(
                        file: "\(size.0)x\(size.1)-\(language)\(isTouched ? "-touch" : "").png", language: language,
                        size: size, isTouched: isTouched, views: names)
                    #expect(try picture(of: shown).write(to: "\(folder)/\(shown.file)"))
                }
            }
        }
    }
}
