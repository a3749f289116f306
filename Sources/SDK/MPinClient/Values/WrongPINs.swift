// SPDX-License-Identifier: Apache-2.0

/// How often a wrong PIN was typed for an identity between two logins, as its server says: the person knows whose they
/// were. Servers that are not this project's say nothing of it.
public struct WrongPINs: Sendable, Hashable {
    /// At least 1.
    public let count: Int
    /// When the last one was, in seconds since 1970-01-01 UTC by the server's clock.
    public let last: Int64

    public init(count: Int, last: Int64) { (self.count, self.last) = (count, last) }
}

extension WrongPINs {
    /// - Returns: nil for a reply that says nothing of it, or nothing that can be read: a login that went well must not
    ///   fail because of it.
    init?(_ object: JSONObject) {
        guard let said = try? object.optionalObject("wrongPins"), let count = try? said.integer("count"),
            let last = try? said.integer("last"), (1...9999).contains(count), (0...253_402_300_799).contains(last)
        else { return nil }
        self.init(count: Int(count), last: last)
    }
}
