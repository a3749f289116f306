// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandLineInterface
import HostIntegration

struct AuditCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "The record of who did what at this kiosk, and what came of it.",
        discussion: """
            Each session is a line, bound by a hash to all lines before it. A change shows at its line; that lines \
            were taken away from the end shows only by a hash that was written down elsewhere. While the kiosk runs \
            the record can be read like at any other time.
            """,
        subcommands: [Show.self, Verify.self, Export.self])

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print the newest lines, and the hash to be written down elsewhere.",
            discussion: "For example: login-kiosk audit show --last 5")
        @OptionGroup var places: DirectoryOptions
        @OptionGroup var options: AuditShowOptions

        func run() throws {
            try AuditCommand.desk(places).show(last: options.last, asJSON: options.json)
        }
    }

    struct Verify: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Say whether the record is what was written; exit code 65 if it is not.",
            discussion: "For example: login-kiosk audit verify --head 9f86d081884c7d65...")
        @OptionGroup var places: DirectoryOptions
        @OptionGroup var options: AuditVerifyOptions

        func run() throws {
            try AuditCommand.desk(places).verify(head: options.head, asJSON: options.json)
        }
    }

    struct Export: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print the whole record, for other programs.",
            discussion: "For example: login-kiosk audit export --format csv > sessions.csv")
        @OptionGroup var places: DirectoryOptions
        @Option(help: "jsonl: a JSON object a line, or csv: a table.") var format = AuditDesk.Format.jsonl

        func run() throws { try AuditCommand.desk(places).export(as: format) }
    }

    private static func desk(_ places: DirectoryOptions) throws -> AuditDesk {
        AuditDesk(directory: try places.directories().auditRecord)
    }
}
