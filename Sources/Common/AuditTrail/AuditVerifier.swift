// SPDX-License-Identifier: Apache-2.0

/// Checks that each line of an audit log is bound to the previous one. `docs/audit.md` describes what that can prove.
public struct AuditVerifier: Sendable {
    /// Further findings are counted and not kept.
    static let findingLimit = 200

    public private(set) var findings: [AuditFinding] = []
    public private(set) var breaches = 0
    /// The first and the last readable line.
    public private(set) var first: AuditRecord?
    public private(set) var last: AuditRecord?
    /// The hash of the last line, to which the next one must be bound.
    public private(set) var head: ChainHash?
    public private(set) var entries = 0
    public private(set) var lines = 0
    /// The number of the line with the expected hash; nil when there is none.
    public private(set) var anchor: UInt64?

    private let expectedHash: ChainHash?
    private var file: String?
    private var hasRecords = false
    private var unreadable = UnreadableLines()

    init(head expectedHash: ChainHash? = nil) { self.expectedHash = expectedHash }

    /// Reads and checks an audit log.
    ///
    /// - Parameters:
    ///   - expectedHash: the hash of a line, as it was kept elsewhere.
    ///   - see: called with each readable line, in order.
    /// - Throws: ``FileFault`` for a file that cannot be read, and errors of `see`.
    public init(
        of reader: AuditReader, head expectedHash: ChainHash? = nil, _ see: (AuditRecord) throws -> Void = { _ in }
    ) throws {
        self.init(head: expectedHash)
        try reader.read { line in
            check(line)
            if let record = line.record { try see(record) }
        }
        finish()
    }

    /// The last line's number and hash, to be written down elsewhere; nil without a line.
    public var headLine: String? { last.flatMap { last in head.map { "head of line \(last.number): \($0)" } } }

    /// The result in one sentence, and ``headLine``.
    public var summary: String {
        guard let first, let last, let headLine else { return "no line of an audit log" }
        let after = anchor.map { ", \(last.number - $0) lines after the hash that was written down" } ?? ""
        return "\(breaches == 0 ? "ok" : "\(breaches) breaches"): \(entries) entries, lines "
            + "\(first.number) to \(last.number), \(first.time) to \(last.time)\(after)\n\(headLine)"
    }

    mutating func check(_ line: AuditReader.Line) {
        if line.file != file {
            reportUnreadable()
            file = line.file
            hasRecords = false
        }
        lines += 1
        guard let record = line.record, let hash = line.chain else { return unreadable.append(line) }
        verify(record, hash, line)
        // A changed line keeps its hash. So each one is reported by itself, and not all that follow.
        head = hash
        first = first ?? record
        last = record
        if hash == expectedHash { anchor = record.number }
        if case .entry = record.content { entries += 1 }
        hasRecords = true
    }

    /// Finishes the check after the last line.
    mutating func finish() { reportUnreadable(isEnd: true) }

    private mutating func verify(_ record: AuditRecord, _ hash: ChainHash, _ line: AuditReader.Line) {
        var previous = head
        if !hasRecords {
            // The oldest file left follows one that was removed.
            if case .follows(let before) = record.content {
                if let head, head != before { report(startsAgain(record) ? .startsAgain : .doesNotFollow, line) }
                previous = before
            } else {
                report(.doesNotFollow, line)
            }
        }
        explainUnreadable(record)
        if case .missed(let count) = record.content { report(.missed(count), line) }
        if let previous, previous.next(record.body) != hash { report(.altered, line) }
        if let last, record.number != last.number + 1, !startsAgain(record) {
            report(.outOfOrder(expected: last.number + 1, found: record.number), line)
        }
        if let last, record.time < last.time { report(.earlier(than: last.time), line) }
    }

    private func startsAgain(_ record: AuditRecord) -> Bool {
        !hasRecords && record.content == .follows(.start) && record.number == 1
    }

    /// Explains unreadable lines by the next line's report of a cut; in a new file that is the second line.
    private mutating func explainUnreadable(_ record: AuditRecord) {
        guard let beginning = unreadable.lines.first else { return }
        switch record.content {
        case .follows where !hasRecords: break
        case .cut(unreadable.length, unreadable.digest):
            report(.cutOff(bytes: unreadable.length), beginning)
            unreadable = UnreadableLines()
        default: reportUnreadable()
        }
    }

    /// - Parameter isEnd: whether nothing follows, so that a line without end may be one that is being written.
    private mutating func reportUnreadable(isEnd: Bool = false) {
        for line in unreadable.lines {
            let mayBeWritten = isEnd && !line.isEnded && line.omitted == 0
            report(mayBeWritten ? .unfinished : .unreadable, line)
        }
        breaches += unreadable.further
        unreadable = UnreadableLines()
    }

    private mutating func report(_ kind: AuditFinding.Kind, _ line: AuditReader.Line) {
        let finding = AuditFinding(kind: kind, file: line.file, lineNumber: line.lineNumber)
        if finding.isBreach { breaches += 1 }
        if findings.count < AuditVerifier.findingLimit { findings.append(finding) }
    }
}

/// Unreadable lines in a row, until it is known whether a line reports that they were cut off.
private struct UnreadableLines {
    /// The first ones; they suffice for all findings that are kept.
    private(set) var lines: [AuditReader.Line] = []
    /// The number of lines after those.
    private(set) var further = 0
    /// The number of bytes, with the ends of lines.
    private(set) var length = 0
    private var bytes: [UInt8] = []

    var digest: ChainHash { ChainHash.digest(bytes) }

    mutating func append(_ line: AuditReader.Line) {
        length += line.bytes.count + line.omitted + (line.isEnded ? 1 : 0)
        // A cut is never longer.
        if length <= AuditTail.window + 1 {
            bytes += line.bytes
            if line.isEnded { bytes.append(UInt8(ascii: "\n")) }
        }
        if lines.count < AuditVerifier.findingLimit { lines.append(line) } else { further += 1 }
    }
}
