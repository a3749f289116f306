// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandLineInterface

struct BackendAuditCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Show, check and export the audit log.",
        discussion: "As login-kiosk audit; also while the backend serves.",
        subcommands: [
            AuditShow<BackendStateDirectory>.self, AuditVerify<BackendStateDirectory>.self,
            AuditExport<BackendStateDirectory>.self,
        ])
}

extension BackendStateDirectory: AuditPlace {
    static var program: String { "login-kiosk-backend" }

    func auditDirectory() throws -> String { BackendAudit.directory(in: try existingDirectory()) }
}
