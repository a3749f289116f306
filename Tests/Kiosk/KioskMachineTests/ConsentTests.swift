// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import LoginValues
import Testing

@Suite("No PIN is asked for before the person agrees to service and domain")
struct ConsentTests {
    @Test func theConsentScreenNamesWhoAsks() {
        var machine = KioskMachine.openingBackend()
        let details = BackendSession(
            application: DisplayText("Shop"), customer: DisplayText("ACME"), namedUser: "alice@example.com",
            isUserVerified: true, identities: [Samples.alice, Samples.bob])
        #expect(
            machine.stepEnded(.success(.backendOpened(details)), session: .one) == [
                .stopTimer(.view(Samples.digest("code 1"))), .pauseCamera,
            ])
        #expect(
            machine.view
                == KioskView(
                    .consent, .ask, title: Prompt(.consentTitle),
                    lines: [
                        Prompt(.consentService, [.service: "Example"]),
                        Prompt(.consentDomain, [.domain: "login.example.com"]),
                        Prompt(.consentApplication, [.application: "Shop"]),
                        Prompt(.consentCustomer, [.customer: "ACME"]),
                        Prompt(.consentUser, [.user: "alice@example.com"]),
                    ], factCount: 5, actions: [ViewAction(.enter, .actionOK), ViewAction(.back, .actionNotMe)]))
    }

    /// Anybody may have written it, so it is quoted, below the facts.
    @Test func theTaskIsShown() {
        let details = BackendSession(task: DisplayText("Open the archive\nDomain: a"), identities: [Samples.alice])
        let view = KioskMachine.consenting(details).view
        #expect(view.lines.last == Prompt(.consentTask, [.name: "Open the archive Domain: a"]))
        #expect(view.factCount == view.lines.count)
        let silent = KioskMachine.consenting(BackendSession(identities: [Samples.alice])).view
        #expect(!silent.lines.contains { $0.key == .consentTask })
    }

    /// The host where the PIN takes effect comes first, and the code's service cannot hide it.
    @Test(arguments: [("login.example.com", false), ("backend.example.com", true)])
    func aBackendElsewhereIsNamedWithTheService(backend: String, isElsewhere: Bool) {
        var machine = KioskMachine.connecting()
        _ = machine.stepEnded(.success(.serviceFound(Samples.service, backend: backend)), session: .one)
        let both =
            [Prompt(.consentService, [.service: "Example"]), Prompt(.consentDomain, [.domain: backend])]
            + (isElsewhere ? [Prompt(.consentOnBehalf, [.domain: "login.example.com"])] : [])
        _ = machine.stepEnded(.success(.backendOpened(BackendSession(identities: [Samples.alice]))), session: .one)
        #expect(machine.view.stage == .consent && machine.view.lines.starts(with: both))
        _ = machine.keyPressed(.enter)
        _ = machine.stepEnded(.success(.authenticationStarted), session: .one)
        #expect(machine.view.stage == .pin && machine.view.lines.dropFirst().starts(with: both))
    }

    /// Projects of the platform have none.
    @Test func aServiceWithoutANameIsCalledByItsDomain() {
        var machine = KioskMachine.connecting()
        _ = machine.stepEnded(.success(.serviceFound(DisplayText(" "))), session: .one)
        #expect(machine.view.title == Prompt(.connectingTo, [.service: "login.example.com"]))
        _ = machine.stepEnded(.success(.backendOpened(BackendSession(identities: [Samples.alice]))), session: .one)
        #expect(
            machine.view.lines == [
                Prompt(.consentDomain, [.domain: "login.example.com"]),
                Prompt(.consentUser, [.user: "a…@example.com"]),
            ])
        _ = machine.keyPressed(.enter)
        _ = machine.stepEnded(.success(.authenticationStarted), session: .one)
        machine.typePIN()
        _ = machine.keyPressed(.enter)
        _ = machine.stepEnded(.success(.authenticated()), session: .one)
        #expect(machine.view.lines == [Prompt(.successAt, [.service: "login.example.com"])])
    }

    /// Somebody else's login page, shown to a person here: the warning and the way to cancel come first.
    @Test func aBrowserAtAnotherPlaceIsAWarning() {
        let machine = KioskMachine.consenting(
            BackendSession(isBrowserElsewhere: true, identities: [Samples.alice]))
        let view = machine.view
        #expect(view.stage == .consent && view.tone == .trouble)
        #expect(view.lines.first == Prompt(.browserElsewhere) && view.factCount == view.lines.count)
        #expect(view.actions.prefix(2) == [ViewAction(.back, .actionNotMe), ViewAction(.enter, .actionOK)])
        var agreed = machine
        #expect(agreed.keyPressed(.enter).first == .consented(.one))
        let here = KioskMachine.consenting(BackendSession(identities: [Samples.alice])).view
        #expect(here.tone == .ask && !here.lines.contains(Prompt(.browserElsewhere)))
    }

    /// If the service says that the login would fail, no PIN is asked for.
    @Test func aLoginThatIsRefusedElsewhereEndsBeforeThePIN() {
        var machine = KioskMachine.openingBackend()
        let details = BackendSession(
            isBrowserElsewhere: true, obstacle: .browserElsewhere, identities: [Samples.alice])
        let actions = machine.stepEnded(.success(.backendOpened(details)), session: .one)
        #expect(actions.contains(.closeSession(.one, .notAuthorized)) && actions.contains(.abort(.one)))
        #expect(machine.view.title == Prompt(.browserElsewhereRefused))
        #expect(machine.view.lines == [Prompt(.nextNotYours)])
    }

    @Test(arguments: [Key.back, .clear])
    func aNoAbortsUpstream(key: Key) {
        var machine = KioskMachine.consenting(BackendSession(identities: [Samples.alice]))
        #expect(
            (key == .back ? machine.keyPressed(.back) : machine.keyPressed(.clear)) == [
                .consentRefused(.one), .abort(.one), .stopTimer(.session), .stopTimer(.entry), .stopTimer(.wrongPIN),
                .closeSession(.one, .declined), .startTimer(.outcome, KioskTiming.outcome, .one),
            ])
        #expect(machine.view.title == Prompt(.declined))
        #expect(machine.view.lines == [Prompt(.nextNotYours)])
    }

    @Test func beforeTheServerKnowsTheCodeThereIsNothingToAbort() {
        var machine = KioskMachine.connecting()
        #expect(
            machine.keyPressed(.back) == [
                .cancelStep(.one), .stopTimer(.session), .stopTimer(.entry), .stopTimer(.wrongPIN),
                .stopTimer(.view(Samples.digest("code 1"))), .pauseCamera,
                .closeSession(.one, .declined), .startTimer(.outcome, KioskTiming.outcome, .one),
            ])
    }

    @Test func theUserNamedByTheBrowserLogsIn() {
        var machine = KioskMachine.consenting(
            BackendSession(namedUser: "Bob@Example.com", identities: [Samples.alice, Samples.bob]))
        #expect(machine.keyPressed(.menu) == [])
        #expect(
            machine.keyPressed(.enter) == [
                .consented(.one), Samples.wait, .perform(.startAuthentication(Samples.bob), .one),
            ])
    }

    @Test func aNamedStrangerRegistersUnderThatName() {
        let machine = KioskMachine.consented(
            BackendSession(namedUser: "carol@example.com", identities: [Samples.alice]))
        #expect(machine.view.stage == .identityEntry)
        #expect(machine.view.entry == .text("carol@example.com"))
    }

    @Test func theOnlyIdentityLogsIn() {
        var machine = KioskMachine.consenting(BackendSession(identities: [Samples.alice]))
        #expect(
            machine.keyPressed(.enter) == [
                .consented(.one), Samples.wait, .perform(.startAuthentication(Samples.alice), .one),
            ])
    }

    @Test func withoutAnIdentityThePersonRegisters() {
        var machine = KioskMachine.consenting(BackendSession())
        // The address may be in a QR code, so the camera looks again.
        #expect(
            machine.keyPressed(.enter) == [
                .consented(.one), .startTimer(.session, KioskTiming.typing, .one), .resumeCamera,
                .startTimer(.view(Samples.digest("code 1")), KioskTiming.codeLeavesView, .none),
            ])
        #expect(machine.view.stage == .identityEntry)
    }

    @Test func severalIdentitiesAreChosenByNumber() {
        var machine = KioskMachine.consented(BackendSession(identities: [Samples.alice, Samples.bob]))
        #expect(machine.view.stage == .identityChoice)
        #expect(machine.keyPressed(.enter) == [])
        #expect(machine.keyPressed(.digit(7)) == [])
        #expect(machine.keyPressed(.enter) == [])
        #expect(machine.view.hint == Prompt(.choiceUnknown))
        _ = machine.keyPressed(.digit(2))
        #expect(machine.view.entry == .text("2"))
        #expect(machine.keyPressed(.enter) == [Samples.wait, .perform(.startAuthentication(Samples.bob), .one)])
        _ = machine.stepEnded(.success(.authenticationStarted), session: .one)
        #expect(machine.view.lines.first == Prompt(.pinUser, [.user: "b…@example.com"]))
    }

    @Test func numberZeroRegisters() {
        var machine = KioskMachine.consented(BackendSession(identities: [Samples.alice, Samples.bob]))
        _ = machine.keyPressed(.digit(0))
        _ = machine.keyPressed(.enter)
        #expect(machine.view.stage == .identityEntry)
    }

    @Test func besideTheOnlyIdentitySomebodyElseMayCome() {
        var machine = KioskMachine.consenting(BackendSession(identities: [Samples.alice]))
        #expect(machine.view.actions.contains(ViewAction(.menu, .actionSomeoneElse)))
        #expect(machine.keyPressed(.menu) == [.consented(.one)])
        #expect(machine.view.stage == .identityChoice)
    }

    /// A stranger may begin a registration and leave.
    @Test(arguments: [KioskIdentity.Progress.startedRegistration, .activated])
    func anUnfinishedRegistrationMakesALoneUserChooseNothing(_ progress: KioskIdentity.Progress) {
        let stranger = KioskIdentity(userID: "mallory@example.com", backend: "b", number: 7, progress: progress)
        let details = BackendSession(identities: [stranger, Samples.alice])
        var machine = KioskMachine.consenting(details)
        #expect(machine.view.lines.contains(Prompt(.consentUser, [.user: "a…@example.com"])))
        #expect(machine.keyPressed(.enter).contains(.perform(.startAuthentication(Samples.alice), .one)))
        // The stranger can continue from the choice.
        machine = KioskMachine.consenting(details)
        #expect(machine.keyPressed(.menu) == [.consented(.one)] && machine.view.stage == .identityChoice)
        // Two finished identities are a choice, and so are two unfinished ones.
        for others in [[stranger, Samples.alice, Samples.bob], [stranger, Samples.identity(progress)]] {
            machine = KioskMachine.consented(BackendSession(identities: others))
            #expect(machine.view.stage == .identityChoice)
        }
    }

    @Test func aBlockedIdentityIsDeletedAloneAndTold() {
        let blocked = Samples.identity(.blocked)
        var machine = KioskMachine.consenting(
            BackendSession(namedUser: blocked.userID, identities: [blocked, Samples.bob]))
        let actions = machine.keyPressed(.enter)
        #expect(actions.contains(.deleteIdentity(blocked)))
        #expect(!actions.contains(.deleteIdentity(Samples.bob)))
        #expect(actions.contains(.closeSession(.one, .blocked)))
        #expect(machine.view.title == Prompt(.blocked))
    }

    @Test(arguments: [
        (SessionOutcome.versionRefused, PromptKey.versionRefused, SessionOutcome.versionRefused),
        (.appRefused, .appRefused, .appRefused),
        (.invalidConfiguration, .invalidConfiguration, .invalidConfiguration),
        (.serviceUnavailable, .serviceUnavailable, .serviceUnavailable),
        (.failed, .serviceUnavailable, .serviceUnavailable),
        (.untrusted, .backendUntrusted, .untrusted),
        (.anotherService, .backendOfAnotherService, .anotherService),
        (.serverKeyRefused, .serverKeyRefused, .serverKeyRefused),
    ])
    func failuresOfTheService(reason: SessionOutcome, prompt: PromptKey, outcome: SessionOutcome) {
        var machine = KioskMachine.connecting()
        #expect(
            machine.stepEnded(.failure(Samples.failure(reason)), session: .one).contains(.closeSession(.one, outcome)))
        #expect(machine.view.title == Prompt(prompt))
    }

    @Test(arguments: [
        (SessionOutcome.failed, Prompt(.backendFailed, [.status: "STATUS"])),
        (.unreachable, Prompt(.unreachable)),
        (.untrusted, Prompt(.backendUntrusted)),
        (.anotherService, Prompt(.backendOfAnotherService)), (.serverKeyRefused, Prompt(.serverKeyRefused)),
    ])
    func failuresOfTheBackend(reason: SessionOutcome, prompt: Prompt) {
        var machine = KioskMachine.openingBackend()
        _ = machine.stepEnded(.failure(Samples.failure(reason)), session: .one)
        #expect(machine.view.title == prompt)
    }

    /// On a terminal of a few rows the person would agree to text that is not visible.
    @Test func nothingIsAgreedToOnAScreenWithoutRoomForIt() {
        var machine = KioskMachine.openingBackend()
        _ = machine.stepEnded(.success(.backendOpened(BackendSession(identities: [Samples.alice]))), session: .one)
        machine.screenMeasured(documentRoom: .standard, leavesFactsOut: true)
        #expect(machine.keyPressed(.enter) == [] && machine.view.stage == .consent)
        var other = machine
        other.screenMeasured(documentRoom: .standard, leavesFactsOut: false)
        #expect(other.keyPressed(.enter).first == .consented(.one))
        #expect(machine.keyPressed(.back).contains(.closeSession(.one, .declined)), "the ways out stay")
    }
}
