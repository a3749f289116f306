// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import LoginValues
import Testing

/// A person with a card is already named. The kiosk makes cards, too.
@Suite("Personal cards at the machine")
struct PersonalCardTests {
    private static let one = KioskMachine.one
    private static let guest = KioskIdentity(
        userID: Samples.holder.userID, backend: "rps.example.com", number: nil, progress: .registered)

    private static func reading(
        _ card: Result<CardHolder, PersonalCardRefusal> = .success(Samples.holder), _ text: String = "card"
    ) -> CodeReading {
        CodeReading(
            digest: Samples.digest(text), verdict: .refused(.notALogin(.noAccessCode)), personalCard: card,
            handle: Samples.handle)
    }

    private func machine(services: [String] = ["a.example"], offersCards: Bool = true) -> KioskMachine {
        KioskMachine(
            trustsAnything: true, services: services, doors: Array(LocalLoginTests.doors.prefix(1)),
            errands: Errand.allCases, offersCards: offersCards)
    }

    /// - Parameter fitsScreen: whether the screen has room for another card.
    private func withCard(fitsScreen: Bool = true) -> KioskMachine {
        var machine = machine()
        _ = machine.symbolSeen(Self.reading())
        machine.cardMeasured(fitsScreen: fitsScreen)
        return machine
    }

    private func opened(_ machine: KioskMachine, namedUser: String = "") -> KioskMachine {
        var machine = machine
        _ = machine.stepEnded(.success(.serviceFound(Samples.service)), session: Self.one)
        let details = BackendSession(namedUser: namedUser, identities: [Self.guest])
        _ = machine.stepEnded(.success(.backendOpened(details)), session: Self.one)
        return machine
    }

    private func begun(_ errand: Errand, fitsScreen: Bool = true) -> KioskMachine {
        var machine = withCard(fitsScreen: fitsScreen)
        _ = machine.keyPressed(.menu)
        _ = machine.pressEntry(errand)
        return opened(machine)
    }

    @Test func namesThePersonAndAsksForTheLoginPage() {
        var machine = machine()
        let actions = machine.symbolSeen(Self.reading())
        #expect(actions.contains(.keepCard(Samples.handle)))
        #expect(machine.view.stage == .card && machine.view.title == Prompt(.cardTitle))
        #expect(
            machine.view.lines == [
                Prompt(.consentUser, [.user: "alice@example.com"]),
                Prompt(.consentDomain, [.domain: "rps.example.com"]), Prompt(.cardHelp),
                Prompt(.cardEnds, [.time: "2027-11-26 18:02"]),
            ])
        #expect(!machine.isIdle && machine.session == nil)
        let login = machine.symbolSeen(Samples.login())
        #expect(login.contains(.openSession(Self.one, Samples.handle)) && !login.contains(.dropCard))
        machine = opened(machine)
        #expect(machine.view.stage == .consent)
        #expect(machine.view.lines.contains(Prompt(.consentUser, [.user: "alice@example.com"])))
        // No other person of this kiosk can be chosen.
        #expect(machine.keyPressed(.menu) == [] && machine.view.stage == .consent)
        _ = machine.keyPressed(.enter)
        _ = machine.stepEnded(.success(.authenticationStarted), session: Self.one)
        #expect(machine.view.stage == .pin)
        machine.typePIN()
        #expect(
            machine.keyPressed(.enter).contains(.perform(.finishAuthentication(Self.guest, for: .login), Self.one)))
        _ = machine.stepEnded(.success(.authenticated(canLogout: false)), session: Self.one)
        #expect(machine.view.stage == .outcome && machine.view.tone == .success)
        // The next person comes without a card.
        _ = machine.keyPressed(.enter)
        _ = machine.symbolSeen(Samples.login("code 2"))
        _ = machine.stepEnded(.success(.serviceFound(Samples.service)), session: SessionNumber(2))
        let people = BackendSession(identities: [Samples.alice, Samples.bob])
        _ = machine.stepEnded(.success(.backendOpened(people)), session: SessionNumber(2))
        #expect(machine.view.lines.contains(Prompt(.consentNobody)))
    }

    @Test("A person who leaves takes the card along", arguments: [true, false])
    func left(byKey: Bool) {
        var machine = withCard()
        let actions = byKey ? machine.keyPressed(.back) : machine.timerFired(.typing, session: .none)
        #expect(actions.contains(.dropCard) && machine.view.stage == .scan)
        let login = machine.symbolSeen(Samples.login())
        #expect(login.contains(.openSession(Self.one, Samples.handle)))
        _ = machine.stepEnded(.success(.serviceFound(Samples.service)), session: Self.one)
        _ = machine.stepEnded(.success(.backendOpened(BackendSession(identities: []))), session: Self.one)
        #expect(machine.view.lines.contains(Prompt(.consentNobody)))
    }

    @Test func isDroppedAtTheEnd() {
        var machine = withCard()
        #expect(machine.stop() == [.dropCard])
    }

    static let refusals: [(PersonalCardRefusal, PromptKey)] = [
        (.noFleet, .cardNoFleet), (.otherFleet, .cardOtherFleet), (.newerVersion, .cardNewer),
        (.damaged, .cardDamaged), (.expired, .cardExpired), (.notYet, .cardNotYet), (.untrusted, .cardUntrusted),
    ]

    @Test("A code that is no card for this kiosk is reported, wherever it is shown", arguments: refusals)
    func refused(refusal: PersonalCardRefusal, words: PromptKey) {
        var idle = machine()
        let actions = idle.symbolSeen(Self.reading(.failure(refusal)))
        #expect(actions.contains(.refused(.personalCard(refusal))) && !actions.contains(.keepCard(Samples.handle)))
        #expect(idle.view.stage == .scan && idle.view.hint == Prompt(words))
        #expect(actions.contains(.startTimer(.notice, KioskTiming.cardNotice, .none)))
        var card = withCard()
        _ = card.symbolSeen(Self.reading(.failure(refusal), "other"))
        #expect(card.view.stage == .card && card.view.hint == Prompt(words))
        _ = card.timerFired(.notice, session: .none)
        #expect(card.view.stage == .card && card.view.hint == nil)
        #expect(Self.refusals.map(\.0).count == PersonalCardRefusal.allCases.count)
    }

    @Test func isOneCardAsLongAsItIsInView() {
        var machine = machine()
        #expect(machine.symbolSeen(Self.reading()).contains(.keepCard(Samples.handle)))
        for _ in 1...50 { #expect(!machine.symbolSeen(Self.reading()).contains(.keepCard(Samples.handle))) }
        // It is not used up: shown again later, it works.
        _ = machine.keyPressed(.back)
        _ = machine.timerFired(.view(Samples.digest("card")), session: .none)
        #expect(machine.symbolSeen(Self.reading()).contains(.keepCard(Samples.handle)))
    }

    @Test func anotherCardTakesItsPlace() {
        var machine = withCard()
        let bob = CardHolder(userID: "bob@example.com", domain: "rps.example.com")
        #expect(machine.symbolSeen(Self.reading(.success(bob), "bob")).contains(.keepCard(Samples.handle)))
        #expect(machine.view.lines.first == Prompt(.consentUser, [.user: "bob@example.com"]))
    }

    @Test func theBrowserNamesAnotherPerson() {
        var machine = withCard()
        _ = machine.symbolSeen(Samples.login())
        machine = opened(machine, namedUser: "bob@example.com")
        #expect(machine.view.stage == .outcome)
        #expect(machine.view.title == Prompt(.cardOfSomebodyElse, [.user: "bob@example.com"]))
        #expect(machine.view.lines == [Prompt(.nextScanAgain)])
        // The same user in another spelling.
        var same = withCard()
        _ = same.symbolSeen(Samples.login())
        #expect(opened(same, namedUser: "ALICE@example.com").view.stage == .consent)
    }

    @Test func isForAnotherBackend() {
        var machine = withCard()
        _ = machine.symbolSeen(Samples.login())
        _ = machine.stepEnded(.success(.serviceFound(Samples.service)), session: Self.one)
        let actions = machine.stepEnded(.failure(Samples.failure(.unknownUser, .cardElsewhere)), session: Self.one)
        #expect(actions.contains(.closeSession(Self.one, .unknownUser)))
        #expect(machine.view.title == Prompt(.cardElsewhere) && machine.view.lines == [Prompt(.nextScanAgain)])
    }

    /// The service may unblock the identity, and then the card works again.
    @Test func isNotVoidWhenItsIdentityIsBlocked() {
        var machine = withCard()
        _ = machine.symbolSeen(Samples.login())
        machine = opened(machine)
        _ = machine.keyPressed(.enter)
        let actions = machine.stepEnded(.failure(Samples.failure(.blocked)), session: Self.one)
        #expect(machine.view.stage == .outcome && machine.view.lines == [Prompt(.nextUnblock)])
        #expect(!actions.contains(.deleteIdentity(Self.guest)))
    }

    @Test(arguments: [SessionOutcome.revoked, .secretExpired])
    func isRevokedWithItsIdentity(reason: SessionOutcome) {
        var machine = withCard()
        _ = machine.symbolSeen(Samples.login())
        machine = opened(machine)
        _ = machine.keyPressed(.enter)
        let actions = machine.stepEnded(.failure(Samples.failure(reason)), session: Self.one)
        #expect(machine.view.stage == .outcome && machine.view.lines == [Prompt(.cardIsVoid)])
        #expect(actions.contains(.deleteIdentity(Self.guest)))
    }

    /// The other device's identity would not expire with the card.
    @Test func makesNoCodeForAnotherDevice() {
        let machine = begun(.quickCode)
        #expect(machine.view.stage == .outcome && machine.view.title == Prompt(.cardMakesNoCode))
    }

    @Test(arguments: [Errand.oneTimePassword, .localLogin, .changePIN])
    func isGoodForErrands(errand: Errand) throws {
        var machine = begun(errand)
        _ = machine.stepEnded(.success(.authenticationStarted), session: Self.one)
        #expect(machine.view.stage == .pin)
        #expect(machine.view.lines.contains(Prompt(.pinUser, [.user: "alice@example.com"])))
    }

    @Test(arguments: [Errand.enrolment, .verification]) func isNoNewcomers(errand: Errand) {
        var machine = withCard()
        _ = machine.keyPressed(.menu)
        let actions = machine.pressEntry(errand)
        #expect(actions.contains(.dropCard) && actions.contains(.openErrand(Self.one, errand, service: 0)))
    }

    // Cards that are made at the kiosk.

    private func finishingRegistration(offersCards: Bool) -> KioskMachine {
        var machine = machine(offersCards: offersCards)
        _ = machine.symbolSeen(Samples.login())
        _ = machine.stepEnded(.success(.serviceFound(Samples.service)), session: Self.one)
        let details = BackendSession(identities: [Samples.identity(.activated)])
        _ = machine.stepEnded(.success(.backendOpened(details)), session: Self.one)
        _ = machine.keyPressed(.enter)
        _ = machine.stepEnded(.success(.registrationConfirmed), session: Self.one)
        machine.typePIN()
        _ = machine.keyPressed(.enter)
        _ = machine.newPINJudged(.good)
        machine.typePIN()
        _ = machine.keyPressed(.enter)
        _ = machine.newPINsCompared(areEqual: true)
        return machine
    }

    @Test func isOfferedAfterARegistration() {
        var machine = finishingRegistration(offersCards: true)
        _ = machine.stepEnded(.success(.registrationFinished(Samples.alice)), session: Self.one)
        #expect(machine.view.stage == .cardOffer && machine.view.title == Prompt(.enrolled, [.number: "1"]))
        var without = machine
        #expect(without.keyPressed(.enter).contains(.perform(.startAuthentication(Samples.alice), Self.one)))
        #expect(machine.keyPressed(.digit(1)).contains(.perform(.writeCard(Samples.alice), Self.one)))
        var failed = machine
        _ = machine.stepEnded(.success(.cardWritten()), session: Self.one)
        #expect(machine.view.stage == .issuedCard && machine.showsIssuedCard)
        #expect(machine.view.entry == .card(SecretBytes(copying: [])), "the machine has no card")
        let actions = machine.keyPressed(.enter)
        #expect(actions.contains(.perform(.startAuthentication(Samples.alice), Self.one)))
        _ = machine.stepEnded(.success(.authenticationStarted), session: Self.one)
        #expect(machine.view.stage == .pin && machine.view.hint == Prompt(.registered, [.number: "1"]))
        // A person who gets no card is registered all the same.
        _ = failed.stepEnded(.failure(Samples.failure(.failed)), session: Self.one)
        _ = failed.stepEnded(.success(.authenticationStarted), session: Self.one)
        #expect(failed.view.stage == .pin && failed.view.hint == Prompt(.cardFailed, [.status: "STATUS"]))
    }

    @Test func isNotOfferedWithoutAFleet() {
        var machine = finishingRegistration(offersCards: false)
        let actions = machine.stepEnded(.success(.registrationFinished(Samples.alice)), session: Self.one)
        #expect(actions.contains(.perform(.startAuthentication(Samples.alice), Self.one)))
    }

    @Test func isMadeForThePersonWhoKnowsThePIN() {
        var machine = IdentitiesTests.opened([Samples.alice], offersCards: true)
        #expect(machine.view.actions.contains(ViewAction(.digit(1), .actionCard)))
        _ = machine.keyPressed(.digit(1))
        _ = machine.stepEnded(.success(.authenticationStarted), session: Self.one)
        #expect(machine.view.stage == .pin && machine.view.lines.first == Prompt(.cardPurpose))
        machine.typePIN()
        #expect(
            machine.keyPressed(.enter).contains(
                .perform(.finishAuthentication(Samples.alice, for: .identities), Self.one)))
        let confirmed = machine.stepEnded(.success(.errandDone), session: Self.one)
        #expect(confirmed.contains(.perform(.writeCard(Samples.alice), Self.one)))
        _ = machine.stepEnded(.success(.cardWritten()), session: Self.one)
        #expect(machine.view.stage == .issuedCard && !machine.view.lines.contains(Prompt(.oldCard)))
        var left = machine
        #expect(left.keyPressed(.enter).contains(.closeSession(Self.one, .codeIssued)) && left.view.stage == .scan)
        #expect(
            machine.timerFired(.session, session: Self.one).contains(.closeSession(Self.one, .codeIssued))
                && machine.view.stage == .scan)
    }

    @Test(arguments: [KioskIdentity.Progress.startedRegistration, .activated, .blocked, .unusable])
    func isMadeOfNothingElse(progress: KioskIdentity.Progress) {
        var machine = IdentitiesTests.opened([Samples.identity(progress)], offersCards: true)
        #expect(!machine.view.actions.contains(ViewAction(.digit(1), .actionCard)))
        #expect(machine.keyPressed(.digit(1)) == [])
        var without = IdentitiesTests.opened([Samples.alice], offersCards: false)
        #expect(
            without.keyPressed(.digit(1)) == [] && !without.view.actions.contains(ViewAction(.digit(1), .actionCard)))
    }

    /// The card's identity is not on this device, so it cannot be deleted there.
    @Test func isReplacedAndNotDeleted() throws {
        var machine = begun(.identities)
        #expect(machine.view.stage == .identityDetails)
        #expect(machine.view.actions == [ViewAction(.digit(1), .actionCard), ViewAction(.back, .actionBack)])
        #expect(machine.keyPressed(.digit(2)) == [] && machine.view.hint == nil)
        _ = machine.keyPressed(.digit(1))
        _ = machine.stepEnded(.success(.authenticationStarted), session: Self.one)
        machine.typePIN()
        _ = machine.keyPressed(.enter)
        _ = machine.stepEnded(.success(.errandDone), session: Self.one)
        _ = machine.stepEnded(.success(.cardWritten()), session: Self.one)
        #expect(machine.view.stage == .issuedCard && machine.view.lines.contains(Prompt(.oldCard)))
    }

    @Test func hasAnotherPINOnlyAsAnotherCard() throws {
        var machine = begun(.changePIN)
        _ = machine.stepEnded(.success(.authenticationStarted), session: Self.one)
        machine.typePIN()
        _ = machine.keyPressed(.enter)
        machine.typePIN()
        _ = machine.keyPressed(.enter)
        _ = machine.newPINJudged(.good)
        machine.typePIN()
        _ = machine.keyPressed(.enter)
        _ = machine.newPINsCompared(areEqual: true)
        let changed = machine.stepEnded(.success(.errandDone), session: Self.one)
        #expect(changed.contains(.perform(.writeCard(Self.guest), Self.one)))
        var failed = machine
        _ = machine.stepEnded(.success(.cardWritten()), session: Self.one)
        #expect(machine.view.stage == .issuedCard && machine.view.lines.contains(Prompt(.oldCardOldPIN)))
        #expect(machine.keyPressed(.enter).contains(.closeSession(Self.one, .pinChanged)))
        #expect(machine.view.title == Prompt(.pinChanged) && machine.view.lines == [Prompt(.oldCardOldPIN)])
        // Without the new card the old PIN still works.
        _ = failed.stepEnded(.failure(Samples.failure(.failed)), session: Self.one)
        #expect(failed.view.title == Prompt(.pinChangeFailed, [.status: "STATUS"]))
    }

    // Cards that do not fit the screen.

    /// No PIN is asked for or changed if the card could not be shown.
    @Test func changesNoPINWhereNoCardCanBeShown() throws {
        var machine = withCard(fitsScreen: false)
        _ = machine.keyPressed(.menu)
        _ = machine.pressEntry(.changePIN)
        _ = machine.stepEnded(.success(.serviceFound(Samples.service)), session: Self.one)
        let actions = machine.stepEnded(
            .success(.backendOpened(BackendSession(identities: [Self.guest]))), session: Self.one)
        #expect(actions.contains(.closeSession(Self.one, .notOffered)))
        #expect(machine.view.title == Prompt(.cardNeedsLargerScreen))
        #expect(machine.view.lines == [Prompt(.nextTellOperator)])
        var card = begun(.identities, fitsScreen: false)
        #expect(card.keyPressed(.digit(1)).contains(.closeSession(Self.one, .notOffered)))
        #expect(card.view.title == Prompt(.cardNeedsLargerScreen))
        // The login still works.
        var login = withCard(fitsScreen: false)
        _ = login.symbolSeen(Samples.login())
        #expect(opened(login).view.stage == .consent)
    }

    /// The new card is larger than expected, or the screen has become smaller.
    @Test func staysAsItIsWhereTheNewOneCannotBeShown() throws {
        var machine = begun(.changePIN)
        _ = machine.stepEnded(.success(.authenticationStarted), session: Self.one)
        machine.typePIN()
        _ = machine.keyPressed(.enter)
        machine.typePIN()
        _ = machine.keyPressed(.enter)
        _ = machine.newPINJudged(.good)
        machine.typePIN()
        _ = machine.keyPressed(.enter)
        _ = machine.newPINsCompared(areEqual: true)
        _ = machine.stepEnded(.success(.errandDone), session: Self.one)
        let actions = machine.stepEnded(.failure(Samples.failure(.notOffered, .cardNeedsRoom)), session: Self.one)
        #expect(actions.contains(.closeSession(Self.one, .notOffered)))
        #expect(machine.view.title == Prompt(.cardNeedsLargerScreen) && machine.view.tone == .failure)
    }

    @Test func ofThisDeviceIsLeftToTheOperator() throws {
        var machine = finishingRegistration(offersCards: true)
        _ = machine.stepEnded(.success(.registrationFinished(Samples.alice)), session: Self.one)
        _ = machine.keyPressed(.digit(1))
        _ = machine.stepEnded(.failure(Samples.failure(.notOffered, .cardNeedsRoom)), session: Self.one)
        _ = machine.stepEnded(.success(.authenticationStarted), session: Self.one)
        #expect(machine.view.stage == .pin && machine.view.hint == Prompt(.cardNeedsRoom))
        var errand = IdentitiesTests.opened([Samples.alice], offersCards: true)
        _ = errand.keyPressed(.digit(1))
        _ = errand.stepEnded(.success(.authenticationStarted), session: Self.one)
        errand.typePIN()
        _ = errand.keyPressed(.enter)
        _ = errand.stepEnded(.success(.errandDone), session: Self.one)
        _ = errand.stepEnded(.failure(Samples.failure(.notOffered, .cardNeedsRoom)), session: Self.one)
        #expect(errand.view.title == Prompt(.cardNeedsRoom) && errand.view.lines == [Prompt(.nextTellOperator)])
    }
}
