// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import LoginValues
import Testing

/// The ends of each flow that asks for a PIN: the reason, the session's outcome, the screen's sentences, and whether
/// the identity is deleted.
@Suite("A user who is blocked, revoked or expired, and all other ends, at each step of each flow")
struct VerdictTableTests {
    static let flows: [KioskTask] = [.login, .oneTimePassword, .registrationCode, .identities, .localLogin, .changePIN]

    struct End: Sendable {
        /// Also the session's outcome.
        let reason: String
        let title: String
        var lines: String?
        var isDeleted = false

        init(_ reason: String, _ title: String, _ lines: String? = nil, deletes: Bool = false) {
            (self.reason, self.title, self.lines, isDeleted) = (reason, title, lines, deletes)
        }
    }

    /// The server's final verdicts, at the first step and at the last.
    static let verdictsOfEveryFlow = [
        End("blocked", "blocked", "nextUnblock"), End("revoked", "revoked", deletes: true),
        End("secretExpired", "secretExpired", deletes: true), End("notAuthorized", "notAuthorized"),
        End("unreachable", "unreachable"), End("storageFailed", "storageFailed"),
    ]

    /// Further ends, at the last step alone.
    static let endsOfTheLastStep: [(KioskTask, [End])] = [
        (
            .login,
            [
                End("sessionExpired", "sessionExpired"), End("browserTimedOut", "browserDidNotAnswer"),
                End("outcomeUnknown", "outcomeUnknown"), End("failed", "authenticationFailed(STATUS)"),
            ]
        ),
        (
            .oneTimePassword,
            [
                End("notOffered", "taskNotOffered"), End("notAllowed", "taskNotAllowed"),
                End("outcomeUnknown", "taskOutcomeUnknown"), End("browserTimedOut", "taskExpired"),
            ]
        ),
        (
            .localLogin,
            [
                End("sessionExpired", "taskExpired", "nextMenu"),
                End("outcomeUnknown", "taskOutcomeUnknown", "nextMenu"), End("untrusted", "backendUntrusted"),
                End("failed", "authenticationFailed(STATUS)", "nextTryLater"),
                End("tooOften", "doorTooOften", "nextTryLater"), End("doorFailed", "doorFailed", "nextTellOperator"),
                End("doorUnknown", "doorUnknown", "nextTellOperator"),
            ]
        ),
        (
            .changePIN,
            [
                End("storageFailed storageFull", "storageFull"),
                End("failed", "pinChangeFailed(STATUS)"),
            ]
        ),
        (
            .signing,
            [
                End("blocked", "blocked"), End("revoked", "revoked", deletes: true),
                End("secretExpired", "secretExpired", deletes: true),
                End("signatureRefused", "signatureRefused(STATUS)"),
                End("outcomeUnknown", "signingOutcomeUnknown"), End("sessionExpired", "taskExpired"),
                End("failed", "signingFailed(STATUS)"), End("unreachable", "unreachable"),
            ]
        ),
    ]

    /// The first step of the login is under way.
    static func starting(_ task: KioskTask, unverified: Bool = false) -> Visit {
        let people = unverified ? "alice bob" : "alice"
        let visit = task == .login ? Visit.consented(people) : .task(task, people)
        let chosen = unverified ? visit.play("key 1 enter") : visit
        return task == .identities ? chosen.play("key 2 2") : chosen
    }

    static func finishing(_ task: KioskTask, unverified: Bool = false) -> Visit {
        guard task != .signing else { return SigningTests.signing }
        let visit = starting(task, unverified: unverified).play("answer authenticationStarted; key 2583 enter")
        return task == .changePIN ? visit.play("key 7193 enter 7193 enter") : visit
    }

    private func check(_ end: End, _ visit: Visit) {
        visit.play(
            """
            fail \(end.reason) sent -> closeSession \(end.reason.prefix { $0 != " " })
            -> \(end.isDeleted ? "deleteIdentity" : "no deleteIdentity")
            wait outcome, tone failure, title \(end.title)
            session none
            \(end.lines.map { "lines \($0)" } ?? "# Its advice: NextStepTests.")
            key enter -> resumeCamera
            """)
    }

    @Test(arguments: flows, [false, true])
    func theVerdictIsSaidAndKept(task: KioskTask, unverified: Bool) {
        for end in Self.verdictsOfEveryFlow {
            check(end, Self.starting(task, unverified: unverified))
            check(end, Self.finishing(task, unverified: unverified))
        }
    }

    @Test(arguments: endsOfTheLastStep) func everyOtherEnd(task: KioskTask, ends: [End]) {
        for end in ends { check(end, Self.finishing(task)) }
    }

    /// A wrong PIN is asked again after a pause, unless only a key named the person.
    @Test(arguments: flows + [.signing]) func aWrongPIN(task: KioskTask) {
        Self.finishing(task).play(
            """
            fail wrongPIN sent -> startTimer wrongPIN 1s, no deleteIdentity; wait wrongPIN, title wrongPIN
            time wrongPIN; wait pin\(task == .signing ? ", title signingPINTitle" : "")
            """)
        guard task != .signing else { return }
        Self.finishing(task, unverified: true).play(
            """
            fail wrongPIN sent -> closeSession wrongPIN; title wrongPIN
            lines \(task == .login ? "wrongPINScanAgain" : "nextMenu")
            """)
    }

    /// The verdict is known already: the identity is blocked in the store.
    @Test(arguments: [KioskTask.login, .oneTimePassword, .registrationCode])
    func aBlockedIdentityIsToldBeforeAnyPIN(task: KioskTask) {
        let visit = task == .login ? Visit.consented("blocked") : .task(task, "blocked")
        visit.play("-> deleteIdentity blocked; wait outcome, title blocked; stop => nothing")
    }

    /// A refusal that any program on the way may have forged.
    @Test(arguments: flows) func aRefusalThatIsNotFinalKeepsTheIdentity(task: KioskTask) {
        for visit in [Self.starting(task), Self.finishing(task)] {
            let failure = KioskFailure(.revoked, status: "REVOKED", passTwoWasSent: true, isFinal: false)
            let ended = visit.after { $0.stepEnded(.failure(failure), session: .one) }
            ended.play("-> closeSession revoked, no deleteIdentity")
            #expect(ended.view.title.values == [.status: "REVOKED"])
        }
    }
}
