// SPDX-License-Identifier: Apache-2.0

public import HummingbirdCore
import LinuxSystem

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
    func server(over plain: HTTPServerBuilder) throws(BackendError) -> HTTPServerBuilder {
        // Read here and not by the library, which would not judge the files.
        let certificates = try StateDirectory.content(of: certificateChainFile, .unaltered)
        var privateKey = try StateDirectory.content(of: privateKeyFile, .secret)
        defer { wipe(&privateKey) }
        do throws(TLSFault) {
            return try library.server(over: plain, certificateChain: certificates, privateKey: privateKey)
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
    ///   - plain: what is served.
    ///   - certificateChain: content of a PEM file.
    ///   - privateKey: content of a PEM file; the caller wipes it.
    func server(
        over plain: HTTPServerBuilder, certificateChain: [UInt8], privateKey: [UInt8]
    ) throws(TLSFault) -> HTTPServerBuilder
}

/// What is wrong with certificate and key.
public enum TLSFault: Error {
    case noCertificate, unreadable
    /// The key is not that of the certificate.
    case differentKey
}
