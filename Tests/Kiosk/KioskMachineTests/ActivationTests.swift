// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import LoginValues
import Testing

@Suite("Registering with a code")
struct ActivationTests {
    static func reading(_ activation: ActivationReading, _ text: String = "link") -> CodeReading {
        CodeReading(
            digest: Samples.digest(text), decision: .refused(.notALogin(.noAccessCode)), activation: activation,
            handle: Samples.handle)
    }

    static let codes: [String: CodeReading] = [
        "link to dave": reading(.link(userID: "DAVE@example.com", service: 0), "dave"),
        "link to eve": reading(.link(userID: "eve@example.com", service: 0), "eve"),
        "link to alice": reading(.link(userID: "alice@example.com", service: 0), "alice"),
        "link elsewhere": reading(.link(userID: "dave@example.com", service: nil)),
        "activation code": reading(.code, "123456"),
    ]

    static func idle(_ tasks: [KioskTask] = [.registerWithCode, .verification]) -> Visit {
        Visit(KioskMachine(trustsAnything: true, services: [Samples.domain], tasks: tasks), codes: codes)
    }

    /// The screen where the address is typed.
    static func opened(_ task: KioskTask, _ session: String = "") -> Visit {
        idle([task]).play("key menu 1; connect \(session)")
    }

    static func typingCode(_ task: KioskTask, _ session: String = "") -> Visit {
        let visit = opened(task, session).play("type dave@example.com; key enter")
        return task == .verification ? visit.play("answer verificationStarted") : visit
    }

    static func registering(_ task: KioskTask) -> Visit {
        let visit = typingCode(task).play("key 1 enter")
        return task == .verification ? visit.play("answer verified") : visit
    }

    static func choosingPIN(_ task: KioskTask) -> Visit {
        registering(task).play("answer registrationStarted new-dave; answer registrationConfirmed")
    }

    @Test func registersWithTheCodeOfAnotherDevice() {
        let asked = Self.opened(.registerWithCode).play(
            """
            wait identityEntry, line identityEntryHelpCode
            type Dave@example.com; key enter => startTimer session 300s
            wait activationEntry, entry code
            """)
        #expect(asked.machine.typesCode && asked.machine.readsActivation)
        asked.play(
            """
            key 7 => startTimer session 300s
            key enter -> perform startRegistrationWithCode dave@example.com
            # The code replaces the mail's link.
            answer registrationStarted new-dave -> perform confirmRegistration new-dave
            answer registrationConfirmed; wait newPIN; key 2583 enter 2583 enter
            # The shares have become the token.
            answer registrationFinished dave -> closeSession registered, no forgetShares
            tone success, title registrationDone(3)
            """)
    }

    @Test func registersWithTheCodeOfAMail() {
        Self.opened(.verification).play(
            """
            type dave@example.com; key enter -> perform startVerification dave@example.com
            answer verificationStarted -> startTimer session 300s; line verificationHelp(dave@example.com)
            key 4 enter -> perform finishVerification dave@example.com
            answer verified -> perform startRegistrationWithCode dave@example.com
            """)
    }

    /// The screen asks for what the mail has, also after a code that was refused.
    @Test(arguments: [
        (MailContent.code, PromptKey.verificationHelpCode), (.link, .verificationHelpLink),
        (.codeOrLink, .verificationHelp),
    ])
    func asksForWhatTheMailHas(_ mail: MailContent, _ help: PromptKey) {
        Self.opened(.verification).play(
            """
            type dave@example.com; key enter; answer verificationStarted \(mail); line \(help)(dave@example.com)
            key 4 enter; fail notVerified; hint activationRefused, line \(help)(dave@example.com)
            """)
    }

    @Test func theLinkOfTheMailGoesOnAtOnce() {
        Self.typingCode(.verification).play(
            """
            qr link to dave -> code takeScanned, perform finishVerification dave@example.com
            or
            qr link to eve -> no code takeScanned; hint linkOfSomebodyElse
            """)
    }

    @Test func showsACodeInAPictureFirst() {
        Self.typingCode(.registerWithCode).play(
            """
            qr activation code -> code takeScanned; wait activationEntry, hint activationRead
            # A login page in view is ignored here.
            qr login => startTimer view; hint activationRead
            """)
    }

    @Test func aLinkOnTheIdleScreenBeginsItsTask() {
        Self.idle().play(
            """
            qr link to dave -> openTask verification 0, code takeScanned, startTimer session 60s, perform readService
            connect -> perform finishVerification DAVE@example.com
            or
            # A link to a service that is not on the list is treated like any other code.
            qr link elsewhere -> refused notALogin
            or
            # A person who is registered stays so. The backend has answered, so there is nothing to cancel.
            qr link to alice; connect alice -> closeSession identityExists, no cancelStep
            """)
        let without = Self.idle([.registerWithCode]).play("qr link to dave; wait scan")
        #expect(!without.machine.readsActivation)
    }

    @Test func whoIsRegisteredStaysAndWhatIsUnfinishedMakesRoom() {
        Self.typingCode(.registerWithCode, "dave").play("wait identityEntry, hint identityExists")
        Self.typingCode(.registerWithCode, "new-dave").play("wait activationEntry")
    }

    /// The possible answers to a code, and the screen that follows.
    @Test(arguments: [
        ("notAuthorized", "-> code wipe; wait activationEntry, hint activationRefused"),
        ("notVerified", "-> code wipe; wait activationEntry, hint activationRefused"),
        ("registrationExpired", "-> code wipe; wait activationEntry, hint activationRefused"),
        ("unreachable", "-> code wipe; wait activationEntry, hint unreachable"),
        ("untrusted", "-> no code wipe; wait outcome, title backendUntrusted"),
        ("anotherService", "-> no code wipe; wait outcome, title backendOfAnotherService"),
        ("serverKeyRefused", "-> no code wipe; wait outcome, title serverKeyRefused"),
        ("notOffered", "-> no code wipe; wait outcome, title taskNotOffered"),
        ("storageFailed", "-> no code wipe; wait outcome, title storageFailed"),
    ])
    func aCodeIsRefused(reason: String, result: String) {
        for visit in [
            Self.registering(.registerWithCode), Self.registering(.verification),
            Self.typingCode(.verification).play("key 4 enter"),
        ] { visit.play("fail \(reason); \(result)") }
    }

    @Test(arguments: [
        ("notVerified", "wait identityEntry, hint verificationRefused"),
        ("codeRefused", "wait identityEntry, hint verificationRefused"),
        ("notAuthorized", "wait identityEntry, hint notAuthorized"),
        ("unreachable", "wait identityEntry, hint unreachable"), ("notOffered", "wait outcome, title taskNotOffered"),
    ])
    func aMailIsNotSent(reason: String, result: String) {
        Self.opened(.verification).play("type dave@example.com; key enter; fail \(reason); \(result)")
    }

    /// It is unknown whether the shares were given out: they are forgotten with the identity, or alone.
    @Test(arguments: [
        ("unreachable", "unreachable", false), ("storageFailed", "storageFailed", false),
        ("registrationExpired", "registrationExpired", true), ("notVerified", "notOffered", true),
        ("failed", "registrationFailed", true), ("notAuthorized", "notAuthorized", true),
    ])
    func sharesDoNotCome(reason: String, outcome: String, isDeleted: Bool) {
        Self.registering(.registerWithCode).play(
            """
            answer registrationStarted new-dave; fail \(reason) -> closeSession \(outcome)
            -> \(isDeleted ? "deleteIdentity new-dave, no forgetShares" : "forgetShares new-dave, no deleteIdentity")
            wait outcome, tone failure
            """)
    }

    @Test func leavingAtThePINForgetsTheShares() {
        Self.choosingPIN(.registerWithCode).play(
            """
            key back -> forgetShares new-dave; -> closeSession declined; title newCodeNeeded
            """)
        // A PIN that cannot be saved takes its identity along.
        Self.choosingPIN(.verification).play(
            "key 2583 enter 2583 enter; fail storageFailed -> deleteIdentity new-dave")
    }
}
