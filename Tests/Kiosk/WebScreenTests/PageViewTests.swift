// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import KioskMachine
import KioskPorts
import KioskTestKit
import LoginValues
import Patience
import Signage
import Testing
@testable import WebScreen

@Suite("The data for a browser")
struct PageViewTests {
    static func json(_ view: KioskView, in languages: Languages = .standard, shownFor: Duration = .zero) throws
        -> String
    {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(
            decoding: try encoder.encode(PageView(view, in: languages, shownFor: shownFor)), as: UTF8.self)
    }

    @Test func aQuestionHasItsFactsApart() throws {
        #expect(
            try Self.json(SampleViews.consent) == """
                {"farewell":"The kiosk is not running","hasHighContrast":false,"hasLargeText":false,"isBusy":false,\
                "keys":[{"cap":"Enter","key":"enter","label":"OK","meaning":"yes"},{"cap":"Backspace","key":"back","label":"Not me","meaning":"no"}],"language":"en",\
                "lines":[{"key":"consentService","label":"Service:","text":"<b>Shop</b> & \\"Co\\""},\
                {"key":"consentDomain","label":"Domain:","text":"login.example.com"},\
                {"key":"consentNobody","text":"User: you will be asked next"}],\
                "showsPreview":false,"stage":"consent","title":"Do you want to log in here?","tone":"ask"}
                """)
    }

    @Test func aPINIsACount() throws {
        #expect(
            try Self.json(SampleViews.pin, shownFor: .milliseconds(4500)) == """
                {"countdown":25.5,"entry":{"capacity":6,"count":3},"farewell":"The kiosk is not running","hasHighContrast":false,"hasLargeText":false,"isBusy":false,\
                "keyboard":{},"keys":[{"cap":"Ctrl-U","key":"clear","label":"Clear","meaning":"clear"}],"language":"en",\
                "lines":[{"key":"pinHelpAny","text":"Type your PIN, then OK."}],"showsPreview":false,"stage":"pin",\
                "timeLeft":"Seconds left: {seconds}","title":"Enter your PIN","tone":"ask"}
                """)
        #expect(try Self.json(SampleViews.pin, shownFor: .seconds(99)).contains("\"countdown\":0,"))
    }

    @Test func aCardIsAPicture() throws {
        var view = SampleViews.consent
        view.entry = .card(SecretBytes(copying: Array("LOGIN-KIOSK-CARD:1:ABC".utf8)))
        let text = try Self.json(view)
        // The first finder pattern begins after the quiet zone.
        #expect(text.contains(#""entry":{"path":"M4 4h7v1h-7z"#) && text.contains(#""side":33}"#))
        #expect(!text.contains("LOGIN-KIOSK-CARD"))
    }

    @Test func aDocumentIsRowsOfTextAndMarks() throws {
        var view = SampleViews.consent
        view.lines = []
        view.document = DocumentPages(try DocumentText(Array("<b>\u{202E}1\n2".utf8)), size: .standard)[0]
        #expect(
            try Self.json(view).contains(
                """
                "document":[{"pieces":[{"isMark":false,"text":"<b>"},{"isMark":true,"text":"‹U+202E›"},\
                {"isMark":false,"text":"1"}]},{"pieces":[{"isMark":false,"text":"2"}]}],
                """))
    }

    @Test func theViewSaysWhichLanguage() throws {
        let languages = try #require(Languages(first: "de"))
        var view = SampleViews.consent
        #expect(try Self.json(view, in: languages).contains("\"label\":\"Dienst:\""))
        view.languageTurn = 2
        #expect(try Self.json(view, in: languages).contains("\"label\":\"Service :\""))
    }

    @Test func theLanguageKeyHasTheNextLanguagesName() throws {
        let languages = try #require(Languages(first: "fr"))
        var view = SampleViews.scan
        #expect(try Self.json(view, in: languages).contains(#""label":"English","language":"en""#))
        view.languageTurn = 4
        #expect(try Self.json(view, in: languages).contains(#""label":"Français","language":"fr""#))
    }

    @Test func theLookIsThatOfTheView() throws {
        var view = SampleViews.scan
        view.look = ScreenLook(hasHighContrast: true)
        view.actions = [ViewAction(.digit(7), .actionLook)]
        let text = try Self.json(view)
        #expect(text.contains(#""hasHighContrast":true,"hasLargeText":false"#))
        // A screen reader reads the words, and the page shows letters.
        #expect(text.contains(#""label":"Larger text""#) && text.contains(#""sign":"Aa""#))
    }

    @Test func aKeyboardIsThatOfTheLanguage() throws {
        func keyboard(_ stage: KioskStage, _ lines: [Prompt] = [], language: String = "de") throws -> String? {
            let view = KioskView(stage, .ask, title: Prompt(.choiceTitle), lines: lines, entry: .text(""))
            let text = try Self.json(view, in: try #require(Languages(first: language)))
            return text.firstMatch(of: /"keyboard":(\{.*?\})/).map { String($0.output.1) }
        }
        let german = #""rows":["1234567890","qwertzuiop","asdfghjkl","yxcvbnm","@.-_+"]"#
        #expect(try keyboard(.identityEntry) == "{\(german)}")
        #expect(try keyboard(.codeEntry) == "{\(german),\"toDigits\":\"Ziffern\",\"toLetters\":\"Buchstaben\"}")
        #expect(try keyboard(.identityChoice)?.contains("toLetters") == true)
        // A number of a list, a service or a document.
        let entry = Prompt(.listEntry, [.number: "1", .user: "alice@example.com"])
        #expect(try keyboard(.identityChoice, [entry]) == "{}")
        #expect(try keyboard(.serviceChoice) == "{}" && keyboard(.documentChoice) == "{}")
        #expect(try keyboard(.consent) == nil)
        // Domains that the operator named, where an address is typed.
        for (stage, wanted) in [(KioskStage.identityEntry, ["example.com", "example.org"]), (.codeEntry, nil)] {
            let view = KioskView(stage, .ask, title: Prompt(.choiceTitle), entry: .text(""))
            let page = PageView(view, in: .standard, shownFor: .zero, domains: ["example.com", "example.org"])
            #expect(page.keyboard?.domains == wanted)
        }
        #expect(try keyboard(.identityEntry, language: "fr")?.contains("azertyuiop") == true)
        #expect(try keyboard(.identityEntry, language: "bg")?.contains("qwertyuiop") == true)
    }

    /// Each key of a touch keyboard is a key of the kiosk.
    @Test(arguments: PromptCatalogue.all.map(\.language))
    func theKeyboardHasEveryLetterOnce(language: String) {
        let keys = (TouchKeyboard.rows(language: language) + [TouchKeyboard.signs]).joined()
        #expect(keys.sorted() == "+-.0123456789@_abcdefghijklmnopqrstuvwxyz".sorted())
        #expect(keys.allSatisfy { PageKey(name: String($0)) != nil })
    }

    @Test(arguments: ["event: view", "\n\ndata: x", "\r\n", "\u{2028}", "{service}"])
    func noTextLeavesItsEvent(text: String) throws {
        var view = SampleViews.consent
        view.lines = [Prompt(.consentService, [.service: text])]
        let event = try PageEvent.view(PageView(view, in: .standard, shownFor: .zero)).text()
        #expect(event.unicodeScalars.count { $0 == "\n" } == 3 && event.hasSuffix("}\n\n"))
        #expect(!event.unicodeScalars.contains("\r"))
    }

    @Test func keysHaveOneNameEach() throws {
        let keys: [Key] =
            [.enter, .clear, .back, .menu] + (0...9).map { .digit($0) }
            + "azAZ@.-_+~!".map { .character($0) }
        for key in keys { #expect(PageKey(name: PageKey(key).name)?.key == key) }
        for name in ["", "Enter", "enter ", "digit", "12", "é", " ", "\u{7F}", "\n", "ENTER"] {
            #expect(PageKey(name: name) == nil)
        }
        let seed: UInt64 = 11
        var generator = SplitMix64(seed: seed)
        for _ in 0..<20_000 {
            let bytes = (0..<Int.random(in: 0...9, using: &generator)).map { _ in
                UInt8.random(in: .min ... .max, using: &generator)
            }
            let name = String(decoding: bytes, as: UTF8.self)
            guard let key = PageKey(name: name) else { continue }
            #expect(key.name == name, "seed \(seed): \(bytes)")
        }
    }
}
