// SPDX-License-Identifier: Apache-2.0

import KioskMachine
import KioskPorts
import KioskTestKit
import LoginValues
import Synchronization
import Testing
@testable import KioskRuntime

@Suite("Reloading settings while the kiosk runs", .timeLimit(.minutes(10)))
struct AdoptionTests {
    /// The settings that were read and distributed, in order.
    final class Record: Sendable {
        private let lines = Mutex<[String]>([])
        var all: [String] { lines.withLock(\.self) }
        func add(_ line: String) { lines.withLock { $0.append(line) } }
        func until(_ line: String) async {
            while !all.contains(line), !Task.isCancelled { await Task.yield() }
        }
    }

    private static func settings(
        _ trust: [String], tasks: [KioskTask] = KioskTask.allCases, policy: KioskPolicy = KioskPolicy(),
        _ record: Record,
        _ name: String = "new"
    ) throws -> KioskSettings {
        let lines = try trust.map { try TrustLine($0) }
        return KioskSettings(trust: TrustPolicy(lines: lines), tasks: tasks, policy: policy) {
            record.add("spread \(name)")
        }
    }

    @Test("An added host is served, and a removed one is not")
    func trust() async throws {
        let record = Record()
        try await KioskRig(trust: []).run { rig in
            try await rig.screen.view(at: .firstRun)
            let settings = try Self.settings(["login.example.com"], record)
            await rig.kiosk.adopt { settings }
            await record.until("spread new")
            try await rig.screen.view { $0.stage == .scan && $0.tone == .ready }
            try await rig.play("qr login; wait consent; key back; wait outcome; key enter; wait scan")
            let empty = try Self.settings([], record, "empty")
            await rig.kiosk.adopt { empty }
            await record.until("spread empty")
            try await rig.screen.view(at: .firstRun)
        }
    }

    @Test("A session keeps the settings of its beginning")
    func neverWithinASession() async throws {
        let record = Record()
        let rig = try KioskRig()
        try await rig.run { rig in
            try await rig.walkToPIN()
            let settings = try Self.settings(["other.example.com"], record)
            await rig.kiosk.adopt {
                record.add("read")
                return settings
            }
            try await rig.play("key 2583 enter; wait outcome, title success")
            // The outcome's screen belongs to the session.
            #expect(record.all.isEmpty)
            rig.keypad.press(.enter)
            await record.until("spread new")
            #expect(record.all == ["read", "spread new"])
            try await rig.play(
                """
                qr "https://login.example.com#another"; hint untrustedCode
                """)
        }
    }

    @Test("A session that begins while files are read has the old settings, and the new ones count afterwards")
    func aSessionThatWasFaster() async throws {
        let record = Record()
        let reading = AsyncStream.makeStream(of: Void.self)
        let rig = try KioskRig()
        try await rig.run { rig in
            try await rig.screen.view(at: .scan)
            let settings = try Self.settings(["other.example.com"], record)
            await rig.kiosk.adopt {
                record.add("read")
                for await _ in reading.stream { break }
                return settings
            }
            await record.until("read")
            try await rig.play("qr login; wait connecting")
            reading.continuation.yield()
            try await rig.screen.view(at: .consent)
            #expect(record.all == ["read"])
            try await rig.play("key back; wait outcome; key enter")
            await record.until("spread new")
        }
    }

    @Test("Unreadable settings change nothing, and the newest of several requests counts")
    func theLastGoodOnes() async throws {
        let record = Record()
        let rig = try KioskRig()
        try await rig.run { rig in
            try await rig.walkToPIN()
            let old = try Self.settings(["a.example.com"], record, "old")
            await rig.kiosk.adopt { old }
            await rig.kiosk.adopt {
                record.add("broken")
                return nil
            }
            try await rig.play("key back; wait outcome; key enter")
            await record.until("broken")
            try await rig.play(
                """
                qr "https://login.example.com#another"; wait consent
                """)
            #expect(record.all == ["broken"])
        }
    }

    @Test("Menu and PIN rules follow the operator's newest settings")
    func menu() async throws {
        let record = Record()
        try await KioskRig(tasks: []).run { rig in
            try await rig.screen.view { $0.stage == .scan && !$0.actions.contains { $0.label.key == .actionMenu } }
            let settings = try Self.settings(["login.example.com"], tasks: [.oneTimePassword], record)
            await rig.kiosk.adopt { settings }
            try await rig.screen.view { $0.stage == .scan && $0.actions.contains { $0.label.key == .actionMenu } }
        }
    }
}
