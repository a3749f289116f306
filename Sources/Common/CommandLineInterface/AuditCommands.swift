// SPDX-License-Identifier: Apache-2.0

public import ArgumentParser
import AuditTrail
import LinuxSystem

/// The options that name the directory of a program's audit log.
public protocol AuditPlace: ParsableArguments {
    /// The program, as people type it.
    static var program: String { get }
    func auditDirectory() throws -> String
}

extension AuditPlace {
    fileprivate static func command(_ name: String, _ abstract: String, example: String) -> CommandConfiguration {
        CommandConfiguration(
            commandName: name, abstract: abstract, discussion: "For example: \(program) audit \(name) \(example)")
    }

    /// Reads and verifies the audit log.
    ///
    /// - Parameter see: called with each line of an audit log, in order.
    fileprivate func verify(
        head: ChainHash? = nil, _ see: (AuditRecord) throws -> Void
    ) throws -> (verifier: AuditVerifier, directory: String) {
        let directory = try auditDirectory()
        let reader = AuditReader(in: directory)
        do {
            guard try !reader.paths().isEmpty else {
                throw Complaint.make(
                    "\(directory): there is no audit log",
                    hint: "it begins with the first session; is it another directory?", status: .noInput)
            }
            return (try AuditVerifier(of: reader, head: head, see), directory)
        } catch let fault as FileFault { throw Complaint.make(fault) }
    }
}

private var verifyHint: String { "see where: \(Complaint.program) audit verify" }

/// `audit show` of a program.
public struct AuditShow<Place: AuditPlace>: ParsableCommand {
    public static var configuration: CommandConfiguration {
        Place.command(
            "show", "Print the newest lines, and the hash to write down elsewhere.", example: "--last 5")
    }

    @OptionGroup var place: Place
    @Option(help: ArgumentHelp("How many lines, the newest ones.", valueName: "count")) var last = 20
    @Flag(help: "Print a JSON object.") var json = false

    public init() {}

    public func validate() throws {
        guard (1...1_000_000).contains(last) else { throw ValidationError("--last takes 1 to 1000000") }
    }

    public func run() throws {
        var newest: [AuditRecord] = []
        let (verifier, directory) = try place.verify { record in
            newest.append(record)
            if newest.count > last * 2 { newest.removeFirst(newest.count - last) }
        }
        newest = newest.suffix(last)
        if json {
            return try JSONOutput.write(
                ShownRecords(
                    directory: directory, records: newest.map(ShownRecord.init), number: verifier.last?.number,
                    head: verifier.head?.description, breaches: verifier.breaches))
        }
        for record in newest { try Output.write("\(record.number)  \(record.time)  \(record.summary)\n") }
        if let head = verifier.headLine { try Output.write(head + "\n") }
        if verifier.breaches > 0 { Complaint.say("the audit log is not what was written", hint: verifyHint) }
    }
}

private struct ShownRecords: Encodable {
    let version = 1
    let directory: String
    let records: [ShownRecord]
    let number: UInt64?
    let head: String?
    let breaches: Int
}

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
            (event, service, who) = (entry.event, entry.service, entry.who)
            (outcome, detail) = (entry.outcome, entry.detail)
            count = entry.count > 1 ? entry.count : nil
        case .follows: break
        case .cut(let count, _): cut = count
        case .missed(let count): missed = count
        }
    }
}

/// `audit verify` of a program: ends with `dataError` when the audit log was changed.
public struct AuditVerify<Place: AuditPlace>: ParsableCommand {
    public static var configuration: CommandConfiguration {
        Place.command(
            "verify", "Check that the audit log was not changed. Exit code 65 if it was.",
            example: "--head 9f86d081884c7d65...")
    }

    @OptionGroup var place: Place
    @Option(
        help: ArgumentHelp(
            "A hash that `audit show` printed and that was written down elsewhere: a line has to have it.",
            valueName: "hash"))
    var head: String?
    @Flag(help: "Print a JSON object.") var json = false

    public init() {}

    public func run() throws {
        let wanted = try head.map { text in
            guard let hash = ChainHash(text) else {
                throw Complaint.make(
                    "--head \(text): no hash of an audit log", hint: "give the 64 digits that `audit show` prints",
                    status: .usage)
            }
            return hash
        }
        let (verifier, directory) = try place.verify(head: wanted) { _ in }
        let isMissing = wanted != nil && verifier.anchor == nil
        if json {
            try JSONOutput.write(
                VerificationReport(verifier, directory: directory, isSound: verifier.breaches == 0 && !isMissing))
        } else {
            for finding in verifier.findings { try Output.write("\(finding)\n") }
            try Output.write(verifier.summary + "\n")
        }
        if isMissing {
            throw Complaint.make(
                "no line has the hash that was written down: lines are gone, or the audit log was rewritten",
                hint: "a line that is older than the oldest file is gone by rotation: compare its number",
                status: .dataError)
        }
        guard verifier.breaches == 0 else {
            throw Complaint.make(
                "the audit log is not what was written", hint: "docs/audit.md describes what each finding can mean",
                status: .dataError)
        }
    }
}

private struct VerificationReport: Encodable {
    struct Finding: Encodable {
        let file: String
        let line: Int
        let text: String
        let isBreach: Bool

        init(_ finding: AuditFinding) {
            (file, line) = (finding.file, finding.lineNumber)
            (text, isBreach) = (finding.description, finding.isBreach)
        }
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
        (entries, lines, breaches) = (verifier.entries, verifier.lines, verifier.breaches)
        findings = verifier.findings.map(Finding.init)
        (firstNumber, number) = (verifier.first?.number, verifier.last?.number)
        (head, anchor) = (verifier.head?.description, verifier.anchor)
    }
}

/// `audit export` of a program. Lines that belong to no audit log are left out, and make it end with `dataError`.
public struct AuditExport<Place: AuditPlace>: ParsableCommand {
    enum Format: String, ExpressibleByArgument, CaseIterable, Sendable {
        case jsonl, csv
    }

    public static var configuration: CommandConfiguration {
        Place.command("export", "Print the whole audit log, for other programs.", example: "--format csv > audit.csv")
    }

    @OptionGroup var place: Place
    @Option(help: "jsonl: a JSON object a line, or csv: a table.") var format = Format.jsonl

    public init() {}

    public func run() throws {
        if format == .csv { try Output.write(AuditRecord.tableHead + "\r\n") }
        let (verifier, _) = try place.verify { record in
            try Output.write(format == .csv ? record.tableRow + "\r\n" : record.json + "\n")
        }
        guard verifier.breaches == 0 else {
            throw Complaint.make(
                "what was printed is not what was written", hint: verifyHint, status: .dataError)
        }
    }
}
