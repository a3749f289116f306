// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import LoginValues
import Testing

@Suite("No PIN is asked for before the person agrees to service and domain")
struct ConsentTests {
    @Test func namesWhoAsks() {
        let details = BackendSession(
            application: DisplayText("Shop"), customer: DisplayText("ACME"), namedUser: "alice@example.com",
            isUserVerified: true, identities: [Samples.alice, Samples.bob])
        let visit = Visit.openingBackend.answered(.backendOpened(details)).play("=> stopTimer view, pauseCamera")
        #expect(
            visit.view
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
    @Test func showsTheTask() {
        let details = BackendSession(task: DisplayText("Open the archive\nDomain: a"), identities: [Samples.alice])
        let view = Visit.openingBackend.answered(.backendOpened(details)).view
        #expect(view.lines.last == Prompt(.consentTask, [.name: "Open the archive Domain: a"]))
        #expect(view.factCount == view.lines.count)
        Visit.consent().play("no consentTask")
    }

    /// The host where the PIN takes effect comes first, and the code's service cannot hide it.
    @Test(arguments: [
        ("login.example.com", ""), ("backend.example.com", " + consentOnBehalf(login.example.com)"),
    ])
    func namesABackendElsewhereWithTheService(backend: String, more: String) {
        let both = "consentService(Example) + consentDomain(\(backend))\(more)"
        Visit.connecting.play(
            """
            answer serviceFound \(backend); answer backendOpened alice
            wait consent, lines \(both) + consentUser(a…@example.com)
            key enter; answer authenticationStarted
            wait pin, lines pinUser(a…@example.com) + \(both) + pinHelpAny
            """)
    }

    /// Projects of the platform have none.
    @Test func callsAServiceWithoutANameByItsDomain() {
        Visit.connecting.answered(.serviceFound(DisplayText(" "))).play(
            """
            title connectingTo(login.example.com); answer backendOpened alice
            lines consentDomain(login.example.com) + consentUser(a…@example.com)
            key enter; answer authenticationStarted; key 2583 enter; answer authenticated
            lines successAt(login.example.com)
            """)
    }

    /// Somebody else's login page, shown to a person here: the warning and the way to cancel come first.
    @Test func warnsOfABrowserAtAnotherPlace() {
        Visit.consent("alice elsewhere").play(
            """
            wait consent, tone trouble, facts 4
            lines browserElsewhere + consentService(Example) + consentDomain(login.example.com) \
            + consentUser(a…@example.com)
            keys back actionNotMe + enter actionOK + menu actionSomeoneElse
            key enter -> consented
            """)
        Visit.consent().play("tone ask, no browserElsewhere")
    }

    /// If the service says that the login would fail, no PIN is asked for.
    @Test func endsALoginThatIsRefusedElsewhereBeforeThePIN() {
        let details = BackendSession(
            isBrowserElsewhere: true, obstacle: .browserElsewhere, identities: [Samples.alice])
        Visit.openingBackend.answered(.backendOpened(details)).play(
            "-> abort, closeSession notAuthorized; title browserElsewhereRefused, lines nextNotYours")
    }

    @Test(arguments: ["back", "clear"]) func aNoAbortsUpstream(key: String) {
        Visit.consent().play(
            """
            key \(key) => consentRefused, abort, stopTimer session, stopTimer entry, stopTimer wrongPIN, \
            closeSession declined, startTimer outcome 8s
            title declined, lines nextNotYours
            """)
    }

    @Test func abortsNothingBeforeTheServerKnowsTheCode() {
        Visit.connecting.play(
            """
            key back => cancelStep, stopTimer session, stopTimer entry, stopTimer wrongPIN, stopTimer view, \
            pauseCamera, closeSession declined, startTimer outcome 8s
            """)
    }

    @Test func theUserOfThePageLogsIn() {
        Visit.consent("alice bob named Bob@Example.com").play(
            """
            key menu => nothing
            key enter => consented, startTimer wait, perform startAuthentication bob
            """)
        Visit.consented("alice named carol@example.com").play("wait identityEntry, entry text carol@example.com")
    }

    @Test func theOnlyIdentityLogsIn() {
        Visit.consent().play(
            """
            key enter => consented, startTimer wait, perform startAuthentication alice
            or
            # Somebody else may come.
            offers menu actionSomeoneElse; key menu => consented; wait identityChoice
            """)
    }

    @Test func withoutAnIdentityThePersonRegisters() {
        // The address may be in a QR code, so the camera looks again.
        Visit.consent("").play(
            """
            key enter => consented, startTimer session 60s, resumeCamera, startTimer view login 3s
            wait identityEntry
            """)
    }

    @Test func severalIdentitiesAreChosenByNumber() {
        Visit.consented("alice bob").play(
            """
            wait identityChoice; key enter => nothing
            key 7 enter => nothing
            hint choiceUnknown; key 2; entry text 2; key enter => startTimer wait, perform startAuthentication bob
            answer authenticationStarted; line pinUser(b…@example.com)
            or
            key 0 enter; wait identityEntry
            """)
    }

    /// A stranger may begin a registration and leave.
    @Test(arguments: [KioskIdentity.Progress.startedRegistration, .activated])
    func anUnfinishedRegistrationMakesALoneUserChooseNothing(_ progress: KioskIdentity.Progress) {
        let stranger = KioskIdentity(userID: "mallory@example.com", backend: "b", number: 7, progress: progress)
        func consent(_ people: KioskIdentity...) -> Visit {
            Visit.openingBackend.answered(.backendOpened(BackendSession(identities: people)))
        }
        consent(stranger, Samples.alice).play(
            """
            line consentUser(a…@example.com); key enter -> perform startAuthentication alice
            or
            # The stranger can continue from the choice.
            key menu => consented; wait identityChoice
            """)
        // Two finished identities are a choice, and so are two unfinished ones.
        consent(stranger, Samples.alice, Samples.bob).play("key enter; wait identityChoice")
        consent(stranger, Samples.identity(progress)).play("key enter; wait identityChoice")
    }

    @Test func aBlockedIdentityIsDeletedAloneAndTold() {
        Visit.consent("blocked bob named alice@example.com").play(
            "key enter -> deleteIdentity blocked, closeSession blocked, no deleteIdentity bob; title blocked")
    }

    @Test(arguments: [
        ("versionRefused", "versionRefused", "versionRefused"), ("appRefused", "appRefused", "appRefused"),
        ("invalidConfiguration", "invalidConfiguration", "invalidConfiguration"),
        ("serviceUnavailable", "serviceUnavailable", "serviceUnavailable"),
        ("failed", "serviceUnavailable", "serviceUnavailable"), ("untrusted", "untrusted", "backendUntrusted"),
        ("anotherService", "anotherService", "backendOfAnotherService"),
        ("serverKeyRefused", "serverKeyRefused", "serverKeyRefused"),
    ])
    func failuresOfTheService(reason: String, outcome: String, title: String) {
        Visit.connecting.play("fail \(reason) -> closeSession \(outcome); title \(title)")
    }

    @Test(arguments: [
        ("failed", "backendFailed(STATUS)"), ("unreachable", "unreachable"), ("untrusted", "backendUntrusted"),
        ("anotherService", "backendOfAnotherService"), ("serverKeyRefused", "serverKeyRefused"),
    ])
    func failuresOfTheBackend(reason: String, title: String) {
        Visit.openingBackend.play("fail \(reason); title \(title)")
    }

    /// On a terminal of a few rows the person would agree to text that is not visible.
    @Test func nothingIsAgreedToOnAScreenWithoutRoomForIt() {
        func measured(_ visit: Visit, leavesFactsOut: Bool) -> Visit {
            visit.after { machine in
                machine.screenMeasured(documentRoom: .standard, leavesFactsOut: leavesFactsOut)
                return []
            }
        }
        let small = measured(.consent(), leavesFactsOut: true).play("key enter => nothing; wait consent")
        measured(small, leavesFactsOut: false).play("key enter -> consented")
        // The ways out stay.
        small.play("key back -> closeSession declined")
    }
}
