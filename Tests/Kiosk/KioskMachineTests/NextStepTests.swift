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

    static let starts: [(name: String, machine: KioskMachine)] = [
        ("service", .connecting()), ("backend", .openingBackend()), ("login", .authenticating()),
        ("permits", .consented(BackendSession(identities: [Samples.alice]))),
        ("registration", finishingRegistration()), ("confirmation", confirming()), ("address", registering()),
        ("signer", .readingSigner()), ("document", .preparingDocument()), ("key", .gettingSigningKey()),
        ("key kept", .keepingSigningKey()), ("signature", .signing()), ("session", .signingScanned()),
    ]

    static func finishingRegistration() -> KioskMachine {
        var machine = KioskMachine.repeatingPIN()
        machine.typePIN()
        _ = machine.keyPressed(.enter)
        _ = machine.newPINsCompared(areEqual: true)
        return machine
    }

    static func confirming() -> KioskMachine {
        var machine = KioskMachine.awaitingActivation()
        _ = machine.keyPressed(.enter)
        return machine
    }

    static func registering() -> KioskMachine {
        var machine = RegistrationTests.typing("dave@example.com")
        _ = machine.keyPressed(.enter)
        return machine
    }

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
            var machine = start
            _ = machine.stepEnded(.failure(Samples.failure(reason)), session: .one)
            #expect(Self.saysWhatToDo(machine.view), "\(name): \(machine.view)")
        }
    }

    @Test func ofEveryOtherEnd() {
        let states: [KioskMachine] = [
            .connecting(), .consenting(BackendSession()), .askingPIN(), .awaitingActivation(), .choosingPIN(),
            .repeatingPIN(), .consented(BackendSession()), .authenticating(),
            .choosingDocument(), .reading(), .askingToSign(), .signing(), .gettingSigningKey(), .keepingSigningKey(),
        ]
        for state in states {
            var left = state
            _ = left.keyPressed(.back)
            if left.view.stage == .outcome { #expect(Self.saysWhatToDo(left.view), "\(left.view)") }
            var late = state
            _ = late.timerFired(.session, session: .one)
            #expect(Self.saysWhatToDo(late.view), "\(late.view)")
        }
        for progress in [KioskIdentity.Progress.blocked, .unusable] {
            let machine = KioskMachine.consented(BackendSession(identities: [Samples.identity(progress)]))
            #expect(Self.saysWhatToDo(machine.view), "\(machine.view)")
        }
    }
}
