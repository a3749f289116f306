// SPDX-License-Identifier: Apache-2.0

public import HummingbirdCore
import HummingbirdTLS
public import ReferenceBackend

/// TLS by nio-ssl, which brings BoringSSL.
public struct NIOTLS: TLSLibrary {
    public init() {}

    public func server(
        over plain: HTTPServerBuilder, certificateChain: [UInt8], privateKey: [UInt8]
    ) throws(TLSFault) -> HTTPServerBuilder {
        let chain: [NIOSSLCertificate]
        let key: NIOSSLPrivateKey
        do {
            chain = try NIOSSLCertificate.fromPEMBytes(certificateChain)
            key = try NIOSSLPrivateKey(bytes: privateKey, format: .pem)
        } catch {
            throw .unreadable
        }
        guard !chain.isEmpty else { throw .noCertificate }
        do {
            return try .tls(
                plain,
                tlsConfiguration: .makeServerConfiguration(
                    certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key)))
        } catch {
            throw .differentKey
        }
    }
}
