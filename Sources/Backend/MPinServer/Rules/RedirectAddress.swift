// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The address at an application to which browsers return. RFC 6749, section 3.1.2.
package enum RedirectAddress {
    /// Whether it is an absolute web address without a fragment.
    package static func isValid(_ uri: String) -> Bool {
        guard let parts = URLComponents(string: uri), parts.scheme == "http" || parts.scheme == "https",
            parts.host?.isEmpty == false, parts.fragment == nil
        else { return false }
        return uri.utf8.allSatisfy { (0x21...0x7e).contains($0) }
    }

    /// The origin of an address, in the form that browsers send.
    package static func origin(of uri: String) -> String? {
        guard let parts = URLComponents(string: uri), let scheme = parts.scheme, let host = parts.encodedHost else {
            return nil
        }
        return "\(scheme)://\(host)" + (parts.port.map { ":\($0)" } ?? "")
    }
}
