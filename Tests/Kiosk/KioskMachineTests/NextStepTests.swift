// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import LoginValues
import Testing

@Suite("Every failure comes with advice")
struct NextStepTests {
    /// Sentences that contain their own advice.
    static let selfExplaining: Set<PromptKey> = [
        .revoked, .sessionExpired, .browserDidNotAnswer, .secretExpired, .unreachable, .outcomeUnknown, .storageFailed,
        .storageFull, .backendUntrusted, .signingExpired, .signingOutcomeUnknown,
    ]

    /// A step is under way.
    static let starts: [(name: String, visit: Visit)] = [
        ("service", .connecting), ("backend", .openingBackend), ("login", .proving()), ("permits", .consented()),
        ("registration", Visit.newPINAgain.play("key 2583 enter")),
        ("confirmation", Visit.consented("startedRegistration").play("key enter")),
        ("address", RegistrationTests.typing("dave@example.com").play("key enter")),
        ("signer", .task(.signing)), ("document", SigningTests.preparing()), ("key", SigningTests.gettingKey),
        ("key kept", SigningTests.keepingKey), ("signature", SigningTests.signing),
        ("session", SigningTests.signingScanned),
    ]

    static func saysWhatToDo(_ view: KioskView) -> Bool {
        switch view.stage {
        case .outcome: !view.lines.isEmpty || selfExplaining.contains(view.title.key)
        // The question is shown again, with its help and keys.
        case .identityEntry, .emailConfirmation: view.hint != nil && !view.lines.isEmpty && !view.actions.isEmpty
        case .wrongPIN: view.lines.contains(Prompt(.wrongPINWait))
        default: false
        }
    }

    @Test(arguments: Samples.failures + Samples.verdicts)
    func ofEveryStep(reason: SessionOutcome) {
        for (name, start) in Self.starts {
            let visit = start.play("fail \(reason)")
            #expect(Self.saysWhatToDo(visit.view), "\(name): \(visit)")
        }
    }

    @Test func ofEveryOtherEnd() {
        let states: [Visit] = [
            .connecting, .consent(""), .pin(), .consented("startedRegistration"), .newPIN(), .newPINAgain,
            .consented(""), .proving(), SigningTests.choosing(), SigningTests.choosing().play("key 1 enter"),
            SigningTests.choosing().play("key 1 enter enter"), SigningTests.signing, SigningTests.gettingKey,
            SigningTests.keepingKey,
        ]
        for state in states {
            let left = state.play("key back")
            if left.view.stage == .outcome { #expect(Self.saysWhatToDo(left.view), "\(left)") }
            let late = state.play("time session")
            #expect(Self.saysWhatToDo(late.view), "\(late)")
        }
        for person in ["blocked", "unusable"] { #expect(Self.saysWhatToDo(Visit.consented(person).view), "\(person)") }
    }
}
