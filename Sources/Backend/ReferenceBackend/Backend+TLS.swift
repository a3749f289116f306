// SPDX-License-Identifier: Apache-2.0

import LinuxSystem
public import HummingbirdCore

extension Backend {
    /// The TLS settings of the public listener.
    public struct TLS: Sendable {
        /// PEM file of the certificate and its chain.
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
    /// - Returns: a function that makes TLS connections.
    func connections() throws(BackendError) -> TLSConnections {
        // The files are read here, because the library would not check who can access them.
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

/// A TLS library, such as `BackendTLS`. A backend behind a proxy needs none.
public protocol TLSLibrary: Sendable {
    /// - Parameters:
    ///   - certificateChain: content of a PEM file.
    ///   - privateKey: content of a PEM file; the caller wipes it.
    /// - Returns: a function that makes TLS connections.
    func connections(certificateChain: [UInt8], privateKey: [UInt8]) throws(TLSFault) -> TLSConnections
}

/// Makes a server's TLS connections, with HTTP/1.1 or HTTP/2 as the client chooses. It takes the function that
/// answers requests, and the rules for a connection of HTTP/1.1 or a stream of HTTP/2.
public typealias TLSConnections =
    @Sendable (
        _ responder: @escaping HTTPChannelHandler.Responder, _ requests: HTTP1Channel.Configuration
    ) throws -> any ServerChildChannel

/// A fault of certificate and key.
public enum TLSFault: Error {
    case noCertificate, unreadable
    /// The certificate has a host name only in its subject, which browsers ignore (RFC 9525, section 6.3).
    case noName
    /// The key does not belong to the certificate.
    case differentKey
}
