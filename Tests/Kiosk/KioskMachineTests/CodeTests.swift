// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import LoginValues
import Testing

@Suite("A code in view starts at most one session")
struct CodeTests {
    private static func refused(_ refusal: CodeRefusal, _ text: String = "refused") -> CodeReading {
        CodeReading(digest: Samples.digest(text), decision: .refused(refusal))
    }

    @Test func aLoginCodeOpensASession() {
        Visit().play(
            """
            start => startTimer rest 300s
            qr login => startTimer view login 3s, stopTimer notice, openSession, startTimer session 60s, \
            perform readService
            wait connecting
            # Another code is ignored.
            qr login 2 => nothing
            session open
            """)
    }

    @Test func threeHundredFramesAreOneSession() {
        var machine = KioskMachine(trustsAnything: true)
        let actions = (0..<300).flatMap { _ in machine.symbolSeen(Samples.login()) }
        #expect(actions.count { if case .openSession = $0 { true } else { false } } == 1)
    }

    /// The server does not know the code, or says that the page has changed it. No PIN is asked for.
    @Test func anOldCodeIsToldSo() {
        Visit.openingBackend.play("fail sessionExpired -> closeSession sessionExpired; title sessionExpired")
        let details = BackendSession(obstacle: .codeExpired, identities: [Samples.alice])
        Visit.openingBackend.answered(.backendOpened(details))
            .play("-> closeSession sessionExpired; title sessionExpired")
    }

    @Test(arguments: [
        (CodeRefusal.notALogin(.noAccessCode), PromptKey.invalidCode, 1),
        (.untrusted(.notListed), .untrustedCode, 3), (.untrusted(.loopbackHTTP), .loopbackCode, 3),
    ])
    func aRefusedCodeIsTold(refusal: CodeRefusal, prompt: PromptKey, seconds: Int) {
        Visit(codes: ["bad code": Self.refused(refusal)]).play(
            """
            qr bad code => startTimer view bad code 3s, refused, startTimer notice \(seconds)s, startTimer rest
            hint \(prompt)
            # The code is still in view: it is neither reported nor counted again.
            qr bad code => startTimer view bad code 3s
            time notice => nothing
            hint none
            # A refusal does not delay a login code.
            qr login -> openSession
            """)
    }

    @Test func aDeclinedCodeMayBeScannedAgainOnceItLeftTheView() {
        Visit.consent("").play(
            """
            key back; time outcome => stopTimer outcome, resumeCamera, startTimer view, startTimer rest
            qr login => startTimer view
            time view login => nothing
            qr login -> openSession
            """)
    }

    @Test func aTriedCodeIsUsedForTenMinutes() {
        Visit.proving().play(
            """
            answer authenticated -> startTimer usedCode login 600s
            key enter; time view login
            qr login => startTimer view, refused already used, startTimer notice 3s, startTimer rest
            hint codeAlreadyUsed; time usedCode login; time view login; qr login -> openSession
            """)
    }

    @Test func onlyASentProofUsesACodeUp() {
        Visit.proving().play(
            """
            fail failed; key enter; time view login; qr login -> openSession
            or
            fail failed sent; key enter; time view login; qr login -> no openSession
            """)
    }

    @Test func theCodesInViewAreBounded() {
        var machine = KioskMachine(trustsAnything: true)
        for number in 0..<100 {
            let actions = machine.symbolSeen(Self.refused(.notALogin(.noAccessCode), "\(number)"))
            let stopped = actions.count { if case .stopTimer(.view) = $0 { true } else { false } }
            #expect(stopped == (number < 8 ? 0 : 1))
        }
    }

    @Test func looksAtNoCodeWithNothingTrusted() {
        Visit(KioskMachine(trustsAnything: false)).play(
            """
            start => pauseCamera
            qr login => nothing
            key enter => nothing
            title firstRunTitle
            """)
    }

    /// Otherwise a camera that delivers undecodable pictures would count as working.
    @Test(arguments: [
        (ScannerTrouble.Kind.missing, PromptKey.cameraMissing, KioskCondition.withoutPictures),
        (.silent, .cameraMissing, .withoutPictures), (.undecodable, .cameraUnreadable, .withUnreadablePictures),
    ])
    func tellsOfACameraWithoutPictures(trouble: ScannerTrouble.Kind, line: PromptKey, condition: KioskCondition) {
        var machine = KioskMachine(trustsAnything: true)
        machine.cameraChanged(trouble: trouble)
        #expect(machine.view.tone == .trouble && machine.view.lines == [Prompt(line)])
        #expect(machine.condition == condition)
        machine.cameraChanged(trouble: nil)
        #expect(machine.view.tone == .ready && machine.condition == .ready)
    }

    @Test func tellsOfAMissingKeypad() {
        Visit().play(
            """
            keypad gone => nothing
            tone trouble, lines keypadMissing; keypad back => nothing
            tone ready
            """)
    }

    @Test func tellsWhatKeepsACodeFromBeingRead() {
        let hints = ScannerHint.allCases.compactMap { hint in
            var machine = KioskMachine(trustsAnything: true)
            machine.hintChanged(hint)
            return machine.view.hint?.key
        }
        #expect(Set(hints).count == ScannerHint.allCases.count)
        func hinted(_ hint: ScannerHint?, _ visit: Visit = Visit()) -> Visit {
            visit.after { machine in
                machine.hintChanged(hint)
                return []
            }
        }
        // A remark on a code that was read is more useful.
        let bright = hinted(.tooBright, hinted(.blurred).play("hint hintBlurred")).play(
            "hint hintTooBright; qr other; hint invalidCode; time notice; hint hintTooBright")
        hinted(nil, bright).play("hint none")
        // No hint outlives the picture that it is about. Those that arrive while the camera is paused are outdated.
        let blinded = hinted(.tooDark).after { machine in
            machine.cameraChanged(trouble: .missing)
            machine.cameraChanged(trouble: nil)
            return []
        }
        blinded.play("hint none")
        hinted(.tooDark, .consent("")).play("key back; time outcome; wait scan, hint none")
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
