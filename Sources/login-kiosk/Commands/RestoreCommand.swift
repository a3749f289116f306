// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Backups
import CommandLineInterface
import Foundation
import HostIntegration
import KioskPorts
import LinuxSystem
import MPinClient
import Provisioning
import SQLiteStore

struct RestoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Put settings and identities of a backup in place at this kiosk.",
        discussion: """
            All of the backup is checked first. Identities that are here stay as they are, those that are missing come \
            back; with --replace the kiosk has what the backup has, and nothing else. Settings are replaced as a \
            whole. The \
            kiosk has to be stopped, but for --dry-run. Cut off at any point the kiosk has what it had or what the \
            backup \
            says: the next start ends it, or where the settings are root's --finish does.

            An identity that comes back has the PIN that it had when the backup was made, and one that was deleted \
            since \
            is back, too. Blocked and revoked identities stay so: the server decides.

            For example: login-kiosk restore --key /root/backup.key /mnt/kiosk-7.backup
            """)

    @OptionGroup var places: DirectoryOptions
    @Argument(help: "The backup.") var file: String?
    @Option(help: ArgumentHelp("The file with the backup's key.", valueName: "file")) var key: String?
    @Option(help: "Only the identities, or only the settings: identities or settings.") var only: Restoration.Part?
    @Flag(help: "Take away what is here and not in the backup, and put its identities in place of those here.")
    var replace = false
    @Option(help: "The number of the kiosk whose backup it is, where this is another one in use.") var from: String?
    @Flag(help: "Say what would happen, and change nothing.") var dryRun = false
    @Flag(help: "End a restore that was begun and cut off.") var finish = false
    @Flag(help: "Print the outcome as a JSON object.") var json = false

    func validate() throws {
        if finish, file != nil || key != nil { throw ValidationError("--finish needs no backup") }
        if !finish, file == nil || key == nil { throw ValidationError("a backup and --key FILE are needed") }
        if let from, KeyNumber(from) == nil { throw ValidationError("--from: a kiosk's number has 16 digits") }
    }

    func run() throws {
        if dryRun { try Restoration.refuseMidway(places) }
        let isFinished = try Restoration.finishBegun(places)
        guard let file, let key else {
            if json { return try JSONOutput.write(FinishedDocument(finished: isFinished)) }
            return isFinished ? () : print("nothing was begun")
        }
        let backup = try BackupCommand.telling {
            try BackupFile.open(try read(file), with: try BackupKey(file: key))
        }
        let restoration = try Restoration(backup, part: only, replaces: replace, places)
        let number = from.flatMap { KeyNumber($0) }
        let plan = dryRun ? try restoration.look(from: number) : try restoration.restore(from: number)
        let document = RestoreDocument(plan, backup.head, dryRun: dryRun, saysWhere: only != .settings)
        if json { return try JSONOutput.write(document) }
        try Output.write(document.text)
    }

    private func read(_ path: String) throws -> [UInt8] {
        do throws(FileFault) { return try OpenedFile.read(path, upTo: BackupFile.maximumLength) } catch {
            throw Complaint.make(error)
        }
    }

    private struct FinishedDocument: Encodable {
        let version = 1
        let finished: Bool
    }
}

extension Restoration.Part: ExpressibleByArgument {}

/// What a restore did, or would do: no secret.
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

    struct Renumbered: Encodable {
        let user: String
        let backend: String
        let from: Int
        let to: Int
    }

    struct Identities: Encodable {
        let restored: [Person]
        let kept: [Person]
        let removed: [Person]
        let renumbered: [Renumbered]
    }

    let version = 1
    let dryRun: Bool
    /// In seconds since 1970.
    let madeAt: UInt64
    let kiosk: String
    let programVersion: String
    /// Null where none are restored.
    let identities: Identities?
    let settings: [String]
    let removedSettings: [String]
    let setup: Restoration.SetupFate

    /// Whether identities were asked for.
    private let saysWhere: Bool

    private enum CodingKeys: CodingKey {
        case version, dryRun, madeAt, kiosk, programVersion, identities, settings, removedSettings, setup
    }

    init(_ plan: Restoration.Plan, _ head: BackupHead, dryRun: Bool, saysWhere: Bool) {
        self.dryRun = dryRun
        self.saysWhere = saysWhere
        madeAt = head.madeAt
        kiosk = head.kioskNumber
        programVersion = head.programVersion
        identities = plan.store.map { store in
            Identities(
                restored: store.restored.map(Person.init), kept: store.kept.map(Person.init),
                removed: store.removed.map(Person.init),
                renumbered: store.renumbered.map {
                    Renumbered(user: $0.key.userID, backend: $0.key.backend, from: $0.from, to: $0.to)
                })
        }
        settings = plan.files.filter { $0.place != .keys }.map(\.name)
        removedSettings = plan.removed
        setup = plan.setup
    }

    var text: String {
        var lines = [
            "backup of kiosk \(DisplayText(kiosk)), \(SetupDocument.day(madeAt)), "
                + "login-kiosk \(DisplayText(programVersion))"
        ]
        if let identities {
            for (word, people) in [
                ("restored", identities.restored), ("stays as it is here", identities.kept),
                ("removed", identities.removed),
            ] { lines += people.map { "\(word): \($0.name)" } }
            lines += identities.renumbered.map {
                "\(DisplayText($0.user)) has a new number: \($0.to), it was \($0.from)"
            }
            if !identities.restored.isEmpty {
                lines.append(
                    "who changed the PIN after the backup logs in with the old one again, where the server does")
            }
        } else if saysWhere {
            lines.append("no identities: they are in the database")
        }
        for (word, names) in [("settings", settings), ("settings removed", removedSettings)] where !names.isEmpty {
            lines.append("\(word): \(names.map { "\(DisplayText($0))" }.joined(separator: ", "))")
        }
        if setup == .kept { lines.append("the operator's setup here stays: it is not older than the backup's") }
        lines.append(dryRun ? "nothing was changed" : "in place: start the kiosk")
        return lines.map { $0 + "\n" }.joined()
    }
}
