// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import ScreenTestKit
import Signage
import Testing

@testable import Display

@Suite("A view on a panel")
struct ScreenDesignTests {
    /// The sizes of panels that people build in.
    static let sizes = [(800, 480), (480, 800), (1024, 600), (1280, 800), (1920, 1080)]
    static let languages = PromptCatalogue.all.map(\.language)
    private let text = PangoText()

    private func design(_ size: (Int, Int) = Self.sizes[0], isTouched: Bool = false, scale: Int = 100) -> ScreenDesign {
        ScreenDesign(
            width: size.0, height: size.1, settings: DisplaySettings(scale: scale, isTouched: isTouched), text: text)
    }

    /// A design for each of the first sizes, and how a fault names it.
    private func designs(_ count: Int = Self.sizes.count, isTouched: Bool = false) -> [(
        design: ScreenDesign, name: String
    )] {
        Self.sizes.prefix(count).map { (design($0, isTouched: isTouched), "\($0.0)x\($0.1)") }
    }

    private static func words(of scene: Scene) -> [Words] {
        scene.elements.compactMap { if case .words(_, let words) = $0 { words } else { nil } }
    }

    static func views(in language: String) throws -> [(name: String, view: DisplayView)] {
        let languages = try #require(Languages(first: language))
        return MoreViews.catalogue.flatMap { name, view -> [(name: String, view: DisplayView)] in
            let view = DisplayView(view, in: languages, domains: ["example.com", "login.example.org"])
            guard view.keyboard?.toLetters.isEmpty == false else { return [(name, view)] }
            var other = view
            other.keyboard?.showsLetters = true
            return [(name, view), ("\(name), letters", other)]
        }
    }

    @Test func everyStageHasAView() {
        let missing = Set(KioskStage.allCases).subtracting(MoreViews.catalogue.map(\.view.stage))
        #expect(missing.isEmpty)
    }

    /// Long views that keep what OK agrees to, entry and keys, and may lose explaining lines in some languages.
    static let longViews: Set = [
        "e-mail", "menu", "personal card", "another card", "PIN for oneTimePassword", "PIN for registrationCode",
        "scan with speech", "guide: language",
    ]

    /// The faults of a scene: what is cut, torn, overlaps or is hard to read.
    static func faults(of scene: Scene, _ text: PangoText) -> [String] {
        var faults: [String] = []
        if !scene.leftOut.isEmpty { faults.append("leaves out \(scene.leftOut)") }
        var solid: [(Rectangle, String)] = []
        for element in scene.elements {
            if !scene.bounds.contains(element.place) { faults.append("\(element) is outside") }
            switch element {
            case .cell, .caret, .bar: break
            case .words(let place, let words):
                solid.append((place, words.text))
                let size = text.size(of: words.text, words.style, width: place.width)
                if size.width > place.width || size.height > place.height { faults.append("'\(words.text)' is cut") }
                if text.tears(words.text, words.style, width: place.width) { faults.append("'\(words.text)' is torn") }
                let contrast = words.colour.contrast(to: words.ground, scene.look)
                if contrast < 7 { faults.append("'\(words.text)' has a contrast of \(contrast)") }
            default: solid.append((element.place, "\(element)".prefix(40).description))
            }
        }
        for (index, one) in solid.enumerated() {
            for other in solid[(index + 1)...] where one.0.intersects(other.0) {
                faults.append("'\(one.1)' \(one.0) and '\(other.1)' \(other.0) overlap")
            }
        }
        let cells = scene.keys.map(\.cell)
        // Ten letters share a row.
        let hasLetters = scene.keys.contains { if case .character = $0.key { true } else { false } }
        let least = hasLetters ? (width: scene.bounds.width / 12, height: 44) : (width: 64, height: 64)
        for cell in cells where cell.width < least.width || cell.height < least.height {
            faults.append("a key of \(cell) is small")
        }
        for (index, one) in cells.enumerated() {
            for other in cells[(index + 1)...] where one.intersects(other) { faults.append("keys overlap") }
            for (place, what) in solid where place.intersects(one) && !one.contains(place) {
                faults.append("'\(what)' crosses a key")
            }
        }
        return faults
    }

    @Test(arguments: languages) func everyViewHasRoomOnEveryPanel(in language: String) throws {
        let views = try Self.views(in: language)
        #expect(views.count > 70, "the views are not found any more")
        for isTouched in [false, true] {
            for (design, size) in designs(isTouched: isTouched) {
                for (name, view) in views {
                    var scene = design.scene(of: view, share: 500)
                    if isTouched || Self.longViews.contains(name) { scene.leftOut.remove(.explanations) }
                    let faults = Self.faults(of: scene, text)
                    if !faults.isEmpty {
                        Issue.record("\(language) \(size) \(isTouched ? "touch " : "")\(name): \(faults)")
                    }
                }
            }
        }
    }

    /// Large text in high contrast has the same words, except for explanations.
    @Test(arguments: languages) func everyViewHasRoomInLargeText(in language: String) throws {
        let views = try Self.views(in: language)
        for (design, size) in designs() {
            var enlarged = 0
            for (name, usual) in views {
                var view = usual
                view.look = ScreenLook(hasLargeText: true, hasHighContrast: true)
                var scene = design.scene(of: view, share: 500)
                scene.leftOut.remove(.explanations)
                let faults = Self.faults(of: scene, text)
                if !faults.isEmpty { Issue.record("\(language) \(size) \(name): \(faults)") }
                if Self.meanLetters(of: scene) > Self.meanLetters(of: design.scene(of: usual, share: 500)) {
                    enlarged += 1
                }
            }
            #expect(enlarged > views.count / 2, "\(language) \(size)")
        }
    }

    /// In hundredths of a pixel.
    private static func meanLetters(of scene: Scene) -> Int {
        let sizes = words(of: scene).map(\.style.size)
        return sizes.reduce(0, +) * 100 / max(sizes.count, 1)
    }

    /// 24 pixels are 4 mm on a panel of seven inches.
    @Test(arguments: languages) func lettersAreLargeEnough(in language: String) throws {
        let design = design()
        for (name, view) in try Self.views(in: language) where view.restStep == nil {
            // Names of keys, labels of values, and what surrounds a document are quiet.
            let quiet = Set(
                view.keys.map(\.cap) + ["⏎", "⌫", "⇥"] + view.lines.map(\.label) + [
                    view.document.isEmpty ? "" : view.hint
                ])
            for words in Self.words(of: design.scene(of: view)) {
                let isQuiet = quiet.contains(words.text) || !view.document.isEmpty && words.colour == .quiet
                #expect(words.style.size >= (isQuiet ? 20 : 24), "\(name): \(words.text)")
            }
        }
    }

    @Test func whatOKAgreesToIsShownWholeOrNotAtAll() throws {
        var view = DisplayView(SampleViews.view("consent"), in: .standard)
        let design = design((320, 240), scale: 200)
        var scene = design.scene(of: view)
        #expect(scene.leftOut.contains(.facts))
        let shown = Self.words(of: scene).map(\.text)
        #expect(shown.contains(view.excuses.facts) && !shown.contains("login.example.com"))
        // Explaining lines go before facts do.
        view.lines += (0..<12).map { DisplayView.Line("An explanation that takes a whole line, number \($0).") }
        scene = self.design().scene(of: view)
        #expect(scene.leftOut == .explanations)
        let facts = view.lines.prefix(view.factCount).map(\.text)
        #expect(Set(facts).isSubset(of: Self.words(of: scene).map(\.text)))
    }

    /// A name from a stranger: far longer than one may be, wide, high, without a place to break, in pictures, with marks
    /// that turn a line around. It is shown as a prompt cleans it, and as if no part had cleaned it.
    @Test(arguments: [
        String(repeating: "😀", count: 4000), String(repeating: "\u{202E}\u{2067}moc.elpmaxe", count: 300),
        String(repeating: "\u{0301}", count: 4000), String(repeating: "\n", count: 4000), "\u{0}\u{7F}\u{FFFF}",
        String(repeating: "\u{200B}\u{2060}\u{FEFF}", count: 1000), String(repeating: "Z\u{0301}", count: 400),
        String(repeating: "W", count: 64), String(repeating: "😀", count: 64),
        String(repeating: "a\u{301}\u{302}\u{303}\u{304}", count: 51), "a" + String(repeating: ".", count: 63),
        "بنك المثال — שלום", String(repeating: "a@", count: 32), "Z" + String(repeating: "\u{301}", count: 255),
    ])
    func aHostileNameTakesNoOtherPlace(name: String) {
        var cleaned = SampleViews.view("consent")
        cleaned.lines[0] = Prompt(.consentService, [.service: DisplayText(name).description])
        var raw = DisplayView(SampleViews.view("consent"), in: .standard)
        raw.lines[0] = DisplayView.Line(label: "Service:", name)
        var success = DisplayView(SampleViews.view("success"), in: .standard)
        (success.title, success.hint) = (name, name)
        for (design, size) in designs() {
            for view in [raw, DisplayView(cleaned, in: .standard)] {
                var scene = design.scene(of: view)
                // The same rules apply to its replacement, which is shown when it has no room.
                scene.leftOut.remove(.facts)
                let faults = Self.faults(of: scene, text).filter { !$0.contains("is torn") }
                #expect(faults.isEmpty, "\(size): \(faults)")
            }
            #expect(Self.keysAreFree(in: design.scene(of: success)), "\(size)")
        }
    }

    /// Whether all keys are on the panel, and nothing but their own words is painted there.
    private static func keysAreFree(in scene: Scene) -> Bool {
        scene.keys.allSatisfy { key in
            scene.bounds.contains(key.cell)
                && scene.elements.allSatisfy { !$0.place.intersects(key.cell) || key.cell.contains($0.place) }
        }
    }

    /// Lines of a title are about as long as each other: were the place narrower, there would be more of them.
    @Test(arguments: languages) func noWordOfATitleIsAlone(in language: String) throws {
        for (design, size) in designs(2) {
            for (name, view) in try Self.views(in: language) where view.document.isEmpty && view.restStep == nil {
                for case .words(let place, let words) in design.scene(of: view).elements where words.text == view.title
                {
                    let narrower = place.width - design.units(1)
                    let lines = [place.width, narrower].map { text.size(of: words.text, words.style, width: $0).height }
                    let isTorn = text.tears(words.text, words.style, width: narrower)
                    #expect(isTorn || lines[0] < lines[1], "\(size) \(name)")
                }
            }
        }
    }

    /// Whatever a name paints, it paints beside nothing else: the panel without the name is the same around it.
    @Test(arguments: [
        "Z" + String(repeating: "\u{301}", count: 255), String(repeating: "Z\u{301}\u{316}", count: 64),
        String(repeating: "😀", count: 64), "بنك المثال — שלום", "﷽",
    ])
    func aHostileNamePaintsItsOwnPlaceAlone(name: String) throws {
        for (design, size) in designs(2) {
            var view = DisplayView(SampleViews.view("consent"), in: .standard)
            view.lines[0] = DisplayView.Line(label: "Service:", name)
            let scene = design.scene(of: view)
            // The name may be shown with breaks between its words.
            guard
                let index = scene.elements.firstIndex(where: {
                    if case .words(_, let words) = $0 {
                        words.text.unicodeScalars.first == name.unicodeScalars.first
                    } else {
                        false
                    }
                })
            else {
                #expect(scene.leftOut.contains(.facts))
                continue
            }
            var without = scene
            let place = without.elements.remove(at: index).painted
            let (one, other) = (try pixels(of: scene), try pixels(of: without))
            let differing = zip(one, other).enumerated().filter { at, pair in
                let (x, y) = (at / 4 % scene.bounds.width, at / 4 / scene.bounds.width)
                return pair.0 != pair.1 && !place.contains(Rectangle(x: x, y: y, width: 1, height: 1))
            }
            #expect(differing.isEmpty, "\(size): \(differing.count) bytes beyond \(place)")
            #expect(one != other, "the name is not painted")
        }
    }

    private func pixels(of scene: Scene) throws -> [UInt8] {
        let canvas = try #require(Canvas(width: scene.bounds.width, height: scene.bounds.height, text: text))
        canvas.paint(scene, [scene.bounds])
        return pixels(of: canvas)
    }

    private func pixels(of canvas: Canvas) -> [UInt8] {
        var pixels: [UInt8] = []
        unsafe canvas.withPixels { unsafe pixels = Array($0) }
        return pixels
    }

    @Test func aHostIsTornOnlyWhereNoLineHoldsIt() {
        let style = TextStyle(25)
        let host = "login.a-very-long-name.example.com"
        #expect(Wording.prepared("Host \(host)", style, width: 600, text).contains("-\u{2060}"))
        let narrow = Wording.prepared(host, style, width: 200, text)
        #expect(narrow.contains(".\u{200B}") && narrow.replacing("\u{200B}", with: "") == host)
        #expect(Wording.prepared("e-mail, kitchen-table", style, width: 600, text) == "e-\u{2060}mail, kitchen-table")
    }

    /// 15 mm on a panel that knows its size, but never so much that a pad has no room.
    @Test func keysAreAsWideAsAFinger() throws {
        func least(_ width: Int, _ height: Int, _ own: (Int, Int), isTouched: Bool = true) -> Int {
            let settings = DisplaySettings(isTouched: isTouched)
            return ScreenDesign(width: width, height: height, settings: settings, text: text, millimetres: own)
                .fingerKey
        }
        #expect(least(800, 480, (154, 86)) == 84)
        #expect(least(480, 800, (86, 154)) == 84)
        #expect(least(800, 480, (154, 86), isTouched: false) == 64)
        #expect(least(1920, 1080, (527, 296)) == 64)
        #expect(least(1280, 720, (110, 62)) == 130)
        for noSize in [(0, 0), (16, 9), (160, 0), (4000, 3000), (154, 300)] {
            #expect(least(800, 480, noSize) == 64)
        }
        for (width, height, own) in [(800, 480, (154, 86)), (480, 800, (86, 154)), (1024, 600, (154, 86))] {
            let design = ScreenDesign(
                width: width, height: height, settings: DisplaySettings(isTouched: true), text: text, millimetres: own)
            for (name, view) in try Self.views(in: "de") where view.restStep == nil {
                let scene = design.scene(of: view)
                #expect(scene.leftOut.isSubset(of: .explanations), "\(width)x\(height) \(name): \(scene.leftOut)")
            }
        }
    }

    @Test func onlyWhatChangedIsPaintedAgain() throws {
        let design = design()
        var view = DisplayView(SampleViews.view("PIN"), in: .standard)
        let before = design.scene(of: view)
        #expect(before.damage(since: nil) == [before.bounds])
        #expect(before.damage(since: before).isEmpty)
        view.entry = .masked(count: 4, capacity: 6)
        let dots = design.scene(of: view).damage(since: before)
        #expect(dots.count == 1 && dots[0].area < before.bounds.area / 4)
        view = DisplayView(SampleViews.view("scan"), in: .standard)
        #expect(design.scene(of: view).damage(since: before) == [before.bounds])
    }

    /// Two scenes are painted the same, whether at once or in parts.
    @Test func damageIsEnough() throws {
        let design = design((480, 800))
        let views = try Self.views(in: "bg")
        let inParts = try #require(Canvas(width: 480, height: 800, text: text))
        var last: Scene?
        for index in views.indices {
            let scene = design.scene(of: views[index].view)
            inParts.paint(scene, scene.damage(since: last))
            last = scene
            let (one, other) = (pixels(of: inParts), try pixels(of: scene))
            // Smoothed edges may differ by what rounding does; millions of bytes are no message.
            guard one != other else { continue }
            let differing = zip(one, other).enumerated().filter { abs(Int($1.0) - Int($1.1)) > 2 }
            let first = differing.first.map { "\($0.offset / 4 % 480), \($0.offset / 4 / 480): \($0.element)" }
            #expect(differing.isEmpty, "\(views[index].name): \(differing.count) bytes, from \(first ?? "")")
        }
    }

    @Test func aPageOfTheReportedRoomHasRoom() throws {
        for (design, size) in designs() {
            let room = try #require(design.documentRoom)
            for language in Self.languages {
                let languages = try #require(Languages(first: language))
                let view = DisplayView(MoreViews.document(room), in: languages)
                let faults = Self.faults(of: design.scene(of: view), text)
                #expect(faults.isEmpty, "\(language) \(size): \(faults)")
            }
            let larger = DocumentPageSize(columns: room.columns, rows: room.rows + 2)
            let view = DisplayView(MoreViews.document(larger), in: .standard)
            #expect(design.scene(of: view).leftOut.contains(.document))
        }
    }

    /// A keyboard has every character once, in the order of the kiosk, and a field takes no letter that is not there.
    @Test(arguments: languages) func aKeyboardHasEveryKeyOnce(in language: String) throws {
        for (design, size) in designs(isTouched: true) {
            for (name, view) in try Self.views(in: language) {
                guard let keyboard = view.keyboard else { continue }
                let keys = design.scene(of: view).keys.map(\.key)
                #expect(Set(keys).count == keys.count, "\(name)")
                #expect(keys.count <= DisplayMessage.mostKeys)
                let digits = keys.filter { if case .digit = $0 { true } else { false } }
                let characters = keys.filter { if case .character = $0 { true } else { false } }
                #expect(digits == (keyboard.showsLetters ? [] : keyboard.pad.map { .digit($0) }), "\(name)")
                let letters = keyboard.showsLetters ? keyboard.rows.joined().count : 0
                #expect(characters == (0..<letters).map { .character($0) }, "\(name)")
                let domains = keys.filter { if case .domain = $0 { true } else { false } }
                // A remark, or an address of several lines, may take the room of the domains.
                let count = keyboard.showsLetters ? keyboard.domains.count : 0
                let mayLack = !view.hint.isEmpty || name.hasPrefix("a long address")
                #expect(domains.count == count || domains.isEmpty && mayLack, "\(name) \(size)")
                #expect(keys.contains(.otherKeyboard) == !keyboard.toLetters.isEmpty, "\(name)")
            }
        }
    }

    /// A remark goes with the first digit, and the next one is where it was.
    @Test(arguments: languages) func thePadStaysWhereItIs(in language: String) throws {
        let languages = try #require(Languages(first: language))
        for (design, size) in designs(isTouched: true) {
            for (name, view) in MoreViews.catalogue where view.stage.asksForPIN {
                var (with, without) = (view, view)
                with.hint = Prompt(.registered, [.number: "1"])
                without.hint = nil
                func digits(_ view: KioskView) -> [KeyPlace] {
                    design.scene(of: DisplayView(view, in: languages)).keys.filter {
                        if case .digit = $0.key { true } else { false }
                    }
                }
                #expect(digits(with) == digits(without) && !digits(with).isEmpty, "\(size) \(name)")
            }
        }
    }

    @Test func aShuffledPadIsDrawnInItsOrder() throws {
        let design = design(isTouched: true)
        var view = DisplayView(SampleViews.view("PIN"), in: .standard)
        let usual = design.scene(of: view)
        view.keyboard?.pad = [0, 9, 8, 7, 6, 5, 4, 3, 2, 1]
        let shuffled = design.scene(of: view)
        func place(_ digit: Int, _ scene: Scene) -> [Int]? {
            scene.keys.first { $0.key == .digit(digit) }.map { [$0.x, $0.y] }
        }
        #expect(place(0, shuffled) == place(1, usual) && place(1, shuffled) == place(0, usual))
        for digit in 0...9 {
            let cell = try #require(shuffled.keys.first { $0.key == .digit(digit) }).cell
            let shown = shuffled.elements.compactMap { element -> String? in
                if case .words(let place, let words) = element, cell.contains(place) { words.text } else { nil }
            }
            #expect(shown == ["\(digit)"])
        }
    }

    /// A touched key is filled, and nothing else changes.
    @Test func aTouchedKeyIsFilled() throws {
        let design = design(isTouched: true)
        for name in ["consent", "e-mail"] {
            let scene = design.scene(of: DisplayView(SampleViews.view(name), in: .standard))
            for key in scene.keys {
                let damage = scene.touched(at: key.key).damage(since: scene)
                let filled = key.cell.inset(by: -2).intersection(scene.bounds)
                #expect(damage == [filled ?? key.cell], "\(name) \(key)")
            }
            #expect(scene.touched(at: nil) == scene && scene.touched(at: .digit(7)) == scene)
        }
    }
}

extension KeyPlace {
    fileprivate var cell: Rectangle { Rectangle(x: x, y: y, width: width, height: height) }
}
