// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import LoginValues
import Testing

@Suite("Registration within a login: address, mail, confirmation, new PIN twice")
struct RegistrationTests {
    static func typing(_ text: String, known: String = "", machine: KioskMachine? = nil) -> Visit {
        let visit = Visit(machine ?? KioskMachine(trustsAnything: true))
            .play("qr login; connect \(known) named x; key enter clear")
        return text.isEmpty
            ? visit
            : visit.after { machine in
                text.flatMap { machine.keyPressed(.character($0)) }
            }
    }

    @Test func trimsAnAddressAndLowersItsCase() {
        Self.typing(" Alice@Example.COM ").play(
            """
            key enter => startTimer wait, stopTimer view, pauseCamera, startTimer session 60s, \
            perform startRegistration alice@example.com
            """)
    }

    @Test(arguments: ["", "alice", "alice@", "a b@example.com", "alice@example"])
    func refusesWhatIsNoAddress(text: String) {
        Self.typing(text).play("key enter; hint emailInvalid, entry \(text.isEmpty ? "empty" : "text \(text)")")
    }

    @Test func refusesAKnownAddress() {
        Self.typing("ALICE@example.com", known: "alice").play("key enter; hint identityExists")
    }

    @Test func editsAnAddress() {
        let visit = Self.typing("ab").play(
            "key 3; entry text ab3; key back => startTimer session 60s")
        visit.after { $0.keyPressed(.character("ü")) + $0.keyPressed(.character("\n")) }
            .play("entry text ab; key clear; entry empty; key back -> closeSession declined")
    }

    @Test func awaitsTheMail() {
        Self.typing("alice@example.com").play(
            """
            key enter; answer registrationStarted startedRegistration => startTimer session 300s
            wait emailConfirmation, hint identityCreated(alice@example.com)
            or
            # It was confirmed before.
            key enter; answer registrationStarted activated -> perform confirmRegistration activated
            """)
    }

    @Test(arguments: [
        ("notAuthorized", "notAuthorized"), ("unreachable", "unreachable"), ("failed", "registrationFailed(STATUS)"),
        ("storageFailed", "storageFailed"),
    ])
    func asksAgainAfterARefusedRegistration(reason: String, hint: String) {
        Self.typing("alice@example.com").play(
            "key enter; fail \(reason); wait identityEntry, hint \(hint), entry empty")
    }

    @Test(arguments: [
        ("notVerified", "notVerifiedYet"), ("registrationExpired", "registrationExpired"),
        ("unreachable", "unreachable"),
    ])
    func aFailedConfirmationStays(reason: String, hint: String) {
        Visit.consented("startedRegistration").play(
            """
            key enter -> perform confirmRegistration startedRegistration
            fail \(reason); wait emailConfirmation, hint \(hint)
            """)
    }

    @Test func sendsTheMailAgain() {
        Visit.consented("startedRegistration").play(
            """
            key 1 -> perform restartRegistration startedRegistration
            answer registrationStarted startedRegistration; hint mailSentAgain
            """)
    }

    @Test func deletesOnlyThisRegistrationAndAsksBefore() {
        Visit.consented("startedRegistration bob named alice@example.com").play(
            """
            key 2; hint deleteReally
            key 2 => deleteIdentity startedRegistration, startTimer session, resumeCamera, startTimer view
            type alice@example.com; key enter -> perform startRegistration alice@example.com
            """)
    }

    @Test func aNewPINIsTypedTwiceAndStored() {
        Visit.consented("startedRegistration").play(
            """
            key enter; answer registrationConfirmed => startTimer session 300s, startTimer entry 30s
            wait newPIN; key 25831; entry 5 of 6
            key enter -> stopTimer entry, entry checkNew
            wait newPINAgain; key 25831
            key enter -> stopTimer entry, entry compareNew, perform finishRegistration startedRegistration
            answer registrationFinished alice -> perform startAuthentication alice
            answer authenticationStarted; wait pin, hint registered(1)
            """)
    }

    @Test func startsOverAfterUnequalPINsAndBadOnes() {
        Visit.newPINAgain.play("key 2581 enter -> entry compareNew, entry wipe; wait newPIN, hint newPINMismatch")
        Visit.newPIN().play(
            """
            key 0000 enter -> entry checkNew, entry wipe; hint newPINAllZeros
            or
            # A weak PIN may be kept. BACK chooses another one.
            key 1234 enter -> entry checkNew, no entry wipe; wait newPINAgain, hint newPINWeak
            key 1234 enter -> entry compareNew
            or
            key 1234 enter; key back -> entry wipe; wait newPIN
            """)
        Visit.newPIN(policy: KioskPolicy(weakPINs: .refuse)).play(
            """
            key 1234 enter -> entry checkNew, entry wipe; wait newPIN, hint newPINTooWeak
            key 2583 enter; hint none
            """)
    }

    @Test func editsTheSecondPIN() {
        Visit.newPINAgain.play(
            """
            key 2; key back => entry removeLast, startTimer entry; key back -> entry wipe; wait newPIN
            or
            key 2; key clear => entry clear, startTimer entry; wait newPINAgain
            """)
    }

    @Test func whoLeavesAtTheNewPINNeedsANewMail() {
        Visit.newPIN().play(
            """
            key 2 back; key back -> entry wipe, forgetShares startedRegistration, abort; title newMailNeeded
            # The next visit restarts the registration and says why.
            key enter; qr login 2; connect startedRegistration
            key enter -> perform restartRegistration startedRegistration
            answer registrationStarted startedRegistration; hint newMailWasNeeded
            # After that the registration continues as usual.
            key enter -> perform confirmRegistration startedRegistration
            or
            time entry -> entry wipe, forgetShares startedRegistration, abort; title timedOut, lines newMailNeeded
            """)
    }

    @Test func deletesATokenThatCannotBeStored() {
        Visit.newPINAgain.play(
            """
            key 2583 enter; fail storageFailed -> deleteIdentity startedRegistration
            title registrationFailedDeleted(STATUS)
            """)
    }
}
