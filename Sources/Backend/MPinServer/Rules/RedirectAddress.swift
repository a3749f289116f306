// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The address at an application to which browsers return. RFC 6749, section 3.1.2.
package enum RedirectAddress {
    private static let defaultPorts = ["http": 80, "https": 443]

    /// Whether it is an absolute address without a fragment: a web address or, for a public application, one of a
    /// scheme that only its program answers to.
    package static func isValid(_ uri: String, isPublic: Bool = false) -> Bool {
        guard uri.utf8.allSatisfy({ (0x21...0x7e).contains($0) }), let parts = URLComponents(string: uri),
            let scheme = parts.scheme, parts.fragment == nil
        else { return false }
        if defaultPorts[scheme] != nil { return parts.host?.isEmpty == false }
        return isPublic && isPrivateUse(scheme)
    }

    /// Whether the scheme is made of a domain name in reverse, as in `com.example.app` (RFC 8252, section 7.1). No
    /// scheme that browsers know has a dot.
    private static func isPrivateUse(_ scheme: String) -> Bool {
        let labels = scheme.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return labels.count > 1
            && labels.allSatisfy { label in
                !label.isEmpty
                    && label.allSatisfy { (0x61...0x7a).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2d }
            } && labels[0].first.map { (0x61...0x7a).contains($0) } == true
    }

    /// The origin of a web address in the form that browsers send: small letters, and no default port (RFC 6454,
    /// section 6.2).
    package static func origin(of uri: String) -> String? {
        guard let parts = URLComponents(string: uri), let scheme = parts.scheme?.lowercased(),
            let defaultPort = defaultPorts[scheme], let host = parts.encodedHost?.lowercased(), !host.isEmpty
        else { return nil }
        let port = parts.port.flatMap { $0 == defaultPort ? nil : ":\($0)" }
        return "\(scheme)://\(host)" + (port ?? "")
    }

    /// Whether a page of this origin belongs to the application with this address. On the person's machine it may use
    /// any port (RFC 8252, section 7.3).
    /// - Parameter origin: as a browser sent it.
    package static func isOrigin(_ origin: String, of uri: String) -> Bool {
        guard let own = self.origin(of: uri), self.origin(of: origin) == origin else { return false }
        if own == origin { return true }
        return ["http://127.0.0.1", "http://[::1]"].contains { loopback in
            [own, origin].allSatisfy { $0 == loopback || $0.hasPrefix(loopback + ":") }
        }
    }
}
