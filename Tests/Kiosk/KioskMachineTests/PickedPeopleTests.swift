// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import LoginValues
import Testing

/// A stranger at the idle kiosk types PINs for others: by number, by letters, from the menu, with a page of their
/// own.
@Suite("People whom only a key named")
struct PickedPeopleTests {
    static let people = (1...9).map { (number: Int) in
        KioskIdentity(userID: "p\(number)@example.com", backend: "b", number: number, progress: .registered)
    }

    /// A kiosk at which strangers type wrong PINs, one session after another.
    struct Lobby {
        var machine = KioskMachine(
            trustsAnything: true, services: [Samples.domain],
            doors: [DoorChoice(name: "Front", domain: Samples.domain)],
            errands: [.oneTimePassword, .quickCode, .localLogin, .changePIN])
        var session = SessionNumber.none
        var events: [KioskAction] = []
        /// The people in the store.
        var people = PickedPeopleTests.people
        var seconds = 0

        /// Goes from the idle screen to the PIN screen, or to what is shown instead.
        ///
        /// - Parameters:
        ///   - errand: an errand of the menu; login scans a page's code.
        ///   - named: whether the page names the person.
        ///   - verified: whether an application that proved itself does.
        mutating func come(for errand: Errand, as number: Int, named: Bool = false, verified: Bool = true) {
            session = SessionNumber(session.value + 1)
            machine.timeIs(.seconds(seconds))
            if errand == .login {
                note(machine.symbolSeen(Samples.login("code \(session.value)")))
            } else {
                note(machine.keyPressed(.menu))
                note(machine.pressEntry(errand))
            }
            note(machine.stepEnded(.success(.serviceFound(Samples.service)), session: session))
            let details = BackendSession(
                namedUser: named ? people[number - 1].userID : "", isUserVerified: named && verified,
                identities: people)
            note(machine.stepEnded(.success(.backendOpened(details)), session: session))
            if errand == .login { note(machine.keyPressed(.enter)) }
            if machine.view.stage == .identityChoice {
                note(machine.keyPressed(.digit(UInt8(number))))
                note(machine.keyPressed(.enter))
            }
            note(machine.stepEnded(.success(.authenticationStarted), session: session))
        }

        /// Types a PIN that the server calls wrong.
        mutating func failPIN(of number: Int) {
            machine.typePIN()
            note(machine.keyPressed(.enter))
            if machine.view.stage == .newPIN {
                for _ in 0..<2 {
                    machine.typePIN()
                    note(machine.keyPressed(.enter))
                    note(machine.newPINJudged(.good))
                    note(machine.newPINsCompared(areEqual: true))
                }
            }
            note(machine.stepEnded(.failure(Samples.failure(.wrongPIN, passTwoWasSent: true)), session: session))
            people[number - 1].tries += 1
        }

        mutating func leave() {
            note(machine.keyPressed(.back))
            if machine.view.stage == .outcome { note(machine.keyPressed(.enter)) }
        }

        private mutating func note(_ actions: [KioskAction]) { events += actions }

        var asksPIN: Bool { machine.view.stage == .pin }
        var provedPINs: Int {
            events.count { action in
                if case .perform(.finishAuthentication, _) = action { true } else { false }
            }
        }
    }

    static let errands: [Errand] = [.login, .oneTimePassword, .quickCode, .localLogin, .changePIN]

    /// Numbers 1, 2, 3 ..., four digits each, again and again. Without the delay this blocked six people within a
    /// minute.
    @Test(arguments: errands) func nobodyIsEmptied(_ errand: Errand) {
        var lobby = Lobby()
        for number in 1...9 {
            for _ in 0..<3 {
                lobby.come(for: errand, as: number)
                if lobby.asksPIN { lobby.failPIN(of: number) }
                lobby.leave()
            }
        }
        #expect(lobby.provedPINs == PickedBrakeLimit.value)
        #expect(lobby.events.count { if case .pickedHeldUp = $0 { true } else { false } } == 27 - 3)
        #expect(lobby.events.count { if case .pickedWrongPIN = $0 { true } else { false } } == 3)
    }

    private enum PickedBrakeLimit { static let value = 3 }

    @Test(arguments: errands) func theWaitIsTold(_ errand: Errand) {
        var lobby = Lobby()
        for number in 1...3 {
            lobby.come(for: errand, as: number)
            lobby.failPIN(of: number)
            lobby.leave()
        }
        lobby.come(for: errand, as: 4)
        #expect(lobby.machine.view.stage == .outcome && lobby.machine.view.tone == .failure)
        #expect(lobby.machine.view.title == Prompt(.pickedWait, [.minutes: "1"]))
        #expect(lobby.machine.view.lines == [Prompt(.nextNamed)])
        #expect(lobby.events.contains(.closeSession(lobby.session, .mustWait)))
        lobby.leave()
        lobby.seconds = 61
        lobby.come(for: errand, as: 4)
        #expect(lobby.asksPIN)
        lobby.failPIN(of: 4)
        // The next person waits twice as long.
        lobby.leave()
        lobby.come(for: errand, as: 5)
        #expect(lobby.machine.view.title == Prompt(.pickedWait, [.minutes: "2"]))
    }

    /// A person whom the login page names does not wait, whatever strangers do.
    @Test func whoIsNamedIsNotHeldUp() {
        var lobby = Lobby()
        for number in [1, 1, 2, 3] {
            lobby.come(for: .login, as: number)
            if lobby.asksPIN { lobby.failPIN(of: number) }
            lobby.leave()
        }
        #expect(lobby.people[0].tries == 2)
        for number in [1, 4] {
            lobby.come(for: .login, as: number, named: true)
            #expect(lobby.asksPIN)
            lobby.leave()
        }
    }

    /// A new identity has its own count at the server, and its mail was its owner's.
    @Test func whoRegisteredIsNotHeldUp() {
        var machine = NewcomerTests.askingPIN()
        for _ in 1...2 {
            machine.typePIN()
            _ = machine.keyPressed(.enter)
            let actions = machine.stepEnded(
                .failure(Samples.failure(.wrongPIN, passTwoWasSent: true)), session: .one)
            #expect(!actions.contains(.pickedWrongPIN(.one)))
            _ = machine.timerFired(.wrongPIN, session: .one)
            #expect(machine.view.stage == .pin)
        }
    }

    /// Anybody opens pages that name others. They hear what a picked person hears, and no more.
    @Test func aStrangersPageLiftsNothing() {
        var lobby = Lobby()
        for number in [1, 1, 2] {
            lobby.come(for: .login, as: number, named: true, verified: false)
            #expect(lobby.asksPIN)
            let shown = lobby.machine.view.lines.flatMap { $0.values.values }
            #expect(shown.contains("p…@example.com") && !shown.contains(lobby.people[number - 1].userID))
            lobby.failPIN(of: number)
            lobby.leave()
        }
        for number in [1, 4] {
            lobby.come(for: .login, as: number, named: true, verified: false)
            #expect(!lobby.asksPIN)
            lobby.leave()
        }
        #expect(lobby.events.count { if case .pickedHeldUp = $0 { true } else { false } } == 2)
    }

    /// The page tells nobody who is enrolled here: the consent shows as much of either address.
    @Test func aStrangersPageIsNoDirectory() {
        for people in [[Samples.alice], []] {
            let machine = KioskMachine.consenting(
                BackendSession(namedUser: "alice@example.com", identities: people))
            #expect(machine.view.lines.contains(Prompt(.consentUser, [.user: "a…@example.com"])))
        }
    }

    @Test func whoShowsACardIsNotHeldUp() {
        var lobby = Lobby()
        for number in 1...3 {
            lobby.come(for: .login, as: number)
            lobby.failPIN(of: number)
            lobby.leave()
        }
        let reading = CodeReading(
            digest: Samples.digest("card"), verdict: .refused(.notALogin(.noAccessCode)),
            personalCard: .success(Samples.holder))
        _ = lobby.machine.symbolSeen(reading)
        lobby.people = [Samples.alice]
        lobby.come(for: .login, as: 1)
        #expect(lobby.asksPIN)
    }

    /// Two attempts in total, not per session. The third needs a page that names the person.
    @Test(arguments: errands) func thereAreTwoTriesInAll(_ errand: Errand) {
        var lobby = Lobby()
        for _ in 0..<2 {
            lobby.come(for: errand, as: 1)
            #expect(lobby.asksPIN)
            lobby.failPIN(of: 1)
            #expect(lobby.machine.view.stage == .outcome)
            lobby.leave()
            lobby.seconds += 3600
        }
        lobby.come(for: errand, as: 1)
        #expect(lobby.machine.view.title == Prompt(.triesUsed))
        #expect(lobby.machine.view.lines.first == Prompt(.pinUser, [.user: "p…@example.com"]))
        #expect(lobby.machine.keyPressed(.enter) == [])
        let proofs = lobby.provedPINs
        lobby.leave()
        #expect(lobby.provedPINs == proofs && lobby.events.contains(.closeSession(lobby.session, .triesUsed)))
        // Another person has separate attempts.
        lobby.come(for: errand, as: 2)
        #expect(lobby.asksPIN)
    }

    /// The only identity of a kiosk counts as picked, because nothing named it.
    @Test(arguments: errands) func aLoneIdentityHasTwoTries(_ errand: Errand) {
        var lobby = Lobby()
        lobby.people = [Samples.alice]
        lobby.come(for: errand, as: 1)
        #expect(lobby.machine.view.hint == nil)
        lobby.failPIN(of: 1)
        #expect(lobby.machine.view.stage == .wrongPIN)
        _ = lobby.machine.timerFired(.wrongPIN, session: lobby.session)
        #expect(lobby.asksPIN && lobby.machine.view.hint == Prompt(.triesLast))
        lobby.people[0].tries = 0
        lobby.failPIN(of: 1)
        #expect(lobby.machine.view.title == Prompt(.wrongPIN))
        #expect(lobby.machine.view.lines == [Prompt(.triesUsedNext)])
        lobby.leave()
        lobby.people[0].tries = 2
        lobby.come(for: errand, as: 1)
        #expect(!lobby.asksPIN)
    }

    // Names.

    /// A menu, a number or a page without a name must not act as a directory: names are short until the PIN was
    /// right.
    @Test(arguments: errands) func namesAreShortUntilThePINWasRight(_ errand: Errand) {
        var lobby = Lobby()
        lobby.people = [Samples.alice]
        lobby.come(for: errand, as: 1)
        let shown = lobby.machine.view.lines.flatMap { $0.values.values }
        #expect(shown.contains("a…@example.com") && !shown.contains("alice@example.com"))
    }

    @Test func consentOfALoneIdentityDoesNotNameIt() {
        let machine = KioskMachine.consenting(BackendSession(identities: [Samples.alice]))
        #expect(machine.view.lines.contains(Prompt(.consentUser, [.user: "a…@example.com"])))
        let named = KioskMachine.consenting(
            BackendSession(namedUser: "alice@example.com", isUserVerified: true, identities: [Samples.alice]))
        #expect(named.view.lines.contains(Prompt(.consentUser, [.user: "alice@example.com"])))
    }

    @Test func afterTheRightPINTheNameIsWhole() {
        var lobby = Lobby()
        lobby.people = [Samples.alice]
        lobby.come(for: .oneTimePassword, as: 1)
        lobby.machine.typePIN()
        _ = lobby.machine.keyPressed(.enter)
        _ = lobby.machine.stepEnded(.success(.codeIssued(lifetime: .seconds(60))), session: lobby.session)
        #expect(lobby.machine.view.lines.contains(Prompt(.pinUser, [.user: "alice@example.com"])))
    }

    @Test func aRegistrationThatSomebodyElseBeganIsNotADirectory() {
        let started = Samples.identity(.startedRegistration)
        let machine = KioskMachine.consented(BackendSession(identities: [started]))
        #expect(machine.view.lines == [Prompt(.confirmationHelp, [.user: "a…@example.com"])])
    }
}
