// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Backups
import CommandLineInterface
import Foundation
import HostIntegration
import KioskPorts
import LinuxSystem
import MPinClient
import SQLiteStore

struct RestoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Restore settings and identities from a backup.",
        discussion: """
            The kiosk must be stopped and have no identities, except with --dry-run. The whole backup is checked \
            first, and identities are written last. If the restore is interrupted, the kiosk has all identities or \
            none, and the restore can be repeated.
            A restored identity has the PIN of the time of the backup, and identities deleted since then come back. \
            Blocked and revoked identities remain so, because the server decides.
            For example: login-kiosk restore --key /root/backup.key /mnt/kiosk-7.backup
            """)

    @OptionGroup var places: DirectoryOptions
    @Argument(help: "The backup.") var file: String
    @Option(help: ArgumentHelp("The file with the backup's key.", valueName: "file")) var key: String
    @Option(help: "Restore only one part: identities or settings.") var only: Restoration.Part?
    @Flag(help: "Print what would be done, and change nothing.") var dryRun = false
    @Flag(help: "Print the outcome as a JSON object.") var json = false

    func run() throws {
        let backup = try BackupCommand.telling {
            try BackupFile.open(try read(file), with: try BackupKey(file: key))
        }
        let restoration = try Restoration(backup, part: only, places)
        let plan = dryRun ? try restoration.look() : try restoration.restore()
        let document = RestoreDocument(plan, backup, dryRun: dryRun)
        if json { return try JSONOutput.write(document) }
        try Output.write(document.text)
    }

    private func read(_ path: String) throws -> [UInt8] {
        do throws(FileFault) { return try OpenedFile.read(path, upTo: BackupFile.maximumLength) } catch {
            throw Complaint.make(error)
        }
    }
}

extension Restoration.Part: ExpressibleByArgument {}

/// The changes of a restore, done or planned, without secrets.
private struct RestoreDocument: Encodable {
    struct Person: Encodable {
        let user: String
        let backend: String

        init(_ key: IdentityKey) {
            user = key.userID
            backend = key.backend
        }

        var name: String { "\(DisplayText(user)) at \(DisplayText(backend))" }
    }

    struct Identities: Encodable { let restored: [Person] }

    let version = 1
    let dryRun: Bool
    /// Date of the backup, in seconds since 1970.
    let madeAt: UInt64
    let kiosk: String
    let programVersion: String
    /// Null when none are restored.
    let identities: Identities?
    let settings: [String]
    let profile: Restoration.ProfileFate

    init(_ plan: Restoration.Plan, _ backup: BackupContent, dryRun: Bool) {
        self.dryRun = dryRun
        madeAt = backup.madeAt
        kiosk = backup.kioskNumber
        programVersion = backup.programVersion
        identities = plan.identities.map { Identities(restored: $0.map(Person.init)) }
        settings = plan.files.filter { $0.directory != .keys }.map(\.name)
        profile = plan.profile
    }

    var text: String {
        var lines = [
            "backup of kiosk \(DisplayText(kiosk)), \(ProfileDocument.day(madeAt)), "
                + "login-kiosk \(DisplayText(programVersion))"
        ]
        if let identities {
            lines += identities.restored.map { "restored: \($0.name)" }
            if !identities.restored.isEmpty {
                lines.append(
                    "who changed the PIN after the backup logs in with the old one again, where the server does")
            }
        }
        if !settings.isEmpty {
            lines.append("settings: \(settings.map { "\(DisplayText($0))" }.joined(separator: ", "))")
        }
        if profile == .kept { lines.append("the operator's profile here stays: it is not older than the backup's") }
        lines.append(dryRun ? "nothing was changed" : "in place: start the kiosk")
        return lines.map { $0 + "\n" }.joined()
    }
}
