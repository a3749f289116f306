// SPDX-License-Identifier: Apache-2.0

import Backups
import CommandLineInterface
import Foundation
import HostIntegration
import LinuxSystem
import Provisioning
import SQLiteStore

/// The contents of a backup of this kiosk, gathered while the kiosk may be running.
struct KioskBackup {
    let content: BackupContent
    /// Paths that settings name but the backup lacks.
    let leftOut: [String]

    /// - Throws: a complaint.
    init(_ places: DirectoryOptions) throws {
        let configuration = try places.require()
        let directories = try places.directories(in: configuration)
        let profileDirectory = try places.profileDirectory(in: configuration)
        let (settings, profile, key) = try BackupCommand.telling {
            // Keeps other profiles from being installed while this one is read.
            let lock = try FileLock.ifPossible(profileDirectory.folder)
            defer { lock?.release() }
            let settings = try BackupSet(configuration, in: directories.configuration)
            // Makes the key if there is none, because the backup contains the kiosk's number.
            let key = try KioskKey(file: profileDirectory.kioskKeyFile).publicKey
            return (settings, try profileDirectory.kept(), key)
        }
        content = BackupContent(
            madeAt: UInt64(max(0, Date().timeIntervalSince1970)), kioskNumber: "\(key.number)",
            programVersion: Version.current, files: settings.files + profile.files, profileMadeAt: profile.madeAt,
            store: try KioskBackup.look(directories))
        leftOut = settings.leftOut
    }

    /// The contents of the store at this moment; empty when no store was ever made.
    static func look(_ directories: KioskDirectories) throws -> StoreSnapshot {
        do throws(FileFault) { try OwnedFile.check(directories.identityDatabase, .secret) } catch {
            if error.cause == .missing { return StoreSnapshot() }
            throw Complaint.make(error)
        }
        do throws(StoreOpeningError) {
            return try SQLiteIdentityStorage(at: StoreLocation(directories), .reading).snapshot()
        } catch { throw KioskParts.complaint(error) }
    }
}

extension DirectoryOptions {
    /// The owner of the identities and the keys. A process of root acts as this user there.
    func owner() throws -> ActingUser {
        let state = try directories(in: load()).state
        guard let owner = ActingUser.owner(of: state) else {
            guard configuration.directory == KioskDirectories.systemConfiguration, geteuid() == 0 else {
                return .current
            }
            throw Complaint.make(
                "\(state) is not there yet", hint: "start the kiosk once: systemctl start login-kiosk",
                status: .noInput)
        }
        guard geteuid() == 0 || geteuid() == owner.user else {
            throw Complaint.make(
                "the kiosk's files in \(state) belong to user \(owner.name)",
                hint: "run it as root, or as that user", status: .notPermitted)
        }
        return owner
    }
}
