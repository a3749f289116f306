// SPDX-License-Identifier: Apache-2.0

import NIOSSL
public import NIOCore
public import ReferenceBackend

/// TLS by nio-ssl, which brings BoringSSL.
public struct NIOTLS: TLSLibrary {
    public init() {}

    public func handlers(
        certificateChain: [UInt8], privateKey: [UInt8]
    ) throws(TLSFault) -> @Sendable () -> any ChannelHandler {
        let chain: [NIOSSLCertificate]
        let key: NIOSSLPrivateKey
        do {
            chain = try NIOSSLCertificate.fromPEMBytes(certificateChain)
            key = try NIOSSLPrivateKey(bytes: privateKey, format: .pem)
        } catch {
            throw .unreadable
        }
        guard !chain.isEmpty else { throw .noCertificate }
        let context: NIOSSLContext
        do {
            context = try NIOSSLContext(
                configuration: .makeServerConfiguration(
                    certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key)))
        } catch {
            throw .differentKey
        }
        return { NIOSSLServerHandler(context: context) }
    }
}
