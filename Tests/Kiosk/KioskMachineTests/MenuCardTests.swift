// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import LoginValues
import Patience
import Testing

@Suite("The text of a card")
struct MenuCardTests {
    static func card(_ bytes: [UInt8], parts: Int = 1) -> MenuCard? {
        Symbol(payload: SecretBytes(copying: bytes), parts: parts, sighting: Samples.sighting)
            .flatMap { MenuCard($0) }
    }

    static let cards: [(text: String, task: KioskTask, place: String?)] = [
        ("login-kiosk:typed-code", .login, nil), ("login-kiosk:one-time-password", .oneTimePassword, nil),
        ("login-kiosk:registration-code", .registrationCode, nil), ("login-kiosk:door", .localLogin, nil),
        ("login-kiosk:identities", .identities, nil), ("login-kiosk:register-with-code", .registerWithCode, nil),
        ("login-kiosk:verification", .verification, nil), ("login-kiosk:signing", .signing, nil),
        ("login-kiosk:change-pin", .changePIN, nil),
        ("login-kiosk:door/Lab", .localLogin, "Lab"),
        ("login-kiosk:door/Main%20entrance", .localLogin, "Main entrance"),
        ("login-kiosk:door/A%2FB%25", .localLogin, "A/B%"), ("login-kiosk:door/T%C3%BCr%201", .localLogin, "Tür 1"),
        ("login-kiosk:door/%D0%92%D1%85%D0%BE%D0%B4", .localLogin, "Вход"),
        ("login-kiosk:one-time-password/login.example.com:8443", .oneTimePassword, "login.example.com:8443"),
        ("login-kiosk:identities/%5B%3A%3A1%5D", .identities, "[::1]"),
    ]

    static let signature = "c86b50c3417ea05ead09e073586ec172"

    @Test("A card with a signature is the same card, signed", arguments: cards)
    func signed(text: String, task: KioskTask, place: String?) throws {
        let card = try #require(MenuCard(task, at: place)?.signed(Self.signature))
        #expect(Self.card(Array("\(text)?\(Self.signature)".utf8)) == card)
        #expect(card.signature == Self.signature && card.text == "\(card.unsignedText)?\(Self.signature)")
        #expect(MenuCard(task, at: place)?.text == card.unsignedText)
        for wrong in ["", "c86b", Self.signature.uppercased(), Self.signature.dropLast() + "g"] {
            #expect(card.signed(wrong) == nil)
        }
    }

    @Test(arguments: cards)
    func read(text: String, task: KioskTask, place: String?) {
        #expect(Self.card(Array(text.utf8)) == MenuCard(task, at: place))
    }

    /// A place may have several spellings. This one is printed.
    @Test(arguments: cards.dropLast())
    func written(text: String, task: KioskTask, place: String?) {
        #expect(MenuCard(task, at: place)?.text == text)
    }

    @Test("Every task can be on a card", arguments: KioskTask.allCases)
    func everyTask(task: KioskTask) throws {
        #expect(KioskTask(named: task.name) == task)
        let card = try #require(MenuCard(task))
        #expect(Self.card(Array(card.text.utf8)) == card)
    }

    @Test(arguments: [
        "", "login-kiosk", "login-kiosk:", "login-kiosk:/", "login-kiosk:/Lab", "login-kiosk:login",
        "login-kiosk:localLogin", "Login-kiosk:door", "LOGIN-KIOSK:DOOR", "login-kiosk:Door", "login-kiosk: door",
        " login-kiosk:door", "login-kiosk:door ", "login-kiosk:door\n", "login-kiosk:door/", "login-kiosk:door/Lab/",
        "login-kiosk:door/a/b", "login-kiosk:door//Lab", "login-kiosk://door/Lab", "login-kiosk:door/Main entrance",
        "login-kiosk:door/Tür", "login-kiosk:door/%", "login-kiosk:door/%4", "login-kiosk:door/%4g",
        "login-kiosk:door/%+4", "login-kiosk:door/%C3", "login-kiosk:door/%FF", "login-kiosk:door/%C0%AF",
        "login-kiosk:door/%00", "login-kiosk:door/a%0Ab", "login-kiosk:door/%7F", "login-kiosk:door?user=a@b.de",
        "login-kiosk:door/Lab?user=a", "login-kiosk:door/Lab#c0de", "login-kiosk:one-time-password#c0de",
        "login-kiosk:door?", "login-kiosk:door/Lab?", "login-kiosk:door?\(signature.dropLast())",
        "login-kiosk:door?\(signature)0", "login-kiosk:door?\(signature.uppercased())", "login-kiosk:?\(signature)",
        "login-kiosk:door?\(signature)?\(signature)", "login-kiosk:door?\(signature)/Lab",
        "login-kiosk:door/?\(signature)", "login-kiosk:door%2FLab", "https://login-kiosk/door",
        "https://login.example.com#c0de1", "alice@example.com",
    ])
    func nothingElseIsACard(text: String) { #expect(Self.card(Array(text.utf8)) == nil) }

    @Test func aDividedCodeIsNone() { #expect(Self.card(Array("login-kiosk:door".utf8), parts: 2) == nil) }

    @Test func thereIsALongestPlace() throws {
        let room = MenuCard.maximumLength - "login-kiosk:door/".utf8.count
        let longest = try #require(MenuCard(.localLogin, at: String(repeating: "x", count: room)))
        #expect(Self.card(Array(longest.text.utf8)) == longest)
        #expect(Self.card(Array((longest.text + "x").utf8)) == nil)
        #expect(MenuCard(.localLogin, at: String(repeating: "x", count: room + 1)) == nil)
        #expect(longest.signed(Self.signature) == nil)
        #expect(MenuCard(.localLogin, at: String(repeating: "x", count: room - 33))?.signed(Self.signature) != nil)
        #expect(MenuCard(.localLogin, at: "") == nil)
    }

    /// Any text that is read as a card can be written, and is read again as the same card.
    @Test func random() {
        let seed: UInt64 = 0xCA4D_0025
        var generator = SplitMix64(seed: seed)
        let pieces =
            [
                "login-kiosk:", "login-kiosk:door/", "/", "%", "%20", "%C3%BC", "%0A", "#", "?", ":", " ", "ü", "Lab",
                "é", "?\(Self.signature)",
            ]
            + KioskTask.allCases.map(\.name)
        var cards = 0
        for round in 0..<50_000 {
            var bytes = Array(["login-kiosk:", "login-kiosk:door/", ""][Int.random(in: 0...2, using: &generator)].utf8)
            for _ in 0..<Int.random(in: 0...6, using: &generator) {
                if Int.random(in: 0..<8, using: &generator) == 0 {
                    bytes.append(UInt8.random(in: 0...255, using: &generator))
                } else {
                    bytes += Array((pieces.randomElement(using: &generator) ?? "").utf8)
                }
            }
            guard let card = Self.card(bytes) else { continue }
            cards += 1
            #expect(Self.card(Array(card.text.utf8)) == card, "seed \(seed), round \(round)")
            #expect(bytes.starts(with: Array("login-kiosk:\(card.task.name)".utf8)), "seed \(seed), round \(round)")
            #expect(!bytes.contains(UInt8(ascii: "#")), "seed \(seed), round \(round)")
        }
        #expect(cards > 1_000, "seed \(seed)")
    }
}
