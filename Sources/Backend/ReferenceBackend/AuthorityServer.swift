// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
package import BackendHTTP
package import BackendValues
import Encoding
import Hummingbird
import LinuxSystem
package import Logging
import MPinCrypto
import MPinServer
import NIOCore
import ServiceLifecycle

/// A D-TA in a process of its own. It holds half of the master secret and answers signed requests of the RPS. The
/// second D-TA also answers requests that the RPS signed for devices. See `docs/dtas.md`.
package final class AuthorityServer: Service {
    private let configuration: Configuration
    private let logger: Logger
    private let routes: AuthorityRoutes
    private let connections: ConnectionRules
    private let certificate: ServerCertificate?
    private let port = Eventually<Int>()
    /// The credentials file. The RPS needs a copy to sign its requests.
    package let credentialsFile: String

    /// Opens the state directory. The first start creates half of a master secret and the credentials. No port is
    /// bound yet.
    /// - Parameters:
    ///   - directory: contains `dta1` or `dta2`, with the half of the master secret and the credentials.
    ///   - tls: nil in a build without TLS.
    /// - Throws: `BackendError`.
    package init(
        configuration: Configuration, in directory: String, tls: (any TLSConnections.Type)?, logger: Logger,
        clock: any WallClock = SystemWallClock()
    ) throws(BackendError) {
        let half = configuration.half
        certificate = try configuration.tls.files.map { files throws(BackendError) in
            try ServerCertificate(files, tls, clock: clock, logger: logger)
        }
        connections = ConnectionRules(
            from: ClientAddressSource(),
            // On loopback all clients come from the proxy's address.
            perAddress: configuration.isLocal ? ConnectionBounds.maximum : Self.connectionsPerAddress,
            tls: certificate?.connections)
        let passphrase = try configuration.passphraseFile.map { path throws(BackendError) in
            try StateDirectory.firstLine(of: path)
        }
        let state = try StateDirectory(path: directory)
        try state.requireNoMaster(of: 3 - half, "here is half \(half), and who had both would have everything")
        let folder = try state.folder("dta\(half)")
        credentialsFile = folder + "/credentials"
        routes = AuthorityRoutes(
            authority: TrustedAuthority(
                master: try Self.master(in: folder, passphrase: passphrase),
                credentials: try AppCredentials(path: credentialsFile), clock: clock),
            startTime: clock.now, clock: clock)
        self.configuration = configuration
        self.logger = logger
    }

    private static let connectionsPerAddress = 128

    /// Reads the half, and checks that it is the half of the first start. With another half, from a wrong backup or
    /// generated again, devices would get shares that make every right PIN wrong.
    private static func master(in folder: String, passphrase: SecretBytes?) throws(BackendError) -> MasterSecret {
        let (path, mark) = (folder + "/master", IssuerMark(path: folder + "/issuer"))
        let isOther = BackendError.file(
            path: path,
            reason: "is not the half that this D-TA has had; restore it from its backup; if every user is to register "
                + "again, remove \(mark.path)")
        if try StateDirectory.read(path) == nil, try StateDirectory.read(mark.path) != nil { throw isOther }
        let master = try MasterSecretFile.load(folder: folder, passphrase: passphrase)
        do throws(AuthorityFault) { try mark.require(master.serverSecretShare()) } catch {
            if case .markUnusable(let reason) = error { throw .file(path: mark.path, reason: reason) }
            throw isOther
        }
        return master
    }

    /// The D-TA's address, without a trailing slash. Waits until the port is bound.
    /// - Throws: the error that ended `run()`, `BackendError.notRunning`, or `CancellationError`.
    package var url: String {
        get async throws {
            "\(certificate == nil ? "http" : "https")://\(configuration.listen.urlHost):\(try await port.value)"
        }
    }

    /// Serves until the task is cancelled or a graceful shutdown begins.
    /// - Throws: `BackendError.cannotListen`.
    package func run() async throws {
        do {
            var services = [ServiceGroupConfiguration.ServiceConfiguration(service: listener)]
            if let certificate { services.append(.init(service: certificate)) }
            try await Backend.run(services, listeningOn: configuration.listen, logger: logger)
        } catch {
            port.settle(.failure(error))
            throw error
        }
        port.settle(.failure(BackendError.notRunning))
    }

    /// Reads the files of certificate and key again, if there are any.
    package func readCertificate() { certificate?.look() }

    private var listener: WebServer {
        let router = Router(context: BasicRequestContext.self)
        // Web pages that are clients of the platform ask the second D-TA.
        if configuration.half == 2 { router.add(middleware: CrossOriginMiddleware(roots: ["/"])) }
        router.add(middleware: GuardMiddleware(logger: logger, isHTTPS: certificate != nil))
        routes.addAll(to: router.group(""), logger: logger)
        let port = port
        return WebServer(
            responder: router.buildResponder(), connections: connections, host: configuration.listen.host,
            port: configuration.listen.port, logger: logger,
            whenBound: { port.settle(.success($0)) })
    }
}

extension AuthorityServer {
    /// The operator's settings, which are the options of `login-kiosk-backend dta`.
    package struct Configuration: ParsableArguments, Sendable {
        /// 1: asked by the RPS only. 2: asked by devices as well.
        @Option(help: "The half of the master secret that it holds: 1 or 2.", transform: number(in: 1...2))
        var half: Int
        @Option(help: "HOST:PORT to listen on; port 0 takes a free one. Beyond this machine only with a certificate.")
        var listen = ListenAddress(host: "127.0.0.1", port: 8490)
        @OptionGroup var tls: TLSSettings
        @Option(help: "File whose first line is the passphrase that seals its half.") var passphraseFile: String?

        package init() {}

        package func validate() throws {
            guard isLocal || tls.files != nil else {
                throw ValidationError(
                    "a D-TA that others reach needs a certificate, because shares are secrets; without one it listens "
                        + "on 127.0.0.1, behind a proxy that speaks TLS")
            }
        }

        fileprivate var isLocal: Bool { LoopbackHost.contains(listen.host) }
    }
}
