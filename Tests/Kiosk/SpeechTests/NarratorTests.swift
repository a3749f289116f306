// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import LoginValues
import Signage
import Testing
@testable import Speech

/// The words that a person hears, view after view.
@Suite("Spoken views") struct NarratorTests {
    private static let languages = Languages.standard.tags
    private static let scan = KioskView(
        .scan, .ready, title: Prompt(.scanTitle), lines: [Prompt(.scanHelp), Prompt(.speechHelp)],
        actions: [ViewAction(.digit(2), .actionLanguage), ViewAction(.digit(5), .actionSpeechOff)])
    private static let consent = KioskView(
        .consent, .ask, title: Prompt(.consentTitle),
        lines: [
            Prompt(.consentService, [.service: "My-Shop"]), Prompt(.consentDomain, [.domain: "login.my-shop.example"]),
            Prompt(.consentUser, [.user: "alice_b@example.com"]),
        ], factCount: 3, actions: [ViewAction(.enter, .actionOK), ViewAction(.back, .actionNotMe)])

    private static func pin(_ count: Int, hint: PromptKey? = nil) -> KioskView {
        KioskView(
            .pin, .ask, title: Prompt(.pinTitle), lines: [Prompt(.pinHelpAny)], hint: hint.map { Prompt($0) },
            entry: .masked(count: count, capacity: 6),
            actions: [ViewAction(.enter, .actionOK), ViewAction(.back, .actionBack)])
    }

    private static func address(_ text: String) -> KioskView {
        KioskView(
            .identityEntry, .ask, title: Prompt(.identityEntryTitle), entry: .text(text),
            actions: [ViewAction(.enter, .actionOK)])
    }

    private static func heard(_ view: KioskView, in language: String = "en") -> KioskView {
        var view = view
        view.speech = SpeechRequest()
        view.languageTurn = languages.firstIndex(of: language) ?? 0
        return view
    }

    private static func narrator(_ output: SpeechOutput = .headphones) -> Narrator {
        Narrator(languages: .standard, output: output)
    }

    /// The utterances of one listener.
    private static func said(
        _ views: [KioskView], in language: String = "en", at output: SpeechOutput = .headphones
    ) -> [String?] {
        var narrator = narrator(output)
        return views.map { narrator.follow(heard($0, in: language))?.text }
    }

    @Test(arguments: [
        (
            "en",
            """
            Do you want to log in here?
            Service: My hyphen Shop.
            Domain: login dot my hyphen shop dot example.
            User: alice underscore b at example dot com.
            OK: press Enter.
            Not me: press Backspace.
            """
        ),
        (
            "de",
            """
            Möchten Sie sich hier anmelden?
            Dienst: My Bindestrich Shop.
            Domain: login Punkt my Bindestrich shop Punkt example.
            Benutzer: alice Unterstrich b Ät example Punkt com.
            OK: Taste Enter.
            Das bin ich nicht: Taste Backspace.
            """
        ),
        (
            "fr",
            """
            Voulez-vous vous connecter ici ?
            Service : My tiret Shop.
            Domaine : login point my tiret shop point example.
            Utilisateur : alice tiret bas b arobase example point com.
            OK : touche Enter.
            Ce n’est pas moi : touche Backspace.
            """
        ),
        (
            "es",
            """
            ¿Quiere iniciar sesión aquí?
            Servicio: My guion Shop.
            Dominio: login punto my guion shop punto example.
            Usuario: alice guion bajo b arroba example punto com.
            OK: pulse Enter.
            No soy yo: pulse Backspace.
            """
        ),
        (
            "bg",
            """
            Искате ли да влезете тук?
            Услуга: My тире Shop.
            Домейн: login точка my тире shop точка example.
            Потребител: alice долна черта b кльомба example точка com.
            OK: натиснете Enter.
            Не съм аз: натиснете Backspace.
            """
        ),
    ])
    func aScreenIsSpokenWhole(language: String, text: String) {
        #expect(Self.said([Self.consent], in: language) == [text])
    }

    @Test(arguments: [
        ("en", "Digits: 2.", "Digits: 1."), ("de", "Ziffern: 2.", "Ziffern: 1."),
        ("fr", "Chiffres : 2.", "Chiffres : 1."),
        ("es", "Cifras: 2.", "Cifras: 1."), ("bg", "Цифри: 2.", "Цифри: 1."),
    ])
    func ofAPINTheCount(language: String, two: String, one: String) {
        let said = Self.said([Self.pin(0), Self.pin(1), Self.pin(2), Self.pin(1)], in: language)
        #expect(said.dropFirst() == [one, two, one])
        // Before the first key there is nothing to count.
        #expect(said[0]?.contains(one.prefix { $0 != " " }) == false)
    }

    @Test func aRemarkIsSpokenAlone() {
        let said = Self.said([
            Self.pin(2), Self.pin(2, hint: .pinTooShort), Self.pin(2, hint: .pinTooShort), Self.pin(2),
        ])
        #expect(said[0]?.hasSuffix("Digits: 2.\nOK: press Enter.\nBack: press Backspace.") == true)
        #expect(said.dropFirst() == ["Too few digits.", nil, nil])
    }

    @Test func lettersAreSpokenAsTheyAreTyped() {
        let texts = ["", "a", "al", "al@", "al", "am", ""]
        let said = Self.said(texts.map(Self.address))
        #expect(said.dropFirst() == ["a.", "l.", "at.", "Deleted: at.", "m.", "Nothing is typed."])
        let again = Self.said([Self.address("a-b")])
        #expect(again.first??.contains("\nTyped: a, hyphen, b.\n") == true)
    }

    /// The first letter of a keyboard takes the help for number pads away. It is spoken all the same, and alone.
    @Test func aLetterIsSpokenAlone() throws {
        var first = Self.address("")
        first.lines = [Prompt(.tapAddressHelp)]
        first.actions.append(ViewAction(.menu, .actionDigits))
        let said = Self.said([first, Self.address("b")])
        let help = try #require(said[0])
        #expect(help.contains("1 1 is at, 1 has dot at hyphen underscore plus"), "\(help)")
        #expect(said[1] == "b.")
    }

    /// Others hear a loudspeaker.
    @Test func aLoudspeakerNamesNobody() {
        #expect(Self.said([Self.consent], at: .loudspeaker).first??.contains("\nUser: on the screen.\n") == true)
        let said = Self.said(["", "a", "al"].map(Self.address), at: .loudspeaker)
        #expect(said.dropFirst() == ["Characters: 1.", "Characters: 2."])
        var code = KioskView(
            .issuedCode, .success, title: Prompt(.taskOneTimePassword),
            entry: .digits(SecretBytes(copying: Array("4711".utf8))))
        #expect(Self.said([code], at: .loudspeaker) == ["One-time password.\non the screen."])
        #expect(Self.said([code]) == ["One-time password.\n4, 7, 1, 1."])
        code = KioskView(
            .identityChoice, .ask, title: Prompt(.choiceTitle),
            lines: [Prompt(.listEntry, [.number: "1", .user: "alice@example.com"])])
        #expect(Self.said([code], at: .loudspeaker) == ["Who are you?\n1: on the screen."])
        code.stage = .serviceChoice
        #expect(Self.said([code], at: .loudspeaker) == ["Who are you?\n1: alice at example dot com."])
        let page = DocumentPage(
            lines: [
                DocumentLine(pieces: [.text("I pay ten ")], isWrapped: true),
                DocumentLine(pieces: [.text("euros."), .mark("\t")], isWrapped: false),
            ], number: 1, count: 1)
        let document = KioskView(.document, .ask, title: Prompt(.documentTitle), document: page)
        #expect(Self.said([document]) == ["Read what you sign.\nI pay ten euros.‹TAB›\n"])
        #expect(Self.said([document], at: .loudspeaker) == ["Read what you sign.\non the screen."])
    }

    /// Time that runs down interrupts nobody.
    @Test func secondsAreNoNews() {
        var views = [60, 50].map { seconds in
            KioskView(
                .issuedCode, .success, title: Prompt(.taskOneTimePassword),
                lines: [Prompt(.codeTimeLeft, [.seconds: "\(seconds)"])])
        }
        #expect(Self.said(views)[1] == nil)
        views = [3, 2].map { seconds in
            KioskView(
                .authenticating, .working, title: Prompt(.authenticating),
                hint: Prompt(.serviceBusy, [.seconds: "\(seconds)"]))
        }
        #expect(Self.said(views)[1] == nil)
    }

    @Test func keysRepeatAndSpeechHasAnEnd() {
        var narrator = Self.narrator()
        #expect(narrator.follow(Self.scan) == nil)
        var view = Self.heard(Self.scan, in: "de")
        let first = narrator.follow(view)
        #expect(first?.language == "de" && first?.volume == 3 && first?.waits == false)
        #expect(narrator.follow(view) == nil)
        view.speech?.repeats = 1
        #expect(narrator.follow(view) == first)
        view.speech?.volume = 5
        #expect(narrator.follow(view)?.volume == 5)
        let end = narrator.follow(Self.scan)
        #expect(end?.text == "Vorlesen ist aus. 5 schaltet es ein." && end?.language == "de" && end?.waits == true)
        #expect(narrator.follow(Self.scan) == nil)
    }

    /// A voice without Cyrillic would spell the word, and 5 is said in words of its own.
    @Test(arguments: languages)
    func theLanguageKeyIsUnderstood(language: String) throws {
        let said = try #require(Self.said([Self.scan], in: language).first ?? nil)
        #expect(said.contains("Език") == false)
        #expect(said.contains("5"))
        #expect(!said.contains("/") && !said.contains("{"))
    }

    /// Voices pass over dots and hyphens.
    @Test(arguments: languages)
    func noTwoHostsSoundAlike(language: String) {
        let hosts = [
            "login.my-shop.example", "login-my.shop.example", "login.myshop.example", "login_my.shop.example",
            "login.my.shop.example", "login.my-shop.example:8443",
        ]
        let views = hosts.map { KioskView(.consent, .ask, title: Prompt(.consentDomain, [.domain: $0])) }
        let said = views.map { view in
            Self.said([view], in: language)[0]?.filter { $0.isLetter || $0.isNumber || $0 == " " }
        }
        #expect(Set(said).count == hosts.count)
    }

    /// A stranger's words are spoken, not obeyed: `[[` begins phonemes, and a control character commands.
    @Test func wordsOfAServiceCommandNothing() throws {
        let names = ["[[h@'loU]]", "-w /tmp/x", "<voice name='fr'>", "\u{1}30S fast", "a\u{202E}b", "/dev/sda"]
        for name in names {
            for output in SpeechOutput.allCases {
                for view in [
                    KioskView(.consent, .ask, title: Prompt(.consentService, [.service: name])),
                    KioskView(.outcome, .failure, title: Prompt(.backendFailed, [.status: name])),
                ] {
                    let said = try #require(Self.said([view], at: output)[0])
                    let bad = said.unicodeScalars.filter {
                        $0 == "[" || $0 == "]"
                            || [.control, .format].contains($0.properties.generalCategory) && $0 != "\n"
                    }
                    #expect(bad.isEmpty, "\(said)")
                }
            }
        }
        let long = KioskView(
            .outcome, .failure, title: Prompt(.backendFailed, [.status: String(repeating: "x", count: 100_000)]))
        #expect(try #require(Self.said([long])[0]).count == Utterance.longest)
    }
}
