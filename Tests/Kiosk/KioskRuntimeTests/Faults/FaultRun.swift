// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskTestKit
import Logging
import LoginValues
import MPinClient
import Patience

/// One run: some people at a kiosk under faults, then the same kiosk and its store without faults.
final class FaultRun {
    let plan: FaultPlan
    let storage: InMemoryStorage
    private let server = HonestServer()
    private let people: [StoredIdentity]
    private(set) var outcomes: [SessionOutcome] = []
    /// Alice's PIN, and another one that may work in its place.
    private var pins = [FaultyKiosk.alice.pin]
    /// Of people who registered at the kiosk, by user id.
    private var chosenPINs: [String: String] = [:]
    private(set) var findings: [String] = []

    /// - Parameter people: from ``register()``.
    init(seed: UInt64, _ people: [StoredIdentity]) {
        plan = FaultPlan(seed: seed, oneIn: [6, 12, 24, 48][Int(seed % 4)])
        self.people = people
        storage = InMemoryStorage(people)
    }

    func play() throws {
        try visit()
        try checkStore()
        try logInAfterwards()
    }

    // MARK: With faults

    private func visit() throws {
        let kiosk = FaultyKiosk(plan, server, storage: storage)
        var random = SplitMix64(seed: plan.seed &+ 1)
        for number in 0..<3 {
            let alice = FaultyKiosk.Person(userID: FaultyKiosk.alice.userID, pin: pins[0])
            let code = FaultRun.code(number, of: plan.seed)
            switch random.next() % 5 {
            case 0: kiosk.visit(FaultyKiosk.bob, code: code)
            case 1: kiosk.visit(FaultyKiosk.carol, code: code)
            case 2 where pins == [FaultyKiosk.alice.pin]:
                kiosk.visit(alice, code: nil)
                kiosk.wait()
                guard let chosen = kiosk.chosenPINs[alice.userID] else { break }
                if kiosk.observer.lastOutcome == .pinChanged {
                    pins = [chosen]
                } else if plan.injected.contains("save afterwards") {
                    // The store has reported a failure after its change.
                    pins.append(chosen)
                }
            default: kiosk.visit(alice, code: code)
            }
            kiosk.wait()
        }
        chosenPINs = kiosk.chosenPINs
        plan.stop()
        kiosk.wait()
        kiosk.stop()
        judge(kiosk)
    }

    private func judge(_ kiosk: FaultyKiosk) {
        var record = kiosk.record
        let people = [FaultyKiosk.alice, FaultyKiosk.bob, FaultyKiosk.carol, FaultyKiosk.dora]
        record.search(
            kiosk.texts,
            for: people.map(\.pin) + [FaultyKiosk.newPIN, FaultyKiosk.wrongPIN] + server.change { Array($0.secrets) }
                + (0...3).map { FaultRun.code($0, of: plan.seed) })
        findings += record.findings
        outcomes += record.closed.sorted { $0.key < $1.key }.flatMap(\.value)
    }

    /// The access code of a visit: 32 hexadecimal digits.
    static func code(_ visit: Int, of seed: UInt64) -> String {
        let digits = String(seed, radix: 16)
        return "c0de\(visit)" + String(repeating: "0", count: 27 - digits.count) + digits
    }

    // MARK: Without faults

    /// Checks that the store has everybody who was there before, and that every registered identity works.
    func checkStore() throws {
        server.change { $0.failures = [:] }
        let transport = FakeTransport()
        server.install(on: transport)
        let logger = LogCapture().logger
        let client = FaultyKiosk.client(transport, storage, clock: ManualClock(), logger: logger)
        let (stored, users) = try Pump.shared.run { [storage] in
            let stored = try await storage.identities()
            try await client.initialize()
            try await client.setBackend(try WebAddress(HonestServer.site))
            return (stored, try await client.users())
        }
        let before = people.map(\.key)
        for key in before + stored.map(\.key).filter({ !before.contains($0) }) {
            guard let user = users.first(where: { $0.key == key }) else {
                if !server.hasBlocked(key.userID) { findings.append("\(key.userID) is lost") }
                continue
            }
            switch user.state {
            case .registered: try checkPIN(of: user, client)
            case .blocked where server.hasBlocked(key.userID): break
            case _ where before.contains(key): findings.append("\(key.userID) is \(user.state)")
            default: break
            }
        }
    }

    private func checkPIN(of user: User, _ client: MPin) throws {
        guard !server.hasBlocked(user.identity) else { return }
        // Carol registers, and after lost keys with an address that she has typed once and a half.
        let person = [FaultyKiosk.bob, FaultyKiosk.dora].first { $0.userID == user.identity } ?? FaultyKiosk.carol
        let candidates = user.identity == FaultyKiosk.alice.userID ? pins : [chosenPINs[person.userID] ?? person.pin]
        let works = try Pump.shared.run {
            for pin in candidates {
                try await client.startAuthentication(of: user)
                do throws(MPinError) {
                    _ = try await client.finishAuthentication(of: user, pin: FaultRun.typed(pin))
                    return true
                } catch { guard error.kind == .wrongPIN else { throw error } }
            }
            return false
        }
        if !works { findings.append("no PIN of \(user.identity) works") }
    }

    private static func typed(_ pin: String) -> Pin? {
        var entry = PinEntry()
        for digit in pin.utf8 { entry.append(digit - UInt8(ascii: "0")) }
        return Pin(entry)
    }

    /// Logs in at a kiosk that was started again with the same store.
    private func logInAfterwards() throws {
        let kiosk = FaultyKiosk(plan, server, storage: storage, isCareful: true)
        let code = FaultRun.code(3, of: plan.seed)
        kiosk.visit(FaultyKiosk.dora, code: code)
        kiosk.wait()
        kiosk.stop()
        let accepted = server.change { $0.accepted }
        if kiosk.record.closed.values.map({ $0 }) != [[.loggedIn]] || !accepted.contains(code) {
            findings.append("after the faults a login ends as \(kiosk.record.closed)")
        }
        judge(kiosk)
    }

    // MARK: Before all runs

    /// Registers the people who are there before.
    static func register() throws -> [StoredIdentity] {
        let (storage, server, transport) = (InMemoryStorage(), HonestServer(), FakeTransport())
        server.install(on: transport)
        let logger = LogCapture().logger
        let client = FaultyKiosk.client(transport, storage, clock: ManualClock(), logger: logger)
        return try Pump.shared.run {
            try await client.initialize()
            try await client.setBackend(try WebAddress(HonestServer.site))
            for person in [FaultyKiosk.alice, FaultyKiosk.bob, FaultyKiosk.dora] {
                let user = try await client.startRegistration(of: await client.makeNewUser(person.userID))
                let confirmed = try await client.confirmRegistration(of: user)
                _ = try await client.finishRegistration(of: confirmed, pin: FaultRun.typed(person.pin))
            }
            return try await storage.identities()
        }
    }
}
