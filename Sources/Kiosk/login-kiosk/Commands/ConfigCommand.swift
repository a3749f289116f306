// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandLineInterface
import Foundation
import HostIntegration

struct ConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Show or check the settings of this kiosk.",
        discussion: """
            Settings come from config.yaml and config.d in the configuration directory (on an installed kiosk \
            /usr/lib/login-kiosk, /etc/login-kiosk and /run/login-kiosk), then from environment variables \
            (LOGIN_KIOSK_STORE_KEY_FILE for store.key-file), then from options. The last one counts. \
            \(InstalledPages.located(in: "docs/deployment.md")) describes each setting.
            """,
        subcommands: [Show.self, Check.self])

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print every setting with its value and where it was set.",
            discussion: "For example: login-kiosk config show --json")
        @OptionGroup var places: DirectoryOptions
        @Flag(help: "Print a JSON object.") var json = false

        func run() throws {
            let configuration = places.load()
            if json { return try JSONOutput.write(ConfigurationDocument(configuration)) }
            let rows = ConfigurationKey.all.flatMap { key in Show.rows(key, configuration) }
            let widths = (rows.map(\.name.count).max() ?? 0, rows.map(\.value.count).max() ?? 0)
            for row in rows {
                let name = row.name.padding(toLength: widths.0, withPad: " ", startingAt: 0)
                print("\(name)  \(row.value.padding(toLength: widths.1, withPad: " ", startingAt: 0))  \(row.origin)")
            }
            for problem in configuration.problems { _ = Complaint.make("\(problem)", status: .configuration) }
        }

        /// Also returns a row for a setting without a source, because it shows the operator what can be set.
        private static func rows(
            _ key: ConfigurationKey, _ configuration: KioskConfiguration
        ) -> [(name: String, value: String, origin: String)] {
            let said = configuration.settings.filter { key.matches($0.name) }
            guard said.isEmpty else { return said.map { ($0.name, $0.value, $0.origin.description) } }
            return [(key.name, "-", "not set")]
        }
    }

    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Check the settings. Exit code 78 if anything is wrong.",
            discussion: "For example: login-kiosk config check --json")
        @OptionGroup var places: DirectoryOptions
        @Flag(help: "Print a JSON object.") var json = false

        private struct Document: Encodable {
            let version = 1
            let files: [String]
            let problems: [String]
        }

        func run() throws {
            let configuration = places.load()
            let problems = configuration.allProblems
            if json {
                try JSONOutput.write(Document(files: configuration.files, problems: problems.map { "\($0)" }))
                if !problems.isEmpty { throw ExitStatus.configuration.error }
                return
            }
            for problem in problems { _ = Complaint.make("\(problem)", status: .configuration) }
            guard problems.isEmpty else { throw ExitStatus.configuration.error }
            guard !configuration.files.isEmpty else { return print("there are no files of settings") }
            configuration.files.forEach { print("ok: \($0)") }
        }
    }
}
