// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import NIOCore

/// Where a request comes from, as far as bounds are concerned: an IPv4 address, or the first 64 bits of an IPv6
/// address, because one household or one attacker has all addresses below them.
struct ClientAddress: TableKey, Codable {
    /// Of the request that is being answered. It travels with the request, also from the relying party to the RPS.
    @TaskLocal static var current = ClientAddress.unknown

    /// One for all whose address cannot be known.
    static let unknown = ClientAddress(key: "")

    private let key: String

    private init(key: String) { self.key = key }

    init(_ peer: SocketAddress?) { self = peer?.ipAddress.flatMap { ClientAddress($0) } ?? .unknown }

    /// Nil unless `text` is an IP address, as `X-Forwarded-For` has it.
    init?(_ text: some StringProtocol) {
        switch try? SocketAddress(ipAddress: String(text), port: 0) {
        case .v4(let address)?:
            // Its own bytes, copied at once. So below.
            key = Hexadecimal.text(unsafe withUnsafeBytes(of: address.address.sin_addr) { unsafe Array($0) })
        case .v6(let address)?:
            let bytes = unsafe withUnsafeBytes(of: address.address.sin6_addr) { unsafe Array($0) }
            // An IPv4 address on a socket of both kinds.
            let isMapped = bytes.prefix(12) == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]
            key = Hexadecimal.text(isMapped ? Array(bytes.suffix(4)) : Array(bytes.prefix(8)))
        default: return nil
        }
    }

    /// How the private listener is told, by those who know its password.
    static let header = HTTPField.Name("X-Login-Kiosk-Client")

    var headerText: String { key }

    var bytes: [UInt8] { Array(key.utf8) }

    init(header text: String?) { key = text.map { String($0.prefix(16)) } ?? "" }
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
                // The proxy appends to what its client claims.
                let last = head.headerFields[values: field].last?.split(separator: ",").last
            else { return peer }
            return ClientAddress(last.drop { $0 == " " }) ?? peer
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
