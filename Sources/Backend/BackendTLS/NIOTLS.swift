// SPDX-License-Identifier: Apache-2.0

package import BackendHTTP
import BackendValues
import HummingbirdCore
import HummingbirdHTTP2
import Logging
import NIOCore
import NIOSSL
import Synchronization

/// TLS by nio-ssl, which brings BoringSSL. It speaks 1.3, and 1.2 with the suites that [RFC 9325] recommends. Clients
/// that know HTTP/2 use it, within the bounds of nio-http2: 100 streams at once on a connection, 16 KiB of header
/// fields, and 200 streams reset in 30 seconds.
///
/// [RFC 9325]: https://www.rfc-editor.org/rfc/rfc9325#section-4.2
package enum NIOTLS {
    package static let connections: any TLSConnections.Type = NIOTLSConnections.self
}

private final class NIOTLSConnections: TLSConnections {
    /// The suites of TLS 1.2 with authenticated encryption and forward secrecy. All suites of 1.3 have both.
    private static let suites: [NIOTLSCipher] = [
        .TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, .TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
        .TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, .TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
        .TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, .TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
    ]

    private let pair: Mutex<Pair>

    init(certificateChain: [UInt8], privateKey: [UInt8]) throws(TLSFault) {
        pair = Mutex(try Self.pair(certificateChain, privateKey))
    }

    private static func pair(_ certificateChain: [UInt8], _ privateKey: [UInt8]) throws(TLSFault) -> Pair {
        let chain: [NIOSSLCertificate]
        let key: NIOSSLPrivateKey
        do {
            chain = try NIOSSLCertificate.fromPEMBytes(certificateChain)
            key = try NIOSSLPrivateKey(bytes: privateKey, format: .pem)
        } catch {
            throw .unreadable
        }
        guard let certificate = chain.first else { throw .noCertificate }
        guard !certificate._subjectAlternativeNames().isEmpty else { throw .noName }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
        configuration.minimumTLSVersion = .tlsv12
        configuration.cipherSuiteValues = suites
        do { _ = try NIOSSLContext(configuration: configuration) } catch { throw .differentKey }
        return Pair(configuration: configuration, end: WallTime(seconds: Int64(certificate.notValidAfter)))
    }

    var current: Pair { pair.withLock { $0 } }
    var end: WallTime { current.end }

    func replace(certificateChain: [UInt8], privateKey: [UInt8]) throws(TLSFault) {
        let new = try Self.pair(certificateChain, privateKey)
        pair.withLock { $0 = Pair(configuration: new.configuration, end: new.end, number: $0.number + 1) }
    }

    func channel(
        _ responder: @escaping HTTPChannelHandler.Responder, _ requests: HTTP1Channel.Configuration
    ) throws -> any ServerChildChannel {
        try RenewedChannel(self, responder, requests)
    }
}

/// Certificate and key as nio-ssl takes them.
private struct Pair {
    let configuration: TLSConfiguration
    let end: WallTime
    /// Counts the pairs of a listener.
    var number = 0
}

/// Hummingbird's channels, each with the pair that is current when its connection begins.
private final class RenewedChannel: ServerChildChannel {
    typealias Value = HTTP2UpgradeChannel.Value

    private let connections: NIOTLSConnections
    private let make: @Sendable (Pair) throws -> HTTP2UpgradeChannel
    private let latest: Mutex<(number: Int, channel: HTTP2UpgradeChannel)>

    init(
        _ connections: NIOTLSConnections, _ responder: @escaping HTTPChannelHandler.Responder,
        _ requests: HTTP1Channel.Configuration
    ) throws {
        self.connections = connections
        var streams = requests
        streams.additionalChannelHandlers = { [LastFrameInstaller()] + requests.additionalChannelHandlers() }
        make = { [streams] pair in
            try HTTP2UpgradeChannel(
                tlsConfiguration: pair.configuration,
                configuration: HTTP2ChannelConfiguration(
                    idleTimeout: requests.idleTimeout.map { Duration($0) }, streamConfiguration: streams),
                responder: responder)
        }
        let pair = connections.current
        latest = Mutex((pair.number, try make(pair)))
    }

    /// A context of TLS costs time, so there is one for each pair.
    private func current() throws -> HTTP2UpgradeChannel {
        let pair = connections.current
        return try latest.withLock { latest in
            if latest.number != pair.number { latest = (pair.number, try make(pair)) }
            return latest.channel
        }
    }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        do { return try current().setup(channel: channel, logger: logger) } catch {
            return channel.eventLoop.makeFailedFuture(error)
        }
    }

    func handle(value: Value, logger: Logger) async {
        await latest.withLock { $0.channel }.handle(value: value, logger: logger)
    }
}
