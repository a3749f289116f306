// SPDX-License-Identifier: Apache-2.0

/// From when to when the card counts with which a guest came, in seconds since 1970-01-01 UTC.
public struct CardTimes: Sendable, Hashable {
    public let issued: Int64
    public let ends: Int64

    public init(issued: Int64, ends: Int64) {
        (self.issued, self.ends) = (issued, ends)
    }
}
