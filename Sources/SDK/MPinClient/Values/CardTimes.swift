// SPDX-License-Identifier: Apache-2.0

/// The times between which a guest's card is valid, in seconds since 1970-01-01 UTC.
public struct CardTimes: Sendable, Hashable {
    public let issued: Int64
    public let ends: Int64

    public init(issued: Int64, ends: Int64) {
        (self.issued, self.ends) = (issued, ends)
    }
}
