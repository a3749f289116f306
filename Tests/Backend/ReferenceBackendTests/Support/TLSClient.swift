// SPDX-License-Identifier: Apache-2.0

import BackendTestKit
import NIOCore
import NIOPosix
import NIOSSL

/// A client over TLS that trusts one of the tests' certificates alone, because both have the same name.
struct TLSClient {
    var configuration: TLSConfiguration

    init(trusting key: TestCertificate.Key = .elliptic) throws {
        configuration = TLSConfiguration.makeClientConfiguration()
        configuration.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(TestCertificate.chain(key)))
    }

    func handler() throws -> NIOSSLClientHandler {
        try NIOSSLClientHandler(context: NIOSSLContext(configuration: configuration), serverHostname: "localhost")
    }

    /// Whether `GET /status` is answered.
    func isAnswered(at port: Int) async throws -> Bool {
        let answer = MultiThreadedEventLoopGroup.singleton.next().makePromise(of: Bool.self)
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelInitializer { [self] channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandlers(handler(), FirstBytes(answer))
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
