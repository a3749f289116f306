// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import LoginValues
import Testing

@Suite("A code in view starts at most one session")
struct CodeTests {
    static let view = KioskAction.startTimer(.view(Samples.digest("code 1")), KioskTiming.codeLeavesView, .none)

    @Test func aLoginCodeOpensASession() {
        var machine = KioskMachine.scanning()
        #expect(machine.start() == [Samples.wake])
        #expect(
            machine.symbolSeen(Samples.login()) == [
                Self.view, .stopTimer(.notice), .openSession(.one, Samples.handle),
                .startTimer(.session, KioskTiming.session, .one),
                .perform(.readService, .one),
            ])
        #expect(machine.view.stage == .connecting)
    }

    @Test func threeHundredFramesAreOneSession() {
        var machine = KioskMachine.scanning()
        var opened = 0
        for _ in 0..<300 {
            opened += machine.symbolSeen(Samples.login()).count { if case .openSession = $0 { true } else { false } }
        }
        #expect(opened == 1)
    }

    @Test func aScannedCodeThatTheServerDoesNotKnowIsAnOldOne() {
        var machine = KioskMachine.openingBackend()
        let actions = machine.stepEnded(.failure(Samples.failure(.sessionExpired)), session: .one)
        #expect(actions.contains(.closeSession(.one, .sessionExpired)))
        #expect(machine.view.title == Prompt(.sessionExpired))
    }

    /// The page has changed its code meanwhile. The kiosk says so before it asks for a PIN.
    @Test func aCodeThatHasChangedIsAnOldOne() {
        var machine = KioskMachine.openingBackend()
        let details = BackendSession(obstacle: .codeExpired, identities: [Samples.alice])
        let actions = machine.stepEnded(.success(.backendOpened(details)), session: .one)
        #expect(actions.contains(.closeSession(.one, .sessionExpired)))
        #expect(machine.view.title == Prompt(.sessionExpired))
    }

    @Test func anotherCodeDuringASessionIsIgnored() {
        var machine = KioskMachine.connecting()
        #expect(machine.symbolSeen(Samples.login("code 2")) == [])
        #expect(machine.session == .one)
    }

    @Test(arguments: [
        (CodeRefusal.notALogin(.noAccessCode), PromptKey.invalidCode, KioskTiming.invalidCodeNotice),
        (CodeRefusal.untrusted(.notListed), PromptKey.untrustedCode, KioskTiming.notice),
        (.untrusted(.loopbackHTTP), .loopbackCode, KioskTiming.notice),
    ])
    func aRefusedCodeIsTold(refusal: CodeRefusal, prompt: PromptKey, duration: Duration) {
        var machine = KioskMachine.scanning()
        let reading = CodeReading(digest: Samples.digest("code 1"), verdict: .refused(refusal))
        #expect(
            machine.symbolSeen(reading) == [
                Self.view, .refused(refusal), .startTimer(.notice, duration, .none), Samples.wake,
            ])
        #expect(machine.view.hint == Prompt(prompt))
        // The code is still in view: it is neither reported nor counted again.
        #expect(machine.symbolSeen(reading) == [Self.view])
        #expect(machine.timerFired(.notice, session: .none) == [])
        #expect(machine.view.hint == nil)
        // A refusal does not delay a login code.
        #expect(machine.symbolSeen(Samples.login("code 2")).contains(.openSession(.one, Samples.handle)))
    }

    @Test func aDeclinedCodeMayBeScannedAgainOnceItLeftTheView() {
        var machine = KioskMachine.consenting(BackendSession())
        _ = machine.keyPressed(.back)
        #expect(
            machine.timerFired(.outcome, session: .one) == [
                .stopTimer(.outcome), .resumeCamera, Self.view, Samples.wake,
            ])
        #expect(machine.symbolSeen(Samples.login()) == [Self.view])
        #expect(machine.timerFired(.view(Samples.digest("code 1")), session: .none) == [])
        #expect(machine.symbolSeen(Samples.login()).contains(.openSession(SessionNumber(2), Samples.handle)))
    }

    @Test func aTriedCodeIsUsedForTenMinutes() {
        var machine = KioskMachine.authenticating()
        let used = KioskAction.startTimer(
            .usedCode(Samples.digest("code 1")), KioskTiming.codeIsRemembered, .none)
        #expect(machine.stepEnded(.success(.authenticated()), session: .one).contains(used))
        _ = machine.keyPressed(.enter)
        _ = machine.timerFired(.view(Samples.digest("code 1")), session: .none)
        #expect(
            machine.symbolSeen(Samples.login()) == [
                Self.view, .refused(.alreadyUsed), .startTimer(.notice, KioskTiming.notice, .none), Samples.wake,
            ])
        #expect(machine.view.hint == Prompt(.codeAlreadyUsed))
        _ = machine.timerFired(.usedCode(Samples.digest("code 1")), session: .none)
        _ = machine.timerFired(.view(Samples.digest("code 1")), session: .none)
        #expect(machine.symbolSeen(Samples.login()).contains(.openSession(SessionNumber(2), Samples.handle)))
    }

    @Test(arguments: [(false, true), (true, false)])
    func onlyASentProofUsesACodeUp(passTwoWasSent: Bool, mayBeScannedAgain: Bool) {
        var machine = KioskMachine.authenticating()
        _ = machine.stepEnded(.failure(Samples.failure(.failed, passTwoWasSent: passTwoWasSent)), session: .one)
        _ = machine.keyPressed(.enter)
        _ = machine.timerFired(.view(Samples.digest("code 1")), session: .none)
        let isOpened = machine.symbolSeen(Samples.login()).contains(.openSession(SessionNumber(2), Samples.handle))
        #expect(isOpened == mayBeScannedAgain)
    }

    @Test func theCodesInViewAreBounded() {
        var machine = KioskMachine.scanning()
        for number in 0..<100 {
            let reading = CodeReading(
                digest: Samples.digest("\(number)"), verdict: .refused(.notALogin(.noAccessCode)))
            let stopped = machine.symbolSeen(reading).count { if case .stopTimer(.view) = $0 { true } else { false } }
            #expect(stopped == (number < 8 ? 0 : 1))
        }
    }

    @Test func withNothingTrustedNoCodeIsLookedAt() {
        var machine = KioskMachine(trustsAnything: false)
        #expect(machine.start() == [.pauseCamera])
        #expect(machine.symbolSeen(Samples.login()) == [])
        #expect(machine.keyPressed(.enter) == [])
        #expect(machine.view.title == Prompt(.firstRunTitle))
    }

    @Test func aMissingCameraIsTold() {
        var machine = KioskMachine.scanning()
        machine.cameraChanged(trouble: .missing)
        #expect(machine.view.tone == .trouble)
        machine.cameraChanged(trouble: nil)
        #expect(machine.view.tone == .ready)
    }

    /// Otherwise a camera that delivers undecodable pictures would count as working.
    @Test func picturesThatCannotBeDecodedAreTold() {
        var machine = KioskMachine.scanning()
        machine.cameraChanged(trouble: .undecodable)
        #expect(machine.view.tone == .trouble && machine.view.lines == [Prompt(.cameraUnreadable)])
        #expect(machine.condition == .withUnreadablePictures)
        machine.cameraChanged(trouble: .silent)
        #expect(machine.view.lines == [Prompt(.cameraMissing)])
        #expect(machine.condition == .withoutPictures)
        machine.cameraChanged(trouble: nil)
        #expect(machine.condition == .ready)
    }

    @Test func aMissingKeypadIsTold() {
        var machine = KioskMachine.scanning()
        #expect(machine.keypadChanged(isWorking: false) == [])
        #expect(machine.view.tone == .trouble)
        #expect(machine.view.lines == [Prompt(.keypadMissing)])
        #expect(machine.keypadChanged(isWorking: true) == [])
        #expect(machine.view.tone == .ready)
    }

    @Test func whatKeepsACodeFromBeingReadIsToldOnTheScanScreen() {
        var machine = KioskMachine.scanning()
        machine.hintChanged(.blurred)
        #expect(machine.view.hint == Prompt(.hintBlurred))
        machine.hintChanged(.tooBright)
        #expect(machine.view.hint == Prompt(.hintTooBright))
        // A remark on a code that was read is more useful.
        let reading = CodeReading(
            digest: Samples.digest("code 1"), verdict: .refused(.notALogin(.noAccessCode)))
        _ = machine.symbolSeen(reading)
        #expect(machine.view.hint == Prompt(.invalidCode))
        _ = machine.timerFired(.notice, session: .none)
        #expect(machine.view.hint == Prompt(.hintTooBright))
        machine.hintChanged(nil)
        #expect(machine.view.hint == nil)
    }

    @Test func everyHintHasASentenceOfItsOwn() {
        let prompts = ScannerHint.allCases.compactMap { hint in
            var machine = KioskMachine.scanning()
            machine.hintChanged(hint)
            return machine.view.hint
        }
        #expect(Set(prompts.map(\.key)).count == ScannerHint.allCases.count)
    }

    @Test func aHintDoesNotOutliveThePictureThatItIsAbout() {
        var machine = KioskMachine.scanning()
        machine.hintChanged(.tooDark)
        machine.cameraChanged(trouble: .missing)
        machine.cameraChanged(trouble: nil)
        #expect(machine.view.hint == nil)
        // Hints that arrive while the camera is paused are outdated.
        var asking = KioskMachine.consenting(BackendSession())
        asking.hintChanged(.tooDark)
        _ = asking.keyPressed(.back)
        _ = asking.timerFired(.outcome, session: .one)
        #expect(asking.view.stage == .scan && asking.view.hint == nil)
    }

    @Test func aTextThatWasJoinedFromSeveralCodesIsNoLogin() throws {
        let text = SecretBytes(copying: Array("https://login.example/mfa#123456".utf8))
        let sighting = Samples.sighting
        let whole = try #require(Symbol(payload: text, parts: 1, sighting: sighting))
        let joined = try #require(Symbol(payload: text, parts: 2, sighting: sighting))
        #expect(try LoginRequest(whole).baseURL.origin.host.description == "login.example")
        #expect(throws: CodeRefusal.divided) { try LoginRequest(joined) }
        let long = SecretBytes(copying: Array("https://login.example/#".utf8) + [UInt8](repeating: 49, count: 500))
        let tooLong = try #require(Symbol(payload: long, parts: 1, sighting: sighting))
        #expect(throws: CodeRefusal.notALogin(.tooLong)) { try LoginRequest(tooLong) }
    }
}

extension SessionNumber {
    static let one = SessionNumber(1)
}
