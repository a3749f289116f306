// SPDX-License-Identifier: Apache-2.0

package import BackendValues
package import HummingbirdCore

/// Makes a server's TLS connections, with HTTP/1.1 or HTTP/2 as the client chooses. `BackendTLS` has the
/// implementation; the demonstration is built without it.
package protocol TLSConnections: AnyObject, Sendable {
    /// - Parameters:
    ///   - certificateChain: content of a PEM file.
    ///   - privateKey: content of a PEM file; the caller wipes it.
    init(certificateChain: [UInt8], privateKey: [UInt8]) throws(TLSFault)

    /// The end of the certificate.
    var end: WallTime { get }

    /// Replaces certificate and key for connections that begin from now on. After a fault nothing has changed.
    func replace(certificateChain: [UInt8], privateKey: [UInt8]) throws(TLSFault)

    /// - Parameters:
    ///   - responder: answers requests.
    ///   - requests: the rules for a connection of HTTP/1.1 or a stream of HTTP/2.
    func channel(
        _ responder: @escaping HTTPChannelHandler.Responder, _ requests: HTTP1Channel.Configuration
    ) throws -> any ServerChildChannel
}

/// A fault of certificate and key.
package enum TLSFault: Error {
    case noCertificate, unreadable
    /// The certificate has a host name only in its subject, which browsers ignore (RFC 9525, section 6.3).
    case noName
    /// The key does not belong to the certificate.
    case differentKey
}
