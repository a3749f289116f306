// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import LoginValues
import Testing

@Suite("A document must be read to its end before it is signed")
struct SigningTests {
    static let tail = "… 89ab cdef"
    static let fingerprint = Prompt(.documentFingerprint, [.hash: tail])

    static func sees(_ document: Result<DocumentText, DocumentTextError>?, _ code: String = "text") -> CodeReading {
        CodeReading(
            digest: Samples.digest(code),
            verdict: document == nil ? .login(domain: Samples.domain) : .refused(.notALogin(.noAccessCode)),
            document: document)
    }

    @Test func theWholeWay() {
        var machine = KioskMachine.readingSigner()
        #expect(machine.session == .one && machine.view.stage != .documentChoice)
        #expect(
            machine.stepEnded(.success(.signerRead(KioskMachine.signer(.withPIN))), session: .one) == [
                .startTimer(.session, KioskTiming.typing, .one), .resumeCamera,
            ])
        #expect(machine.view.stage == .documentChoice && machine.readsDocument)
        #expect(
            machine.view.lines == [
                Prompt(.documentChoiceCode), Prompt(.documentChoiceNumber),
                Prompt(.listEntry, [.number: "1", .user: "Rent"]), Prompt(.listEntry, [.number: "2", .user: "Lease"]),
            ])
        _ = machine.keyPressed(.digit(2))
        #expect(
            machine.keyPressed(.enter) == [.pauseCamera, .startTimer(.session, KioskTiming.reading, .one)])
        #expect(machine.view.lines == [Prompt(.documentName, [.name: "Lease"]), Self.page(1)])
        #expect(machine.view.document?.lines.first?.shown == "1")
        _ = machine.keyPressed(.enter)
        #expect(machine.view.lines.last == Self.page(2))
        _ = machine.keyPressed(.menu)
        #expect(machine.view.document?.lines.map(\.shown) == ["21", "22", "23", "24", "25"])
        #expect(machine.view.actions.first == ViewAction(.enter, .actionContinue))
        #expect(machine.keyPressed(.enter) == [.startTimer(.session, KioskTiming.reading, .one)])
        #expect(machine.view.stage == .signQuestion && machine.view.lines.last == Prompt(.signQuestionHelp))
        #expect(
            machine.keyPressed(.enter) == [
                Samples.wait, .startTimer(.session, KioskTiming.session, .one),
                .perform(.prepareDocument(Samples.templates[1].text), .one),
            ])
        #expect(
            machine.stepEnded(.success(.documentPrepared(Samples.hash)), session: .one) == [
                .startTimer(.entry, KioskTiming.entry, .one)
            ])
        #expect(machine.view.stage == .pin && machine.view.title == Prompt(.signingPINTitle))
        #expect(machine.view.lines.prefix(2) == [Prompt(.documentName, [.name: "Lease"]), Self.fingerprint])
        machine.typePIN()
        let signer = KioskMachine.signer(.withPIN)
        #expect(machine.keyPressed(.enter).last == .perform(.sign(signer, Samples.hash), .one))
        _ = machine.timerFired(.wait, session: .one)
        #expect(machine.view.stage == .signing && machine.view.tone == .working)
        #expect(machine.refuses(.authenticated()), "no browser was logged in")
        #expect(machine.stepEnded(.success(.signed), session: .one).contains(.closeSession(.one, .signed)))
        #expect(machine.view.title == Prompt(.signed) && machine.view.tone == .success)
        #expect(
            machine.view.lines == [
                Prompt(.signer, [.user: "alice@example.com"]), Prompt(.documentName, [.name: "Lease"]),
                Self.fingerprint,
            ])
    }

    private static func page(_ number: Int, of count: Int = 3) -> Prompt {
        Prompt(.documentPage, [.page: "\(number)", .pages: "\(count)"])
    }

    @Test func pagesAreTurnedBothWaysAndNotPastTheEnd() {
        var machine = KioskMachine.reading(2)
        _ = machine.keyPressed(.menu)
        _ = machine.keyPressed(.menu)
        #expect(machine.keyPressed(.menu) == [] && machine.view.lines.last == Self.page(3), "MENU only turns")
        _ = machine.keyPressed(.back)
        #expect(machine.view.lines.last == Self.page(2))
        _ = machine.keyPressed(.back)
        _ = machine.keyPressed(.back)
        #expect(machine.view.stage == .documentChoice, "another document")
        machine = .reading(1)
        #expect(machine.keyPressed(.clear) == [] && machine.keyPressed(.digit(5)) == [])
        _ = machine.keyPressed(.enter)
        #expect(machine.view.stage == .signQuestion)
        _ = machine.keyPressed(.back)
        #expect(machine.view.stage == .document)
    }

    @Test func theTextOfACodeIsADocument() {
        var machine = KioskMachine.choosingDocument()
        _ = machine.symbolSeen(Self.sees(.success(Samples.document("I owe you\u{202E}"))))
        #expect(machine.view.document?.lines.map(\.shown) == ["I owe you‹U+202E›"])
        #expect(machine.view.hint == Prompt(.documentMark) && machine.view.lines == [Self.page(1, of: 1)])
        machine = .choosingDocument()
        let refusals: [(Result<DocumentText, DocumentTextError>?, PromptKey)] = [
            (.failure(.notUTF8), .documentUnreadable), (.failure(.tooLong(1)), .documentTooLong),
            (.failure(.empty), .documentUnreadable), (nil, .documentIsLogin),
        ]
        for (index, (document, hint)) in refusals.enumerated() {
            _ = machine.symbolSeen(Self.sees(document, "code \(index)"))
            #expect(machine.view.stage == .documentChoice && machine.view.hint == Prompt(hint))
        }
    }

    @Test func anUnknownNumberIsAskedAgain() {
        var machine = KioskMachine.choosingDocument()
        #expect(machine.keyPressed(.enter) == [], "nothing typed")
        for number: UInt8 in [0, 3] {
            _ = machine.keyPressed(.digit(number))
            _ = machine.keyPressed(.enter)
            #expect(machine.view.hint == Prompt(.documentUnknown) && machine.view.entry == .text(""))
        }
        _ = machine.keyPressed(.digit(1))
        _ = machine.keyPressed(.back)
        #expect(machine.view.entry == .text(""))
        #expect(machine.keyPressed(.back).contains(.closeSession(.one, .declined)))
        #expect(machine.view.title == Prompt(.signingDeclined) && machine.view.lines == [Prompt(.nextSignAgain)])
    }

    @Test func whoCannotSignIsTold() {
        var machine = KioskMachine.readingSigner()
        #expect(
            machine.stepEnded(.success(.signerRead(Samples.alice)), session: .one).contains(
                .closeSession(.one, .notOffered)))
        #expect(machine.view.title == Prompt(.signingImpossible) && machine.view.lines == [Prompt(.nextAskService)])
    }

    /// Only the person chose its length, so the screen tells a stranger nothing of it.
    @Test(arguments: 4...6) func aPINOfItsOwnHasASecretLength(digits: Int) {
        var machine = KioskMachine.preparingDocument(ability: .withOwnPIN)
        _ = machine.stepEnded(.success(.documentPrepared(Samples.hash)), session: .one)
        #expect(machine.view.title == Prompt(.ownSigningPINTitle))
        #expect(machine.view.lines.last == Prompt(.pinHelpAny))
        machine.typePIN(digits: 3)
        #expect(machine.keyPressed(.enter) == [])
        machine.typePIN(digits: digits - 3)
        #expect(machine.view.entry == .masked(count: digits, capacity: 6))
        #expect(!machine.keyPressed(.enter).isEmpty)
    }

    @Test func aKeyForSigningIsMadeFirst() {
        var machine = KioskMachine.readingSigner()
        let signer = KioskMachine.signer(.needsKey)
        _ = machine.stepEnded(.success(.signerRead(signer)), session: .one)
        #expect(machine.view.title == Prompt(.signingKeyTitle) && machine.view.lines.first == Prompt(.signingKeyHelp))
        machine.typePIN()
        #expect(machine.keyPressed(.enter).last == .perform(.startSigningKey(signer), .one))
        #expect(machine.refuses(.signed), "there is no key yet")
        _ = machine.stepEnded(.success(.signingKeyStarted), session: .one)
        #expect(machine.view.title == Prompt(.newSigningPINTitle))
        machine.typePIN()
        _ = machine.keyPressed(.enter)
        _ = machine.newPINJudged(.good)
        #expect(machine.view.title == Prompt(.newSigningPINAgainTitle))
        machine.typePIN()
        _ = machine.keyPressed(.enter)
        #expect(machine.newPINsCompared(areEqual: true).last == .perform(.finishSigningKey(signer), .one))
        _ = machine.stepEnded(.success(.signingKeyFinished(KioskMachine.signer(.withOwnPIN))), session: .one)
        #expect(machine.view.stage == .documentChoice && machine.view.hint == Prompt(.signingKeyReady))
    }

    /// Only its shares are deleted, and nothing of the registration.
    @Test func aKeyThatIsNotFinishedIsForgotten() {
        for leave in [true, false] {
            var machine = KioskMachine.gettingSigningKey()
            _ = machine.stepEnded(.success(.signingKeyStarted), session: .one)
            let actions = leave ? machine.keyPressed(.back) : machine.timerFired(.entry, session: .one)
            #expect(actions.contains(.forgetShares(KioskMachine.signer(.needsKey))))
            #expect(!actions.contains { if case .deleteIdentity = $0 { true } else { false } })
            #expect(machine.view.title == Prompt(leave ? .signingDeclined : .signingTimedOut))
        }
        var machine = KioskMachine.gettingSigningKey()
        _ = machine.timerFired(.session, session: .one)
        #expect(machine.view.title == Prompt(.unreachable), "without a key nothing was signed")
        machine = .keepingSigningKey()
        _ = machine.stepEnded(.failure(Samples.failure(.storageFailed)), session: .one)
        #expect(machine.view.title == Prompt(.signingKeyFailed, [.status: "STATUS"]))
    }

    @Test func aDocumentThatIsAnotherStops() {
        var machine = KioskMachine.preparingDocument()
        let actions = machine.stepEnded(.failure(Samples.failure(.documentDiffers)), session: .one)
        #expect(actions.contains(.closeSession(.one, .documentDiffers)))
        #expect(
            machine.view.title == Prompt(.documentNotVerified) && machine.view.lines == [Prompt(.nextNothingSigned)])
    }

    @Test func aWrongPINIsAskedAgainAfterAPause() {
        var machine = KioskMachine.signing()
        let actions = machine.stepEnded(.failure(Samples.failure(.wrongPIN, passTwoWasSent: true)), session: .one)
        #expect(actions.contains(.startTimer(.wrongPIN, .seconds(1), .one)))
        _ = machine.timerFired(.wrongPIN, session: .one)
        #expect(machine.view.stage == .pin && machine.view.title == Prompt(.signingPINTitle))
    }

    @Test(arguments: [
        (SessionOutcome.blocked, SessionOutcome.blocked, PromptKey.blocked, false),
        (.revoked, .revoked, .revoked, true), (.secretExpired, .secretExpired, .secretExpired, true),
        (.signatureRefused, .signatureRefused, .signatureRefused, false),
        (.outcomeUnknown, .outcomeUnknown, .signingOutcomeUnknown, false),
        (.sessionExpired, .sessionExpired, .errandExpired, false), (.failed, .failed, .signingFailed, false),
        (.unreachable, .unreachable, .unreachable, false),
    ])
    func everyOtherEnd(reason: SessionOutcome, outcome: SessionOutcome, title: PromptKey, isDeleted: Bool) {
        var machine = KioskMachine.signing()
        let actions = machine.stepEnded(.failure(Samples.failure(reason)), session: .one)
        #expect(actions.contains(.closeSession(.one, outcome)))
        #expect(actions.contains(.deleteIdentity(KioskMachine.signer(.withPIN))) == isDeleted)
        #expect(machine.view.title.key == title)
    }

    @Test func aScannedSessionIsSignedUnseenAndSaysSo() {
        var machine = KioskMachine.consentingToSign(
            SigningRequest(description: Samples.document("A lease"), hash: Samples.hash))
        #expect(machine.view.stage == .consent && machine.view.title == Prompt(.consentSignTitle))
        #expect(
            machine.keyPressed(.enter) == [
                .consented(.one), Samples.wait, .startTimer(.session, KioskTiming.session, .one),
                .perform(.readSigner(Samples.alice), .one),
            ])
        let signer = KioskMachine.signer(.withPIN)
        _ = machine.stepEnded(.success(.signerRead(signer)), session: .one)
        #expect(machine.view.stage == .document && machine.view.lines.contains(Prompt(.documentDescription)))
        _ = machine.keyPressed(.enter)
        #expect(machine.view.lines.suffix(2) == [Self.fingerprint, Prompt(.signQuestionDescribed)])
        _ = machine.keyPressed(.enter)
        #expect(machine.view.stage == .pin, "the hash is known")
        machine.typePIN()
        #expect(machine.keyPressed(.enter).last == .perform(.sign(signer, Samples.hash), .one))
        let actions = machine.stepEnded(.success(.signed), session: .one)
        #expect(actions.contains(.closeSession(.one, .signed)) && !actions.contains(.abort(.one)))
        #expect(machine.view.title == Prompt(.signedForSession))
    }

    @Test func aScannedSessionThatIsLeftIsAborted() {
        let states: [(String, KioskMachine)] = [
            ("consent", .consentingToSign(SigningRequest(description: nil, hash: Samples.hash))),
            ("reading", .readingScanned()), ("question", .readingScanned(nil)),
        ]
        for (name, state) in states {
            var machine = state
            let actions = machine.keyPressed(.back)
            #expect(actions.contains(.abort(.one)) && actions.contains(.closeSession(.one, .declined)), "\(name)")
            #expect(machine.view.title == Prompt(.signingDeclined), "\(name)")
            machine = state
            #expect(machine.timerFired(.session, session: .one).contains(.abort(.one)), "\(name)")
            machine = state
            #expect(machine.stop().contains(.abort(.one)), "\(name)")
        }
    }

    @Test func aScannedSessionThatIsOverIsScannedAnew() {
        var machine = KioskMachine.signingScanned()
        _ = machine.stepEnded(.failure(Samples.failure(.sessionExpired, passTwoWasSent: true)), session: .one)
        #expect(machine.view.stage == .outcome && machine.view.title == Prompt(.signingExpired))
    }

    @Test func whatIsSignedAlreadyIsNotSignedAgain() {
        let machine = KioskMachine.consentingToSign(
            SigningRequest(description: nil, hash: Samples.hash, isSigned: true))
        #expect(machine.view.stage == .outcome && machine.view.title == Prompt(.signingExpired))
    }

    @Test func aHashIsSixtyFourDigits() {
        #expect(DocumentHash(String(repeating: "AB", count: 32))?.hexadecimal == String(repeating: "ab", count: 32))
        for text in [
            "", "ab", String(repeating: "g", count: 64), String(repeating: "a", count: 65),
            "é" + String(repeating: "a", count: 62),
        ] {
            #expect(DocumentHash(text) == nil)
        }
    }
}
