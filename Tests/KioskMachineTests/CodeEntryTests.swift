// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import LoginValues
import Testing

@Suite("An access code typed by hand")
struct CodeEntryTests {
    static let typing = KioskAction.startTimer(.typing, KioskTiming.typing, .none)
    static let empty = ViewEntry.code(SecretBytes(copying: []))

    static func scanning(_ services: String...) -> KioskMachine {
        KioskMachine(trustsAnything: true, services: services)
    }

    static func typingCode() -> KioskMachine {
        var machine = scanning("login.example.com")
        _ = machine.digitPressed(0)
        return machine
    }

    @Test func oneServiceNeedsNoChoice() {
        var machine = Self.scanning("login.example.com")
        #expect(machine.view.actions.first == ViewAction(.digit(0), .actionTypeCode))
        #expect(machine.digitPressed(0) == [.stopTimer(.notice), Self.typing])
        #expect(machine.view.stage == .codeEntry)
        #expect(machine.view.lines.first == Prompt(.consentDomain, [.domain: "login.example.com"]))
        #expect(machine.view.entry == Self.empty)
        #expect(machine.asksForCode && !machine.isIdle)
        #expect(machine.codeEdited() == [Self.typing])
        #expect(machine.enterPressed() == [.code(.submit(service: 0))])
        #expect(
            machine.codeTyped(Samples.login("typed")) == [
                .stopTimer(.notice), .openSession(.one), .startTimer(.session, KioskTiming.session, .one),
                .perform(.readService, .one), .code(.wipe), .stopTimer(.typing), .stopTimer(.tap),
            ])
        #expect(machine.view.stage == .connecting)
    }

    @Test func withoutAServiceThereIsNoSuchKey() {
        var machine = Self.scanning()
        #expect(!machine.view.actions.contains { $0.key == .digit(0) })
        #expect(machine.digitPressed(0) == [])
        #expect(machine.view.stage == .scan)
    }

    @Test func severalServicesAreChosenByNumber() {
        var machine = Self.scanning("a.example", "b.example")
        _ = machine.digitPressed(0)
        #expect(machine.view.stage == .serviceChoice)
        #expect(
            machine.view.lines == [
                Prompt(.serviceChoiceHelp), Prompt(.listEntry, [.number: "1", .user: "a.example"]),
                Prompt(.listEntry, [.number: "2", .user: "b.example"]),
            ])
        #expect(machine.enterPressed() == [])
        #expect(machine.digitPressed(3) == [Self.typing])
        #expect(machine.enterPressed() == [Self.typing])
        #expect(machine.view.hint == Prompt(.serviceUnknown))
        _ = machine.digitPressed(1)
        #expect(machine.backPressed() == [Self.typing])
        _ = machine.digitPressed(2)
        #expect(machine.enterPressed() == [Self.typing])
        #expect(machine.view.lines.first == Prompt(.consentDomain, [.domain: "b.example"]))
        #expect(machine.enterPressed() == [.code(.submit(service: 1))])
    }

    @Test func manyServicesHavePages() {
        var machine = KioskMachine(trustsAnything: true, services: (1...8).map { "s\($0).example" })
        _ = machine.digitPressed(0)
        #expect(machine.view.lines.count == 7)
        #expect(machine.view.actions.last == ViewAction(.menu, .actionMore))
        _ = machine.menuPressed()
        #expect(machine.view.lines.last == Prompt(.listEntry, [.number: "8", .user: "s8.example"]))
        _ = machine.menuPressed()
        #expect(machine.view.lines.count == 7)
    }

    @Test(arguments: [nil, CodeReading(digest: Samples.digest("x"), verdict: .refused(.untrusted(.notListed)))])
    func whatIsNoCodeIsTypedAgain(reading: CodeReading?) {
        var machine = Self.typingCode()
        _ = machine.enterPressed()
        #expect(machine.codeTyped(reading) == [Self.typing])
        #expect(machine.view.hint == Prompt(.codeMistyped))
        _ = machine.codeEdited()
        #expect(machine.view.hint == nil)
    }

    @Test func aUsedCodeIsToldAndForgotten() {
        var machine = KioskMachine(trustsAnything: true, services: ["login.example.com"])
        _ = machine.digitPressed(0)
        _ = machine.codeTyped(Samples.login("typed"))
        _ = machine.serviceFound(Samples.service, session: .one)
        _ = machine.backendOpened(BackendSession(identities: [Samples.alice]), session: .one)
        _ = machine.enterPressed()
        _ = machine.authenticationStarted(session: .one)
        machine.typePIN()
        _ = machine.enterPressed()
        _ = machine.authenticated(session: .one)
        _ = machine.enterPressed()
        _ = machine.digitPressed(0)
        #expect(machine.codeTyped(Samples.login("typed")) == [.refused(.alreadyUsed), .code(.wipe), Self.typing])
        #expect(machine.view.hint == Prompt(.codeAlreadyUsed))
    }

    @Test func aCodeThatTheCameraReadsAfterAllIsAsGood() {
        var machine = Self.typingCode()
        let actions = machine.symbolSeen(Samples.login())
        #expect(actions.contains(.openSession(.one)) && actions.contains(.code(.wipe)))
        // Anything else in view does not disturb.
        machine = Self.typingCode()
        let other = CodeReading(digest: Samples.digest("x"), verdict: .refused(.divided))
        #expect(machine.symbolSeen(other).last == .refused(.divided))
        #expect(machine.view.stage == .codeEntry)
    }

    @Test func leavingWipes() {
        var machine = Self.typingCode()
        #expect(machine.backPressed().prefix(2) == [.code(.wipe), .stopTimer(.tap)])
        #expect(machine.view.stage == .scan)
        machine = Self.typingCode()
        #expect(machine.timerFired(.typing, session: .none).first == .code(.wipe))
        #expect(machine.view.stage == .scan)
        #expect(machine.timerFired(.typing, session: .none) == [])
    }

    @Test func lettersAreTappedOnRequest() {
        var machine = Self.typingCode()
        #expect(!machine.tapsCodeLetters)
        #expect(machine.menuPressed() == [.code(.acceptTap), Self.typing])
        #expect(machine.tapsCodeLetters)
        #expect(machine.codeEdited() == [Self.typing, .startTimer(.tap, KioskTiming.tap, .none)])
        #expect(machine.timerFired(.tap, session: .none) == [.code(.acceptTap)])
        #expect(machine.view.lines.contains(Prompt(.tapHelp)))
        _ = machine.menuPressed()
        #expect(!machine.tapsCodeLetters)
    }

    @Test func aWrongCheckDigitEndsBeforeThePIN() {
        var machine = Self.typingCode()
        _ = machine.enterPressed()
        _ = machine.codeTyped(Samples.login())
        _ = machine.serviceFound(Samples.service, session: .one)
        let actions = machine.stepFailed(Samples.failure(.sessionExpired), session: .one)
        #expect(actions.contains(.closeSession(.one, .invalidCode)))
        #expect(!actions.contains(.abort(.one)), "the code is not that person's")
        #expect(machine.view.title == Prompt(.codeMistyped))
        #expect(machine.view.lines == [Prompt(.nextTypeAgain)])
    }
}
