// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A time that a server announced, for people.
enum ServerTime {
    /// - Parameter seconds: since 1970-01-01 UTC. What lies beyond the year 9999 stays a number: a server
    ///   may write any.
    static func text(_ seconds: Int64) -> String {
        guard (0...253_402_300_799).contains(seconds) else { return "\(seconds)" }
        return Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)
    }
}
