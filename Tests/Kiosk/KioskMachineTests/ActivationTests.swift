// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import LoginValues
import Testing

@Suite("Registering with a code")
struct ActivationTests {
    /// An identity before the device has stored anything.
    static let dave = KioskIdentity(userID: "dave@example.com", backend: "b", number: nil, progress: .activated)
    static let registeredDave = KioskIdentity(
        userID: "dave@example.com", backend: "b", number: 3, progress: .registered)
    static let waiting = KioskAction.startTimer(.session, KioskTiming.activation, .one)

    static func idle() -> KioskMachine {
        KioskMachine(trustsAnything: true, services: [Samples.domain], errands: [.enrolment, .verification])
    }

    /// The screen where the address is typed.
    static func opened(_ errand: Errand, _ identities: [KioskIdentity] = []) -> KioskMachine {
        var machine = idle()
        _ = machine.keyPressed(.menu)
        _ = machine.keyPressed(.digit(errand == .enrolment ? 1 : 2))
        _ = machine.stepEnded(.success(.serviceFound(Samples.service)), session: .one)
        _ = machine.stepEnded(.success(.backendOpened(BackendSession(identities: identities))), session: .one)
        return machine
    }

    static func typingCode(_ errand: Errand, _ identities: [KioskIdentity] = []) -> KioskMachine {
        var machine = opened(errand, identities)
        for character in "dave@example.com" { _ = machine.keyPressed(.character(character)) }
        _ = machine.keyPressed(.enter)
        if errand == .verification { _ = machine.stepEnded(.success(.verificationStarted(.codeOrLink)), session: .one) }
        return machine
    }

    static func registering(_ errand: Errand) -> KioskMachine {
        var machine = typingCode(errand)
        _ = machine.keyPressed(.codeKey)
        _ = machine.keyPressed(.enter)
        if errand == .verification { _ = machine.stepEnded(.success(.verified), session: .one) }
        return machine
    }

    static func choosingPIN(_ errand: Errand) -> KioskMachine {
        var machine = registering(errand)
        _ = machine.stepEnded(.success(.registrationStarted(dave)), session: .one)
        _ = machine.stepEnded(.success(.registrationConfirmed), session: .one)
        return machine
    }

    static func link(_ userID: String, service: Int? = 0) -> CodeReading {
        CodeReading(
            digest: Samples.digest("link"), verdict: .refused(.notALogin(.noAccessCode)),
            activation: .link(userID: userID, service: service), handle: Samples.handle)
    }

    @Test func theCodeOfAnotherDevice() {
        var machine = Self.opened(.enrolment)
        #expect(machine.view.stage == .identityEntry && machine.view.lines.first == Prompt(.identityEntryHelpCode))
        for character in "Dave@example.com" { _ = machine.keyPressed(.character(character)) }
        #expect(machine.keyPressed(.enter) == [Self.waiting])
        #expect(machine.view.stage == .activationEntry && machine.typesCode && machine.readsActivation)
        #expect(machine.view.entry == .code(SecretBytes(copying: [])), "the machine has no code")
        #expect(machine.keyPressed(.codeKey) == [Self.waiting])
        let step = KioskAction.perform(.startRegistrationWithCode(userID: "dave@example.com"), .one)
        #expect(machine.keyPressed(.enter).last == step)
        // The code replaces the mail's link.
        let confirm = KioskAction.perform(.confirmRegistration(Self.dave), .one)
        #expect(machine.stepEnded(.success(.registrationStarted(Self.dave)), session: .one).last == confirm)
        _ = machine.stepEnded(.success(.registrationConfirmed), session: .one)
        #expect(machine.view.stage == .newPIN)
        machine.typePIN()
        _ = machine.keyPressed(.enter)
        _ = machine.newPINJudged(.good)
        machine.typePIN()
        _ = machine.keyPressed(.enter)
        _ = machine.newPINsCompared(areEqual: true)
        let actions = machine.stepEnded(.success(.registrationFinished(Self.registeredDave)), session: .one)
        #expect(actions.contains(.closeSession(.one, .enrolled)))
        #expect(!actions.contains(.forgetShares(Self.dave)), "they have become the token")
        #expect(machine.view.tone == .success && machine.view.title == Prompt(.enrolled, [.number: "3"]))
    }

    @Test func theCodeOfAMail() {
        var machine = Self.opened(.verification)
        for character in "dave@example.com" { _ = machine.keyPressed(.character(character)) }
        let start = KioskAction.perform(.startVerification(userID: "dave@example.com"), .one)
        #expect(machine.keyPressed(.enter).last == start)
        #expect(machine.stepEnded(.success(.verificationStarted(.codeOrLink)), session: .one).first == Self.waiting)
        #expect(machine.view.lines.last == Prompt(.verificationHelp, [.user: "dave@example.com"]))
        _ = machine.keyPressed(.codeKey)
        let finish = KioskAction.perform(.finishVerification(userID: "dave@example.com"), .one)
        #expect(machine.keyPressed(.enter).last == finish)
        let register = KioskAction.perform(.startRegistrationWithCode(userID: "dave@example.com"), .one)
        #expect(machine.stepEnded(.success(.verified), session: .one).last == register)
    }

    /// The screen asks for what the mail has, also after a code that was refused.
    @Test(arguments: [
        (MailContent.code, PromptKey.verificationHelpCode), (.link, .verificationHelpLink),
        (.codeOrLink, .verificationHelp),
    ])
    func theScreenAsksForWhatTheMailHas(_ mail: MailContent, _ help: PromptKey) {
        let sentence = Prompt(help, [.user: "dave@example.com"])
        var machine = Self.opened(.verification)
        for character in "dave@example.com" { _ = machine.keyPressed(.character(character)) }
        _ = machine.keyPressed(.enter)
        _ = machine.stepEnded(.success(.verificationStarted(mail)), session: .one)
        #expect(machine.view.lines.last == sentence)
        _ = machine.keyPressed(.codeKey)
        _ = machine.keyPressed(.enter)
        _ = machine.stepEnded(.failure(Samples.failure(.notVerified)), session: .one)
        #expect(machine.view.hint == Prompt(.activationRefused) && machine.view.lines.last == sentence)
    }

    @Test func theLinkOfTheMailGoesOnAtOnce() {
        var machine = Self.typingCode(.verification)
        let actions = machine.symbolSeen(Self.link("DAVE@example.com"))
        #expect(actions.contains(.code(.takeScanned(Samples.handle))))
        #expect(actions.last == .perform(.finishVerification(userID: "dave@example.com"), .one))
        machine = Self.typingCode(.verification)
        #expect(!machine.symbolSeen(Self.link("eve@example.com")).contains(.code(.takeScanned(Samples.handle))))
        #expect(machine.view.hint == Prompt(.linkOfSomebodyElse))
    }

    @Test func aCodeInAPictureIsLookedAtFirst() {
        var machine = Self.typingCode(.enrolment)
        let reading = CodeReading(
            digest: Samples.digest("123456"), verdict: .refused(.notALogin(.noAccessCode)), activation: .code,
            handle: Samples.handle)
        #expect(machine.symbolSeen(reading).contains(.code(.takeScanned(Samples.handle))))
        #expect(machine.view.stage == .activationEntry && machine.view.hint == Prompt(.activationRead))
        // A login page in view is ignored here.
        #expect(machine.symbolSeen(Samples.login()).count == 1)
        #expect(machine.view.hint == Prompt(.activationRead))
    }

    @Test func aLinkOnTheIdleScreenBeginsItsErrand() {
        var machine = Self.idle()
        let actions = machine.symbolSeen(Self.link("dave@example.com"))
        #expect(
            actions.suffix(4) == [
                .openErrand(.one, .verification, service: 0), .code(.takeScanned(Samples.handle)),
                .startTimer(.session, KioskTiming.session, .one), .perform(.readService, .one),
            ])
        _ = machine.stepEnded(.success(.serviceFound(Samples.service)), session: .one)
        let finish = KioskAction.perform(.finishVerification(userID: "dave@example.com"), .one)
        #expect(machine.stepEnded(.success(.backendOpened(BackendSession())), session: .one).last == finish)
        // A link to a service that is not on the list is treated like any other code.
        machine = Self.idle()
        #expect(
            machine.symbolSeen(Self.link("dave@example.com", service: nil)).contains(
                .refused(.notALogin(.noAccessCode))))
        var without = KioskMachine(trustsAnything: true, services: [Samples.domain], errands: [.enrolment])
        #expect(!without.readsActivation)
        _ = without.symbolSeen(Self.link("dave@example.com"))
        #expect(without.view.stage == .scan)
    }

    @Test func whoIsRegisteredStays() {
        var machine = Self.typingCode(
            .enrolment, [KioskIdentity(userID: "dave@example.com", backend: "b", number: 1, progress: .registered)])
        #expect(machine.view.stage == .identityEntry && machine.view.hint == Prompt(.identityExists))
        machine = Self.idle()
        _ = machine.symbolSeen(Self.link("alice@example.com"))
        _ = machine.stepEnded(.success(.serviceFound(Samples.service)), session: .one)
        let actions = machine.stepEnded(
            .success(.backendOpened(BackendSession(identities: [Samples.alice]))), session: .one)
        #expect(actions.contains(.closeSession(.one, .identityExists)))
        #expect(!actions.contains(.cancelStep(.one)), "the backend has answered")
    }

    @Test func whatWasLeftUnfinishedMakesRoom() {
        #expect(Self.typingCode(.enrolment, [Self.dave]).view.stage == .activationEntry)
    }

    /// The possible answers to a code, and the screen that follows.
    @Test(arguments: [
        (SessionOutcome.notAuthorized, KioskStage.activationEntry, PromptKey.activationRefused),
        (.notVerified, .activationEntry, .activationRefused),
        (.registrationExpired, .activationEntry, .activationRefused),
        (.unreachable, .activationEntry, .unreachable), (.untrusted, .outcome, .backendUntrusted),
        (.anotherService, .outcome, .backendOfAnotherService),
        (.serverKeyRefused, .outcome, .serverKeyRefused),
        (.notOffered, .outcome, .errandNotOffered), (.storageFailed, .outcome, .storageFailed),
    ])
    func aCodeThatIsRefused(reason: SessionOutcome, stage: KioskStage, sentence: PromptKey) {
        var finishing = Self.typingCode(.verification)
        _ = finishing.keyPressed(.codeKey)
        _ = finishing.keyPressed(.enter)
        for var machine in [Self.registering(.enrolment), Self.registering(.verification), finishing] {
            let actions = machine.stepEnded(.failure(Samples.failure(reason)), session: .one)
            #expect(machine.view.stage == stage)
            #expect((stage == .outcome ? machine.view.title : machine.view.hint) == Prompt(sentence))
            #expect(actions.contains(.code(.wipe)) == (stage == .activationEntry))
        }
    }

    @Test(arguments: [
        (SessionOutcome.notVerified, KioskStage.identityEntry, PromptKey.verificationRefused),
        (.codeRefused, .identityEntry, .verificationRefused), (.notAuthorized, .identityEntry, .notAuthorized),
        (.unreachable, .identityEntry, .unreachable), (.notOffered, .outcome, .errandNotOffered),
    ])
    func aMailThatIsNotSent(reason: SessionOutcome, stage: KioskStage, sentence: PromptKey) {
        var machine = Self.opened(.verification)
        for character in "dave@example.com" { _ = machine.keyPressed(.character(character)) }
        _ = machine.keyPressed(.enter)
        _ = machine.stepEnded(.failure(Samples.failure(reason)), session: .one)
        #expect(machine.view.stage == stage)
        #expect((stage == .outcome ? machine.view.title : machine.view.hint) == Prompt(sentence))
    }

    @Test(arguments: [
        (SessionOutcome.unreachable, SessionOutcome.unreachable, false), (.storageFailed, .storageFailed, false),
        (.registrationExpired, .registrationExpired, true), (.notVerified, .notOffered, true),
        (.failed, .registrationFailed, true), (.notAuthorized, .notAuthorized, true),
    ])
    func sharesThatDoNotCome(reason: SessionOutcome, outcome: SessionOutcome, isDeleted: Bool) {
        var machine = Self.registering(.enrolment)
        _ = machine.stepEnded(.success(.registrationStarted(Self.dave)), session: .one)
        let actions = machine.stepEnded(.failure(Samples.failure(reason)), session: .one)
        #expect(actions.contains(.closeSession(.one, outcome)))
        #expect(actions.contains(.deleteIdentity(Self.dave)) == isDeleted)
        // It is unknown whether the shares were given out: they are forgotten with the identity, or alone.
        #expect(actions.contains(.forgetShares(Self.dave)) == !isDeleted)
        #expect(machine.view.stage == .outcome && machine.view.tone == .failure)
    }

    @Test func leavingAtThePINForgetsTheShares() {
        var machine = Self.choosingPIN(.enrolment)
        let actions = machine.keyPressed(.back)
        #expect(actions.contains(.forgetShares(Self.dave)) && actions.contains(.closeSession(.one, .declined)))
        #expect(machine.view.title == Prompt(.newCodeNeeded))
    }

    @Test func aPINThatCannotBeSavedTakesItsIdentityAlong() {
        var machine = Self.choosingPIN(.verification)
        machine.typePIN()
        _ = machine.keyPressed(.enter)
        _ = machine.newPINJudged(.good)
        machine.typePIN()
        _ = machine.keyPressed(.enter)
        _ = machine.newPINsCompared(areEqual: true)
        let actions = machine.stepEnded(.failure(Samples.failure(.storageFailed)), session: .one)
        #expect(actions.contains(.deleteIdentity(Self.dave)))
    }
}
