// SPDX-License-Identifier: Apache-2.0

import KioskPorts
import LoginValues
import Testing

@testable import KioskMachine

/// A kiosk that no operator has set up, and an operator's card or file.
@Suite("A setup at the machine")
struct SetupTests {
    private static func reading(
        _ setup: Result<SetupOffer, SetupRefusal>?, _ text: String = "setup"
    ) -> CodeReading {
        CodeReading(
            digest: Samples.digest(text), verdict: .refused(.notALogin(.noAccessCode)), setup: setup,
            handle: Samples.handle)
    }

    private func newcomer() -> KioskMachine { KioskMachine(trustsAnything: false, ownNumber: "4711") }

    private func asked() -> KioskMachine {
        var machine = newcomer()
        _ = machine.start()
        _ = machine.symbolSeen(Self.reading(.success(Samples.setup)))
        return machine
    }

    @Test func isWaitedForWithTheKiosksNumber() {
        var machine = newcomer()
        #expect(machine.start() == [] && machine.view.stage == .setup && machine.showsOwnKey && machine.isIdle)
        #expect(machine.view.lines == [Prompt(.setupNumber, [.number: "4711"]), Prompt(.setupHelp)])
        #expect(machine.condition == .unprovisioned)
        // A kiosk without a network has no time either, and a setup may bring the network.
        machine.clockChanged(isSet: false)
        _ = machine.symbolSeen(Self.reading(.success(Samples.setup)))
        #expect(machine.view.stage == .setupQuestion)
    }

    @Test("Only a kiosk without an operator waits for a setup", arguments: [(true, "1"), (false, nil), (true, nil)])
    func isNotWaitedFor(trusts: Bool, number: String?) {
        var machine = KioskMachine(trustsAnything: trusts, ownNumber: number)
        _ = machine.start()
        #expect(machine.view.stage == (trusts ? .scan : .firstRun))
        #expect(machine.setupFound(.success(Samples.setup), Samples.handle) == [])
        let actions = machine.symbolSeen(Self.reading(.success(Samples.setup)))
        #expect(machine.view.stage != .setupQuestion)
        if trusts {
            #expect(actions.contains(.refused(.setup(.notWanted))))
            #expect(machine.view.hint == Prompt(.setupNotWanted) && machine.view.stage == .scan)
        }
    }

    @Test func saysWhoseItIsAndWhatChanges() {
        var machine = asked()
        #expect(machine.view.stage == .setupQuestion && !machine.isIdle && machine.isCameraPaused)
        #expect(
            machine.view.lines == [
                Prompt(.setupOperator, [.name: "Example Ltd"]), Prompt(.setupOperatorKey, [.number: "1234 5678"]),
                Prompt(.setupLanguage, [.name: "Deutsch"]), Prompt(.consentService, [.service: "login.example.com"]),
                Prompt(.setupSetting, [.name: "policy.weak-pins: refuse"]), Prompt(.setupFleetKey),
            ])
        #expect(machine.view.factCount == 6)
        #expect(machine.keyPressed(.enter) == [.stopTimer(.typing), .applySetup(Samples.handle)])
        #expect(machine.view.stage == .settingUp && machine.view.isBusy)
        // It is applied once.
        #expect(machine.keyPressed(.enter) == [] && machine.keyPressed(.back) == [])
        #expect(machine.setupEnded(.success(.adopted)) == [.startTimer(.notice, KioskTiming.success, .none)])
        #expect(machine.view.title == Prompt(.setUp) && machine.setupEnded(.success(.restart)) == [])
        #expect(machine.timerFired(.notice, session: .none).contains(.adoptSetup) && machine.isIdle)
        #expect(machine.timerFired(.notice, session: .none) == [] && machine.keyPressed(.enter) == [])
        let actions = machine.adopt(trustsAnything: true, services: ["a"], errands: [], policy: KioskPolicy())
        #expect(actions.contains(.resumeCamera) && machine.view.stage == .scan)
    }

    @Test("On a screen of a few rows one part follows another, and OK agrees only to parts that were shown")
    func pageByPage() {
        var machine = newcomer()
        machine.screenMeasured(documentRoom: nil, leavesFactsOut: false)
        _ = machine.symbolSeen(Self.reading(.success(Samples.setup)))
        for page in 0..<5 {
            #expect(machine.view.factCount == 1 && machine.view.lines.count == 1, "page \(page)")
            #expect(!machine.keyPressed(.enter).contains(.applySetup(Samples.handle)), "page \(page)")
        }
        _ = machine.keyPressed(.back)
        _ = machine.keyPressed(.enter)
        machine.screenMeasured(documentRoom: nil, leavesFactsOut: true)
        #expect(machine.keyPressed(.enter) == [])
        machine.screenMeasured(documentRoom: nil, leavesFactsOut: false)
        #expect(machine.keyPressed(.enter).contains(.applySetup(Samples.handle)))
    }

    @Test("No, and no answer, change nothing", arguments: [KnownKey.back, .clear, nil])
    func declined(key: KnownKey?) {
        var machine = asked()
        let actions = key.map { machine.keyPressed($0) } ?? machine.timerFired(.typing, session: .none)
        #expect(actions.contains(.resumeCamera) && machine.view.stage == .setup)
        // A card that is still in view is not asked about again.
        _ = machine.symbolSeen(Self.reading(.success(Samples.setup)))
        #expect(machine.view.stage == .setup)
    }

    static let refusals: [(SetupRefusal, PromptKey)] = [
        (.otherKiosk, .setupOtherKiosk), (.tooOld, .setupTooOld), (.tooNew, .setupTooNew),
        (.otherOperator, .setupOtherOperator),
        (.newerVersion, .setupNewer), (.damaged, .setupDamaged), (.noRoom, .setupNoRoom), (.failed, .setupFailed),
        (.notWanted, .setupNotWanted),
    ]

    @Test(arguments: refusals) func refused(refusal: SetupRefusal, words: PromptKey) {
        #expect(Self.refusals.map(\.0) == SetupRefusal.allCases)
        var machine = newcomer()
        let actions = machine.symbolSeen(Self.reading(.failure(refusal)))
        #expect(actions.contains(.refused(.setup(refusal))))
        #expect(machine.view.stage == .setup && machine.view.hint == Prompt(words))
        _ = machine.timerFired(.notice, session: .none)
        #expect(machine.view.hint == nil)
        // The same when it cannot be applied.
        var asked = asked()
        _ = asked.keyPressed(.enter)
        _ = asked.setupEnded(.failure(refusal))
        #expect(asked.view.stage == .setup && asked.view.hint == Prompt(words) && !asked.isCameraPaused)
    }

    @Test func otherCodesAreToldSo() {
        for reading in [Samples.login(), Self.reading(nil, "other")] {
            var machine = newcomer()
            let actions = machine.symbolSeen(reading)
            #expect(machine.session == nil && machine.view.hint == Prompt(.setupOnly))
            #expect(!actions.contains { if case .perform = $0 { true } else { false } })
        }
    }

    @Test func aFileIsAsGoodAsACard() {
        var machine = newcomer()
        _ = machine.setupFound(.success(Samples.setup), Samples.handle)
        #expect(machine.view.stage == .setupQuestion)
        // A person who is being asked is not asked about another setup.
        #expect(
            machine.setupFound(.success(Samples.setup), Samples.handle) == [] && machine.view.stage == .setupQuestion)
    }

    @Test func mayNeedAStart() {
        var machine = asked()
        _ = machine.keyPressed(.enter)
        _ = machine.setupEnded(.success(.restart))
        #expect(machine.keyPressed(.enter) == [.stopTimer(.notice), .restart])
    }

    @Test("A list that the operator wrote by hand is accepted too")
    func trustedByHand() {
        var machine = newcomer()
        _ = machine.start()
        _ = machine.adopt(trustsAnything: true, services: ["a"], errands: [], policy: KioskPolicy())
        #expect(machine.view.stage == .scan)
    }
}

/// Keys that delete everything.
@Suite("A reset at the machine")
struct ResetTests {
    static let keys: [KnownKey] = [.clear, .digit(7), .digit(7), .menu, .digit(3), .clear]

    private func started(_ keys: [KnownKey] = keys) -> KioskMachine {
        var machine = KioskMachine(trustsAnything: true, services: ["a"], errands: [.identities], resetKeys: keys)
        #expect(machine.start().contains(.startTimer(.boot, KioskTiming.boot, .none)) == !keys.isEmpty)
        return machine
    }

    private func asked() -> KioskMachine {
        var machine = started()
        for key in Self.keys { _ = machine.keyPressed(key) }
        return machine
    }

    @Test func isAskedTwiceInTwoWays() {
        var machine = asked()
        #expect(machine.view.stage == .resetQuestion && machine.isCameraPaused && !machine.isIdle)
        _ = machine.keyPressed(.enter)
        #expect(machine.view.lines == [Prompt(.resetAgain)] && machine.keyPressed(.clear) != [.reset])
        for key in Self.keys[1...].dropLast() { #expect(!machine.keyPressed(key).contains(.reset)) }
        #expect(machine.keyPressed(.clear) == [.stopTimer(.typing), .reset])
        #expect(machine.view.stage == .resetting && machine.view.isBusy)
        #expect(machine.keyPressed(.back) == [] && machine.timerFired(.notice, session: .none) == [])
        _ = machine.resetEnded(isDone: true)
        #expect(machine.view.title == Prompt(.resetDone))
        #expect(machine.timerFired(.notice, session: .none) == [.restart])
    }

    @Test func isNotThereWithoutKeysOfTheOperator() {
        var machine = started([])
        for key in Self.keys { _ = machine.keyPressed(key) }
        #expect(machine.view.stage != .resetQuestion && !machine.hearsResetKeys)
    }

    @Test("After the first seconds the same keys have no special meaning")
    func isThereOnlyAtTheStart() {
        var machine = started()
        for key in Self.keys.dropLast() { _ = machine.keyPressed(key) }
        _ = machine.timerFired(.boot, session: .none)
        _ = machine.keyPressed(Self.keys[Self.keys.count - 1])
        #expect(machine.view.stage == .scan && !machine.hearsResetKeys)
        for key in Self.keys { _ = machine.keyPressed(key) }
        #expect(machine.view.stage != .resetQuestion)
    }

    @Test("A wrong key, BACK and no key leave everything unchanged", arguments: 0..<8)
    func isLeft(after count: Int) {
        for key in [KnownKey.back, .digit(0), nil] {
            var machine = asked()
            if count > 0 { _ = machine.keyPressed(.enter) }
            for key in Self.keys.prefix(max(count - 1, 0)).dropLast() { _ = machine.keyPressed(key) }
            if count == 0, key == .digit(0) { continue }
            let actions = key.map { machine.keyPressed($0) } ?? machine.timerFired(.typing, session: .none)
            #expect(!actions.contains(.reset) && actions.contains(.resumeCamera) && machine.view.stage == .scan)
        }
    }

    @Test func pastedKeysAreNone() {
        var machine = started()
        for key in Self.keys.dropLast() { _ = machine.keyPressed(key) }
        #expect(machine.hearsResetKeys && machine.keysLost() == [])
        _ = machine.keyPressed(Self.keys[Self.keys.count - 1])
        #expect(machine.view.stage == .scan)
        machine = asked()
        _ = machine.keyPressed(.enter)
        _ = machine.keysLost()
        #expect(machine.view.stage == .scan)
    }

    @Test func thatFailsIsTold() {
        var machine = asked()
        _ = machine.keyPressed(.enter)
        for key in Self.keys { _ = machine.keyPressed(key) }
        _ = machine.resetEnded(isDone: false)
        #expect(machine.view.stage == .scan && machine.view.hint == Prompt(.resetFailed))
    }
}
