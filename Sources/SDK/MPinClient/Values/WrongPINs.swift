// SPDX-License-Identifier: Apache-2.0

/// The wrong PINs for an identity between two logins, as its server counts them. The person knows whether they typed
/// them. Only this project's servers report them.
public struct WrongPINs: Sendable, Hashable {
    /// At least 1.
    public let count: Int
    /// The time of the last one, in seconds since 1970-01-01 UTC by the server's clock.
    public let last: Int64

    /// Makes a report of a server.
    ///
    /// - Parameters:
    ///   - count: at least 1.
    ///   - last: the time of the last one, in seconds since 1970-01-01 UTC by the server's clock.
    public init(count: Int, last: Int64) { (self.count, self.last) = (count, last) }
}

extension WrongPINs {
    /// - Returns: nil for a reply without the values, or with unreadable ones: a successful login must not fail
    ///   because of them.
    init?(_ object: JSONObject) {
        guard let said = try? object.optionalObject("wrongPins"), let count = try? said.integer("count"),
            let last = try? said.integer("last"), (1...9999).contains(count), (0...253_402_300_799).contains(last)
        else { return nil }
        self.init(count: Int(count), last: last)
    }
}
