// SPDX-License-Identifier: Apache-2.0

import CommandLineInterface
import FleetStore
import HostIntegration
import LinuxSystem
import Logging
import MPinClient
import PersonalCards
import PostgreSQL
import SQLiteStore

/// The identities that the kiosks of a fleet share, as the settings have them.
struct SharedIdentities {
    let target: ServerTarget
    private let fleet: FleetKey
    private let settings: FleetIdentityStorage.Settings
    private let directory: String

    /// - Returns: nil where each kiosk keeps its own.
    init?(_ configuration: KioskConfiguration, _ places: KioskDirectories) throws {
        guard let address = configuration.text("store.database") else { return nil }
        do throws(DatabaseFault) { target = try ServerTarget(address) } catch {
            throw Complaint.make("store.database: \(error)", hint: error.hint, status: .configuration)
        }
        fleet = try KioskParts.requireFleetKey(configuration)
        settings = FleetIdentityStorage.Settings(
            file: places.sharedIdentities, cachesIdentities: configuration.flag("store.cache"))
        directory = places.state
    }

    /// - Parameter access: only what may change something keeps what it has seen.
    func open(_ access: SQLiteIdentityStorage.Access, _ logger: Logger) throws -> FleetIdentityStorage {
        var settings = settings
        settings.keepsFile = access == .exclusive
        if settings.keepsFile {
            do throws(FileFault) { try OwnedFile.makeDirectory(directory) } catch {
                throw Complaint.make(error, status: .cannotCreate)
            }
        }
        return FleetIdentityStorage(at: target, fleet, settings, logger: logger)
    }

    /// Takes the database as it is, although it is older than what this kiosk has seen.
    func acceptRestored() throws {
        do throws(FileFault) { try OwnedFile.destroy(settings.file) } catch {
            guard error.cause == .missing else { throw Complaint.make(error, status: .ioError) }
        }
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
