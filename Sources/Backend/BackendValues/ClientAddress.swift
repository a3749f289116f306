// SPDX-License-Identifier: Apache-2.0

import Encoding
import Foundation

/// The origin of a request as bounds count it: an IPv4 address, or the first 64 bits of an IPv6 address, because one
/// household or attacker has all addresses below them.
package struct ClientAddress: TableKey, Codable {
    /// The sender of the current request.
    @TaskLocal package static var current = ClientAddress.unknown

    /// Shared by all senders whose address is unknown.
    package static let unknown = ClientAddress(key: "")

    /// The address's bytes in hexadecimal digits; other text for clients without an address.
    package let key: String

    package init(key: String) { self.key = key }

    /// The clients that a proxy does not name. Bounds count them as one address, which is at no place.
    package init(unnamedBehind proxy: ClientAddress) { key = "behind " + proxy.key }

    package var bytes: [UInt8] { Array(key.utf8) }
}

extension ClientAddress {
    /// Octets of an IPv4 address, and of the used part of an IPv6 address.
    static let (ipv4Length, ipv6Length) = (4, 8)

    /// The octets of the address; nil for clients without an address.
    var octets: [UInt8]? {
        guard let octets = Hexadecimal.bytes(key), [Self.ipv4Length, Self.ipv6Length].contains(octets.count) else {
            return nil
        }
        return octets
    }

    /// Nil unless `text` is an IP address, as `X-Forwarded-For` has it.
    package init?(_ text: some StringProtocol) {
        let text = String(text)
        var bytes = [UInt8](repeating: 0, count: 16)
        // The text is lent for the call, which writes 4 bytes of an IPv4 address and 16 of an IPv6 one.
        if unsafe inet_pton(AF_INET, text, &bytes) == 1 {
            self.init(key: Hexadecimal.text(bytes.prefix(Self.ipv4Length)))
        } else if unsafe inet_pton(AF_INET6, text, &bytes) == 1 {
            // An IPv4 address on a dual-stack socket.
            let isMapped = bytes.prefix(12) == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]
            self.init(key: Hexadecimal.text(isMapped ? bytes.suffix(Self.ipv4Length) : bytes.prefix(Self.ipv6Length)))
        } else {
            return nil
        }
    }

    /// The address of a node as a proxy writes it: alone, in brackets, with a port, or quoted (RFC 7239, section 6).
    /// - Returns: nil for a proxy's own name such as `unknown` or `_a1`, and for anything else.
    package init?(node text: some StringProtocol) {
        var text = String(text).trimmingCharacters(in: .whitespaces)
        if text.count > 1, text.hasPrefix("\""), text.hasSuffix("\"") { text = String(text.dropFirst().dropLast()) }
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]"), Self.isPort(text[text.index(after: end)...]) else { return nil }
            self.init(text[text.index(after: text.startIndex)..<end])
        } else if let colon = text.firstIndex(of: ":"), colon == text.lastIndex(of: ":") {
            guard Self.isPort(text[colon...]) else { return nil }
            self.init(text[..<colon])
        } else {
            self.init(text)
        }
    }

    /// Whether `text` is empty, or a colon and a port.
    private static func isPort(_ text: Substring) -> Bool {
        text.isEmpty || text.hasPrefix(":") && UInt16(text.dropFirst()) != nil
    }
}
