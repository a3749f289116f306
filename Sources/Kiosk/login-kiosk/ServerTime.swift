// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A server's time, for people.
enum ServerTime {
    /// - Parameter seconds: since 1970-01-01 UTC. Beyond the year 9999 it stays a number: a server may send any.
    static func text(_ seconds: Int64) -> String {
        guard (0...253_402_300_799).contains(seconds) else { return "\(seconds)" }
        return Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)
    }
}
