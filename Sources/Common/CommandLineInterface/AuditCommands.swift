// SPDX-License-Identifier: Apache-2.0

public import ArgumentParser

/// The options that name the directory of a program's audit record.
public protocol AuditPlace: ParsableArguments {
    /// The program, as people type it.
    static var program: String { get }
    func auditDirectory() throws -> String
}

/// `audit show` of a program.
public struct AuditShow<Place: AuditPlace>: ParsableCommand {
    public static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "show", abstract: "Print the newest lines, and the hash to write down elsewhere.",
            discussion: "For example: \(Place.program) audit show --last 5")
    }

    @OptionGroup var place: Place
    @Option(help: ArgumentHelp("How many lines, the newest ones.", valueName: "count")) var last = 20
    @Flag(help: "Print a JSON object.") var json = false

    public init() {}

    public func validate() throws {
        guard (1...1_000_000).contains(last) else { throw ValidationError("--last takes 1 to 1000000") }
    }

    public func run() throws {
        try AuditInspector(directory: try place.auditDirectory()).show(last: last, asJSON: json)
    }
}

/// `audit verify` of a program.
public struct AuditVerify<Place: AuditPlace>: ParsableCommand {
    public static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "verify", abstract: "Check that the record was not changed. Exit code 65 if it was.",
            discussion: "For example: \(Place.program) audit verify --head 9f86d081884c7d65...")
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
        try AuditInspector(directory: try place.auditDirectory()).verify(head: head, asJSON: json)
    }
}

/// `audit export` of a program.
public struct AuditExport<Place: AuditPlace>: ParsableCommand {
    public static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "export", abstract: "Print the whole record, for other programs.",
            discussion: "For example: \(Place.program) audit export --format csv > audit.csv")
    }

    @OptionGroup var place: Place
    @Option(help: "jsonl: a JSON object a line, or csv: a table.") var format = AuditInspector.Format.jsonl

    public init() {}

    public func run() throws { try AuditInspector(directory: try place.auditDirectory()).export(as: format) }
}
