// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import LoginValues
import Testing

@Suite("Tasks that end with a code")
struct IssuedCodeTests {
    static let tasks: [KioskTask] = [.oneTimePassword, .registrationCode]

    static func proving(_ task: KioskTask = .oneTimePassword) -> Visit {
        Visit.task(task).play("answer authenticationStarted; key 2583 enter")
    }

    @Test(arguments: tasks) func showsACode(task: KioskTask) {
        let proving = Visit(
            KioskMachine(trustsAnything: true, services: [Samples.domain], tasks: [task])
        ).play(
            """
            key menu 1 -> openTask \(task) 0; wait connecting
            answer serviceFound => perform openBackend
            # A person who began the task here need not consent.
            answer backendOpened alice => pauseCamera, perform startAuthentication alice \(task)
            answer authenticationStarted; wait pin, line \(task.title)
            key 2583 enter -> perform finishAuthentication alice \(task)
            """)
        #expect(proving.machine.refuses(.authenticated()), "no browser was logged in")
        let shown = proving.play(
            """
            answer codeIssued 45 => stopTimer session, startTimer codeLife 10s
            wait issuedCode, tone success, title \(task.title), entry digits
            # The code has a time of its own.
            time session => nothing
            """)
        #expect(shown.machine.showsIssuedCode)
        let left = shown.play(
            """
            stop => closeSession codeIssued
            or
            key enter => stopTimer codeLife, closeSession codeIssued, stopTimer outcome, resumeCamera, startTimer rest
            wait scan
            """)
        #expect(!left.machine.showsIssuedCode)
    }

    @Test(arguments: tasks)
    func theCodeGoesWithItsTime(task: KioskTask) {
        var visit = Self.proving(task).play("answer codeIssued 32.5")
        var told: [String] = []
        while visit.machine.showsIssuedCode, told.count < 100 {
            told.append(visit.view.lines.last?.values[.seconds] ?? "")
            visit = visit.play("time codeLife")
        }
        #expect(told == ["33", "23", "13", "10", "9", "8", "7", "6", "5", "4", "3", "2", "1"])
        let sentence: PromptKey = task == .registrationCode ? .registrationCodeExpired : .oneTimePasswordExpired
        visit.play("-> closeSession codeIssued; wait scan, hint \(sentence)")
    }

    @Test func aCodeThatLivesLongDoesNotStandSoLong() {
        Self.proving().play(
            """
            answer codeIssued 86400; line codeTimeLeft(300)
            or
            answer codeIssued -5; time codeLife -> closeSession codeIssued
            """)
    }

    @Test func leavingAndTimeSayWhatIsTrueHere() {
        Visit.task(.oneTimePassword, "alice bob").play(
            """
            wait identityChoice; key back -> closeSession declined; title taskLeft, lines nextMenu
            or
            time session -> closeSession timedOut; title taskTimedOut
            or
            key 2 enter; answer authenticationStarted; line pinUser(b…@example.com)
            """)
        Self.proving().play("time session; title taskOutcomeUnknown")
    }

    @Test func aNewcomerRegistersFirst() { Visit.task(.oneTimePassword, "").play("wait identityEntry") }
}
