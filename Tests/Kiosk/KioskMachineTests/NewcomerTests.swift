// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import LoginValues
import Testing

/// A newcomer at a backend that registers people only with a mailed code.
@Suite("A newcomer's address is verified on the way to a login")
struct NewcomerTests {
    static let dave = ActivationTests.dave
    static let finishing = KioskAction.perform(.finishVerification(userID: "dave@example.com"), .one)

    static func typing(_ details: BackendSession = BackendSession(verifiesAddresses: true)) -> KioskMachine {
        var machine = KioskMachine.consented(details)
        if details.namedUser.isEmpty { for key in "dave@example.com" { _ = machine.keyPressed(.character(key)) } }
        return machine
    }

    static func typingCode() -> KioskMachine {
        var machine = typing()
        _ = machine.keyPressed(.enter)
        _ = machine.stepEnded(.success(.verificationStarted(.codeOrLink)), session: .one)
        return machine
    }

    static func askingPIN() -> KioskMachine {
        var machine = typingCode()
        _ = machine.keyPressed(.codeKey)
        _ = machine.keyPressed(.enter)
        _ = machine.stepEnded(.success(.verified), session: .one)
        _ = machine.stepEnded(.success(.registrationStarted(dave)), session: .one)
        _ = machine.stepEnded(.success(.registrationConfirmed), session: .one)
        for _ in 0..<2 {
            machine.typePIN()
            _ = machine.keyPressed(.enter)
            _ = machine.newPINJudged(.good)
            _ = machine.newPINsCompared(areEqual: true)
        }
        _ = machine.stepEnded(.success(.registrationFinished(ActivationTests.registeredDave)), session: .one)
        _ = machine.stepEnded(.success(.authenticationStarted), session: .one)
        return machine
    }

    @Test func theAddressIsAskedForWithItsMail() {
        var machine = Self.typing()
        #expect(machine.view.lines.first == Prompt(.identityEntryHelpMail))
        let start = KioskAction.perform(.startVerification(userID: "dave@example.com"), .one)
        #expect(machine.keyPressed(.enter).last == start)
        _ = machine.stepEnded(.success(.verificationStarted(.codeOrLink)), session: .one)
        #expect(machine.view.stage == .activationEntry && machine.view.title == Prompt(.confirmationTitle))
        #expect(machine.view.lines.last == Prompt(.verificationHelp, [.user: "dave@example.com"]))
        // A person whom the page names types nothing.
        var named = Self.typing(BackendSession(namedUser: "eve@example.com", verifiesAddresses: true))
        #expect(named.keyPressed(.enter).last == .perform(.startVerification(userID: "eve@example.com"), .one))
    }

    /// The link of the mail continues the login. Another person's link and the login page's code do not.
    @Test func theLinkOfTheMailIsHeldUp() {
        var machine = Self.typingCode()
        #expect(machine.symbolSeen(Samples.login("another page")).count == 1)
        _ = machine.symbolSeen(ActivationTests.link("eve@example.com"))
        #expect(machine.view.hint == Prompt(.linkOfSomebodyElse))
        machine = Self.typingCode()
        #expect(machine.symbolSeen(ActivationTests.link("dave@example.com")).last == Self.finishing)
    }

    @Test func thePersonIsLoggedIn() {
        var machine = Self.askingPIN()
        #expect(machine.view.stage == .pin && machine.view.hint == Prompt(.registered, [.number: "3"]))
        machine.typePIN()
        let login = KioskAction.perform(.finishAuthentication(ActivationTests.registeredDave), .one)
        #expect(machine.keyPressed(.enter).contains(login))
        let actions = machine.stepEnded(.success(.authenticated()), session: .one)
        #expect(actions.contains(.closeSession(.one, .loggedIn)))
    }

    /// The mail took longer than the page waits. The person is registered, and told to scan again.
    @Test func aPageThatDidNotWaitIsTold() {
        var machine = Self.askingPIN()
        machine.typePIN()
        _ = machine.keyPressed(.enter)
        let actions = machine.stepEnded(
            .failure(Samples.failure(.sessionExpired, passTwoWasSent: true)), session: .one)
        #expect(machine.view.title == Prompt(.sessionExpired))
        #expect(!actions.contains(.deleteIdentity(ActivationTests.registeredDave)))
    }

    @Test func aRefusedCodeIsTypedAnew() {
        var machine = Self.typingCode()
        _ = machine.keyPressed(.codeKey)
        #expect(machine.keyPressed(.enter).last == Self.finishing)
        let actions = machine.stepEnded(.failure(Samples.failure(.notVerified)), session: .one)
        #expect(actions.contains(.code(.wipe)) && machine.view.hint == Prompt(.activationRefused))
        #expect(machine.view.stage == .activationEntry && machine.typesCode)
    }

    @Test func aMailThatIsNotSentIsTold() {
        var machine = Self.typing()
        _ = machine.keyPressed(.enter)
        _ = machine.stepEnded(.failure(Samples.failure(.notVerified)), session: .one)
        #expect(machine.view.stage == .identityEntry && machine.view.hint == Prompt(.verificationRefused))
    }

    /// The page is told that its code was given up, and shows it again.
    @Test func whoLeavesAtTheCodeMayScanAgain() {
        var machine = Self.typingCode()
        let actions = machine.keyPressed(.back)
        #expect(actions.contains(.closeSession(.one, .declined)) && actions.contains(.abort(.one)))
        #expect(machine.view.lines == [Prompt(.nextScanAgain)])
    }

    /// The code of another device needs no mail here either.
    @Test func theCodeOfAnotherDeviceIsTypedAtOnce() {
        var machine = ActivationTests.idle()
        _ = machine.keyPressed(.menu)
        _ = machine.keyPressed(.digit(1))
        _ = machine.stepEnded(.success(.serviceFound(Samples.service)), session: .one)
        _ = machine.stepEnded(.success(.backendOpened(BackendSession(verifiesAddresses: true))), session: .one)
        #expect(machine.view.lines.first == Prompt(.identityEntryHelpCode))
        for key in "dave@example.com" { _ = machine.keyPressed(.character(key)) }
        _ = machine.keyPressed(.enter)
        #expect(machine.view.title == Prompt(.activationTitle))
        _ = machine.keyPressed(.codeKey)
        let register = KioskAction.perform(.startRegistrationWithCode(userID: "dave@example.com"), .one)
        #expect(machine.keyPressed(.enter).last == register)
    }
}
