// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandLineInterface

struct BackendAuditCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Show, check and export the record of logins.",
        discussion: "As login-kiosk audit; also while the backend serves.",
        subcommands: [Show.self, Verify.self, Export.self])

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print the newest lines, and the hash to write down elsewhere.",
            discussion: "For example: login-kiosk-backend audit show --last 5")
        @OptionGroup var place: BackendStateDirectory
        @OptionGroup var options: AuditShowOptions

        func run() throws { try BackendAuditCommand.inspector(place).show(last: options.last, asJSON: options.json) }
    }

    struct Verify: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Check that the record was not changed. Exit code 65 if it was.",
            discussion: "For example: login-kiosk-backend audit verify --head 9f86d081884c7d65...")
        @OptionGroup var place: BackendStateDirectory
        @OptionGroup var options: AuditVerifyOptions

        func run() throws { try BackendAuditCommand.inspector(place).verify(head: options.head, asJSON: options.json) }
    }

    struct Export: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print the whole record, for other programs.",
            discussion: "For example: login-kiosk-backend audit export --format csv > logins.csv")
        @OptionGroup var place: BackendStateDirectory
        @Option(help: "jsonl: a JSON object a line, or csv: a table.") var format = AuditInspector.Format.jsonl

        func run() throws { try BackendAuditCommand.inspector(place).export(as: format) }
    }

    private static func inspector(_ place: BackendStateDirectory) throws -> AuditInspector {
        AuditInspector(directory: BackendRecord.directory(in: try place.existingDirectory()))
    }
}
