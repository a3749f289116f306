// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import LoginValues
import Testing

@testable import KioskMachine

/// A kiosk that no operator has set up, and an operator's card or file.
@Suite("A profile at the machine")
struct ProfileTests {
    private static func reading(_ profile: Result<ProfileOffer, ProfileRefusal>) -> CodeReading {
        CodeReading(
            digest: Samples.digest("profile"), decision: .refused(.notALogin(.noAccessCode)), profile: profile,
            handle: Samples.handle)
    }

    private static func visit(
        trusts: Bool = false, number: String? = "4711", refusing refusal: ProfileRefusal = .damaged
    ) -> Visit {
        Visit(
            KioskMachine(trustsAnything: trusts, ownNumber: number),
            codes: ["profile": reading(.success(Samples.profile)), "bad profile": reading(.failure(refusal))])
    }

    private static let asked = visit().play("start; qr profile")

    private static func adopted(_ visit: Visit) -> Visit {
        visit.after { $0.adopt(trustsAnything: true, services: ["a"], tasks: [], policy: KioskPolicy()) }
    }

    @Test func isWaitedForWithTheKiosksNumber() {
        let waiting = Self.visit().play("start => nothing; wait setup, lines kioskNumber(4711) + profileHelp")
        #expect(waiting.machine.showsOwnKey && waiting.machine.isIdle && waiting.machine.condition == .unprovisioned)
        // A kiosk without a network has no time either, and a profile may bring the network.
        waiting.after { machine in
            machine.clockChanged(isSet: false)
            return []
        }.play("qr profile; wait setupQuestion")
        // A list that the operator wrote by hand is accepted too.
        Self.adopted(waiting).play("wait scan")
    }

    @Test("Only a kiosk without an operator waits for a profile", arguments: [(true, "1"), (false, nil), (true, nil)])
    func isNotWaitedFor(trusts: Bool, number: String?) {
        Self.visit(trusts: trusts, number: number).play("start; wait \(trusts ? "scan" : "firstRun")")
            .after { $0.profileFound(.success(Samples.profile), Samples.handle) }.play("=> nothing")
            .play(
                trusts
                    ? "qr profile -> refused profile notWanted; wait scan, hint profileNotWanted"
                    : "qr profile; wait firstRun")
    }

    @Test func saysWhoseItIsAndWhatChanges() {
        let asked = Self.asked.play(
            """
            wait setupQuestion, facts 6
            lines profileOperator(Example Ltd) + profileOperatorKey(1234 5678) + languageChosen(Deutsch) \
            + consentService(login.example.com) + profileSetting(policy.weak-pins: refuse) + profileFleetKey
            """)
        #expect(!asked.machine.isIdle && asked.machine.isCameraPaused)
        // It is applied once.
        let applying = asked.play(
            """
            key enter => stopTimer typing, applyProfile; wait settingUp
            key enter back => nothing
            """)
        #expect(applying.view.isBusy)
        let read = applying.after { $0.profileEnded(.success(.adopted)) }
            .play("=> startTimer notice 5s; title setUp")
            .after { $0.profileEnded(.success(.restart)) }.play("=> nothing; time notice -> adoptProfile")
        #expect(read.machine.isIdle)
        Self.adopted(read.play("time notice => nothing; key enter => nothing")).play("-> resumeCamera; wait scan")
        // Some changes need a restart.
        applying.after { $0.profileEnded(.success(.restart)) }.play("key enter => stopTimer notice, restart")
    }

    @Test("On a screen of a few rows one part follows another, and OK agrees only to parts that were shown")
    func pageByPage() {
        func measured(_ visit: Visit, leavesFactsOut: Bool) -> Visit {
            visit.after { machine in
                machine.screenMeasured(documentRoom: nil, leavesFactsOut: leavesFactsOut)
                return []
            }
        }
        var visit = measured(Self.visit(), leavesFactsOut: false).play("qr profile")
        for page in 0..<5 {
            #expect(visit.view.factCount == 1 && visit.view.lines.count == 1, "page \(page)")
            visit = visit.play("key enter -> no applyProfile")
        }
        let small = measured(visit.play("key back enter"), leavesFactsOut: true).play("key enter => nothing")
        measured(small, leavesFactsOut: false).play("key enter -> applyProfile")
    }

    @Test("No, and no answer, change nothing", arguments: ["key back", "key clear", "time typing"])
    func declined(event: String) {
        // A card that is still in view is not asked about again.
        Self.asked.play("\(event) -> resumeCamera; wait setup; qr profile; wait setup")
    }

    static let refusals: [(ProfileRefusal, PromptKey)] = [
        (.otherKiosk, .profileOtherKiosk), (.tooOld, .profileTooOld), (.tooNew, .profileTooNew),
        (.otherOperator, .profileOtherOperator), (.newerVersion, .profileNewer), (.damaged, .profileDamaged),
        (.noRoom, .profileNoRoom), (.failed, .profileFailed), (.notWanted, .profileNotWanted),
    ]

    @Test(arguments: refusals) func refused(refusal: ProfileRefusal, words: PromptKey) {
        #expect(Self.refusals.map(\.0) == ProfileRefusal.allCases)
        Self.visit(refusing: refusal).play(
            "qr bad profile -> refused profile \(refusal); wait setup, hint \(words); time notice; hint none")
        // The same when it cannot be applied.
        let failed = Self.asked.play("key enter").after { $0.profileEnded(.failure(refusal)) }
            .play("wait setup, hint \(words)")
        #expect(!failed.machine.isCameraPaused)
    }

    @Test(arguments: ["login", "other"]) func otherCodesAreToldSo(code: String) {
        Self.visit().play("qr \(code) -> no perform; session none; hint profileOnly")
    }

    @Test func aFileIsAsGoodAsACard() {
        // A person who is being asked is not asked about another profile.
        Self.visit().after { $0.profileFound(.success(Samples.profile), Samples.handle) }.play("wait setupQuestion")
            .after { $0.profileFound(.success(Samples.profile), Samples.handle) }.play("=> nothing; wait setupQuestion")
    }
}

/// Keys that delete everything.
@Suite("A reset at the machine")
struct ResetTests {
    private static let started = Visit(
        KioskMachine(
            trustsAnything: true, services: ["a"], tasks: [.identities],
            resetKeys: [.clear, .digit(7), .digit(7), .menu, .digit(3), .clear])
    ).play("start -> startTimer boot 10s")
    private static let asked = started.play("key clear 77 menu 3 clear")
    private static let confirmed = asked.play("key enter")

    private static func ended(_ isDone: Bool) -> Visit {
        confirmed.play("key clear 77 menu 3 clear").after { $0.resetEnded(isDone: isDone) }
    }

    @Test func isAskedTwiceInTwoWays() {
        #expect(Self.asked.machine.isCameraPaused && !Self.asked.machine.isIdle)
        let deleting = Self.asked.play(
            """
            wait resetQuestion; key enter; lines resetAgain; key clear 77 menu 3 -> no reset
            key clear => stopTimer typing, reset; wait resetting
            key back => nothing
            time notice => nothing
            """)
        #expect(deleting.view.isBusy)
        Self.ended(true).play("title resetDone; time notice => restart")
        Self.ended(false).play("wait scan, hint resetFailed")
    }

    @Test func isNotThereWithoutKeysOfTheOperator() {
        let visit = Visit(KioskMachine(trustsAnything: true, services: ["a"], tasks: [.identities]))
            .play("start -> no startTimer boot; key clear 77 menu 3 clear -> no reset")
        #expect(visit.view.stage != .resetQuestion && !visit.machine.hearsResetKeys)
    }

    @Test("After the first seconds the same keys have no special meaning")
    func isThereOnlyAtTheStart() {
        let late = Self.started.play("key clear 77 menu 3; time boot; key clear; wait scan")
        #expect(!late.machine.hearsResetKeys)
        #expect(late.play("key clear 77 menu 3 clear").view.stage != .resetQuestion)
    }

    @Test(
        "A wrong key, BACK and no key leave everything unchanged",
        arguments: [
            "", "enter", "enter clear", "enter clear 7", "enter clear 77", "enter clear 77 menu",
            "enter clear 77 menu 3",
        ])
    func isLeft(after keys: String) {
        let visit = keys.isEmpty ? Self.asked : Self.asked.play("key \(keys)")
        for event in ["key back", "time typing"] + (keys.isEmpty ? [] : ["key 0"]) {
            visit.play("\(event) -> resumeCamera, no reset; wait scan")
        }
    }

    @Test func pastedKeysAreNone() {
        #expect(Self.started.play("key clear 77 menu 3").machine.hearsResetKeys)
        Self.started.play("key clear 77 menu 3; lost => nothing; key clear; wait scan")
        Self.confirmed.play("lost; wait scan")
    }
}
