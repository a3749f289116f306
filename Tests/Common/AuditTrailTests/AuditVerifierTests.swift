// SPDX-License-Identifier: Apache-2.0

import Foundation
import Patience
import Testing

@testable import AuditTrail

/// Changes that the verifier finds, and those that it cannot find.
@Suite struct AuditVerifierTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func fill(_ count: Int = 6) async throws -> [String] {
        let trail = scratch.trail()
        for person in 0..<count { await trail.append(.login("\(person)")) }
        await trail.close()
        return try scratch.lines()
    }

    private func put(_ lines: [String]) throws {
        try scratch.write(Array((lines.joined(separator: "\n") + "\n").utf8))
    }

    enum Change { case edited, deleted, moved }

    @Test(
        arguments: [
            (.edited, [.altered], 4), (.deleted, [.altered, .outOfOrder(expected: 4, found: 5)], 4), (.moved, nil, 3),
        ] as [(Change, [AuditFinding.Kind]?, Int)])
    func aChangeIsFoundAtItsLine(
        _ change: Change, _ kinds: [AuditFinding.Kind]?, _ line: Int
    ) async throws {
        var lines = try await fill()
        switch change {
        case .edited: lines[3] = lines[3].replacing(#""who":"2""#, with: #""who":"9""#)
        case .deleted: lines.remove(at: 3)
        case .moved: lines.swapAt(2, 4)
        }
        try put(lines)
        let report = try scratch.verify()
        if let kinds { #expect(report.findings.map(\.kind) == kinds) }
        #expect(report.breaches > 0 && report.findings[0].file == scratch.file())
        #expect(report.findings[0].lineNumber == line)
    }

    @Test func aFileThatIsGoneIsFound() async throws {
        let trail = scratch.trail(length: 1000)
        for person in 0..<12 { await trail.append(.login("\(person)")) }
        try FileManager.default.removeItem(atPath: scratch.file(AuditFiles.name + ".1"))
        let report = try scratch.verify()
        #expect(report.findings.map(\.kind).first == .doesNotFollow)
        #expect(report.findings.first?.file == scratch.file())
    }

    /// Only a hash that was written down elsewhere shows that the audit log's end is missing.
    @Test func anEndThatIsGoneIsFoundByTheHashThatWasWrittenDown() async throws {
        var lines = try await fill()
        let head = try scratch.verify().head
        #expect(try scratch.verify(head: head).anchor == 7)
        lines.removeLast(2)
        try put(lines)
        #expect(try scratch.verify().findings == [])
        #expect(try scratch.verify(head: head).anchor == nil)
    }

    /// Anybody who may write the file may replace it with a consistent one. The hash elsewhere shows that.
    @Test func aRecordThatWasWrittenAnewIsFoundByTheHashThatWasWrittenDown() async throws {
        _ = try await fill()
        let head = try scratch.verify().head
        try FileManager.default.removeItem(atPath: scratch.file())
        let trail = scratch.trail()
        for _ in 0..<6 { await trail.append(.login("mallory")) }
        #expect(try scratch.verify().findings == [])
        #expect(try scratch.verify(head: head).anchor == nil)
    }

    /// A line that reports a cut, after other bytes.
    @Test func whatWasCutOffCannotBeChangedLater() async throws {
        await scratch.append("a")
        try scratch.write(try scratch.bytes() + Array(#"{"n":3,"ti"#.utf8))
        await scratch.append("b")
        #expect(try scratch.verify().breaches == 0)
        let text = String(decoding: try scratch.bytes(), as: UTF8.self)
        try scratch.write(Array(text.replacing("\"ti\n", with: "\"xx\n").utf8))
        #expect(try scratch.verify().findings.map(\.kind) == [.unreadable])
        try scratch.write(Array(text.replacing("{\"n\":3,\"ti\n", with: "").utf8))
        #expect(try scratch.verify().breaches == 0, "the note of the cut stands, and nobody misses what it tells of")
    }

    /// More lines than the verifier keeps, with the next line's report of the cut and without it.
    @Test func aCutOfManyLinesIsNoBreach() async throws {
        let count = AuditVerifier.findingLimit + 1
        await scratch.append("a")
        try scratch.write(try scratch.bytes() + [UInt8](repeating: UInt8(ascii: "\n"), count: count))
        #expect(try scratch.verify().breaches == count)
        await scratch.append("b")
        let report = try scratch.verify()
        #expect(report.findings.map(\.kind) == [.cutOff(bytes: count)] && report.breaches == 0)
    }

    /// Any byte that is changed, inserted or removed.
    @Test func everyChangeOfAByteIsFound() async throws {
        let trail = scratch.trail(length: 700)
        for person in 0..<9 { await trail.append(.login("\(person)")) }
        let names = try scratch.files
        #expect(names.count > 2)
        let contents = try names.map { try scratch.bytes($0) }
        var chance = SplitMix64(seed: 72)
        for round in 0..<TestEffort.rounds(500) {
            let which = Int.random(in: names.indices, using: &chance)
            var bytes = contents[which]
            let place = Int.random(in: bytes.indices, using: &chance)
            switch Int.random(in: 0..<3, using: &chance) {
            case 0: bytes[place] ^= UInt8.random(in: 1...255, using: &chance)
            case 1: bytes.remove(at: place)
            default: bytes.insert(UInt8.random(in: 0...255, using: &chance), at: place)
            }
            guard bytes != contents[which] else { continue }
            try scratch.write(bytes, names[which])
            let report = try scratch.verify()
            #expect(!report.findings.isEmpty, "round \(round): \(names[which]) at \(place)")
            try scratch.write(contents[which], names[which])
        }
        #expect(try scratch.verify().findings == [])
    }
}
