// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AuditTrail
import CommandLineInterface
import LinuxSystem
import MPinServer

struct BackendEraseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase",
        abstract: "Delete all data about a user: identities, open registrations, and with --database sessions.",
        discussion: """
            The user's devices are unknown from then on, and the user can register again. The audit log and older \
            backups keep the user id; the files of this machine's audit log that have it are listed.
            For example: login-kiosk-backend erase alice@example.com
            """)
    @OptionGroup var place: BackendStateOptions
    @Argument(help: "The user id, usually an e-mail address.") var user: String
    @Flag(help: "Print a JSON object.") var json = false

    func run() async throws {
        let (userID, rows) = try await LoginKioskBackend.complaining {
            try await place.backendState().erase(userID: user)
        }
        // With a database there may be no state directory on this machine.
        let files: [String]
        do {
            files =
                try (try? place.directory()).map {
                    try AuditReader(in: BackendAudit.directory(in: $0)).paths(about: userID)
                } ?? []
        } catch let fault as FileFault { throw Complaint.make(fault) }
        guard rows.identities + rows.registrations + files.count > 0 else {
            throw Complaint.make(
                "\(user): there is no such user", hint: "see who there is: login-kiosk-backend users",
                status: .dataError)
        }
        if json {
            return try JSONOutput.write(
                Document(
                    userID: userID, identities: rows.identities, registrations: rows.registrations,
                    auditFiles: files))
        }
        print("erased: \(userID) (identities: \(rows.identities), open registrations: \(rows.registrations))")
        for file in files { print("still in the audit log: \(file)") }
    }

    private struct Document: Encodable {
        let version = 1
        let userID: String
        let identities: Int
        let registrations: Int
        let auditFiles: [String]
    }
}
