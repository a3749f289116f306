// SPDX-License-Identifier: Apache-2.0

/// The rules for a host's name. They are narrower than the URL standard on purpose: they refuse every spelling that a
/// person and a resolver could read differently (`0x7f.1`, `2130706433`, trailing dots, percent escapes, non-ASCII).
enum Host {
    static let maximumLength = 253

    /// - Parameter host: already lower case.
    static func isValid(_ host: Substring) -> Bool {
        if host.hasPrefix("[") { return isBracketedIPv6Address(host) }
        return isIPv4Address(host) || isDomainName(host)
    }

    /// - Parameter host: valid.
    static func isLoopback(_ host: String) -> Bool {
        host == "localhost" || host == "[::1]" || (host.hasPrefix("127.") && isIPv4Address(host[...]))
    }

    static func isIPv4Address(_ host: Substring) -> Bool {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4
            && parts.allSatisfy { part in
                (1...3).contains(part.utf8.count) && part.utf8.allSatisfy(isDigit)
                    && (part.utf8.count == 1 || part.utf8.first != UInt8(ascii: "0")) && UInt8(part) != nil
            }
    }

    /// Labels of letters, digits and inner hyphens (RFC 1123); the last label must not look like a number, so that no
    /// spelling of an IPv4 address passes as a name.
    static func isDomainName(_ host: Substring) -> Bool {
        guard (1...maximumLength).contains(host.utf8.count) else { return false }
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.allSatisfy(isLabel), let last = labels.last?.utf8 else { return false }
        return !last.allSatisfy(isDigit) && !(last.starts(with: "0x".utf8))
    }

    private static func isLabel(_ label: Substring) -> Bool {
        let bytes = label.utf8
        guard (1...63).contains(bytes.count), bytes.first != UInt8(ascii: "-"), bytes.last != UInt8(ascii: "-") else {
            return false
        }
        return bytes.allSatisfy { isDigit($0) || isLowercaseLetter($0) || $0 == UInt8(ascii: "-") }
    }

    /// Eight groups of one to four hexadecimal digits, with at most one `::` in place of zero groups (RFC 4291, 2.2,
    /// forms 1 and 2).
    private static func isBracketedIPv6Address(_ host: Substring) -> Bool {
        guard host.hasSuffix("]") else { return false }
        let address = host.dropFirst().dropLast()
        let halves = splitAtDoubleColon(address)
        switch halves.count {
        case 1: return groups(in: halves[0]) == 8
        case 2:
            guard let left = groups(in: halves[0]), let right = groups(in: halves[1]) else { return false }
            return left + right <= 7
        default: return false
        }
    }

    private static func splitAtDoubleColon(_ address: Substring) -> [Substring] {
        var halves: [Substring] = []
        var rest = address
        while let colon = rest.indices.first(where: { rest[$0...].hasPrefix("::") }) {
            halves.append(rest[..<colon])
            rest = rest[rest.index(colon, offsetBy: 2)...]
        }
        return halves + [rest]
    }

    /// The number of groups: 0 for an empty half, nil if one is malformed.
    private static func groups(in half: Substring) -> Int? {
        guard !half.isEmpty else { return 0 }
        let groups = half.split(separator: ":", omittingEmptySubsequences: false)
        let wellFormed = groups.allSatisfy { group in
            (1...4).contains(group.utf8.count) && group.utf8.allSatisfy { isDigit($0) || (0x61...0x66).contains($0) }
        }
        return wellFormed ? groups.count : nil
    }

    static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
    static func isLowercaseLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }
}
