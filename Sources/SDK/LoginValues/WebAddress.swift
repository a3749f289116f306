// SPDX-License-Identifier: Apache-2.0

/// An absolute http or https address without user information and without fragment.
///
/// Parsed by one strict grammar, `scheme "://" host [":" port] [path] ["?" query]`, over printable ASCII, so that what
/// the trust policy checked is what the HTTP client connects to.
public struct WebAddress: Hashable, Sendable {
    /// The longest address, in bytes.
    public static let maximumLength = 2048

    /// Scheme, host and port, which a trust policy checks.
    public let origin: Origin
    /// Empty, or begins with `/`.
    public let path: String
    /// The query without the question mark, if there is one. It may carry a secret, so `description` leaves it out.
    public let query: String?

    /// - Throws: the fault in `text`, without quoting it.
    public init(_ text: some StringProtocol) throws(WebAddressError) {
        let text = Substring(text)
        guard text.utf8.count <= WebAddress.maximumLength else { throw .tooLong }
        guard text.utf8.allSatisfy(WebAddress.allows) else { throw .forbiddenCharacter }
        guard let schemeEnd = text.firstIndex(of: ":"), text[schemeEnd...].hasPrefix("://") else {
            throw .notAbsolute
        }
        guard let scheme = Origin.Scheme(rawValue: text[..<schemeEnd].lowercased()) else { throw .unsupportedScheme }
        let rest = text[text.index(schemeEnd, offsetBy: 3)...]
        let authorityEnd = rest.firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? rest.endIndex
        origin = try WebAddress.origin(scheme: scheme, authority: rest[..<authorityEnd])
        (path, query) = try WebAddress.target(rest[authorityEnd...])
    }

    /// - Parameter bytes: of a QR code.
    init(bytes: Span<UInt8>) throws(WebAddressError) {
        var text = ""
        // One scalar a byte keeps those beyond ASCII visible to the grammar, which refuses them.
        for index in bytes.indices { text.unicodeScalars.append(Unicode.Scalar(bytes[index])) }
        try self.init(text)
    }

    init(origin: Origin, path: String, query: String?) {
        self.origin = origin
        self.path = path
        self.query = query
    }

    /// The address with `suffix` appended to its path, after the path's trailing slashes are dropped.
    ///
    /// - Parameter suffix: begins with `/`; may contain a query.
    public func appending(_ suffix: some StringProtocol) throws(WebAddressError) -> WebAddress {
        let path = pathWithoutTrailingSlashes
        // Any other first character could extend the host.
        guard suffix.hasPrefix("/") else { return try WebAddress("\(origin)\(path)\(suffix)") }
        // The origin is not parsed again: that would be most of the work for each request of a login.
        guard "\(origin)\(path)".utf8.count + suffix.utf8.count <= WebAddress.maximumLength else { throw .tooLong }
        guard suffix.utf8.allSatisfy(WebAddress.allows) else { throw .forbiddenCharacter }
        let target = try WebAddress.target("\(path)\(suffix)")
        return WebAddress(origin: origin, path: target.path, query: target.query)
    }

    /// The same address without trailing slashes in its path and without query.
    public var base: WebAddress { WebAddress(origin: origin, path: String(pathWithoutTrailingSlashes), query: nil) }

    /// The whole address with the secrets in its query, for the HTTP client and not for people.
    public var absoluteText: String { query.map { "\(origin)\(path)?\($0)" } ?? "\(origin)\(path)" }

    private var pathWithoutTrailingSlashes: Substring {
        var path = path[...]
        while path.hasSuffix("/") { path.removeLast() }
        return path
    }

    /// Splits the part behind the authority into path and query.
    private static func target(_ text: Substring) throws(WebAddressError) -> (path: String, query: String?) {
        guard !text.utf8.contains(UInt8(ascii: "#")) else { throw .fragment }
        guard let mark = text.utf8.firstIndex(of: UInt8(ascii: "?")) else { return (String(text), nil) }
        return (String(text[..<mark]), String(text[text.index(after: mark)...]))
    }

    private static func origin(scheme: Origin.Scheme, authority: Substring) throws(WebAddressError) -> Origin {
        guard !authority.contains("@") else { throw .userInformation }
        // The port's colon comes after the closing bracket of an IPv6 address.
        let hostEnd = authority.lastIndex(of: "]").map(authority.index(after:)) ?? authority.firstIndex(of: ":")
        let host = authority[..<(hostEnd ?? authority.endIndex)].lowercased()
        guard Host.isValid(host[...]) else { throw .invalidHost }
        guard let hostEnd, hostEnd < authority.endIndex else {
            return Origin(scheme: scheme, host: host, port: scheme.defaultPort)
        }
        let port = authority[hostEnd...]
        let digits = port.dropFirst()
        guard port.hasPrefix(":"), (1...5).contains(digits.utf8.count), digits.utf8.allSatisfy(Host.isDigit),
            let number = UInt16(digits), number > 0
        else { throw .invalidPort }
        return Origin(scheme: scheme, host: host, port: number)
    }

    /// Visible ASCII without the characters that browsers and resolvers disagree about.
    private static func allows(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "\\"), UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "^"),
            UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: "}"):
            false
        default: (0x21...0x7E).contains(byte)
        }
    }
}

extension WebAddress: CustomStringConvertible {
    /// Origin and path. The query stays out because it may carry a one-time token.
    public var description: String { "\(origin)\(path)" }
}

extension WebAddress: CustomReflectable {
    /// Leaves the query out, as `description` does.
    public var customMirror: Mirror { Mirror(self, children: ["origin": origin, "path": path]) }
}

/// The reason why a text is not a ``WebAddress``.
public enum WebAddressError: String, Error, Hashable, Sendable {
    /// The text is longer than ``WebAddress/maximumLength``.
    case tooLong
    /// A character is not visible ASCII, or one that programs read differently.
    case forbiddenCharacter
    /// The text does not begin with a scheme and `://`.
    case notAbsolute
    /// The scheme is neither `http` nor `https`.
    case unsupportedScheme
    /// There is a user name or a password before the host.
    case userInformation
    /// The host is not a DNS name, dotted IPv4 address, or IPv6 address in brackets.
    case invalidHost
    /// The port is not a number from 1 to 65535.
    case invalidPort
    /// There is a `#`.
    case fragment
}
