// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskTestKit
import LoginValues
import MPinClient
import Patience
import Testing

/// The real kiosk and the real SDK over fakes that fail by a plan: network, store, scanner, keypad and clock at once.
/// After every run each rule of ``FaultRecord`` holds, the store is whole, and a login works.
@Suite(.serialized) struct FaultPlanTests {
    private static let runs = UInt64(TestEffort.rounds(200))
    /// Seeds of runs that once failed.
    private static let known: [UInt64] = [1723, 3114, 4252, 5778]

    @Test func theRulesHoldUnderFaults() async throws {
        let (failures, outcomes, injected) = try await Pump.shared.work {
            let people = try FaultRun.register()
            var failures: [String] = []
            var outcomes: Set<SessionOutcome> = []
            var injected: Set<String> = []
            for seed in Self.known + Array(0..<Self.runs) {
                let run = FaultRun(seed: seed, people)
                do { try run.play() } catch { failures.append("\(error)\n\(run.plan)") }
                if !run.findings.isEmpty { failures.append("\(run.findings)\n\(run.plan)") }
                outcomes.formUnion(run.outcomes)
                injected.formUnion(run.plan.injected.compactMap { $0.split(separator: " ").last.map(String.init) })
            }
            return (failures, outcomes, injected)
        }
        for failure in failures.prefix(5) { Issue.record("\(failure)") }
        #expect(failures.count == 0)
        // Runs without results prove nothing.
        let reached: Set<SessionOutcome> = [
            .loggedIn, .pinChanged, .declined, .timedOut, .unreachable, .outcomeUnknown, .storageFailed,
        ]
        #expect(outcomes.isSuperset(of: reached), "missing: \(reached.subtracting(outcomes))")
        let faults =
            FaultPlan.NetworkFault.allCases.map(\.rawValue) + FaultPlan.StoreFault.allCases.map(\.rawValue)
            + FaultPlan.ScannerFault.allCases.map(\.rawValue) + FaultPlan.KeypadFault.allCases.map(\.rawValue)
            + FaultPlan.ClockFault.allCases.map(\.rawValue)
        #expect(injected == Set(faults))
    }

    /// The same seed takes the same way.
    @Test func aRunCanBeRepeated() async throws {
        let runs = try await Pump.shared.work {
            let people = try FaultRun.register()
            return try (0..<2).map { _ in
                let run = FaultRun(seed: 7, people)
                try run.play()
                return ["\(run.plan)", "\(run.outcomes)"]
            }
        }
        #expect(runs[0] == runs[1])
    }

    // Each rule is broken once, and noticed.

    @Test func aLyingServerIsNoticed() async throws {
        let findings = try await Pump.shared.work {
            let server = HonestServer()
            server.change { $0.lies = true }
            let plan = FaultPlan(seed: 0, network: [])
            plan.stop()
            let kiosk = FaultyKiosk(
                plan, server, storage: InMemoryStorage(try FaultRun.register()), isCareful: true)
            kiosk.visit(FaultyKiosk.alice, code: FaultRun.code(0, of: 0))
            kiosk.wait()
            kiosk.stop()
            return kiosk.record.findings
        }
        #expect(findings == ["session 1 ends as loggedIn without the server's word"])
    }

    @Test func aWaitWithoutEndIsNoticed() async throws {
        let findings = try await Pump.shared.work {
            let plan = FaultPlan(seed: 0, network: [])
            plan.stop()
            let kiosk = FaultyKiosk(plan, HonestServer(), storage: InMemoryStorage(try FaultRun.register()))
            kiosk.visit(FaultyKiosk.carol, code: FaultRun.code(0, of: 0), actions: 1)
            kiosk.wait(atMost: { _ in .zero })
            let findings = kiosk.record.findings
            kiosk.wait()
            kiosk.stop()
            return findings
        }
        #expect(findings.contains { $0.contains("lasts longer than") }, "\(findings)")
    }

    @Test func aSecondProofForOnePINIsNoticed() {
        #expect(FaultRecord(typedPINs: 1, proofs: 1).findings == [])
        #expect(FaultRecord(typedPINs: 1, proofs: 2).findings == ["2 proofs for 1 PINs"])
    }

    @Test(
        arguments: [
            ([], []), ([.loggedIn], []), ([], [.loggedIn]), ([.loggedIn], [.timedOut]),
            ([.loggedIn, .loggedIn], [.loggedIn, .loggedIn]),
        ] as [([SessionOutcome], [SessionOutcome])])
    func anythingButOneOutcomeIsNoticed(closed: [SessionOutcome], ended: [SessionOutcome]) {
        let number = SessionNumber(1)
        #expect(FaultRecord(opened: [number: "code"], closed: [number: closed], ended: [number: ended]).findings != [])
        let good = FaultRecord(opened: [number: "code"], closed: [number: [.loggedIn]], ended: [number: [.loggedIn]])
        #expect(good.findings == [])
    }

    @Test func aPrintedSecretIsNoticed() {
        var record = FaultRecord()
        record.search(["step failed"], for: ["739154"])
        #expect(record.findings == [])
        record.search(["step 739154 failed"], for: ["739154"])
        #expect(record.findings == ["a secret of 6 characters was printed"])
    }

    enum Damage: CaseIterable { case lost, half, foreign }

    @Test(arguments: Damage.allCases) func aDamagedStoreIsNoticed(_ damage: Damage) async throws {
        let findings = try await Pump.shared.work {
            var people = try FaultRun.register()
            let bob = people[1].key
            let run = FaultRun(seed: 0, people)
            switch damage {
            case .lost: people = []
            case .half:
                let half = people[1].record.withBytes { bytes in (0..<bytes.count / 2).map { bytes[$0] } }
                people = [StoredIdentity(key: bob, record: SecretBytes(copying: half))]
            // The token of another person does not fit the PIN.
            case .foreign: people = [StoredIdentity(key: bob, record: people[0].record)]
            }
            let (storage, key, changed) = (run.storage, bob, people)
            try Pump.shared.run {
                try await storage.remove(key)
                for identity in changed { try await storage.save(identity) }
            }
            do { try run.checkStore() } catch { return ["\(error)"] }
            return run.findings
        }
        #expect(findings.count == 1, "\(findings)")
    }
}
