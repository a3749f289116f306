// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Backups
import CommandLineInterface
import Foundation
import HostIntegration
import LinuxSystem
import Provisioning
import SQLiteStore

struct BackupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Back up settings and identities to one sealed file.",
        discussion: """
            A backup can be restored at any kiosk with the backup key. Make the key once (login-kiosk backup-key) and \
            keep it apart from the backups: with both, only the PINs are missing. This command works while the kiosk \
            runs.
            For example: login-kiosk backup --key /root/backup.key /mnt/kiosk-7.backup
            """)

    @OptionGroup var places: DirectoryOptions
    @Argument(help: "The file to write, or - for standard output.") var file: String
    @Option(help: ArgumentHelp("The file with the backup's key.", valueName: "file")) var key: String
    @Flag(help: "Replace an existing file.") var force = false
    @Flag(help: "Print the outcome as a JSON object.") var json = false

    private struct Document: Encodable {
        let version = 1
        let file: String
        let kiosk: String
        let identities: Int
        /// The number of unreadable identities.
        let damaged: Int
        let settings: [String]
        let leftOut: [String]
    }

    func validate() throws {
        if json, file == "-" { throw ValidationError("--json needs a file") }
    }

    func run() throws {
        let key = try BackupCommand.telling { try BackupKey(file: self.key) }
        try refuseOverwriting()
        let backup = try places.owner().act { try KioskBackup(places) }
        let bytes = try BackupCommand.telling {
            try BackupFile.sealed(backup.content, with: key)
        }
        if file == "-" {
            guard StandardStream.output.write(bytes) else {
                throw Complaint.make("standard output takes no more: \(systemErrorText())", status: .ioError)
            }
        } else {
            try BackupCommand.telling { try OwnedFile.replace(file, with: bytes, mode: 0o600) }
        }
        let damaged = backup.content.store.damaged
        if damaged > 0 {
            Complaint.say(
                "not in the backup: \(damaged) identities that cannot be read any more",
                hint: "see what is wrong: login-kiosk doctor")
        }
        try tell(backup)
    }

    private func refuseOverwriting() throws {
        if file == "-" {
            guard isatty(STDOUT_FILENO) == 0 else {
                throw Complaint.make(
                    "a backup is binary data and not for a terminal", hint: "redirect it: > FILE", status: .usage)
            }
        } else if !force, FileManager.default.fileExists(atPath: file),
            (try? FileManager.default.attributesOfItem(atPath: file)[.type] as? FileAttributeType) == .typeRegular
        {
            throw Complaint.make(
                "\(file) is there already", hint: "name another file, or put the new one in its place: --force",
                status: .cannotCreate)
        }
    }

    private func tell(_ backup: KioskBackup) throws {
        let content = backup.content
        let settings = content.files.filter { $0.directory != .keys }.map(\.name)
        let identities = content.store.identities.count
        if json {
            return try JSONOutput.write(
                Document(
                    file: file, kiosk: content.kioskNumber, identities: identities,
                    damaged: content.store.damaged, settings: settings, leftOut: backup.leftOut))
        }
        var lines = [
            "written: \(file == "-" ? "the backup" : file) (\(identities) identities, "
                + "\(settings.count) files of settings)"
        ]
        lines += backup.leftOut.map { "not in the backup, keep a copy of your own: \($0)" }
        // Output redirected to a file is the backup alone.
        let text = lines.map { $0 + "\n" }.joined()
        if file == "-" { StandardStream.error.write(text) } else { try Output.write(text) }
    }

    /// Reports why a backup, its key or a file is refused.
    static func telling<Result>(_ work: () throws -> Result) throws -> Result {
        do { return try work() } catch let error as BackupError {
            throw complaint(error)
        } catch let error as FileFault {
            throw Complaint.make(error, status: .cannotCreate)
        } catch let error as ProvisioningError {
            throw Complaint.make("\(error)", hint: error.hint, status: .cannotCreate)
        } catch let error as StoreOpeningError {
            throw KioskParts.complaint(error)
        }
    }

    static func complaint(_ error: BackupError) -> any Error {
        switch error {
        case .keyFile(let fault):
            Complaint.make("\(error)", hint: error.hint, status: ExitStatus(fault, else: .noInput))
        case .cryptography: Complaint.make("\(error)", hint: error.hint, status: .internalError)
        default: Complaint.make("\(error)", hint: error.hint, status: .dataError)
        }
    }
}

struct BackupKeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup-key", abstract: "Make a backup key, or show the name of an existing one.",
        discussion: """
            A backup key is 32 random bytes in a file. Make one for each kiosk, and keep a copy apart from the \
            backups. Without the key no backup can be opened.
            For example: login-kiosk backup-key /root/backup.key
            """)

    @Argument(help: "File of the key. It is made if it does not exist.") var file: String
    @Flag(help: "Print a JSON object.") var json = false

    private struct Document: Encodable {
        let version = 1
        let name: String
        let made: Bool
    }

    func run() throws {
        let (key, isNew) = try BackupCommand.telling { try BackupKey.readOrMake(file: file) }
        if json { return try JSONOutput.write(Document(name: key.name, made: isNew)) }
        print("\(isNew ? "made" : "backup's key"): \(file)\nname: \(key.name)")
    }
}
