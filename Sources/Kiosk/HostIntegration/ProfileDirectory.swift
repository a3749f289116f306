// SPDX-License-Identifier: Apache-2.0

import Encoding
import Foundation
public import LinuxSystem
import LoginValues
public import Provisioning

/// The directory of an operator's profiles: a folder for each, and one file that names the current one. Replacing that
/// file activates a profile, so that a kill at any point leaves the old one or the new one, whole.
///
///     KEYS/kiosk.key
///     KEYS/profile/current               the name of the current folder, and its operator's public key
///     KEYS/profile/1790000000-0a1b2c3d/  the date of that profile, and a name of its own
///         settings.yaml  operator.pub    and, if the profile has them: trusted  fleet.key
///
/// A caller that changes any of it holds the ``lock()`` from reading the current profile to the last change.
public struct ProfileDirectory: Sendable {
    /// - Parameter keys: the directory of the key that seals the identities: a copy of the identities contains
    ///   neither.
    public init(keys: String) { self.keys = keys }

    private let keys: String

    public var kioskKeyFile: String { SettingsFile.kioskKey.path(in: keys) }
    /// The directory of all profiles.
    public var folder: String { SettingsFile.profiles.path(in: keys) }
    var pointer: String { "\(folder)/current" }
    /// The key of a restore, until it is activated.
    var stagedKeyFile: String { "\(kioskKeyFile).restored" }
    var stagedPointer: String { "\(pointer).restored" }

    /// Locks the current profile and the kiosk's key for a change. Makes the directory if it is missing.
    public func lock(patience: Duration = FileLock.usualPatience) throws(FileFault) -> FileLock {
        try OwnedFile.makeDirectory(keys)
        return try FileLock(folder, patience: patience)
    }

    /// The current profile.
    public struct Current: Sendable, Equatable {
        /// Seconds since 1970.
        public let madeAt: UInt64
        let folder: String
        /// The operator that the pointer names. Because of it no other operator's profile is accepted when the folder
        /// is gone. Nil if an earlier version of this program wrote the pointer.
        let signer: OperatorPublicKey?

        /// Whether the folder exists.
        var isThere: Bool { FileManager.default.fileExists(atPath: settings) }

        /// The content of the pointer that activates the profile.
        var pointerText: [UInt8] {
            let name = URL(filePath: folder).lastPathComponent
            return Array([name, signer?.text].compactMap(\.self).joined(separator: " ").utf8)
        }

        var settings: String { SettingsFile.profileSettings.path(in: folder) }
        var trust: String { SettingsFile.trustList.path(in: folder) }
        var fleetKey: String { SettingsFile.fleetKey.path(in: folder) }
        var operatorKey: String { SettingsFile.operatorKey.path(in: folder) }

        /// The settings that name the profile's files in place of the operator's own.
        var places: [String: String] {
            var files: [String: String] = [:]
            files[\.trustFile] = trust
            files[\.fleetKeyFile] = fleetKey
            return files.filter { FileManager.default.fileExists(atPath: $0.value) }
        }
    }

    /// - Returns: nil when there is no current profile.
    public func current() throws(FileFault) -> Current? {
        // Checked first: another user's command, root's above all, must not fail because it may not enter the
        // directory of a kiosk that was never set up.
        guard (try? FileManager.default.attributesOfItem(atPath: pointer)) != nil,
            let text = try OwnedFile.find(pointer)?.read(upTo: 256)
        else { return nil }
        let words = String(decoding: text, as: UTF8.self).split(separator: " ", omittingEmptySubsequences: false)
        let signer = words.count == 2 ? OperatorPublicKey(text: words[1]) : nil
        guard let madeAt = ProfileDirectory.time(in: words[0]), words.count == 1 || signer != nil else {
            throw FileFault(.refused(EINVAL), path: pointer)
        }
        return Current(madeAt: madeAt, folder: "\(folder)/\(words[0])", signer: signer)
    }

    /// A folder name that no other profile has.
    func new(_ madeAt: UInt64, by signer: OperatorPublicKey?) -> Current {
        let mark = Hexadecimal.text((0..<4).map { _ in UInt8.random(in: .min ... .max) })
        return Current(madeAt: madeAt, folder: "\(folder)/\(madeAt)-\(mark)", signer: signer)
    }

    /// - Returns: nil when it is not a name of a profile's folder.
    private static func time(in name: some StringProtocol) -> UInt64? {
        let parts = name.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count <= 2, let first = parts.first, first.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            parts.count == 1 || parts[1].utf8.count == 8 && parts[1].allSatisfy(\.isHexDigit)
        else { return nil }
        return UInt64(first)
    }

    /// The error text if the current profile has no folder; nil if it has one.
    func problem(of current: Current) -> String? {
        guard !current.isThere else { return nil }
        return "the current profile is gone: \(current.folder) is not there; "
            + (current.signer == nil
                ? "put its operator's public key into operator.pub beside config.yaml, and a new profile in place"
                : "its operator's next profile repairs that: login-kiosk fleet apply")
    }

    /// The operator of this kiosk: the one that the machine's own files name, else the one of the current profile.
    ///
    /// - Parameter configuration: the kiosk's directories of settings, the weakest first.
    /// - Returns: nil for a kiosk without an operator.
    public func trustedOperator(configuration: [String]) throws(FileFault) -> OperatorPublicKey? {
        for directory in configuration.reversed() {
            if let key = try ProfileDirectory.operatorKey(SettingsFile.operatorKey.path(in: directory)) { return key }
        }
        guard let current = try current() else { return nil }
        let file = current.operatorKey
        // The pointer names the signer too, so that deleting the folder does not admit another operator.
        guard let key = try ProfileDirectory.operatorKey(file) ?? current.signer else {
            throw FileFault(.missing, path: file)
        }
        guard key == current.signer ?? key else { throw FileFault(.refused(EINVAL), path: file) }
        return key
    }

    /// - Returns: nil when there is no such file.
    private static func operatorKey(_ path: String) throws(FileFault) -> OperatorPublicKey? {
        guard let text = try OwnedFile.find(path)?.read(upTo: 256) else { return nil }
        // An unreadable key must not open the kiosk to another operator.
        guard let key = operatorKey(in: String(decoding: text, as: UTF8.self)) else {
            throw FileFault(.refused(EINVAL), path: path)
        }
        return key
    }

    /// The key in the text of a key file.
    static func operatorKey(in text: String) -> OperatorPublicKey? {
        OperatorPublicKey(text: text.trimmingCharacters(in: .whitespacesAndNewlines))
    }
}

extension ProfileDirectory {
    /// Writes a profile beside the current one. ``commit(_:)`` activates it. The caller holds the ``lock()``.
    ///
    /// - Parameters:
    ///   - profile: the operator's settings; missing ones stay as in the current profile.
    ///   - signer: the operator who signed it.
    /// - Throws: ``ProfileFailure``, before anything current is changed.
    public func stage(_ profile: KioskProfile, by signer: OperatorPublicKey) throws(ProfileFailure) -> Current {
        try ProfileDirectory.check(profile)
        do throws(FileFault) { return try write(profile, by: signer) } catch { throw .file(error) }
    }

    private func write(_ profile: KioskProfile, by signer: OperatorPublicKey) throws(FileFault) -> Current {
        let (old, new) = (try current(), self.new(profile.madeAt, by: signer))
        removeAllButCurrent()
        try OwnedFile.makeDirectory(new.folder)
        func put(_ content: SecretBytes?, _ path: String) throws(FileFault) {
            try content?.withBytes { bytes throws(FileFault) in try OwnedFile.replace(path, with: bytes, mode: 0o600) }
        }
        // Parts that the profile omits are taken from the old one.
        func kept(_ path: String?, upTo limit: Int) throws(FileFault) -> SecretBytes? {
            guard let path, let file = try OwnedFile.find(path, .secret) else { return nil }
            return SecretBytes(try file.read(upTo: limit))
        }
        try put(SecretBytes(copying: profile.settings.utf8), new.settings)
        try put(SecretBytes(copying: "\(signer.text)\n".utf8), new.operatorKey)
        let trust: SecretBytes? =
            if let list = profile.trust { SecretBytes(copying: list.utf8) } else {
                try kept(old?.trust, upTo: TrustFile.maximumLength)
            }
        let key: SecretBytes? =
            if let key = profile.fleetKey { key } else { try kept(old?.fleetKey, upTo: KioskProfile.fleetKeyLength) }
        try put(trust, new.trust)
        try put(key, new.fleetKey)
        return new
    }

    /// Activates a staged profile, in one step. The caller holds the ``lock()``, and then calls
    /// ``removeAllButCurrent()``.
    public func commit(_ staged: Current) throws(FileFault) {
        try OwnedFile.replace(pointer, with: staged.pointerText, mode: 0o600)
    }

    /// Removes all profiles but the current one, and what a restore did not activate. The caller holds the ``lock()``.
    public func removeAllButCurrent() {
        // If the current one is not known, all stay.
        do {
            let kept = try current()?.folder
            let names = try FileManager.default.contentsOfDirectory(atPath: folder)
            for name in names where ProfileDirectory.time(in: name) != nil && "\(folder)/\(name)" != kept {
                try? FileManager.default.removeItem(atPath: "\(folder)/\(name)")
            }
        } catch {}
        for path in [stagedKeyFile, stagedPointer] { try? FileManager.default.removeItem(atPath: path) }
    }

    /// Files with secrets: the keys of profiles, and this kiosk's own.
    public var secrets: [String] {
        [kioskKeyFile, stagedKeyFile, (try? current())?.fleetKey].compactMap(\.self)
    }
}
