// SPDX-License-Identifier: Apache-2.0

import HummingbirdCore
import HummingbirdHTTP2
import NIOCore
import NIOSSL
package import BackendHTTP

/// TLS by nio-ssl, which brings BoringSSL. It speaks 1.3, and 1.2 with the suites that [RFC 9325] recommends. Clients
/// that know HTTP/2 use it, within the bounds of nio-http2: 100 streams at once on a connection, 16 KiB of header
/// fields, and 200 streams reset in 30 seconds.
///
/// [RFC 9325]: https://www.rfc-editor.org/rfc/rfc9325#section-4.2
package struct NIOTLS: TLSLibrary {
    /// The suites of TLS 1.2 with authenticated encryption and forward secrecy. All suites of 1.3 have both.
    private static let suites: [NIOTLSCipher] = [
        .TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, .TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
        .TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, .TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
        .TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, .TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
    ]

    package init() {}

    package func connections(certificateChain: [UInt8], privateKey: [UInt8]) throws(TLSFault) -> TLSConnections {
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
        configuration.cipherSuiteValues = Self.suites
        do { _ = try NIOSSLContext(configuration: configuration) } catch { throw .differentKey }
        return { [configuration] responder, requests in
            try HTTP2UpgradeChannel(
                tlsConfiguration: configuration,
                configuration: HTTP2ChannelConfiguration(
                    idleTimeout: requests.idleTimeout.map { Duration($0) }, streamConfiguration: requests),
                responder: responder)
        }
    }
}
