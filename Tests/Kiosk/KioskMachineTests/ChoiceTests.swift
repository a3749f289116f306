// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import LoginValues
import Testing

@Suite("Choosing one of several identities without a directory")
struct ChoiceTests {
    static func choosing(_ choice: KioskPolicy.IdentityChoice = .typed) -> Visit {
        .consented("alice bob alina", policy: KioskPolicy(identityChoice: choice))
    }

    @Test(arguments: [
        ("1", "a…@example.com"), ("2", "b…@example.com"), ("ALIC", "a…@example.com"), ("bo", "b…@example.com"),
    ])
    func numberOrFirstLetters(text: String, name: String) {
        // Just enough to recognise oneself.
        Self.choosing().play("type \(text); key enter; answer authenticationStarted; wait pin, line pinUser(\(name))")
    }

    /// One letter, several people, nobody: the answer is the same.
    @Test(arguments: ["b", "al", "ali", "zoe", "4", "99999999999999999999", "lice", "1a"])
    func everythingElseIsAnsweredAlike(text: String) {
        Self.choosing().play("type \(text); key enter; wait identityChoice, hint choiceUnknown, entry empty")
    }

    @Test func lettersAreTappedAfterMenu() {
        Self.choosing().play(
            """
            offers menu actionLetters; key menu 22666; entry text bo; time tap => nothing
            key enter -> perform startAuthentication bob
            """)
    }

    @Test func nobodyIsListedUnlessConfigured() {
        #expect(Self.choosing().view.lines.allSatisfy { $0.values.isEmpty })
        let listed = Self.choosing(.list).play(
            "line listEntry(1;alice@example.com), line listEntry(2;bob@example.com), line listEntry(3;alina@example.com)"
        )
        #expect(listed.view.lines.count == 4 && !listed.view.actions.contains { $0.key == .menu })
    }

    @Test func aLongListHasPages() {
        let people = (1...7).map { (number: Int) in
            KioskIdentity(userID: "p\(number)@example.com", backend: "b", number: number, progress: .registered)
        }
        let list = KioskMachine(trustsAnything: true, policy: KioskPolicy(identityChoice: .list))
        let visit = Visit(list).play("qr login; answer serviceFound")
            .answered(.backendOpened(BackendSession(identities: people))).play("key enter; offers menu actionMore")
        #expect(visit.view.lines.count == 7)
        visit.play(
            "key menu; line listEntry(7;p7@example.com); key 7 enter -> perform startAuthentication p7@example.com")
    }

    /// However a person was chosen, three quick attempts must not block a stranger.
    @Test(arguments: ["1", "bob"], [KioskPolicy.IdentityChoice.typed, .list])
    func anUnverifiedUserHasOneTryAScan(text: String, choice: KioskPolicy.IdentityChoice) {
        Self.choosing(choice).play(
            """
            type \(text); key enter; answer authenticationStarted
            key 2583 enter; fail wrongPIN sent -> abort, closeSession wrongPIN
            """)
    }
}
