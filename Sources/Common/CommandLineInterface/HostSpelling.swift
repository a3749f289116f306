// SPDX-License-Identifier: Apache-2.0

/// Advice on names of hosts that browsers take and kiosks do not: two readers could understand them differently.
public enum HostSpelling {
    /// - Parameter text: an address or a line of a trust list that was refused.
    /// - Returns: nil when another fault is more likely.
    public static func advice(in text: String) -> String? {
        for word in text.split(separator: " ") {
            let address = word.firstRange(of: "://").map { word[$0.upperBound...] } ?? word
            guard !address.hasPrefix("[") else { continue }
            let place = address.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
            if place.count(where: { $0 == ":" }) > 1 {
                return "an IPv6 address stands in brackets: [\(place)]"
            }
            let host = place.prefix { $0 != ":" }
            if !host.utf8.allSatisfy({ $0 < 0x80 }) {
                return "a name with letters beyond ASCII is written in its form with xn--, which idn2 \(host) prints"
            }
            if host.contains("_") {
                return
                    "a host's name has letters, digits, hyphens and dots, no underscore: give the service another name"
            }
            if host.hasSuffix("."), host.count > 1 { return "write it without the dot at its end: \(host.dropLast())" }
        }
        return nil
    }
}
