// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandLineInterface
import Foundation
import Logging
import ReferenceBackend
import ServiceLifecycle

struct BackendAuthorityCommand: LastingCommand {
    static let configuration = CommandConfiguration(
        commandName: "dta",
        abstract: "Serve one D-TA, which holds half of the master secret.",
        discussion: """
            Run it on its own machine with its own state directory. Give the backend its address with --dta1 or --dta2 \
            and a copy of its file "credentials". Devices must reach the second D-TA; only the backend needs to reach \
            the first. See \(InstalledPages.located(in: "docs/dtas.md")).
            For example: login-kiosk-backend dta --half 1 --listen 127.0.0.1:8490
            """)

    @OptionGroup var place: BackendStateDirectory
    @OptionGroup var settings: AuthorityServer.Configuration
    @OptionGroup var logging: LoggingOptions

    func run() async throws {
        let state = try place.directory()
        let logger = logging.logger("dta")
        try await LoginKioskBackend.complaining {
            let server = try AuthorityServer(
                configuration: settings, in: state, tls: LoginKioskBackend.tls, logger: logger)
            let group = LastingGroup()
            try await group.run(
                [
                    group.signals(rereading: { server.readCertificate() }), .init(service: server),
                    .init(service: LastingWork { try await Self.announce(server) }.andThenWaiting),
                ], logger: logger)
        }
    }

    /// Prints the D-TA's address as soon as it is known.
    private static func announce(_ server: AuthorityServer) async throws {
        print("serving \(try await server.url)")
        print("for the backend, a copy of: \(server.credentialsFile)")
        fflush(nil)
    }
}
