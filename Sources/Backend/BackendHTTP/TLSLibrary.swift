// SPDX-License-Identifier: Apache-2.0

package import HummingbirdCore

/// A TLS library, such as `BackendTLS`. A backend behind a proxy needs none.
package protocol TLSLibrary: Sendable {
    /// - Parameters:
    ///   - certificateChain: content of a PEM file.
    ///   - privateKey: content of a PEM file; the caller wipes it.
    /// - Returns: a function that makes TLS connections.
    func connections(certificateChain: [UInt8], privateKey: [UInt8]) throws(TLSFault) -> TLSConnections
}

/// Makes a server's TLS connections, with HTTP/1.1 or HTTP/2 as the client chooses. It takes the function that
/// answers requests, and the rules for a connection of HTTP/1.1 or a stream of HTTP/2.
package typealias TLSConnections =
    @Sendable (
        _ responder: @escaping HTTPChannelHandler.Responder, _ requests: HTTP1Channel.Configuration
    ) throws -> any ServerChildChannel

/// A fault of certificate and key.
package enum TLSFault: Error {
    case noCertificate, unreadable
    /// The certificate has a host name only in its subject, which browsers ignore (RFC 9525, section 6.3).
    case noName
    /// The key does not belong to the certificate.
    case differentKey
}
