// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import LoginValues
import Testing

@Suite("An e-mail address by keyboard, number pad or QR code")
struct TypingTests {
    static let typing = KioskAction.startTimer(.session, KioskTiming.typing, .one)
    static let tap = KioskAction.startTimer(.tap, KioskTiming.tap, .one)

    static func start() -> KioskMachine { KioskMachine.consented(BackendSession()) }

    static func reading(_ text: String, address: String?) -> CodeReading {
        CodeReading(
            digest: Samples.digest(text), verdict: .refused(.notALogin(.noAccessCode)),
            address: address.flatMap { EmailAddress($0) })
    }

    @Test func aNumberPadTapsLetters() {
        var machine = Self.start()
        #expect(machine.keyPressed(.digit(2)) == [Self.typing, Self.tap])
        #expect(machine.keyPressed(.digit(2)) == [Self.typing, Self.tap])
        #expect(machine.view.entry == .text("b"))
        #expect(machine.timerFired(.tap, session: .one) == [])
        _ = machine.keyPressed(.digit(2))
        #expect(machine.view.entry == .text("ba"))
        #expect(machine.view.actions.last == ViewAction(.menu, .actionDigits))
        #expect(machine.keyPressed(.menu) == [Self.typing])
        _ = machine.keyPressed(.digit(2))
        #expect(machine.view.entry == .text("ba2"))
        #expect(machine.view.actions.last == ViewAction(.menu, .actionLetters))
        // A late timer of another session changes nothing.
        _ = machine.keyPressed(.menu)
        _ = machine.keyPressed(.digit(3))
        _ = machine.timerFired(.tap, session: SessionNumber(0))
        _ = machine.keyPressed(.digit(3))
        #expect(machine.view.entry == .text("ba2e"))
    }

    @Test func aKeyboardNeedsNoHelp() {
        var machine = Self.start()
        #expect(machine.view.lines.contains(Prompt(.tapAddressHelp)))
        #expect(machine.keyPressed(.character("a")) == [Self.typing])
        #expect(machine.keyPressed(.digit(2)) == [Self.typing])
        #expect(machine.view.entry == .text("a2"))
        #expect(!machine.view.lines.contains(Prompt(.tapAddressHelp)))
        #expect(!machine.view.actions.contains { $0.key == .menu })
    }

    @Test func aCodeCarriesTheAddress() {
        var machine = Self.start()
        #expect(machine.readsText)
        #expect(machine.view.lines.contains(Prompt(.qrAddressHelp)))
        _ = machine.keyPressed(.character("x"))
        let card = Self.reading("card", address: "carol@example.com")
        let inView = KioskAction.startTimer(.view(card.digest), KioskTiming.codeLeavesView, .none)
        #expect(machine.symbolSeen(card) == [inView, Self.typing])
        #expect(machine.view.entry == .text("carol@example.com"))
        #expect(machine.view.hint == Prompt(.qrAddressRead))
        // A card that stays in view does not overwrite edited text.
        _ = machine.keyPressed(.back)
        #expect(machine.symbolSeen(card) == [inView])
        #expect(machine.view.entry == .text("carol@example.co"))
    }

    @Test func theLoginPageMayStayInView() {
        var machine = Self.start()
        let view = KioskAction.startTimer(.view(Samples.digest("code 1")), KioskTiming.codeLeavesView, .none)
        #expect(machine.symbolSeen(Samples.login()) == [view])
        #expect(machine.symbolSeen(Samples.login("code 2")).count == 1)
        #expect(machine.view.hint == nil)
        #expect(machine.session == .one)
        _ = machine.symbolSeen(Self.reading("hello", address: nil))
        #expect(machine.view.hint == Prompt(.qrNotAnAddress))
    }

    /// The camera reads an address, and nothing afterwards.
    @Test func theCameraLooksWhileAnAddressIsTypedAndNoLonger() {
        var machine = KioskMachine.consenting(BackendSession())
        #expect(machine.keyPressed(.enter).contains(.resumeCamera))
        _ = machine.symbolSeen(Self.reading("card", address: "carol@example.com"))
        #expect(machine.keyPressed(.enter).contains(.pauseCamera))
        #expect(!machine.readsText)
        #expect(machine.stepEnded(.failure(Samples.failure(.unreachable)), session: .one).contains(.resumeCamera))
        #expect(machine.keyPressed(.back).contains(.pauseCamera))
    }

    @Test func withoutACameraNoCodeIsAskedFor() {
        var machine = Self.start()
        machine.cameraChanged(trouble: .missing)
        #expect(!machine.view.lines.contains(Prompt(.qrAddressHelp)))
    }
}
