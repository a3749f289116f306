// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AuditTrail
import LinuxSystem

/// The commands on an audit record in a directory: the kiosk's, or the backend's.
public struct AuditInspector {
    enum Format: String, ExpressibleByArgument, CaseIterable, Sendable {
        case jsonl, csv
    }

    private let directory: String

    public init(directory: String) { self.directory = directory }

    private struct ShownRecord: Encodable {
        let number: UInt64
        let time: String
        var event: String?
        var service: String?
        var who: String?
        var outcome: String?
        var detail: String?
        var count: Int?
        var missed: Int?
        var cut: Int?

        init(_ record: AuditRecord) {
            number = record.number
            time = record.time
            switch record.content {
            case .entry(let entry):
                event = entry.event
                service = entry.service
                who = entry.who
                outcome = entry.outcome
                detail = entry.detail
                count = entry.count > 1 ? entry.count : nil
            case .follows: break
            case .cut(let count, _): cut = count
            case .missed(let count): missed = count
            }
        }
    }

    /// Prints the newest lines, the newest last, and the hash to be kept elsewhere.
    func show(last count: Int, asJSON: Bool) throws {
        var newest: [AuditRecord] = []
        let verifier = try look { record in
            newest.append(record)
            if newest.count > max(count, 1) * 2 { newest.removeFirst(newest.count - count) }
        }
        newest = newest.suffix(count)
        if asJSON {
            struct Document: Encodable {
                let version = 1
                let directory: String
                let records: [ShownRecord]
                let number: UInt64?
                let head: String?
                let breaches: Int
            }
            return try JSONOutput.write(
                Document(
                    directory: directory, records: newest.map(ShownRecord.init), number: verifier.last?.number,
                    head: verifier.head?.description, breaches: verifier.breaches))
        }
        for record in newest { try Output.write("\(record.number)  \(record.time)  \(record.summary)\n") }
        if let last = verifier.last, let head = verifier.head {
            try Output.write("head of line \(last.number): \(head)\n")
        }
        if verifier.breaches > 0 { Complaint.say("the record is not what was written", hint: verifyHint) }
    }

    private var verifyHint: String { "see where: \(Complaint.program) audit verify" }

    /// Tells whether the record is unchanged; ends with `dataError` when it is not.
    ///
    /// - Parameter head: a hash that was kept elsewhere, 64 hexadecimal digits.
    func verify(head: String?, asJSON: Bool) throws {
        let wanted = try head.map { text in
            guard let hash = ChainHash(text) else {
                throw Complaint.make(
                    "--head \(text): no hash of a record", hint: "give the 64 digits that `audit show` prints",
                    status: .usage)
            }
            return hash
        }
        let verifier = try look(head: wanted) { _ in }
        let isMissing = wanted != nil && verifier.anchor == nil
        if asJSON {
            try JSONOutput.write(Verdict(verifier, directory: directory, isSound: verifier.breaches == 0 && !isMissing))
        } else {
            for finding in verifier.findings { try Output.write("\(finding)\n") }
            try Output.write(AuditInspector.summary(verifier) + "\n")
        }
        if isMissing {
            throw Complaint.make(
                "no line has the hash that was written down: lines are gone, or the record was written anew",
                hint: "a line that is older than the oldest file is gone by rotation: compare its number",
                status: .dataError)
        }
        guard verifier.breaches == 0 else {
            throw Complaint.make(
                "the record is not what was written", hint: "docs/audit.md tells what each finding can mean",
                status: .dataError)
        }
    }

    private struct Verdict: Encodable {
        struct Finding: Encodable {
            let file: String
            let line: Int
            let text: String
            let isBreach: Bool
        }

        let version = 1
        let directory: String
        let isSound: Bool
        let entries: Int
        let lines: Int
        let breaches: Int
        let findings: [Finding]
        let firstNumber: UInt64?
        let number: UInt64?
        let head: String?
        /// The line with the given hash.
        let anchor: UInt64?

        init(_ verifier: AuditVerifier, directory: String, isSound: Bool) {
            self.directory = directory
            self.isSound = isSound
            entries = verifier.entries
            lines = verifier.lines
            breaches = verifier.breaches
            findings = verifier.findings.map {
                Finding(file: $0.file, line: $0.lineNumber, text: $0.description, isBreach: $0.isBreach)
            }
            firstNumber = verifier.first?.number
            number = verifier.last?.number
            head = verifier.head?.description
            anchor = verifier.anchor
        }
    }

    private static func summary(_ verifier: AuditVerifier) -> String {
        guard let first = verifier.first, let last = verifier.last, let head = verifier.head else {
            return "no line of a record"
        }
        let anchor = verifier.anchor.map { ", \(last.number - $0) lines after the hash that was written down" } ?? ""
        return "\(verifier.breaches == 0 ? "ok" : "\(verifier.breaches) breaches"): \(verifier.entries) entries, lines "
            + "\(first.number) to \(last.number), \(first.time) to \(last.time)\(anchor)\n"
            + "head of line \(last.number): \(head)"
    }

    /// Prints the record for other programs. Lines that belong to no record are left out, and make it end with
    /// `dataError`.
    func export(as format: Format) throws {
        if format == .csv { try Output.write(AuditRecord.tableHead + "\r\n") }
        let verifier = try look { record in
            try Output.write(format == .csv ? record.tableRow + "\r\n" : record.json + "\n")
        }
        guard verifier.breaches == 0 else {
            throw Complaint.make(
                "what was printed is not what was written", hint: verifyHint, status: .dataError)
        }
    }

    /// The files with lines about a person, the oldest first; none without a record.
    public func files(about who: String) throws -> [String] {
        var files: [String] = []
        do {
            try AuditReader(in: directory).read { line in
                guard case .entry(let entry)? = line.record?.content, entry.who == who, files.last != line.file else {
                    return
                }
                files.append(line.file)
            }
        } catch let fault as FileFault { throw Complaint.make(fault) }
        return files
    }

    private func look(head: ChainHash? = nil, _ see: (AuditRecord) throws -> Void) throws -> AuditVerifier {
        let reader = AuditReader(in: directory)
        let isThere: Bool
        do throws(FileFault) { isThere = try !reader.paths().isEmpty } catch { throw Complaint.make(error) }
        guard isThere else {
            throw Complaint.make(
                "\(directory): there is no record", hint: "it begins with the first session; is it another directory?",
                status: .noInput)
        }
        var verifier = AuditVerifier(head: head)
        do {
            try reader.read { line in
                verifier.see(line)
                if let record = line.record { try see(record) }
            }
        } catch let fault as FileFault { throw Complaint.make(fault) }
        verifier.finish()
        return verifier
    }
}
