// SPDX-License-Identifier: Apache-2.0

public import Backups
public import LinuxSystem

extension ProfileDirectory {
    private static let names = [SettingsFile.profileSettings, .operatorKey, .trustList, .fleetKey].map(\.rawValue)

    /// The files of the operator's profile, and the kiosk's own key.
    public func kept() throws(FileFault) -> (files: [BackupContent.File], madeAt: UInt64?) {
        var files: [BackupContent.File] = []
        let current = try current()
        if let current {
            guard current.isThere else { throw FileFault(.missing, path: current.folder) }
            for name in ProfileDirectory.names {
                if let file = try BackupSet.read(.profile, "\(current.folder)/\(name)", name) { files.append(file) }
            }
        }
        if let key = try BackupSet.read(.keys, kioskKeyFile, SettingsFile.kioskKey.rawValue) { files.append(key) }
        return (files, current?.madeAt)
    }

    /// Writes a backup's profile and the kiosk's key beside the current ones. The caller holds the ``lock()``.
    ///
    /// - Returns: the files that activate them, in this order.
    public func stage(
        _ files: [BackupContent.File], madeAt: UInt64?, group: UInt32
    ) throws(FileFault) -> [StagedFile] {
        var ready: [StagedFile] = []
        removeAllButCurrent()
        for file in files where file.directory == .keys && file.name == SettingsFile.kioskKey.rawValue {
            try OwnedFile.makeDirectory(folder)
            try BackupSet.stage(file, at: stagedKeyFile, group: group)
            ready.append(StagedFile(stagedKeyFile, for: kioskKeyFile))
        }
        guard let madeAt else { return ready }
        let files = files.filter { $0.directory == .profile && ProfileDirectory.names.contains($0.name) }
        let signer = files.first { $0.name == SettingsFile.operatorKey.rawValue }
            .flatMap { ProfileDirectory.operatorKey(in: $0.text) }
        let new = new(madeAt, by: signer)
        try OwnedFile.makeDirectory(new.folder)
        for file in files { try BackupSet.stage(file, at: "\(new.folder)/\(file.name)", group: group) }
        try OwnedFile.replace(stagedPointer, with: new.pointerText, mode: 0o600)
        return ready + [StagedFile(stagedPointer, for: pointer)]
    }
}
