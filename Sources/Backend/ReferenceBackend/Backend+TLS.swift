// SPDX-License-Identifier: Apache-2.0

import LinuxSystem
public import HummingbirdCore

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
    /// - Returns: Makes connections that speak TLS.
    func connections() throws(BackendError) -> TLSConnections {
        // Read here and not by the library, which would not judge the files.
        let certificates = try StateDirectory.content(of: certificateChainFile, .unaltered)
        var privateKey = try StateDirectory.content(of: privateKeyFile, .secret)
        defer { wipe(&privateKey) }
        do throws(TLSFault) {
            return try library.connections(certificateChain: certificates, privateKey: privateKey)
        } catch {
            switch error {
            case .noCertificate: throw .file(path: certificateChainFile, reason: "holds no certificate in PEM form")
            case .noName:
                throw .file(
                    path: certificateChainFile,
                    reason: "its certificate has no subjectAltName, so that browsers refuse it; make another one: "
                        + "openssl req ... -addext subjectAltName=DNS:login.example.com")
            case .unreadable:
                throw .file(
                    path: certificateChainFile + ", " + privateKeyFile,
                    reason: "not a certificate chain and a private key in PEM form")
            case .differentKey: throw .invalidConfiguration("certificate and private key do not belong together")
            }
        }
    }
}

/// A library that speaks TLS. `BackendTLS` has one. A backend behind a proxy is built and served without.
public protocol TLSLibrary: Sendable {
    /// - Parameters:
    ///   - certificateChain: content of a PEM file.
    ///   - privateKey: content of a PEM file; the caller wipes it.
    /// - Returns: Makes connections that speak TLS.
    func connections(certificateChain: [UInt8], privateKey: [UInt8]) throws(TLSFault) -> TLSConnections
}

/// Makes, for a server, connections that speak TLS, and HTTP/1.1 or HTTP/2 as their clients choose: given the function that
/// answers requests, and the rules for a connection of HTTP/1.1 or a stream of HTTP/2.
public typealias TLSConnections =
    @Sendable (
        _ responder: @escaping HTTPChannelHandler.Responder, _ requests: HTTP1Channel.Configuration
    ) throws -> any ServerChildChannel

/// A fault of certificate and key.
public enum TLSFault: Error {
    case noCertificate, unreadable
    /// The certificate names no host but in its subject, which browsers do not read (RFC 9525, section 6.3).
    case noName
    /// The key is not that of the certificate.
    case differentKey
}
