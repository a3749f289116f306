// SPDX-License-Identifier: Apache-2.0

package import Encoding

/// A parameter of a refused request, as it came.
package struct SentField: Sendable {
    package enum Content: Sendable, Equatable {
        case missing
        case repeated
        /// A value that is shown to nobody.
        case invalid
        /// Visible ASCII characters, bounded. A stranger may have chosen them.
        case value(String)
    }

    package let name: String
    package let content: Content

    /// Characters of a value that are shown.
    static let longest = 200

    init(_ name: String, in fields: FormFields, _ repeated: Set<String>) {
        self.name = name
        content =
            repeated.contains(name) ? .repeated : fields[name].map { .value(Self.visible($0)) } ?? .missing
    }

    init(invalid name: String) { (self.name, content) = (name, .invalid) }

    /// The text, cut, with every other character than a visible ASCII one percent-encoded, so that it is no sentence.
    package static func visible(_ text: String) -> String {
        var shown = ""
        for byte in text.utf8 {
            guard shown.utf8.count < longest else { return shown + "..." }
            if (0x21...0x7e).contains(byte) {
                shown.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                shown += "%" + Hexadecimal.capitalText([byte])
            }
        }
        return shown
    }

    /// The field for a log or a page: `name=value`.
    package var text: String {
        switch content {
        case .missing: name + " is missing"
        case .repeated: name + " occurs twice"
        case .invalid: name + " is not valid"
        case .value(let value): name + "=" + value
        }
    }
}

extension OpenIDClient {
    package var operatorsName: String { name ?? id }

    /// The registered addresses that a stranger may see beside the sent one. These are the addresses of the same host,
    /// which the stranger knows. If the sent address is a loopback one, the registered loopback addresses are shown
    /// too, because they name nobody's host.
    package func addressesToShow(beside sent: SentField) -> [String] {
        guard case .value(let uri) = sent.content else { return [] }
        let host = Self.hostName(of: uri)
        guard !host.isEmpty else { return [] }
        return redirectURIs.filter { address in
            let own = Self.hostName(of: address)
            return own == host || Self.loopback.contains(own) && Self.loopback.contains(host)
        }
    }

    private static let loopback: Set<String> = ["127.0.0.1", "[::1]", "localhost"]

    /// The host without its port, in small letters.
    private static func hostName(of uri: String) -> String {
        let host = host(of: uri).lowercased()
        guard let colon = host.lastIndex(of: ":"), !host[colon...].contains("]") else { return host }
        return String(host[..<colon])
    }
}

extension OpenIDProvider {
    /// The id of the client that a request to the token endpoint names, proven or not.
    package func namedClient(_ fields: FormFields, authorization: String?) -> String? {
        authorization.flatMap { Self.basicCredentials($0)?.id } ?? fields["client_id"]
    }

    /// The name for the operator of a client that exists: its own, or its id.
    package func operatorsName(of id: String?) async throws -> String? {
        try await client(id)?.operatorsName
    }
}
