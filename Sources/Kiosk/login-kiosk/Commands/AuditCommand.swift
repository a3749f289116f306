// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandLineInterface
import HostIntegration

struct AuditCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Show, check and export this kiosk's audit log.",
        discussion: """
            Each line describes a session and holds a hash of all lines before it. A changed line is found by its \
            hash. Missing lines at the end are found only by comparing with a hash that was written down elsewhere. \
            These commands work while the kiosk runs.
            """,
        subcommands: [
            AuditShow<DirectoryOptions>.self, AuditVerify<DirectoryOptions>.self, AuditExport<DirectoryOptions>.self,
        ])
}

extension DirectoryOptions: AuditPlace {
    static var program: String { "login-kiosk" }

    func auditDirectory() throws -> String { try directories().auditDirectory }
}
