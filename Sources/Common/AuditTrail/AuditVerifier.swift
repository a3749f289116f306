// SPDX-License-Identifier: Apache-2.0

/// Checks that each line is bound to the one before it. What it can show, and what it cannot, is told in
/// `docs/audit.md`.
public struct AuditVerifier: Sendable {
    /// Fault of a line, or something about it that is worth a look.
    public struct Finding: Sendable, Equatable, CustomStringConvertible {
        public enum Kind: Sendable, Equatable {
            /// The line, or what the line before it says its hash is, is not what was written.
            case altered
            /// It is no line of a record.
            case unreadable
            /// Lines between this one and the one before it are gone, or the order is another.
            case outOfOrder(expected: UInt64, found: UInt64)
            /// A file that does not begin with the end of the file before it.
            case doesNotFollow
            /// The record begins anew, although there are files before it.
            case beginsAnew

            /// A power failure or a full disk cut a line off; the next line tells of it.
            case cutOff(bytes: Int)
            /// So many entries could not be written.
            case missed(Int)
            /// The clock went back.
            case earlier(than: String)
            /// The last line has no end: it is just being written, or was cut off.
            case unfinished
        }

        public let kind: Kind
        public let file: String
        public let place: Int

        /// `FILE:LINE: what is the matter`.
        public var description: String { "\(file):\(place): \(text)" }

        private var text: String {
            switch kind {
            case .altered: "this line, or the hash of the line before it, was changed"
            case .unreadable: "this is no line of a record"
            case .outOfOrder(let expected, let found): "number \(found) stands where \(expected) should be"
            case .doesNotFollow: "this file does not follow the one before it"
            case .beginsAnew: "the record begins anew, although there are files before it"
            case .cutOff(let bytes): "\(bytes) bytes are left of what was cut off, which the record tells itself"
            case .missed(let count): "\(count) entries could not be written, which the record tells itself"
            case .earlier(let time): "the clock went back: the line before it has \(time)"
            case .unfinished: "the last line has no end: it is just being written, or was cut off"
            }
        }

        /// Whether the record is not what was written. The others are told by the record itself.
        public var isBreach: Bool {
            switch kind {
            case .altered, .unreadable, .outOfOrder, .doesNotFollow, .beginsAnew: true
            case .cutOff, .missed, .earlier, .unfinished: false
            }
        }
    }

    /// More are counted and not kept.
    public static let mostFindings = 200

    public private(set) var findings: [Finding] = []
    public private(set) var breaches = 0
    /// Of the first and the last line that could be read.
    public private(set) var first: AuditRecord?
    public private(set) var last: AuditRecord?
    /// The hash of the last line.
    public private(set) var head: ChainHash?
    public private(set) var entries = 0
    public private(set) var lines = 0
    /// The place of the line whose hash was written down elsewhere; nil when there is no such line.
    public private(set) var anchor: UInt64?

    private let wanted: ChainHash?
    /// The hash that the next line is bound to.
    private var chain: ChainHash?
    private var file: String?
    private var hasRecords = false
    /// Lines that are none, until a line tells that they were cut off.
    private var strange: [AuditReader.Line] = []
    private var strangeBytes: [UInt8] = []
    private var strangeCount = 0

    /// - Parameter wanted: the hash of a line that was written down elsewhere.
    public init(head wanted: ChainHash? = nil) { self.wanted = wanted }

    public mutating func see(_ line: AuditReader.Line) {
        if line.file != file {
            settleStrange()
            file = line.file
            hasRecords = false
        }
        lines += 1
        guard let record = line.record, let claimed = line.chain else { return keepStrange(line) }
        judge(record, claimed, line)
        // A line that was changed keeps its hash: so each is told by itself, and not all that follow it.
        chain = claimed
        first = first ?? record
        last = record
        head = claimed
        if claimed == wanted { anchor = record.number }
        if case .entry = record.content { entries += 1 }
        hasRecords = true
    }

    /// To be called after the last line.
    public mutating func finish() { settleStrange(isEnd: true) }

    private mutating func judge(_ record: AuditRecord, _ claimed: ChainHash, _ line: AuditReader.Line) {
        var base = chain
        if !hasRecords {
            // The oldest file that is left follows one that is gone.
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

    /// Lines that are none may have been cut off, which the next line tells; in a new file that is the second one.
    private mutating func explainStrange(_ record: AuditRecord) {
        guard let beginning = strange.first else { return }
        switch record.content {
        case .follows where !hasRecords: break
        case .cut(strangeCount, ChainHash.digest(strangeBytes)):
            tell(.cutOff(bytes: strangeCount), beginning)
            (strange, strangeBytes, strangeCount) = ([], [], 0)
        default: settleStrange()
        }
    }

    private func beginsAnew(_ record: AuditRecord) -> Bool {
        !hasRecords && record.content == .follows(.start) && record.number == 1
    }

    private mutating func keepStrange(_ line: AuditReader.Line) {
        strangeCount += line.bytes.count + line.omitted + (line.isEnded ? 1 : 0)
        // No more is ever told to have been cut off.
        if strangeCount <= AuditTail.window + 1 {
            strangeBytes += line.bytes
            if line.isEnded { strangeBytes.append(UInt8(ascii: "\n")) }
        }
        if strange.count < AuditVerifier.mostFindings {
            strange.append(line)
        } else {
            breaches += 1
        }
    }

    /// - Parameter isEnd: whether nothing follows, so that a line without end may be one that is just being written.
    private mutating func settleStrange(isEnd: Bool = false) {
        for line in strange {
            let mayBeWritten = isEnd && !line.isEnded && line.omitted == 0
            tell(mayBeWritten ? .unfinished : .unreadable, line)
        }
        (strange, strangeBytes, strangeCount) = ([], [], 0)
    }

    private mutating func tell(_ kind: Finding.Kind, _ line: AuditReader.Line) {
        let finding = Finding(kind: kind, file: line.file, place: line.place)
        if finding.isBreach { breaches += 1 }
        if findings.count < AuditVerifier.mostFindings { findings.append(finding) }
    }
}
