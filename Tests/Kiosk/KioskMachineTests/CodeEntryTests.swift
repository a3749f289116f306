// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import LoginValues
import Testing

@Suite("Typing an access code")
struct CodeEntryTests {
    static let typing = KioskAction.startTimer(.typing, KioskTiming.typing, .none)
    static let empty = ViewEntry.code(SecretBytes(copying: []))

    static func scanning(_ services: String...) -> KioskMachine {
        KioskMachine(trustsAnything: true, services: services)
    }

    static func typingCode() -> KioskMachine {
        var machine = scanning("login.example.com")
        _ = machine.keyPressed(.digit(0))
        return machine
    }

    @Test func oneServiceNeedsNoChoice() {
        var machine = Self.scanning("login.example.com")
        #expect(machine.view.actions.first == ViewAction(.digit(0), .actionTypeCode))
        #expect(machine.keyPressed(.digit(0)) == [.stopTimer(.notice), Self.typing])
        #expect(machine.view.stage == .codeEntry)
        #expect(machine.view.lines.first == Prompt(.consentDomain, [.domain: "login.example.com"]))
        #expect(machine.view.entry == Self.empty)
        #expect(machine.typesCode && !machine.isIdle)
        #expect(machine.keyPressed(.codeKey) == [Self.typing])
        #expect(machine.keyPressed(.enter) == [.code(.submit(service: 0))])
        #expect(
            machine.codeTyped(Samples.login("typed")) == [
                .stopTimer(.notice), .openSession(.one, Samples.handle),
                .startTimer(.session, KioskTiming.session, .one),
                .perform(.readService, .one), .code(.wipe), .stopTimer(.typing), .stopTimer(.tap),
            ])
        #expect(machine.view.stage == .connecting)
    }

    @Test func withoutAServiceThereIsNoSuchKey() {
        var machine = Self.scanning()
        #expect(!machine.view.actions.contains { $0.key == .digit(0) })
        #expect(machine.keyPressed(.digit(0)) == [])
        #expect(machine.view.stage == .scan)
    }

    @Test func severalServicesAreChosenByNumber() {
        var machine = Self.scanning("a.example", "b.example")
        _ = machine.keyPressed(.digit(0))
        #expect(machine.view.stage == .serviceChoice)
        #expect(
            machine.view.lines == [
                Prompt(.serviceChoiceHelp), Prompt(.listEntry, [.number: "1", .user: "a.example"]),
                Prompt(.listEntry, [.number: "2", .user: "b.example"]),
            ])
        #expect(machine.keyPressed(.enter) == [])
        #expect(machine.keyPressed(.digit(3)) == [Self.typing])
        #expect(machine.keyPressed(.enter) == [Self.typing])
        #expect(machine.view.hint == Prompt(.serviceUnknown))
        _ = machine.keyPressed(.digit(1))
        #expect(machine.keyPressed(.back) == [Self.typing])
        _ = machine.keyPressed(.digit(2))
        #expect(machine.keyPressed(.enter) == [Self.typing])
        #expect(machine.view.lines.first == Prompt(.consentDomain, [.domain: "b.example"]))
        #expect(machine.keyPressed(.enter) == [.code(.submit(service: 1))])
    }

    @Test func manyServicesHavePages() {
        var machine = KioskMachine(trustsAnything: true, services: (1...8).map { "s\($0).example" })
        _ = machine.keyPressed(.digit(0))
        #expect(machine.view.lines.count == 7)
        #expect(machine.view.actions.last == ViewAction(.menu, .actionMore))
        _ = machine.keyPressed(.menu)
        #expect(machine.view.lines.last == Prompt(.listEntry, [.number: "8", .user: "s8.example"]))
        _ = machine.keyPressed(.menu)
        #expect(machine.view.lines.count == 7)
    }

    @Test(arguments: [nil, CodeReading(digest: Samples.digest("x"), verdict: .refused(.untrusted(.notListed)))])
    func whatIsNoCodeIsTypedAgain(reading: CodeReading?) {
        var machine = Self.typingCode()
        _ = machine.keyPressed(.enter)
        #expect(machine.codeTyped(reading) == [Self.typing])
        #expect(machine.view.hint == Prompt(.codeMistyped))
        _ = machine.keyPressed(.codeKey)
        #expect(machine.view.hint == nil)
    }

    @Test func aUsedCodeIsToldAndForgotten() {
        var machine = KioskMachine(trustsAnything: true, services: ["login.example.com"])
        _ = machine.keyPressed(.digit(0))
        _ = machine.codeTyped(Samples.login("typed"))
        _ = machine.stepEnded(.success(.serviceFound(Samples.service)), session: .one)
        _ = machine.stepEnded(.success(.backendOpened(BackendSession(identities: [Samples.alice]))), session: .one)
        _ = machine.keyPressed(.enter)
        _ = machine.stepEnded(.success(.authenticationStarted), session: .one)
        machine.typePIN()
        _ = machine.keyPressed(.enter)
        _ = machine.stepEnded(.success(.authenticated()), session: .one)
        _ = machine.keyPressed(.enter)
        _ = machine.keyPressed(.digit(0))
        #expect(machine.codeTyped(Samples.login("typed")) == [.refused(.alreadyUsed), .code(.wipe), Self.typing])
        #expect(machine.view.hint == Prompt(.codeAlreadyUsed))
    }

    @Test func aCodeThatTheCameraReadsAfterAllIsAsGood() {
        var machine = Self.typingCode()
        let actions = machine.symbolSeen(Samples.login())
        #expect(actions.contains(.openSession(.one, Samples.handle)) && actions.contains(.code(.wipe)))
        // Any other code in view is ignored.
        machine = Self.typingCode()
        let other = CodeReading(digest: Samples.digest("x"), verdict: .refused(.divided))
        #expect(machine.symbolSeen(other).last == .refused(.divided))
        #expect(machine.view.stage == .codeEntry)
    }

    @Test func leavingWipes() {
        var machine = Self.typingCode()
        #expect(machine.keyPressed(.back).prefix(2) == [.code(.wipe), .stopTimer(.tap)])
        #expect(machine.view.stage == .scan)
        machine = Self.typingCode()
        #expect(machine.timerFired(.typing, session: .none).first == .code(.wipe))
        #expect(machine.view.stage == .scan)
        #expect(machine.timerFired(.typing, session: .none) == [])
    }

    @Test func lettersAreTappedOnRequest() {
        var machine = Self.typingCode()
        #expect(!machine.tapsCodeLetters)
        #expect(machine.keyPressed(.menu) == [.code(.acceptTap), Self.typing])
        #expect(machine.tapsCodeLetters)
        #expect(machine.keyPressed(.codeKey) == [Self.typing, .startTimer(.tap, KioskTiming.tap, .none)])
        #expect(machine.timerFired(.tap, session: .none) == [.code(.acceptTap)])
        #expect(machine.view.lines.contains(Prompt(.tapHelp)))
        _ = machine.keyPressed(.menu)
        #expect(!machine.tapsCodeLetters)
    }

    @Test func aWrongCheckDigitEndsBeforeThePIN() {
        var machine = Self.typingCode()
        _ = machine.keyPressed(.enter)
        _ = machine.codeTyped(Samples.login())
        _ = machine.stepEnded(.success(.serviceFound(Samples.service)), session: .one)
        let actions = machine.stepEnded(.failure(Samples.failure(.sessionExpired)), session: .one)
        #expect(actions.contains(.closeSession(.one, .invalidCode)))
        #expect(!actions.contains(.abort(.one)), "the code is not that person's")
        #expect(machine.view.title == Prompt(.codeMistyped))
        #expect(machine.view.lines == [Prompt(.nextTypeAgain)])
    }
}
