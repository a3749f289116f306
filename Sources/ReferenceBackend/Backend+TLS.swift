// SPDX-License-Identifier: Apache-2.0

import LinuxSystem
public import NIOCore

extension Backend {
    /// How the public listener speaks TLS.
    public struct TLS: Sendable {
        /// PEM file of the certificate, followed by those that vouch for it.
        public var certificateChainFile: String
        /// PEM file of the certificate's key.
        public var privateKeyFile: String
        let library: any TLSLibrary

        public init(certificateChainFile: String, privateKeyFile: String, library: any TLSLibrary) {
            self.certificateChainFile = certificateChainFile
            self.privateKeyFile = privateKeyFile
            self.library = library
        }
    }
}

extension Backend.TLS {
    /// - Returns: what makes, for each connection, the handler that speaks TLS.
    func handlers() throws(BackendError) -> @Sendable () -> any ChannelHandler {
        // Read here and not by the library, which would not judge the files.
        let certificates = try StateDirectory.content(of: certificateChainFile, .unaltered)
        var privateKey = try StateDirectory.content(of: privateKeyFile, .secret)
        defer { wipe(&privateKey) }
        do throws(TLSFault) {
            return try library.handlers(certificateChain: certificates, privateKey: privateKey)
        } catch {
            switch error {
            case .noCertificate: throw .file(path: certificateChainFile, reason: "holds no certificate in PEM form")
            case .unreadable:
                throw .file(
                    path: certificateChainFile + ", " + privateKeyFile,
                    reason: "not a certificate chain and a private key in PEM form")
            case .differentKey: throw .invalidConfiguration("certificate and private key do not belong together")
            }
        }
    }
}

/// What speaks TLS. `BackendTLS` has one; a backend behind a proxy is built and served without.
public protocol TLSLibrary: Sendable {
    /// - Parameters:
    ///   - certificateChain: content of a PEM file.
    ///   - privateKey: content of a PEM file; the caller wipes it.
    /// - Returns: what makes, for each connection, the handler that speaks TLS.
    func handlers(
        certificateChain: [UInt8], privateKey: [UInt8]
    ) throws(TLSFault) -> @Sendable () -> any ChannelHandler
}

/// What is wrong with certificate and key.
public enum TLSFault: Error {
    case noCertificate, unreadable
    /// The key is not that of the certificate.
    case differentKey
}
