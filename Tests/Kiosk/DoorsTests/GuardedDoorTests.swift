// SPDX-License-Identifier: Apache-2.0

import Foundation
import KioskPorts
import KioskTestKit
import SystemPackage
import Testing
@testable import Doors

/// The whole door: limit, action, record.
@Suite struct GuardedDoorTests {
    let scratch: Scratch
    let clock = ManualClock()

    init() throws { scratch = try Scratch() }

    private func door(_ script: String, maximumLength: Int64 = OpeningRecordFile.maximumLength) throws -> GuardedDoor {
        let record = try OpeningRecordFile(at: FilePath(scratch.file("record")), maximumLength: maximumLength)
        return .command(
            "main", script, arguments: [], supervisor: try Scratch.kiosk, record: record, clock: clock,
            wallClock: { 1_795_299_330 },
            logger: Scratch.silent)
    }

    private struct Line: Decodable, Equatable {
        var id: String
        let time: String
        let door: String
        let userID: String
        let outcome: String
        let reason: String?
    }

    private func lines(_ name: String = "record") throws -> [Line] {
        try scratch.content(name).split(separator: "\n").map { line in
            try JSONDecoder().decode(Line.self, from: Data(line.utf8))
        }
    }

    @Test func recordsWhoAndWhenAndWhatCameOfIt() async throws {
        let door = try door(try scratch.script("test \"$LOGIN_KIOSK_USER\" != mallory@example.com"))
        for _ in 1...3 { try await door.open(for: "alice@example.com") }
        await #expect(throws: DoorFailure.self) { try await door.open(for: "mallory@example.com") }
        #expect(await door.wait(for: "alice@example.com") == .seconds(20))
        #expect(await door.wait(for: nil) == nil)
        let tooOften = await #expect(throws: DoorFailure.self) { try await door.open(for: "alice@example.com") }
        #expect(tooOften?.reason == .tooOften(.seconds(20)))
        let lines = try lines()
        #expect(lines.map(\.outcome) == ["opened", "opened", "opened", "failed", "refused"])
        #expect(lines.map(\.userID) == ["alice", "alice", "alice", "mallory", "alice"].map { "\($0)@example.com" })
        #expect(lines.allSatisfy { $0.time == "2026-11-21T22:15:30Z" && $0.door == "main" && $0.id.count == 32 })
        #expect(Set(lines.map(\.id)).count == 5)
        #expect(lines.map { $0.reason == nil } == [true, true, true, false, false])
        let attributes = try FileManager.default.attributesOfItem(atPath: scratch.file("record"))
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test func aLineThatWasCutSpoilsNoOther() async throws {
        try #"{"id":"x","ti"#.write(toFile: scratch.file("record"), atomically: true, encoding: .utf8)
        let door = try door("/bin/true")
        try await door.open(for: "alice@example.com")
        let text = try scratch.content("record")
        #expect(text.hasPrefix("{\"id\":\"x\",\"ti\n{") && text.hasSuffix("}\n"))
    }

    @Test func aFullRecordIsKeptAside() async throws {
        let door = try door("/bin/true", maximumLength: 400)
        for person in 1...5 { try await door.open(for: "\(person)") }
        #expect(try lines().map(\.userID) == ["4", "5"] && lines("record.1").map(\.userID) == ["1", "2", "3"])
    }

    @Test func aFullDiskKeepsNoDoorShut() async throws {
        let record = try OpeningRecordFile(at: "/dev/full")
        let out = scratch.file("out")
        let door = GuardedDoor.command(
            "main", try scratch.script("touch \(out)"), arguments: [], supervisor: try Scratch.kiosk, record: record,
            clock: clock, wallClock: { 0 },
            logger: Scratch.silent)
        try await door.open(for: "alice@example.com")
        #expect(FileManager.default.fileExists(atPath: out))
    }

    @Test func refusesARecordThatIsNoFile() throws {
        #expect(throws: (any Error).self) { try OpeningRecordFile(at: scratch.path) }
        try FileManager.default.createSymbolicLink(atPath: scratch.file("record"), withDestinationPath: "/dev/null")
        #expect(throws: (any Error).self) { try OpeningRecordFile(at: scratch.file("record")) }
    }
}
