// SPDX-License-Identifier: Apache-2.0

/// The claims of a token of one kind. Each of them ends sometime.
package protocol WebTokenPayload: Codable, Sendable {
    var expiration: NumericDate { get }
}

/// A time in a token (RFC 7519, section 2): seconds since 1970 UTC. This backend writes whole ones, which every
/// reader understands.
package struct NumericDate: Codable, Equatable, Sendable {
    package let seconds: Double

    package init(_ time: WallTime) { seconds = Double(time.seconds) }

    package init(from decoder: any Decoder) throws { seconds = try decoder.singleValueContainer().decode(Double.self) }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let whole = Int64(exactly: seconds) { try container.encode(whole) } else { try container.encode(seconds) }
    }

    func isLater(than now: WallTime) -> Bool { seconds > Double(now.milliseconds) / 1000 }
}

/// The recipients of a token (RFC 7519, section 4.1.3): one name, or a list.
package struct Audience: Codable, Equatable, Sendable {
    package let names: [String]

    package init(_ name: String) { names = [name] }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        names = try (try? [container.decode(String.self)]) ?? container.decode([String].self)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if names.count == 1 { try container.encode(names[0]) } else { try container.encode(names) }
    }
}
