// SPDX-License-Identifier: Apache-2.0

import CurlTransport
import HostIntegration
import Logging
import LoginValues
import MPinClient
import SQLiteStore

/// The real parts behind the SDK's ports, and the SDK on them.
struct KioskParts {
    let trust: TrustPolicy
    let transport: CurlHTTPTransport
    let sdk: MPin
    let logger: Logger

    /// Opens the store, starts the transport and loads the identities.
    ///
    /// - Parameter held: takes the log while a screen uses the terminal.
    init(_ options: KioskOptions, _ configuration: KioskConfiguration, held: HeldLog? = nil) async throws {
        let directories = try options.places.directories(in: configuration)
        try await self.init(
            directories: directories, trust: try KioskOptions.trustPolicy(directories, configuration),
            companyID: configuration.text("network.company-id"), caFile: configuration.text("network.ca-file"),
            logger: options.logging.logger("kiosk", held: held, configuration))
    }

    init(
        directories: KioskDirectories, trust: TrustPolicy, companyID: String? = nil, caFile: String? = nil,
        logger: Logger
    ) async throws {
        let storage = try KioskParts.openStore(directories, logger)
        let transport: CurlHTTPTransport
        do {
            transport = try CurlHTTPTransport(CurlHTTPTransport.Configuration(authorityFile: caFile))
        } catch { throw Complaint.make("\(error)", status: .configuration) }
        let sdk = MPin(
            transport: transport, storage: storage, trust: trust,
            configuration: MPin.Configuration(companyID: companyID, clientVersion: Version.current), logger: logger)
        do { try await sdk.initialize() } catch {
            throw Complaint.make("cannot load the identities: \(error.detail)", status: .ioError)
        }
        self.trust = trust
        self.transport = transport
        self.sdk = sdk
        self.logger = logger
    }

    private static func openStore(_ directories: KioskDirectories, _ logger: Logger) throws -> SQLiteIdentityStorage {
        let location = StoreLocation(directory: directories.state, keyFile: directories.identityKeyFile)
        let storage: SQLiteIdentityStorage
        do { storage = try SQLiteIdentityStorage(at: location) } catch {
            throw Complaint.make(error.description, status: ExitStatus(error.code))
        }
        if let aside = storage.health.movedAside {
            logger.critical("the identities could not be read; the kiosk begins anew", metadata: ["old": "\(aside)"])
        }
        return storage
    }
}

extension ExitStatus {
    init(_ code: StoreOpeningError.Code) {
        self =
            switch code {
            case .inUse: .temporaryFailure
            case .notPrivate, .keyBesideDatabase, .keyMissing, .wrongKey: .configuration
            case .newerSchema, .damaged: .dataError
            case .unavailable: .ioError
            }
    }
}
