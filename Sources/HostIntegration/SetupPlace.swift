// SPDX-License-Identifier: Apache-2.0

import Foundation
public import LinuxSystem
public import LoginValues
public import Provisioning

/// Where a kiosk keeps what its operator's setup says: a folder for each setup, and one file that names the one that
/// counts. A setup comes to count by replacing that file, so that a kill at any point leaves the old one or the new
/// one, whole.
///
///     KEYS/kiosk.key
///     KEYS/setup/current                 the name of the folder that counts
///     KEYS/setup/1790000000/             when that setup was made
///         settings.yaml  operator.pub    and what there is of: trusted  fleet.key
public struct SetupPlace: Sendable {
    /// - Parameter keys: the directory of the key that seals the identities: who copies the identities has neither.
    public init(keys: String) { self.keys = keys }

    private let keys: String

    public var kioskKeyFile: String { "\(keys)/kiosk.key" }
    private var folder: String { "\(keys)/setup" }
    private var pointer: String { "\(folder)/current" }
    /// Of a restore, until it counts.
    var stagedKeyFile: String { "\(kioskKeyFile).restored" }
    var stagedPointer: String { "\(pointer).restored" }

    /// The setup that counts.
    public struct Current: Sendable, Equatable {
        /// Seconds since 1970.
        public let madeAt: UInt64
        let folder: String

        var settings: String { "\(folder)/settings.yaml" }
        var trust: String { "\(folder)/trusted" }
        var fleetKey: String { "\(folder)/fleet.key" }
        var operatorKey: String { "\(folder)/operator.pub" }

        /// The settings that name the files beside the operator's own.
        var places: [String: String] {
            ["trust-file": trust, "fleet.key-file": fleetKey].filter {
                FileManager.default.fileExists(atPath: $0.value)
            }
        }
    }

    /// - Returns: nil where no setup counts.
    public func current() throws(FileFault) -> Current? {
        let bytes: [UInt8]
        // Looked for first: another user's command, root's above all, has no business in the directory of a kiosk that
        // was never set up, and does not fail for it.
        guard (try? FileManager.default.attributesOfItem(atPath: pointer)) != nil else { return nil }
        do throws(FileFault) { bytes = try OwnedFile.read(pointer, upTo: 20) } catch {
            if error.cause == .missing { return nil }
            throw error
        }
        guard let madeAt = UInt64(String(decoding: bytes, as: UTF8.self)) else {
            throw FileFault(.refused(EINVAL), path: pointer)
        }
        return named(madeAt)
    }

    private func named(_ madeAt: UInt64) -> Current { Current(madeAt: madeAt, folder: "\(folder)/\(madeAt)") }

    /// Whom this kiosk obeys: whom the machine's own files name, else whose setup counts.
    ///
    /// - Parameter configuration: the kiosk's directories of settings, the weakest first.
    /// - Returns: nil for a kiosk that has no operator yet.
    public func trustedOperator(configuration: [String]) throws(SetupFailure) -> OperatorPublicKey? {
        do throws(FileFault) {
            for directory in configuration.reversed() {
                do throws(FileFault) { return try SetupPlace.operatorKey("\(directory)/operator.pub") } catch {
                    guard error.cause == .missing else { throw error }
                }
            }
            return try current().map { current throws(FileFault) in try SetupPlace.operatorKey(current.operatorKey) }
        } catch { throw .file(error) }
    }

    private static func operatorKey(_ path: String) throws(FileFault) -> OperatorPublicKey {
        let text = String(decoding: try OwnedFile.read(path, upTo: 256), as: UTF8.self)
        guard let key = OperatorPublicKey(text: text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            // What cannot be read as a key must not open the kiosk to another operator.
            throw FileFault(.refused(EINVAL), path: path)
        }
        return key
    }
}

extension SetupPlace {
    /// What a setup may not say: where the kiosk keeps its own things, and which programs run.
    private static let reserved = [
        "store.directory", "store.key-file", "fleet.", "trust-file", "audit.directory", "provisioning.", "reset.",
    ]

    /// Writes a setup beside the one that counts. It counts when ``commit(_:)`` was called; what is left of one that
    /// never came to count goes with the next.
    ///
    /// - Parameters:
    ///   - setup: what the operator wants; what it leaves out is as in the setup that counts.
    ///   - signer: who signed it.
    /// - Throws: ``SetupFailure``, before anything that counts is changed.
    public func stage(_ setup: Setup, by signer: OperatorPublicKey) throws(SetupFailure) -> Current {
        try SetupPlace.check(setup)
        let new = named(setup.madeAt)
        do throws(FileFault) { try write(setup, by: signer, to: new, after: try current()) } catch {
            throw .file(error)
        }
        return new
    }

    /// What can be judged of a setup without the kiosk that it is for: each setting by itself, and the trust list.
    public static func check(_ setup: Setup) throws(SetupFailure) {
        let settings = ConfigurationFile(path: "settings", content: Data(setup.settings.utf8))
        if let problem = settings.problems.first { throw .settings(problem) }
        if let entry = settings.entries.first(where: { isReserved($0.name) }) {
            throw .settings(
                ConfigurationProblem(
                    "'\(entry.name)' is the kiosk's own to say, not a setup's",
                    at: .file(path: "settings", line: entry.line)))
        }
        guard let trust = setup.trust else { return }
        do throws(TrustFileError) { _ = try TrustFile(path: "trust list").services(of: trust) } catch {
            throw .trust(error)
        }
    }

    /// The services that a setup has people log in to; nil where it leaves the kiosk's own list.
    public static func services(of setup: Setup) -> [TrustLine]? {
        setup.trust.map { (try? TrustFile(path: "trust list").services(of: $0)) ?? [] }
    }

    private func write(
        _ setup: Setup, by signer: OperatorPublicKey, to new: Current, after old: Current?
    ) throws(FileFault) {
        removeAll(but: old)
        try OwnedFile.makeDirectory(new.folder)
        try OwnedFile.replace(new.settings, with: Array(setup.settings.utf8), mode: 0o600)
        try OwnedFile.replace(new.operatorKey, with: Array("\(signer.text)\n".utf8), mode: 0o600)
        if let trust = setup.trust {
            try OwnedFile.replace(new.trust, with: Array(trust.utf8), mode: 0o600)
        } else if let old {
            try SetupPlace.copy(old.trust, to: new.trust, upTo: TrustFile.maximumLength)
        }
        if let key = setup.fleetKey {
            var bytes = key.withBytes { key in key.indices.map { key[$0] } }
            defer { for index in bytes.indices { bytes[index] = 0 } }
            try OwnedFile.replace(new.fleetKey, with: bytes, mode: 0o600)
        } else if let old {
            try SetupPlace.copy(old.fleetKey, to: new.fleetKey, upTo: Setup.fleetKeyLength)
        }
    }

    private static func isReserved(_ name: String) -> Bool {
        reserved.contains { $0.hasSuffix(".") ? name.hasPrefix($0) : name == $0 }
            || name.hasPrefix("doors.") && (name.contains(".command") || name.contains(".arguments."))
    }

    private static func copy(_ from: String, to path: String, upTo limit: Int) throws(FileFault) {
        var bytes: [UInt8]
        do throws(FileFault) { bytes = try OwnedFile.read(from, .secret, upTo: limit) } catch {
            if error.cause == .missing { return }
            throw error
        }
        defer { for index in bytes.indices { bytes[index] = 0 } }
        try OwnedFile.replace(path, with: bytes, mode: 0o600)
    }

    /// Has a staged setup count from now on, in one step.
    public func commit(_ staged: Current) throws(SetupFailure) {
        do throws(FileFault) {
            try OwnedFile.replace(pointer, with: Array("\(staged.madeAt)".utf8), mode: 0o600)
        } catch { throw .file(error) }
        removeAll(but: staged)
    }

    /// Takes back what was staged and shall not count.
    public func discardStaged() {
        // Where it cannot be told which one counts, all stay.
        do { removeAll(but: try current()) } catch {}
        for path in [stagedKeyFile, stagedPointer] { try? FileManager.default.removeItem(atPath: path) }
    }

    /// Folders of setups that do not count.
    private func removeAll(but kept: Current?) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for name in names where UInt64(name) != nil && "\(folder)/\(name)" != kept?.folder {
            try? FileManager.default.removeItem(atPath: "\(folder)/\(name)")
        }
    }

    /// Everything that a setup brought, and this kiosk's own key: for a kiosk that is to be what it was when it came.
    public var secrets: [String] {
        let current = try? current()
        return [kioskKeyFile, stagedKeyFile] + (current.map { [$0.fleetKey] } ?? [])
    }

    /// All that setups brought.
    public var wholeFolder: String { folder }
}

/// Why a setup cannot be put in place. Nothing that counts was changed.
public enum SetupFailure: Error, Sendable, Equatable, CustomStringConvertible {
    case setup(SetupError)
    case key(ProvisioningError)
    case file(FileFault)
    /// What its settings say cannot be.
    case settings(ConfigurationProblem)
    case trust(TrustFileError)

    public var description: String {
        switch self {
        case .setup(let error): error.sentence
        case .key(let error): "\(error)"
        case .file(let fault): "the setup \(fault)"
        case .settings(let problem): "the setup's \(problem)"
        case .trust(let error): "the setup's \(error)"
        }
    }

    /// What the operator can do.
    public var hint: String {
        switch self {
        case .setup(let error): error.hint
        case .key(let error): error.hint
        case .file(let fault): fault.hint
        case .settings: "mend the settings and make the setup anew"
        case .trust(let error): error.hint
        }
    }

    /// Whether the disk has no room for it.
    public var isFullDisk: Bool {
        switch self {
        case .file(let fault): [.refused(ENOSPC), .refused(EDQUOT)].contains(fault.cause)
        case .key(.file(let fault)): [.refused(ENOSPC), .refused(EDQUOT)].contains(fault.cause)
        case .setup, .key, .settings, .trust: false
        }
    }
}

extension SetupError {
    /// What is wrong, in words for an operator.
    public var sentence: String {
        switch self {
        case .newerVersion: "a later version of this program wrote this setup"
        case .damaged: "this is no whole setup: it is cut off, or not what its operator signed"
        case .otherOperator: "this setup is not signed by this kiosk's operator"
        case .otherKiosk: "this setup is for another kiosk"
        case .expired: "the time of this setup is over"
        case .notNewer: "a setup that was made later, or this one, counts already"
        case .tooLong: "this is too much for a setup"
        case .secretForAll: "a setup with the fleet's key is for one kiosk"
        case .cryptography: "the system's cryptography failed"
        }
    }

    public var hint: String {
        switch self {
        case .newerVersion: "update login-kiosk here first"
        case .damaged: "have it written again"
        case .otherOperator: "ask the operator of this kiosk for one; a kiosk changes hands by login-kiosk reset"
        case .otherKiosk: "see what this kiosk is called: login-kiosk fleet number"
        case .expired, .notNewer: "have a new one made: login-kiosk fleet card"
        case .tooLong:
            "a name has at most \(Setup.maximumNameLength) bytes, a card \(SealedSetup.maximumCodeLength), "
                + "a file \(SealedSetup.maximumLength)"
        case .secretForAll: "name the kiosk: --kiosk KEY"
        case .cryptography: "try again; see whether the machine has memory left"
        }
    }
}
