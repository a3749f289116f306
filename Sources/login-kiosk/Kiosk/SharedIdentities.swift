// SPDX-License-Identifier: Apache-2.0

import CommandLineInterface
import FleetStore
import Foundation
import HostIntegration
import LinuxSystem
import Logging
import LoginValues
import MPinClient
import PersonalCards
import PostgreSQL
import SQLiteStore

/// The identities that the kiosks of a fleet share, as the settings have them.
struct SharedIdentities {
    let target: ServerTarget
    private let fleet: FleetKey
    private let settings: FleetIdentityStorage.Settings
    private let location: StoreLocation

    /// Whether the people of this kiosk are in a database that others share. Not where it was reset, whatever the
    /// settings say: it has no key of a fleet any more, and trusts no service.
    static func areMeant(_ configuration: KioskConfiguration, _ places: KioskDirectories) throws -> Bool {
        guard configuration.text("store.database") != nil else { return false }
        let keyIsThere =
            configuration.text("fleet.key-file").map { FileManager.default.fileExists(atPath: $0) } ?? false
        return try keyIsThere || !KioskOptions.trustPolicy(places, configuration).entries.isEmpty
    }

    /// - Returns: nil where this kiosk keeps its own people.
    init?(_ configuration: KioskConfiguration, _ places: KioskDirectories) throws {
        guard try SharedIdentities.areMeant(configuration, places), let address = configuration.text("store.database")
        else { return nil }
        do throws(DatabaseFault) { target = try ServerTarget(address) } catch {
            throw Complaint.make("store.database: \(error)", hint: error.hint, status: .configuration)
        }
        fleet = try KioskParts.requireFleetKey(configuration)
        settings = FleetIdentityStorage.Settings(
            file: places.sharedIdentities, cachesIdentities: configuration.flag("store.cache"))
        location = StoreLocation(places)
    }

    /// One process keeps what this kiosk has seen, and it is the one that would have the kiosk's own store.
    func lock() throws -> StoreLock {
        do throws(FileFault) { try OwnedFile.makeDirectory(location.directory) } catch {
            throw Complaint.make(error, status: .cannotCreate)
        }
        do throws(StoreOpeningError) { return try StoreLock(at: location) } catch { throw KioskParts.complaint(error) }
    }

    /// - Parameter keepsFile: only with the ``lock()``.
    func open(_ logger: Logger, keepsFile: Bool) -> FleetIdentityStorage {
        var settings = settings
        settings.keepsFile = keepsFile
        return FleetIdentityStorage(at: target, fleet, settings, logger: logger)
    }

    /// Takes the database as it is, although it is older than what this kiosk has seen, or another one.
    func acceptRestored() async throws {
        let lock = try lock()
        await open(Logger(label: "accept") { _ in SwiftLogNoOpLogHandler() }, keepsFile: true).acceptRestored()
        withExtendedLifetime(lock) {}
    }

    /// Whether the database answers, for the doctor.
    func check(_ logger: Logger) async -> CheckResult {
        var settings = settings
        settings.keepsFile = false
        settings.cachesIdentities = false
        let storage = FleetIdentityStorage(at: target, fleet, settings, logger: logger)
        do throws(IdentityStorageError) {
            let count = try await storage.identities().count
            try await storage.prepareToSave()
            return .ok("store", "\(count) identities in \(target)")
        } catch {
            return .failure(
                "store", error.detail,
                remedy: self.settings.cachesIdentities
                    ? "until then people log in with what this kiosk has seen last, and none is enrolled"
                    : "until then no person logs in")
        }
    }
}
