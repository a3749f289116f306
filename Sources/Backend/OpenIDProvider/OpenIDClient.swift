// SPDX-License-Identifier: Apache-2.0

package import Encoding
import Sealing

/// An application whose users log in at an endpoint of this backend.
package struct OpenIDClient: Sendable {
    package let id: String
    /// The name that people read; nil where they see the host alone.
    let name: String?
    /// The addresses that browsers may be sent to. They are compared exactly, except for the port of a loopback
    /// address.
    package internal(set) var redirectURIs: [String]
    /// The addresses that browsers may be sent to after a logout, compared in the same way.
    let postLogoutURIs: [String]
    /// The SHA-256 digest of the secret, which is random; nil for a public client, which cannot keep one.
    let secretDigest: [UInt8]?
    /// Whether a code needs a proof key although the client has a secret.
    let requiresProofKey: Bool

    package init(
        id: String, name: String? = nil, redirectURIs: [String], postLogoutURIs: [String] = [],
        secretDigest: [UInt8]? = nil, requiresProofKey: Bool = false
    ) {
        self.id = id
        self.name = name
        self.redirectURIs = redirectURIs
        self.postLogoutURIs = postLogoutURIs
        self.secretDigest = secretDigest
        self.requiresProofKey = requiresProofKey
    }

    package init(id: String, redirectURIs: [String], secret: SecretBytes, requiresProofKey: Bool = false) {
        self.init(
            id: id, redirectURIs: redirectURIs,
            secretDigest: secret.withBytes { secret in Digest.sha256(secret.indices.map { secret[$0] }) },
            requiresProofKey: requiresProofKey)
    }

    var isPublic: Bool { secretDigest == nil }

    var mayLeaveOutProofKey: Bool { !isPublic && !requiresProofKey }

    /// Whether browsers may be sent to `uri`. A program on the person's machine may use any free port (RFC 8252,
    /// section 7.3).
    func owns(_ uri: String) -> Bool { Self.lists(redirectURIs, uri) }

    /// Whether browsers may be sent to `uri` after a logout.
    func ownsAfterLogout(_ uri: String) -> Bool { Self.lists(postLogoutURIs, uri) }

    private static func lists(_ addresses: [String], _ uri: String) -> Bool {
        if addresses.contains(uri) { return true }
        guard let portless = withoutLoopbackPort(uri) else { return false }
        return addresses.contains { withoutLoopbackPort($0) == portless }
    }

    /// - Returns: nil for an address that is not a loopback address.
    private static func withoutLoopbackPort(_ uri: String) -> String? {
        for origin in ["http://127.0.0.1", "http://[::1]"] where uri.hasPrefix(origin) {
            var rest = uri.dropFirst(origin.count)
            if rest.first == ":" {
                let port = rest.dropFirst().prefix { $0.isASCII && $0.isNumber }
                guard let number = UInt16(port), number > 0 else { return nil }
                rest = rest.dropFirst(1 + port.count)
            }
            return rest.isEmpty || rest.first == "/" || rest.first == "?" ? origin + rest : nil
        }
        return nil
    }

    /// The host of a web address, and its port if there is one; the scheme of a program's own address, whose further
    /// parts prove nothing; empty for any other text.
    static func host(of uri: String) -> String {
        let scheme = uri.prefix { $0 != ":" }
        if scheme.contains("."), scheme.utf8.count < uri.utf8.count,
            scheme.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == ".") })
        {
            return String(scheme)
        }
        guard let start = uri.firstRange(of: "://")?.upperBound else { return "" }
        let authority = uri[start...].prefix { !"/?#\\".contains($0) }
        return String(authority.split(separator: "@", omittingEmptySubsequences: false).last ?? "")
    }

    /// - Parameter secret: nil from a client that sends none, as public ones do.
    func admits(_ secret: String?) -> Bool {
        guard let secretDigest, let secret else { return isPublic && secret == nil }
        return Digest.equal(Digest.sha256(Array(secret.utf8)), secretDigest)
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
