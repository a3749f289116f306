// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// A time of day as records have it: ISO 8601 in UTC, such as `2026-11-21T22:15:30Z`.
enum RecordedTime {
    /// - Parameter seconds: since 1970-01-01 UTC.
    static func text(_ seconds: Int64) -> String {
        Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)
    }
}
