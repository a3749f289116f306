// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandLineInterface

struct BackendAuditCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "The record of whose PINs were judged, and how.",
        discussion: "As login-kiosk audit; also while the backend serves.",
        subcommands: [Show.self, Verify.self, Export.self])

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print the newest lines, and the hash to be written down elsewhere.")
        @OptionGroup var place: BackendStateDirectory
        @OptionGroup var options: AuditShowOptions

        func run() throws { try BackendAuditCommand.desk(place).show(last: options.last, asJSON: options.json) }
    }

    struct Verify: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Say whether the record is what was written; exit code 65 if it is not.")
        @OptionGroup var place: BackendStateDirectory
        @OptionGroup var options: AuditVerifyOptions

        func run() throws { try BackendAuditCommand.desk(place).verify(head: options.head, asJSON: options.json) }
    }

    struct Export: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Print the whole record, for other programs.")
        @OptionGroup var place: BackendStateDirectory
        @Option(help: "jsonl: a JSON object a line, or csv: a table.") var format = AuditDesk.Format.jsonl

        func run() throws { try BackendAuditCommand.desk(place).export(as: format) }
    }

    private static func desk(_ place: BackendStateDirectory) throws -> AuditDesk {
        AuditDesk(directory: BackendRecord.directory(in: try place.existingDirectory()))
    }
}
