// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import NIOCore
import NIOPosix
import NIOSSL
import Testing

@testable import ReferenceBackend

/// The TLS that the public listeners accept, by handshakes with clients of limited abilities.
@Suite struct ServerTLSTests {
    /// A client with one TLS version and, up to 1.2, one suite.
    struct Client: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let version: TLSVersion
        var suite: NIOTLSCipher?

        /// - Parameter key: the server's key. Only its certificate is trusted, because both have the same name.
        func configuration(_ key: TestCertificate.Key) throws -> TLSConfiguration {
            var configuration = TLSConfiguration.makeClientConfiguration()
            let chain = key == .rsa ? TestCertificate.chainOfRSA : TestCertificate.chain
            configuration.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(Array(chain.utf8)))
            (configuration.minimumTLSVersion, configuration.maximumTLSVersion) = (version, version)
            if let suite { configuration.cipherSuiteValues = [suite] }
            return configuration
        }
    }

    static let refused = [
        Client(testDescription: "1.0", version: .tlsv1), Client(testDescription: "1.1", version: .tlsv11),
        Client(testDescription: "RSA key, CBC", version: .tlsv12, suite: .TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA),
        Client(testDescription: "RSA key, CBC 256", version: .tlsv12, suite: .TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA),
        Client(testDescription: "EC key, CBC", version: .tlsv12, suite: .TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA),
        Client(testDescription: "EC key, CBC 256", version: .tlsv12, suite: .TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA),
        Client(testDescription: "no forward secrecy", version: .tlsv12, suite: .TLS_RSA_WITH_AES_128_GCM_SHA256),
        Client(testDescription: "no forward secrecy, CBC", version: .tlsv12, suite: .TLS_RSA_WITH_AES_256_CBC_SHA),
    ]

    static let taken: [TestCertificate.Key: [Client]] = [
        .rsa: [
            Client(testDescription: "1.3", version: .tlsv13),
            Client(testDescription: "AES 128", version: .tlsv12, suite: .TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256),
            Client(testDescription: "AES 256", version: .tlsv12, suite: .TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384),
            Client(
                testDescription: "ChaCha20", version: .tlsv12, suite: .TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256),
        ],
        .elliptic: [
            Client(testDescription: "1.3", version: .tlsv13),
            Client(testDescription: "AES 128", version: .tlsv12, suite: .TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256),
            Client(testDescription: "AES 256", version: .tlsv12, suite: .TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384),
            Client(
                testDescription: "ChaCha20", version: .tlsv12,
                suite: .TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256),
        ],
    ]

    @Test(arguments: [TestCertificate.Key.rsa, .elliptic])
    func theBackendTakesNoOldTLS(_ key: TestCertificate.Key) async throws {
        let files = TemporaryFolder()
        let tls = try TestCertificate.tls(key, in: files)
        try await withBackend(options: tls.options) { backend in
            try await Self.judge(backend.addresses.publicPort, key)
        }
        withExtendedLifetime(files) {}
    }

    @Test(arguments: [TestCertificate.Key.rsa, .elliptic])
    func aDTATakesNoOldTLS(_ key: TestCertificate.Key) async throws {
        try await withAuthority(half: 2, hasTLS: true, key: key) { authority in
            try await Self.judge(authority.client.port, key)
        }
    }

    private static func judge(_ port: Int, _ key: TestCertificate.Key) async throws {
        for client in refused { #expect(try await isAnswered(client, port, key) == false, "\(client.testDescription)") }
        for client in taken[key] ?? [] { #expect(try await isAnswered(client, port, key), "\(client.testDescription)") }
    }

    /// Whether `client` gets an answer over TLS.
    private static func isAnswered(_ client: Client, _ port: Int, _ key: TestCertificate.Key) async throws -> Bool {
        let context = try NIOSSLContext(configuration: client.configuration(key))
        let answer = MultiThreadedEventLoopGroup.singleton.next().makePromise(of: Bool.self)
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandlers(
                        NIOSSLClientHandler(context: context, serverHostname: "localhost"), FirstBytes(answer))
                }
            }
            .connect(host: "127.0.0.1", port: port).get()
        // This waits for the handshake, and fails with it.
        try? await channel.writeAndFlush(ByteBuffer(string: "GET /status HTTP/1.1\r\nHost: localhost\r\n\r\n"))
        let isAnswered = try await answer.futureResult.get()
        try? await channel.close()
        return isAnswered
    }

    /// Reports whether an answer came before the connection ended.
    private final class FirstBytes: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let answer: EventLoopPromise<Bool>

        init(_ answer: EventLoopPromise<Bool>) { self.answer = answer }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            answer.succeed(String(buffer: unwrapInboundIn(data)).hasPrefix("HTTP/1.1 200 "))
        }

        func channelInactive(context: ChannelHandlerContext) { answer.succeed(false) }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }
}
