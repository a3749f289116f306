// SPDX-License-Identifier: Apache-2.0

/// Checks that each line of a record is bound to the previous one. `docs/audit.md` describes what that can prove.
public struct AuditVerifier: Sendable {
    /// Further findings are counted and not kept.
    static let mostFindings = 200

    public private(set) var findings: [AuditFinding] = []
    public private(set) var breaches = 0
    /// The first and the last readable line.
    public private(set) var first: AuditRecord?
    public private(set) var last: AuditRecord?
    /// The hash of the last line.
    public private(set) var head: ChainHash?
    public private(set) var entries = 0
    public private(set) var lines = 0
    /// The number of the line with the wanted hash; nil when there is none.
    public private(set) var anchor: UInt64?

    private let wanted: ChainHash?
    /// The hash to which the next line must be bound.
    private var chain: ChainHash?
    private var file: String?
    private var hasRecords = false
    /// Unreadable lines, until a line reports that they were cut off.
    private var strange: [AuditReader.Line] = []
    private var strangeBytes: [UInt8] = []
    private var strangeCount = 0
    /// The number of unreadable lines that are not kept.
    private var strangeOmitted = 0

    init(head wanted: ChainHash? = nil) { self.wanted = wanted }

    /// Reads and checks a record.
    ///
    /// - Parameters:
    ///   - wanted: the hash of a line, as it was kept elsewhere.
    ///   - see: called with each readable line, in order.
    /// - Throws: ``FileFault`` for a file that cannot be read, and errors of `see`.
    public init(
        of reader: AuditReader, head wanted: ChainHash? = nil, _ see: (AuditRecord) throws -> Void = { _ in }
    ) throws {
        self.init(head: wanted)
        try reader.read { line in
            self.see(line)
            if let record = line.record { try see(record) }
        }
        finish()
    }

    mutating func see(_ line: AuditReader.Line) {
        if line.file != file {
            settleStrange()
            file = line.file
            hasRecords = false
        }
        lines += 1
        guard let record = line.record, let claimed = line.chain else { return keepStrange(line) }
        judge(record, claimed, line)
        // A changed line keeps its hash. So each one is reported by itself, and not all that follow.
        chain = claimed
        first = first ?? record
        last = record
        head = claimed
        if claimed == wanted { anchor = record.number }
        if case .entry = record.content { entries += 1 }
        hasRecords = true
    }

    /// Finishes the check after the last line.
    mutating func finish() { settleStrange(isEnd: true) }

    private mutating func judge(_ record: AuditRecord, _ claimed: ChainHash, _ line: AuditReader.Line) {
        var base = chain
        if !hasRecords {
            // The oldest file left follows one that was removed.
            if case .follows(let before) = record.content {
                if let chain, chain != before { tell(beginsAnew(record) ? .beginsAnew : .doesNotFollow, line) }
                base = before
            } else {
                tell(.doesNotFollow, line)
            }
        }
        explainStrange(record)
        if case .missed(let count) = record.content { tell(.missed(count), line) }
        if let base, base.next(record.body) != claimed { tell(.altered, line) }
        if let last, record.number != last.number + 1, !beginsAnew(record) {
            tell(.outOfOrder(expected: last.number + 1, found: record.number), line)
        }
        if let last, record.time < last.time { tell(.earlier(than: last.time), line) }
    }

    /// Explains unreadable lines by the next line's report of a cut; in a new file that is the second line.
    private mutating func explainStrange(_ record: AuditRecord) {
        guard let beginning = strange.first else { return }
        switch record.content {
        case .follows where !hasRecords: break
        case .cut(strangeCount, ChainHash.digest(strangeBytes)):
            tell(.cutOff(bytes: strangeCount), beginning)
            (strange, strangeBytes, strangeCount, strangeOmitted) = ([], [], 0, 0)
        default: settleStrange()
        }
    }

    private func beginsAnew(_ record: AuditRecord) -> Bool {
        !hasRecords && record.content == .follows(.start) && record.number == 1
    }

    private mutating func keepStrange(_ line: AuditReader.Line) {
        strangeCount += line.bytes.count + line.omitted + (line.isEnded ? 1 : 0)
        // A cut line is never longer.
        if strangeCount <= AuditTail.window + 1 {
            strangeBytes += line.bytes
            if line.isEnded { strangeBytes.append(UInt8(ascii: "\n")) }
        }
        if strange.count < AuditVerifier.mostFindings {
            strange.append(line)
        } else {
            strangeOmitted += 1
        }
    }

    /// - Parameter isEnd: whether nothing follows, so that a line without end may be one that is being written.
    private mutating func settleStrange(isEnd: Bool = false) {
        for line in strange {
            let mayBeWritten = isEnd && !line.isEnded && line.omitted == 0
            tell(mayBeWritten ? .unfinished : .unreadable, line)
        }
        breaches += strangeOmitted
        (strange, strangeBytes, strangeCount, strangeOmitted) = ([], [], 0, 0)
    }

    private mutating func tell(_ kind: AuditFinding.Kind, _ line: AuditReader.Line) {
        let finding = AuditFinding(kind: kind, file: line.file, lineNumber: line.lineNumber)
        if finding.isBreach { breaches += 1 }
        if findings.count < AuditVerifier.mostFindings { findings.append(finding) }
    }
}
