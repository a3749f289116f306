// SPDX-License-Identifier: Apache-2.0

public import Backups
import Encoding
import Foundation
public import LinuxSystem

/// The files that an operator would have to write again after the loss of the kiosk's card: settings, trust list,
/// operator keys, and files that settings name.
public struct BackupSet: Sendable {
    public var files: [BackupContent.File] = []
    /// Named paths outside of the kiosk's directories: the operator has those files, or they belong to the machine.
    public var leftOut: [String] = []

    /// - Parameter directory: of the operator's own settings.
    public init(_ configuration: KioskConfiguration, in directory: String) throws(FileFault) {
        let named = BackupSet.named(in: configuration)
        let beside = named.filter { BackupSet.parent($0) == directory }
            .map { String($0.dropFirst(directory.count + 1)) }
        for name in Set(SettingsFile.ofOperator.map(\.rawValue) + beside).sorted() {
            try keep(.settings, "\(directory)/\(name)", name)
        }
        for name in BackupSet.dropIns(in: directory) {
            try keep(.dropIn, "\(SettingsFile.dropIns.path(in: directory))/\(name)", name)
        }
        leftOut += named.filter { BackupSet.parent($0) != directory }.sorted()
    }

    /// The names of the drop-ins in a directory of settings, in their order.
    public static func dropIns(in directory: String) -> [String] {
        let names =
            (try? FileManager.default.contentsOfDirectory(atPath: SettingsFile.dropIns.path(in: directory))) ?? []
        return names.filter(SettingSources.isDropIn).sorted()
    }

    /// Whether the kiosk itself has a file of that name beside its settings.
    public static func isOwn(_ name: String) -> Bool {
        switch SettingsFile(rawValue: name) {
        case .restore, .profiles, .dropIns: true
        default:
            name == KioskDirectories.auditFolder || name.hasPrefix(SettingsFile.kioskKey.rawValue)
                || name.hasPrefix("identities.")
        }
    }

    /// Plain files that settings name, except the key that seals the identities and the files of profiles.
    private static func named(in configuration: KioskConfiguration) -> Set<String> {
        let profiles = configuration.profileDirectory.map { $0.folder + "/" }
        return Set(
            configuration.settings.compactMap { setting in
                guard setting.value.hasPrefix("/"), setting.name != "store.key-file",
                    profiles.map({ !setting.value.hasPrefix($0) }) ?? true, isPlainFile(setting.value)
                else { return nil }
                return setting.value
            })
    }

    private static func parent(_ path: String) -> String {
        String(path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex))
    }

    private static func isPlainFile(_ path: String) -> Bool {
        // Follows links, as the reader of the setting does.
        let attributes = try? FileManager.default.attributesOfItem(
            atPath: URL(filePath: path).resolvingSymlinksInPath().path)
        return attributes?[.type] as? FileAttributeType == .typeRegular
    }

    private mutating func keep(_ directory: BackupContent.Directory, _ path: String, _ name: String) throws(FileFault) {
        guard BackupFile.isName(name), !BackupSet.isOwn(name) else { return leftOut.append(path) }
        // A link to `/dev/null` switches the file off, as an empty file does.
        let file =
            try SettingSources.isMask(path)
            ? BackupContent.File(directory, name, mode: 0o644, content: SecretBytes(copying: []))
            : BackupSet.read(directory, path, name)
        if let file { files.append(file) }
    }

    /// - Returns: nil when there is no such file.
    static func read(
        _ directory: BackupContent.Directory, _ path: String, _ name: String
    ) throws(FileFault) -> BackupContent.File? {
        guard let file = try OwnedFile.find(path) else { return nil }
        let content = SecretBytes(try file.read(upTo: BackupFile.maximumContent))
        return BackupContent.File(directory, name, mode: file.mode & 0o644, content: content)
    }

    /// Writes a file of a backup into the staging folder of a restore, durably.
    ///
    /// - Parameter group: the group that may read shared files.
    public static func stage(_ file: BackupContent.File, at path: String, group: UInt32) throws(FileFault) {
        try file.content.withBytes { content throws(FileFault) in
            try OwnedFile.replace(path, with: content, mode: mode_t(file.mode))
        }
        guard file.mode & 0o044 == 0o040 else { return }
        // Without the right to change the group only the owner can read the file, and the kiosk will report that.
        try? FileManager.default.setAttributes([.groupOwnerAccountID: group], ofItemAtPath: path)
    }
}
