// SPDX-License-Identifier: Apache-2.0

import Foundation
import LinuxSystem
import Patience
import Testing

@testable import AuditTrail

/// Writing the audit log.
@Suite struct AuditTrailTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func mode(_ name: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: scratch.file(name))[.posixPermissions] as? Int
    }

    @Test func aLineSaysWhoWhereWhatAndWhen() async throws {
        let trail = scratch.trail()
        await trail.append(.login("alice@example.com"))
        await trail.append(AuditEntry(event: "login", outcome: "timedOut", service: "shop.example.com"))
        let lines = try scratch.lines()
        let head = try #require(trail.progress.head)
        #expect(lines.count == 3)
        #expect(lines[0].hasPrefix(#"{"n":1,"time":"2026-11-21T22:15:31Z","follows":"00000000"#))
        #expect(
            lines[1].hasPrefix(
                #"{"n":2,"time":"2026-11-21T22:15:32Z","event":"login","service":"shop.example.com","#
                    + #""who":"alice@example.com","outcome":"loggedIn","chain":""#))
        #expect(lines[2].hasSuffix(#""service":"shop.example.com","outcome":"timedOut","chain":"\#(head)"}"#))
        #expect(try mode(AuditFiles.name) == 0o640)
        #expect(trail.progress.written == 2 && trail.progress.number == 3)
        let report = try scratch.verify()
        #expect(report.findings == [] && report.entries == 2 && report.head == head)
    }

    /// Computes SHA-256 as `docs/audit.md` describes it.
    @Test func theHashIsThatOfTheLineBehindTheHashBefore() async throws {
        await scratch.trail().append(.login("alice@example.com"))
        var before = String(repeating: "0", count: 64)
        for line in try scratch.lines() {
            let parts = line.components(separatedBy: #","chain":""#)
            let program = Process()
            program.executableURL = URL(filePath: "/bin/sh")
            program.arguments = [
                "-c", "{ printf %s \"$1\" | xxd -r -p; printf %s \"$2\"; } | sha256sum", "sh", before, parts[0],
            ]
            let output = Pipe()
            program.standardOutput = output
            try program.run()
            let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
            program.waitUntilExit()
            before = String(text.prefix(64))
            #expect(parts[1] == "\(before)\"}")
        }
    }

    @Test func whatIsToBeWrittenLaterIsWrittenInOrderBeforeTheEnd() async throws {
        let trail = scratch.trail()
        for person in ["a", "b"] { #expect(trail.note(.login(person))) }
        await trail.append(.login("c"))
        #expect(trail.note(.login("d")))
        await trail.close()
        #expect(try scratch.verify().findings == [])
        #expect(try scratch.entries().map(\.who) == ["a", "b", "c", "d"])
    }

    @Test func whatIsToBeWrittenLaterIsWrittenWithoutAnEnd() async throws {
        let trail = scratch.trail()
        for person in ["a", "b"] {
            #expect(trail.note(.login(person)))
            let entries = try await Patience.wait {
                let entries = try? scratch.entries()
                return entries?.last?.who == person ? entries : nil
            }
            #expect(entries != nil)
        }
        // The count rises once the line is on the disk, later than it can be read.
        #expect(try await Patience.wait { trail.progress.written == 2 ? true : nil } == true)
        #expect(try scratch.verify().findings == [])
    }

    /// Entries that wait for a hanging disk are bounded, and their caller is told.
    @Test func whatIsToBeWrittenLaterHasABound() async throws {
        let disk = FakeDisk.hanging
        let trail = scratch.trail(disk: disk)
        async let isWritten = trail.append(.login("first"))
        _ = try await Patience.wait { disk.hasHung ? true : nil }
        for _ in 0..<AuditTrail.capacity { #expect(trail.note(.login("later"))) }
        #expect(!trail.note(.login("one too many")))
        disk.goOn()
        #expect(await isWritten)
        await trail.close()
        #expect(trail.progress.written == 1 + UInt64(AuditTrail.capacity))
        #expect(try scratch.verify().findings == [])
    }

    @Test func aFullFileIsKeptAsideAndTheChainGoesOn() async throws {
        let trail = scratch.trail(length: 1000, files: 4)
        var heads: [ChainHash] = []
        for person in 0..<30 {
            await trail.append(.login("\(person)"))
            heads.append(try #require(trail.progress.head))
        }
        #expect(try scratch.files == (["", ".1", ".2", ".3"].map { AuditFiles.name + $0 }))
        for name in try scratch.files {
            #expect(try scratch.bytes(name).count <= 1000)
            #expect(try mode(name) == 0o640)
        }
        let report = try scratch.verify()
        #expect(report.findings == [] && report.head == heads.last)
        #expect(try scratch.entries().map(\.who).last == "29" && scratch.entries().count < 20)
        #expect(try #require(report.first).number > 1, "the oldest are gone, and the number of the first says so")
        #expect(try scratch.verify(head: heads[25]).anchor != nil)
        #expect(try scratch.verify(head: heads[0]).anchor == nil)
    }

    /// A power failure before each step of a rotation.
    @Test(arguments: 1...3) func aRotationThatWasCutGoesOn(_ moved: Int) async throws {
        let trail = scratch.trail(length: 1000, files: 6)
        for person in 0..<14 { await trail.append(.login("\(person)")) }
        await trail.close()
        #expect(try scratch.files.count == 4)
        for number in stride(from: 3, through: 4 - moved, by: -1) {
            let old = number == 0 ? scratch.file() : scratch.file("\(AuditFiles.name).\(number)")
            try FileManager.default.moveItem(atPath: old, toPath: scratch.file("\(AuditFiles.name).\(number + 1)"))
        }
        let other = scratch.trail(length: 1000, files: 6)
        for person in 14..<18 { await other.append(.login("\(person)")) }
        #expect(try scratch.verify().findings == [])
        #expect(try scratch.entries().compactMap(\.who) == (0..<18).map { "\($0)" })
    }

    @Test func aPowerCutBetweenTheFilesKeepsTheChain() async throws {
        await scratch.append("a")
        try FileManager.default.moveItem(atPath: scratch.file(), toPath: scratch.file(AuditFiles.name + ".1"))
        await scratch.append("b")
        #expect(try scratch.verify().findings == [])
        // The same after the file was made, while it is empty.
        try FileManager.default.moveItem(
            atPath: scratch.file(AuditFiles.name + ".1"), toPath: scratch.file(AuditFiles.name + ".2"))
        try FileManager.default.moveItem(atPath: scratch.file(), toPath: scratch.file(AuditFiles.name + ".1"))
        try scratch.write([])
        await scratch.append("c")
        #expect(try scratch.verify().findings == [] && scratch.entries().map(\.who) == ["a", "b", "c"])
    }

    /// The file after a power failure at any byte of its last two lines.
    @Test func aCutAtAnyByteIsToldAndTheChainGoesOn() async throws {
        await scratch.append("a", "b")
        let whole = try scratch.bytes()
        let ends = whole.indices.filter { whole[$0] == UInt8(ascii: "\n") }
        for length in 0...whole.count {
            try scratch.write(Array(whole[..<length]))
            await scratch.append("after")
            let report = try scratch.verify()
            #expect(report.breaches == 0, "\(length): \(report.findings)")
            let isBetweenLines = length == 0 || ends.contains(length - 1) || ends.contains(length)
            #expect(report.findings.isEmpty == isBetweenLines, "\(length): \(report.findings)")
            let kept = ["a", "b"].prefix(max(ends.filter { $0 <= length }.count - 1, 0))
            #expect(try scratch.entries().map(\.who) == kept + ["after"], "\(length)")
        }
    }

    /// Zeros that a file system left at the end of the file.
    @Test func zerosAtTheEndAreToldAndTheChainGoesOn() async throws {
        await scratch.append("a")
        try scratch.write(try scratch.bytes() + [UInt8](repeating: 0, count: 4096) + Array("\nrest".utf8))
        await scratch.append("b")
        let report = try scratch.verify()
        #expect(report.breaches == 0 && report.findings.map(\.kind) == [.cutOff(bytes: 4102)])
        #expect(try scratch.entries().map(\.who) == ["a", "b"])
    }

    @Test func aFullDiskIsToldOnceAndWhatIsMissingIsCounted() async throws {
        let (disk, complaints) = (FakeDisk(room: 500), Complaints())
        let trail = scratch.trail(disk: disk, complaints: complaints)
        for person in 0..<6 { await trail.append(.login("\(person)")) }
        #expect(complaints.list == [.unwritable(scratch.file(), ENOSPC)])
        #expect(trail.progress.missed == 5 && trail.progress.written == 1)
        #expect(trail.progress.fault?.hint == "make room on the disk")
        disk.set(room: 100_000)
        for person in 6..<8 { await trail.append(.login("\(person)")) }
        #expect(complaints.list == [.unwritable(scratch.file(), ENOSPC), nil])
        let report = try scratch.verify()
        #expect(report.breaches == 0)
        #expect(report.findings.contains { $0.kind == .missed(5) })
        #expect(try scratch.entries().map(\.who) == ["0", "6", "7"])
    }

    /// The disk fills up at any byte, with room for single bytes in between.
    @Test func aDiskThatFillsUpAnywhereBreaksNoChain() async throws {
        for room in stride(from: 1, through: 900, by: 23) {
            let scratch = try Scratch(), disk = FakeDisk(room: room)
            let trail = scratch.trail(disk: disk)
            for person in 0..<3 { await trail.append(.login("\(person)")) }
            disk.set(room: 3)
            await trail.append(.login("3"))
            disk.set(room: 100_000)
            await trail.append(.login("4"))
            let report = try scratch.verify()
            #expect(report.breaches == 0, "\(room): \(report.findings)")
            let missed = report.findings.reduce(0) { if case .missed(let count) = $1.kind { $0 + count } else { $0 } }
            #expect(report.entries + missed == 5, "\(room)")
        }
    }

    @Test func aClockThatIsSetBackChangesNoOrder() async throws {
        let (clock, trail) = (scratch.clock, scratch.trail())
        await trail.append(.login("a"))
        clock.set(86_400)
        await trail.append(.login("b"))
        for extreme in [Int64.min, Int64.max - 1] {
            clock.set(extreme)
            await trail.append(.login("c"))
        }
        let report = try scratch.verify()
        #expect(report.breaches == 0)
        #expect(report.findings.map(\.kind).first == .earlier(than: "2026-11-21T22:15:32Z"))
        #expect(try scratch.entries().map(\.who) == ["a", "b", "c", "c"])
        #expect(try scratch.lines().last?.contains(#""time":"9999-12-31T23:59:59Z""#) == true)
    }

    @Test func anotherProcessKeepsTheRecord() async throws {
        let first = scratch.trail(), complaints = Complaints()
        await first.append(.login("a"))
        let second = scratch.trail(complaints: complaints)
        await second.append(.login("b"))
        #expect(complaints.list == [.inUse(scratch.path)])
        #expect(try scratch.entries().map(\.who) == ["a"])
    }

    @Test func aTextCannotBeginALineOrOpenAnother() async throws {
        let trail = scratch.trail()
        let hostile = "x\"}\n{\"n\":9,\u{1B}[2J\u{202E}\u{0}\\"
        await trail.append(AuditEntry(event: "login", outcome: "declined", service: hostile, who: hostile))
        await trail.append(.login(String(repeating: "ä", count: 5000)))
        let lines = try scratch.lines()
        #expect(lines.count == 3)
        #expect(lines[1].unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x202E })
        #expect(lines[2].utf8.count < 800)
        let entries = try scratch.entries()
        #expect(entries[0].service == hostile && entries[0].who == hostile)
        #expect(entries[1].who?.utf8.count ?? 0 <= AuditEntry.longestText && entries[1].who?.hasSuffix("ä…") == true)
        #expect(try scratch.verify().findings == [])
        let object = try JSONSerialization.jsonObject(with: Data(lines[1].utf8)) as? [String: Any]
        #expect(object?["who"] as? String == hostile)
    }
}
