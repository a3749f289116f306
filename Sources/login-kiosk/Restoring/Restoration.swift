// SPDX-License-Identifier: Apache-2.0

import Backups
import CommandLineInterface
import Foundation
import HostIntegration
import LinuxSystem
import MPinClient
import Provisioning
import SQLiteStore

/// Puts a backup in place of what a kiosk has, whole or not at all.
///
/// Everything that can be judged is judged before anything is written; everything new lies ready beside the old before
/// it is noted that it counts; and what was noted is ended by the next start, wherever it was cut off.
struct Restoration {
    enum Part: String, CaseIterable { case identities, settings }

    /// What becomes of the operator's setup.
    enum SetupFate: String, Encodable {
        /// The backup has none, or it was not asked for.
        case none
        case restored
        /// The one here is the same, or was made later: a setup does not go back.
        case kept
    }

    struct Plan {
        var store: StoreSnapshot.Restored?
        var setup = SetupFate.none
        /// Files of the backup that go in.
        var files: [BackupContent.File] = []
        /// Names of settings here that the backup has not.
        var removed: [String] = []
    }

    let head: BackupHead
    let content: BackupContent
    /// Which half of it; nil for both.
    let part: Part?
    let replaces: Bool

    private let owner: ActingUser
    private let directories: KioskDirectories
    private let place: SetupPlace
    private let configuration: KioskConfiguration
    private var location: StoreLocation { StoreLocation(directories) }

    init(
        _ backup: (head: BackupHead, content: BackupContent), part: Part?, replaces: Bool, _ places: DirectoryOptions
    ) throws {
        (head, content) = backup
        self.part = part
        self.replaces = replaces
        owner = try places.owner()
        // Not required to be right: a restore may be what mends it.
        configuration = try owner.act { places.load() }
        directories = try places.directories(in: configuration)
        place = try SetupTaker.place(in: configuration)
        guard part != .identities || restoresStore else {
            throw Complaint.make(
                "people are in the database here, or were where the backup was made",
                hint: "restore them there; the settings alone: --only settings", status: .dataError)
        }
    }

    private var restoresStore: Bool {
        part != .settings && content.store != nil && !KioskBackup.isDatabaseElsewhere(configuration)
    }
    private var restoresSettings: Bool { part != .identities }

    /// What would happen, beside a kiosk that may run.
    ///
    /// - Parameter other: the number of the kiosk whose backup it knowingly is.
    func look(from other: KeyNumber?) throws -> Plan {
        try owner.act { try plan(restoresStore ? KioskBackup.look(directories) : nil, from: other) }
    }

    /// Does it. The kiosk has to be stopped.
    func restore(from other: KeyNumber?) throws -> Plan {
        try refuseUnwritable()
        guard FactoryReset(configuration, directories).begun == nil else {
            throw Complaint.make(
                "a reset of this kiosk was begun and is not ended", hint: "start the kiosk once: login-kiosk run",
                status: .temporaryFailure)
        }
        // What needs no look into the store first: what is refused leaves no empty one behind.
        _ = try owner.act { try self.plan(nil, from: other) }
        // It keeps the lock until all is done.
        let (store, lock) = try owner.act { () throws -> (SQLiteIdentityStorage?, StoreLock?) in
            try BackupCommand.telling { () throws -> (SQLiteIdentityStorage?, StoreLock?) in
                try OwnedFile.makeDirectory(directories.state)
                return restoresStore
                    ? (try SQLiteIdentityStorage(at: location), nil) : (nil, try StoreLock(at: location))
            }
        }
        defer { withExtendedLifetime((store, lock)) {} }
        let plan = try owner.act { try self.plan(snapshot(store), from: other) }
        let begun: BegunRestore
        do {
            begun = try stage(plan, store)
        } catch {
            discardStaged()
            throw error
        }
        try BackupCommand.telling {
            do { if begun.needsNote { try begun.commit(in: directories.configuration) } } catch {
                discardStaged()
                throw error
            }
            try begun.finish(in: directories.configuration)
        }
        try? owner.act { place.discardStaged() }
        return plan
    }

    private func snapshot(_ store: SQLiteIdentityStorage?) throws -> StoreSnapshot? {
        do throws(StoreOpeningError) { return try store?.snapshot() } catch { throw KioskParts.complaint(error) }
    }

    /// Settings of an installed kiosk are root's.
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
    /// - Throws: a complaint, and nothing was changed.
    private func plan(_ here: StoreSnapshot?, from other: KeyNumber?) throws -> Plan {
        var plan = Plan()
        let current = try BackupCommand.telling { try place.current() }
        let isOwn = try isOwn()
        let isInUse = current != nil || here?.identities.isEmpty == false
        if isInUse, !isOwn, other == nil || other != KeyNumber(head.kioskNumber) {
            throw Complaint.make(
                "this is a backup of another kiosk, \(head.kioskNumber), and this one is in use",
                hint: "if you mean that one: --from '\(head.kioskNumber)'", status: .dataError)
        }
        if let here, restoresStore, let store = content.store {
            let backup = try BackupCommand.telling { try StoreSnapshot(store) }
            plan.store = here.restoring(backup, replacing: replaces, isOwn: isOwn)
        }
        guard restoresSettings else { return plan }
        // Of this kiosk's setup and the backup's the later one counts, and whom it obeys goes with it.
        let staysBehind = current.map { $0.madeAt >= content.setupMadeAt ?? 0 } ?? false
        plan.setup = staysBehind ? .kept : content.setupMadeAt == nil ? .none : .restored
        plan.files = content.files.filter { file in
            switch file.place {
            case .settings: !(staysBehind && file.name == "operator.pub")
            case .dropIn: true
            case .setup, .keys: !staysBehind
            }
        }
        try judge(plan.files)
        plan.removed = removed(but: plan.files, keepsOperator: staysBehind)
        guard plan.removed.isEmpty || replaces else {
            throw Complaint.make(
                "settings here that the backup has not: \(plan.removed.joined(separator: ", "))",
                hint: "to have them taken away: --replace; or the identities alone: --only identities",
                status: .dataError)
        }
        return plan
    }

    private func isOwn() throws -> Bool {
        guard FileManager.default.fileExists(atPath: place.kioskKeyFile) else { return false }
        let key = try BackupCommand.telling { try KioskKey(file: place.kioskKeyFile) }
        return "\(key.publicKey.number)" == head.kioskNumber
    }

    private func judge(_ files: [BackupContent.File]) throws {
        guard !files.contains(where: { $0.place == .settings && KeptFiles.isOwn($0.name) }) else {
            throw BackupCommand.complaint(.damaged)
        }
        if let problem = KeptFiles.problem(in: files) {
            throw Complaint.make(
                "the backup's settings do not count here: \(problem)",
                hint: "restore the identities alone: --only identities", status: .dataError)
        }
        guard restoresStore else { return }
        for name in ["store.directory", "store.key-file"] {
            var here: String?
            if let setting = configuration.setting(name), case .file = setting.origin { here = setting.value }
            let there = KeptFiles.value(of: name, in: files)
            guard here != there else { continue }
            throw Complaint.make(
                "\(name) is \(there ?? "not said") in the backup, and \(here ?? "not said") here",
                hint: "first the settings (--only settings), then the identities (--only identities)",
                status: .dataError)
        }
    }

    /// What is here of the kinds of files that every backup has, and the backup has not.
    private func removed(but files: [BackupContent.File], keepsOperator: Bool) -> [String] {
        let folder = directories.configuration
        let dropIns = ((try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/config.d")) ?? [])
            .filter { $0.hasSuffix(".yaml") && !$0.hasPrefix(".") }.map { "config.d/\($0)" }
        let here = ["config.yaml", "trusted"] + (keepsOperator ? [] : ["operator.pub"]) + dropIns.sorted()
        let there = Set(files.compactMap(Restoration.name))
        return here.filter { !there.contains($0) && FileManager.default.fileExists(atPath: "\(folder)/\($0)") }
    }

    /// Where a file of settings lies in their directory.
    private static func name(of file: BackupContent.File) -> String? {
        switch file.place {
        case .settings: file.name
        case .dropIn: "config.d/\(file.name)"
        case .setup, .keys: nil
        }
    }

    /// Lays everything ready.
    private func stage(_ plan: Plan, _ store: SQLiteIdentityStorage?) throws -> BegunRestore {
        let folder = directories.configuration
        return try BackupCommand.telling {
            var settings: [BegunRestore.Step] = []
            if restoresSettings {
                try OwnedFile.makeDirectory(folder)
                try BegunRestore.makeStage(folder)
            }
            for file in plan.files {
                guard let name = Restoration.name(of: file) else { continue }
                let staged = "\(BegunRestore.stage(folder))/\(name)"
                try KeptFiles.stage(file, at: staged, group: owner.group)
                settings.append(.move(from: staged, to: "\(folder)/\(name)"))
            }
            settings += plan.removed.map { .remove("\(folder)/\($0)") }
            let own = try owner.act { () throws -> [BegunRestore.Step] in
                var steps = try place.stage(
                    plan.files, madeAt: plan.setup == .restored ? content.setupMadeAt : nil, group: owner.group)
                guard let store, let identities = plan.store else { return steps }
                try store.stage(identities.result, restored: identities.missing)
                steps.append(.move(from: location.replacement, to: location.database))
                return steps
            }
            return BegunRestore(owner: owner, state: directories.state, settings: settings, own: own)
        }
    }

    /// Takes back what never came to count.
    private func discardStaged() {
        // A note that was written counts, whatever came after it.
        guard (try? BegunRestore.find(in: directories.configuration)) == .some(nil) else { return }
        if restoresSettings {
            try? FileManager.default.removeItem(atPath: BegunRestore.stage(directories.configuration))
        }
        try? owner.act {
            location.removeReplacement()
            place.discardStaged()
        }
    }
}

extension Restoration {
    /// Ends what was begun and cut off.
    ///
    /// - Returns: whether there was anything.
    @discardableResult
    static func finishBegun(_ places: DirectoryOptions) throws -> Bool {
        guard let directory = places.configuration.directory, let begun = try find(in: directory) else { return false }
        do { try begun.finish(in: directory) } catch {
            throw Complaint.make(
                "a restore was begun, and cannot be ended: \(error)", hint: Restoration.remedy,
                status: .temporaryFailure)
        }
        Complaint.say("a restore that was begun is ended: this kiosk has what its backup says")
        return true
    }

    /// While a restore is half done no command obeys settings of the one half and identities of the other.
    static func refuseMidway(_ places: DirectoryOptions) throws {
        guard let directory = places.configuration.directory, try find(in: directory) != nil else { return }
        throw Complaint.make(
            "a restore of this kiosk was begun and is not ended", hint: remedy, status: .temporaryFailure)
    }

    private static let remedy = "as root: login-kiosk restore --finish"

    private static func find(in directory: String) throws -> BegunRestore? {
        do throws(FileFault) { return try BegunRestore.find(in: directory) } catch { throw Complaint.make(error) }
    }
}
