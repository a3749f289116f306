// SPDX-License-Identifier: Apache-2.0

import CommandLineInterface
import CurlTransport
import HostIntegration
import KioskRuntime
import Logging
import LoginValues
import MPinClient
import PersonalCards
import SQLiteStore
import Signage

/// The SDK with the real implementations of its ports.
struct KioskParts {
    let sdk: MPin
    let transport: RenewableTransport
    let logger: Logger
    /// The number of lost identities, since the operator last took note.
    let lostIdentities: Int
    /// Makes and reads personal cards; nil without a fleet key.
    let cards: FleetCards?

    /// The current policy: a running kiosk may read it again.
    var trust: TrustPolicy { transport.trust }

    /// The entry point for commands of operators and scripts.
    var client: OperatorClient { OperatorClient(sdk: sdk, trust: trust, logger: logger) }

    /// An application's server, checked against the same trust list.
    func application(at address: WebAddress) -> RelyingPartyApplication {
        RelyingPartyApplication(at: address, transport: transport, trust: trust, logger: logger)
    }

    /// Opens the store, starts the transport and loads the identities.
    ///
    /// - Parameters:
    ///   - logger: the usual one if nil.
    ///   - access: `.reading` if nothing will be changed, so that a kiosk may run at the same time.
    init(
        _ options: KioskOptions, _ configuration: KioskConfiguration, logger: Logger? = nil,
        access: SQLiteIdentityStorage.Access = .exclusive
    ) async throws {
        let directories = try options.places.directories(in: configuration)
        let trust = try KioskOptions.trustPolicy(directories, configuration)
        // A kiosk that trusts nothing has no cards. A reset has removed the key, but not the line that names it.
        cards = trust.entries.isEmpty ? nil : try KioskParts.fleetKey(configuration).map { configuration.cards($0) }
        let logger = logger ?? options.logging.logger("kiosk", configuration)
        self.logger = logger
        let storage = try KioskParts.openStore(directories, logger, access)
        lostIdentities = storage.health.missing
        let transport: RenewableTransport
        do {
            transport = RenewableTransport(try CurlHTTPTransport(configuration.transport), trust: trust)
        } catch { throw Complaint.make("\(error)", status: .configuration) }
        let sdk = MPin(
            transport: transport, storage: storage, trust: trust,
            configuration: MPin.Configuration(
                companyID: configuration[\.network.companyID], clientVersion: Version.current,
                customHeaders: [HTTPHeader("Accept-Language", configuration.languages.own.language)],
                deviceTag: access == .exclusive ? KioskParts.deviceTag(directories, logger) : nil),
            logger: logger)
        do { try await sdk.initialize() } catch {
            throw Complaint.make("cannot load the identities: \(error.detail)", status: .ioError)
        }
        self.sdk = sdk
        self.transport = transport
    }

    /// - Returns: nil when the operator has no fleet key.
    static func fleetKey(_ configuration: KioskConfiguration) throws -> FleetKey? {
        try configuration[\.fleetKeyFile].map { try fleetKey(file: $0) }
    }

    static func fleetKey(file path: String) throws -> FleetKey {
        do throws(FleetKeyError) { return try FleetKey(file: path) } catch {
            throw Complaint.make("\(error)", hint: error.hint, status: .configuration)
        }
    }

    static func requireFleetKey(_ configuration: KioskConfiguration) throws -> FleetKey {
        guard let key = try fleetKey(configuration) else {
            throw Complaint.make(
                "there is no fleet key, and personal cards are sealed with it",
                hint: "name a file of \(FleetKey.length) random bytes, the same at every kiosk: fleet.key-file: PATH",
                status: .configuration)
        }
        return key
    }

    static func complaint(_ error: StoreOpeningError) -> any Error {
        let hint: String? =
            switch error.code {
            case .inUse: "a kiosk that runs has it: systemctl stop login-kiosk"
            case .olderDatabase: "docs/storage.md describes what an older database may bring back"
            default: nil
            }
        return Complaint.make(error.description, hint: hint, status: ExitStatus(error.code))
    }

    /// - Returns: nil when it can neither be read nor made: people can register without it.
    private static func deviceTag(_ directories: KioskDirectories, _ logger: Logger) -> String? {
        do throws(DeviceTag.Problem) { return try DeviceTag.readOrMake(directories.deviceTag) } catch {
            logger.warning("registrations have no device tag", metadata: ["cause": "\(error)"])
            return nil
        }
    }

    private static func openStore(
        _ directories: KioskDirectories, _ logger: Logger, _ access: SQLiteIdentityStorage.Access
    ) throws -> SQLiteIdentityStorage {
        let location = StoreLocation(directories)
        let storage: SQLiteIdentityStorage
        do { storage = try SQLiteIdentityStorage(at: location, access) } catch {
            throw KioskParts.complaint(error)
        }
        if let aside = storage.health.movedAside {
            logger.critical(
                "the identities' database was damaged; what could be read was rescued", metadata: ["old": "\(aside)"])
        }
        if storage.health.missing > 0 {
            logger.warning(
                "identities were lost: their people have to register again",
                metadata: ["lost": "\(storage.health.missing)", "hint": "login-kiosk identities accept-lost"])
        }
        return storage
    }
}

extension ExitStatus {
    init(_ code: StoreOpeningError.Code) {
        self =
            switch code {
            case .inUse: .temporaryFailure
            case .notPrivate, .keyBesideDatabase, .keyMissing, .wrongKey, .olderDatabase: .configuration
            case .newerSchema, .damaged: .dataError
            case .unavailable: .ioError
            }
    }
}
