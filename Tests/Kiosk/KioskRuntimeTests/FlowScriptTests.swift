// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import KioskTestKit
import Patience
import Testing

@Suite("Scripts of whole interactions")
struct FlowScriptTests {
    static let lines: [(String, FlowAction)] = [
        ("user alice@example.com 2583", .user("alice@example.com", pin: "2583")),
        ("service mfa-v2", .service("mfa-v2")), ("elsewhere a@b.de 258346", .elsewhere("a@b.de", pin: "258346")),
        ("document loan.txt  \"A loan\"", .document("loan.txt", title: "A loan")), ("code a@b.de", .code("a@b.de")),
        ("join a@b.de 2583", .join("a@b.de", pin: "2583")), ("signature a@b.de", .signature("a@b.de")),
        ("qr signing \"Pay five.\"", .sight(.signingPage("Pay five."))), ("qr mail a@b.de", .sight(.mail("a@b.de"))),
        ("door", .door), ("new", .new), ("qr profile \"A library\"", .sight(.profile("A library"))),
        ("opened a@b.de", .opened("a@b.de")), ("mailed a@b.de", .mailedCode("a@b.de")),
        ("qr login", .sight(.loginPage)), ("qr none", .sight(.wall)),
        ("qr \"mailto:a@b.de\"", .sight(.code("mailto:a@b.de"))),
        ("wait consent", .waitForStage(.consent)), ("wait \"Log in?\"", .waitForText("Log in?")),
        ("expect \"a  b\"", .expect("a  b")), ("key 20 enter back", .press([.digit(2), .digit(0), .enter, .back])),
        ("key menu clear", .press([.menu, .clear])),
        ("type a 1", .press([.character("a"), .character(" "), .digit(1)])),
        ("number", .accessNumber), ("activate a@b.de", .activate("a@b.de")), ("browser a@b.de", .browser("a@b.de")),
        ("screenshot wrong-pin2", .screenshot("wrong-pin2")), ("  \twait pin \t", .waitForStage(.pin)),
    ]

    @Test(arguments: lines)
    func everyLine(text: String, action: FlowAction) throws {
        #expect(try FlowScript(text).lines.map(\.action) == [action])
    }

    @Test func commentsEndsAndNumbers() throws {
        let script = try FlowScript("# Log in\r\n\r\nqr login\r\n   # in between\nkey enter")
        #expect(script.lines.map(\.number) == [3, 5])
    }

    @Test(arguments: [
        "press enter", "wait", "wait somewhere", "wait consent now", "expect hello", "expect \"", "expect \"\"",
        "expect \"a\" b", "expect \"a\"b\"", "key", "key 2a", "key shift", "type", "type ü", "type ", "qr",
        "qr code.png",
        "number 7", "user a@b.de", "user a@b.de 123", "user a@b.de 1234567", "user a@b.de pin1", "user a b 1234",
        "service", "service a b", "elsewhere a@b.de", "document", "document loan.txt", "document ../x \"A\"",
        "document loan.txt A", "code", "code a b", "mailed", "join a@b.de", "signature", "qr signing", "qr signing Pay",
        "qr mail",
        "qr mail a b", "activate", "activate a b", "door main", "opened", "opened a b", "browser", "screenshot",
        "screenshot ../x",
        "screenshot A", "screenshot a b", "new one", "qr profile", "qr profile library",
    ])
    func mistakesNameTheirLine(line: String) {
        let error = #expect(throws: FlowScriptError.self) { try FlowScript("qr login\n\(line)") }
        #expect(error?.line == 2)
        #expect("\(error.map(String.init(describing:)) ?? "")".hasPrefix("line 2: "))
    }

    @Test func aScriptIsNotEndless() {
        let text = String(repeating: "# and so on\n", count: FlowScript.maximumLength / 12 + 1)
        #expect(throws: FlowScriptError.self) { try FlowScript(text) }
    }

    /// Any text gives a script, or an error that names an existing line.
    @Test func random() {
        let seed: UInt64 = 0xF10E_5C21
        var generator = SplitMix64(seed: seed)
        let whole = Self.lines.map { $0.0 + "\n" }
        let pieces =
            Self.lines.flatMap { $0.0.split(separator: " ").map { $0 + " " } } + [" ", "\n", "\r\n", "#", "\"", "ü"]
        var accepted = 0
        for round in 0..<20_000 {
            var text = ""
            for _ in 0..<Int.random(in: 0...6, using: &generator) {
                let isWhole = Int.random(in: 0..<10, using: &generator) < 8
                text += (isWhole ? whole : pieces).randomElement(using: &generator) ?? ""
            }
            let count = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).count
            var named: [Int] = []
            do {
                named = try FlowScript(text).lines.map(\.number)
                accepted += named.isEmpty ? 0 : 1
            } catch {
                named = [error.line]
            }
            if !named.allSatisfy((1...count).contains) {
                Issue.record("seed \(seed), round \(round): line \(named) of \(count)")
                return
            }
        }
        #expect(accepted > 2_000, "nothing but errors proves little")
    }
}
