// SPDX-License-Identifier: Apache-2.0

import AuditTrail
import Foundation
import KioskPorts
import KioskTestKit
import Synchronization
import Testing
@testable import Doors

/// The whole door: limit, action, record.
@Suite struct GuardedDoorTests {
    let scratch: Scratch
    let clock = ManualClock()

    init() throws { scratch = try Scratch() }

    private func door(_ script: String, record: @escaping @Sendable (AuditEntry) -> Void) throws -> GuardedDoor {
        .command(
            "main", try scratch.script(script), arguments: [], supervisor: try Scratch.kiosk,
            in: DoorSurroundings(
                record: record, clock: clock, wallClock: { 1_795_299_330 }, logger: Scratch.silent))
    }

    private final class Entries: Sendable {
        let all = Mutex<[AuditEntry]>([])
    }

    @Test func recordsWhoAndWhatCameOfIt() async throws {
        let noted = Entries()
        let door = try door("test \"$LOGIN_KIOSK_USER\" != mallory@example.com") { entry in
            noted.all.withLock { $0.append(entry) }
        }
        for _ in 1...3 { try await door.open(for: "alice@example.com") }
        await #expect(throws: DoorFailure.self) { try await door.open(for: "mallory@example.com") }
        #expect(await door.wait(for: "alice@example.com") == .seconds(20))
        #expect(await door.wait(for: nil) == nil)
        let tooOften = await #expect(throws: DoorFailure.self) { try await door.open(for: "alice@example.com") }
        #expect(tooOften?.reason == .tooOften(.seconds(20)))
        let entries = noted.all.withLock { $0 }
        #expect(entries.map(\.outcome) == ["opened", "opened", "opened", "failed", "refused"])
        #expect(
            entries.compactMap(\.who) == ["alice", "alice", "alice", "mallory", "alice"].map { "\($0)@example.com" })
        #expect(entries.allSatisfy { $0.event == "opening" && $0.service == "main" })
        let details = entries.compactMap(\.detail)
        #expect(details.map { $0.contains(", reason: ") } == [false, false, false, true, true])
        let ids = details.map { $0.prefix { $0 != "," } }
        #expect(Set(ids).count == 5 && ids.allSatisfy { $0.count == "id: ".count + 32 })
    }

    @Test func aRecordThatCannotBeKeptKeepsNoDoorShut() async throws {
        let trail = AuditTrail(in: "/dev/full/audit", complain: { _ in })
        let out = scratch.file("out")
        let door = try door("touch \(out)") { #expect(trail.note($0)) }
        try await door.open(for: "alice@example.com")
        await trail.close()
        #expect(FileManager.default.fileExists(atPath: out))
        #expect(trail.progress.missed == 1 && trail.progress.fault != nil)
    }
}
