// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import NIOCore

extension ClientAddress {
    init(_ peer: SocketAddress?) { self = peer?.ipAddress.flatMap { ClientAddress($0) } ?? .unknown }

    /// Nil unless `text` is an IP address, as `X-Forwarded-For` has it.
    init?(_ text: some StringProtocol) {
        let text = String(text)
        var bytes = [UInt8](repeating: 0, count: 16)
        // The text is lent for the call, which writes 4 bytes of an IPv4 address and 16 of an IPv6 one.
        if unsafe inet_pton(AF_INET, text, &bytes) == 1 {
            self.init(key: Hexadecimal.text(bytes.prefix(4)))
        } else if unsafe inet_pton(AF_INET6, text, &bytes) == 1 {
            // An IPv4 address on a socket of both kinds.
            let isMapped = bytes.prefix(12) == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]
            self.init(key: Hexadecimal.text(isMapped ? bytes.suffix(4) : bytes.prefix(8)))
        } else {
            return nil
        }
    }

    /// How the private listener is told, by those who know its password.
    static let header = HTTPField.Name("X-Login-Kiosk-Client")

    init(header text: String?) { self.init(key: text.map { String($0.prefix(16)) } ?? "") }
}

/// How a listener learns where a request comes from.
enum ClientAddressSource: Sendable {
    /// The connection says it; one from a trusted proxy says it in `X-Forwarded-For`.
    case peer(trustedProxies: Set<ClientAddress>)
    /// Only this program connects here, and says for whom.
    case own

    private static let forwardedFor = HTTPField.Name("X-Forwarded-For")

    func address(of head: HTTPRequest, from peer: ClientAddress) -> ClientAddress {
        switch self {
        case .own: return ClientAddress(header: ClientAddress.header.flatMap { head.headerFields[$0] })
        case .peer(let trustedProxies):
            guard trustedProxies.contains(peer), let field = Self.forwardedFor,
                // The proxy appends to what its client claims. By bytes: each request behind a proxy comes here.
                let last = head.headerFields[values: field].last?.utf8.split(separator: UInt8(ascii: ",")).last
            else { return peer }
            return ClientAddress(Substring(last.drop { $0 == UInt8(ascii: " ") })) ?? peer
        }
    }

    /// Whether the connections of `peer` are those of many.
    func isProxy(_ peer: ClientAddress) -> Bool {
        switch self {
        case .own: true
        case .peer(let trustedProxies): trustedProxies.contains(peer)
        }
    }
}
