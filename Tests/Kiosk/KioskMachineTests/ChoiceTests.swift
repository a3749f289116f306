// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import LoginValues
import Testing

@Suite("Choosing one of several identities without a directory")
struct ChoiceTests {
    static let people = ["alice@example.com", "alina@example.com", "bob@example.com"].enumerated().map {
        KioskIdentity(userID: $0.element, backend: "b", number: $0.offset + 1, progress: .registered)
    }

    static func choosing(_ policy: KioskPolicy = KioskPolicy(), people: [KioskIdentity] = people) -> KioskMachine {
        var machine = KioskMachine(trustsAnything: true, policy: policy)
        _ = machine.symbolSeen(Samples.login())
        _ = machine.stepEnded(.success(.serviceFound(Samples.service)), session: .one)
        _ = machine.stepEnded(.success(.backendOpened(BackendSession(identities: people))), session: .one)
        _ = machine.keyPressed(.enter)
        return machine
    }

    static func typed(_ text: String, in machine: KioskMachine = choosing()) -> KioskMachine {
        var machine = machine
        for character in text {
            if let digit = character.wholeNumberValue {
                _ = machine.keyPressed(.digit(UInt8(digit)))
            } else {
                _ = machine.keyPressed(.character(character))
            }
        }
        _ = machine.keyPressed(.enter)
        return machine
    }

    @Test(arguments: [
        ("1", "a…@example.com"), ("3", "b…@example.com"), ("ALIC", "a…@example.com"), ("bo", "b…@example.com"),
    ])
    func numberOrFirstLetters(text: String, name: String) {
        var machine = Self.typed(text)
        _ = machine.stepEnded(.success(.authenticationStarted), session: .one)
        #expect(machine.view.stage == .pin)
        // Just enough to recognise oneself.
        #expect(machine.view.lines.first == Prompt(.pinUser, [.user: name]))
    }

    /// One letter, several people, nobody: the answer is the same.
    @Test(arguments: ["b", "al", "ali", "zoe", "4", "99999999999999999999", "lice", "1a"])
    func everythingElseIsAnsweredAlike(text: String) {
        let machine = Self.typed(text)
        #expect(machine.view.stage == .identityChoice)
        #expect(machine.view.hint == Prompt(.choiceUnknown))
        #expect(machine.view.entry == .text(""))
    }

    @Test func lettersAreTappedAfterMenu() {
        var machine = Self.choosing()
        #expect(machine.view.actions.last == ViewAction(.menu, .actionLetters))
        _ = machine.keyPressed(.menu)
        for digit in [2, 2, 6, 6, 6] as [UInt8] { _ = machine.keyPressed(.digit(digit)) }
        #expect(machine.view.entry == .text("bo"))
        #expect(machine.timerFired(.tap, session: .one) == [])
        #expect(machine.keyPressed(.enter).contains(.perform(.startAuthentication(Self.people[2]), .one)))
    }

    @Test func nobodyIsListedUnlessConfigured() {
        let hidden = Self.choosing().view.lines.flatMap { $0.values.values }
        #expect(hidden == [])
        let listed = Self.choosing(KioskPolicy(identityChoice: .list)).view
        #expect(
            listed.lines.dropFirst() == [
                Prompt(.listEntry, [.number: "1", .user: "alice@example.com"]),
                Prompt(.listEntry, [.number: "2", .user: "alina@example.com"]),
                Prompt(.listEntry, [.number: "3", .user: "bob@example.com"]),
            ])
        #expect(!listed.actions.contains { $0.key == .menu })
    }

    @Test func aLongListHasPages() {
        let people = (1...7).map { (number: Int) in
            KioskIdentity(userID: "p\(number)@example.com", backend: "b", number: number, progress: .registered)
        }
        var machine = Self.choosing(KioskPolicy(identityChoice: .list), people: people)
        #expect(machine.view.lines.count == 7)
        #expect(machine.view.actions.last == ViewAction(.menu, .actionMore))
        _ = machine.keyPressed(.menu)
        #expect(machine.view.lines.last == Prompt(.listEntry, [.number: "7", .user: "p7@example.com"]))
        _ = machine.keyPressed(.digit(7))
        #expect(machine.keyPressed(.enter).contains(.perform(.startAuthentication(people[6]), .one)))
    }

    /// However a person was picked, three quick attempts must not block a stranger.
    @Test(arguments: ["1", "bob"], [KioskPolicy.IdentityChoice.typed, .list])
    func whoWasPickedHasOneTryAScan(text: String, choice: KioskPolicy.IdentityChoice) {
        var machine = Self.typed(text, in: Self.choosing(KioskPolicy(identityChoice: choice)))
        _ = machine.stepEnded(.success(.authenticationStarted), session: .one)
        machine.typePIN()
        _ = machine.keyPressed(.enter)
        let actions = machine.stepEnded(.failure(Samples.failure(.wrongPIN, passTwoWasSent: true)), session: .one)
        #expect(actions.contains(.closeSession(.one, .wrongPIN)))
    }
}
