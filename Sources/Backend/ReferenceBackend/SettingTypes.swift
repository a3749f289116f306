// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import BackendValues
import Foundation
import MPinServer

/// Parses the text of an option.
/// - Parameter rule: describes valid texts, for the complaint.
func parsing<Value>(
    _ rule: String, _ parse: @escaping @Sendable (String) -> Value?
) -> @Sendable (String) throws -> Value {
    { text in
        guard let value = parse(text) else { throw ValidationError("it has to be \(rule)") }
        return value
    }
}

extension Option<Int> {
    /// A number within bounds. The help ends with bounds and default.
    init(wrappedValue: Int, _ help: String, in range: ClosedRange<Int>) {
        self.init(
            wrappedValue: wrappedValue,
            help: "\(help): \(range.lowerBound) to \(range.upperBound). (default: \(wrappedValue))",
            transform: number(in: range))
    }
}

extension Option<Duration> {
    /// A number of seconds within bounds.
    init(wrappedValue: Duration, _ help: String, in range: ClosedRange<Int>) {
        self.init(
            wrappedValue: wrappedValue,
            help: """
                \(help): \(range.lowerBound) to \(range.upperBound). (default: \(wrappedValue.components.seconds))
                """,
            transform: { .seconds(try number(in: range)($0)) })
    }
}

func number(in range: ClosedRange<Int>) -> @Sendable (String) throws -> Int {
    parsing("\(range.lowerBound) to \(range.upperBound)") { Int($0).flatMap { range.contains($0) ? $0 : nil } }
}

/// The origin at which browsers and kiosks reach the site, in QR codes, mails and settings.
struct PublicURL {
    /// Without trailing slashes, which would make the addresses in QR codes invalid.
    let text: String

    init(_ text: String) throws(ValidationError) {
        self.text = text.withoutTrailingSlashes
        let parts = URLComponents(string: self.text)
        guard let parts, parts.scheme == "http" || parts.scheme == "https", parts.host?.isEmpty == false,
            parts.path.isEmpty, parts.query == nil, parts.fragment == nil, parts.user == nil
        else {
            throw ValidationError("it has to be an origin such as https://login.example.com, without path or query")
        }
        if let fault = Self.hostFault(self.text) { throw ValidationError("no kiosk takes codes with it: \(fault)") }
    }

    /// The spelling of a host that browsers take and kiosks do not; nil for other hosts.
    private static func hostFault(_ url: String) -> String? {
        let place = url.drop { $0 != "/" }.dropFirst(2)
        guard !place.hasPrefix("[") else { return nil }
        let host = place.prefix { $0 != ":" }
        if !host.utf8.allSatisfy({ $0 < 0x80 }) {
            return "write the host in ASCII, in its form with xn--, which idn2 \(host) prints"
        }
        if host.hasSuffix(".") { return "write the host without the dot at its end, \(host.dropLast())" }
        let labels = host.lowercased().split(separator: ".", omittingEmptySubsequences: false)
        let isValid = labels.allSatisfy { label in
            (1...63).contains(label.utf8.count) && !label.hasPrefix("-") && !label.hasSuffix("-")
                && label.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) || $0 == 0x2D }
        }
        return isValid
            ? nil : "a host's name has labels of letters, digits and inner hyphens, and no underscore"
    }
}

/// The address of a D-TA, `https://host:port` or `http://127.0.0.1:port`, optionally with a path.
struct AuthorityURL {
    let text: String

    init(_ text: String) throws(ValidationError) {
        self.text = text.withoutTrailingSlashes
        let parts = URLComponents(string: self.text)
        guard let parts, let host = parts.host, !host.isEmpty, parts.query == nil, parts.fragment == nil,
            parts.user == nil, text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }),
            parts.scheme == "https" || parts.scheme == "http" && LoopbackHost.contains(host)
        else {
            throw ValidationError("it has to be https://host:port, or http:// on this machine, without query")
        }
    }
}

/// A client of the OpenID provider that cannot keep a secret, and proves itself by PKCE: `NAME=URI`.
struct PublicClient {
    /// The client id.
    let id: String
    /// The address that browsers return to, compared exactly.
    let redirectURI: String

    init?(_ text: String) {
        let halves = text.split(separator: "=", maxSplits: 1).map(String.init)
        guard halves.count == 2, halves[0].utf8.allSatisfy({ (0x21...0x7e).contains($0) }),
            RedirectAddress.isValid(halves[1], isPublic: true)
        else { return nil }
        (id, redirectURI) = (halves[0], halves[1])
    }
}

extension MailServer {
    /// Whether it is `smtp://host:port` or `smtps://host:port`, without a user name.
    static func isURL(_ text: String) -> Bool {
        guard let parts = URLComponents(string: text) else { return false }
        return ["smtp", "smtps"].contains(parts.scheme) && parts.host?.isEmpty == false && parts.user == nil
    }
}

extension Dialect: ExpressibleByArgument {}

extension ProxyField: ExpressibleByArgument {
    /// Names of header fields have no case.
    package init?(argument: String) {
        guard let field = Self.allCases.first(where: { $0.rawValue.lowercased() == argument.lowercased() }) else {
            return nil
        }
        self = field
    }
}

extension String {
    fileprivate var withoutTrailingSlashes: String {
        var text = self
        while text.hasSuffix("/") { text.removeLast() }
        return text
    }
}
