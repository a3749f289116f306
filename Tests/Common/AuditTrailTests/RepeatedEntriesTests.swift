// SPDX-License-Identifier: Apache-2.0

import Foundation
import Patience
import Testing

@testable import AuditTrail

/// Repeated actions of a person do not fill the audit log, and none is missing in it.
@Suite(.timeLimit(.minutes(10))) struct RepeatedEntriesTests {
    private let scratch: Scratch
    private let aborted = AuditEntry.login("alice", "declined")

    init() throws { scratch = try Scratch() }

    /// Lines in the form `outcome who times`.
    private var lines: [String] {
        get throws { try scratch.entries().map { "\($0.outcome) \($0.who ?? "-") \($0.count)" } }
    }

    @Test func aThousandAbortedScansOfAMinuteAreTwoLines() async throws {
        let trail = scratch.trail(repetition: 1_000_000)
        for _ in 0..<1000 { await trail.append(aborted, isRepeatable: true) }
        #expect(try lines == ["declined alice 1"])
        await trail.close()
        #expect(try lines == ["declined alice 1", "declined alice 999"])
        #expect(try scratch.lines().count == 3)
        #expect(try scratch.verify().findings == [])
        #expect(trail.progress.missed == 0)
    }

    @Test func whatCountsHasALineOfItsOwn() async throws {
        let trail = scratch.trail(repetition: 1_000_000)
        for _ in 0..<3 {
            await trail.append(.login("alice", "wrongPIN"))
            await trail.append(aborted, isRepeatable: true)
            await trail.append(.login("bob", "declined"), isRepeatable: true)
        }
        await trail.close()
        let lines = try lines
        #expect(lines.filter { $0 == "wrongPIN alice 1" }.count == 3)
        #expect(lines.suffix(2).sorted() == ["declined alice 2", "declined bob 2"] && lines.count == 7)
    }

    /// The minute ends with another line or, without one, by time.
    @Test func theEndOfTheMinuteWritesTheNumber() async throws {
        // The clock advances a second each time it is read.
        let trail = scratch.trail(repetition: 10)
        for _ in 0..<5 { await trail.append(aborted, isRepeatable: true) }
        scratch.clock.set(1_795_300_000)
        await trail.append(.login("bob"))
        #expect(try lines == ["declined alice 1", "declined alice 4", "loggedIn bob 1"])
        await trail.append(aborted, isRepeatable: true)
        #expect(try lines.last == "declined alice 1")
        await trail.close()
        #expect(try lines.count == 4)
    }

    @Test func timeEndsItWhereNothingComes() async throws {
        let time = FakeClock(step: 0)
        var limits = AuditTrail.Limits()
        limits.repetition = 1
        let trail = AuditTrail(in: scratch.path, limits: limits, wallClock: { time.next() }, complain: { _ in })
        for _ in 0..<3 { await trail.append(aborted, isRepeatable: true) }
        time.goOn(by: 1)
        let last = try await Patience.wait { try lines.count == 2 ? lines.last : nil }
        #expect(last == "declined alice 2")
        await trail.close()
        #expect(try lines.count == 2)
    }

    /// A clock that was set back does not delay a line.
    @Test func aClockThatIsSetBackEndsTheMinute() {
        var entries = RepeatedEntries(period: 60)
        let joined = [1000, 1059, 1001].map { entries.joins(aborted, at: $0) }
        #expect(joined == [false, true, true])
        let early = entries.ended(at: 1059)
        #expect(early == [] && entries.isWaiting)
        let ended = entries.ended(at: 999)
        #expect(ended == [aborted.repeated(2)] && !entries.isWaiting)
        let again = entries.joins(aborted, at: 999)
        #expect(!again)
    }

    /// More different entries than are remembered get a line each.
    @Test func manyDifferentOnesTakeNoMemory() {
        var entries = RepeatedEntries(period: 60)
        let first = (0..<RepeatedEntries.capacity).filter { entries.joins(.login("\($0)"), at: 0) }
        let more = [1, 1].filter { entries.joins(.login("one more"), at: $0) }
        #expect(first.isEmpty && more.isEmpty)
        let known = entries.joins(.login("0"), at: 2)
        let ended = entries.ended(at: 60)
        #expect(known && ended == [AuditEntry.login("0").repeated(1)])
        let later = [61, 61].map { entries.joins(.login("one more"), at: $0) }
        #expect(later == [false, true])
    }

    /// Entries that could not be written count as often as they occurred.
    @Test func aFullDiskMissesAllOfThem() async throws {
        let disk = FakeDisk(room: 10_000)
        let complaints = Complaints()
        let trail = scratch.trail(repetition: 1_000_000, disk: disk, complaints: complaints)
        for _ in 0..<4 { await trail.append(aborted, isRepeatable: true) }
        disk.set(room: 0)
        await trail.append(.login("bob"))
        // A repeated entry writes nothing, so it does not show that the disk has room again.
        await trail.append(aborted, isRepeatable: true)
        #expect(complaints.list.count == 1 && trail.progress.fault != nil)
        await trail.close()
        #expect(trail.progress.missed == 1 + 4)
        #expect(complaints.list.compactMap { $0 }.count == 1)
    }

    /// Entries that are written later are merged too.
    @Test func alsoThoseThatAreWrittenLater() async throws {
        let trail = scratch.trail(repetition: 1_000_000)
        for _ in 0..<500 {
            #expect(trail.note(.login("alice", "blocked"), isRepeatable: true))
            #expect(trail.note(.login("alice", "right")))
        }
        await trail.close()
        let lines = try lines
        #expect(lines.filter { $0 == "right alice 1" }.count == 500)
        #expect(lines.filter { $0.hasPrefix("blocked") } == ["blocked alice 1", "blocked alice 499"])
    }

    @Test func aNumberIsPartOfTheLine() throws {
        let record = AuditRecord(number: 2, time: "2026-11-21T22:15:31Z", .entry(aborted.repeated(29)))
        var head = ChainHash.start
        let line = record.line(after: &head).dropLast()
        #expect(String(decoding: line, as: UTF8.self).contains(#""outcome":"declined","count":29,"chain""#))
        let read = try #require(AuditRecord.parse(line[...]))
        #expect(read.record == record && read.chain == head)
        #expect(record.summary.hasSuffix("  29 times") && record.tableRow.hasSuffix(#","29""#))
    }
}
