// SPDX-License-Identifier: Apache-2.0

/// Hosts on the trust list: `[*.]host[:port]`.
public struct TrustEntry: Hashable, Sendable {
    /// The host's name or address in lower case, without `*.`.
    public let host: String
    /// Whether the line began with `*.`.
    public let coversSubdomains: Bool
    /// The TCP port; 443 where the text has none.
    public let port: UInt16

    /// - Parameter text: for example `login.example.com`, `*.example.com:8443`; case does not matter.
    /// - Throws: the fault in the line.
    public init(_ text: some StringProtocol) throws(TrustEntryError) {
        var rest = text.lowercased()
        coversSubdomains = rest.hasPrefix("*.")
        if coversSubdomains { rest.removeFirst(2) }
        guard !rest.contains("/"), !rest.contains("*") else { throw .notAHost }
        let address: WebAddress
        do { address = try WebAddress("https://\(rest)") } catch {
            throw error == .invalidPort ? .invalidPort : .notAHost
        }
        guard address.path.isEmpty, address.query == nil else { throw .notAHost }
        // A wildcard before an IP address or a single label, such as `*.com`, would trust more than any operator
        // means.
        guard !coversSubdomains || (Host.isDomainName(address.origin.host[...]) && address.origin.host.contains("."))
        else {
            throw .wildcardTooWide
        }
        host = address.origin.host
        port = address.origin.port
    }

    /// Whether the host names this machine by its spelling.
    public var isLoopback: Bool { !coversSubdomains && Host.isLoopback(host) }

    /// Whether host and port match. The policy checks the scheme.
    public func covers(_ origin: Origin) -> Bool {
        guard origin.port == port else { return false }
        return coversSubdomains ? origin.host.hasSuffix(".\(host)") : origin.host == host
    }
}

extension TrustEntry: CustomStringConvertible {
    public var description: String { (coversSubdomains ? "*." : "") + Origin.hostAndPort(host, port) }
}

/// The reason why a text is not a line of the trust list.
public enum TrustEntryError: Error, Hashable, Sendable {
    /// The text is not a host's name or address.
    case notAHost
    /// The port is not a number from 1 to 65535.
    case invalidPort
    /// `*.` stands before an address or a single label.
    case wildcardTooWide
    /// A delegation names no host, or there are several.
    case delegationWithoutHost
    /// A key has no host before it.
    case pinWithoutHost
    /// A word that is meant as a pin is not valid.
    case pin(PublicKeyPinError)
    /// More than ``PublicKeyPin/maximumCount`` keys for one host.
    case tooManyPins
}

extension TrustEntryError: CustomStringConvertible {
    /// Advice for the operator, where there is more to say than the expected form.
    public var hint: String? {
        switch self {
        case .pin, .pinWithoutHost: "login-kiosk trust pin HOST shows the pin of the key that a server has now"
        case .tooManyPins: "login-kiosk trust remove takes out those that are no longer in use"
        case .notAHost, .invalidPort, .wildcardTooWide, .delegationWithoutHost: nil
        }
    }

    public var description: String {
        switch self {
        case .notAHost: "expected [*.]host[:port], for example login.example.com or *.example.com:8443"
        case .invalidPort: "the port must be a number from 1 to 65535"
        case .delegationWithoutHost:
            "expected one delegation with hosts behind it, for example shop.example.com -> login.example.com"
        case .pinWithoutHost: "a pin stands behind its host, for example login.example.com pin-sha256:..."
        case .pin(let error): "\(error)"
        case .tooManyPins: "a host has at most \(PublicKeyPin.maximumCount) pins"
        case .wildcardTooWide: "a wildcard needs a domain of two labels or more behind it, for example *.example.com"
        }
    }
}
