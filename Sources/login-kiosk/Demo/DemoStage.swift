// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import HostIntegration
import Logging
import LoginValues
import MPinClient
import ReferenceBackend
import ServiceLifecycle

/// A backend and a kiosk that trusts it alone, both with files in one directory.
struct DemoStage {
    let backend: Backend
    private let directory: String
    private let logger: Logger

    init(directory: String, logger: Logger) throws {
        self.directory = directory
        self.logger = logger
        do {
            backend = try Backend(
                configuration: Backend.Configuration(stateDirectory: "\(directory)/backend"), logger: logger)
        } catch {
            throw Complaint.make("\(error)", status: .ioError)
        }
    }

    /// Where the kiosk of a demonstration keeps its identities.
    static func kioskState(in directory: String) -> String { "\(directory)/kiosk" }

    func kioskParts(trusting addresses: Backend.Addresses) async throws -> KioskParts {
        let origin = try WebAddress(addresses.publicURL).origin
        let entry = try TrustEntry("\(origin.host):\(origin.port)")
        return try await KioskParts(
            directories: KioskDirectories(
                state: DemoStage.kioskState(in: directory), configuration: "\(directory)/kiosk-config"),
            trust: TrustPolicy(entries: [entry], allowsLoopbackHTTP: true), logger: logger)
    }

    /// Runs `body` while the backend serves, until it is over or the process is told to stop. The backend stops last.
    ///
    /// - Throws: what `body` throws, or what ended the backend.
    func perform(_ body: @escaping @Sendable (Backend.Addresses) async throws -> Void) async throws {
        let backend = backend
        let story = LastingWork(stopsByItself: true) { try await body(try await backend.addresses) }
        try await ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [
                    .stopSignals, .init(service: backend),
                    .init(
                        service: story, successTerminationBehavior: .gracefullyShutdownGroup,
                        failureTerminationBehavior: .gracefullyShutdownGroup),
                ], logger: logger)
        ).run()
    }
}
