// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandLineInterface
import Foundation
import Logging
import MPinServer
import MetricsService
import ReferenceBackend
import ServiceLifecycle

struct BackendServeCommand: LastingCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Serve until stopped.",
        discussion: """
            For example: login-kiosk-backend serve --listen 127.0.0.1:8480 --public-url https://login.example.com \
            --trusted-proxy 127.0.0.1 --admit @example.com
            """)

    @OptionGroup var stateOptions: BackendStateOptions
    @OptionGroup var settings: Backend.Configuration
    @Option(help: "Serve /metrics and /healthz at this port of 127.0.0.1.") var metricsPort: UInt16?
    @OptionGroup var logging: LoggingOptions

    func run() async throws {
        let state = try stateOptions.directory()
        let logger = logging.logger("backend")

        try await LoginKioskBackend.complaining {
            let audit = BackendAudit(state: state, logger: logger)
            let backend = try Backend(
                configuration: settings, in: state, database: stateOptions.database, tls: LoginKioskBackend.tls,
                observer: audit, logger: logger)
            let announcement = Announcement(backend: backend, state: state)
            let group = LastingGroup()
            // Services stop in reverse order, so that verdicts are recorded to the end.
            var list = [group.signals(rereading: { backend.readCertificate() })]
            list.append(.init(service: AuditWork(audit: audit)))
            if let metricsPort {
                let server = MetricsServer(at: .port(Int(metricsPort)), audit.answers, logger: logger)
                list.append(.init(service: LastingWork { try await server.run() }))
            }
            list.append(.init(service: backend))
            list.append(.init(service: LastingWork { try await announcement.run() }.andThenWaiting))
            try await group.run(list, logger: logger)
        }
    }
}

/// Writes the audit log until the backend has ended.
private struct AuditWork: Service {
    let audit: BackendAudit

    func run() async throws {
        await withGracefulShutdownHandler {
            await audit.run()
        } onGracefulShutdown: {
            audit.finish()
        }
    }
}

/// Prints the backend's addresses as soon as they are known.
private struct Announcement {
    let backend: Backend
    let state: String

    func run() async throws {
        let addresses = try await backend.addresses
        // The outbox confirms registrations, so its address contains a password. The file, readable by the operator
        // alone, keeps it out of terminals and journals.
        let outboxFile = "\(state)/outbox-address"
        try PrivateFile.write("\(addresses.outboxAddressWithPassword)\n", to: outboxFile)
        print("serving \(addresses.publicURL)")
        print(
            "activation mails: \(backend.showsOutbox ? addresses.publicURL + "/outbox" : "the address in \(outboxFile)")"
        )
        switch backend.registrations {
        case .anybody: print("registrations: anybody with a mail address")
        case .listed: print("registrations: the users of --admit")
        case .nobody: print("registrations: nobody; say who may: --admit @example.com, or --admit anybody")
        }
        let command = "login-kiosk-backend operator-password --state \(state)"
        print("operator's page: \(addresses.publicURL)/operator, password: \(command)")
        fflush(nil)
    }
}
