// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import LoginValues
import Testing

/// The ways back for a person who is blocked (`held`) or has no attempts left (`tried`).
@Suite("Blocked people, and people without attempts, return by mail or through the server")
struct RenewalTests {
    /// Nobody can delete it from the menu either.
    @Test func doesNotDeleteABlockedIdentity() {
        for (person, isDeleted) in [("held", false), ("blocked", true)] {
            let visit = Visit.task(.identities, person)
            #expect(visit.view.actions.contains { $0.label.key == .actionDelete } == isDeleted)
            visit.play("key 2; key 2 -> \(isDeleted ? "perform deleteIdentity" : "no perform")")
        }
    }

    /// Only a PIN attempt shows whether the service has unblocked the person.
    @Test func thePINMayBeTried() {
        Visit.consented("held").play("title blockedTitle; key enter -> perform startAuthentication unheld")
        #expect(Visit.consented("held").view.actions.map(\.key) == [.enter, .digit(1), .back])
    }

    /// After the server has unblocked the person, the PIN can be changed without a registration.
    @Test func anotherPINIsChosen() {
        Visit.task(.changePIN, "held").play(
            """
            key enter; answer authenticationStarted; key 2583 enter 7193 enter
            key 7193 enter -> perform finishAuthentication unheld changePIN; fail failed -> no deleteIdentity
            """)
    }

    /// A stranger may not use this for guessing. A person whom an application names may.
    @Test func aStrangersTriesAreBoundedHereToo() {
        let visit = Visit.consented("held-tried").play("key enter => nothing")
        #expect(visit.view.actions.map(\.key) == [.digit(1), .back])
        Visit.consented("held-tried named alice@example.com verified")
            .play("key enter -> perform startAuthentication unheld-tried")
    }

    @Test(arguments: ["held", "tried"]) func aMailRenews(person: String) {
        let asked = Visit.consented(person).play(
            """
            key 1 -> perform renewRegistration \(person)
            answer registrationStarted startedRegistration
            # A stranger could still guess the address, and there is nothing to delete.
            wait emailConfirmation, lines confirmationHelp(a…@example.com); key 2; key 2 -> no deleteIdentity
            """)
        #expect(asked.view.actions.map(\.key) == [.enter, .digit(1), .back])
        asked.play(
            """
            key enter; answer registrationConfirmed; key 2583 enter 2583 enter
            answer registrationFinished alice -> perform startAuthentication alice, no forgetShares
            or
            # Leaving in between changes nothing.
            key back -> forgetShares \(person), no deleteIdentity
            """)
    }

    /// Today's platform sends a code, and the person continues the login.
    @Test func aCodeOfTheMailRenews() {
        Visit.consented("tried mails").play(
            """
            key 1; answer verificationStarted code; wait activationEntry, line consentUser(a…@example.com)
            key 7 enter -> perform finishVerification alice@example.com
            answer verified; answer registrationStarted activated; answer registrationConfirmed
            key 2583 enter 2583 enter; answer registrationFinished alice -> perform startAuthentication alice
            """)
    }

    /// The MFA platform sends the mail only for a page, and the kiosk says so.
    @Test func aServiceThatRegistersForPagesOnlyIsTold() {
        Visit.consented("tried").play(
            "key 1; fail notOffered -> closeSession notOffered, no deleteIdentity; title renewalNeedsPage")
    }

    /// Another person with a blocked person's address but not their mail deletes nothing.
    @Test func aTypedAddressOfABlockedPersonDeletesNothing() {
        Visit.task(.registerWithCode, "held").play(
            """
            type alice@example.com; key enter; wait activationEntry; key 7 enter
            answer registrationStarted activated
            fail registrationExpired -> forgetShares, no deleteIdentity; wait outcome
            """)
    }
}
