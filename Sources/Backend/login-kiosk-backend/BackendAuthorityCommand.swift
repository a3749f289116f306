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
            the first. See docs/dtas.md.
            For example: login-kiosk-backend dta --half 1 --listen 127.0.0.1:8490
            """)

    @OptionGroup var place: BackendStateDirectory
    @Option(help: "The half of the master secret that it holds: 1 or 2.") var half: Int
    @Option(help: "HOST:PORT to listen on; port 0 takes a free one. Beyond this machine only with a certificate.")
    var listen = ListenAddress(host: "127.0.0.1", port: 8490)
    @OptionGroup var tls: TLSOptions
    @Option(help: "File whose first line is the passphrase that seals its half.") var passphraseFile: String?
    @OptionGroup var logging: LoggingOptions

    func validate() throws {
        guard half == 1 || half == 2 else { throw ValidationError("--half is 1 or 2") }
    }

    func run() async throws {
        let configuration = AuthorityServer.Configuration(
            half: half, stateDirectory: try place.directory(), listenHost: listen.host, listenPort: listen.port,
            tls: try tls.configuration(), passphraseFile: passphraseFile)
        let logger = logging.logger("dta")
        try await LoginKioskBackend.complaining {
            let server = try AuthorityServer(configuration: configuration, logger: logger)
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
