// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Logging
import NIOCore
import Synchronization

extension ClientAddress {
    init(_ peer: SocketAddress?) { self = peer?.ipAddress.flatMap { ClientAddress($0) } ?? .unknown }
}

/// Finds a client's address: the connection's, or behind a trusted proxy that in `X-Forwarded-For` or `Forwarded`.
package struct ClientAddressSource: Sendable {
    var trustedProxies: Set<ClientAddress>

    package init(trustedProxies: Set<ClientAddress> = []) { self.trustedProxies = trustedProxies }

    private static let forwardedFor = HTTPField.Name("X-Forwarded-For")
    private static let forwarded = HTTPField.Name("Forwarded")

    /// - Parameter complain: called with a trusted proxy's text that is no address. Then all its clients share the
    ///   proxy's bounds.
    func address(
        of head: HTTPRequest, from peer: ClientAddress, complain: (String) -> Void = { _ in }
    ) -> ClientAddress {
        guard trustedProxies.contains(peer) else { return peer }
        let named = [Self.lastForwardedFor(head), Self.lastForwarded(head)].compactMap { $0 }
        let addresses = Set(named.map { ClientAddress(node: $0) })
        // A proxy writes one of the two fields and forwards the client's own text in the other. If they differ,
        // neither is trusted.
        guard addresses.count == 1, let address = addresses.first ?? nil else {
            if !named.isEmpty { complain(named.joined(separator: "; ")) }
            return peer
        }
        return address
    }

    // A proxy appends to the client's text, so only the last entry is the proxy's own.

    private static func lastForwardedFor(_ head: HTTPRequest) -> Substring? {
        guard let field = forwardedFor, let last = head.headerFields[values: field].last else { return nil }
        return last.split(separator: ",").last
    }

    /// The `for` parameter of the last element (RFC 7239, section 4).
    private static func lastForwarded(_ head: HTTPRequest) -> Substring? {
        guard let field = forwarded, let last = head.headerFields[values: field].last?.split(separator: ",").last else {
            return nil
        }
        for pair in last.split(separator: ";") {
            let halves = pair.split(separator: "=", maxSplits: 1)
            if halves.count == 2, halves[0].trimmingCharacters(in: .whitespaces).lowercased() == "for" {
                return halves[1]
            }
        }
        return nil
    }

    /// Whether the connections of `peer` belong to many clients.
    func isProxy(_ peer: ClientAddress) -> Bool { trustedProxies.contains(peer) }
}

/// Logs only the first time that a trusted proxy does not name a client.
final class FirstComplaint: Sendable {
    private let isMade = Atomic(false)

    func make(about named: String, _ logger: Logger) {
        guard !isMade.exchange(true, ordering: .relaxed) else { return }
        logger.error(
            "a trusted proxy names no address of its client, so that all its clients share one bound",
            metadata: [
                "named": "\(named.prefix(80).filter { $0.isASCII && !$0.isNewline })",
                "hint": "have it set X-Forwarded-For, or Forwarded, to the client's IP address, and remove the other",
            ])
    }
}
