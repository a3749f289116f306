// SPDX-License-Identifier: Apache-2.0

import CommandLineInterface
import Foundation
import HostIntegration
import LinuxSystem
import SQLiteStore

/// Deletes everything and returns the kiosk to its first state.
///
/// It may be cut off anywhere. First it notes the request in the name of an empty file, for which a full disk has room.
/// Then it destroys the keys, and with them everything that they seal, then the rest. The note is deleted last, and a
/// start that finds it finishes the reset.
struct FactoryReset {
    struct Extent: Hashable, CaseIterable {
        /// Whether to keep the operator's settings: trust list, profile, fleet key.
        var keepsSettings = false
        /// Whether to delete the audit log.
        var deletesAuditLog = false

        static let allCases = [false, true].flatMap { settings in
            [false, true].map { Extent(keepsSettings: settings, deletesAuditLog: $0) }
        }

        fileprivate var name: String {
            "reset-begun" + (keepsSettings ? "-keeping-settings" : "") + (deletesAuditLog ? "-with-audit-log" : "")
        }
    }

    /// The reason why the reset cannot continue.
    enum Failure: Error, CustomStringConvertible {
        case note(FileFault)
        case store(StoreOpeningError)

        var description: String {
            switch self {
            case .note(let fault): "\(fault)"
            case .store(let error): error.description
            }
        }
    }

    /// - Throws: a complaint in place of a failure.
    static func complaining<Result>(_ work: () throws(Failure) -> Result) throws -> Result {
        do throws(Failure) { return try work() } catch {
            switch error {
            case .note(let fault): throw Complaint.make(fault, status: .ioError)
            case .store(let error): throw KioskParts.complaint(error)
            }
        }
    }

    /// The outcome of a reset: the removed things, and those that could not be removed.
    struct Outcome {
        var identityKeyRemains = false
        /// Paths with reasons.
        var remaining: [String] = []
        var isWhole: Bool { !identityKeyRemains && remaining.isEmpty }
    }

    let places: KioskDirectories
    private let profiles: ProfileDirectory?
    /// The keys for the profile's secrets, and the operator's keys. They are destroyed with the others.
    private let secrets: [String]
    /// The files that hold the operator's settings.
    private let settings: [String]

    init(_ configuration: KioskConfiguration, _ places: KioskDirectories) {
        self.places = places
        profiles = configuration.profileDirectory
        secrets = (profiles?.secrets ?? []) + [configuration[\.fleetKeyFile]].compactMap(\.self)
        // A profile's trust list comes before the one that was written by hand.
        settings =
            [profiles?.folder, places.trustFile].compactMap(\.self)
            + [SettingsFile.trustList, .operatorKey, .restore].map { $0.path(in: places.configuration) }
    }

    /// Locks profile and trust list against other commands, so that their reports stay true. A reset continues without
    /// a lock that cannot be made, and needs no room on the disk.
    private func lock() throws(Failure) -> [FileLock] {
        do throws(FileFault) {
            let profile = try profiles.flatMap { place throws(FileFault) in try FileLock.ifPossible(place.folder) }
            return [profile, try FileLock.ifPossible(places.trustFile)].compactMap(\.self)
        } catch { throw .note(error) }
    }

    private var location: StoreLocation { StoreLocation(places) }
    private func note(_ extent: Extent) -> String { "\(places.state)/\(extent.name)" }

    /// The extent of an unfinished reset.
    var begun: Extent? { Extent.allCases.first { FileManager.default.fileExists(atPath: note($0)) } }

    /// Makes everything unreadable. A running kiosk continues with its memory.
    func begin(_ extent: Extent) throws(Failure) {
        let locks = try lock()
        defer { for lock in locks { lock.release() } }
        do throws(FileFault) {
            try OwnedFile.makeDirectory(places.state)
            try OwnedFile.replace(note(extent), with: [], mode: 0o600)
        } catch { throw .note(error) }
        try destroyKeys(extent)
    }

    /// Failures to destroy a key are reported when all else is done.
    private func destroyKeys(_ extent: Extent) throws(Failure) {
        do throws(StoreOpeningError) { _ = try SQLiteIdentityStorage.destroyKeys(at: location) } catch {
            throw .store(error)
        }
        guard !extent.keepsSettings else { return }
        for secret in secrets { _ = try? OwnedFile.destroy(secret) }
    }

    /// Removes the rest. Call it while no kiosk runs.
    func end(_ extent: Extent) throws(Failure) -> Outcome {
        let locks = try lock()
        defer { for lock in locks { lock.release() } }
        var outcome = Outcome()
        try destroyKeys(extent)
        do throws(StoreOpeningError) {
            outcome.identityKeyRemains = try SQLiteIdentityStorage.erase(at: location) == .keyRemains
        } catch { throw .store(error) }
        var files = [places.deviceTag] + (extent.keepsSettings ? [] : secrets + settings)
        if extent.deletesAuditLog { files += [places.auditDirectory, places.formerDoorLog] }
        for path in files {
            do { try FileManager.default.removeItem(atPath: path) } catch CocoaError.fileNoSuchFile {} catch {
                outcome.remaining.append("\(path): \(error.localizedDescription)")
            }
        }
        for extent in Extent.allCases { try? FileManager.default.removeItem(atPath: note(extent)) }
        return outcome
    }
}
