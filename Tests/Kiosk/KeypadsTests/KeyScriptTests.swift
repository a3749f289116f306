// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import KioskTestKit
import Patience
import Testing
@testable import Keypads

@Suite("Keys from a script")
struct KeyScriptTests {
    @Test func everyAction() throws {
        let script = try KeyScript(
            "# a login\n\nenter\ntype a1 \r\nclear\nback  # gone\nmenu\nwait 2.5\nwait 3600\n  type  x y\n")
        #expect(
            script.actions == [
                .press(.enter), .press(.character("a")), .press(.digit(1)), .press(.clear), .press(.back),
                .press(.menu), .wait(.milliseconds(2500)), .wait(.seconds(3600)), .press(.character("x")),
                .press(.character(" ")), .press(.character("y")),
            ])
    }

    static let mistakes: [(String, KeyScriptError)] = [
        ("enter\npress 1", KeyScriptError(.unknownAction, line: 2)),
        ("type", KeyScriptError(.nothingToType, line: 1)),
        ("type  ", KeyScriptError(.nothingToType, line: 1)),
        ("type é", KeyScriptError(.notASCII, line: 1)),
        ("enter 1", KeyScriptError(.textBehindKey, line: 1)),
        ("wait", KeyScriptError(.notSeconds, line: 1)),
        ("wait 3600.001", KeyScriptError(.notSeconds, line: 1)),
        ("wait -1", KeyScriptError(.notSeconds, line: 1)),
        ("wait 1.2345", KeyScriptError(.notSeconds, line: 1)),
        (String(repeating: "#", count: KeyScript.maximumLength + 1), KeyScriptError(.tooLong, line: nil)),
        ("type " + String(repeating: "1", count: KeyScript.maximumActions + 1), KeyScriptError(.tooLong, line: 1)),
    ]

    @Test(arguments: mistakes.indices)
    func mistakesAreFound(index: Int) {
        let (text, error) = Self.mistakes[index]
        #expect(throws: error) { try KeyScript(text) }
    }

    @Test func theMessageDoesNotQuoteWhatMayBeAPIN() {
        #expect(KeyScriptError(.unknownAction, line: 3).description.hasPrefix("line 3: expected one of"))
    }

    @Test func randomTextIsRefusedOrRead() {
        let seed: UInt64 = 4711
        var random = SplitMix64(seed: seed)
        let words = ["type", "wait", "enter", "back", " ", "\n", "\r\n", "1", ".", "9999", "é", "#", "\t", "\u{0}"]
        var read = 0
        for _ in 0..<20_000 {
            let count = Int.random(in: 0..<12, using: &random)
            let text = (0..<count).map { _ in words.randomElement(using: &random) ?? "" }.joined()
            if let script = try? KeyScript(text) {
                read += 1
                for case .wait(let duration) in script.actions where duration > .seconds(3600) {
                    Issue.record("seed \(seed): waits \(duration)")
                }
            }
        }
        #expect(read > 1000)
    }

    @Test(.timeLimit(.minutes(10))) func theKeysArePressedAtAPace() async throws {
        let clock = ManualClock()
        let keypad = ScriptedKeypad(try KeyScript("type 25\nwait 3\nenter"), pause: .seconds(1), clock: clock)
        let played = Task { await keypad.presses().reduce(into: [KeyPress]()) { $0.append($1) } }
        for seconds in [1, 1, 3, 1] {
            await clock.waitForSleepers()
            clock.advance(by: .seconds(seconds))
        }
        #expect(await played.value == [KeyPress(.digit(2)), KeyPress(.digit(5)), KeyPress(.enter)])
    }
}
