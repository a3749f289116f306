// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import LoginValues
import Testing

/// A person with a card is already named. The kiosk makes cards, too.
@Suite("Personal cards at the machine")
struct PersonalCardTests {
    private static func reading(
        _ card: Result<CardHolder, PersonalCardRefusal> = .success(Samples.holder), _ text: String = "card"
    ) -> CodeReading {
        CodeReading(
            digest: Samples.digest(text), decision: .refused(.notALogin(.noAccessCode)), personalCard: card,
            handle: Samples.handle)
    }

    private static func visit(offersCards: Bool = true, refusing refusal: PersonalCardRefusal = .damaged) -> Visit {
        let bob = CardHolder(userID: "bob@example.com", domain: "rps.example.com")
        return Visit(
            KioskMachine(
                trustsAnything: true, services: ["a.example"], doors: Array(LocalLoginTests.doors.prefix(1)),
                tasks: KioskTask.allCases, offersCards: offersCards),
            codes: [
                "card": reading(), "card of bob": reading(.success(bob), "bob"),
                "refused card": reading(.failure(refusal), "refused"),
            ])
    }

    /// - Parameter fitsScreen: whether the screen has room for another card.
    private static func withCard(fitsScreen: Bool = true) -> Visit {
        visit().play("qr card").after { machine in
            machine.cardMeasured(fitsScreen: fitsScreen)
            return []
        }
    }

    private static func begun(_ task: KioskTask, fitsScreen: Bool = true) -> Visit {
        withCard(fitsScreen: fitsScreen).play("key menu").after { $0.pressEntry(task) }.play("connect guest")
    }

    @Test func namesThePersonAndAsksForTheLoginPage() {
        let shown = Self.visit().play(
            """
            qr card -> keepCard; wait card, title cardTitle; session none
            lines consentUser(alice@example.com) + consentDomain(rps.example.com) + cardHelp + cardEnds(2027-11-26 18:02)
            """)
        #expect(!shown.machine.isIdle)
        shown.play(
            """
            qr login -> openSession, no dropCard
            connect guest; wait consent, line consentUser(alice@example.com)
            # No other person of this kiosk can be chosen.
            key menu => nothing
            wait consent; key enter; answer authenticationStarted; wait pin
            key 2583 enter -> perform finishAuthentication guest login
            answer authenticated; wait outcome, tone success
            # The next person comes without a card.
            key enter; qr login 2; connect alice bob; line consentNobody
            """)
    }

    @Test("A person who leaves takes the card along", arguments: ["key back", "time typing"])
    func left(event: String) {
        Self.withCard().play(
            """
            \(event) -> dropCard; wait scan
            qr login -> openSession; connect; line consentNobody
            """)
    }

    @Test func isDroppedAtTheEnd() { Self.withCard().play("stop => dropCard") }

    static let refusals: [(PersonalCardRefusal, PromptKey)] = [
        (.noFleet, .cardNoFleet), (.otherFleet, .cardOtherFleet), (.newerVersion, .cardNewer),
        (.damaged, .cardDamaged), (.expired, .cardExpired), (.notYet, .cardNotYet), (.untrusted, .cardUntrusted),
    ]

    @Test("A code that is no card for this kiosk is reported, wherever it is shown", arguments: refusals)
    func refused(refusal: PersonalCardRefusal, words: PromptKey) {
        #expect(Self.refusals.map(\.0).count == PersonalCardRefusal.allCases.count)
        Self.visit(refusing: refusal).play(
            """
            qr refused card -> refused personalCard \(refusal), startTimer notice 8s, no keepCard
            wait scan, hint \(words)
            or
            qr card; qr refused card; wait card, hint \(words); time notice; wait card, hint none
            """)
    }

    @Test func isOneCardAsLongAsItIsInView() {
        var visit = Self.visit().play("qr card -> keepCard")
        for _ in 1...50 { visit = visit.play("qr card -> no keepCard") }
        // It is not used up: shown again later, it works.
        visit.play("key back; time view card; qr card -> keepCard")
    }

    @Test func anotherCardTakesItsPlace() {
        Self.withCard().play("qr card of bob -> keepCard; line consentUser(bob@example.com)")
    }

    @Test func theBrowserNamesAnotherPerson() {
        Self.withCard().play(
            """
            qr login; connect guest named bob@example.com
            wait outcome, title cardOfSomebodyElse(bob@example.com), lines nextScanAgain
            or
            # The same user in another spelling.
            qr login; connect guest named ALICE@example.com; wait consent
            """)
    }

    @Test func isForAnotherBackend() {
        Self.withCard().play(
            """
            qr login; answer serviceFound; fail unknownUser cardElsewhere -> closeSession unknownUser
            title cardElsewhere, lines nextScanAgain
            """)
    }

    /// The service may unblock a blocked identity, and then the card works again.
    @Test(arguments: [
        (SessionOutcome.blocked, PromptKey.nextUnblock, "no deleteIdentity"),
        (.revoked, .cardIsVoid, "deleteIdentity guest"), (.secretExpired, .cardIsVoid, "deleteIdentity guest"),
    ])
    func isVoidWithItsIdentity(reason: SessionOutcome, next: PromptKey, deletion: String) {
        Self.withCard().play(
            """
            qr login; connect guest; key enter; fail \(reason) -> \(deletion)
            wait outcome, lines \(next)
            """)
    }

    /// The other device's identity would not expire with the card.
    @Test func makesNoCodeForAnotherDevice() {
        Self.begun(.registrationCode).play("wait outcome, title cardMakesNoCode")
    }

    @Test(arguments: [KioskTask.oneTimePassword, .localLogin, .changePIN])
    func isGoodForTasks(task: KioskTask) {
        Self.begun(task).play("answer authenticationStarted; wait pin, line pinUser(alice@example.com)")
    }

    @Test(arguments: [KioskTask.registerWithCode, .verification]) func isNoNewcomers(task: KioskTask) {
        Self.withCard().play("key menu").after { $0.pressEntry(task) }
            .play("-> dropCard; -> openTask \(task) 0")
    }

    // Cards that are made at the kiosk.

    private static func registered(offersCards: Bool) -> Visit {
        visit(offersCards: offersCards).play(
            """
            qr login; connect activated; key enter; answer registrationConfirmed; key 2583 enter 2583 enter
            answer registrationFinished alice
            """)
    }

    @Test func isOfferedAfterARegistration() {
        let offered = Self.registered(offersCards: true)
        offered.play(
            """
            wait cardOffer, title registrationDone(1); key enter -> perform startAuthentication alice
            or
            key 1 -> perform writeCard alice
            answer cardWritten; wait issuedCard, entry card
            key enter -> perform startAuthentication alice
            answer authenticationStarted; wait pin, hint registered(1)
            or
            # A person who gets no card is registered all the same.
            key 1; fail failed; answer authenticationStarted; wait pin, hint cardFailed(STATUS)
            or
            # A screen without room for the card is left to the operator.
            key 1; fail notOffered cardNeedsRoom; answer authenticationStarted; wait pin, hint cardNeedsRoom
            """)
        #expect(offered.play("key 1; answer cardWritten").machine.showsIssuedCard)
        Self.registered(offersCards: false).play("-> perform startAuthentication alice")
    }

    @Test func isMadeForThePersonWhoKnowsThePIN() {
        let proved = Visit.task(.identities, offersCards: true).play(
            """
            offers 1 actionCard; key 1; answer authenticationStarted; wait pin, line cardPurpose
            key 2583 enter -> perform finishAuthentication alice identities
            answer taskDone -> perform writeCard alice
            """)
        for event in ["key enter", "time session"] {
            proved.play(
                """
                answer cardWritten; wait issuedCard, no oldCard
                \(event) -> closeSession codeIssued; wait scan
                """)
        }
        proved.play("fail notOffered cardNeedsRoom; title cardNeedsRoom, lines nextTellOperator")
    }

    @Test(arguments: [
        ("startedRegistration", true), ("activated", true), ("blocked", true), ("unusable", true), ("alice", false),
    ])
    func isMadeOfNothingElse(person: String, offersCards: Bool) {
        let visit = Visit.task(.identities, person, offersCards: offersCards).play("key 1 => nothing")
        #expect(!visit.view.actions.contains(ViewAction(.digit(1), .actionCard)))
    }

    /// The card's identity is not on this device, so it cannot be deleted there.
    @Test func isReplacedAndNotDeleted() {
        Self.begun(.identities).play(
            """
            wait identityDetails, keys 1 actionCard + back actionBack; key 2 => nothing
            hint none; key 1; answer authenticationStarted; key 2583 enter; answer taskDone; answer cardWritten
            wait issuedCard, line oldCard
            """)
    }

    @Test func hasAnotherPINOnlyAsAnotherCard() {
        Self.begun(.changePIN).play(
            """
            answer authenticationStarted; key 2583 enter 7193 enter 7193 enter
            answer taskDone -> perform writeCard guest
            """
        ).play(
            """
            answer cardWritten; wait issuedCard, line oldCardOldPIN
            key enter -> closeSession pinChanged; title pinChanged, lines oldCardOldPIN
            or
            # Without the new card the old PIN still works.
            fail failed; title pinChangeFailed(STATUS)
            or
            # The new card is larger than expected, or the screen has become smaller.
            fail notOffered cardNeedsRoom -> closeSession notOffered; title cardNeedsLargerScreen, tone failure
            """)
    }

    /// No PIN is asked for or changed if the card could not be shown. The login still works.
    @Test func changesNoPINWhereNoCardCanBeShown() {
        Self.begun(.changePIN, fitsScreen: false)
            .play("-> closeSession notOffered; title cardNeedsLargerScreen, lines nextTellOperator")
        Self.begun(.identities, fitsScreen: false)
            .play("key 1 -> closeSession notOffered; title cardNeedsLargerScreen")
        Self.withCard(fitsScreen: false).play("qr login; connect guest; wait consent")
    }
}
