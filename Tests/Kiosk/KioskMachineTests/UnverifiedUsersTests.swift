// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import LoginValues
import Testing

/// A stranger at the idle kiosk types PINs for others: by number, by letters, from the menu, with a page of their
/// own.
@Suite("People whom only a key named")
struct UnverifiedUsersTests {
    static let people = (1...9).map { (number: Int) in
        KioskIdentity(userID: "p\(number)@example.com", backend: "b", number: number, progress: .registered)
    }

    /// A kiosk at which strangers type wrong PINs, one session after another.
    struct Lobby {
        var visit = Visit(
            KioskMachine(
                trustsAnything: true, services: [Samples.domain],
                doors: [DoorChoice(name: "Front", domain: Samples.domain)],
                tasks: [.oneTimePassword, .registrationCode, .localLogin, .changePIN]))
        var events: [KioskAction] = []
        /// The people in the store.
        var people = UnverifiedUsersTests.people
        var seconds = 0

        /// Goes from the idle screen to the PIN screen, or to what is shown instead.
        ///
        /// - Parameters:
        ///   - task: a task of the menu; login scans a page's code.
        ///   - named: whether the page names the person.
        ///   - verified: whether an application that proved itself does.
        mutating func come(for task: KioskTask, as number: Int, named: Bool = false, verified: Bool = true) {
            let time = Duration.seconds(seconds)
            visit = visit.after { machine in
                machine.timeIs(time)
                return []
            }
            if task == .login {
                play("qr login \(visit.session.value + 1)")
            } else {
                play("key menu")
                note(visit.after { $0.pressEntry(task) })
            }
            play("answer serviceFound")
            let user = named ? people[number - 1].userID : ""
            note(
                visit.answered(
                    .backendOpened(
                        BackendSession(namedUser: user, isUserVerified: named && verified, identities: people))))
            if task == .login { play("key enter") }
            if visit.view.stage == .identityChoice { play("key \(number) enter") }
            play("answer authenticationStarted")
        }

        /// Types a PIN that the server calls wrong.
        mutating func failPIN(of number: Int) {
            play("key 2583 enter")
            if visit.view.stage == .newPIN { play("key 7193 enter 7193 enter") }
            play("fail wrongPIN sent")
            people[number - 1].tries += 1
        }

        mutating func leave() {
            play("key back")
            if visit.view.stage == .outcome { play("key enter") }
        }

        mutating func play(_ script: String, at place: SourceLocation = #_sourceLocation) {
            for statement in script.split(separator: "; ") { note(visit.play(String(statement), at: place)) }
        }

        private mutating func note(_ next: Visit) {
            visit = next
            events += next.actions
        }

        var asksPIN: Bool { visit.view.stage == .pin }
        /// The values that the screen shows.
        var shown: [String] { visit.view.lines.flatMap { $0.values.values } }
        var provedPINs: Int {
            events.count { action in
                if case .perform(.finishAuthentication, _) = action { true } else { false }
            }
        }
        var heldUp: Int { events.count { if case .unverifiedHeldUp = $0 { true } else { false } } }
        var wrong: Int { events.count { if case .unverifiedWrongPIN = $0 { true } else { false } } }
    }

    /// A kiosk at which three people's PINs were wrong.
    private static func tired(_ task: KioskTask = .login) -> Lobby {
        var lobby = Lobby()
        for number in 1...3 {
            lobby.come(for: task, as: number)
            lobby.failPIN(of: number)
            lobby.leave()
        }
        return lobby
    }

    static let tasks: [KioskTask] = [.login, .oneTimePassword, .registrationCode, .localLogin, .changePIN]

    /// Numbers 1, 2, 3 ..., four digits each, again and again. Without the delay this blocked six people within a
    /// minute.
    @Test(arguments: tasks) func nobodyIsEmptied(_ task: KioskTask) {
        var lobby = Lobby()
        for number in 1...9 {
            for _ in 0..<3 {
                lobby.come(for: task, as: number)
                if lobby.asksPIN { lobby.failPIN(of: number) }
                lobby.leave()
            }
        }
        #expect(lobby.provedPINs == 3 && lobby.heldUp == 27 - 3 && lobby.wrong == 3)
    }

    @Test(arguments: tasks) func theWaitIsTold(_ task: KioskTask) {
        var lobby = Self.tired(task)
        lobby.come(for: task, as: 4)
        lobby.visit.play("wait outcome, tone failure, title unverifiedWait(1), lines nextNamed")
        #expect(lobby.events.contains(.closeSession(lobby.visit.session, .mustWait)))
        lobby.leave()
        lobby.seconds = 61
        lobby.come(for: task, as: 4)
        #expect(lobby.asksPIN)
        lobby.failPIN(of: 4)
        // The next person waits twice as long.
        lobby.leave()
        lobby.come(for: task, as: 5)
        lobby.visit.play("title unverifiedWait(2)")
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
        NewcomerTests.askingPIN.play(
            """
            key 2583 enter; fail wrongPIN sent -> no unverifiedWrongPIN; time wrongPIN; wait pin
            key 2583 enter; fail wrongPIN sent -> no unverifiedWrongPIN; time wrongPIN; wait pin
            """)
    }

    /// Anybody opens pages that name others. They hear what an unverified person hears, and no more.
    @Test func aStrangersPageLiftsNothing() {
        var lobby = Lobby()
        for number in [1, 1, 2] {
            lobby.come(for: .login, as: number, named: true, verified: false)
            #expect(lobby.asksPIN)
            #expect(lobby.shown.contains("p…@example.com") && !lobby.shown.contains(lobby.people[number - 1].userID))
            lobby.failPIN(of: number)
            lobby.leave()
        }
        for number in [1, 4] {
            lobby.come(for: .login, as: number, named: true, verified: false)
            #expect(!lobby.asksPIN)
            lobby.leave()
        }
        #expect(lobby.heldUp == 2)
    }

    /// The page tells nobody who is registered here: the consent shows as much of either address.
    @Test func aStrangersPageIsNoDirectory() {
        for people in ["alice", ""] {
            Visit.consent("\(people) named alice@example.com").play("line consentUser(a…@example.com)")
        }
        Visit.consent("alice").play("line consentUser(a…@example.com)")
        Visit.consent("alice named alice@example.com verified").play("line consentUser(alice@example.com)")
        // Nor is a registration that somebody else began.
        Visit.consented("startedRegistration").play("lines confirmationHelp(a…@example.com)")
    }

    @Test func whoShowsACardIsNotHeldUp() {
        var lobby = Self.tired()
        lobby.visit.codes["card"] = CodeReading(
            digest: Samples.digest("card"), decision: .refused(.notALogin(.noAccessCode)),
            personalCard: .success(Samples.holder))
        lobby.play("qr card")
        lobby.people = [Samples.alice]
        lobby.come(for: .login, as: 1)
        #expect(lobby.asksPIN)
    }

    /// Two attempts in total, not per session. The third needs a page that names the person.
    @Test(arguments: tasks) func thereAreTwoTriesInAll(_ task: KioskTask) {
        var lobby = Lobby()
        for _ in 0..<2 {
            lobby.come(for: task, as: 1)
            #expect(lobby.asksPIN)
            lobby.failPIN(of: 1)
            lobby.visit.play("wait outcome")
            lobby.leave()
            lobby.seconds += 3600
        }
        lobby.come(for: task, as: 1)
        lobby.visit.play("title triesUsed, line pinUser(p…@example.com); key enter => nothing")
        let proofs = lobby.provedPINs
        lobby.leave()
        #expect(lobby.provedPINs == proofs && lobby.events.contains(.closeSession(lobby.visit.session, .triesUsed)))
        // Another person has separate attempts.
        lobby.come(for: task, as: 2)
        #expect(lobby.asksPIN)
    }

    /// The only identity of a kiosk is unverified, because nothing named it.
    @Test(arguments: tasks) func aLoneIdentityHasTwoTries(_ task: KioskTask) {
        var lobby = Lobby()
        lobby.people = [Samples.alice]
        lobby.come(for: task, as: 1)
        lobby.visit.play("hint none")
        lobby.failPIN(of: 1)
        lobby.visit.play("wait wrongPIN")
        lobby.play("time wrongPIN")
        lobby.visit.play("wait pin, hint triesLast")
        lobby.people[0].tries = 0
        lobby.failPIN(of: 1)
        lobby.visit.play("title wrongPIN, lines triesUsedNext")
        lobby.leave()
        lobby.people[0].tries = 2
        lobby.come(for: task, as: 1)
        #expect(!lobby.asksPIN)
    }

    /// A menu, a number or a page without a name must not act as a directory: names are short until the PIN was
    /// right.
    @Test(arguments: tasks) func namesAreShortUntilThePINWasRight(_ task: KioskTask) {
        var lobby = Lobby()
        lobby.people = [Samples.alice]
        lobby.come(for: task, as: 1)
        #expect(lobby.shown.contains("a…@example.com") && !lobby.shown.contains("alice@example.com"))
    }

    @Test func afterTheRightPINTheNameIsWhole() {
        IssuedCodeTests.proving().play("answer codeIssued 60; line pinUser(alice@example.com)")
    }
}
