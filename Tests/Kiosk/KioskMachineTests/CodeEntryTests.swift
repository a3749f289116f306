// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import LoginValues
import Testing

@Suite("Typing an access code")
struct CodeEntryTests {
    static func scanning(_ services: [String] = [Samples.domain]) -> Visit {
        let untrusted = CodeReading(digest: Samples.digest("x"), decision: .refused(.untrusted(.notListed)))
        return Visit(KioskMachine(trustsAnything: true, services: services), codes: ["untrusted": untrusted])
    }

    static let typing = scanning().play("key 0")

    @Test func oneServiceNeedsNoChoice() {
        let typing = Self.scanning().play(
            """
            offers 0 actionTypeCode; key 0 => stopTimer notice, startTimer typing 60s
            wait codeEntry, line consentDomain(login.example.com), entry code
            """)
        #expect(typing.machine.typesCode && !typing.machine.isIdle)
        typing.play(
            """
            key 7 => startTimer typing 60s
            key enter => code submit 0
            typed login => stopTimer notice, openSession, startTimer session 60s, perform readService, code wipe, \
            stopTimer typing, stopTimer tap
            wait connecting
            """)
    }

    @Test func withoutAServiceThereIsNoSuchKey() {
        let visit = Self.scanning([]).play("key 0 => nothing; wait scan")
        #expect(!visit.view.actions.contains { $0.key == .digit(0) })
    }

    @Test func severalServicesAreChosenByNumber() {
        Self.scanning(["a.example", "b.example"]).play(
            """
            key 0; wait serviceChoice, lines serviceChoiceHelp + listEntry(1;a.example) + listEntry(2;b.example)
            key enter => nothing
            key 3 => startTimer typing
            key enter => startTimer typing; hint serviceUnknown
            key 1 back 2; key enter => startTimer typing; line consentDomain(b.example)
            key enter => code submit 1
            """)
    }

    @Test func manyServicesHavePages() {
        let first = Self.scanning((1...8).map { "s\($0).example" }).play("key 0; offers menu actionMore")
        #expect(first.view.lines.count == 7)
        #expect(first.play("key menu; line listEntry(8;s8.example); key menu").view.lines.count == 7)
    }

    @Test(arguments: ["nothing", "untrusted"]) func whatIsNoCodeIsTypedAgain(reading: String) {
        Self.typing.play("key enter; typed \(reading) => startTimer typing; hint codeMistyped; key 7; hint none")
    }

    @Test func aUsedCodeIsToldAndForgotten() {
        Self.typing.play(
            """
            typed login; connect alice; key enter; answer authenticationStarted; key 2583 enter; answer authenticated
            key enter 0; typed login => refused already used, code wipe, startTimer typing; hint codeAlreadyUsed
            """)
    }

    @Test func theCameraReadsTheCodeAfterAll() {
        Self.typing.play(
            """
            qr login -> openSession, code wipe
            or
            # Any other code in view is ignored.
            qr other -> refused; wait codeEntry
            """)
    }

    @Test func leavingWipes() {
        Self.typing.play(
            """
            key back -> code wipe, stopTimer tap; wait scan
            or
            time typing -> code wipe; wait scan; time typing => nothing
            """)
    }

    @Test func lettersAreTappedOnRequest() {
        let tapping = Self.typing.play("key menu => code acceptTap, startTimer typing")
        #expect(!Self.typing.machine.tapsCodeLetters && tapping.machine.tapsCodeLetters)
        tapping.play("key 7 => startTimer typing, startTimer tap 1s; line tapHelp")
        #expect(tapping.after { $0.timerFired(.tap, session: .none) }.actions == [.code(.acceptTap)])
        #expect(!tapping.play("key menu").machine.tapsCodeLetters)
    }

    @Test func aWrongCheckDigitEndsBeforeThePIN() {
        // Nothing is aborted: the code is not that person's.
        Self.typing.play(
            """
            key enter; typed login; answer serviceFound
            fail sessionExpired -> closeSession invalidCode, no abort; title codeMistyped, lines nextTypeAgain
            """)
    }
}
