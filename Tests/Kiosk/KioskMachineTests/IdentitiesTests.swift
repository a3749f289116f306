// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import LoginValues
import Testing

@Suite("Showing and deleting an identity")
struct IdentitiesTests {
    static let confirming = Visit.task(.identities)
        .play("key 2 2; answer authenticationStarted; key 2583 enter")

    @Test func showsTheOnlyOne() {
        Visit.task(.identities).play(
            """
            wait identityDetails
            lines pinUser(a…@example.com) + consentService(Example) + consentDomain(login.example.com) \
            + identityNumber(1) + stateRegistered
            # A look changes nothing.
            key back => stopTimer session, closeSession declined, stopTimer outcome, resumeCamera, startTimer rest
            wait scan
            """)
    }

    /// An identity without a PIN is deleted without one.
    @Test(arguments: [
        ("startedRegistration", PromptKey.stateStartedRegistration), ("activated", .stateActivated),
        ("blocked", .stateBlocked), ("unusable", .stateUnusable),
    ])
    func showsItsState(person: String, sentence: PromptKey) {
        Visit.task(.identities, person).play(
            "line \(sentence); key 2; hint deleteIdentityReally; key 2 -> perform deleteIdentity \(person)")
    }

    @Test func nobodyLearnsWhoElseIsHere() {
        Visit.task(.identities, "alice bob").play(
            """
            lines choiceHelpKnown
            # There is no registration from here.
            key 0 enter; hint choiceUnknown
            key 2 enter; line pinUser(b…@example.com); key back; wait identityChoice
            """)
        let list = KioskPolicy(identityChoice: .list)
        Visit(KioskMachine(trustsAnything: true, services: ["a"], tasks: [.identities], policy: list))
            .play("key menu 1; connect alice bob; line listEntry(2;bob@example.com)")
    }

    @Test func saysSoWhereNobodyIs() { Visit.task(.identities, "").play("wait outcome, title identitiesNone") }

    @Test func deletingTakesTwoPressesAndThePIN() {
        Visit.task(.identities).play(
            """
            key 2; hint deleteWithPIN
            key 2 => startTimer wait, perform startAuthentication alice identities
            answer authenticationStarted; wait pin, line deletePurpose
            key 2583 enter -> perform finishAuthentication alice identities
            answer taskDone -> perform deleteIdentity alice
            # Once is enough.
            answer identityDeleted -> closeSession identityDeleted, no deleteIdentity
            tone success, title identityDeleted
            """)
    }

    @Test(arguments: ["enter", "back", "clear", "menu", "1", "3"]) func anotherKeyDeletesNothing(key: String) {
        Visit.task(.identities).play("key 2; key \(key) -> no perform")
    }

    @Test func aStoreThatFailsIsTold() {
        Self.confirming.play(
            "answer taskDone; fail storageFailed -> closeSession storageFailed; tone failure, title storageFailed")
    }
}
