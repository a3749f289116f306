// SPDX-License-Identifier: Apache-2.0

import Backups
import CommandLineInterface
import Foundation
import HostIntegration
import LinuxSystem
import MPinClient
import Provisioning
import SQLiteStore

/// Restores a backup on a kiosk that has no identities.
///
/// It checks everything before it writes anything, and stages all new files before it activates any. The identities
/// come last, in one step: if cut off before it the kiosk still has none, and the restore can be repeated.
struct Restoration {
    enum Part: String, CaseIterable { case identities, settings }

    /// The treatment of the operator's profile.
    enum ProfileFate: String, Encodable {
        /// The backup has none, or it was not requested.
        case none
        case restored
        /// The one here is the same or newer. A profile is never replaced by an older one.
        case kept
    }

    struct Plan {
        /// Identities to restore; nil when none were requested.
        var identities: [IdentityKey]?
        var profile = ProfileFate.none
        /// Files to restore.
        var files: [BackupContent.File] = []
    }

    let content: BackupContent
    /// The half of the backup to restore; nil for both.
    let part: Part?

    private let owner: ActingUser
    private let directories: KioskDirectories
    private let profileDirectory: ProfileDirectory
    private let configuration: KioskConfiguration
    private var location: StoreLocation { StoreLocation(directories) }

    init(_ content: BackupContent, part: Part?, _ places: DirectoryOptions) throws {
        self.content = content
        self.part = part
        owner = try places.owner()
        // May have problems, which the restore perhaps repairs.
        configuration = try owner.act { places.load() }
        directories = try places.directories(in: configuration)
        profileDirectory = try places.profileDirectory(in: configuration)
    }

    private var restoresStore: Bool { part != .settings }
    private var restoresSettings: Bool { part != .identities }

    /// Returns the plan without carrying it out. The kiosk may be running.
    func look() throws -> Plan { try owner.act { try plan(restoresStore ? KioskBackup.look(directories) : nil) } }

    /// Carries out the restore. The kiosk has to be stopped.
    func restore() throws -> Plan {
        try refuseUnwritable()
        guard FactoryReset(configuration, directories).begun == nil else {
            throw Complaint.make(
                "a reset of this kiosk was begun and is not ended", hint: "start the kiosk once: login-kiosk run",
                status: .temporaryFailure)
        }
        // First without the store: a refused restore leaves no empty store behind.
        _ = try owner.act { try self.plan(nil) }
        // It keeps the lock until all is done.
        let (store, lock) = try owner.act { try lockStore() }
        defer { withExtendedLifetime((store, lock)) {} }
        let locks = try lockFiles()
        defer { for lock in locks { lock.release() } }
        let plan = try owner.act { try self.plan(snapshot(store)) }
        defer { discardStaged() }
        try BackupCommand.telling {
            let staged = try stage(plan, store)
            if !staged.settings.isEmpty {
                try OwnedFile.check(directories.configuration, .unaltered, .directory)
            }
            for file in staged.settings { try file.moveIntoPlace() }
            try owner.act { for file in staged.own { try file.moveIntoPlace() } }
        }
        return plan
    }

    /// Opens the store that is to be restored, else only locks it.
    private func lockStore() throws -> (store: SQLiteIdentityStorage?, lock: StoreLock?) {
        try BackupCommand.telling {
            try OwnedFile.makeDirectory(directories.state)
            guard restoresStore else { return (nil, try StoreLock(at: location)) }
            return (try SQLiteIdentityStorage(at: location), nil)
        }
    }

    /// Locks profile and trust list against other commands. A file that this user may not write needs no lock, because
    /// the restore does not write it either.
    private func lockFiles() throws -> [FileLock] {
        try BackupCommand.telling {
            let profile = try owner.act { try FileLock.ifPossible(profileDirectory.folder) }
            return [profile, try FileLock.ifPossible(SettingsFile.trustList.path(in: directories.configuration))]
                .compactMap(\.self)
        }
    }

    private func snapshot(_ store: SQLiteIdentityStorage?) throws -> StoreSnapshot? {
        do throws(StoreOpeningError) { return try store?.snapshot() } catch { throw KioskParts.complaint(error) }
    }

    /// Settings of an installed kiosk belong to root.
    private func refuseUnwritable() throws {
        guard restoresSettings, geteuid() != 0, unsafe access(directories.configuration, F_OK) == 0,
            unsafe access(directories.configuration, W_OK) != 0
        else { return }
        throw Complaint.make(
            "the settings in \(directories.configuration) are not this user's to write",
            hint: "run it as root; or the identities alone: --only identities", status: .notPermitted)
    }
}

extension Restoration {
    /// - Throws: a complaint; nothing was changed.
    private func plan(_ here: StoreSnapshot?) throws -> Plan {
        var plan = Plan()
        let current = try BackupCommand.telling { try profileDirectory.current() }
        if current != nil, try !isOwn() {
            throw Complaint.make(
                "this is a backup of another kiosk, \(content.kioskNumber), and this one has a profile",
                hint: "reset this one first: login-kiosk reset", status: .dataError)
        }
        if let here, !here.identities.isEmpty {
            throw Complaint.make(
                "this kiosk has \(here.identities.count) identities, and a backup is restored into one that has none",
                hint: "reset it first: login-kiosk reset; or restore the settings alone: --only settings",
                status: .dataError)
        }
        if restoresStore { plan.identities = content.store.identities.map(\.key) }
        guard restoresSettings else { return plan }
        // The newer of both profiles is kept, with its operator.
        let staysBehind = current.map { $0.madeAt >= content.profileMadeAt ?? 0 } ?? false
        plan.profile = staysBehind ? .kept : content.profileMadeAt == nil ? .none : .restored
        plan.files = content.files.filter { file in
            switch file.directory {
            case .settings: !(staysBehind && file.name == SettingsFile.operatorKey.rawValue)
            case .dropIn: true
            case .profile, .keys: !staysBehind
            }
        }
        try check(plan.files)
        let others = settingsHere(but: plan.files, keepsOperator: staysBehind)
        guard others.isEmpty else {
            throw Complaint.make(
                "settings here that the backup has not: \(others.joined(separator: ", "))",
                hint: "move them away; or restore the identities alone: --only identities", status: .dataError)
        }
        return plan
    }

    private func isOwn() throws -> Bool {
        guard FileManager.default.fileExists(atPath: profileDirectory.kioskKeyFile) else { return false }
        let key = try BackupCommand.telling { try KioskKey(file: profileDirectory.kioskKeyFile) }
        return "\(key.publicKey.number)" == content.kioskNumber
    }

    private func check(_ files: [BackupContent.File]) throws {
        guard !files.contains(where: { $0.directory == .settings && BackupSet.isOwn($0.name) }) else {
            throw BackupCommand.complaint(.damaged)
        }
        if let problem = files.settingsProblem {
            throw Complaint.make(
                "the backup's settings are not valid here: \(problem)",
                hint: "restore the identities alone: --only identities", status: .dataError)
        }
        guard restoresStore else { return }
        for name in ["store.directory", "store.key-file"] {
            var here: String?
            if let setting = configuration.setting(name), case .file = setting.origin { here = setting.value }
            let there = files.value(of: name)
            guard here != there else { continue }
            throw Complaint.make(
                "\(name) is \(there ?? "not set") in the backup, and \(here ?? "not set") here",
                hint: "first the settings (--only settings), then the identities (--only identities)",
                status: .dataError)
        }
    }

    /// The files here that this backup lacks, of the kinds that every backup contains.
    private func settingsHere(but files: [BackupContent.File], keepsOperator: Bool) -> [String] {
        let folder = directories.configuration
        let here =
            SettingsFile.ofOperator.filter { !(keepsOperator && $0 == .operatorKey) }.map(\.rawValue)
            + BackupSet.dropIns(in: folder).map { SettingsFile.dropIns.rawValue + "/\($0)" }
        let there = Set(files.compactMap(Restoration.name))
        return here.filter { !there.contains($0) && FileManager.default.fileExists(atPath: "\(folder)/\($0)") }
    }

    /// The path of a settings file in its directory.
    private static func name(of file: BackupContent.File) -> String? {
        switch file.directory {
        case .settings: file.name
        case .dropIn: SettingsFile.dropIns.rawValue + "/\(file.name)"
        case .profile, .keys: nil
        }
    }

    /// Stages all files.
    ///
    /// - Returns: settings, to be moved as the user who runs the restore; then keys, profile and last the identities,
    ///   as their owner.
    private func stage(
        _ plan: Plan, _ store: SQLiteIdentityStorage?
    ) throws -> (settings: [StagedFile], own: [StagedFile]) {
        let folder = directories.configuration
        var settings: [StagedFile] = []
        if restoresSettings {
            try OwnedFile.makeDirectory(folder)
            try StagedFile.makeFolder(folder)
        }
        for file in plan.files {
            guard let name = Restoration.name(of: file) else { continue }
            let staged = "\(StagedFile.folder(folder))/\(name)"
            try BackupSet.stage(file, at: staged, group: owner.group)
            settings.append(StagedFile(staged, for: "\(folder)/\(name)"))
        }
        let own = try owner.act { () throws -> [StagedFile] in
            var ready = try profileDirectory.stage(
                plan.files, madeAt: plan.profile == .restored ? content.profileMadeAt : nil, group: owner.group)
            guard let store else { return ready }
            try store.stage(content.store)
            ready.append(StagedFile(location.replacement, for: location.database))
            return ready
        }
        return (settings, own)
    }

    /// Removes staged files that were not activated.
    private func discardStaged() {
        if restoresSettings {
            try? FileManager.default.removeItem(atPath: StagedFile.folder(directories.configuration))
        }
        try? owner.act {
            location.removeReplacement()
            profileDirectory.removeAllButCurrent()
        }
    }
}
